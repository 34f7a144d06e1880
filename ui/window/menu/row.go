package menu

import (
	"fmt"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// row is an item of a menu.
type row struct {
	widget.BaseWidget
	column *column
	item   *fyne.MenuItem
	label  *label
	keys   *canvas.Text
	lit    *canvas.Rectangle
	check  *widget.Icon
	arrow  *widget.Icon
}

var (
	_ fyne.Tappable     = (*row)(nil)
	_ desktop.Hoverable = (*row)(nil)
)

func newRow(c *column, item *fyne.MenuItem, at int) *row {
	r := &row{column: c, item: item, label: newLabel(item.Label, at), keys: canvas.NewText("", color.Transparent),
		lit: canvas.NewRectangle(nil), check: widget.NewIcon(theme.ConfirmIcon()),
		arrow: widget.NewIcon(theme.MenuExpandIcon())}
	if keys, ok := item.Shortcut.(fmt.Stringer); ok {
		r.keys.Text = keys.String()
	}
	r.lit.Hide()
	r.check.Hidden = !item.Checked
	r.arrow.Hidden = item.ChildMenu == nil
	r.ExtendBaseWidget(r)
	return r
}

// can reports whether the item can be chosen.
func (r *row) can() bool { return !r.item.Disabled }

// Tapped does what the item means.
func (r *row) Tapped(*fyne.PointEvent) { r.column.layer.choose(r) }

// MouseIn makes the item the active one, and opens its menu.
func (r *row) MouseIn(*desktop.MouseEvent) { r.column.layer.point(r) }

func (r *row) MouseMoved(*desktop.MouseEvent) {}

// MouseOut does nothing. The item stays active until the pointer is over another one.
func (r *row) MouseOut() {}

func (r *row) CreateRenderer() fyne.WidgetRenderer {
	n := &rowRenderer{row: r}
	n.Refresh()
	return n
}

type rowRenderer struct{ row *row }

// keysGap is between the longest label and its shortcut.
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
	r.label.place(fyne.NewPos(left, (size.Height-r.label.size().Height)/2))
	keys := r.keys.MinSize()
	r.keys.Move(fyne.NewPos(right-keys.Width, (size.Height-keys.Height)/2))
	r.keys.Resize(keys)
	r.lit.Resize(size)
}

func (n *rowRenderer) MinSize() fyne.Size {
	r, pad, icon := n.row, theme.InnerPadding(), theme.IconInlineSize()
	least := r.label.size().AddWidthHeight(2*pad, pad)
	if r.column.checks {
		least.Width += icon + pad
	}
	if r.column.arrows {
		least.Width += icon
	}
	if r.keys.Text != "" {
		least.Width += fyne.MeasureText(r.keys.Text, theme.TextSize(), r.keys.TextStyle).Width + keysGap
	}
	return least
}

func (n *rowRenderer) Refresh() {
	r := n.row
	name, keys := theme.ColorNameForeground, shortcutColor()
	if r.item.Disabled {
		name, keys = theme.ColorNameDisabled, theme.Color(theme.ColorNameDisabled)
	}
	r.label.paint(name)
	r.keys.Color, r.keys.TextSize = keys, theme.TextSize()
	r.lit.FillColor, r.lit.CornerRadius = theme.Color(theme.ColorNameFocus), theme.Size(theme.SizeNameMenuRadius)
	r.lit.Hidden = r.column.active != r
	canvas.Refresh(r)
}

// shortcutColor is less prominent than the labels, and can be read: 4.5 : 1 at least, also where the item is lit.
func shortcutColor() color.Color {
	c := color.NRGBAModel.Convert(theme.Color(theme.ColorNameForeground)).(color.NRGBA)
	c.A = 0xcc
	return c
}

func (n *rowRenderer) Objects() []fyne.CanvasObject {
	r := n.row
	return append([]fyne.CanvasObject{r.lit, r.check, r.keys, r.arrow}, r.label.objects()...)
}

func (n *rowRenderer) Destroy() {}
