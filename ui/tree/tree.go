// Package tree shows a structure of nodes of any size as rows that open and close.
package tree

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/find"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// Events are what the owner of a tree is told, on the UI thread. Any of them may be nil.
type Events struct {
	OnSelect   func(n *model.Node)                   // the user went to another node
	OnActivate func(n *model.Node) bool              // Enter or double click; false: the node opens or closes
	OnMenu     func(n *model.Node, at fyne.Position) // secondary click or menu key
	OnKey      func(key *fyne.KeyEvent) bool         // a key that the tree does not use
	OnShortcut func(s fyne.Shortcut) bool            // a shortcut that the tree does not use
	OnNote     func(text string)                     // something the user should know, in a sentence
	OnBusy     func(what string, done, total int64)  // sorting goes on; total 0: it has ended
}

// State is what a tree remembers between sessions, and over a reload.
type State struct {
	Open    []model.Path
	Current model.Path
	First   int64
	Widths  []float32
}

// openMax is how many rows are opened at once by opening a whole subtree, or by a filter.
const openMax = 50_000

// Tree is the widget.
type Tree struct {
	widget.BaseWidget
	Events

	style  *paint.Style
	rows   *rows.Rows
	group  *work.Group
	sorter *work.Lane

	title   string
	root    *model.Node
	mirror  *mirror
	filter  *find.Filtered
	link    func(n *model.Node) *model.Node
	trouble map[string]model.Severity

	sortColumn Column
	sortOrder  rows.Order
	orders     map[*model.Node][]int32 // of levels that were sorted in the background

	items       map[itemKey]*item
	last        place
	lastRow     int64
	palette     palette
	paletteDark bool
	unfiltered  *State // what was open before the filter
}

var _ fyne.Widget = (*Tree)(nil)

// New makes an empty tree. Sorting long levels is work of the group.
func New(style *paint.Style, group *work.Group) *Tree {
	t := &Tree{style: style, group: group, sorter: group.Lane(), items: map[itemKey]*item{}, orders: map[*model.Node][]int32{}, lastRow: -1}
	t.mirror = newMirror(nil, view{})
	t.rows = rows.New(style, (*source)(t), rows.Options{Header: true, Multi: true, MinSize: fyne.NewSize(160, 80)})
	t.rows.SetColumns(
		rows.Column{Title: "Name", Width: 240, Min: 80, Sortable: true},
		rows.Column{Title: "Type", Width: 92, Sortable: true},
		rows.Column{Title: "Value", Width: 130, Sortable: true},
		rows.Column{Title: "Offset", Width: 66, Align: paint.Trailing, Sortable: true},
		rows.Column{Title: "Size", Width: 64, Min: 56, Align: paint.Trailing, Sortable: true},
	)
	t.rows.Events = rows.Events{
		OnCurrent:   t.current,
		OnActivate:  t.activate,
		OnMenu:      t.menu,
		OnExpand:    t.right,
		OnCollapse:  t.left,
		OnExpandAll: t.openAll,
		OnFoldAll:   t.foldAll,
		OnTypeAhead: t.typeAhead,
		OnKey:       func(k *fyne.KeyEvent) bool { return t.OnKey != nil && t.OnKey(k) },
		OnShortcut:  func(s fyne.Shortcut) bool { return t.OnShortcut != nil && t.OnShortcut(s) },
		OnSort:      t.sort,
		OnPress:     t.press,
	}
	t.ExtendBaseWidget(t)
	return t
}

// CreateRenderer is called by Fyne.
func (t *Tree) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(t.rows) }

// MinSize returns the smallest size.
func (t *Tree) MinSize() fyne.Size { return t.rows.MinSize() }

// Refresh paints again.
func (t *Tree) Refresh() { t.rows.Refresh() }

// Focus gives the tree the keyboard.
func (t *Tree) Focus() { t.rows.Focus() }

// Focused says whether the tree has the keyboard.
func (t *Tree) Focused() bool { return t.rows.Focused() }

// SetRoot shows another structure with its root opened. link gives, for a node that only stands for another one, that
// node; nil if there are none.
func (t *Tree) SetRoot(title string, root *model.Node, link func(n *model.Node) *model.Node) {
	t.title, t.root, t.link = title, root, link
	t.filter, t.unfiltered = nil, nil
	clear(t.orders)
	t.sorter.Stop()
	t.rebuild(nil)
	t.rows.SetSource((*source)(t))
	if root != nil {
		t.mirror.expand(place{in: t.mirror.top})
		t.rows.Refresh()
	}
}

// Root is the structure that is shown.
func (t *Tree) Root() *model.Node { return t.root }

// ReplaceRoot shows a structure in which every node that was there has the path it had, and keeps what is open, the
// current row and the position.
func (t *Tree) ReplaceRoot(root *model.Node) {
	s := t.State()
	t.root = root
	clear(t.orders)
	t.Restore(s)
}

// SetTrouble marks the nodes below which there are problems, by their path text.
func (t *Tree) SetTrouble(trouble map[string]model.Severity) {
	t.trouble = trouble
	clear(t.items)
	t.rows.Refresh()
}

// rebuild makes the mirror anew, with the nodes at the trails open.
func (t *Tree) rebuild(open []trail) {
	v := view{link: t.link}
	if t.filter != nil {
		v.kept = t.filter.Kept
		if v.kept == nil {
			v.kept = &find.Kept{}
		}
	}
	if t.sortOrder != rows.Unsorted {
		v.order = t.orderOf
	}
	t.mirror = newMirror(t.root, v)
	clear(t.items)
	t.lastRow = -1
	t.mirror.reopen(open)
}

// State is what is open and where the tree is.
func (t *Tree) State() State {
	s := State{Open: t.mirror.openTrails(), First: t.rows.First(), Widths: t.rows.Widths()}
	if row := t.rows.Current(); row >= 0 {
		s.Current = t.mirror.trailOf(t.mirror.at(row))
	}
	return s
}

// Restore goes back to a state, as far as it is still there.
func (t *Tree) Restore(s State) {
	t.rebuild(s.Open)
	t.rows.Refresh()
	if len(s.Widths) > 0 {
		t.rows.SetWidths(s.Widths)
	}
	row := int64(-1)
	if s.Current != nil {
		if p, ok := t.mirror.find(s.Current); ok {
			row = t.mirror.row(p.in, p.pos)
		}
	}
	t.rows.SetCurrent(row)
	t.rows.SetFirst(s.First)
}

// Widths are the widths of the columns.
func (t *Tree) Widths() []float32 { return t.rows.Widths() }

// SetWidths sets the widths of the columns.
func (t *Tree) SetWidths(w []float32) { t.rows.SetWidths(w) }

// Rows is the number of rows.
func (t *Tree) Rows() int64 { return t.mirror.Len() }

// Current is the node that the keyboard acts on, or nil.
func (t *Tree) Current() *model.Node {
	if row := t.rows.Current(); row >= 0 {
		return t.node(row)
	}
	return nil
}

// Selected lists the selected nodes, at most limit of them.
func (t *Tree) Selected(limit int) []*model.Node {
	var nodes []*model.Node
	selection := t.rows.Selection()
	for _, i := range selection.All() {
		for row := i.From; row < i.To && len(nodes) < limit; row++ {
			nodes = append(nodes, t.node(row))
		}
	}
	return nodes
}

func (t *Tree) node(row int64) *model.Node { return (*source)(t).item(t.mirror.at(row)).node }

// Reveal opens what the node at a path is in, goes to it and shows it; false if a filter left it out.
func (t *Tree) Reveal(path model.Path) bool {
	if t.root == nil {
		return false
	}
	before := t.mirror.Len()
	p, ok := t.mirror.find(path)
	t.lastRow = -1
	if t.mirror.Len() != before {
		clear(t.items)
	}
	if !ok {
		t.rows.Refresh()
		return false
	}
	row := t.mirror.row(p.in, p.pos)
	t.rows.SetCurrent(row)
	t.rows.Refresh()
	t.rows.ScrollTo(row)
	return true
}

// Deselect leaves no row current.
func (t *Tree) Deselect() { t.rows.SetCurrent(-1) }

// SetFilter shows what a filter left; nil shows everything again, with what was open before.
func (t *Tree) SetFilter(f *find.Filtered) {
	var current *model.Path
	if row := t.rows.Current(); row >= 0 {
		p := t.mirror.trailOf(t.mirror.at(row))
		current = &p
	}
	if f != nil && t.filter == nil {
		s := t.State()
		t.unfiltered = &s
	}
	t.filter = f
	if f == nil {
		s := State{}
		if t.unfiltered != nil {
			s = *t.unfiltered
			t.unfiltered = nil
		}
		t.rebuild(s.Open)
		t.rows.Refresh()
		t.rows.SetFirst(s.First)
	} else {
		t.rebuild(nil)
		t.mirror.openMatches(openMax)
		t.rows.SetFirst(0)
		t.rows.Refresh()
	}
	t.rows.SetCurrent(-1)
	if current == nil {
		return
	}
	if f == nil {
		t.Reveal(*current)
	} else if p, ok := t.mirror.find(*current); ok {
		t.rows.SetCurrent(t.mirror.row(p.in, p.pos))
	}
	t.rows.Refresh()
}

// Filtered says whether a filter is on.
func (t *Tree) Filtered() bool { return t.filter != nil }

func (t *Tree) current(row int64) {
	if row >= 0 && t.OnSelect != nil {
		t.OnSelect(t.node(row))
	}
}

func (t *Tree) activate(row int64) {
	n := t.node(row)
	if t.OnActivate != nil && t.OnActivate(n) {
		return
	}
	t.toggle(row)
}

func (t *Tree) menu(row int64, at fyne.Position) {
	if row >= 0 && t.OnMenu != nil {
		t.OnMenu(t.node(row), at)
	}
}

func (t *Tree) toggle(row int64) {
	if p := t.mirror.at(row); p.open != nil {
		t.close(row)
	} else {
		t.open(row)
	}
}

// open opens a row and reports whether it has rows below it.
func (t *Tree) open(row int64) bool {
	b, n := t.mirror.expand(t.mirror.at(row))
	t.lastRow = -1
	if n > 0 {
		t.rows.Inserted(row+1, n)
	}
	return b != nil
}

func (t *Tree) close(row int64) {
	p := t.mirror.at(row)
	closed := p.open
	n := t.mirror.collapse(p)
	t.lastRow = -1
	if closed != nil {
		clear(t.items) // a branch that is opened again is another one
	}
	if n > 0 {
		current := t.rows.Current()
		t.rows.Removed(row+1, n)
		if current > row && current <= row+n {
			t.goTo(row)
		}
	}
}

// goTo makes a row current as the user would.
func (t *Tree) goTo(row int64) {
	t.rows.SetCurrent(row)
	t.rows.ScrollTo(row)
	t.current(row)
}

func (t *Tree) right(row int64) {
	p := t.mirror.at(row)
	switch {
	case p.open == nil:
		t.open(row)
	case p.open.shown > 0:
		t.goTo(row + 1)
	}
}

func (t *Tree) left(row int64) {
	p := t.mirror.at(row)
	switch {
	case p.open != nil:
		t.close(row)
	case p.in.parent != nil:
		t.goTo(t.mirror.row(p.in.parent, p.in.at))
	}
}

// openAll opens the whole subtree of a row, up to a bound.
func (t *Tree) openAll(row int64) {
	before := t.mirror.Len()
	all := t.mirror.openAll(t.mirror.at(row), openMax)
	t.lastRow = -1
	if n := t.mirror.Len() - before; n > 0 {
		first, current := t.rows.First(), t.rows.Current()
		t.rows.Refresh()
		t.rows.SetFirst(first)
		t.rows.SetCurrent(current)
	}
	if !all {
		t.note("The first 50,000 rows are open; more than that are opened one by one.")
	}
}

// foldAll closes everything below a row, and the row.
func (t *Tree) foldAll(row int64) { t.close(row) }

// CollapseAll closes everything but the root.
func (t *Tree) CollapseAll() {
	if t.root == nil {
		return
	}
	t.rebuild([]trail{{}})
	t.rows.SetCurrent(0)
	t.rows.Refresh()
	t.current(0)
}

// ExpandCurrent opens the whole subtree of the current row.
func (t *Tree) ExpandCurrent() {
	if row := t.rows.Current(); row >= 0 {
		t.openAll(row)
	}
}

func (t *Tree) note(text string) {
	if t.OnNote != nil {
		t.OnNote(text)
	}
}

// press opens and closes where the triangle is clicked.
func (t *Tree) press(on rows.Pointer) bool {
	if on.Button != 1 || on.Row < 0 || on.Row >= t.mirror.Len() { // 1 is the primary button
		return false
	}
	scale := float32(on.Bounds.Y) / (t.style.Size() * 1.54)
	px := func(l float32) int { return int(l*scale + .5) }
	p := t.mirror.at(on.Row)
	if !(*source)(t).disclosure(p, (*source)(t).item(p), on.X, px) {
		return false
	}
	t.toggle(on.Row)
	return true
}

// typeAheadRows is how many rows are looked at for one that begins with what is typed.
const typeAheadRows = 200_000

func (t *Tree) typeAhead(prefix string) {
	n := t.mirror.Len()
	if n == 0 {
		return
	}
	start := max(0, t.rows.Current())
	prefix = strings.ToLower(prefix)
	if len([]rune(prefix)) == 1 { // the same letter again goes on
		start = (start + 1) % n
	}
	p := t.mirror.at(start)
	row := start
	for range min(n, typeAheadRows) {
		c := t.mirror.child(p.in, p.pos)
		if strings.HasPrefix(strings.ToLower(c.Name), prefix) || c.Key != "" && strings.HasPrefix(strings.ToLower(c.Key), prefix) {
			t.goTo(row)
			return
		}
		var ok bool
		row++
		if p, ok = t.mirror.next(p); !ok {
			p, row = t.mirror.at(0), 0
		}
	}
}

// sort sorts every opened level by a column; levels that are long are sorted in the background.
func (t *Tree) sort(column int, order rows.Order) {
	t.sortColumn, t.sortOrder = Column(column), order
	t.rows.SetSort(column, order)
	clear(t.orders)
	t.sorter.Stop()
	t.busy("", 0, 0)
	t.reorder()
}

// reorder shows the levels in the present order and keeps the current row in view.
func (t *Tree) reorder() {
	s := t.State()
	t.rebuild(s.Open)
	t.rows.Refresh()
	if s.Current != nil {
		t.Reveal(s.Current)
	}
}

// orderOf gives the order of a level; nil, for now, if it must be found in the background.
func (t *Tree) orderOf(n *model.Node) []int32 {
	if o, ok := t.orders[n]; ok {
		return o
	}
	switch {
	case n.Len() > sortMax:
		t.note("A level of more than 2,000,000 nodes stays in the order of the file.")
		t.orders[n] = nil
		return nil
	case n.Len() > sortNow:
		t.orders[n] = nil
		column, order := t.sortColumn, t.sortOrder
		t.busy("Sorting", 0, 1)
		t.sorter.Go(func(ctx context.Context) func() {
			o, err := sorted(ctx, n, column, order)
			return func() {
				t.busy("", 0, 0)
				if err == nil {
					t.orders[n] = o
					t.reorder()
				}
			}
		})
		return nil
	}
	o, _ := sorted(context.Background(), n, t.sortColumn, t.sortOrder)
	t.orders[n] = o
	return o
}

func (t *Tree) busy(what string, done, total int64) {
	if t.OnBusy != nil {
		t.OnBusy(what, done, total)
	}
}
