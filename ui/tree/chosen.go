package tree

import (
	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/find"
)

// Chosen lists the selected nodes, but for those below another of them: the way to the top of a long selection is
// short. At most limit are listed; more says that there are others. With a filter on, a node that is shown only because
// of what is below it counts only if it is selected alone.
func (t *Tree) Chosen(limit int) (nodes []*model.Node, more bool) {
	selection := t.rows.Selection()
	alone := selection.Count() == 1
	for _, i := range selection.All() {
		for row := i.From; row < i.To; {
			p := t.mirror.At(row)
			row++
			if t.filter != nil && !alone && t.mirror.keptBelow(p) != nil {
				continue
			}
			if len(nodes) == limit {
				return nodes, true
			}
			nodes = append(nodes, t.mirror.node(p))
			if p.Open != nil {
				row += p.Open.Rows()
			}
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

// drags hands a drag that begins on a selected row on to the owner.
func (t *Tree) drags() {
	t.rows.OnDragStart = func(_ int64, at fyne.Position) bool { return t.OnDragStart != nil && t.OnDragStart(at) }
	t.rows.OnDragged = func(at fyne.Position) {
		if t.OnDragged != nil {
			t.OnDragged(at)
		}
	}
	t.rows.OnDragEnd = func() {
		if t.OnDragEnd != nil {
			t.OnDragEnd()
		}
	}
}
