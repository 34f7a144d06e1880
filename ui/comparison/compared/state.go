package compared

import (
	"assay/model/compare"
	"assay/ui/paint"
)

// SignWide is the width of a column of signs.
const SignWide = 24

// States is a set of states of pairs.
type States uint8

const (
	AllStates States = 1<<compare.Same | Differing
	Differing States = 1<<compare.Changed | 1<<compare.Moved | 1<<compare.Added | 1<<compare.Removed
)

// Has reports whether a state is in the set.
func (s States) Has(st compare.Status) bool { return s&(1<<st) != 0 }

// Swapped is the same set where old and new are exchanged: who looks for what was added looks for what was removed now.
func (s States) Swapped() States {
	const added, removed = 1 << compare.Added, 1 << compare.Removed
	if both := s & (added | removed); both == added || both == removed {
		return s ^ (added | removed)
	}
	return s
}

// Any reports whether counts have a row in one of the states.
func (s States) Any(c compare.Counts) bool {
	for st := range c.Each() {
		if s.Has(st) {
			return true
		}
	}
	return false
}

// Tone is the tone of a pair's state; what has no row of its own steps back.
func Tone(p *compare.Pair) paint.Tone {
	if p.OneVersion {
		return paint.Dim
	}
	return StatusTone(p.Status)
}

// StatusTone is the tone in which a state is painted.
func StatusTone(s compare.Status) paint.Tone { return tones[s] }

var tones = [...]paint.Tone{compare.Same: paint.Dim, compare.Changed: paint.Changed, compare.Moved: paint.Moved,
	compare.Added: paint.Added, compare.Removed: paint.Removed}

// Sign is a state's sign as it is painted: the minus as wide as the plus.
func Sign(s compare.Status) string {
	if s == compare.Removed {
		return "−"
	}
	return s.Sign()
}
