package rows

import (
	"image"
	"time"

	"fyne.io/fyne/v2"

	"assay/ui/paint"
)

// wholeAfter is how long the pointer rests on a cell that is cut before it is shown whole.
const wholeAfter = 350 * time.Millisecond

// wholeLines is how many lines a cell takes that is shown whole, and how many its tip.
const wholeLines = 12

// tipMost is how wide a tip is, in device-independent pixels.
const tipMost = 420

// whole is the cell under the pointer, which is shown whole over the rows if it is cut, with its tip.
type whole struct {
	row    int64
	column int
	shown  bool
	stop   func() // ends the waiting
}

// afterwards calls f on the UI thread after a while, unless it is stopped before.
func afterwards(d time.Duration, f func()) (stop func()) {
	t := time.AfterFunc(d, func() { fyne.Do(f) })
	return func() { t.Stop() }
}

// rest is called when the pointer moves: over another cell, which is shown whole if the pointer stays there.
func (r *Rows) rest(row int64, column int) {
	w := &r.whole
	if row == w.row && column == w.column {
		return
	}
	if w.stop != nil {
		w.stop()
		w.stop = nil
	}
	if w.shown {
		r.repaint()
	}
	*w = whole{row: row, column: column}
	r.HideTip()
	if _, ok := r.source.(Cells); !ok || row < 0 || column < 0 {
		return
	}
	w.stop = r.after(wholeAfter, func() {
		if row != w.row || column != w.column { // the time was over before it was stopped, and this waited for its turn
			return
		}
		w.shown = true
		r.repaint()
		if r.OnRest == nil {
			return
		}
		w.stop = r.after(tipAfter, func() {
			if row == w.row && column == w.column {
				r.OnRest(row)
			}
		})
	})
}

// paintWhole shows the cell under the pointer over the rows, if it is cut, and its tip.
func (r *Rows) paintWhole(c *paint.Canvas, g geometry) {
	source, ok := r.source.(Cells)
	if !ok || !r.whole.shown || r.whole.row >= r.Len() || r.whole.column >= len(r.columns) {
		return
	}
	state := State{cells: r.edges(g), left: -r.shift, pad: c.Px(cellPad)}
	y := g.body.Min.Y - r.offset + int(r.whole.row-r.first)*g.row
	bounds := image.Rect(-r.shift, y, g.width-r.shift, y+g.row)
	column := r.whole.column
	cell := source.Cell(r.whole.row, column)
	for before := column - 1; before >= 0 && column == r.whole.column; before-- { // a cell may take several columns
		if left := source.Cell(r.whole.row, before); before+left.Span >= column {
			cell, column = left, before
			break
		}
	}
	box := state.Cell(bounds, column)
	box.Max.X = state.Cell(bounds, min(column+cell.Span, state.Cells()-1)).Max.X
	_, text := cell.boxes(box, c.Scale)
	room := text.Intersect(g.body)
	pieces := cell.Pieces
	if pieces == nil {
		pieces = paint.Plain(cell.Text)
	}
	if cell.Hint != "" {
		pieces = append(pieces[:len(pieces):len(pieces)], paint.Piece{Text: "  " + cell.Hint})
	}
	if c.Measure(paint.Joined(pieces), cell.Face()) <= room.Dx() {
		if cell.Tip == "" {
			return
		}
		pieces, text = nil, text.Add(image.Pt(0, g.row)) // the tip alone, below the row
	}
	r.paintOver(c, g, cell, pieces, text)
}

// paintOver paints a text, which may be nil, and the tip of its cell in a box of their own, as near to a place as they
// fit into the body.
func (r *Rows) paintOver(c *paint.Canvas, g geometry, cell Cell, pieces []paint.Piece, at image.Rectangle) {
	pad, edge := c.Px(cellPad), max(1, int(c.Scale))
	wide := max(c.Measure(paint.Joined(pieces), cell.Face()), min(c.Measure(cell.Tip, paint.Regular), c.Px(tipMost)))
	wide = min(wide, g.body.Dx()-2*pad-2*edge)
	var lines [][]paint.Piece
	if pieces != nil {
		lines = c.Wrap(pieces, cell.Face(), wide)
		lines = lines[:min(len(lines), wholeLines)]
	}
	own := len(lines)
	if cell.Tip != "" {
		tip := c.Wrap(paint.Plain(cell.Tip), paint.Regular, wide)
		lines = append(lines, tip[:min(len(tip), wholeLines)]...)
	}
	size := image.Pt(wide+2*pad, len(lines)*g.row)
	r.paintBox(c, g, at.Min.Sub(image.Pt(pad, 0)), size, lines, cell)
}

// paintBox paints lines of a cell's text in a box of a size, as near to a place as it fits into the body.
func (r *Rows) paintBox(c *paint.Canvas, g geometry, from, size image.Point, lines [][]paint.Piece, cell Cell) {
	pad, edge := c.Px(cellPad), max(1, int(c.Scale))
	from.X = max(g.body.Min.X+edge, min(from.X, g.body.Max.X-size.X-edge))
	from.Y = max(g.body.Min.Y+edge, min(from.Y, g.body.Max.Y-size.Y-edge))
	over := image.Rectangle{from, from.Add(size)}
	c.Fill(over, c.Colors.Header)
	c.Frame(over.Inset(-edge), edge, c.Colors.Focus)
	for i, l := range lines {
		line := image.Rect(from.X+pad, from.Y+i*g.row, over.Max.X, from.Y+(i+1)*g.row)
		face := cell.Face()
		if i >= own {
			face = paint.Regular
		}
		c.Pieces(line, l, face, c.Colors.Foreground, c.Colors.Under(cell.Ground))
	}
}
