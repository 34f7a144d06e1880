package changes

import (
	"io"

	"assay/model"
	"assay/model/compare"
)

// Stop returns the pair at which going from thing to thing stops for a row of the report: the thing that came, went,
// moved, or of which something of its own changed, or a change that belongs to no thing. It is nil for rows that
// another stop stands for. A stop is never after the row in the order of the report.
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
func namesThing(row *compare.Pair) bool { return thingKeys(row.Comparison())[row.Node().NearestKey()] }

// thingKeysKept is the key of the keys of things in the memo of a comparison.
type thingKeysKept struct{}

// thingKeys returns the keys of the first things that are rows.
func thingKeys(c *compare.Comparison) map[string]bool {
	if keys, ok := c.Memo.Load(thingKeysKept{}); ok {
		return keys.(map[string]bool)
	}
	keys := make(map[string]bool)
	_ = c.Rows(func(p *compare.Pair) error {
		if _, is := c.ThingOf(p); is && p.Node().Key != "" {
			keys[p.Node().Key] = true
		}
		if len(keys) == keysKept {
			return io.EOF
		}
		return nil
	})
	c.Memo.Store(thingKeysKept{}, keys)
	return keys
}

// Subject is what a row of the report is about.
type Subject struct {
	Key     string // the same in all rows of a thing; empty of what has none
	Name    string // of the thing, or of the part of the file that the row is in
	IsThing bool
	Status  compare.Status // of the thing; changed, if it is none
	IsPlace bool           // the row says only that the thing is at another place, or what others are in
}

// isPlace reports whether a row of a thing says only that the thing is at another place, or what others are in.
func isPlace(row *compare.Pair, t model.Thing) bool {
	return row.IsParent() || t.Place != nil && row.Status == compare.Changed && t.Place(row.Node())
}

// SubjectOf returns the thing that a row of the report is in; of any other row, the part of the file that it is in. It
// may be about a thing all the same, which has the key then.
func SubjectOf(row *compare.Pair) Subject {
	c := row.Comparison()
	if thing := thingAbove(row); thing != nil {
		n := thing.Node()
		t, _ := c.ThingOf(thing)
		name := ThingChange{Kind: t.Kind, Name: NameOf(n)}.name()
		if n.Key == "" {
			return Subject{name, name, true, thing.Status, isPlace(row, t)}
		}
		return Subject{n.Key, name, true, thing.Status, isPlace(row, t)}
	}
	n := row.Node()
	key := n.NearestKey()
	for n.Parent != nil && n.Parent.Parent != nil {
		n = n.Parent
	}
	return Subject{Key: key, Name: model.OneLine(n.PathText(), 200), Status: compare.Changed}
}
