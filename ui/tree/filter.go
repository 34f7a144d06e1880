package tree

import (
	"assay/model"
	"assay/model/find"
)

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
