package rows

import (
	"image"
	"strings"
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
		r.host.Over(r.hideOver)
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
	tip := cell.Tip
	if r.tip.row == r.whole.row && r.tip.text != "" {
		tip = strings.TrimPrefix(tip+"\n"+r.tip.text, "\n")
	}
	if c.Measure(paint.Joined(pieces), cell.Face()) <= room.Dx() {
		if tip == "" {
			return
		}
		pieces = nil
	}
	r.paintOver(c, g, cell, pieces, tip, text)
}

// paintOver paints a text and a tip in a box of their own over a place, or, without a text, beside the row of it: as
// near as they fit into the body.
func (r *Rows) paintOver(c *paint.Canvas, g geometry, cell Cell, pieces []paint.Piece, tip string,
	at image.Rectangle) {
	pad, edge := c.Px(cellPad), max(1, int(c.Scale))
	room := g.body.Dx() - 2*pad - 2*edge
	wide := min(c.Measure(paint.Joined(pieces), cell.Face()), room)
	var lines, tips [][]paint.Piece
	if pieces != nil {
		lines = c.Wrap(pieces, cell.Face(), wide)
		lines = lines[:min(len(lines), wholeLines)]
	}
	own := len(lines)
	if tip != "" {
		tips = c.Wrap(paint.Plain(tip), paint.Regular, max(wide, min(c.Px(tipMost), room)))
		if most := max(1, min(tipLines, g.body.Dy()/g.row-1-own)); len(tips) > most {
			tips = append(tips[:most-1], append(tips[most-1], paint.Piece{Text: " …"}))
		}
		for _, l := range tips {
			wide = max(wide, min(c.Measure(paint.Joined(l), paint.Regular), room))
		}
	}
	lines = append(lines, tips...)
	size := image.Pt(wide+2*pad, len(lines)*g.row)
	from := at.Min.Sub(image.Pt(pad, 0))
	if pieces == nil {
		if from.Y += g.row + 2*edge; from.Y+size.Y > g.body.Max.Y && at.Min.Y-size.Y-2*edge >= g.body.Min.Y {
			from.Y = at.Min.Y - size.Y - 2*edge
		}
	}
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
