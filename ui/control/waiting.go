package control

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// Waiting is what is seen while something takes long.
type Waiting struct {
	bar     *widget.ProgressBarInfinite
	content fyne.CanvasObject
}

// NewWaiting makes one that says what takes long. cancel is called when the user ends it.
func NewWaiting(text string, cancel func()) *Waiting {
	w := &Waiting{bar: widget.NewProgressBarInfinite()}
	w.content = container.NewCenter(container.NewVBox(
		widget.NewLabelWithStyle(text, fyne.TextAlignCenter, fyne.TextStyle{}),
		container.NewGridWrap(fyne.NewSize(320, 8), w.bar),
		container.NewCenter(widget.NewButton("Cancel", cancel))))
	return w
}

// Content is what goes into the window.
func (w *Waiting) Content() fyne.CanvasObject { return w.content }

// End has it stand still. One that moves has the whole window painted 60 times a second even when it is not shown any
// more.
func (w *Waiting) End() {
	if w != nil {
		w.bar.Stop()
	}
}
