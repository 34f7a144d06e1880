// Package field is the one-line entry of Assay: shortcuts reach the window and function keys its host, and its owner
// hears of the keys that move in a list below it.
package field

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"assay/ui/host"
)

// Field is the widget.
type Field struct {
	widget.Entry
	host  host.Host
	shift bool

	// OnKey is asked first about every key that is no text; true keeps it from the field.
	OnKey func(key *fyne.KeyEvent, shift bool) bool
	// OnFocus is told when the keyboard comes and goes.
	OnFocus func(focused bool)
}

// New makes a field with a text that says what belongs in it. The host gets the function keys and Escape.
func New(h host.Host, placeholder string) *Field {
	f := &Field{host: h}
	f.ExtendBaseWidget(f)
	f.PlaceHolder = placeholder
	f.Wrapping, f.Scroll = fyne.TextWrapOff, fyne.ScrollHorizontalOnly // a long text does not widen what is around
	return f
}

// KeyDown is called by Fyne.
func (f *Field) KeyDown(ev *fyne.KeyEvent) {
	if ev.Name == desktop.KeyShiftLeft || ev.Name == desktop.KeyShiftRight {
		f.shift = true
	}
	f.Entry.KeyDown(ev)
}

// KeyUp is called by Fyne.
func (f *Field) KeyUp(ev *fyne.KeyEvent) {
	if ev.Name == desktop.KeyShiftLeft || ev.Name == desktop.KeyShiftRight {
		f.shift = false
	}
	f.Entry.KeyUp(ev)
}

// TypedKey is called by Fyne.
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

// TypedShortcut is called by Fyne. What an entry does not use goes to the window.
func (f *Field) TypedShortcut(s fyne.Shortcut) {
	editing := []fyne.KeyName{fyne.KeyLeft, fyne.KeyRight, fyne.KeyBackspace, fyne.KeyDelete}
	if custom, ok := s.(*desktop.CustomShortcut); !ok || slices.Contains(editing, custom.KeyName) {
		f.Entry.TypedShortcut(s)
		return
	}
	if c, ok := fyne.CurrentApp().Driver().CanvasForObject(f).(fyne.Shortcutable); ok {
		c.TypedShortcut(s)
	}
}

// FocusGained is called by Fyne.
func (f *Field) FocusGained() {
	f.Entry.FocusGained()
	if f.OnFocus != nil {
		f.OnFocus(true)
	}
}

// FocusLost is called by Fyne.
func (f *Field) FocusLost() {
	f.shift = false
	f.Entry.FocusLost()
	if f.OnFocus != nil {
		f.OnFocus(false)
	}
}

// Focus returns the field the keyboard, with its text selected. beside is an object of the same window: a field that
// was never painted does not know its own.
func (f *Field) Focus(beside fyne.CanvasObject) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(beside); c != nil {
		c.Focus(f)
		f.Entry.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}
