package tree

import (
	"assay/model"
	"assay/model/find"
)

// SetFilter shows what a filter left that looks for some words, in lower case, which are lit; nil shows everything
// again, with what was open before.
func (t *Tree) SetFilter(f *find.Filtered, words ...string) {
	t.words = words
	t.setFilter(f, 0)
}

// GrowFilter shows what the filter that is shown has found meanwhile: more of the same, further down.
func (t *Tree) GrowFilter(f *find.Filtered) { t.setFilter(f, t.view.Rows.First()) }

func (t *Tree) setFilter(f *find.Filtered, first int64) {
	current := t.view.CurrentPath()
	if f != nil && t.filter == nil {
		s := t.State()
		t.unfiltered, t.selected = &s, current
	}
	t.filter = f
	if f != nil {
		t.rebuild(nil)
		t.openMatches()
		t.view.Rows.Refresh()
		t.view.Rows.SetFirst(first)
	} else {
		s := State{}
		if t.unfiltered != nil {
			s, t.unfiltered = *t.unfiltered, nil
		}
		t.rebuild(s.Open)
		t.view.Rows.SetFirst(s.First)
		if current == nil {
			current = t.selected
		}
	}
	if current == nil {
		return
	}
	if f == nil {
		t.Reveal(current)
	} else if p, ok := t.view.Find(current); ok {
		t.view.Rows.SetCurrent(t.view.Row(p))
	}
	t.view.Rows.Refresh()
}

// Filtered reports whether a filter is on.
func (t *Tree) Filtered() bool { return t.filter != nil }

// openMatches opens what a filter left: the ways to all matches, up to a bound.
func (t *Tree) openMatches() {
	if t.view.Len() == 0 {
		return
	}
	way := []place{t.view.Root()}
	for len(way) > 0 && t.view.Len() < t.view.Most {
		p := way[0]
		way = way[1:]
		kept := (*source)(t).keptBelow(p)
		if kept == nil {
			continue
		}
		b, _ := t.view.Expand(p)
		if b == nil {
			continue
		}
		for _, index := range kept.Index {
			if kept.Below[index] == nil {
				continue
			}
			if pos, ok := b.Level.Position(int(index)); ok {
				way = append(way, b.Place(pos))
			}
		}
	}
}

// Chosen lists the selected nodes, but for those below another of them: the way to the top of a long selection is
// short. At most limit are listed; more says that there are others. With a filter on, a node that is shown only because
// of what is below it counts only if it is selected alone.
func (t *Tree) Chosen(limit int) (nodes []*model.Node, more bool) {
	selection := t.view.Rows.Selection()
	alone := selection.Count() == 1
	next := int64(0)
	for row, p := range t.view.Selected() {
		if row < next || t.filter != nil && !alone && (*source)(t).keptBelow(p) != nil {
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

// Shown lists the nodes that the filter found, which stand for all that is below them; without a filter, the root.
func (t *Tree) Shown(limit int) (nodes []*model.Node, more bool) {
	switch {
	case t.root == nil:
		return nil, false
	case t.filter == nil:
		return []*model.Node{t.root}, false
	case t.filter.Kept == nil:
		return nil, false
	}
	type step struct {
		n    *model.Node
		kept *find.Kept
	}
	way := []step{{t.root, t.filter.Kept}}
	for len(way) > 0 {
		s := way[len(way)-1]
		way = way[:len(way)-1]
		if s.kept == nil {
			if len(nodes) == limit {
				return nodes, true
			}
			nodes = append(nodes, s.n)
			continue
		}
		for k := len(s.kept.Index) - 1; k >= 0; k-- {
			i := s.kept.Index[k]
			way = append(way, step{s.n.Child(int(i)), s.kept.Below[i]})
		}
	}
	return nodes, t.filter.More
}
