package window

// undoStack holds the changes of assignments, notes, and descriptions that Edit > Undo reverts, the oldest first.
type undoStack struct {
	w       *Window
	applied []step
}

// step is an action that can be undone.
type step struct {
	name     string
	revert   func() bool // returns false on failure
	outdated func() bool // reports whether later changes prevent it; may be nil
}

// maxUndoSteps is the maximum number of steps that can be undone.
const maxUndoSteps = 100

// add adds a step, and displays its name with the shortcut of Undo, if there is one.
func (s *undoStack) add(added step) {
	s.applied = append(s.applied[max(0, len(s.applied)-maxUndoSteps+1):], added)
	s.w.ShowHint(s.hintOf(added))
	s.w.Changed()
}

func (s *undoStack) hintOf(added step) string {
	hint := added.name + "."
	if key := s.w.Keys().Text("edit.undo"); key != "" {
		hint += " Undo with " + key + "."
	}
	return hint
}

// last returns the last step that can still be undone, or nil. It drops outdated ones.
func (s *undoStack) last() *step {
	for n := len(s.applied); n > 0; n-- {
		if last := &s.applied[n-1]; last.outdated == nil || !last.outdated() {
			return last
		}
		s.applied = s.applied[:n-1]
	}
	return nil
}

// name returns the label of the Undo menu item.
func (s *undoStack) name() string {
	if last := s.last(); last != nil {
		return "Undo " + last.name
	}
	return "Undo"
}

// undo reverts the last step.
func (s *undoStack) undo() {
	last := s.last()
	if last == nil {
		return
	}
	undone := *last
	s.applied = s.applied[:len(s.applied)-1]
	if !undone.revert() {
		s.applied = append(s.applied, undone)
		return
	}
	s.w.ShowHint("Undone: " + undone.name + ".")
	s.w.Changed()
}
