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
func (m *Maximizer) Content() fyne.CanvasObject { return m.container }

// IsMaximized reports whether the part is over the window.
func (m *Maximizer) IsMaximized() bool { return m.maximized != nil }

// Toggle maximizes the part over the window, or restores it.
func (m *Maximizer) Toggle() {
	if m.maximized != nil {
		m.Close()
		return
	}
	canvas := fyne.CurrentApp().Driver().CanvasForObject(m.container)
	if canvas == nil {
		return
	}
	focused := canvas.Focused()
	m.container.Objects = nil
	m.container.Refresh()
	m.maximized = &maximized{maximizer: m, canvas: canvas, notices: host.NewBar()}
	m.maximized.ExtendBaseWidget(m.maximized)
	canvas.Overlays().Add(m.maximized)
	m.maximized.Resize(canvas.Size())
	canvas.Focus(m.maximized)
	if focused != nil {
		canvas.Focus(focused) // a focused object in the part keeps the focus
	}
	m.changed()
}

// Close restores the part to its container.
func (m *Maximizer) Close() {
	if m.maximized == nil {
		return
	}
	canvas, focused := m.maximized.canvas, m.maximized.canvas.Focused()
	inPart := focused != nil && focused != fyne.Focusable(m.maximized)
	canvas.Overlays().Remove(m.maximized)
	m.maximized = nil
	m.container.Objects = []fyne.CanvasObject{m.part}
	m.container.Refresh()
	if inPart {
		canvas.Focus(focused)
	}
	m.changed()
}

func (m *Maximizer) changed() {
	if m.OnChange != nil {
		m.OnChange()
	}
}

// Key handles Escape, which closes the latest notice or restores the part, and the key of Full Window, which restores
// the part. It reports whether it used the key.
func (m *Maximizer) Key(k *fyne.KeyEvent) bool {
	full := m.keys.Has(command.FullWindow, command.KeyOf(k, false))
	if m.maximized == nil || !full && k.Name != fyne.KeyEscape {
		return false
	}
	if full || !m.maximized.notices.CloseLatest() {
		m.Close()
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

func (m *maximized) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(
		container.NewStack(paint.NewBackdrop(theme.ColorNameBackground),
			container.NewBorder(m.notices.Content(), nil, nil, nil, m.maximizer.part)))
}

func (m *maximized) TypedKey(k *fyne.KeyEvent) { m.maximizer.Key(k) }

// TypedRune does nothing.
func (m *maximized) TypedRune(rune) {}

// FocusGained does nothing.
func (m *maximized) FocusGained() {}

// FocusLost does nothing.
func (m *maximized) FocusLost() {}
