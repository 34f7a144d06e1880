package paint

import (
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

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
func (f *Surface) InitSurface(w fyne.Widget, style *Style, paint func(c *Canvas)) {
	f.widget, f.style, f.paint, f.scale = w, style, paint, 1
	f.raster = canvas.NewRaster(f.generate)
	f.raster.ScaleMode = canvas.ImageScalePixels
	f.ExtendBaseWidget(w)
}

// CreateRenderer implements fyne.Widget.
func (f *Surface) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(f.raster) }

// Refresh requests a new frame.
func (f *Surface) Refresh() { f.raster.Refresh() }

// Scale returns the number of pixels per device-independent pixel in the last frame.
func (f *Surface) Scale() float32 { return f.scale }

// Pixel returns the pixel at a position in the widget.
func (f *Surface) Pixel(p fyne.Position) image.Point {
	return image.Pt(int(p.X*f.scale), int(p.Y*f.scale))
}

func (f *Surface) generate(w, h int) image.Image {
	if w <= 0 || h <= 0 {
		return image.NewRGBA(image.Rect(0, 0, 1, 1))
	}
	if size := f.raster.Size(); size.Width > 1 {
		f.scale = float32(w) / size.Width
	}
	w, h = ScreenPixels(f.widget, w, h)
	if f.img == nil || f.img.Rect.Dx() != w || f.img.Rect.Dy() != h {
		f.img = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	f.style.Atlas.ThemeChanged()
	f.paint(f.style.NewCanvas(f.img, f.scale, ThemeColors(f.widget)))
	return f.img
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
