package rows

import (
	"image"
	"time"

	"assay/ui/paint"
)

// tipAfter is how much longer the pointer rests on a row until something is said of it.
const tipAfter = 350 * time.Millisecond

// Of the box that a tip is shown in: the width of its text in device-independent pixels, and its lines.
const (
	tipWidth = 440
	tipLines = 9
)

// tip is what is said of the place that the pointer rests on.
type tip struct {
	text string
	row  int64
}

// SetTip shows a text below a row, or above it where there is no room, if the pointer is over the row: until it is over
// another cell, or a key or a button goes down.
func (r *Rows) SetTip(row int64, text string) {
	if row == r.hover && row >= 0 && text != "" {
		r.tip = tip{text, row}
		r.repaint()
	}
}

// HideTip takes away the text that SetTip showed.
func (r *Rows) HideTip() {
	if r.tip.text != "" {
		r.tip = tip{}
		r.repaint()
	}
}

// Tip returns the text that is shown.
func (r *Rows) Tip() string { return r.tip.text }

// paintTip shows the tip over the rows.
func (r *Rows) paintTip(c *paint.Canvas, g geometry) {
	t := r.tip
	if t.text == "" || t.row < r.first || t.row >= r.Len() {
		return
	}
	pad, gap := c.Px(cellPad), c.Px(4)
	cell := Cell{Text: t.text}
	most := min(c.Px(tipWidth), g.body.Dx()-2*pad-2)
	lines := c.Wrap(paint.Plain(t.text), cell.Face(), most)
	if room := max(1, min(tipLines, g.body.Dy()/g.row-1)); len(lines) > room {
		lines = lines[:room]
		lines[room-1] = append(lines[room-1], paint.Piece{Text: " …"})
	}
	wide := 0
	for _, l := range lines {
		wide = max(wide, c.Measure(paint.Joined(l), cell.Face()))
	}
	size := image.Pt(min(wide, most)+2*pad, len(lines)*g.row)
	y := g.body.Min.Y - r.offset + int(t.row-r.first)*g.row
	at := image.Pt(r.pointer.at.X, y+g.row+gap)
	if above := y - gap - size.Y; at.Y+size.Y > g.body.Max.Y && above >= g.body.Min.Y {
		at.Y = above
	}
	r.paintBox(c, g, at, size, lines, cell)
}
