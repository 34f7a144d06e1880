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
	widget fyne.Widget // that embeds it
	style  *Style
	paint  func(c *Canvas)
	raster *canvas.Raster
	img    *image.RGBA
	scale  float32
}

// Paints makes the surface that of a widget; it is called once. The image of the canvas that paint gets is as large as
// the widget; what stood in it in the frame before is still there.
func (f *Surface) Paints(w fyne.Widget, style *Style, paint func(c *Canvas)) {
	f.widget, f.style, f.paint, f.scale = w, style, paint, 1
	f.raster = canvas.NewRaster(f.generate)
	f.raster.ScaleMode = canvas.ImageScalePixels
	f.ExtendBaseWidget(w)
}

// CreateRenderer returns what paints the widget.
func (f *Surface) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(f.raster) }

// Refresh has the frame painted again.
func (f *Surface) Refresh() { f.raster.Refresh() }

// Scale is the pixels for each device-independent pixel, as of the last frame.
func (f *Surface) Scale() float32 { return f.scale }

// Pixel is the pixel at a position of the widget.
func (f *Surface) Pixel(p fyne.Position) image.Point {
	return image.Pt(int(p.X*f.scale), int(p.Y*f.scale))
}

// OnScreen is how many pixels a widget takes on the screen, of which Fyne asks for w and h. That may be one more or
// less: what is rounded is where the widget begins and where it ends, not how large it is. An image of another size
// would lose a column of pixels on the way to the screen, or show one twice.
func OnScreen(o fyne.CanvasObject, w, h int) (int, int) {
	driver := fyne.CurrentApp().Driver()
	c := driver.CanvasForObject(o)
	if c == nil {
		return w, h
	}
	at, size := driver.AbsolutePositionForObject(o), o.Size()
	g := grid{c.Scale(), Scale(c) / c.Scale()}
	along := func(from, length, window float32, asked int) int {
		n := g.pixels(from, from+length, window)
		if n < 1 || n < asked-1 || n > asked+1 { // the screen has pixels of another size
			return asked
		}
		return n
	}
	return along(at.X, size.Width, c.Size().Width, w), along(at.Y, size.Height, c.Size().Height, h)
}

// grid is how the toolkit places what it draws on the pixels of the screen.
type grid struct {
	scale   float32 // of the canvas
	texture float32 // pixels of the screen for one of the canvas; a Wayland compositor scales so
}

// Scale is the pixels of the screen for each device-independent pixel. Those that a Wayland compositor makes of one of
// the canvas are in it, and not in what the canvas calls its scale.
func Scale(c fyne.Canvas) float32 {
	const far = 1 << 20 // so that rounding does not matter
	x, _ := c.PixelCoordinateForPosition(fyne.NewPos(far, far))
	return float32(x) / far
}

// pixels is how many pixels are drawn between two positions of a window. The toolkit rounds both to pixels, and then
// fits the window to a whole number of pixels, which moves them by a part of one where the size of the window times the
// scale is not whole. A pixel is drawn if its middle is between them.
func (g grid) pixels(from, to, window float32) int {
	pixel := g.scale * g.texture
	across := math.Trunc(float64(float32(math.Ceil(float64(window*g.scale))) * g.texture))
	first := func(v float32) float64 { // the first pixel at or after a position
		rounded := math.Round(float64(v*pixel)) / float64(pixel)
		return math.Ceil(rounded*across/float64(window) - 0.5)
	}
	return int(first(to) - first(from))
}

func (f *Surface) generate(w, h int) image.Image {
	if w <= 0 || h <= 0 {
		return image.NewRGBA(image.Rect(0, 0, 1, 1))
	}
	if size := f.raster.Size(); size.Width > 1 {
		f.scale = float32(w) / size.Width
	}
	w, h = OnScreen(f.widget, w, h)
	if f.img == nil || f.img.Rect.Dx() != w || f.img.Rect.Dy() != h {
		f.img = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	f.style.Atlas.ThemeChanged()
	f.paint(f.style.NewCanvas(f.img, f.scale, ThemeColors(f.widget)))
	return f.img
}
