package picture

// bits are the 128 bits of a block, read from the lowest on.
type bits struct{ low, high uint64 }

func bitsOf(b []byte) bits { return bits{little.Uint64(b), little.Uint64(b[8:])} }

// take reads the next n bits, at most 32.
func (s *bits) take(n int) int {
	v := s.low & (1<<n - 1)
	s.low = s.low>>n | s.high<<(64-n)
	s.high >>= n
	return int(v)
}
