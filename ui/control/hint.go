package control

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

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
