package export

import "math/bits"

// hashes is a set of hashes, in 8 bytes each and a third of that: a map takes twice as much.
type hashes struct {
	slots []uint64 // each hash at its place or after it; 0 is a free one
	n     int
}

// newHashes makes a set with room for n hashes.
func newHashes(n int) hashes { return hashes{slots: make([]uint64, max(16, n+n/3))} }

// add adds a hash, and reports whether it was not there.
func (s *hashes) add(hash uint64) bool {
	at := s.find(hash)
	if s.slots[at] != 0 {
		return false
	}
	if s.slots[at] = nonZero(hash); s.n >= len(s.slots)*3/4 {
		s.grow()
	}
	s.n++
	return true
}

func (s *hashes) has(hash uint64) bool { return s.slots[s.find(hash)] != 0 }

// find returns the slot of a hash, or the free one that it would get.
func (s *hashes) find(hash uint64) int {
	hash = nonZero(hash)
	place, _ := bits.Mul64(hash, uint64(len(s.slots)))
	at := int(place)
	for s.slots[at] != hash && s.slots[at] != 0 {
		if at++; at == len(s.slots) {
			at = 0
		}
	}
	return at
}

func (s *hashes) grow() {
	old := s.slots
	s.slots = make([]uint64, 2*len(old))
	for _, hash := range old {
		if hash != 0 {
			s.slots[s.find(hash)] = hash
		}
	}
}

// nonZero is a hash that is not that of a free slot.
func nonZero(hash uint64) uint64 { return max(1, hash) }
