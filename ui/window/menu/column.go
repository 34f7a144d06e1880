package menu

import (
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// column is one menu that is open.
type column struct {
	layer  *layer
	parent *row // that it was opened from; nil for the first one
	rows   []*row
	active *row
	checks bool // some items are checked: there is room for that
	arrows bool // some items have a menu

	scroll *container.Scroll
	box    *fyne.Container
}

func newColumn(l *layer, m *fyne.Menu, parent *row) *column {
	c := &column{layer: l, parent: parent}
	var names []string
	for _, item := range m.Items {
		c.checks = c.checks || item.Checked
		c.arrows = c.arrows || item.ChildMenu != nil
		if !item.IsSeparator {
			names = append(names, item.Label)
		}
	}
	list := container.New(layout.NewCustomPaddedVBoxLayout(0))
	at := letters(names)
	for _, item := range m.Items {
		if item.IsSeparator {
			list.Add(container.NewPadded(widget.NewSeparator()))
			continue
		}
		r := newRow(c, item, at[len(c.rows)])
		c.rows = append(c.rows, r)
		list.Add(r)
	}
	c.scroll = container.NewVScroll(list)
	ground := canvas.NewRectangle(theme.Color(theme.ColorNameMenuBackground))
	ground.CornerRadius = theme.Size(theme.SizeNameMenuRadius)
	ground.StrokeColor, ground.StrokeWidth = theme.Color(theme.ColorNameInputBorder), 1
	c.box = container.NewStack(ground, container.NewPadded(c.scroll))
	return c
}

// size is the room that the column takes when nothing is cut.
func (c *column) size() fyne.Size {
	return c.scroll.Content.MinSize().AddWidthHeight(2*theme.Padding(), 2*theme.Padding())
}

// activate makes a row the active one; nil: none.
func (c *column) activate(r *row) {
	if c.active == r {
		return
	}
	before := c.active
	c.active = r
	for _, changed := range []*row{before, r} {
		if changed != nil {
			changed.Refresh()
		}
	}
	if r != nil {
		c.reveal(r)
	}
}

// reveal scrolls a row into view.
func (c *column) reveal(r *row) {
	top, bottom := r.Position().Y, r.Position().Y+r.Size().Height
	switch at, high := c.scroll.Offset.Y, c.scroll.Size().Height; {
	case top < at:
		c.scroll.ScrollToOffset(fyne.NewPos(0, top))
	case bottom > at+high:
		c.scroll.ScrollToOffset(fyne.NewPos(0, bottom-high))
	}
}

// step makes the next row active that can be chosen, or the one before; past the end it begins again.
func (c *column) step(by int) {
	n, at := len(c.rows), -1
	if by < 0 {
		at = n
	}
	for i, r := range c.rows {
		if r == c.active {
			at = i
		}
	}
	for range n {
		at = (at + by + n) % n
		if c.rows[at].can() {
			c.activate(c.rows[at])
			return
		}
	}
}

// letter is the row that a letter chooses; nil if there is none.
func (c *column) letter(r rune) *row {
	for _, row := range c.rows {
		if row.can() && letterAt(row.item.Label, row.label.at) == unicode.ToLower(r) {
			return row
		}
	}
	return nil
}
