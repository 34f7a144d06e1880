// Package control is the toolkit's lists of choices, switches, sliders and buttons. They leave keys that they do not
// use to what they are in: with the keyboard at any of them, Escape closes the dialog, and F11 works. Small ones show a
// hint while the pointer is over them.
//
// It has the field above a list in which filters are typed, with what may be typed next below it.
package control

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Keys does what a key means, and reports whether it means anything.
type Keys func(ev *fyne.KeyEvent, shift bool) bool

// typed gives a key to a control if it is one of its own, else to what the control is in.
func typed(ev *fyne.KeyEvent, own func(ev *fyne.KeyEvent), keys Keys, names ...fyne.KeyName) {
	for _, n := range names {
		if ev.Name == n {
			own(ev)
			return
		}
	}
	keys(ev, false)
}

// Select is a list of choices.
type Select struct {
	widget.Select
	keys Keys
}

// NewSelect makes a list of choices.
func NewSelect(keys Keys, options []string, changed func(string)) *Select {
	s := &Select{keys: keys}
	s.Options, s.OnChanged = options, changed
	s.ExtendBaseWidget(s)
	return s
}

// TypedKey uses the keys of the control and leaves the others.
func (s *Select) TypedKey(ev *fyne.KeyEvent) {
	typed(ev, s.Select.TypedKey, s.keys, fyne.KeySpace, fyne.KeyUp, fyne.KeyDown, fyne.KeyLeft, fyne.KeyRight)
}

// Check is a switch.
type Check struct {
	widget.Check
	keys Keys
	hint hint
}

// NewCheck makes a switch.
func NewCheck(keys Keys, label string, changed func(bool)) *Check {
	c := &Check{keys: keys}
	c.Text, c.OnChanged = label, changed
	c.ExtendBaseWidget(c)
	return c
}

// TypedKey uses the keys of the control and leaves the others.
func (c *Check) TypedKey(ev *fyne.KeyEvent) { typed(ev, c.Check.TypedKey, c.keys, fyne.KeySpace) }

// Slider is a slider.
type Slider struct {
	widget.Slider
	keys Keys
}

// NewSlider makes a slider from one value to another.
func NewSlider(keys Keys, from, to float64) *Slider {
	s := &Slider{keys: keys}
	s.Min, s.Max, s.Step, s.Orientation = from, to, 1, widget.Horizontal
	s.ExtendBaseWidget(s)
	return s
}

// TypedKey uses the keys of the control and leaves the others.
func (s *Slider) TypedKey(ev *fyne.KeyEvent) {
	typed(ev, s.Slider.TypedKey, s.keys, fyne.KeyUp, fyne.KeyDown, fyne.KeyLeft, fyne.KeyRight)
}

// CreateRenderer makes the renderer of the toolkit, with a track that is seen where it is not filled.
func (s *Slider) CreateRenderer() fyne.WidgetRenderer {
	r := &sliderRenderer{s.Slider.CreateRenderer()}
	r.Refresh()
	return r
}

// sliderRenderer draws a slider.
type sliderRenderer struct{ fyne.WidgetRenderer }

// Refresh draws the slider in the colors of the theme. The toolkit's own track has the color of the ground of inputs,
// which is that of a pane.
func (r *sliderRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	if track, ok := r.Objects()[0].(*canvas.Rectangle); ok {
		track.FillColor = theme.Color(theme.ColorNamePlaceHolder)
		track.Refresh()
	}
}

// Button is a button.
type Button struct {
	widget.Button
	keys Keys
	hint hint
}

// NewButton makes a button. The icon may be nil.
func NewButton(keys Keys, label string, icon fyne.Resource, do func()) *Button {
	b := &Button{keys: keys}
	b.Text, b.Icon, b.OnTapped = label, icon, do
	b.ExtendBaseWidget(b)
	return b
}

// TypedKey uses Space and Enter: Enter presses the button as Space does.
func (b *Button) TypedKey(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		b.Tapped(nil)
	default:
		typed(ev, b.Button.TypedKey, b.keys, fyne.KeySpace)
	}
}

// Waiting is what is seen while something takes long.
type Waiting struct {
	bar     *widget.ProgressBarInfinite
	content fyne.CanvasObject
}

// NewWaiting makes one that says what takes long. cancel is called when the user ends it.
func NewWaiting(text string, cancel func()) *Waiting {
	w := &Waiting{bar: widget.NewProgressBarInfinite()}
	w.content = container.NewCenter(container.NewVBox(
		widget.NewLabelWithStyle(text, fyne.TextAlignCenter, fyne.TextStyle{}),
		container.NewGridWrap(fyne.NewSize(320, 8), w.bar),
		container.NewCenter(widget.NewButton("Cancel", cancel))))
	return w
}

// Content is what goes into the window.
func (w *Waiting) Content() fyne.CanvasObject { return w.content }

// End has it stand still. One that moves has the whole window painted 60 times a second even when it is not shown any
// more.
func (w *Waiting) End() {
	if w != nil {
		w.bar.Stop()
	}
}

// Way is a way to look at two pictures or two scenes, by its name in the window: viewers and comparisons share them.
type Way string

// The ways. Swipe and Overlay show both things in one place, right and left of a line that can be dragged or one over
// the other; Blink shows one after the other.
const (
	SideBySide Way = "Side by Side"
	Swipe      Way = "Swipe"
	Overlay    Way = "Overlay"
	Blink      Way = "Blink"
	Difference Way = "Difference"
)

// WayNames are the names of all ways.
func WayNames() []string {
	return []string{string(SideBySide), string(Swipe), string(Overlay), string(Blink), string(Difference)}
}

// Caption is a dim line of text. Where there is not room for all of it, it is told whole while the pointer is over it.
type Caption struct {
	widget.Label
	tell func(text string)
	told bool
}

var _ desktop.Hoverable = (*Caption)(nil)

// NewCaption makes an empty line.
func NewCaption(tell func(text string)) *Caption {
	c := &Caption{tell: tell}
	c.Importance, c.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	c.ExtendBaseWidget(c)
	return c
}

// MouseIn tells a text that is cut.
func (c *Caption) MouseIn(*desktop.MouseEvent) {
	size := theme.TextSize()
	if c.SizeName != "" {
		size = theme.Size(c.SizeName)
	}
	if fyne.MeasureText(c.Text, size, c.TextStyle).Width > c.Size().Width-2*theme.InnerPadding() {
		c.told = true
		c.tell(c.Text)
	}
}

// MouseMoved does nothing.
func (c *Caption) MouseMoved(*desktop.MouseEvent) {}

// MouseOut ends what MouseIn began.
func (c *Caption) MouseOut() {
	if c.told {
		c.told = false
		c.tell("")
	}
}
