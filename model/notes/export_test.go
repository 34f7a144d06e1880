package notes

// SetMost sets how many notes can be kept.
func (s *Store) SetMost(n int) { s.limit = n }
