package changes

import (
	"fmt"
	"io"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/contents"
)

// Line is a row of the report in words.
type Line struct {
	Sign   string // of its state: ~ changed, > moved, + added, - removed
	Path   string
	What   string // type and key
	Change string // old → new, where from, how much
	Part   contents.PartChange
}

// LineOf describes a pair in one line.
func LineOf(p *compare.Pair, b *Blocks) Line { return LineWithPath(p, p.Node().NamePath(), b) }

// LineWithPath describes a pair as LineOf does; path is the path of its node.
func LineWithPath(p *compare.Pair, path string, b *Blocks) Line {
	part := ChangeOf(p, b)
	return Line{p.Status.Sign(), model.OneLine(path, 1000), typeAndKey(p.Node(), path), part.Value(), part}
}

// typeAndKey returns the type of a node, and its key unless the name or the path ends with it.
func typeAndKey(n *model.Node, path string) string {
	s := "[" + model.OneLine(n.Type, 200) + "]"
	if n.Key != "" && n.Key != n.Name && !strings.HasSuffix(path, "/"+n.Key) {
		s += " " + model.OneLine(n.Key, 200)
	}
	return s
}

// whereFrom returns the old path or index and the old key of a moved pair as text.
func whereFrom(p *compare.Pair) string {
	var s []string
	old, new := p.Old, p.New
	renamed := p.Renamed || p.HasOtherKey()
	from, index := old.NamePath(), indexChange(old, new)
	isInList := !renamed && old.Parent != nil && new.Parent != nil && old.Parent.NamePath() == new.Parent.NamePath()
	switch {
	case index != "" && (isInList || from == new.NamePath()):
		s = append(s, index)
	case from != new.NamePath():
		s = append(s, "was "+model.OneLine(from, 1000))
	case !renamed && old.Offset != new.Offset:
		s = append(s, fmt.Sprintf("offset %#x → %#x", old.Offset, new.Offset))
	case !renamed:
		s = append(s, "order changed")
	}
	if old.Key != new.Key {
		s = append(s, "renamed from "+model.OneLine(old.Key, 200)+similarityText(p.Similarity()))
	}
	return strings.Join(s, ", ")
}

// indexChange returns the indexes of an element that moved within its list as text, or "" if they are the same.
func indexChange(old, new *model.Node) string {
	if old.Name == new.Name {
		return ""
	}
	return "was number " + old.Name + ", is " + new.Name
}

// similarityText returns the share of its content that a renamed item kept as text, or "" if the content is the same.
func similarityText(share float64) string {
	if share == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d%% similar)", min(int(100*share), 99))
}

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
	case item.IsRow() || !isChange(row):
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
	return row.IsRow() && (row.Leaf() || row.Status != compare.Changed)
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
