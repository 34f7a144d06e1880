// Package tree displays the nodes of a document as rows that expand and collapse.
package tree

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/find"
	"assay/ui/host"
	"assay/ui/outline"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// Events are the callbacks of a tree, called on the UI thread. Any may be nil.
type Events struct {
	OnSelect   func(n *model.Node)                    // the user selected another node
	OnActivate func(n *model.Node) bool               // Enter or double click; false: the node opens or closes
	OnMenu     func(n *model.Node, pos fyne.Position) // secondary click or menu key
	OnDrag     func(pos fyne.Position) rows.Drag      // the drag of the selected rows; nil: they cannot be dragged
	// OnRest is called when the pointer rests on a node. It may call show with the text of the tooltip.
	OnRest func(n *model.Node, show func(text string))
	// OnEscape is called on Escape, and reports whether it was used. It may be nil.
	OnEscape func() bool
}

// State is the state of a tree that is stored between sessions and kept on reload.
type State = outline.State

// Tree is the widget.
type Tree struct {
	widget.BaseWidget
	Events
	FindPrefix PrefixSearch // nil: Seek compares all children
	// NoMatches reports whether the filter has ended without a match. Set it before the filter.
	NoMatches bool

	host   host.Host
	style  *paint.Style
	group  *work.Group
	sorter *work.Group // group of the work for the current order
	seeker *work.Lane  // searches for the typed text
	view   *outline.View[*children]

	title      string
	root       *model.Node
	filter     *find.Filtered
	words      []string // the words of the filter, which are highlighted
	link       func(n *model.Node) *model.Node
	severities map[string]model.Severity
	noted      func(n *model.Node) (flag rows.Mark, tip string)

	sortColumn      Column
	sortOrder       rows.Order
	dividedTextSize float32              // the size of the text at the last call of divideWidth
	orders          map[levelKey][]int32 // the order of each level; nil while it is being sorted
	sorting         int                  // levels that are being sorted in the background

	stateBefore   *State     // the expanded nodes before the filter
	currentBefore model.Path // the current node before the filter; may be nil
}

var _ fyne.Widget = (*Tree)(nil)

// New returns an empty tree. The group sorts long levels.
func New(h host.Host, style *paint.Style, group *work.Group) *Tree {
	t := &Tree{host: h, style: style, group: group, sorter: group.Subgroup(), seeker: group.Lane(),
		orders: map[levelKey][]int32{}}
	options := rows.Options{Header: true, Multi: true, MinSize: fyne.NewSize(160, 80), ColumnWidths: t.divideWidth,
		Flex: int(Value) + 1, Empty: func() string {
			if t.filter != nil && t.NoMatches {
				return host.NoMatches
			}
			return ""
		}}
	t.view = outline.NewView(h, style, (*source)(t), new(children), options)
	t.view.SetColumns([]int{int(Name)},
		rows.Column{Title: "Name", Width: 190, Min: 80, Sortable: true},
		rows.Column{Title: "Value", Width: 90, Sortable: true},
		rows.Column{Title: "Type", Width: 80, Sortable: true},
		rows.Column{Title: "Offset", Width: 58, Align: paint.AlignRight, Sortable: true},
		rows.Column{Title: "Size", Width: 58, Align: paint.AlignRight, Sortable: true},
	)
	t.view.KeepsWidths = true
	t.view.OnCurrent = func(p rowPos) {
		if t.OnSelect != nil {
			t.OnSelect(t.node(p))
		}
	}
	t.view.OnActivate = func(p rowPos) bool { return t.OnActivate != nil && t.OnActivate(t.node(p)) }
	t.view.OnMenu = func(p rowPos, pos fyne.Position) {
		if t.OnMenu != nil {
			t.OnMenu(t.node(p), pos)
		}
	}
	t.view.Rows.OnRest = func(row int64) {
		if t.OnRest != nil {
			n := t.node(t.view.At(row))
			t.OnRest(n, func(text string) { t.view.Rows.SetTip(row, t.withLocation(n, text)) })
		}
	}
	t.view.Rows.OnSort = t.sort
	t.view.Rows.BeforeKey = func(key *fyne.KeyEvent, _ bool) bool {
		return key.Name == fyne.KeyEscape && t.OnEscape != nil && t.OnEscape()
	}
	t.view.Rows.OnDrag = func(_ int64, pos fyne.Position) rows.Drag {
		if t.OnDrag == nil {
			return nil
		}
		return t.OnDrag(pos)
	}
	t.ExtendBaseWidget(t)
	return t
}

// withLocation appends the offset and size of a node to text, unless their columns are in view, and the number of its
// hidden children.
func (t *Tree) withLocation(n *model.Node, text string) string {
	if count := hiddenCount(n); count > 0 {
		text = strings.TrimPrefix(text+"\n"+host.Count(count, "separator")+" hidden", "\n")
	}
	if t.view.Rows.IsColumnVisible(int(Offset)) && t.view.Rows.IsColumnVisible(int(Size)) {
		return text
	}
	location := fmt.Sprintf("Offset %#x, %s", n.Offset, host.Count(n.Size, "byte"))
	if bits := n.BitText(); bits != "" {
		location += ", " + bits
	}
	return strings.TrimPrefix(text+"\n"+location, "\n")
}

// CreateRenderer implements fyne.Widget.
func (t *Tree) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(t.view.Rows) }

// MinSize implements fyne.CanvasObject.
func (t *Tree) MinSize() fyne.Size { return t.view.Rows.MinSize() }

// Refresh implements fyne.CanvasObject.
func (t *Tree) Refresh() { t.view.Rows.Refresh() }

// Focus gives the keyboard focus to the tree.
func (t *Tree) Focus() { t.view.Rows.Focus() }

// IsFocused reports whether the tree has the keyboard focus.
func (t *Tree) IsFocused() bool { return t.view.Rows.Focused() }

// SetRoot displays another structure with its root expanded. link returns the target of a node that only refers to
// another one, or nil. link may be nil.
func (t *Tree) SetRoot(title string, root *model.Node, link func(n *model.Node) *model.Node) {
	t.title, t.root, t.link = title, root, link
	t.filter, t.words, t.stateBefore, t.currentBefore = nil, nil, nil, nil
	t.forgetOrders()
	t.fitDigits()
	t.view.Reset((*source)(t).rootLevel())
	if root != nil {
		t.view.Expand(t.view.Root())
		t.view.Rows.Refresh()
	}
}

// Root returns the root of the displayed structure. It may be nil.
func (t *Tree) Root() *model.Node { return t.root }

// ReplaceRoot displays a new version of the structure with the same paths. It keeps the expanded nodes, the current row
// and the scroll position.
func (t *Tree) ReplaceRoot(root *model.Node) {
	s := t.State()
	if t.root == nil || t.root.Leaf() { // a node without children could not be expanded
		s.Open = append(s.Open, model.Path{})
	}
	t.root = root
	t.forgetOrders()
	t.fitDigits()
	t.Restore(s)
}

// SetSeverities marks the nodes with problems at or below them, by path.
func (t *Tree) SetSeverities(severities map[string]model.Severity) {
	t.severities = severities
	t.view.Forget()
	t.view.Rows.Refresh()
}

// SetNoted marks the nodes that have notes: noted returns a flag and the text of the notes, or no flag for a node
// without notes.
func (t *Tree) SetNoted(noted func(n *model.Node) (flag rows.Mark, tip string)) {
	t.noted = noted
	t.view.Forget()
	t.view.Rows.Refresh()
}

// rebuild displays the structure again with the nodes at the paths in open expanded.
func (t *Tree) rebuild(open []model.Path) { t.view.Rebuild((*source)(t).rootLevel(), open) }

// State returns the expanded nodes, the current row and the scroll position.
func (t *Tree) State() State { return t.view.State() }

// Restore applies a state, as far as its nodes still exist.
func (t *Tree) Restore(s State) { t.view.Restore((*source)(t).rootLevel(), s) }

// Remember stores the user's settings of the columns for the trees of a format.
func (t *Tree) StoreColumns(format string) { t.view.Rows.StoreColumns("tree.columns." + format) }

// Rows returns the number of rows.
func (t *Tree) RowCount() int64 { return t.view.Len() }

func (t *Tree) node(p rowPos) *model.Node { return (*source)(t).node(p) }

// Current returns the current node, or nil.
func (t *Tree) Current() *model.Node {
	if p, ok := t.view.Current(); ok {
		return t.node(p)
	}
	return nil
}

// Selected lists the selected nodes, at most limit of them.
func (t *Tree) Selected(limit int) []*model.Node {
	var nodes []*model.Node
	for _, p := range t.view.Selected() {
		if len(nodes) == limit {
			break
		}
		nodes = append(nodes, t.node(p))
	}
	return nodes
}

// Reveal expands the ancestors of the node at a path, makes it current and scrolls to it. Instead of hidden syntax, its
// parent becomes current. It returns false if the node does not exist or a filter excludes it.
func (t *Tree) Reveal(path model.Path) bool {
	if t.view.Reveal(path) {
		return true
	}
	n := t.root
	for _, i := range path {
		if n == nil || i < 0 || i >= n.Len() {
			return false
		}
		n = n.Child(i)
	}
	return n != nil && n.Parent != nil && isHidden(n) && t.view.Reveal(path[:len(path)-1])
}

// Deselect clears the current row.
func (t *Tree) Deselect() { t.view.Rows.SetCurrent(-1) }

// CollapseAll collapses all nodes except the root.
func (t *Tree) CollapseAll() {
	if t.view.Len() == 0 {
		return
	}
	t.rebuild([]model.Path{{}})
	t.view.GoTo(0)
}

// ExpandCurrent expands the whole subtree of the current row.
func (t *Tree) ExpandCurrent() {
	if row := t.view.Rows.Current(); row >= 0 {
		t.view.ExpandAll(row)
	}
}

// fitDigits makes the columns of numbers as wide as the largest of them.
func (t *Tree) fitDigits() {
	if t.root == nil {
		return
	}
	c := t.style.NewCanvas(nil, 1, paint.Colors{})
	for column, text := range map[Column]string{Offset: offsetText(t.root.End()), Size: sizeText(t.root.Size)} {
		minWidth := max(rows.WidthOf(c, rows.Cell{Text: text, Mono: true}),
			rows.WidthOf(c, rows.Cell{Text: "Offset", Bold: true}))
		t.view.Rows.SetMin(int(column), minWidth)
	}
}

// Widths in sizes of letters.
const (
	minNameWidth    = 7  // minimum width of the names, even if the tree is too narrow
	narrowNameWidth = 13 // width in a narrow tree, whatever the values need
	usualNameWidth  = 22 // width if the first names in view are shorter, as longer ones may scroll into view
	maxNameWidth    = 34 // maximum width at first
	minValueWidth   = 4  // minimum width of the values: that of the title
	sizesFrom       = 16 // width of names and values from which sizes are displayed beside them
	offsetsFrom     = 13 // width of names and values from which offsets are displayed beside them
	roomyValueWidth = 9  // width of the values if there is space for types
	usualTypeWidth  = 9
)

// Limits of the names and of the types, as shares of the width of names, values and types. Short names and the root's
// have the largest of the first three.
const (
	usualNameShare  = 0.5
	narrowNameShare = 0.62 // up to narrowNameWidth
	roomyNameShare  = 0.68 // if the values leave that much
	fullNameShare   = 0.75 // limit of long names; more if the values leave more
	fullTypeShare   = 1. / 6
)

// divideWidth divides the width among the columns. Offsets and sizes keep all digits, and are hidden if they leave too
// little for names and values. Types are displayed if they fit, and values get the rest. If the width is too small for
// all columns, they can be scrolled.
func (t *Tree) divideWidth(width float32) []float32 {
	size := t.style.Size()
	if size != t.dividedTextSize {
		t.dividedTextSize = size
		t.fitDigits()
	}
	columns := t.view.Rows.Columns()
	offsetWidth, sizeWidth := columns[Offset].Min, columns[Size].Min
	if width-offsetWidth-sizeWidth < sizesFrom*size {
		sizeWidth = 0
	}
	if width-offsetWidth-sizeWidth < offsetsFrom*size {
		offsetWidth = 0
	}
	available := max(width-offsetWidth-sizeWidth, (minNameWidth+minValueWidth)*size)
	nameWidth := t.nameWidth(available, size)
	typeWidth := float32(0)
	wideType := max(usualTypeWidth*size, min(t.view.Common(int(Type)), available*fullTypeShare))
	if available-nameWidth-wideType >= roomyValueWidth*size {
		typeWidth = wideType
	}
	return []float32{nameWidth, available - nameWidth - typeWidth, typeWidth, offsetWidth, sizeWidth}
}

// nameWidth returns the width of the names, given that of names, values and types. Names are as wide as the first ones
// in view, but take more than fullNameShare only if the values need less than the rest. The root's name, which the tab
// displays as well, gets less.
func (t *Tree) nameWidth(available, size float32) float32 {
	valueWidth := t.view.Common(int(Value))
	usual := max(available*usualNameShare, min(available*narrowNameShare, narrowNameWidth*size),
		min(available*roomyNameShare, available-valueWidth))
	width := max(t.view.Widest(int(Name)), min(max(t.view.RootWidth(), usualNameWidth*size), usual))
	width = min(width, maxNameWidth*size, max(available*fullNameShare, available-max(valueWidth, minValueWidth*size)))
	return min(max(width, minNameWidth*size), available-minValueWidth*size)
}
