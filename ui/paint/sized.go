package paint

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/layout"
)

// Sized is a layout of objects one over the other that wants another size than they do: it is told theirs.
type Sized func(least fyne.Size) fyne.Size

// Layout places what is shown.
func (s Sized) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	layout.NewStackLayout().Layout(objects, size)
}

// MinSize returns the smallest size.
func (s Sized) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return s(layout.NewStackLayout().MinSize(objects))
}

// Show shows an object, or hides it.
func Show(o fyne.CanvasObject, shown bool) {
	switch {
	case shown == o.Visible():
	case shown:
		o.Show()
	default:
		o.Hide()
	}
}

// Enable enables or disables an object that is not so yet.
func Enable(o fyne.Disableable, on bool) {
	switch {
	case on != o.Disabled():
	case on:
		o.Enable()
	default:
		o.Disable()
	}
}
