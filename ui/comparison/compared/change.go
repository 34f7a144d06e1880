package compared

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/contents"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// Change returns the change of a pair as a short text, without reading values.
func Change(c *compare.Comparison, p *compare.Pair) string {
	change := ""
	switch {
	case p.OneVersion && p.Status == compare.Added:
		return "only in " + c.New.Variant
	case p.OneVersion:
		return "only " + c.Old.Variant + " has it"
	case p.Parent() == nil && c.BytesOnly && c.Note == "":
		return "" // the head has the reason
	case p.Parent() == nil && c.BytesOnly:
		return "only bytes were compared"
	case p.Status == compare.Changed && p.Leaf():
		change = LeafChange(p)
	case p.Status == compare.Changed:
		change = brief(p.Counts)
	}
	if p.Status != compare.Moved && !p.Relocated {
		return change
	}
	from := changes.WhereFrom(p)
	if change == "" || from == "" {
		return change + from
	}
	return change + ", " + from
}

// LeafChange returns the change of a leaf as a short text, or "" if its values are sufficient.
func LeafChange(p *compare.Pair) string {
	if p.Old.Symbol() != "" || p.New.Symbol() != "" {
		return ""
	}
	if p.Old.Type != p.New.Type {
		return p.Old.Type + " → " + p.New.Type
	}
	switch o := p.Old.Value.(type) {
	case model.Array:
		n, ok := p.New.Value.(model.Array)
		if !ok {
			return ""
		}
		if o.Len() != n.Len() {
			return host.Number(o.Len()) + " → " + host.Count(n.Len(), "value")
		}
		if o.Len() > 16 {
			return ""
		}
		if t := transformed(p); t != "" {
			return t
		}
		k, err := differing(context.Background(), o, n)
		if err != nil {
			return ""
		}
		return fmt.Sprintf("%d of %s", k, host.Count(o.Len(), "value"))
	case model.Blob:
		if n, ok := p.New.Value.(model.Blob); ok && o.Span.Size != n.Span.Size {
			return Signed(n.Span.Size-o.Span.Size) + " bytes"
		}
		return ""
	case string:
		if n, ok := p.New.Value.(string); ok {
			if d := utf8.RuneCountInString(n) - utf8.RuneCountInString(o); d != 0 {
				return Signed(int64(d)) + " characters"
			}
		}
		return ""
	}
	return changes.Difference(p.Old.Value, p.New.Value)
}

// countedMost is the largest number of values of an array that are compared to count the differences.
const countedMost = 1 << 20

// LongChange returns the change of a long value as text, by reading it.
func LongChange(ctx context.Context, p *compare.Pair) string {
	o, isArray := p.Old.Value.(model.Array)
	n, also := p.New.Value.(model.Array)
	if isArray && also && o.Len() == n.Len() && o.Len() <= countedMost {
		if total, err := differing(ctx, o, n); err == nil {
			return host.Number(total) + " of " + host.Count(o.Len(), "value")
		}
	}
	return changes.LineOf(p).Change
}

// differing counts the values of two arrays that differ.
func differing(ctx context.Context, o, n model.Array) (total int64, err error) {
	err = EachValue(ctx, o, n, func(_ int64, a, b any) {
		if a != b && FormatValue(a) != FormatValue(b) { // NaN is not itself
			total++
		}
	})
	return total, err
}

// EachValue calls visit for the values of two arrays; nil for a value that one of them does not have.
func EachValue(ctx context.Context, o, n model.Array, visit func(at int64, a, b any)) error {
	const part = 4096
	for at := int64(0); at < max(o.Len(), n.Len()); at += part {
		a, errA := o.Slice(at, part)
		b, errB := n.Slice(at, part)
		if err := cmp.Or(ctx.Err(), errA, errB); err != nil {
			return err
		}
		value := func(v []any, i int) any {
			if i < len(v) {
				return v[i]
			}
			return nil
		}
		for i := range max(len(a), len(b)) {
			visit(at+int64(i), value(a, i), value(b, i))
		}
	}
	return nil
}

// transformed returns the names of the changed parts of a transform, or "" for any other pair.
func transformed(p *compare.Pair) string {
	var s []string
	for _, t := range changes.Transform(p) {
		if t.Differs() {
			s = append(s, strings.ToLower(t.Field))
		}
	}
	return strings.Join(s, ", ")
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

// FormatValue is a value as text; nothing for one that is not there.
func FormatValue(v any) string {
	if v == nil {
		return ""
	}
	return model.FormatValue(v)
}

// Values are the old and the new value of a pair, with the differences highlighted.
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

// Value returns a node in one line: its value, or the size of its subtree.
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

// Chips are the toggles of the statuses, with the numbers of items or rows.
type Chips struct {
	paint.Surface
	style  *paint.Style
	counts compare.Counts // the displayed numbers
	rows   compare.Counts // the rows that the toggles show or hide
	states States
	edges  []int
	hover  int
	toggle func(s compare.Status)
}

var (
	_ fyne.Tappable      = (*Chips)(nil)
	_ desktop.Hoverable  = (*Chips)(nil)
	_ desktop.Cursorable = (*Chips)(nil)
)

// chipOrder is the order of the statuses: the least frequent first.
var chipOrder = []compare.Status{compare.Changed, compare.Moved, compare.Added, compare.Removed, compare.Same}

// NewChips makes the chips; toggle is called with the status of a clicked chip.
func NewChips(style *paint.Style, toggle func(s compare.Status)) *Chips {
	c := &Chips{style: style, hover: -1, toggle: toggle}
	c.Paints(c, style, c.paint)
	return c
}

// Set displays other numbers and the visible statuses: an item counts once, regardless of the number of its rows.
func (h *Chips) Set(counts, rows compare.Counts, s States) {
	h.counts, h.rows, h.states = counts, rows, s
	h.Refresh()
}

// MinSize returns the size that all chips need.
func (h *Chips) MinSize() fyne.Size {
	c := h.style.NewCanvas(nil, 1, paint.Colors{})
	edges := h.layout(c)
	return fyne.NewSize(float32(edges[len(edges)-1]), float32(h.style.RowHeight(1))+10)
}

func (h *Chips) text(s compare.Status) string {
	return Sign(s) + "  " + host.Number(h.counts.Own(s)) + " " + s.String()
}

func (h *Chips) layout(c *paint.Canvas) []int {
	edges := []int{c.Px(4)}
	for _, s := range chipOrder {
		edges = append(edges, edges[len(edges)-1]+c.Measure(h.text(s), paint.Regular)+c.Px(18)+c.Px(5))
	}
	return edges
}

func (h *Chips) paint(c *paint.Canvas) {
	high := c.Img.Rect.Dy()
	ground := theme.ColorForWidget(theme.ColorNameHeaderBackground, h)
	r, g, b, _ := ground.RGBA()
	c.Fill(c.Img.Rect, paint.Color{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 0xff})
	h.edges = h.layout(c)
	for i, s := range chipOrder {
		box := image.Rect(h.edges[i], c.Px(4), h.edges[i+1]-c.Px(5), high-c.Px(4))
		col := c.Colors.Of(StatusTone(s))
		on := h.states.Has(s) && h.rows.Of(s) > 0
		back, text := c.Colors.Background, c.Colors.Dim
		if on {
			back, text = paint.Mix(col, c.Colors.Background, 0.24), c.Colors.Foreground
		}
		if h.rows.Of(s) == 0 {
			text = c.Colors.Faint
		}
		if i == h.hover {
			back = paint.Mix(c.Colors.Foreground, back, 0.08)
		}
		col, text = c.Colors.Legible(col, back), c.Colors.Legible(text, back)
		edge := c.Colors.Separator
		if on {
			edge = paint.Mix(col, c.Colors.Background, 0.6)
		}
		c.Round(box, c.Px(4), edge)
		c.Round(box.Inset(c.Px(1)), c.Px(3), back)
		inner := box
		inner.Min.X += c.Px(9)
		sign := Sign(s)
		if h.rows.Of(s) == 0 {
			col = text
		}
		x := c.Label(inner, sign, paint.Bold, col, paint.Left)
		inner.Min.X += x
		c.Label(inner, h.text(s)[len(sign):], paint.Regular, text, paint.Left)
	}
}

func (h *Chips) at(p fyne.Position) int {
	x := h.Pixel(p).X
	for i := range len(h.edges) - 1 {
		if x >= h.edges[i] && x < h.edges[i+1] {
			return i
		}
	}
	return -1
}

// Tapped implements fyne.Tappable.
func (h *Chips) Tapped(ev *fyne.PointEvent) {
	if i := h.at(ev.Position); i >= 0 && h.toggle != nil {
		h.toggle(chipOrder[i])
	}
}

// MouseIn implements desktop.Hoverable.
func (h *Chips) MouseIn(ev *desktop.MouseEvent) { h.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (h *Chips) MouseMoved(ev *desktop.MouseEvent) {
	if i := h.at(ev.Position); i != h.hover {
		h.hover = i
		h.Refresh()
	}
}

// MouseOut implements desktop.Hoverable.
func (h *Chips) MouseOut() {
	h.hover = -1
	h.Refresh()
}

// Cursor returns the shape of the pointer.
func (h *Chips) Cursor() desktop.Cursor { return desktop.PointerCursor }
