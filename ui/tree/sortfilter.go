package tree

import (
	"cmp"
	"context"
	"slices"

	"assay/model"
	"assay/model/find"
	"assay/ui/host"
	"assay/ui/rows"
)

// sort sorts every expanded level by a column, long levels in the background.
func (t *Tree) sort(column int, order rows.Order) {
	t.sortColumn, t.sortOrder = Column(column), order
	t.view.Rows.SetSort(column, order)
	t.forgetOrders()
	t.reorder()
}

// forgetOrders drops the orders of all levels and cancels sorting.
func (t *Tree) forgetOrders() {
	clear(t.orders)
	t.sorter.Close()
	t.sorter = t.group.Subgroup()
	t.sorting = 0
	t.showBusy(false)
}

// reorder displays the levels in the current order and keeps the current row in view.
func (t *Tree) reorder() {
	s := t.State()
	t.rebuild(s.Open)
	if s.Current != nil {
		t.Reveal(s.Current)
	}
}

// levelKey identifies the children of a node by its path, as the *model.Node can be another one on each call.
type levelKey struct {
	root *model.Node
	path string
}

func levelKeyOf(n *model.Node) levelKey { return levelKey{n.Root(), n.PathText()} }

// orderOf returns the order of a level. It returns nil while the level is sorted in the background, or if it is too
// long.
func (t *Tree) orderOf(n *model.Node) []int32 {
	key := levelKeyOf(n)
	if o, ok := t.orders[key]; ok {
		return o
	}
	if n.Len() > maxSorted {
		t.host.ShowHint("Levels with more than " + host.Number(maxSorted) + " nodes cannot be sorted.")
		t.orders[key] = nil
		return nil
	}
	if n.Len() <= maxSortedAtOnce {
		o, _ := sorted(context.Background(), n, t.sortColumn, t.sortOrder)
		t.orders[key] = o
		return o
	}
	t.orders[key] = nil
	column, order := t.sortColumn, t.sortOrder
	t.sorting++
	t.showBusy(true)
	t.sorter.Go(func(ctx context.Context) func() {
		o, err := sorted(ctx, n, column, order)
		return func() {
			t.sorting--
			t.showBusy(t.sorting > 0)
			if err == nil {
				t.orders[key] = o
				t.reorder()
			}
		}
	})
	return nil
}

func (t *Tree) showBusy(sorting bool) {
	task := ""
	if sorting {
		task = "Sorting"
	}
	t.host.Busy(task, -1, nil)
}

// Column is a column of the tree.
type Column int

// The columns.
const (
	Name Column = iota
	Value
	Type
	Offset
	Size
)

// maxSorted is the longest level that is sorted.
const maxSorted = 2_000_000

// maxSortedAtOnce is the maximum length of a level that is sorted immediately; longer levels are sorted in the
// background.
const maxSortedAtOnce = 2_000

// valueClass is the class of a value: values of a smaller class are sorted first.
type valueClass uint8

const (
	numberClass valueClass = iota
	textClass
	emptyClass // no value
)

// sortKey is the sort key of a child.
type sortKey struct {
	text    string
	number  float64
	integer int64
	index   int32
	class   valueClass
}

// sorted returns the order of a node's children by a column.
func sorted(ctx context.Context, n *model.Node, column Column, order rows.Order) ([]int32, error) {
	keys := make([]sortKey, n.Len())
	for i := range keys {
		if i%1024 == 1023 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		keys[i] = keyOf(n.Child(i), column)
		keys[i].index = int32(i)
	}
	compare := func(a, b sortKey) int {
		if c := cmp.Compare(a.class, b.class); c != 0 { // children without a value are last in both directions
			return c
		}
		c := cmp.Compare(a.integer, b.integer)
		if a.class == numberClass {
			if column == Value {
				c = cmp.Compare(a.number, b.number)
			}
		} else {
			c = model.CompareNames(a.text, b.text)
		}
		if order == rows.Descending {
			c = -c
		}
		if c == 0 {
			c = cmp.Compare(a.index, b.index)
		}
		return c
	}
	slices.SortFunc(keys, compare)
	out := make([]int32, len(keys))
	for i, k := range keys {
		out[i] = k.index
	}
	return out, ctx.Err()
}

func keyOf(n *model.Node, column Column) sortKey {
	switch column {
	case Offset:
		return sortKey{integer: n.Offset}
	case Size:
		return sortKey{integer: n.Size}
	case Type:
		return sortKey{class: textClass, text: n.Type}
	case Value:
		switch v := n.Value.(type) {
		case int64:
			return sortKey{number: float64(v)}
		case uint64:
			return sortKey{number: float64(v)}
		case float32:
			return sortKey{number: float64(v)}
		case float64:
			return sortKey{number: v}
		}
		if t := n.ValueText(); t != "" {
			return sortKey{class: textClass, text: t}
		}
		if n.Key != "" {
			return sortKey{class: textClass, text: n.Key}
		}
		return sortKey{class: emptyClass}
	}
	return sortKey{class: textClass, text: n.Name}
}

// SetFilter displays the filtered nodes, and highlights its words, which are in lower case. nil displays all nodes and
// expands the nodes that were expanded before.
func (t *Tree) SetFilter(f *find.Filtered, words ...string) {
	t.words = words
	t.setFilter(f, 0)
}

// GrowFilter displays more results of the current filter. The first ones are the same.
func (t *Tree) GrowFilter(f *find.Filtered) { t.setFilter(f, t.view.Rows.First()) }

func (t *Tree) setFilter(f *find.Filtered, first int64) {
	current := t.view.CurrentPath()
	if f != nil && t.filter == nil {
		s := t.State()
		t.stateBefore, t.currentBefore = &s, current
	}
	t.filter = f
	if f != nil {
		t.rebuild(nil)
		t.openMatches()
		t.view.Rows.Refresh()
		t.view.Rows.SetFirst(first)
	} else {
		s := State{}
		if t.stateBefore != nil {
			s, t.stateBefore = *t.stateBefore, nil
		}
		t.rebuild(s.Open)
		t.view.Rows.SetFirst(s.First)
		if current == nil {
			current = t.currentBefore
		}
	}
	if current == nil {
		return
	}
	if f == nil {
		t.Reveal(current)
	} else if p, ok := t.view.Find(current); ok {
		t.view.Rows.SetCurrent(t.view.RowOf(p))
	}
	t.view.Rows.Refresh()
}

// IsFiltered reports whether a filter is on.
func (t *Tree) IsFiltered() bool { return t.filter != nil }

// GoToMatch makes the first match current, unless the current node is a match already.
func (t *Tree) GoToMatch() {
	isMatch := func(p rowPos) bool { return (*source)(t).matchesBelow(p) == nil }
	if p, ok := t.view.Current(); t.filter == nil || t.filter.Tree == nil || ok && isMatch(p) {
		return
	}
	for row := range min(t.view.Len(), int64(t.view.MaxRows)) {
		if isMatch(t.view.At(row)) {
			t.view.GoTo(row)
			return
		}
	}
}

// openMatches expands the ancestors of all matches, up to a maximum number of rows.
func (t *Tree) openMatches() {
	if t.view.Len() == 0 {
		return
	}
	queue := []rowPos{t.view.Root()}
	for len(queue) > 0 && t.view.Len() < t.view.MaxRows {
		p := queue[0]
		queue = queue[1:]
		filtered := (*source)(t).matchesBelow(p)
		if filtered == nil {
			continue
		}
		b, _ := t.view.Expand(p)
		if b == nil {
			continue
		}
		for _, index := range filtered.Index {
			if filtered.Below[index] == nil {
				continue
			}
			if pos, ok := b.Level.Position(int(index)); ok {
				queue = append(queue, b.RowAt(pos))
			}
		}
	}
}

// TopSelected lists the selected nodes, except those below another selected node. It lists at most limit nodes;
// truncated reports whether there are others. With a filter, a node that is displayed only for its descendants counts
// only if it is the only selected one.
func (t *Tree) TopSelected(limit int) (nodes []*model.Node, truncated bool) {
	selection := t.view.Rows.Selection()
	isOnlyOne := selection.Count() == 1
	next := int64(0)
	for row, p := range t.view.Selected() {
		if row < next || t.filter != nil && !isOnlyOne && (*source)(t).matchesBelow(p) != nil {
			continue
		}
		if len(nodes) == limit {
			return nodes, true
		}
		nodes = append(nodes, (*source)(t).node(p))
		if p.Open != nil {
			next = row + 1 + p.Open.Rows()
		}
	}
	return nodes, false
}

// MatchedNodes lists the nodes that match the filter, each for all its descendants; without a filter, the root.
func (t *Tree) MatchedNodes(limit int) (nodes []*model.Node, truncated bool) {
	switch {
	case t.root == nil:
		return nil, false
	case t.filter == nil:
		return []*model.Node{t.root}, false
	case t.filter.Tree == nil:
		return nil, false
	}
	type step struct {
		n        *model.Node
		filtered *find.FilteredChildren
	}
	stack := []step{{t.root, t.filter.Tree}}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if s.filtered == nil {
			if len(nodes) == limit {
				return nodes, true
			}
			nodes = append(nodes, s.n)
			continue
		}
		for k := len(s.filtered.Index) - 1; k >= 0; k-- {
			i := s.filtered.Index[k]
			stack = append(stack, step{s.n.Child(int(i)), s.filtered.Below[i]})
		}
	}
	return nodes, t.filter.Truncated
}
