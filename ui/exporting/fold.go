package exporting

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"assay/ui/paint"
)

// toggle shows or hides what can be folded away of the settings, from now on wherever the panel is.
func (s *settings) toggle() {
	s.chosen = true
	paint.Show(s.more, !s.more.Visible())
	s.p.main.Refresh()
}

// folding is the layout of the list and its settings. Where that leaves too little of the list, and the user has not
// said otherwise, the settings that are seldom changed are folded away.
type folding struct{ s *settings }

// listLeast is how much more of the list there has to be than the least, for all settings to be shown.
const listLeast = 70

// Layout places what is shown.
func (f folding) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	more := f.s.more.Visible()
	if !f.s.chosen {
		more = f.s.wrong != "" || size.Height >= f.MinSize(objects).Height+f.height()+listLeast
	}
	changed := more != f.s.more.Visible()
	paint.Show(f.s.more, more)
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
