package exporting

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// toggle shows or hides what can be folded away of the settings, from now on wherever the panel is.
func (s *settings) toggle() {
	s.chosen = true
	s.show(!s.more.Visible())
	s.p.main.Refresh()
}

// show shows what can be folded away, or does not, and reports whether that is a change.
func (s *settings) show(more bool) (changed bool) {
	if more == s.more.Visible() {
		return false
	}
	if more {
		s.more.Show()
	} else {
		s.more.Hide()
	}
	return true
}

// folding is the layout of the list and its settings. Where that leaves too little of the list, and the user has not
// said otherwise, the settings that are seldom changed are folded away.
type folding struct{ s *settings }

// listLeast is how much more of the list there has to be than the least, for all settings to be shown.
const listLeast = 70

func (s *settings) folds(o fyne.CanvasObject) fyne.CanvasObject { return container.New(folding{s}, o) }

// Layout places what is shown.
func (f folding) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	room := size.Height >= f.MinSize(objects).Height+f.height()+listLeast
	changed := !f.s.chosen && f.s.show(room || f.s.wrong != "")
	objects[0].Resize(size)
	if changed {
		objects[0].Refresh()
	}
}

// MinSize returns the smallest size, that without what would be folded away.
func (f folding) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := objects[0].MinSize()
	if !f.s.chosen && f.s.more.Visible() && f.s.wrong == "" {
		least.Height -= f.height()
	}
	return least
}

// height is that of what can be folded away.
func (f folding) height() float32 { return f.s.more.MinSize().Height + theme.Padding() }
