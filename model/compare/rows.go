package compare

import (
	"errors"

	"assay/model"
)

// Rows calls do for each row of the report, in the order of the new file, until it returns an error, which Rows gives
// back. Nothing is kept: a report may have a million rows, and they may be tens of thousands of levels deep.
func (c *Comparison) Rows(do func(p *Pair) error) error {
	p := c.Root()
	if !p.Row() || p.Counts.Differences() == 0 {
		p = p.Next()
	}
	for ; p != nil; p = p.Next() {
		if err := do(p); err != nil {
			return err
		}
	}
	return nil
}

// RowPaths are those of the rows of a report, in its order: with numbers of elements.
type RowPaths struct{ old, new model.Paths }

// NamedRowPaths returns paths with the names of elements.
func NamedRowPaths() *RowPaths { return &RowPaths{model.Paths{Named: true}, model.Paths{Named: true}} }

// Of returns the path of the node of a pair: of the new one, or of the old one where there is no new one.
func (w *RowPaths) Of(p *Pair) string {
	if p.New == nil {
		return w.old.Text(p.Old)
	}
	return w.new.Text(p.New)
}

// HasRowsBelow reports whether there may be rows below the pair.
func (p *Pair) HasRowsBelow() bool {
	if p.Leaf() {
		return false
	}
	return p.Status == Changed || p.holdsMoved
}

// Next returns the row after p in the order of the report, nil after the last. From the root it is the first one.
func (p *Pair) Next() *Pair {
	for i := 0; p != nil; {
		switch c := p.differing(i); {
		case c == nil:
			p, i = p.parent, p.index+1
		case c.Row():
			return c
		default:
			p, i = c, 0
		}
	}
	return nil
}

// differing returns the first child from i on at or below which there are rows; nil after the last.
func (p *Pair) differing(i int) *Pair {
	if !p.HasRowsBelow() {
		return nil
	}
	k := p.below()
	if i >= k.total {
		return nil
	}
	for n, at := k.find(i); n < len(k.runs); n, at = n+1, 0 {
		r := &k.runs[n]
		for ; r.status != Same && !r.oneVersion && at < r.n; at++ {
			if c := p.Child(k.starts[n] + at); c.Counts.Differences() > 0 {
				return c
			}
		}
	}
	return nil
}

// Previous returns the row before p in the order of the report, nil before the first.
func (p *Pair) Previous() *Pair {
	for up := p.parent; up != nil; p, up = up, up.parent {
		if q := up.lastBefore(p.index); q != nil {
			return q
		}
		if up.Row() {
			return up
		}
	}
	return nil
}

// lastBefore returns the last row at or below the children before i.
func (p *Pair) lastBefore(i int) *Pair {
	k := p.below()
	if i <= 0 {
		return nil
	}
	n, at := k.find(i - 1)
	for n >= 0 {
		r := k.runs[n]
		if r.status != Same && !r.oneVersion {
			for ; at >= 0; at-- {
				c := p.Child(k.starts[n] + at)
				if c.HasRowsBelow() {
					if q := c.lastBefore(c.Len()); q != nil {
						return q
					}
				}
				if c.Row() {
					return c
				}
			}
		}
		if n--; n >= 0 {
			at = k.runs[n].n - 1
		}
	}
	return nil
}

// Path returns the place of the pair among the pairs, as child positions from the root down.
func (p *Pair) Path() model.Path {
	depth := 0
	for q := p; q.parent != nil; q = q.parent {
		depth++
	}
	path := make(model.Path, depth)
	for q := p; q.parent != nil; q = q.parent {
		depth--
		path[depth] = q.index
	}
	return path
}

// At returns the pair at a place among the pairs; nil if there is none.
func (c *Comparison) At(path model.Path) *Pair {
	p := c.Root()
	for _, i := range path {
		if i < 0 || i >= p.Len() {
			return nil
		}
		p = p.Child(i)
	}
	return p
}

// PairOf returns the pair of a node of the old or of the new document. Of what is in a part that was added or removed
// as a whole, and of what was found in another place, it is the pair that is nearest above; never nil.
func (c *Comparison) PairOf(n *model.Node, old bool) *Pair {
	p := c.Root()
	for _, i := range n.Path() {
		q := p.childOf(i, old)
		if q == nil {
			return c.elsewhere(n, old, p)
		}
		p = q
	}
	return p
}

// childOf returns the pair of the i-th child of one side; nil if it is in another place.
func (p *Pair) childOf(i int, old bool) *Pair {
	if p.Leaf() {
		return nil
	}
	k := p.below()
	for at, r := range k.runs {
		first := r.new
		if old {
			first = r.old
		}
		if first >= 0 && i >= first && i < first+r.n {
			return p.Child(k.starts[at] + i - first)
		}
	}
	return nil
}

// elsewhere looks for the pair of a node among all rows; without one it is the pair above.
func (c *Comparison) elsewhere(n *model.Node, old bool, above *Pair) *Pair {
	errFound := errors.New("found")
	_ = c.Rows(func(p *Pair) error {
		own := p.New
		if old {
			own = p.Old
		}
		if own != nil && own.Offset == n.Offset && own.Key == n.Key && own.Type == n.Type {
			above = p
			return errFound
		}
		return nil
	})
	return above
}
