package dragout

// String is the state in a word, for what tests say.
func (s State) String() string {
	return [...]string{"preparing", "ready", "dropped", "refused", "inside", "cancelled", "failed", "copied"}[s]
}
