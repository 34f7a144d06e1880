package compared

// Ends steps through changes in a direction: past the last one it says so, and begins at the first one the next time.
type Ends struct{ at int } // the direction in which the end was reached; 0: it was not

// Teller says something in the status line.
type Teller interface{ Tell(text string) }

// Step steps on by 1 or -1. goOn goes to the next change, or from the other end if around says so; it is false if
// there is none.
func (e *Ends) Step(say Teller, what string, by int, goOn func(around bool) bool) {
	if around := e.at == by; goOn(around) {
		e.at = 0
		if around {
			say.Tell(Wrapped(what, by))
		}
		return
	} else if around {
		e.at = 0
		say.Tell("There is no " + what + ".")
		return
	}
	e.at = by
	say.Tell(AtEnd(what, by))
}

// Leave forgets that an end was reached: the user went elsewhere.
func (e *Ends) Leave() { e.at = 0 }

// AtEnd says that there are no more changes in a direction.
func AtEnd(what string, by int) string {
	if by < 0 {
		return "No earlier " + what + ". Press again to go to the last one."
	}
	return "No later " + what + ". Press again to go to the first one."
}

// Wrapped says that the changes were begun anew.
func Wrapped(what string, by int) string {
	if by < 0 {
		return "Continued from the last " + what + "."
	}
	return "Continued from the first " + what + "."
}
