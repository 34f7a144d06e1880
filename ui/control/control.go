// Package control contains the controls of the toolkit (choices, switches, sliders, buttons, fields), which pass keys
// that they do not use to their host: Escape in any of them closes the dialog, and F11 works. Small controls show a
// hint while the pointer is over them.
//
// Filter is the field above a list, with completions below it. Maximizer maximizes a part over the window, and
// BusyIndicator is a progress bar.
package control

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Keys handles a key, and reports whether it did.
type Keys func(ev *fyne.KeyEvent, shift bool) bool

// handleKey passes a key to handle if its name is among names, else to keys, which may be nil.
func handleKey(ev *fyne.KeyEvent, handle func(ev *fyne.KeyEvent), keys Keys, names ...fyne.KeyName) {
	if slices.Contains(names, ev.Name) {
		handle(ev)
	} else if keys != nil {
		keys(ev, false)
	}
}

// Select is a list of choices.
type Select struct {
	widget.Select
	keys Keys
}

// NewSelect returns a list of choices.
func NewSelect(keys Keys, options []string, changed func(string)) *Select {
	s := &Select{keys: keys}
	s.Options, s.OnChanged = options, changed
	s.ExtendBaseWidget(s)
	return s
}

// TypedKey uses the keys of the control and leaves the others.
func (s *Select) TypedKey(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeySpace, fyne.KeyUp, fyne.KeyDown:
		s.Select.TypedKey(ev)
		s.highlightCurrent()
	default:
		handleKey(ev, s.Select.TypedKey, s.keys, fyne.KeyLeft, fyne.KeyRight)
	}
}

// Tapped opens the list.
func (s *Select) Tapped(ev *fyne.PointEvent) {
	s.Select.Tapped(ev)
	s.highlightCurrent()
}

// highlightCurrent highlights the current choice in the open list, so that keys move from it.
func (s *Select) highlightCurrent() {
	c := fyne.CurrentApp().Driver().CanvasForObject(s)
	if c == nil {
		return
	}
	if menu, ok := c.Focused().(*widget.PopUpMenu); ok {
		for range s.SelectedIndex() + 1 {
			menu.ActivateNext()
		}
	}
}

// Focused reports whether the list has the keyboard focus, as after the user chose from it.
func (s *Select) Focused() bool {
	c := fyne.CurrentApp().Driver().CanvasForObject(s)
	return c != nil && c.Focused() == fyne.Focusable(s)
}

// Check is a switch.
type Check struct {
	widget.Check
	keys Keys
	hint hint
}

// NewCheck returns a switch.
func NewCheck(keys Keys, label string, changed func(bool)) *Check {
	c := &Check{keys: keys}
	c.Text, c.OnChanged = label, changed
	c.ExtendBaseWidget(c)
	return c
}

// TypedKey uses the keys of the control and leaves the others.
func (c *Check) TypedKey(ev *fyne.KeyEvent) { handleKey(ev, c.Check.TypedKey, c.keys, fyne.KeySpace) }

// Slider is a slider that passes keys that it does not use to its host.
type Slider struct {
	widget.Slider
	keys Keys
}

// NewSlider returns a slider in [from, to].
func NewSlider(keys Keys, from, to float64) *Slider {
	s := &Slider{keys: keys}
	s.Min, s.Max, s.Step, s.Orientation = from, to, 1, widget.Horizontal
	s.ExtendBaseWidget(s)
	return s
}

// TypedKey uses the keys of the control and leaves the others.
func (s *Slider) TypedKey(ev *fyne.KeyEvent) {
	handleKey(ev, s.Slider.TypedKey, s.keys, fyne.KeyUp, fyne.KeyDown, fyne.KeyLeft, fyne.KeyRight)
}

// CreateRenderer returns the renderer of the toolkit, with a track that is visible also where it is not filled.
func (s *Slider) CreateRenderer() fyne.WidgetRenderer {
	r := &sliderRenderer{s.Slider.CreateRenderer()}
	r.Refresh()
	return r
}

type sliderRenderer struct{ fyne.WidgetRenderer }

// Refresh draws the slider in the colors of the theme. The toolkit's track has the background color of inputs, as a
// pane has.
func (r *sliderRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	if track, ok := r.Objects()[0].(*canvas.Rectangle); ok {
		track.FillColor = theme.Color(theme.ColorNamePlaceHolder)
		track.Refresh()
	}
}

// Button is a button that passes keys that it does not use to its host.
type Button struct {
	widget.Button
	keys Keys
	hint hint
}

// NewButton returns a button. The keys and the icon may be nil.
func NewButton(keys Keys, label string, icon fyne.Resource, do func()) *Button {
	b := &Button{keys: keys}
	b.Text, b.Icon, b.OnTapped = label, icon, do
	b.ExtendBaseWidget(b)
	return b
}

// NewIcon returns a small button with an icon, which may be nil, and a hint.
func NewIcon(h Host, icon fyne.Resource, text string, do func()) *Button {
	return NewTool(h, icon, func() string { return text }, do)
}

// NewTool is NewIcon with a hint that is computed each time it is shown, because the shortcut in it may change.
func NewTool(h Host, icon fyne.Resource, text func() string, do func()) *Button {
	b := NewButton(h.Key, "", icon, do)
	b.Importance, b.hint = widget.LowImportance, hint{text, h.ShowHint}
	return b
}

// TypedKey uses Space and Enter: Enter presses the button as Space does.
func (b *Button) TypedKey(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		b.Tapped(nil)
	default:
		handleKey(ev, b.Button.TypedKey, b.keys, fyne.KeySpace)
	}
}

// BusyIndicator is a progress bar with a Cancel button.
type BusyIndicator struct {
	bar     *widget.ProgressBarInfinite
	content fyne.CanvasObject
}

// NewBusyIndicator returns a progress bar below a text that names the task. cancel is called when the user presses
// Cancel.
func NewBusyIndicator(text string, cancel func()) *BusyIndicator {
	b := &BusyIndicator{bar: widget.NewProgressBarInfinite()}
	b.content = container.NewCenter(container.NewVBox(
		widget.NewLabelWithStyle(text, fyne.TextAlignCenter, fyne.TextStyle{}),
		container.NewGridWrap(fyne.NewSize(320, 8), b.bar),
		container.NewCenter(NewButton(nil, "Cancel", nil, cancel))))
	return b
}

// Content returns the object to add to the window.
func (b *BusyIndicator) Content() fyne.CanvasObject { return b.content }

// End stops the animation: a moving bar repaints the whole window 60 times a second, even if it is hidden.
func (b *BusyIndicator) End() {
	if b != nil {
		b.bar.Stop()
	}
}

// ViewMode is a mode to compare two pictures or two scenes; its value is its title. Viewers and comparisons share the
// modes.
type ViewMode string

// The modes. Swipe shows both sides of a line that can be dragged, Overlay one over the other, and Blink one after the
// other.
const (
	SideBySide ViewMode = "Side by Side"
	Swipe      ViewMode = "Swipe"
	Overlay    ViewMode = "Overlay"
	Blink      ViewMode = "Blink"
	Difference ViewMode = "Difference"
)

// ViewModeNames returns the titles of all modes.
func ViewModeNames() []string {
	return []string{string(SideBySide), string(Swipe), string(Overlay), string(Blink), string(Difference)}
}

// Caption is a dim line of text. While the pointer is over a truncated caption, a hint displays its full text.
type Caption struct {
	widget.Label
	showHint  func(text string)
	showsHint bool
}

var _ desktop.Hoverable = (*Caption)(nil)

// NewCaption returns an empty caption.
func NewCaption(showHint func(text string)) *Caption {
	c := &Caption{showHint: showHint}
	c.Importance, c.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	c.ExtendBaseWidget(c)
	return c
}

// MouseIn displays the full text if it is cut.
func (c *Caption) MouseIn(*desktop.MouseEvent) {
	size := theme.TextSize()
	if c.SizeName != "" {
		size = theme.Size(c.SizeName)
	}
	if fyne.MeasureText(c.Text, size, c.TextStyle).Width > c.Size().Width-2*theme.InnerPadding() {
		c.showsHint = true
		c.showHint(c.Text)
	}
}

// MouseMoved does nothing.
func (c *Caption) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *Caption) MouseOut() {
	if c.showsHint {
		c.showsHint = false
		c.showHint("")
	}
}

// Host is the parent of a control.
type Host interface {
	// Key handles a key, and reports whether it did.
	Key(ev *fyne.KeyEvent, shift bool) bool
	// ShowHint displays a hint; an empty text clears it.
	ShowHint(text string)
}

// hint is the hint of a control while the pointer is over it.
type hint struct {
	text    func() string
	display func(text string) // may be nil
}

func (h hint) show() {
	if h.display != nil {
		h.display(h.text())
	}
}

func (h hint) clear() {
	if h.display != nil {
		h.display("")
	}
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

// SetHint sets the hint of the switch. display displays it; an empty text clears it.
func (c *Check) SetHint(text string, display func(text string)) *Check {
	c.hint = hint{func() string { return text }, display}
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

// Hover tracks the part of a widget that the pointer is over. The widget embeds it.
type Hover struct {
	Hovered int // index of the part, or -1
	partAt  func(ev *desktop.MouseEvent) int
	refresh func()
}

// NewHover returns the state of a widget without the pointer. partAt returns the index of the part at the pointer, or
// -1; refresh draws the widget.
func NewHover(partAt func(ev *desktop.MouseEvent) int, refresh func()) Hover {
	return Hover{-1, partAt, refresh}
}

// MouseIn implements desktop.Hoverable.
func (h *Hover) MouseIn(ev *desktop.MouseEvent) { h.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (h *Hover) MouseMoved(ev *desktop.MouseEvent) {
	if part := h.partAt(ev); part != h.Hovered {
		h.Hovered = part
		h.refresh()
	}
}

// MouseOut implements desktop.Hoverable.
func (h *Hover) MouseOut() {
	h.Hovered = -1
	h.refresh()
}
