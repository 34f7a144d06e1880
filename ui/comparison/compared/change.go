package compared

import (
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

// readMost is the size of the values of a pair that are read to describe its change.
const readMost = 64 << 20

// Change returns the change of a pair as a short text. With read, it reads long values.
func Change(p *compare.Pair, read bool) string {
	c := p.Comparison()
	switch {
	case p.Parent() == nil && c.BytesOnly && c.Note == "":
		return "" // the head has the reason
	case p.Parent() == nil && c.BytesOnly:
		return "only bytes were compared"
	case read:
		return changes.Of(p, &changes.Blocks{Most: 2 * readMost}).Short()
	case IsUnread(p):
		return ""
	}
	change := changes.Of(p, nil).Short()
	if p.Status == compare.Changed && !p.Leaf() {
		var s []string
		for st, n := range p.Counts.Each() {
			s = append(s, Sign(st)+host.Number(n))
		}
		change = strings.TrimSuffix(strings.Join(s, "  ")+", "+change, ", ")
	}
	return change
}

// IsUnread reports whether the change of a pair must be read: of two long values of one size.
func IsUnread(p *compare.Pair) bool {
	return p.Status == compare.Changed && p.Leaf() && !p.Comparison().BytesOnly && IsLong(p.Old) && IsLong(p.New) &&
		p.Old.Size == p.New.Size && p.New.Size <= readMost
}

// SpanText returns the size and the offset of a span as text.
func SpanText(s model.Span) string {
	return fmt.Sprintf("%s at %#x", host.Count(s.Size, "byte"), s.Offset)
}

// Formats names the formats of both sides, once if they are one.
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

// Offset is an offset in hexadecimal digits.
func Offset(off int64) string { return fmt.Sprintf("%#x", off) }

// Values are the old and the new value of a pair, with the differences highlighted.
type Values struct {
	Sides [2][]paint.Piece
	size  bool // not values, but how large something is
}

// ValuesOf returns the values of a pair: of the root, the formats of both files.
func ValuesOf(p *compare.Pair) Values {
	c := p.Comparison()
	if p.Parent() == nil {
		a, b := c.Old.Kind(), c.New.Kind()
		if c.Old.Format != c.New.Format {
			return Values{Sides: [2][]paint.Piece{paint.Plain(a), paint.Plain(b)}}
		}
		a2, b2 := MarkDifferences(a, b, false)
		return Values{Sides: [2][]paint.Piece{a2, b2}}
	}
	v := Values{size: !p.Leaf() && p.Node().Value == nil}
	old, new := changes.Sides(p)
	switch {
	case p.Old == nil || p.New == nil:
		if old+new == "" {
			v.size = true
			old = host.Count(p.Node().Size, "byte")
			new = old
		}
	case p.Status != compare.Same:
		v.Sides[0], v.Sides[1] = MarkDifferences(old, new, true)
		return v
	}
	v.Sides = [2][]paint.Piece{paint.Plain(old), paint.Plain(new)}
	return v
}

// Cell is the value of one side; nothing where the pair is not there.
func (v *Values) Cell(p *compare.Pair, side int) rows.Cell {
	if [2]*model.Node{p.Old, p.New}[side] == nil {
		return rows.Cell{}
	}
	cell := rows.Cell{Pieces: v.Sides[side], Ground: Tone(p)}
	switch {
	case v.size || p.Status == compare.Same || p.OneVersion:
		cell.Tone = paint.Dim
	case p.Status == compare.Added || p.Status == compare.Removed:
		cell.Tone = Tone(p)
	}
	return cell
}

const (
	headLong = 28 // bytes of a common beginning that is not shortened
	headKept = 10 // bytes that stay of a longer one
)

// MarkDifferences marks the differences between two texts, word by word if they have the same number of words, else in
// the middle. cut shortens a long common beginning.
func MarkDifferences(old, new string, cut bool) (a, b []paint.Piece) {
	if old == new {
		return paint.Plain(old), paint.Plain(new)
	}
	x, y := contents.Words(old, new)
	a, b = Painted(x), Painted(y)
	if !cut {
		return a, b
	}
	if len(a) > 0 && len(b) > 0 && !a[0].Lit && a[0].Text == b[0].Text && len(a[0].Text) > headLong {
		tail := model.OneLine(a[0].Text, 1<<30)
		tail = tail[len(tail)-headKept:]
		for !utf8.RuneStart(tail[0]) {
			tail = tail[1:]
		}
		a[0].Text, b[0].Text = "… "+tail, "… "+tail
	}
	return a, b
}

// Painted returns the pieces of a text as they are painted.
func Painted(pieces []contents.Piece) []paint.Piece {
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
