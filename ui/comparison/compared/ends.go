package compared

// Ends steps through changes in a direction. After the last change it reports the end, and the next step wraps around.
type Ends struct{ at int } // the direction in which the end was reached; 0: it was not

// Teller shows hints in the status line.
type Teller interface{ ShowHint(text string) }

// Step steps by 1 or -1. goOn moves to the next change, or wraps if around is set; it returns false at the end.
func (e *Ends) Step(say Teller, what string, by int, goOn func(around bool) bool) {
	if around := e.at == by; goOn(around) {
		e.at = 0
		if around {
			say.ShowHint(Wrapped(what, by))
		}
		return
	} else if around {
		e.at = 0
		say.ShowHint("There is no " + what + ".")
		return
	}
	e.at = by
	say.ShowHint(AtEnd(what, by))
}

// AtEnd returns the hint that there are no more changes in a direction.
func AtEnd(what string, by int) string {
	if by < 0 {
		return "No earlier " + what + ". Press again to go to the last one."
	}
	return "No later " + what + ". Press again to go to the first one."
}

// Wrapped returns the hint that the steps wrapped around.
func Wrapped(what string, by int) string {
	if by < 0 {
		return "Continued from the last " + what + "."
	}
	return "Continued from the first " + what + "."
}
