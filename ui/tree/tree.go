// Package tree shows a structure of nodes of any size as rows that open and close.
package tree

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/find"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// Events are what the owner of a tree is told, on the UI thread. Any of them may be nil.
type Events struct {
	OnSelect   func(n *model.Node)                   // the user went to another node
	OnActivate func(n *model.Node) bool              // Enter or double click; false: the node opens or closes
	OnMenu     func(n *model.Node, at fyne.Position) // secondary click or menu key

	// OnDragStart is asked when the selected rows are about to be dragged; true has the others called until the end.
	OnDragStart func(at fyne.Position) bool
	OnDragged   func(at fyne.Position)
	OnDragEnd   func()
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

	host   host.Host
	style  *paint.Style
	rows   *rows.Rows
	group  *work.Group
	sorter *work.Group // of the present order

	title   string
	root    *model.Node
	mirror  *mirror
	filter  *find.Filtered
	link    func(n *model.Node) *model.Node
	trouble map[string]model.Severity

	sortColumn Column
	sortOrder  rows.Order
	orders     map[level][]int32 // of the levels that were opened in this order; nil while it is not known
	sorting    int               // levels that are being sorted in the background

	items       map[place]*item // by places as if they were closed
	palette     palette
	paletteDark bool
	unfiltered  *State // what was open before the filter
}

var _ fyne.Widget = (*Tree)(nil)

// New makes an empty tree. Sorting long levels is work of the group.
func New(h host.Host, style *paint.Style, group *work.Group) *Tree {
	t := &Tree{host: h, style: style, group: group, sorter: group.Under(), items: map[place]*item{}, orders: map[level][]int32{}}
	t.mirror = newMirror(nil, view{})
	t.rows = rows.New(h, style, (*source)(t), rows.Options{Header: true, Multi: true, MinSize: fyne.NewSize(160, 80), Share: t.share})
	t.rows.SetColumns(
		rows.Column{Title: "Name", Width: 190, Min: 80, Sortable: true},
		rows.Column{Title: "Type", Width: 80, Sortable: true},
		rows.Column{Title: "Value", Width: 90, Sortable: true},
		rows.Column{Title: "Offset", Width: 58, Align: paint.Trailing, Sortable: true},
		rows.Column{Title: "Size", Width: 58, Min: 48, Align: paint.Trailing, Sortable: true},
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
		OnSort:      t.sort,
		OnPress:     t.press,
		OnFit:       t.fit,
	}
	t.drags()
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
	t.forgetOrders()
	t.rebuild(nil)
	t.rows.SetSource((*source)(t))
	if root != nil {
		t.mirror.Expand(t.mirror.Root())
		t.rows.Refresh()
	}
}

// Root is the structure that is shown.
func (t *Tree) Root() *model.Node { return t.root }

// ReplaceRoot shows a structure in which every node that was there has the path it had, and keeps what is open, the
// current row and the position.
func (t *Tree) ReplaceRoot(root *model.Node) {
	s := t.State()
	if t.root == nil || t.root.Leaf() { // what had nothing below it could not be open
		s.Open = append(s.Open, model.Path{})
	}
	t.root = root
	t.forgetOrders()
	t.Restore(s)
}

// SetTrouble marks the nodes below which there are problems, by their path text.
func (t *Tree) SetTrouble(trouble map[string]model.Severity) {
	t.trouble = trouble
	clear(t.items)
	t.rows.Refresh()
}

// forgetOrders ends the sorting that goes on.
func (t *Tree) forgetOrders() {
	clear(t.orders)
	t.sorter.Close()
	t.sorter = t.group.Under()
	t.sorting = 0
	t.busy(false)
}

// rebuild makes the mirror anew, with the nodes at some paths open.
func (t *Tree) rebuild(open []model.Path) {
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
	t.mirror.Reopen(open)
}

// State is what is open and where the tree is.
func (t *Tree) State() State {
	s := State{Open: t.mirror.Opened(), First: t.rows.First(), Widths: t.Widths()}
	if row := t.rows.Current(); row >= 0 {
		s.Current = t.mirror.At(row).Path()
	}
	return s
}

// Restore goes back to a state, as far as it is still there.
func (t *Tree) Restore(s State) {
	t.rebuild(s.Open)
	t.rows.Refresh()
	t.SetWidths(s.Widths)
	row := int64(-1)
	if s.Current != nil {
		if p, ok := t.mirror.Find(s.Current); ok {
			row = t.mirror.Row(p)
		}
	}
	t.rows.SetCurrent(row)
	t.rows.SetFirst(s.First)
}

// Widths are the widths of the columns, if the user chose them.
func (t *Tree) Widths() []float32 {
	if !t.rows.WidthsChosen() {
		return nil
	}
	return t.rows.Widths()
}

// SetWidths sets the widths of the columns, which then stay when the tree gets another size.
func (t *Tree) SetWidths(w []float32) {
	if len(w) > 0 {
		t.rows.SetWidths(w)
	}
}

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

func (t *Tree) node(row int64) *model.Node { return (*source)(t).item(t.mirror.At(row)).node }

// Reveal opens what the node at a path is in, goes to it and shows it; false if a filter left it out.
func (t *Tree) Reveal(path model.Path) bool {
	if t.root == nil {
		return false
	}
	p, ok := t.mirror.Find(path)
	if !ok {
		t.rows.Refresh()
		return false
	}
	row := t.mirror.Row(p)
	t.rows.SetCurrent(row)
	t.rows.Refresh()
	t.rows.ScrollTo(row)
	return true
}

// Deselect leaves no row current.
func (t *Tree) Deselect() { t.rows.SetCurrent(-1) }

// SetFilter shows what a filter left; nil shows everything again, with what was open before.
func (t *Tree) SetFilter(f *find.Filtered) { t.setFilter(f, 0) }

// GrowFilter shows what the filter that is shown has found meanwhile: more of the same, further down.
func (t *Tree) GrowFilter(f *find.Filtered) { t.setFilter(f, t.rows.First()) }

func (t *Tree) setFilter(f *find.Filtered, first int64) {
	var current *model.Path
	if row := t.rows.Current(); row >= 0 {
		p := t.mirror.At(row).Path()
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
		t.rows.Refresh()
		t.rows.SetFirst(first)
	}
	t.rows.SetCurrent(-1)
	if current == nil {
		return
	}
	if f == nil {
		t.Reveal(*current)
	} else if p, ok := t.mirror.Find(*current); ok {
		t.rows.SetCurrent(t.mirror.Row(p))
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
