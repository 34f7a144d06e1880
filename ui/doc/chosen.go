package doc

import (
	"context"

	"assay/model"
)

// chosenMax is how many selected nodes, or matches of a filter, are taken at once.
const chosenMax = 100_000

// Nodes gives nodes of the document in a job: what stands for others has to be followed. more says that there are
// others beyond what is taken at once.
type Nodes func(ctx context.Context) (nodes []*model.Node, more bool, err error)

// Chosen gives the selected nodes, without those that are below another of them.
func (p *Pane) Chosen() Nodes {
	nodes, more := p.tree.Chosen(chosenMax)
	if len(nodes) == 0 && p.node != nil {
		n := p.node
		return func(context.Context) ([]*model.Node, bool, error) { return []*model.Node{n}, false, nil }
	}
	return p.meant(nodes, more)
}

// Shown gives what the filter shows, or all there is.
func (p *Pane) Shown() Nodes { return p.meant(p.tree.Shown(chosenMax)) }

// meant gives the document's nodes that nodes of the tree stand for. A group stands for all that is in it.
func (p *Pane) meant(nodes []*model.Node, more bool) Nodes {
	d, grouped := p.doc, p.grouping > 0
	var root *model.Node
	if grouped {
		root = p.tree.Root()
	}
	return func(ctx context.Context) ([]*model.Node, bool, error) {
		if !grouped {
			return nodes, more, ctx.Err()
		}
		var all []*model.Node
		for _, n := range nodes {
			top := n
			for top.Parent != nil {
				top = top.Parent
			}
			if top != root { // below a leaf of the groups: the document's own
				all = append(all, n)
				continue
			}
			err := model.Walk(n, func(n *model.Node) (bool, error) {
				if n.Link == nil || n.Link.Target == nil {
					return true, ctx.Err()
				}
				path, ok := n.Link.Target()
				if m := d.At(path); ok && m != nil && len(all) < chosenMax {
					all = append(all, m)
				}
				return false, ctx.Err()
			}, nil)
			if err != nil {
				return nil, false, err
			}
		}
		return all, more || len(all) == chosenMax, nil
	}
}

// Side is the panel that is in view beside the inspector, or the inspector itself.
func (p *Pane) Side() Panel {
	if i := p.side.Selected(); i >= 0 && i < len(p.sideAll) {
		return p.sideAll[i]
	}
	return nil
}

// ShowSide brings a panel of the side into view.
func (p *Pane) ShowSide(panel Panel) {
	for i, s := range p.sideAll {
		if s == panel && p.side.Selected() != i {
			p.showSide(i)
		}
	}
}
