package compared

// Wrapper steps through changes in a direction. After the last change it reports the end, and the next step wraps
// around.
type Wrapper struct{ endReached int } // the direction of the reached end; 0: none

// Hinter shows hints in the status line.
type Hinter interface{ ShowHint(text string) }

// Step steps by 1 or -1. next selects the next change, or wraps if wrap is set; it returns false at the end.
func (e *Wrapper) Step(hints Hinter, noun string, step int, next func(wrap bool) bool) {
	if wrap := e.endReached == step; next(wrap) {
		e.endReached = 0
		if wrap {
			hints.ShowHint(WrapHint(noun, step))
		}
		return
	} else if wrap {
		e.endReached = 0
		hints.ShowHint("There is no " + noun + ".")
		return
	}
	e.endReached = step
	hints.ShowHint(EndHint(noun, step))
}

// EndHint returns the hint that there are no more changes in a direction.
func EndHint(noun string, step int) string {
	if step < 0 {
		return "No earlier " + noun + ". Press again to go to the last one."
	}
	return "No later " + noun + ". Press again to go to the first one."
}

// WrapHint returns the hint that the steps wrapped around.
func WrapHint(noun string, step int) string {
	if step < 0 {
		return "Continued from the last " + noun + "."
	}
	return "Continued from the first " + noun + "."
}
