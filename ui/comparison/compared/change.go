package compared

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf8"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/contents"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// maxRead is the maximum size of the values of a pair that are read to describe its change.
const maxRead = 64 << 20

// Change returns the change of a pair as a short text. With read, it reads long values.
func Change(p *compare.Pair, read bool) string {
	c := p.Comparison()
	switch {
	case p.Parent() == nil && (c.Old.Source.IsAbsent() || c.New.Source.IsAbsent()):
		return c.Note
	case p.Parent() == nil && c.BytesOnly && c.Note == "":
		return "" // the head describes the change of pictures, sounds and texts
	case p.Parent() == nil && c.BytesOnly:
		return "only bytes were compared"
	case read:
		return changes.ChangeOf(p, &changes.Blocks{MaxBytes: 2 * maxRead}).Short()
	case IsUnread(p):
		return ""
	}
	change := changes.ChangeOf(p, nil).Short()
	if p.Status == compare.Changed && !p.Leaf() {
		change = strings.TrimSuffix(CountsText(p.Counts)+", "+change, ", ")
	}
	return change
}

// CountsText returns the numbers of changes with their signs as text.
func CountsText(n compare.Counts) string {
	var s []string
	for st, n := range n.Each() {
		s = append(s, Sign(st)+host.Number(n))
	}
	return strings.Join(s, "  ")
}

// IsUnread reports whether the change of a pair is known only after reading: both values are long and of one size.
func IsUnread(p *compare.Pair) bool {
	return p.Status == compare.Changed && p.Leaf() && !p.Comparison().BytesOnly && IsLong(p.Old) && IsLong(p.New) &&
		p.Old.Size == p.New.Size && p.New.Size <= maxRead
}

// SpanText returns the size and the offset of a span as text.
func SpanText(s model.Span) string {
	return fmt.Sprintf("%s at %#x", host.Count(s.Size, "byte"), s.Offset)
}

// Formats returns the names of the formats of both sides, or one name if they are the same.
func Formats(c *compare.Comparison) string {
	old, new := c.Old.Kind(), c.New.Kind()
	switch {
	case old == new:
		return new
	case c.Old.Format == c.New.Format:
		return old + " → " + c.New.Variant
	}
	return old + " → " + new
}

// ValuesOf returns the values of a pair with the differences highlighted: of the root, the formats of both files.
func ValuesOf(p *compare.Pair) (sides [2][]paint.Piece) {
	old, new := changes.Sides(p)
	if c := p.Comparison(); p.Parent() == nil {
		old, new = c.Old.Kind(), c.New.Kind()
	}
	if p.Old != nil && p.New != nil && p.Status != compare.Same {
		sides[0], sides[1] = MarkDifferences(old, new, true)
		return sides
	}
	return [2][]paint.Piece{paint.PlainPieces(old), paint.PlainPieces(new)}
}

// Cells returns the values of both sides of a pair, or the size of a node that the other side does not have.
func Cells(p *compare.Pair) (cells [2]rows.Cell) {
	for i, pieces := range ValuesOf(p) {
		n := [2]*model.Node{p.Old, p.New}[i]
		if n == nil {
			continue
		}
		cells[i] = rows.Cell{Pieces: pieces, HighlightTone: Tone(p)}
		isSize := !n.Leaf() && n.Value == nil
		if (p.Old == nil || p.New == nil) && paint.JoinPieces(pieces) == "" {
			cells[i].Pieces, isSize = paint.PlainPieces(host.Count(n.Size, "byte")), true
		}
		switch {
		case isSize || p.Status == compare.Same || p.Uncounted:
			cells[i].Tone = paint.Dim
		case p.Status == compare.Added || p.Status == compare.Removed:
			cells[i].Tone = Tone(p)
		}
	}
	return cells
}

const (
	longPrefix = 28 // length of a common prefix that is not shortened, in bytes
	keptPrefix = 10 // length that remains of a longer one, in bytes
)

// MarkDifferences marks the differences between two texts, word by word if they have the same number of words, else in
// the middle. cut shortens a long common beginning.
func MarkDifferences(old, new string, cut bool) (a, b []paint.Piece) {
	if old == new {
		return paint.PlainPieces(old), paint.PlainPieces(new)
	}
	x, y := contents.MarkWords(old, new)
	a, b = PaintPieces(x), PaintPieces(y)
	if !cut {
		return a, b
	}
	if len(a) > 0 && len(b) > 0 && !a[0].Highlighted && a[0].Text == b[0].Text && len(a[0].Text) > longPrefix {
		tail := model.OneLine(a[0].Text, 1<<30)
		tail = tail[len(tail)-keptPrefix:]
		for !utf8.RuneStart(tail[0]) {
			tail = tail[1:]
		}
		a[0].Text, b[0].Text = "… "+tail, "… "+tail
	}
	return a, b
}

// PaintPieces converts the pieces of a text for painting.
func PaintPieces(pieces []contents.Piece) []paint.Piece {
	var out []paint.Piece
	for _, p := range pieces {
		out = append(out, paint.Piece(p))
	}
	return out
}

// IsLong reports whether the text of a value is incomplete, so that the change must be read.
func IsLong(n *model.Node) bool {
	if n == nil {
		return false
	}
	switch v := n.Value.(type) {
	case model.Array:
		return v.Len() > 16
	case model.Blob:
		return true
	}
	return n.Leaf() && n.Value == nil && n.Symbol() == ""
}

// Items holds the changes of items, and the rows of items that only moved: the value of their position changed, so that
// the status of their pairs is Changed, but the tree displays and filters them as moved.
type Items struct {
	overview   *changes.Overview
	moved      map[string]bool  // items that only moved, by the key of their path
	rows       map[string]int64 // number of changed rows of such items at and below a path
	childItems map[string]int64 // number of such items directly below a path
}

// ItemsOf returns the items of a comparison. It may take a while.
func ItemsOf(c *compare.Comparison, o *changes.Overview) *Items {
	m := &Items{overview: o, moved: make(map[string]bool), rows: make(map[string]int64),
		childItems: make(map[string]int64)}
	if o.Unlisted > 0 {
		return m // the chips count the others as changed
	}
	for i := range o.Items {
		item := &o.Items[i]
		if item.Status != compare.Moved {
			continue
		}
		p := c.At(item.Path)
		if p == nil || p.Status != compare.Changed {
			continue
		}
		m.moved[keyOf(item.Path)] = true
		m.childItems[keyOf(item.Path[:max(len(item.Path)-1, 0)])]++
		for n := range len(item.Path) + 1 {
			m.rows[keyOf(item.Path[:n])] += p.Counts.Changed
		}
	}
	return m
}

// keyOf returns the key of a path in a map.
func keyOf(path model.Path) string {
	var key []byte
	for _, i := range path {
		key = binary.AppendUvarint(key, uint64(i))
	}
	return string(key)
}

// Status returns the status of a pair, which is Moved for an item that only moved. m may be nil.
func (m *Items) Status(p *compare.Pair) compare.Status {
	return m.StatusAt(p.Path(), p.Status)
}

// StatusAt returns the status of a pair at a path. m may be nil.
func (m *Items) StatusAt(path model.Path, status compare.Status) compare.Status {
	if m != nil && status == compare.Changed && m.moved[keyOf(path)] {
		return compare.Moved
	}
	return status
}

// ListCounts returns the number of elements of a list in each status; elements that only moved count as moved. m may be
// nil.
func (m *Items) ListCounts(list model.Path, counts compare.Counts) compare.Counts {
	if m != nil {
		n := min(m.childItems[keyOf(list)], counts.Changed)
		counts.Changed -= n
		counts.Moved += n
	}
	return counts
}

// Counts returns the numbers of rows at and below a pair; rows of items that only moved count as moved. m may be nil.
func (m *Items) Counts(p *compare.Pair) compare.Counts {
	if m == nil {
		return p.Counts
	}
	return m.CountsAt(p.Path(), p.Counts)
}

// CountsAt returns the numbers of rows at and below a path; c has the status of each pair. Rows of items that only
// moved count as moved.
func (m *Items) CountsAt(path model.Path, c compare.Counts) compare.Counts {
	n := m.rows[keyOf(path)]
	if n == 0 && m.inMoved(path) {
		n = c.Changed
	}
	n = min(n, c.Changed) // an item in another one is counted twice
	c.Changed -= n
	c.Moved += n
	return c
}

// HasMoved reports whether an item only moved. m may be nil.
func (m *Items) HasMoved() bool { return m != nil && len(m.moved) > 0 }

// inMoved reports whether a path is an item that only moved, or is below one.
func (m *Items) inMoved(path model.Path) bool {
	for n := len(path); n > 0 && m.HasMoved(); n-- {
		if m.moved[keyOf(path[:n])] {
			return true
		}
	}
	return false
}

// Change returns the change of an item, or the numbers of changed items below a pair, as a short text; "" for a pair
// without items. m may be nil.
func (m *Items) Change(p *compare.Pair) string {
	if m == nil || p.Status != compare.Changed || p.Leaf() || len(m.overview.Counts) == 0 || m.overview.Unlisted > 0 {
		return ""
	}
	change, counts := m.overview.At(p.Path())
	switch {
	case p.Parent() == nil:
		return CountsText(m.overview.Total(p.Counts))
	case change != nil:
		return strings.Join(change.Changes.Texts(), "; ")
	}
	return CountsText(counts)
}
