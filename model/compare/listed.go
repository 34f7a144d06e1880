package compare

import "assay/model"

// Changes calls do for each row of the report as it is counted and written: a thing that has another key than before is
// removed, and added with what it was; of a list of things with keys that only one file has, each of these is a row.
func (c *Comparison) Changes(do func(p *Pair) error) error {
	return c.Rows(func(p *Pair) error { return p.Listed(do) })
}

// Listed calls do for what Changes lists of a row.
func (p *Pair) Listed(do func(p *Pair) error) error {
	if p.Old != nil && p.New != nil {
		if !hasOtherKey(p.Old, p.New) {
			return do(p)
		}
		if err := do(&Pair{c: p.c, parent: p.parent, Old: p.Old, Status: Removed}); err != nil {
			return err
		}
		return do(&Pair{c: p.c, parent: p.parent, New: p.New, Status: Added, Was: p.Old})
	}
	n := p.Node()
	if p.holdsMoved || listedThings(n) == 0 {
		return do(p)
	}
	f := familyOf(n, 0)
	for i := range f.count {
		q := &Pair{c: p.c, parent: p, Status: p.Status}
		if p.Status == Added {
			q.New = n.Child(f.first + i)
		} else {
			q.Old = n.Child(f.first + i)
		}
		if err := do(q); err != nil {
			return err
		}
	}
	return nil
}

// ownRows returns the rows that Changes lists of a pair in a state, without those below it.
func ownRows(s Status, old, new *model.Node) (c Counts) {
	switch {
	case old == nil || new == nil:
		n := new
		if n == nil {
			n = old
		}
		*c.At(s) = int64(max(1, listedThings(n)))
	case s != Same && hasOtherKey(old, new):
		c.Removed, c.Added = 1, 1
	default:
		*c.At(s) = 1
	}
	return c
}

// hasOtherKey reports whether two nodes are a thing that had another key.
func hasOtherKey(old, new *model.Node) bool {
	return old.Key != "" && new.Key != "" && old.Key != new.Key
}

// listedThings returns the number of things with keys in a list that has none itself; 0 for any other node.
func listedThings(n *model.Node) int {
	if n.Key != "" || !IsList(n) {
		return 0
	}
	if f := familyOf(n, 0); f.count > 0 && n.Child(f.first).Key != "" {
		return f.count
	}
	return 0
}
