package changes

import (
	"assay/model"
	"assay/model/compare"
)

// Stop returns the pair at which going from thing to thing stops for a row of the report: the thing that came, went,
// moved, or of which something of its own changed, or a change that belongs to no thing. It is nil for rows that another
// stop stands for. A stop is never after the row in the order of the report.
func Stop(row *compare.Pair) *compare.Pair {
	thing := thingAbove(row)
	switch {
	case thing == nil:
		if !isChange(row) || namesThing(row) {
			return nil
		}
		return row
	case thing.Path().Equal(row.Path()):
		if isChange(row) || row.Relocated || row.Renamed || hasOwnChange(row) {
			return row
		}
		return nil
	case thing.Row() || !isChange(row):
		return nil // it was a row itself
	}
	return thing
}

// Field reports whether a row is a stop when going from field to field: sums follow from what they are of.
func Field(row *compare.Pair) bool {
	return isChange(row) && (row.Node().Role != model.RoleSum || row.Comparison().Options.Layout)
}

// isChange reports whether a row is more than a parent of others.
func isChange(row *compare.Pair) bool {
	return row.Row() && (row.Leaf() || row.Status != compare.Changed)
}

// thingAbove returns the nearest thing at or above a pair; nil if it is in none.
func thingAbove(p *compare.Pair) *compare.Pair {
	for ; p != nil; p = p.Parent() {
		if _, is := p.Comparison().ThingOf(p); is {
			return p
		}
	}
	return nil
}

// hasOwnChange reports whether something changed in a thing that is in no thing below it.
func hasOwnChange(thing *compare.Pair) bool {
	if thing.Leaf() {
		return true
	}
	at := thing.Path()
	inside := func(p *compare.Pair) bool { path := p.Path(); return len(path) > len(at) && path[:len(at)].Equal(at) }
	for p := thing.Next(); p != nil && inside(p); p = p.Next() {
		if isChange(p) && thingAbove(p).Path().Equal(at) {
			return true
		}
	}
	return false
}

// namesThing reports whether a row is in something that only says more of a thing that changed, too: the entry of an
// asset in an index, a reference to a node.
func namesThing(row *compare.Pair) bool {
	n := thingNamed(row)
	return n != nil && row.Comparison().PairOf(n, row.New == nil).Status != compare.Same
}

// thingNamed returns the thing that has the key of a row, or of what that is in; nil if none has, or it is in it.
func thingNamed(row *compare.Pair) *model.Node {
	c := row.Comparison()
	d, old := c.New, row.New == nil
	if old {
		d = c.Old
	}
	for up := row.Node(); up != nil && d.FindKey != nil; up = up.Parent {
		if up.Key == "" {
			continue
		}
		path, ok := d.FindKey(up.Key)
		if !ok {
			return nil
		}
		n := d.At(path)
		if _, is := c.Thing(n, old); n == up || !is {
			return nil
		}
		return n
	}
	return nil
}

// Subject is what a row is about.
type Subject struct {
	ID     string // the same for all rows of one subject
	Name   string
	Status compare.Status // changed, unless the row is all there is of it
}

// SubjectOf returns the thing that a row of the report is in, or that it says more of; of any other row, the part of the
// file that it is in.
func SubjectOf(row *compare.Pair) Subject {
	c := row.Comparison()
	if thing := thingAbove(row); thing != nil {
		s := subjectOf(c, thing.Node(), thing.New == nil)
		s.Status = thing.Status
		return s
	}
	if n := thingNamed(row); n != nil {
		s := subjectOf(c, n, row.New == nil)
		if s.Status = compare.Changed; row.Status == compare.Added || row.Status == compare.Removed {
			s.Status = row.Status
		}
		return s
	}
	n := row.Node()
	for n.Parent != nil && n.Parent.Parent != nil {
		n = n.Parent
	}
	path := n.PathText()
	return Subject{ID: path, Name: model.OneLine(path, 200), Status: compare.Changed}
}

func subjectOf(c *compare.Comparison, n *model.Node, old bool) Subject {
	t, _ := c.Thing(n, old)
	name := ThingChange{Kind: t.Kind, Name: NameOf(n)}.name()
	return Subject{ID: name + "\x00" + n.Key, Name: name}
}
