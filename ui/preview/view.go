package preview

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// view shows a picture as large as it fits, and says how it is dragged, scrolled and double-clicked.
type view struct {
	widget.BaseWidget
	picture *canvas.Image
	shows   bool
	size    fyne.Size

	onTurn  func(by fyne.Delta)
	onZoom  func(by float32)
	onReset func()
	onSize  func()
}

var (
	_ fyne.Draggable      = (*view)(nil)
	_ fyne.Scrollable     = (*view)(nil)
	_ fyne.DoubleTappable = (*view)(nil)
	_ desktop.Cursorable  = (*view)(nil)
)

func newView() *view {
	v := &view{picture: canvas.NewImageFromImage(nothing())}
	v.picture.FillMode = canvas.ImageFillContain
	v.ExtendBaseWidget(v)
	return v
}

// SetPicture shows a picture, or nothing. Small pictures show their pixels. The image is never hidden: the toolkit does
// not know the window of what was hidden at the first frame, and would not paint it when it changes.
func (v *view) SetPicture(p image.Image) {
	v.shows = p != nil
	if !v.shows {
		p = nothing()
	}
	v.picture.Image = p
	v.picture.ScaleMode = canvas.ImageScaleSmooth
	if size := v.Pixels(); v.shows && p.Bounds().Dx()*2 < size.X && p.Bounds().Dy()*2 < size.Y {
		v.picture.ScaleMode = canvas.ImageScalePixels
	}
	v.picture.Refresh()
}

// Shows reports whether there is a picture.
func (v *view) Shows() bool { return v.shows }

// nothing is a picture without a mark: an image without any is an error to the toolkit.
func nothing() image.Image { return image.NewNRGBA(image.Rect(0, 0, 1, 1)) }

// Pixels is the view's size on the screen.
func (v *view) Pixels() image.Point {
	scale := float32(1)
	if c := fyne.CurrentApp().Driver().CanvasForObject(v); c != nil {
		scale = c.Scale()
	}
	return image.Pt(int(v.size.Width*scale), int(v.size.Height*scale))
}

func (v *view) Resize(size fyne.Size) {
	v.BaseWidget.Resize(size)
	if size != v.size {
		v.size = size
		v.onSize()
	}
}

func (v *view) MinSize() fyne.Size { return fyne.NewSize(60, 60) }

func (v *view) Dragged(e *fyne.DragEvent) { v.onTurn(e.Dragged) }

func (v *view) DragEnd() {}

func (v *view) Scrolled(e *fyne.ScrollEvent) { v.onZoom(e.Scrolled.DY) }

func (v *view) DoubleTapped(*fyne.PointEvent) { v.onReset() }

func (v *view) Cursor() desktop.Cursor { return desktop.DefaultCursor }

func (v *view) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(v.picture) }
