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
	c := row.Comparison()
	d, old := c.New, row.New == nil
	if old {
		d = c.Old
	}
	if d.FindKey == nil {
		return false
	}
	for up := row.Node(); up != nil; up = up.Parent {
		if up.Key == "" {
			continue
		}
		path, ok := d.FindKey(up.Key)
		if !ok {
			return false
		}
		n := d.At(path)
		if n == nil || n == up {
			return false
		}
		_, is := c.Thing(n, old)
		return is && c.PairOf(n, old).Status != compare.Same
	}
	return false
}
