package paint

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// StackMinSize is a layout that stacks objects. The func returns the minimum size of the stack for that of the objects.
type StackMinSize func(minSize fyne.Size) fyne.Size

// Layout implements fyne.Layout.
func (s StackMinSize) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	layout.NewStackLayout().Layout(objects, size)
}

// MinSize implements fyne.Layout.
func (s StackMinSize) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return s(layout.NewStackLayout().MinSize(objects))
}

// MinWidth returns a layout of objects that is at least width wide, in device-independent pixels.
func MinWidth(width float32) StackMinSize {
	return func(minSize fyne.Size) fyne.Size { return minSize.Max(fyne.NewSize(width, 0)) }
}

// Contains reports whether a position in the window is on an object.
func Contains(o fyne.CanvasObject, pos fyne.Position) bool {
	pos = pos.Subtract(fyne.CurrentApp().Driver().AbsolutePositionForObject(o))
	return pos.X >= 0 && pos.Y >= 0 && pos.X < o.Size().Width && pos.Y < o.Size().Height
}

// SetVisible shows or hides an object.
func SetVisible(o fyne.CanvasObject, visible bool) {
	switch {
	case visible == o.Visible():
	case visible:
		o.Show()
	default:
		o.Hide()
	}
}

// SetEnabled enables or disables an object, unless it already is.
func SetEnabled(o fyne.Disableable, on bool) {
	switch {
	case on != o.Disabled():
	case on:
		o.Enable()
	default:
		o.Disable()
	}
}

// Backdrop is a plane in one of the theme's colors; it follows the theme.
type Backdrop struct {
	widget.BaseWidget
	name  fyne.ThemeColorName
	alpha uint8
	plane *canvas.Rectangle
}

// NewBackdrop returns a plane of a color of the theme.
func NewBackdrop(name fyne.ThemeColorName) *Backdrop { return NewTint(name, 0xff) }

// NewTint returns a translucent plane of a color of the theme.
func NewTint(name fyne.ThemeColorName, alpha uint8) *Backdrop {
	b := &Backdrop{name: name, alpha: alpha}
	b.plane = canvas.NewRectangle(b.color())
	b.ExtendBaseWidget(b)
	return b
}

// NewHeader puts an object on the background of a header, for titles and tools above a view.
func NewHeader(o fyne.CanvasObject) fyne.CanvasObject {
	return container.NewStack(NewBackdrop(theme.ColorNameHeaderBackground), o)
}

func (b *Backdrop) color() color.Color {
	c := color.NRGBAModel.Convert(theme.Color(b.name)).(color.NRGBA)
	if b.alpha != 0xff {
		c.A = b.alpha
	}
	return c
}

// CreateRenderer implements fyne.Widget.
func (b *Backdrop) CreateRenderer() fyne.WidgetRenderer {
	return &backdropRenderer{widget.NewSimpleRenderer(b.plane), b}
}

type backdropRenderer struct {
	fyne.WidgetRenderer
	b *Backdrop
}

func (*backdropRenderer) MinSize() fyne.Size { return fyne.Size{} }

func (r *backdropRenderer) Refresh() {
	r.b.plane.FillColor = r.b.color()
	r.b.plane.Refresh()
}
