package rows

import (
	"image"
	"time"

	"assay/ui/paint"
)

// tipAfter is how much longer the pointer rests on a row until something is said of it.
const tipAfter = 350 * time.Millisecond

// tipLines is how many lines a tip takes.
const tipLines = 9

// tip is what is said of the place that the pointer rests on.
type tip struct {
	text string
	row  int64
}

// SetTip shows a text below a row, or above it where there is no room, if the pointer is over the row: until it is over
// another cell, a key or a button goes down, or the keyboard goes elsewhere.
func (r *Rows) SetTip(row int64, text string) {
	if row == r.hover && row >= 0 && text != "" {
		if !r.whole.shown { // else it is taken away with that
			r.host.Over(r.hideOver)
		}
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

// hideOver takes away all that lies over the rows: a tip, and the cell that is shown whole.
func (r *Rows) hideOver() {
	r.HideTip()
	if r.whole.shown {
		r.whole.shown = false
		r.repaint()
	}
}

// Tip returns the text that is shown.
func (r *Rows) Tip() string { return r.tip.text }

// paintTip shows the tip of a source that has no cells; that of a cell is shown with it.
func (r *Rows) paintTip(c *paint.Canvas, g geometry) {
	if _, cells := r.source.(Cells); cells || r.tip.text == "" || r.tip.row < r.first || r.tip.row >= r.Len() {
		return
	}
	y := g.body.Min.Y - r.offset + int(r.tip.row-r.first)*g.row
	x := r.pointer.at.X
	r.paintOver(c, g, Cell{}, nil, r.tip.text, image.Rect(x, y, x, y+g.row))
}
