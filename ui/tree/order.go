package tree

import (
	"context"

	"assay/model"
	"assay/ui/rows"
)

// sort sorts every opened level by a column; levels that are long are sorted in the background.
func (t *Tree) sort(column int, order rows.Order) {
	t.sortColumn, t.sortOrder = Column(column), order
	t.view.Rows.SetSort(column, order)
	t.forgetOrders()
	t.reorder()
}

// forgetOrders ends the sorting that goes on.
func (t *Tree) forgetOrders() {
	clear(t.orders)
	t.sorter.Close()
	t.sorter = t.group.Under()
	t.sorting = 0
	t.busy(false)
}

// reorder shows the levels in the present order and keeps the current row in view.
func (t *Tree) reorder() {
	s := t.State()
	t.rebuild(s.Open)
	if s.Current != nil {
		t.Reveal(s.Current)
	}
}

// level names the children of a node, whatever Node stands for it at the time.
type level struct {
	root *model.Node
	path string
}

func levelOf(n *model.Node) level {
	root := n
	for root.Parent != nil {
		root = root.Parent
	}
	return level{root, n.PathText()}
}

// orderOf returns the order of a level; nil, for now, if it must be found in the background.
func (t *Tree) orderOf(n *model.Node) []int32 {
	key := levelOf(n)
	if o, ok := t.orders[key]; ok {
		return o
	}
	if n.Len() > sortMax {
		t.host.Tell("Levels with more than 2,000,000 nodes cannot be sorted.")
		t.orders[key] = nil
		return nil
	}
	if n.Len() <= sortNow {
		o, _ := sorted(context.Background(), n, t.sortColumn, t.sortOrder)
		t.orders[key] = o
		return o
	}
	t.orders[key] = nil
	column, order := t.sortColumn, t.sortOrder
	t.sorting++
	t.busy(true)
	t.sorter.Go(func(ctx context.Context) func() {
		o, err := sorted(ctx, n, column, order)
		return func() {
			t.sorting--
			t.busy(t.sorting > 0)
			if err == nil {
				t.orders[key] = o
				t.reorder()
			}
		}
	})
	return nil
}

func (t *Tree) busy(sorting bool) {
	what := ""
	if sorting {
		what = "Sorting"
	}
	t.host.Busy(what, -1, nil)
}
