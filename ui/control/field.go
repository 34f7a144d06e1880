package control

import (
	"runtime"
	"slices"
	"sort"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/ui/host"
)

// Field is the one-line entry of Assay: shortcuts reach the window and function keys its host, and its owner gets the
// keys that move in a list below it.
type Field struct {
	widget.Entry
	host        host.Host
	shift       bool
	alt         host.Alt
	placeholder string // the whole placeholder; Entry.PlaceHolder may be truncated
	showsEnd    bool   // ShowEnd was called

	// OnKey gets every key first that is not text; true stops the field from using it.
	OnKey func(key *fyne.KeyEvent, shift bool) bool
	// OnShortcut gets every shortcut first; true stops the field from using it. It may be nil.
	OnShortcut func(s *desktop.CustomShortcut) bool
	// OnFocus is called when the field gets or loses the focus.
	OnFocus func(focused bool)
	// UsesTab reports whether Tab is passed to OnKey instead of moving the focus. It may be nil.
	UsesTab func() bool
}

// NewField returns a field with a placeholder. The host gets the function keys and Escape.
func NewField(h host.Host, placeholder string) *Field {
	f := &Field{host: h, placeholder: placeholder}
	f.ExtendBaseWidget(f)
	f.PlaceHolder = placeholder
	f.Wrapping, f.Scroll = fyne.TextWrapOff, fyne.ScrollHorizontalOnly // a long text does not widen the parent
	return f
}

// CreateRenderer implements fyne.Widget.
func (f *Field) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{WidgetRenderer: f.Entry.CreateRenderer()}
	r.clipScroll()
	return r
}

// FilterKeys sets the keys for the filter of a list. Escape clears it. Escape, Down and Enter call leave, which moves
// the focus to the list; toList is true for Down and Enter.
func (f *Field) FilterKeys(leave func(toList bool)) {
	f.OnKey = func(key *fyne.KeyEvent, _ bool) bool {
		switch key.Name {
		case fyne.KeyEscape:
			f.SetText("")
			leave(false)
		case fyne.KeyDown, fyne.KeyReturn, fyne.KeyEnter:
			leave(true)
		default:
			return false
		}
		return true
	}
}

// SetPlaceHolder sets the placeholder.
func (f *Field) SetPlaceHolder(text string) {
	f.placeholder = text
	f.fitPlaceholder()
}

// Resize changes the size.
func (f *Field) Resize(s fyne.Size) {
	widthChanged := s.Width != f.Size().Width
	f.Entry.Resize(s)
	f.fitPlaceholder()
	if f.showsEnd && widthChanged {
		f.ShowEnd()
	}
}

// ShowEnd scrolls a long text to its end, with the caret there.
func (f *Field) ShowEnd() {
	f.showsEnd = true
	f.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
}

// fitPlaceholder cuts the placeholder to the width of the field: the entry would scroll a longer one.
func (f *Field) fitPlaceholder() {
	width := f.Size().Width - 2*theme.InnerPadding() - 2*theme.InputBorderSize()
	if f.Icon != nil {
		width -= theme.IconInlineSize() + theme.InnerPadding()
	}
	if f.ActionItem != nil {
		width -= f.ActionItem.MinSize().Width
	}
	text := f.placeholder
	if f.Size().Width > 0 && TextWidth(text) > width {
		all := []rune(f.placeholder)
		n := sort.Search(len(all), func(n int) bool { return TextWidth(string(all[:n+1])+"…") > width })
		text = strings.TrimRight(string(all[:n]), " ") + "…"
	}
	if text != f.PlaceHolder {
		f.Entry.SetPlaceHolder(text)
	}
}

// TextWidth returns the width of a text in the default size, in device-independent pixels.
func TextWidth(text string) float32 {
	return fyne.MeasureText(text, theme.TextSize(), fyne.TextStyle{}).Width
}

// MouseIn displays a text that is longer than the field as a hint.
func (f *Field) MouseIn(*desktop.MouseEvent) {
	if f.isTruncated() {
		f.host.ShowHint(f.Text)
	}
}

// isTruncated reports whether the text is longer than the field.
func (f *Field) isTruncated() bool {
	return !f.MultiLine && TextWidth(f.Text) > f.Size().Width-2*theme.InnerPadding()
}

// MouseMoved does nothing.
func (f *Field) MouseMoved(*desktop.MouseEvent) {}

// MouseOut hides the hint.
func (f *Field) MouseOut() {
	if f.isTruncated() {
		f.host.ShowHint("")
	}
}

// KeyDown implements desktop.Keyable.
func (f *Field) KeyDown(ev *fyne.KeyEvent) {
	f.alt.Down(f.host, ev)
	if ev.Name == desktop.KeyShiftLeft || ev.Name == desktop.KeyShiftRight {
		f.shift = true
	}
	f.Entry.KeyDown(ev)
}

// KeyUp implements desktop.Keyable.
func (f *Field) KeyUp(ev *fyne.KeyEvent) {
	f.alt.Up(f.host, ev)
	if ev.Name == desktop.KeyShiftLeft || ev.Name == desktop.KeyShiftRight {
		f.shift = false
	}
	f.Entry.KeyUp(ev)
}

// TypedKey handles a key.
func (f *Field) TypedKey(ev *fyne.KeyEvent) {
	if f.OnKey != nil && f.OnKey(ev, f.shift) {
		return
	}
	function := len(ev.Name) > 1 && ev.Name[0] == 'F'
	if (function || ev.Name == fyne.KeyEscape) && f.host.Key(ev, f.shift) {
		return
	}
	f.Entry.TypedKey(ev)
}

// AcceptsTab reports whether Tab is passed to the field.
func (f *Field) AcceptsTab() bool { return f.UsesTab != nil && f.UsesTab() }

// TypedShortcut handles a shortcut, or passes one that an entry does not use to the window.
func (f *Field) TypedShortcut(s fyne.Shortcut) {
	custom, ok := s.(*desktop.CustomShortcut)
	if ok && f.OnShortcut != nil && f.OnShortcut(custom) {
		return
	}
	if !ok || isEntryShortcut(custom) {
		f.Entry.TypedShortcut(s)
		return
	}
	if c, ok := fyne.CurrentApp().Driver().CanvasForObject(f).(fyne.Shortcutable); ok {
		c.TypedShortcut(s)
	}
}

// isEntryShortcut reports whether a shortcut is an entry's, such as moving by words. Those with Alt are entry shortcuts
// only on a Mac.
func isEntryShortcut(s *desktop.CustomShortcut) bool {
	keys := []fyne.KeyName{fyne.KeyLeft, fyne.KeyRight, fyne.KeyBackspace, fyne.KeyDelete}
	return slices.Contains(keys, s.KeyName) && (s.Modifier&fyne.KeyModifierAlt == 0 || runtime.GOOS == "darwin")
}

// FocusGained implements fyne.Focusable.
func (f *Field) FocusGained() {
	f.host.SetOverlay(nil)
	f.Entry.FocusGained()
	if f.OnFocus != nil {
		f.OnFocus(true)
	}
}

// FocusLost implements fyne.Focusable.
func (f *Field) FocusLost() {
	f.alt.FocusLost(f.host)
	f.shift = false
	f.Entry.FocusLost()
	if f.OnFocus != nil {
		f.OnFocus(false)
	}
}

// Focus gives the field the keyboard focus and selects its text. neighbor is an object of the same window: a field that
// was never painted does not know its window yet.
func (f *Field) Focus(neighbor fyne.CanvasObject) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(neighbor); c != nil {
		c.Focus(f)
		f.Entry.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}

// Refocus gives the field the keyboard focus, with its caret where it was.
func (f *Field) Refocus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(f); c != nil {
		c.Focus(f)
	}
}

// renderer is the renderer of an entry without its scroll bar, which would be painted over a long line: the scroll
// container is made higher than its visible part.
type renderer struct {
	fyne.WidgetRenderer
	objects []fyne.CanvasObject
	scroll  fyne.CanvasObject
	clip    *container.Clip
}

// clipScroll finds the scroll container among the objects of the entry, and clips it to its upper part.
func (r *renderer) clipScroll() {
	for _, o := range r.WidgetRenderer.Objects() {
		if _, ok := o.(fyne.Scrollable); ok {
			r.scroll, r.clip = o, container.NewClip(container.NewWithoutLayout(o))
			o = r.clip
		}
		r.objects = append(r.objects, o)
	}
}

func (r *renderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *renderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	if r.scroll == nil {
		return
	}
	visible := r.scroll.Size()
	r.clip.Move(r.scroll.Position())
	r.clip.Resize(visible)
	r.scroll.Move(fyne.Position{})
	r.scroll.Resize(visible.AddWidthHeight(0, 2*theme.ScrollBarSize()))
}
