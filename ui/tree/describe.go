package tree

import (
	"strconv"
	"strings"

	"assay/model"
	"assay/ui/host"
	"assay/ui/outline"
	"assay/ui/paint"
	"assay/ui/rows"
)

// Describe returns what stands in the row of a place.
func (s *source) Describe(p place) outline.Row {
	n := s.node(p)
	kind := kindOf(n)
	name := rows.Cell{Text: n.Title(), Bold: p.Top(), Ends: true, Mark: s.mark(n)}
	if s.noted != nil {
		name.Flag, name.Tip = s.noted(n)
	}
	value := rows.Cell{Text: n.ValueText(), Tone: tones[kind]}
	switch kind {
	case gapKind:
		name.Tone = paint.Dim
	case listKind:
		value.Text = host.Number(n.Elements())
	case linkKind:
		if title := n.Link.Title(); value.Text == "" && title != n.Key {
			value.Text, value.Ends = title, true
		}
	}
	if text, ok := n.Value.(string); ok && text == "" && n.Leaf() && n.Symbol() == "" {
		value = rows.Cell{Text: `""`, Tone: paint.Dim}
	}
	if kind == noneKind {
		name.Tone = paint.Dim
	}
	switch {
	case p.Top():
		name.Text = s.title
	case name.Text == "":
		name.Text = `""`
	}
	if col, ok := n.Color(); ok {
		value.Mark.Paint = paint.Swatch(col)
	}
	if kind == structKind || kind == listKind || kind == gapKind {
		value.Tone = paint.Dim
	}
	if n.Key != "" && n.Key != n.Name && n.Key != n.CallName() {
		if value.Text == "" {
			value = rows.Cell{Text: n.Key, Ends: true, Tone: paint.Dim}
		} else {
			name.Hint = n.Key
		}
	}
	kindCell := rows.Cell{Text: n.Type, Tone: paint.Dim, Ends: true}
	if !p.Top() {
		s.light(&name, &value, &kindCell)
	}
	return outline.Row{
		Cells: []rows.Cell{name, value, kindCell,
			{Text: offsetText(n.Offset), Tone: paint.Dim, Mono: true},
			{Text: sizeText(n.Size), Tone: paint.Dim, Mono: true}},
		Icon: rows.Mark{Paint: icons[kind].paint, Tone: tones[kind]},
	}
}

// light lights in cells what the filter found a node by. A key that it was found by is a part of the text.
func (s *source) light(cells ...*rows.Cell) {
	if len(s.words) == 0 {
		return
	}
	for _, c := range cells {
		if c.Hint != "" && paint.Lit(c.Hint, s.words...) != nil {
			c.Text, c.Hint = c.Text+"  "+c.Hint, ""
		}
		c.Light(s.words...)
	}
}

func offsetText(offset int64) string { return "0x" + strconv.FormatInt(offset, 16) }

func sizeText(size int64) string { return host.Number(size) }

// kind is what a node looks like.
type kind uint8

const (
	structKind kind = iota
	listKind
	integerKind
	floatKind
	textKind
	boolKind
	enumKind
	arrayKind
	bytesKind
	noneKind
	gapKind
	linkKind
)

// kindOf tells from a node's value, children and type what it is; no format is known here.
func kindOf(n *model.Node) kind {
	switch {
	case n.Type == model.Gap:
		return gapKind
	case n.Link != nil:
		return linkKind
	case strings.HasSuffix(n.Type, "[]") && (!n.Leaf() || n.Value == nil && n.Size == 0):
		return listKind
	case !n.Leaf():
		return structKind
	case n.Symbol() != "":
		return enumKind
	}
	switch n.Value.(type) {
	case int64, uint64:
		return integerKind
	case float32, float64:
		return floatKind
	case string:
		return textKind
	case bool:
		return boolKind
	case model.Array:
		return arrayKind
	case model.None:
		return noneKind
	}
	return bytesKind
}

// tones are those of a kind's icon and value.
var tones = [...]paint.Tone{structKind: paint.Group, listKind: paint.Group, integerKind: paint.Number,
	floatKind: paint.Number, textKind: paint.Word, boolKind: paint.Name, enumKind: paint.Name, arrayKind: paint.Number,
	bytesKind: paint.Bytes, noneKind: paint.Dim, gapKind: paint.Dim, linkKind: paint.Link}

// mark is the sign of the worst problem on a node: a triangle; or, where that is somewhere below, a dot.
func (s *source) mark(n *model.Node) rows.Mark {
	worst, own := -1, true
	for _, p := range n.Problems() {
		worst = max(worst, int(p.Severity))
	}
	if worst < 0 && len(s.trouble) > 0 && !n.Leaf() {
		if severity, ok := s.trouble[n.PathText()]; ok {
			worst, own = int(severity), false
		}
	}
	if worst < 0 {
		return rows.Mark{}
	}
	m := rows.Mark{Paint: (*paint.Canvas).Dot, Tone: paint.OfSeverity(model.Severity(worst))}
	if own {
		m.Paint = trouble.paint
	}
	return m
}
