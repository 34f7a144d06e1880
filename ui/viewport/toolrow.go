package viewport

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/ui/control"
	"assay/ui/paint"
)

// row is a viewport as its buttons see it.
type row Viewport

// Key does what a key means in the picture.
func (r *row) Key(k *fyne.KeyEvent, _ bool) bool {
	(*Viewport)(r).key(k)
	return true
}

// Tell shows the hint of a button.
func (r *row) Tell(text string) { (*Viewport)(r).hint(text) }

// toolMenu is a button that opens a menu.
type toolMenu struct {
	*widget.Button
	items  func() []*fyne.MenuItem
	wanted bool // there is something in it
}

// toolRow is the layout of a tool, the menus after it, and switches. Menus for which there is no room are in that of
// the last button, which is there only then; switches are left out.
type toolRow struct {
	first    fyne.CanvasObject
	menus    []*toolMenu
	more     *control.Button
	switches []*toggle
	row      *fyne.Container
}

func newToolRow(t *tools, first fyne.CanvasObject, menus ...*toolMenu) *toolRow {
	r := &toolRow{first: first, menus: menus}
	r.more = control.NewIcon((*row)(t.view), theme.MoreHorizontalIcon(), "More", func() {
		t.open(r.more, r.rest())
	})
	r.more.Hide()
	r.switches = t.toggles()
	all := []fyne.CanvasObject{first}
	for _, m := range menus {
		all = append(all, m.Button)
	}
	all = append(all, r.more)
	for _, s := range r.switches {
		all = append(all, s.Button)
	}
	r.row = container.New(r, all...)
	return r
}

// rest is the menus that have no button of their own now.
func (r *toolRow) rest() (items []*fyne.MenuItem) {
	for _, m := range r.menus {
		if m.wanted && !m.Visible() {
			item := fyne.NewMenuItem(m.Text, nil)
			item.ChildMenu = fyne.NewMenu("", m.items()...)
			items = append(items, item)
		}
	}
	return items
}

// want has a menu in the row, or leaves it out.
func (r *toolRow) want(m *toolMenu, wanted bool) {
	if m.wanted != wanted {
		m.wanted = wanted
		r.row.Refresh()
	}
}

func (r *toolRow) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	x := float32(0)
	put := func(o fyne.CanvasObject) {
		w := o.MinSize().Width
		o.Move(fyne.NewPos(x, 0))
		o.Resize(fyne.NewSize(w, s.Height))
		x += w
	}
	put(r.first)
	room := s.Width
	if r.wide() > room {
		room -= r.more.MinSize().Width
	}
	full := false
	for _, m := range r.menus {
		full = full || m.wanted && x+m.MinSize().Width > room
		if paint.Show(m.Button, m.wanted && !full); m.Visible() {
			put(m.Button)
		}
	}
	if paint.Show(r.more, full); full {
		put(r.more)
	}
	x += theme.Padding() * 4
	for _, s := range r.switches {
		wanted := s.Enabled(s.view)
		full = full || wanted && x+s.MinSize().Width > room
		s.shown = wanted
		if paint.Show(s.Button, wanted && !full); s.Visible() {
			put(s.Button)
		}
	}
}

// mark shows which of the switches are on, and those that the scene has something for.
func (r *toolRow) mark() {
	again := false
	for _, s := range r.switches {
		s.mark()
		again = again || s.Enabled(s.view) != s.shown
	}
	if again {
		r.row.Refresh()
	}
}

// wide is the width with all menus.
func (r *toolRow) wide() float32 {
	w := r.first.MinSize().Width
	for _, m := range r.menus {
		if m.wanted {
			w += m.MinSize().Width
		}
	}
	return w
}

func (r *toolRow) MinSize([]fyne.CanvasObject) fyne.Size {
	first, more := r.first.MinSize(), r.more.MinSize()
	return fyne.NewSize(first.Width+more.Width, max(first.Height, r.menus[0].MinSize().Height))
}
