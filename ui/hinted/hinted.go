// Package hinted is small buttons and switches that say what they do while the pointer is over them.
package hinted

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Button is an icon, a word, or both.
type Button struct {
	widget.Button
	says string
	hint func(text string)
}

// NewButton makes an icon. hint shows what it says, and an empty text when the pointer has left.
func NewButton(icon fyne.Resource, says string, hint func(text string), do func()) *Button {
	b := &Button{says: says, hint: hint}
	b.Icon, b.OnTapped, b.Importance = icon, do, widget.LowImportance
	b.ExtendBaseWidget(b)
	return b
}

// MouseIn is called by Fyne.
func (b *Button) MouseIn(ev *desktop.MouseEvent) {
	b.Button.MouseIn(ev)
	b.hint(b.says)
}

// MouseOut is called by Fyne.
func (b *Button) MouseOut() {
	b.Button.MouseOut()
	b.hint("")
}

// Check is a switch with a short name.
type Check struct {
	widget.Check
	says string
	hint func(text string)
	keys func(ev *fyne.KeyEvent, shift bool) bool
}

// TypedKey is called by Fyne. A switch has no use for keys but Space, which comes as a rune.
func (c *Check) TypedKey(ev *fyne.KeyEvent) { c.keys(ev, false) }

// NewCheck makes a switch. keys does what a key means that it has no use for. hint shows what it says, and an empty
// text when the pointer has left.
func NewCheck(keys func(ev *fyne.KeyEvent, shift bool) bool, name, says string,
	hint func(text string)) *Check {
	c := &Check{says: says, hint: hint, keys: keys}
	c.Text = name
	c.ExtendBaseWidget(c)
	return c
}

// MouseIn is called by Fyne.
func (c *Check) MouseIn(ev *desktop.MouseEvent) {
	c.Check.MouseIn(ev)
	c.hint(c.says)
}

// MouseOut is called by Fyne.
func (c *Check) MouseOut() {
	c.Check.MouseOut()
	c.hint("")
}
