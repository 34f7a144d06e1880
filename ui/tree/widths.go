package tree

import (
	"strconv"

	"assay/ui/paint"
)

// share divides the width among the columns. Where there is little of it, names and values come before places: those can
// be scrolled to.
func (t *Tree) share(width float32) []float32 {
	size := t.style.Size()
	digits := float32(5)
	if t.root != nil {
		digits = max(5, float32(len(strconv.FormatInt(t.root.End(), 16))))
	}
	offset := digits*size*0.62 + 16
	bytes := offset + 2
	rest := max(width-offset-bytes, 20*size)
	name := rest * 0.47
	kind := min(rest*0.2, 10*size)
	return []float32{name, kind, rest - name - kind, offset, bytes}
}

// fit makes a column as wide as what is in view of it.
func (t *Tree) fit(column int) {
	if column < 0 || t.root == nil {
		return
	}
	c := t.style.NewCanvas(nil, 1, paint.Colors{})
	widest := 0
	first := t.rows.First()
	for row := first; row < min(t.mirror.Len(), first+t.rows.Page()+1); row++ {
		p := t.mirror.At(row)
		it := (*source)(t).item(p)
		w := 0
		switch Column(column) {
		case Name:
			w = c.Measure(it.name, paint.Regular) + min(p.Depth(), deepest)*indentStep + triangle + iconSide + 28
			if it.hint != "" {
				w += betweenText + c.Measure(it.hint, paint.Regular)
			}
		case Type:
			w = c.Measure(it.node.Type, paint.Regular)
		case Value:
			w = c.Measure(it.value, paint.Regular)
		case Offset:
			w = c.Measure(it.offset, paint.Mono)
		case Size:
			w = c.Measure(it.size, paint.Mono)
		}
		widest = max(widest, w)
	}
	widths := t.rows.Widths()
	widths[column] = float32(min(widest+16, 900))
	t.SetWidths(widths)
}
