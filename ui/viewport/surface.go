package viewport

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// surface shows the drawn picture, and tells how it is dragged, scrolled and double-clicked.
type surface struct {
	widget.BaseWidget
	picture *canvas.Image
	size    fyne.Size

	onTurn  func(by fyne.Delta)
	onZoom  func(by float32)
	onReset func()
	onSize  func()
}

var (
	_ fyne.Draggable      = (*surface)(nil)
	_ fyne.Scrollable     = (*surface)(nil)
	_ fyne.DoubleTappable = (*surface)(nil)
	_ desktop.Cursorable  = (*surface)(nil)
)

func newSurface() *surface {
	s := &surface{picture: canvas.NewImageFromImage(nothing())}
	s.picture.FillMode = canvas.ImageFillContain
	s.ExtendBaseWidget(s)
	return s
}

// setPicture shows a picture; nil shows nothing. The image is never hidden: the toolkit does not know the window of what
// was hidden at the first frame, and would not paint it when it changes.
func (s *surface) setPicture(p image.Image) {
	if p == nil {
		p = nothing()
	}
	s.picture.Image = p
	s.picture.Refresh()
}

// nothing is a picture without a mark: an image without any is an error to the toolkit.
func nothing() image.Image { return image.NewNRGBA(image.Rect(0, 0, 1, 1)) }

// pixels is the size on the screen.
func (s *surface) pixels() image.Point {
	scale := float32(1)
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		scale = c.Scale()
	}
	return image.Pt(int(s.size.Width*scale), int(s.size.Height*scale))
}

func (s *surface) Resize(size fyne.Size) {
	s.BaseWidget.Resize(size)
	if size != s.size {
		s.size = size
		s.onSize()
	}
}

func (s *surface) MinSize() fyne.Size { return fyne.NewSize(60, 60) }

func (s *surface) Dragged(e *fyne.DragEvent) { s.onTurn(e.Dragged) }

func (s *surface) DragEnd() {}

func (s *surface) Scrolled(e *fyne.ScrollEvent) { s.onZoom(e.Scrolled.DY) }

func (s *surface) DoubleTapped(*fyne.PointEvent) { s.onReset() }

func (s *surface) Cursor() desktop.Cursor { return desktop.DefaultCursor }

func (s *surface) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(s.picture) }
