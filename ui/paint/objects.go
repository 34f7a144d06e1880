package paint

import (
	"image"
	"image/color"
	"math"

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

// Surface is a widget that paints itself, a whole frame at a time; others embed it.
type Surface struct {
	widget.BaseWidget
	widget fyne.Widget // widget that embeds this one
	style  *Style
	paint  func(c *Canvas)
	raster *canvas.Raster
	img    *image.RGBA
	scale  float32
}

// InitSurface sets the widget and the paint func of the surface. Call it once. The image of the canvas is as large as
// the widget, and still contains the previous frame.
func (s *Surface) InitSurface(w fyne.Widget, style *Style, paint func(c *Canvas)) {
	s.widget, s.style, s.paint, s.scale = w, style, paint, 1
	s.raster = canvas.NewRaster(s.generate)
	s.raster.ScaleMode = canvas.ImageScalePixels
	s.ExtendBaseWidget(w)
}

// CreateRenderer implements fyne.Widget.
func (s *Surface) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(s.raster) }

// Refresh requests a new frame.
func (s *Surface) Refresh() { s.raster.Refresh() }

// Scale returns the number of pixels per device-independent pixel in the last frame.
func (s *Surface) Scale() float32 { return s.scale }

// Pixel returns the pixel at a position in the widget.
func (s *Surface) Pixel(p fyne.Position) image.Point {
	return image.Pt(int(p.X*s.scale), int(p.Y*s.scale))
}

func (s *Surface) generate(w, h int) image.Image {
	if w <= 0 || h <= 0 {
		return image.NewRGBA(image.Rect(0, 0, 1, 1))
	}
	if size := s.raster.Size(); size.Width > 1 {
		s.scale = float32(w) / size.Width
	}
	w, h = ScreenPixels(s.widget, w, h)
	if s.img == nil || s.img.Rect.Dx() != w || s.img.Rect.Dy() != h {
		s.img = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	s.style.Atlas.ThemeChanged()
	s.paint(s.style.NewCanvas(s.img, s.scale, ThemeColors(s.widget)))
	return s.img
}

// ScreenPixels returns the size of a widget on the screen in pixels. Fyne asks for an image of w x h pixels, which may
// be off by one, because it rounds the edges of the widget and not its size. An image of another size than the widget
// would lose or repeat a column of pixels.
func ScreenPixels(o fyne.CanvasObject, w, h int) (int, int) {
	driver := fyne.CurrentApp().Driver()
	c := driver.CanvasForObject(o)
	if c == nil {
		return w, h
	}
	pos, size := driver.AbsolutePositionForObject(o), o.Size()
	g := grid{c.Scale(), Scale(c) / c.Scale()}
	pixelSize := func(from, length, window float32, rounded int) int {
		n := g.pixels(from, from+length, window)
		if n < 1 || n < rounded-1 || n > rounded+1 { // the pixels of the screen have another size
			return rounded
		}
		return n
	}
	return pixelSize(pos.X, size.Width, c.Size().Width, w), pixelSize(pos.Y, size.Height, c.Size().Height, h)
}

// grid is the mapping of the toolkit's positions to pixels of the screen.
type grid struct {
	scale   float32 // scale of the canvas
	texture float32 // screen pixels per pixel of the canvas: the scale of a Wayland compositor
}

// Scale returns the number of screen pixels per device-independent pixel. It includes the scaling of a Wayland
// compositor, which the scale of the canvas does not.
func Scale(c fyne.Canvas) float32 {
	const far = 1 << 20 // rounding does not matter at this distance
	x, _ := c.PixelCoordinateForPosition(fyne.NewPos(far, far))
	return float32(x) / far
}

// pixels returns the number of pixels between two positions of a window. The toolkit rounds both to pixels, and then
// fits the window to a whole number of pixels, which moves them by a fraction if the size of the window times the scale
// is not whole. A pixel counts if its center is between them.
func (g grid) pixels(from, to, window float32) int {
	pixel := g.scale * g.texture
	wholePixels := math.Trunc(float64(float32(math.Ceil(float64(window*g.scale))) * g.texture))
	first := func(v float32) float64 { // the first pixel at or after a position
		rounded := math.Round(float64(v*pixel)) / float64(pixel)
		return math.Ceil(rounded*wholePixels/float64(window) - 0.5)
	}
	return int(first(to) - first(from))
}
