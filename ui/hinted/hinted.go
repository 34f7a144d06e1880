package doc

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// hintedButton is an icon that says what it does while the pointer is over it.
type hintedButton struct {
	widget.Button
	says string
	hint func(text string)
}

func newHintedButton(icon fyne.Resource, says string, hint func(text string), do func()) *hintedButton {
	b := &hintedButton{says: says, hint: hint}
	b.Icon, b.OnTapped, b.Importance = icon, do, widget.LowImportance
	b.ExtendBaseWidget(b)
	return b
}

// MouseIn is called by Fyne.
func (b *hintedButton) MouseIn(ev *desktop.MouseEvent) {
	b.Button.MouseIn(ev)
	b.hint(b.says)
}

// MouseOut is called by Fyne.
func (b *hintedButton) MouseOut() {
	b.Button.MouseOut()
	b.hint("")
}

// hintedCheck is a switch with a short name that says what it means while the pointer is over it.
type hintedCheck struct {
	widget.Check
	says string
	hint func(text string)
}

func newHintedCheck(name, says string, hint func(text string)) *hintedCheck {
	c := &hintedCheck{says: says, hint: hint}
	c.Text = name
	c.ExtendBaseWidget(c)
	return c
}

// MouseIn is called by Fyne.
func (c *hintedCheck) MouseIn(ev *desktop.MouseEvent) {
	c.Check.MouseIn(ev)
	c.hint(c.says)
}

// MouseOut is called by Fyne.
func (c *hintedCheck) MouseOut() {
	c.Check.MouseOut()
	c.hint("")
}
