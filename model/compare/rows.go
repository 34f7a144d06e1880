package compare

import (
	"cmp"
	"errors"
	"iter"

	"assay/model"
)

// Rows calls do for each row of the report, in the order of the new file, until it returns an error, which Rows
// returns. Nothing is stored: a report may have a million rows, and they may be tens of thousands of levels deep.
func (c *Comparison) Rows(do func(p *Pair) error) error {
	p := c.Root()
	if !p.IsRow() || p.Counts.Differences() == 0 {
		p = p.Next()
	}
	for ; p != nil; p = p.Next() {
		if err := do(p); err != nil {
			return err
		}
	}
	return nil
}

// RowPaths finds the paths of the rows of a report, in its order, with indexes of elements.
type RowPaths struct{ old, new model.Paths }

// NamedRowPaths returns paths with the names of elements.
func NamedRowPaths() *RowPaths { return &RowPaths{model.Paths{Named: true}, model.Paths{Named: true}} }

// PathOf returns the path of the node of a pair: of the new one, or of the old one where there is no new one.
func (r *RowPaths) PathOf(p *Pair) string {
	if p.New == nil {
		return r.old.Text(p.Old)
	}
	return r.new.Text(p.New)
}

// HasRowsBelow reports whether there may be rows below the pair.
func (p *Pair) HasRowsBelow() bool {
	if p.Leaf() {
		return false
	}
	return p.Status == Changed || p.containsMoved
}

// Next returns the row after p in the order of the report, nil after the last. From the root it is the first one.
func (p *Pair) Next() *Pair {
	for i := 0; p != nil; {
		switch c := p.nextDifferent(i); {
		case c == nil:
			p, i = p.parent, p.index+1
		case c.IsRow():
			return c
		default:
			p, i = c, 0
		}
	}
	return nil
}

// RowsBelow returns the rows below p, in the order of the report.
func (p *Pair) RowsBelow() iter.Seq[*Pair] {
	at := p.Path()
	return func(yield func(p *Pair) bool) {
		for q := p.Next(); q != nil; q = q.Next() {
			if path := q.Path(); len(path) <= len(at) || !path[:len(at)].Equal(at) || !yield(q) {
				return
			}
		}
	}
}

// nextDifferent returns the first child from i on at or below which there are rows; nil after the last.
func (p *Pair) nextDifferent(i int) *Pair {
	if !p.HasRowsBelow() {
		return nil
	}
	pairs := p.childPairs()
	if i >= pairs.total {
		return nil
	}
	for n, index := pairs.find(i); n < len(pairs.runs); n, index = n+1, 0 {
		r := &pairs.runs[n]
		for ; r.status != Same && !r.uncounted && index < r.n; index++ {
			if c := p.Child(pairs.starts[n] + index); c.Counts.Differences() > 0 {
				return c
			}
		}
	}
	return nil
}

// Previous returns the row before p in the order of the report, nil before the first.
func (p *Pair) Previous() *Pair {
	for up := p.parent; up != nil; p, up = up, up.parent {
		if q := up.lastRowBefore(p.index); q != nil {
			return q
		}
		if up.IsRow() {
			return up
		}
	}
	return nil
}

// lastRowBefore returns the last row at or below the children before i.
func (p *Pair) lastRowBefore(i int) *Pair {
	pairs := p.childPairs()
	if i <= 0 {
		return nil
	}
	n, index := pairs.find(i - 1)
	for n >= 0 {
		r := pairs.runs[n]
		if r.status != Same && !r.uncounted {
			for ; index >= 0; index-- {
				c := p.Child(pairs.starts[n] + index)
				if c.HasRowsBelow() {
					if q := c.lastRowBefore(c.Len()); q != nil {
						return q
					}
				}
				if c.IsRow() {
					return c
				}
			}
		}
		if n--; n >= 0 {
			index = pairs.runs[n].n - 1
		}
	}
	return nil
}

// Path returns the path of the pair among the pairs, as child indexes from the root down.
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

// At returns the pair at a path, or nil.
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

// PairOf returns the pair of a node of the old or the new document. If its pair is not below the pair of its parent,
// because it matched under another parent, PairOf returns the row of the node, else the nearest pair above. It is never
// nil.
func (c *Comparison) PairOf(n *model.Node, old bool) *Pair {
	p := c.Root()
	for _, i := range n.Path() {
		q := p.childOf(i, old)
		if q == nil {
			return c.findPair(n, old, p)
		}
		p = q
	}
	return p
}

// childOf returns the pair of the i-th child on one side, or nil if its counterpart is below another parent.
func (p *Pair) childOf(i int, old bool) *Pair {
	if p.Leaf() {
		return nil
	}
	pairs := p.childPairs()
	for index, r := range pairs.runs {
		first := r.new
		if old {
			first = r.old
		}
		if first >= 0 && i >= first && i < first+r.n {
			return p.Child(pairs.starts[index] + i - first)
		}
	}
	return nil
}

// findPair looks for the pair of a node among all rows; without one it is the pair above.
func (c *Comparison) findPair(n *model.Node, old bool, above *Pair) *Pair {
	errFound := errors.New("found")
	_ = c.Rows(func(p *Pair) error {
		node := p.New
		if old {
			node = p.Old
		}
		if node != nil && node.Offset == n.Offset && node.Key == n.Key && node.Type == n.Type {
			above = p
			return errFound
		}
		return nil
	})
	return above
}

// Changes calls do for each row of the report as it is counted and written: in a list of keyed items that only one file
// has, each item is a row.
func (c *Comparison) Changes(do func(p *Pair) error) error {
	return c.Rows(func(p *Pair) error { return p.EachListed(do) })
}

// EachListed calls do for each row that Changes lists for a row.
func (p *Pair) EachListed(do func(p *Pair) error) error {
	n := p.Node()
	if p.Old != nil && p.New != nil || p.containsMoved || listedItems(n) == 0 {
		return do(p)
	}
	l := childrenOf(n, 0)
	for i := range l.count {
		q := &Pair{c: p.c, parent: p, Status: p.Status}
		if p.Status == Added {
			q.New = n.Child(l.first + i)
		} else {
			q.Old = n.Child(l.first + i)
		}
		if err := do(q); err != nil {
			return err
		}
	}
	return nil
}

// ownRows returns the rows that Changes lists of a pair in a state, without those below it.
func ownRows(s Status, old, new *model.Node) (c Counts) {
	n := cmp.Or(new, old)
	if old != nil && new != nil {
		*c.At(s) = 1
		c.countKeys(s, old, new)
		return c
	}
	*c.At(s) = int64(max(1, listedItems(n)))
	return c
}

// countKeys counts a row of two nodes if it is an item with another key.
func (c *Counts) countKeys(s Status, old, new *model.Node) {
	switch {
	case old == nil || new == nil || !hasOtherKey(old, new):
	case s == Changed:
		c.OtherKey.Changed++
	case s == Moved:
		c.OtherKey.Moved++
	}
}

// HasOtherKey reports whether the nodes of the pair are an item with another key than before.
func (p *Pair) HasOtherKey() bool { return p.Old != nil && p.New != nil && hasOtherKey(p.Old, p.New) }

func hasOtherKey(old, new *model.Node) bool {
	return old.Key != "" && new.Key != "" && old.Key != new.Key
}

// listedItems returns the number of keyed items in a list that has no key itself, or 0 for any other node.
func listedItems(n *model.Node) int {
	if n.Key != "" || !IsList(n) {
		return 0
	}
	if l := childrenOf(n, 0); l.count > 0 && n.Child(l.first).Key != "" {
		return l.count
	}
	return 0
}
