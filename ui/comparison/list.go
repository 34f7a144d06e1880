package comparison

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/model/compare"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// Layouts of the list of pairs.
const (
	merged = iota // one tree, old and new values beside each other
	twoTrees
)

// list is the tree of pairs, as one merged tree or as two that move together.
type list struct {
	host    host.Host
	style   *paint.Style
	group   *work.Group
	opening *work.Lane

	c       *compare.Comparison
	pairs   *pairs
	content *fyne.Container
	layout  int
	all     [3]*rows.Rows // merged, old, new

	items   map[place]*item // by places as if they were closed
	wanted  bool            // the keyboard is to come here
	untold  []place         // long values of which nobody has read what changed
	telling bool

	onSelect   func(p *compare.Pair)
	onMenu     func(p *compare.Pair, at fyne.Position)
	onActivate func(p *compare.Pair)
}

func newList(h host.Host, style *paint.Style, group *work.Group) *list {
	l := &list{host: h, style: style, group: group, opening: group.Lane(), items: map[place]*item{}}
	l.pairs = newPairs(nil, view{})
	for i := range l.all {
		r := rows.New(h, style, face{l, i}, rows.Options{Header: true, Multi: true, MinSize: fyne.NewSize(160, 60), Share: shareOf(i)})
		if i == 0 {
			r.SetColumns(
				rows.Column{Title: "Name", Width: 270, Min: 80},
				rows.Column{Title: "Type", Width: 80},
				rows.Column{Title: "Old", Width: 190},
				rows.Column{Title: "New", Width: 190},
				rows.Column{Title: "Change", Width: 120},
			)
		} else {
			r.SetColumns(rows.Column{Title: []string{"", "Old", "New"}[i], Width: 230, Min: 80}, rows.Column{Title: "Type", Width: 80}, rows.Column{Title: "Value", Width: 120})
		}
		r.Events = l.events(r)
		l.all[i] = r
	}
	l.content = container.NewStack()
	l.setLayout(merged)
	return l
}

// shareOf divides the width of one of the trees among its columns.
func shareOf(i int) func(w float32) []float32 {
	if i == 0 {
		return func(w float32) []float32 { return []float32{w * 0.31, w * 0.09, w * 0.225, w * 0.225, w * 0.15} }
	}
	return func(w float32) []float32 { return []float32{w * 0.46, w * 0.15, w * 0.39} }
}

func (l *list) events(r *rows.Rows) rows.Events {
	return rows.Events{
		OnCurrent: func(row int64) {
			if row >= 0 {
				l.share(r)
				l.tell(row)
			}
		},
		OnSelection: func() { l.share(r) },
		OnActivate: func(row int64) {
			if p := l.at(row); p != nil && p.Leaf() && l.onActivate != nil {
				l.onActivate(p)
				return
			}
			l.toggle(row)
		},
		OnMenu: func(row int64, at fyne.Position) {
			if p := l.at(row); p != nil && l.onMenu != nil {
				l.onMenu(p, at)
			}
		},
		OnExpand:    l.right,
		OnCollapse:  l.left,
		OnExpandAll: l.openBelow,
		OnFoldAll:   l.close,
		OnPress:     l.press,
		OnScroll:    func() { l.follow(r) },
		OnResize: func(column int, width float32) {
			if other := l.other(r); other != nil {
				other.SetWidths(r.Widths())
			}
		},
	}
}

// other is the second of two trees that move together.
func (l *list) other(r *rows.Rows) *rows.Rows {
	switch r {
	case l.all[1]:
		return l.all[2]
	case l.all[2]:
		return l.all[1]
	}
	return nil
}

func (l *list) follow(r *rows.Rows) {
	if o := l.other(r); o != nil && l.layout == twoTrees {
		o.Follow(r)
	}
}

// share takes the current row and the selection to the other tree.
func (l *list) share(r *rows.Rows) {
	if o := l.other(r); o != nil {
		o.SetCurrent(r.Current())
		o.SetSelection(r.Selection())
		o.Follow(r)
	}
}

// shown is the widget that the user works in.
func (l *list) shown() *rows.Rows {
	switch {
	case l.layout == merged:
		return l.all[0]
	case l.all[2].Focused():
		return l.all[2]
	}
	return l.all[1]
}

// setLayout shows one tree or two.
func (l *list) setLayout(to int) {
	from := l.shown()
	row, first := from.Current(), from.First()
	l.layout = to
	if to == merged {
		l.content.Objects = []fyne.CanvasObject{l.all[0]}
	} else {
		l.content.Objects = []fyne.CanvasObject{container.NewGridWithColumns(2, l.all[1], l.all[2])}
	}
	l.content.Refresh()
	for _, r := range l.all {
		r.Refresh()
		r.SetCurrent(row)
		r.SetFirst(first)
	}
}

// set shows a comparison with what differs opened.
func (l *list) set(c *compare.Comparison, v view) {
	l.c = c
	l.opening.Stop()
	l.busy("")
	l.pairs = newPairs(nil, v)
	if c != nil {
		l.pairs = newPairs(c.Root(), v)
		l.pairs.openChanges(opensMost)
		if l.pairs.Len() == 1 && (c.Root().Ready() || c.Old.Root().Len()+c.New.Root().Len() < openedHere) {
			l.pairs.Expand(l.pairs.Root())
		}
	}
	l.forget()
	for i, r := range l.all {
		r.SetSource(face{l, i})
		if i == 0 || c == nil {
			continue
		}
		src := [2]*model.Document{c.Old, c.New}[i-1].Source
		r.SetTitle(0, []string{"Old: ", "New: "}[i-1]+src.Name())
	}
}

// setView shows other states or what a search left, and keeps what is open and current as far as it is shown.
func (l *list) setView(v view) {
	if l.c == nil {
		return
	}
	current := l.currentPath()
	paths := l.pairs.Opened()
	had := l.pairs.view.kept != nil
	l.pairs = newPairs(l.c.Root(), v)
	if v.kept != nil || had {
		l.pairs.openChanges(opensMost)
	} else {
		l.pairs.Reopen(paths)
	}
	l.forget()
	row := int64(-1)
	if current != nil {
		if p, ok := l.pairs.Find(current); ok {
			row = l.pairs.Row(p)
		}
	}
	for _, r := range l.all {
		r.SetSource(face{l, l.index(r)})
		r.SetCurrent(row)
		if row >= 0 {
			r.ScrollTo(row)
		}
	}
}

func (l *list) index(r *rows.Rows) int {
	for i := range l.all {
		if l.all[i] == r {
			return i
		}
	}
	return 0
}

// forget drops what is remembered of rows.
func (l *list) forget() {
	clear(l.items)
	l.untold = nil
}

// at is the pair of a row, or nil.
func (l *list) at(row int64) *compare.Pair {
	if row < 0 || row >= l.pairs.Len() {
		return nil
	}
	return l.item(l.pairs.At(row)).pair
}

// current is the pair that the keyboard acts on, or nil.
func (l *list) current() *compare.Pair { return l.at(l.shown().Current()) }

func (l *list) currentPath() model.Path {
	if row := l.shown().Current(); row >= 0 && row < l.pairs.Len() {
		return l.pairs.At(row).Path()
	}
	return nil
}

// selected lists the selected pairs, at most limit of them.
func (l *list) selected(limit int) []*compare.Pair {
	var pairs []*compare.Pair
	selection := l.shown().Selection()
	for _, i := range selection.All() {
		for row := i.From; row < i.To && len(pairs) < limit; row++ {
			if p := l.at(row); p != nil {
				pairs = append(pairs, p)
			}
		}
	}
	return pairs
}

// reveal opens what a pair is in and goes to it, without an event; false if it is not shown.
func (l *list) reveal(path model.Path) bool {
	if l.c == nil {
		return false
	}
	p, ok := l.pairs.Find(path)
	for _, r := range l.all {
		r.Refresh()
	}
	if !ok {
		return false
	}
	row := l.pairs.Row(p)
	for _, r := range l.all {
		r.SetCurrent(row)
		r.ScrollTo(row)
	}
	return true
}

func (l *list) tell(row int64) {
	if p := l.at(row); p != nil && l.onSelect != nil {
		l.onSelect(p)
	}
}

// goTo makes a row current as the user would.
func (l *list) goTo(row int64) {
	for _, r := range l.all {
		r.SetCurrent(row)
		r.ScrollTo(row)
	}
	l.tell(row)
}

// focus gives the tree the keyboard, as soon as it is in a window.
func (l *list) focus() {
	l.wanted = true
	l.focusLater()
}

func (l *list) focusLater() {
	if !l.wanted || fyne.CurrentApp() == nil {
		return
	}
	r := l.shown()
	c := fyne.CurrentApp().Driver().CanvasForObject(r)
	if c == nil {
		return
	}
	l.wanted = false
	fyne.Do(func() { c.Focus(r) })
}
