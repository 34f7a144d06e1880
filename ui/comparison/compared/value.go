package compared

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/contents"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// SpanText says how many bytes a span has, and at which offset.
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

// FormatValue is a value as text; nothing for one that is not there.
func FormatValue(v any) string {
	if v == nil {
		return ""
	}
	return model.FormatValue(v)
}

// Values are the old and the new value of a pair, with what differs lit.
type Values struct {
	Sides [2][]paint.Piece
	size  bool // not values, but how large something is
}

// ValuesOf returns the values of a pair: of the root, the formats of both files.
func ValuesOf(c *compare.Comparison, p *compare.Pair) Values {
	if p.Parent() == nil {
		a, b := c.Old.Kind(), c.New.Kind()
		if c.Old.Format != c.New.Format {
			return Values{Sides: [2][]paint.Piece{paint.Plain(a), paint.Plain(b)}}
		}
		a2, b2 := MarkDifferences(a, b, false)
		return Values{Sides: [2][]paint.Piece{a2, b2}}
	}
	v := Values{size: !p.Leaf() && p.Node().Value == nil}
	old, new := Value(p.Old), Value(p.New)
	switch {
	case p.Old == nil || p.New == nil:
		if old+new == "" {
			v.size = true
			old = host.Count(p.Node().Size, "byte")
			new = old
		}
	case p.Status == compare.Changed && p.Leaf():
		if p.Old.Leaf() != p.New.Leaf() {
			old, new = orType(p.Old, old), orType(p.New, new)
		}
		v.Sides[0], v.Sides[1] = MarkDifferences(old, new, true)
		return v
	case old != new && p.Status != compare.Same:
		v.Sides[0], v.Sides[1] = MarkDifferences(old, new, true)
		return v
	}
	v.Sides = [2][]paint.Piece{paint.Plain(old), paint.Plain(new)}
	return v
}

func orType(n *model.Node, value string) string {
	if value == "" {
		return "[" + n.Type + "]"
	}
	return value
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
	headLong = 28 // bytes of what is alike at the beginning that may stay before the first difference
	headKept = 10
)

// MarkDifferences marks what differs between two texts, word by word where they have as many words, else in the middle.
// cut leaves out what is alike at the beginning, if that is long.
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

// Value is what stands for a node in one line: its value, or how large what is below it is.
func Value(n *model.Node) string {
	if n == nil {
		return ""
	}
	if b, ok := n.Value.(model.Blob); ok && n.Symbol() == "" {
		return host.Count(b.Span.Size, "byte")
	}
	if v := n.ValueText(); v != "" {
		return v
	}
	if k := n.Elements(); strings.HasSuffix(n.Type, "[]") && !n.Leaf() {
		return host.Count(int64(k), "element")
	}
	if _, text := n.Value.(string); text {
		return `""`
	}
	return ""
}

// IsLong says that a value is not all in its text: what changed is found by reading.
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
