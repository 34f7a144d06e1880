package control

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/ui/command"
	"assay/ui/host"
	"assay/ui/paint"
)

// Maximizer displays a part in its container, or maximized over the window until its key or Escape is pressed.
type Maximizer struct {
	part      fyne.CanvasObject
	container *fyne.Container
	keys      *command.Keys
	maximized *maximized // nil: the part is in its container
	// OnChange is called after the part was maximized or restored.
	OnChange func()
}

// NewMaximizer returns a maximizer with the part in its container.
func NewMaximizer(part fyne.CanvasObject, keys *command.Keys) *Maximizer {
	return &Maximizer{part: part, container: container.NewStack(part), keys: keys}
}

// Content returns the container of the part.
func (c *Maximizer) Content() fyne.CanvasObject { return c.container }

// IsMaximized reports whether the part is over the window.
func (c *Maximizer) IsMaximized() bool { return c.maximized != nil }

// Toggle maximizes the part over the window, or restores it.
func (c *Maximizer) Toggle() {
	if c.maximized != nil {
		c.Close()
		return
	}
	canvas := fyne.CurrentApp().Driver().CanvasForObject(c.container)
	if canvas == nil {
		return
	}
	focused := canvas.Focused()
	c.container.Objects = nil
	c.container.Refresh()
	c.maximized = &maximized{maximizer: c, canvas: canvas, notices: host.NewBar()}
	c.maximized.ExtendBaseWidget(c.maximized)
	canvas.Overlays().Add(c.maximized)
	c.maximized.Resize(canvas.Size())
	canvas.Focus(c.maximized)
	if focused != nil {
		canvas.Focus(focused) // a focused object in the part keeps the focus
	}
	c.changed()
}

// Close restores the part to its container.
func (c *Maximizer) Close() {
	if c.maximized == nil {
		return
	}
	canvas, focused := c.maximized.canvas, c.maximized.canvas.Focused()
	inPart := focused != nil && focused != fyne.Focusable(c.maximized)
	canvas.Overlays().Remove(c.maximized)
	c.maximized = nil
	c.container.Objects = []fyne.CanvasObject{c.part}
	c.container.Refresh()
	if inPart {
		canvas.Focus(focused)
	}
	c.changed()
}

func (c *Maximizer) changed() {
	if c.OnChange != nil {
		c.OnChange()
	}
}

// Key handles Escape, which closes the latest notice or restores the part, and the key of Full Window, which restores
// the part. It reports whether it used the key.
func (c *Maximizer) Key(k *fyne.KeyEvent) bool {
	full := c.keys.Has(command.FullWindow, command.KeyOf(k, false))
	if c.maximized == nil || !full && k.Name != fyne.KeyEscape {
		return false
	}
	if full || !c.maximized.notices.CloseLatest() {
		c.Close()
	}
	return true
}

// NotifyMaximized shows a notice over a maximized part, and reports whether there is one.
func NotifyMaximized(c fyne.Canvas, n host.Notice) bool {
	for _, o := range c.Overlays().List() {
		if o, ok := o.(*maximized); ok {
			o.notices.SetOwner(n.Owner)
			o.notices.Show(n)
			return true
		}
	}
	return false
}

// maximized is the overlay with the part.
type maximized struct {
	widget.BaseWidget
	maximizer *Maximizer
	canvas    fyne.Canvas
	notices   *host.Bar // replaces the notices of the window, which it covers
}

var _ fyne.Focusable = (*maximized)(nil)

func (o *maximized) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(
		container.NewStack(paint.NewBackdrop(theme.ColorNameBackground),
			container.NewBorder(o.notices.Content(), nil, nil, nil, o.maximizer.part)))
}

func (o *maximized) TypedKey(k *fyne.KeyEvent) { o.maximizer.Key(k) }

// TypedRune does nothing.
func (o *maximized) TypedRune(rune) {}

// FocusGained does nothing.
func (o *maximized) FocusGained() {}

// FocusLost does nothing.
func (o *maximized) FocusLost() {}
