package control

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

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
