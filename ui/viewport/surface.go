package viewport

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model/render"
	"assay/ui/command"
	"assay/ui/host"
	"assay/ui/paint"
)

// surface displays the drawn picture of a viewport, and handles the pointer and the keys.
type surface struct {
	widget.BaseWidget
	viewport *Viewport
	raster   *canvas.Raster
	picture  image.Image
	labels   []*tag
	labeled  int  // number of displayed labels
	tag      *tag // label beside the pointer
	rate     *tag // label with the rate of frames, in a corner
	size     fyne.Size
	button   desktop.MouseButton
	shift    bool
	alt      host.Alt
	pointer  fyne.Position
	hovered  bool // the pointer is over the picture
}

var (
	_ fyne.Draggable         = (*surface)(nil)
	_ fyne.Scrollable        = (*surface)(nil)
	_ fyne.Tappable          = (*surface)(nil)
	_ fyne.DoubleTappable    = (*surface)(nil)
	_ fyne.SecondaryTappable = (*surface)(nil)
	_ fyne.Focusable         = (*surface)(nil)
	_ desktop.Keyable        = (*surface)(nil)
	_ desktop.Mouseable      = (*surface)(nil)
	_ desktop.Hoverable      = (*surface)(nil)
	_ desktop.Cursorable     = (*surface)(nil)
)

func newSurface(v *Viewport) *surface {
	s := &surface{viewport: v, picture: emptyPicture(), tag: newTag(), rate: newTag()}
	s.raster = canvas.NewRaster(s.rasterOf)
	s.raster.ScaleMode = canvas.ImageScaleSmooth
	s.ExtendBaseWidget(s)
	return s
}

// name displays a text beside the pointer, which is at a position; an empty text removes it.
func (s *surface) name(text string, pos fyne.Position) {
	if text == s.tag.visibleText() && text == "" {
		return
	}
	s.tag.showBeside(text, pos, s.size)
	canvas.Refresh(s)
}

// setRate displays the frame rate in a corner; an empty text removes it.
func (s *surface) setRate(text string) {
	if text == s.rate.visibleText() {
		return
	}
	if s.rate.hide(); text != "" {
		s.rate.set(text, fyne.NewPos(legendDistance, legendDistance), nil)
	}
	canvas.Refresh(s)
}

// scale returns the pixels per device-independent pixel.
func (s *surface) scale() float32 {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		return paint.Scale(c)
	}
	return 1
}

// pixels returns the size on the screen.
func (s *surface) pixels() image.Point {
	scale := s.scale()
	return image.Pt(paint.ScreenPixels(s, int(s.size.Width*scale), int(s.size.Height*scale)))
}

func (s *surface) pixel(p fyne.Position) image.Point {
	scale := s.scale()
	return image.Pt(int(p.X*scale), int(p.Y*scale))
}

func (s *surface) Resize(size fyne.Size) {
	s.BaseWidget.Resize(size)
	if size != s.size {
		s.size = size
		s.viewport.resized()
	}
}

func (s *surface) MinSize() fyne.Size { return fyne.NewSize(60, 60) }

func (s *surface) Dragged(e *fyne.DragEvent) {
	s.pointer = e.Position
	s.name("", fyne.Position{})
	if s.viewport.dragDivider(e) {
		return
	}
	if s.shift || s.button == desktop.MouseButtonTertiary || s.button == desktop.MouseButtonSecondary {
		s.viewport.pan(e.Dragged)
		return
	}
	s.viewport.rotate(e.Dragged)
}

func (s *surface) DragEnd() {
	s.viewport.dropDivider()
	s.viewport.redraw(true)
}

func (s *surface) Scrolled(e *fyne.ScrollEvent) { s.viewport.zoom(e.Scrolled.DY) }

func (s *surface) Tapped(e *fyne.PointEvent) { s.viewport.tap(s.pixel(e.Position)) }

func (s *surface) DoubleTapped(e *fyne.PointEvent) {
	s.Tapped(e)
	s.viewport.FrameSelection()
}

func (s *surface) TappedSecondary(e *fyne.PointEvent) {
	s.Tapped(e)
	s.viewport.openMenu(e.AbsolutePosition)
}

func (s *surface) MouseDown(e *desktop.MouseEvent) {
	s.button, s.shift = e.Button, e.Modifier&fyne.KeyModifierShift != 0
	s.focus()
}

// focus takes the keyboard.
func (s *surface) focus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		c.Focus(s)
	}
}

func (s *surface) MouseUp(*desktop.MouseEvent) { s.button, s.shift = 0, false }

func (s *surface) MouseIn(e *desktop.MouseEvent) { s.MouseMoved(e) }

func (s *surface) MouseMoved(e *desktop.MouseEvent) {
	s.pointer, s.hovered = e.Position, true
	s.viewport.hover(e.Position)
}

func (s *surface) MouseOut() {
	s.hovered = false
	s.name("", fyne.Position{})
}

func (s *surface) FocusGained() {}

func (s *surface) FocusLost() { s.alt.FocusLost(s.viewport.host) }

func (s *surface) KeyDown(k *fyne.KeyEvent) { s.alt.Down(s.viewport.host, k) }

func (s *surface) KeyUp(k *fyne.KeyEvent) { s.alt.Up(s.viewport.host, k) }

func (s *surface) TypedKey(k *fyne.KeyEvent) { s.viewport.key(k) }

func (s *surface) TypedRune(r rune) { s.viewport.rune(r) }

func (s *surface) Cursor() desktop.Cursor {
	if s.viewport.isAtDivider(s.pointer) {
		return desktop.HResizeCursor
	}
	return desktop.DefaultCursor
}

func (s *surface) CreateRenderer() fyne.WidgetRenderer { return &surfaceRenderer{s} }

// surfaceRenderer displays the picture, and the names over it.
type surfaceRenderer struct{ s *surface }

func (r *surfaceRenderer) Layout(size fyne.Size) { r.s.raster.Resize(size) }

func (r *surfaceRenderer) MinSize() fyne.Size { return r.s.MinSize() }

func (r *surfaceRenderer) Refresh() {
	r.s.viewport.followTheme()
	r.s.raster.Refresh()
}

func (r *surfaceRenderer) Objects() []fyne.CanvasObject {
	all := []fyne.CanvasObject{r.s.raster}
	for _, t := range r.s.labels {
		all = append(all, t.background, t.text)
	}
	return append(all, r.s.tag.background, r.s.tag.text, r.s.rate.background, r.s.rate.text)
}

func (r *surfaceRenderer) Destroy() {}

// background returns the color behind the model.
func (v *Viewport) background() color.NRGBA {
	if c, ok := backgroundColors[v.tools.background]; ok {
		return c
	}
	if v.model != nil && v.model.IsDark() {
		return render.LightBackground
	}
	r, g, b, _ := theme.Color(theme.ColorNameInputBackground).RGBA()
	return color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}
}

// resized draws for another size of the picture.
func (v *Viewport) resized() {
	if v.play.curves.fit(v.content.Size().Height) {
		v.content.Refresh() // the picture gets the remaining room
		return
	}
	v.refit()
	v.redraw(true)
}

// Background stores the color behind scenes, one of Backgrounds.
const Background = host.Setting[string]("scene.background")

// Backgrounds are the names of the colors that can be behind a scene; the first is the color of the theme.
var Backgrounds = []string{"Theme Color", "Black", "Gray", "White"}

var backgroundColors = map[string]color.NRGBA{"Black": {A: 255}, "Gray": {128, 128, 128, 255},
	"White": {255, 255, 255, 255}}

// SetBackground sets the color behind the scene, one of Backgrounds.
func (v *Viewport) SetBackground(name string) {
	v.tools.background = name
	v.redraw(false)
}

// key runs the command of a key, or passes the key to the host.
func (v *Viewport) key(k *fyne.KeyEvent) {
	key := command.KeyOf(k, false)
	switch {
	case command.IsHeld(fyne.KeyModifierShift) && v.commands.Press(command.KeyOf(k, true), v):
	case v.commands.Press(key, v):
	case v.commands.Keys.Has(command.FullWindow, key):
		v.toggleFull()
	case v.cover.Key(k):
	default:
		v.host.Key(k, false)
	}
}

// toggleFull expands the picture to the whole window, with its surroundings if the host supports that, or restores it.
func (v *Viewport) toggleFull() {
	full := v.commands.Keys.Of(command.FullWindow)
	if v.cover.IsMaximized() || len(full) == 0 || !v.host.Key(&fyne.KeyEvent{Name: full[0].Name}, false) {
		v.cover.Toggle()
	}
}

// rune runs the command of a character.
func (v *Viewport) rune(r rune) { v.commands.Press(command.KeyOfRune(r), v) }

// toggleNames switches the names of joints on, together with the skeleton, or off.
func (v *Viewport) toggleNames() {
	m := &v.view.Marks
	m.Names = !(m.Skeleton && m.Names)
	m.Skeleton = m.Skeleton || m.Names
	v.redraw(false)
}
