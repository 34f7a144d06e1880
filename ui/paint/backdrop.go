package paint

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Backdrop is a plane in one of the theme's colours; it follows the theme.
type Backdrop struct {
	widget.BaseWidget
	name  fyne.ThemeColorName
	alpha uint8
	plane *canvas.Rectangle
}

// NewBackdrop makes a plane of a colour.
func NewBackdrop(name fyne.ThemeColorName) *Backdrop { return NewTint(name, 0xff) }

// NewTint makes a plane of a colour that lets what is below shine through.
func NewTint(name fyne.ThemeColorName, alpha uint8) *Backdrop {
	b := &Backdrop{name: name, alpha: alpha}
	b.plane = canvas.NewRectangle(b.color())
	b.ExtendBaseWidget(b)
	return b
}

// Head puts an object on the ground of what stands above a view: titles and tools.
func Head(o fyne.CanvasObject) fyne.CanvasObject {
	return container.NewStack(NewBackdrop(theme.ColorNameHeaderBackground), o)
}

func (b *Backdrop) color() color.Color {
	c := color.NRGBAModel.Convert(theme.Color(b.name)).(color.NRGBA)
	if b.alpha != 0xff {
		c.A = b.alpha
	}
	return c
}

// CreateRenderer returns what paints the widget.
func (b *Backdrop) CreateRenderer() fyne.WidgetRenderer {
	return &backdropRenderer{widget.NewSimpleRenderer(b.plane), b}
}

type backdropRenderer struct {
	fyne.WidgetRenderer
	b *Backdrop
}

// MinSize is none.
func (*backdropRenderer) MinSize() fyne.Size { return fyne.Size{} }

// Refresh takes the colour of the present theme.
func (r *backdropRenderer) Refresh() {
	r.b.plane.FillColor = r.b.color()
	r.b.plane.Refresh()
}
