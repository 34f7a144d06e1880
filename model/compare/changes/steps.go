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
	item := enclosingItem(row)
	switch {
	case item == nil:
		if !isChange(row) || namesItem(row) {
			return nil
		}
		return row
	case item.Path().Equal(row.Path()):
		if isChange(row) || row.Relocated || row.Renamed || hasOwnChange(row) {
			return row
		}
		return nil
	case item.Row() || !isChange(row):
		return nil // it was a row itself
	}
	return item
}

// IsFieldStep reports whether a row is a stop when stepping from field to field. Checksums are not: they follow from
// other changes.
func IsFieldStep(row *compare.Pair) bool {
	return isChange(row) && (row.Node().Role != model.RoleSum || row.Comparison().Options.Layout)
}

// isChange reports whether a row is more than a parent of others.
func isChange(row *compare.Pair) bool {
	return row.Row() && (row.Leaf() || row.Status != compare.Changed)
}

// enclosingItem returns the nearest item at or above a pair, or nil.
func enclosingItem(p *compare.Pair) *compare.Pair {
	for ; p != nil; p = p.Parent() {
		if _, ok := p.Comparison().ItemOf(p); ok {
			return p
		}
	}
	return nil
}

// hasOwnChange reports whether an item has a change that is in no item below it.
func hasOwnChange(item *compare.Pair) bool {
	if item.Leaf() {
		return true
	}
	path := item.Path()
	for p := range item.RowsBelow() {
		if isChange(p) && enclosingItem(p).Path().Equal(path) {
			return true
		}
	}
	return false
}

// namesItem reports whether a row belongs to a node that refers to a changed item: the entry of an asset in an index,
// a reference to a node.
func namesItem(row *compare.Pair) bool { return itemKeys(row.Comparison())[row.Node().NearestKey()] }

// itemKeysMemo is the key of the keys of changed items in the memo of a comparison.
type itemKeysMemo struct{}

// itemKeys returns the keys of the first items that are rows.
func itemKeys(c *compare.Comparison) map[string]bool {
	if keys, ok := c.Memo.Load(itemKeysMemo{}); ok {
		return keys.(map[string]bool)
	}
	keys := make(map[string]bool)
	_ = c.Rows(func(p *compare.Pair) error {
		if _, ok := c.ItemOf(p); ok && p.Node().Key != "" {
			keys[p.Node().Key] = true
		}
		if len(keys) == maxKeys {
			return io.EOF
		}
		return nil
	})
	c.Memo.Store(itemKeysMemo{}, keys)
	return keys
}
