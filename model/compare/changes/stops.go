package changes

import (
	"io"

	"assay/model"
	"assay/model/compare"
)

// StepTarget returns the pair at which stepping from item to item stops for row: the item that was added, removed,
// moved or changed itself, or a change outside of items. It returns nil if row belongs to another stop. A stop never
// follows row.
func StepTarget(row *compare.Pair) *compare.Pair {
	thing := enclosingItem(row)
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

// Field reports whether a row is a stop when stepping from field to field. Checksums are not: they follow from other
// changes.
func Field(row *compare.Pair) bool {
	return isChange(row) && (row.Node().Role != model.RoleSum || row.Comparison().Options.Layout)
}

// isChange reports whether a row is more than a parent of others.
func isChange(row *compare.Pair) bool {
	return row.Row() && (row.Leaf() || row.Status != compare.Changed)
}

// enclosingItem returns the nearest item at or above a pair, or nil.
func enclosingItem(p *compare.Pair) *compare.Pair {
	for ; p != nil; p = p.Parent() {
		if _, is := p.Comparison().ThingOf(p); is {
			return p
		}
	}
	return nil
}

// hasOwnChange reports whether an item has a change that is in no item below it.
func hasOwnChange(thing *compare.Pair) bool {
	if thing.Leaf() {
		return true
	}
	at := thing.Path()
	for p := range thing.RowsBelow() {
		if isChange(p) && enclosingItem(p).Path().Equal(at) {
			return true
		}
	}
	return false
}

// namesThing reports whether a row belongs to a node that refers to a changed item: the entry of an asset in an index,
// a reference to a node.
func namesThing(row *compare.Pair) bool { return thingKeys(row.Comparison())[row.Node().NearestKey()] }

// thingKeysKept is the key of the keys of changed items in the memo of a comparison.
type thingKeysKept struct{}

// thingKeys returns the keys of the first items that are rows.
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
