package dragout

// String returns the state in a word, for the messages of tests.
func (s State) String() string {
	return [...]string{"preparing", "ready", "dropped", "refused", "inside", "cancelled", "failed", "copied"}[s]
}
