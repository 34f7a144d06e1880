package tree

import (
	"cmp"
	"context"
	"slices"

	"assay/model"
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

// level identifies the children of a node by its path, as the *model.Node can be another one on each call.
type level struct {
	root *model.Node
	path string
}

func levelOf(n *model.Node) level { return level{n.Root(), n.PathText()} }

// orderOf returns the order of a level. It returns nil while the level is sorted in the background.
func (t *Tree) orderOf(n *model.Node) []int32 {
	key := levelOf(n)
	if o, ok := t.orders[key]; ok {
		return o
	}
	if n.Len() > maxSorted {
		t.host.ShowHint("Levels with more than 2,000,000 nodes cannot be sorted.")
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
