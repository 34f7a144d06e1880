package control

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

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
