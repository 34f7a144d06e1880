package compare

// Changes calls do for each row of the report as diff --json lists them: a thing that has another key than before is
// removed, and added with the key that it had; of a list of things with keys that only one file has, each of these is a
// row.
func (c *Comparison) Changes(do func(p *Pair) error) error {
	return c.Rows(func(p *Pair) error {
		things := p.things()
		switch {
		case things != nil:
			return things(do)
		case p.otherKey():
			if err := do(&Pair{c: c, parent: p.parent, Old: p.Old, Status: Removed}); err != nil {
				return err
			}
			return do(&Pair{c: c, parent: p.parent, New: p.New, Status: Added, WasKey: p.Old.Key})
		}
		return do(p)
	})
}

// otherKey reports whether the pair is a thing that had another key.
func (p *Pair) otherKey() bool {
	return p.Old != nil && p.New != nil && p.Old.Key != "" && p.New.Key != "" && p.Old.Key != p.New.Key
}

// things returns what calls do with each of the things in a list of some with keys that only one file has; nil if the
// pair is nothing like that.
func (p *Pair) things() func(do func(*Pair) error) error {
	n := p.Node()
	if p.Status != Added && p.Status != Removed || p.Counts.Differences() > 1 || n.Key != "" || !IsList(n) {
		return nil // where there is more in it, some of it was elsewhere
	}
	f := familyOf(n, 0)
	if f.count == 0 || n.Child(f.first).Key == "" {
		return nil
	}
	return func(do func(*Pair) error) error {
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
}
