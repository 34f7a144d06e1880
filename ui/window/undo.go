package window

// steps are what Edit > Undo takes back, the last one first: assignments and notes.
type steps struct {
	w    *Window
	done []step
}

// step is something that was done: what, for people, and what takes it back; false if that failed.
type step struct {
	what string
	back func() bool
}

// stepsMost is how many steps can be undone.
const stepsMost = 100

// add adds a step, and says how it is taken back.
func (s *steps) add(what string, back func() bool) {
	s.done = append(s.done[max(0, len(s.done)-stepsMost+1):], step{what, back})
	s.w.Tell(what + ". Undo with Ctrl+Z.")
	s.w.Changed()
}

// name says what undo takes back.
func (s *steps) name() string {
	if len(s.done) == 0 {
		return "Undo"
	}
	return "Undo " + s.done[len(s.done)-1].what
}

// undo takes the last step back.
func (s *steps) undo() {
	last := s.done[len(s.done)-1]
	if last.back() {
		s.done = s.done[:len(s.done)-1]
		s.w.Tell("Undone: " + last.what + ".")
		s.w.Changed()
	}
}
