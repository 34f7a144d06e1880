// Package menu implements the menu bar and its menus, and context menus. They display a fyne.Menu, but look and work
// like native desktop menus: legible shortcuts, an underlined letter that chooses an item, arrow keys, Escape, and
// switching between the menus of the bar by moving the pointer.
package menu

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/ui/command"
	"assay/ui/host"
)

// layer covers the window while menus are open, and has the keyboard focus.
type layer struct {
	widget.BaseWidget
	host    host.Host
	canvas  fyne.Canvas
	bar     *Bar // nil for a context menu
	columns []*column
	boxes   *fyne.Container // boxes of the columns
	pressed bool            // a button was pressed beside the menus since they opened
}

var (
	_ fyne.Focusable         = (*layer)(nil)
	_ fyne.Tappable          = (*layer)(nil)
	_ fyne.SecondaryTappable = (*layer)(nil)
	_ desktop.Hoverable      = (*layer)(nil)
	_ desktop.Mouseable      = (*layer)(nil)
)

// Show opens a context menu at a position of a canvas.
func Show(h host.Host, c fyne.Canvas, m *fyne.Menu, pos fyne.Position) {
	if len(m.Items) == 0 {
		return
	}
	l := newLayer(h, c, nil)
	l.add(newColumn(l, m, nil), func(size fyne.Size) fyne.Position {
		if pos.Y+size.Height > c.Size().Height {
			pos.Y = max(0, c.Size().Height-size.Height)
		}
		return pos
	})
	l.show()
}

// Close closes the open menus of a canvas, and reports whether there were any.
func Close(c fyne.Canvas) bool {
	l, ok := c.Overlays().Top().(*layer)
	if ok {
		l.close()
	}
	return ok
}

func newLayer(h host.Host, c fyne.Canvas, bar *Bar) *layer {
	l := &layer{host: h, canvas: c, bar: bar, boxes: container.NewWithoutLayout()}
	l.ExtendBaseWidget(l)
	return l
}

// show displays the layer over the window.
func (l *layer) show() {
	l.canvas.Overlays().Add(l)
	l.Resize(l.canvas.Size())
	l.canvas.Focus(l)
}

func (l *layer) close() {
	l.canvas.Overlays().Remove(l)
	if l.bar != nil {
		l.bar.closed()
	}
}

func (l *layer) last() *column { return l.columns[len(l.columns)-1] }

// add opens a column, moved and cut to fit into the window.
func (l *layer) add(c *column, place func(size fyne.Size) fyne.Position) {
	window, size := l.canvas.Size(), c.size()
	pos := place(size)
	pos.X = max(0, min(pos.X, window.Width-size.Width))
	pos.Y = max(0, pos.Y)
	size.Height = min(size.Height, window.Height-pos.Y)
	c.box.Move(pos)
	c.box.Resize(size)
	l.columns = append(l.columns, c)
	l.boxes.Add(c.box)
}

// closeAfter closes the columns after last.
func (l *layer) closeAfter(last *column) {
	if i := slices.Index(l.columns, last); i >= 0 && i < len(l.columns)-1 {
		l.columns = l.columns[:i+1]
		l.boxes.Objects = l.boxes.Objects[:i+1]
		l.boxes.Refresh()
	}
}

// openSubmenu opens the submenu of a row beside it, and closes deeper menus.
func (l *layer) openSubmenu(r *row) {
	if i := slices.IndexFunc(l.columns, func(c *column) bool { return c.parent == r }); i >= 0 {
		l.closeAfter(l.columns[i])
		return
	}
	l.closeAfter(r.column)
	origin, width := fyne.CurrentApp().Driver().AbsolutePositionForObject(r), r.Size().Width
	l.add(newColumn(l, r.item.ChildMenu, r), func(size fyne.Size) fyne.Position {
		pos := origin.AddXY(width, -theme.Padding())
		if pos.X+size.Width > l.canvas.Size().Width && origin.X >= size.Width {
			pos.X = origin.X - size.Width
		}
		pos.Y = min(pos.Y, max(0, l.canvas.Size().Height-size.Height))
		return pos
	})
}

// pointAt activates the enabled row under the pointer.
func (l *layer) pointAt(r *row) {
	if !r.isEnabled() {
		l.closeAfter(r.column)
		r.column.activate(nil)
		return
	}
	r.column.activate(r)
	if r.item.ChildMenu != nil {
		l.openSubmenu(r)
	} else {
		l.closeAfter(r.column)
	}
}

// choose runs the action of a row, or opens its submenu.
func (l *layer) choose(r *row) {
	switch {
	case !r.isEnabled():
	case r.item.ChildMenu != nil:
		r.column.activate(r)
		l.openSubmenu(r)
		if l.last().active == nil {
			l.last().step(1)
		}
	default:
		l.close()
		if r.item.Action != nil {
			r.item.Action()
		}
	}
}

func (l *layer) TypedKey(ev *fyne.KeyEvent) {
	c := l.last()
	switch ev.Name {
	case fyne.KeyDown:
		c.step(1)
	case fyne.KeyUp:
		c.step(-1)
	case fyne.KeyHome:
		c.activate(nil)
		c.step(1)
	case fyne.KeyEnd:
		c.activate(nil)
		c.step(-1)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		if c.active != nil {
			l.choose(c.active)
		}
	case fyne.KeyRight:
		l.openRight(c)
	case fyne.KeyLeft:
		l.goLeft(c)
	case fyne.KeyEscape:
		if c.parent != nil {
			l.closeAfter(c.parent.column)
			return
		}
		l.close()
	default:
		if l.host.Keys().Has("go.menus", command.KeyOf(ev, false)) {
			l.close()
		}
	}
}

// openRight opens the submenu of the active row, or the next menu of the bar.
func (l *layer) openRight(c *column) {
	if c.active != nil && c.active.isEnabled() && c.active.item.ChildMenu != nil {
		l.choose(c.active)
	} else if l.bar != nil {
		l.bar.openBeside(1)
	}
}

// goLeft closes a submenu, or opens the previous menu of the bar.
func (l *layer) goLeft(c *column) {
	if c.parent != nil {
		l.closeAfter(c.parent.column)
	} else if l.bar != nil {
		l.bar.openBeside(-1)
	}
}

// TypedRune chooses the item with an underlined letter.
func (l *layer) TypedRune(r rune) {
	if row := l.last().letter(r); row != nil {
		l.choose(row)
	}
}

func (l *layer) FocusGained() {}

func (l *layer) FocusLost() {}

func (l *layer) Tapped(*fyne.PointEvent) { l.close() }

// TappedSecondary closes the menus, and the toolkit then passes the tap to the object below. The toolkit also sends the
// tap that opened the menus over an overlay to the menus themselves: no button was pressed here, so it is ignored.
func (l *layer) TappedSecondary(*fyne.PointEvent) {
	if l.pressed {
		l.close()
	}
}

// MouseDown records that a tap begins here.
func (l *layer) MouseDown(*desktop.MouseEvent) { l.pressed = true }

func (l *layer) MouseUp(*desktop.MouseEvent) {}

func (l *layer) MouseIn(ev *desktop.MouseEvent) { l.MouseMoved(ev) }

// MouseMoved opens the menu of the title under the pointer.
func (l *layer) MouseMoved(ev *desktop.MouseEvent) {
	if l.bar == nil {
		return
	}
	if i := l.bar.titleAt(ev.AbsolutePosition); i >= 0 && i != l.bar.open {
		l.bar.show(i)
	}
}

func (l *layer) MouseOut() {}

func (l *layer) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(l.boxes) }
