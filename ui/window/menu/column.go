package menu

import (
	"fmt"
	"image/color"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

type column struct {
	layer  *layer
	parent *row // opened this column; nil for the first one
	rows   []*row
	active *row
	checks bool // some items are checked, so that all labels are indented
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
	underlined := letters(names)
	for _, item := range m.Items {
		if item.IsSeparator {
			list.Add(container.NewPadded(widget.NewSeparator()))
			continue
		}
		r := newRow(c, item, underlined[len(c.rows)])
		c.rows = append(c.rows, r)
		list.Add(r)
	}
	c.scroll = container.NewVScroll(list)
	background := canvas.NewRectangle(theme.Color(theme.ColorNameMenuBackground))
	background.CornerRadius = theme.Size(theme.SizeNameMenuRadius)
	background.StrokeColor, background.StrokeWidth = theme.Color(theme.ColorNameInputBorder), 1
	c.box = container.NewStack(background, container.NewPadded(c.scroll))
	return c
}

// size returns the size of the whole column.
func (c *column) size() fyne.Size {
	return c.scroll.Content.MinSize().AddWidthHeight(2*theme.Padding(), 2*theme.Padding())
}

// activate makes r, which may be nil, the active row.
func (c *column) activate(r *row) {
	if c.active == r {
		return
	}
	previous := c.active
	c.active = r
	for _, changed := range []*row{previous, r} {
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
	switch offset, height := c.scroll.Offset.Y, c.scroll.Size().Height; {
	case top < offset:
		c.scroll.ScrollToOffset(fyne.NewPos(0, top))
	case bottom > offset+height:
		c.scroll.ScrollToOffset(fyne.NewPos(0, bottom-height))
	}
}

// step activates the next enabled row, or the previous one, and wraps around at the ends.
func (c *column) step(delta int) {
	n, index := len(c.rows), -1
	if delta < 0 {
		index = n
	}
	for i, r := range c.rows {
		if r == c.active {
			index = i
		}
	}
	for range n {
		index = (index + delta + n) % n
		if c.rows[index].isEnabled() {
			c.activate(c.rows[index])
			return
		}
	}
}

// letter returns the enabled row with the underlined letter r, or nil.
func (c *column) letter(r rune) *row {
	for _, row := range c.rows {
		if row.isEnabled() && letterAt(row.item.Label, row.label.underlined) == unicode.ToLower(r) {
			return row
		}
	}
	return nil
}

type row struct {
	widget.BaseWidget
	column    *column
	item      *fyne.MenuItem
	label     *label
	keys      *canvas.Text
	highlight *canvas.Rectangle
	check     *widget.Icon
	arrow     *widget.Icon
}

var (
	_ fyne.Tappable     = (*row)(nil)
	_ desktop.Hoverable = (*row)(nil)
)

func newRow(c *column, item *fyne.MenuItem, underlined int) *row {
	r := &row{column: c, item: item, label: newLabel(item.Label, underlined), keys: canvas.NewText("", color.Transparent),
		highlight: canvas.NewRectangle(nil), check: widget.NewIcon(theme.ConfirmIcon()),
		arrow: widget.NewIcon(theme.MenuExpandIcon())}
	if keys, ok := item.Shortcut.(fmt.Stringer); ok {
		r.keys.Text = keys.String()
	}
	r.highlight.Hide()
	r.check.Hidden = !item.Checked
	r.arrow.Hidden = item.ChildMenu == nil
	r.ExtendBaseWidget(r)
	return r
}

// isEnabled reports whether the item is enabled.
func (r *row) isEnabled() bool { return !r.item.Disabled }

func (r *row) Tapped(*fyne.PointEvent) { r.column.layer.choose(r) }

// MouseIn activates the item, and opens its menu.
func (r *row) MouseIn(*desktop.MouseEvent) { r.column.layer.pointAt(r) }

func (r *row) MouseMoved(*desktop.MouseEvent) {}

// MouseOut does nothing: the item stays active until the pointer enters another one.
func (r *row) MouseOut() {}

func (r *row) CreateRenderer() fyne.WidgetRenderer {
	n := &rowRenderer{row: r}
	n.Refresh()
	return n
}

type rowRenderer struct{ row *row }

// keysGap is the gap between the longest label and its shortcut.
const keysGap = 28

func (n *rowRenderer) Layout(size fyne.Size) {
	r, pad, icon := n.row, theme.InnerPadding(), theme.IconInlineSize()
	left, right := pad, size.Width-pad
	if r.column.checks {
		r.check.Move(fyne.NewPos(left, (size.Height-icon)/2))
		r.check.Resize(fyne.NewSquareSize(icon))
		left += icon + pad
	}
	if r.column.arrows {
		right -= icon
		r.arrow.Move(fyne.NewPos(right, (size.Height-icon)/2))
		r.arrow.Resize(fyne.NewSquareSize(icon))
	}
	r.label.moveTo(fyne.NewPos(left, (size.Height-r.label.size().Height)/2))
	keys := r.keys.MinSize()
	r.keys.Move(fyne.NewPos(right-keys.Width, (size.Height-keys.Height)/2))
	r.keys.Resize(keys)
	r.highlight.Resize(size)
}

func (n *rowRenderer) MinSize() fyne.Size {
	r, pad, icon := n.row, theme.InnerPadding(), theme.IconInlineSize()
	minSize := r.label.size().AddWidthHeight(2*pad, pad)
	if r.column.checks {
		minSize.Width += icon + pad
	}
	if r.column.arrows {
		minSize.Width += icon
	}
	if r.keys.Text != "" {
		minSize.Width += fyne.MeasureText(r.keys.Text, theme.TextSize(), r.keys.TextStyle).Width + keysGap
	}
	return minSize
}

func (n *rowRenderer) Refresh() {
	r := n.row
	name, keys := theme.ColorNameForeground, shortcutColor()
	if r.item.Disabled {
		name, keys = theme.ColorNameDisabled, theme.Color(theme.ColorNameDisabled)
	}
	r.label.paint(name)
	r.keys.Color, r.keys.TextSize = keys, theme.TextSize()
	r.highlight.FillColor = theme.Color(theme.ColorNameFocus)
	r.highlight.CornerRadius = theme.Size(theme.SizeNameMenuRadius)
	r.highlight.Hidden = r.column.active != r
	canvas.Refresh(r)
}

// shortcutColor returns a color less prominent than the labels but legible, with a contrast of at least 4.5 : 1, even
// on an active item.
func shortcutColor() color.Color {
	c := color.NRGBAModel.Convert(theme.Color(theme.ColorNameForeground)).(color.NRGBA)
	c.A = 0xcc
	return c
}

func (n *rowRenderer) Objects() []fyne.CanvasObject {
	r := n.row
	return append([]fyne.CanvasObject{r.highlight, r.check, r.keys, r.arrow}, r.label.objects()...)
}

func (n *rowRenderer) Destroy() {}
