package find

// Limits of a search, for tests: the size of a block, and the maximum size of a match.
const (
	Chunk          = chunkSize
	MaxRegexpMatch = maxRegexpMatch
)

// Longest returns the longest sequence of a pattern.
func (p *Pattern) Longest() []byte {
	var best []byte
	for _, n := range p.needles {
		if len(n.value) > len(best) {
			best = n.value
		}
	}
	return best
}

// StandsAt reports whether a sequence of the pattern begins at index i.
func (p *Pattern) StandsAt(b []byte, i int) bool {
	for k := range p.needles {
		if n := &p.needles[k]; i+len(n.value) <= len(b) && n.matchesAt(b, i) {
			return true
		}
	}
	return false
}
