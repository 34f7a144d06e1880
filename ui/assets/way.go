package assets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// wayLayout puts three objects beside each other: the way to a group, which is scrolled where there is not room for all
// of it, a text that gets what is left, and choices.
type wayLayout struct{}

// wayLeast is how much of the way is seen, in device-independent pixels.
const wayLeast = 60

func (wayLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	choices := o[2].MinSize()
	return fyne.NewSize(wayLeast+choices.Width, max(o[0].MinSize().Height, o[1].MinSize().Height, choices.Height))
}

func (wayLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	choices := o[2].MinSize().Width
	room := size.Width - choices
	way := min(o[0].(*container.Scroll).Content.MinSize().Width, room)
	place := func(o fyne.CanvasObject, x, width float32) {
		o.Move(fyne.NewPos(x, 0))
		o.Resize(fyne.NewSize(width, size.Height))
	}
	place(o[0], 0, way)
	place(o[1], way+theme.Padding(), max(0, room-way-2*theme.Padding()))
	place(o[2], room, choices)
}
