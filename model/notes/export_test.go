package notes

// SetMost sets the maximum number of notes.
func (s *Store) SetMost(n int) { s.limit = n }
