package control

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/ui/command"
	"assay/ui/host"
	"assay/ui/paint"
)

// Cover is where a part stands: in its place, or over the window, until its key or Escape is pressed.
type Cover struct {
	part   fyne.CanvasObject
	holder *fyne.Container
	keys   *command.Keys
	over   *over // nil: the part is in its place
	// OnChange is called after the part has another place.
	OnChange func()
}

// NewCover puts a part in its place.
func NewCover(part fyne.CanvasObject, keys *command.Keys) *Cover {
	return &Cover{part: part, holder: container.NewStack(part), keys: keys}
}

// Content is the place of the part.
func (c *Cover) Content() fyne.CanvasObject { return c.holder }

// Up reports whether the part is over the window.
func (c *Cover) Up() bool { return c.over != nil }

// Toggle shows the part over the window, or in its place again.
func (c *Cover) Toggle() {
	if c.over != nil {
		c.Close()
		return
	}
	canvas := fyne.CurrentApp().Driver().CanvasForObject(c.holder)
	if canvas == nil {
		return
	}
	focused := canvas.Focused()
	c.holder.Objects = nil
	c.holder.Refresh()
	c.over = &over{cover: c, canvas: canvas, notices: host.NewBar()}
	c.over.ExtendBaseWidget(c.over)
	canvas.Overlays().Add(c.over)
	c.over.Resize(canvas.Size())
	canvas.Focus(c.over)
	if focused != nil {
		canvas.Focus(focused) // if it is in the part, it keeps the keys
	}
	c.changed()
}

// Close shows the part in its place.
func (c *Cover) Close() {
	if c.over == nil {
		return
	}
	canvas, focused := c.over.canvas, c.over.canvas.Focused()
	inPart := focused != nil && focused != fyne.Focusable(c.over)
	canvas.Overlays().Remove(c.over)
	c.over = nil
	c.holder.Objects = []fyne.CanvasObject{c.part}
	c.holder.Refresh()
	if inPart {
		canvas.Focus(focused)
	}
	c.changed()
}

func (c *Cover) changed() {
	if c.OnChange != nil {
		c.OnChange()
	}
}

// Key ends what covers the window if the key does so, and reports whether it did.
func (c *Cover) Key(k *fyne.KeyEvent) bool {
	full := c.keys.Has(command.FullWindow, command.Typed(k, false))
	if c.over == nil || !full && k.Name != fyne.KeyEscape {
		return false
	}
	if full || !c.over.notices.CloseLatest() {
		c.Close()
	}
	return true
}

// NotifyCover shows a notice over what covers a window, and reports whether something does.
func NotifyCover(c fyne.Canvas, n host.Notice) bool {
	for _, o := range c.Overlays().List() {
		if o, ok := o.(*over); ok {
			o.notices.SetOf(n.Of)
			o.notices.Show(n)
			return true
		}
	}
	return false
}

// over lies over the window with the part.
type over struct {
	widget.BaseWidget
	cover   *Cover
	canvas  fyne.Canvas
	notices *host.Bar // those of the window cannot be seen
}

var _ fyne.Focusable = (*over)(nil)

// CreateRenderer returns what paints the widget.
func (o *over) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(
		container.NewStack(paint.NewBackdrop(theme.ColorNameBackground),
			container.NewBorder(o.notices.Content(), nil, nil, nil, o.cover.part)))
}

// TypedKey does what a key means.
func (o *over) TypedKey(k *fyne.KeyEvent) { o.cover.Key(k) }

// TypedRune does nothing.
func (o *over) TypedRune(rune) {}

// FocusGained does nothing.
func (o *over) FocusGained() {}

// FocusLost does nothing.
func (o *over) FocusLost() {}

// Host is what a control stands in.
type Host interface {
	// Key does what a key means, and reports whether it means anything.
	Key(ev *fyne.KeyEvent, shift bool) bool
	// Tell shows a short text; an empty text clears it.
	Tell(text string)
}

// hint is what a control says of itself while the pointer is over it.
type hint struct {
	text string
	tell func(text string) // nil: nothing is said
}

func (h hint) show() {
	if h.tell != nil {
		h.tell(h.text)
	}
}

func (h hint) clear() {
	if h.tell != nil {
		h.tell("")
	}
}

// NewIcon makes a small button of an icon, which may be nil, with a hint.
func NewIcon(h Host, icon fyne.Resource, says string, do func()) *Button {
	b := NewButton(h.Key, "", icon, do)
	b.Importance, b.hint = widget.LowImportance, hint{says, h.Tell}
	return b
}

// MouseIn shows the hint.
func (b *Button) MouseIn(ev *desktop.MouseEvent) {
	b.Button.MouseIn(ev)
	b.hint.show()
}

// MouseOut clears the hint.
func (b *Button) MouseOut() {
	b.Button.MouseOut()
	b.hint.clear()
}

// Hint gives the switch a hint, which tell shows; an empty text clears it.
func (c *Check) Hint(text string, tell func(text string)) *Check {
	c.hint = hint{text, tell}
	return c
}

// MouseIn shows the hint.
func (c *Check) MouseIn(ev *desktop.MouseEvent) {
	c.Check.MouseIn(ev)
	c.hint.show()
}

// MouseOut clears the hint.
func (c *Check) MouseOut() {
	c.Check.MouseOut()
	c.hint.clear()
}
