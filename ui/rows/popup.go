package rows

import (
	"image"
	"strings"
	"time"

	"assay/ui/paint"
	"assay/ui/work"
)

// fullCellDelay is how long the pointer must rest on a truncated cell before it is displayed in full.
const fullCellDelay = 350 * time.Millisecond

// maxFullLines is the maximum number of lines of the full text of a cell; further lines are not displayed.
const maxFullLines = 12

// maxTipWidth is the maximum width of a tooltip, in device-independent pixels.
const maxTipWidth = 420

// cellPopup is the state of the cell under the pointer. A truncated cell is displayed in full over the rows, with its
// tooltip.
type cellPopup struct {
	row     int64
	column  int
	visible bool
	stop    func() // stops the timer; may be nil

	pressed time.Time // time of the last press of a button
}

// cancelPopup stops the timer, and hides the tooltip and the full cell until the pointer moves to another cell.
func (r *Rows) cancelPopup() {
	if r.fullCell.stop != nil {
		r.fullCell.stop()
		r.fullCell.stop = nil
	}
	r.hideOverlay()
	r.fullCell.pressed = time.Now()
}

// runAfter calls f on the UI thread after d, unless stop is called before.
func runAfter(d time.Duration, f func()) (stop func()) {
	t := time.AfterFunc(d, func() { work.Do(f) })
	return func() { t.Stop() }
}

// pointerMoved is called when the pointer moves. It displays a truncated cell in full after the pointer rested on it.
func (r *Rows) pointerMoved(row int64, column int) {
	popup := &r.fullCell
	if row == popup.row && column == popup.column {
		return
	}
	if popup.stop != nil {
		popup.stop()
		popup.stop = nil
	}
	if popup.visible {
		r.repaint()
	}
	*popup = cellPopup{row: row, column: column, pressed: popup.pressed}
	r.HideTip()
	if _, ok := r.source.(Cells); !ok || row < 0 || column < 0 {
		return
	}
	popup.stop = r.afterFunc(fullCellDelay, func() {
		if row != popup.row || column != popup.column { // the timer fired before it was stopped
			return
		}
		popup.visible = true
		r.host.SetOverlay(r.hideOverlay)
		r.repaint()
		if r.OnRest == nil {
			return
		}
		delay := tipDelay
		if time.Since(popup.pressed) < clickPause {
			delay = tipDelayAfterClick
		}
		popup.stop = r.afterFunc(delay, func() {
			if row == popup.row && column == popup.column {
				r.OnRest(row)
			}
		})
	})
}

// cellCovering returns the cell that covers a column, which may begin in an earlier one, and its rectangle in the
// bounds of the row.
func cellCovering(source Cells, state State, bounds image.Rectangle, row int64, column int) (Cell, image.Rectangle) {
	cell, from := source.Cell(row, column), column
	for previous := range column {
		if previousCell := source.Cell(row, previous); previous+previousCell.Span >= column {
			cell, from = previousCell, previous
			break
		}
	}
	box := state.Cell(bounds, from)
	box.Max.X = state.Cell(bounds, min(from+cell.Span, state.Cells()-1)).Max.X
	return cell, box
}

// paintFullCell paints the cell under the pointer over the rows if it is truncated, and its tooltip.
func (r *Rows) paintFullCell(c *paint.Canvas, g geometry) {
	source, ok := r.source.(Cells)
	if !ok || !r.fullCell.visible || r.fullCell.row >= r.Len() || r.fullCell.column >= len(r.columns) {
		return
	}
	state := State{cells: r.edges(g), margin: -r.scrollX, pad: c.Px(cellPad)}
	y := g.body.Min.Y - r.offset + int(r.fullCell.row-r.first)*g.row
	bounds := image.Rect(-r.scrollX, y, g.width-r.scrollX, y+g.row)
	cell, box := cellCovering(source, state, bounds, r.fullCell.row, r.fullCell.column)
	_, text := cell.boxes(box, c.Scale)
	visible := text.Intersect(g.body)
	pieces := cell.Pieces
	if pieces == nil {
		pieces = paint.PlainPieces(cell.Text)
	}
	if cell.Hint != "" {
		pieces = append(pieces[:len(pieces):len(pieces)], paint.Piece{Text: "  " + cell.Hint})
	}
	tip := cell.Tip
	if r.tip.row == r.fullCell.row && r.tip.text != "" {
		tip = strings.TrimPrefix(tip+"\n"+r.tip.text, "\n")
	}
	if c.Measure(paint.JoinPieces(pieces), cell.Face()) <= visible.Dx() {
		if tip == "" {
			return
		}
		pieces = nil
	}
	r.paintOverlay(c, g, cell, pieces, tip, text)
}

// paintOverlay paints a text and a tooltip in a box over a rectangle, or next to its row if there is no text. The box
// is moved to fit into the body.
func (r *Rows) paintOverlay(c *paint.Canvas, g geometry, cell Cell, pieces []paint.Piece, tip string,
	anchor image.Rectangle) {
	pad, edge := c.Px(cellPad), max(1, int(c.Scale))
	maxWidth := g.body.Dx() - 2*pad - 2*edge
	width := min(c.Measure(paint.JoinPieces(pieces), cell.Face()), maxWidth)
	var lines, tips [][]paint.Piece
	if pieces != nil {
		lines = c.Wrap(pieces, cell.Face(), width)
		lines = lines[:min(len(lines), maxFullLines)]
	}
	valueLines := len(lines)
	if tip != "" {
		tips = c.Wrap(paint.PlainPieces(tip), paint.Regular, max(width, min(c.Px(maxTipWidth), maxWidth)))
		if limit := max(1, min(maxTipLines, g.body.Dy()/g.row-1-valueLines)); len(tips) > limit {
			tips = append(tips[:limit-1], append(tips[limit-1], paint.Piece{Text: " …"}))
		}
		for _, l := range tips {
			width = max(width, min(c.Measure(paint.JoinPieces(l), paint.Regular), maxWidth))
		}
	}
	lines = append(lines, tips...)
	size := image.Pt(width+2*pad, len(lines)*g.row)
	corner := anchor.Min.Sub(image.Pt(pad, 0))
	if pieces == nil {
		if corner.Y += g.row + 2*edge; corner.Y+size.Y > g.body.Max.Y && anchor.Min.Y-size.Y-2*edge >= g.body.Min.Y {
			corner.Y = anchor.Min.Y - size.Y - 2*edge
		}
	}
	corner.X = max(g.body.Min.X+edge, min(corner.X, g.body.Max.X-size.X-edge))
	corner.Y = max(g.body.Min.Y+edge, min(corner.Y, g.body.Max.Y-size.Y-edge))
	box := image.Rectangle{corner, corner.Add(size)}
	c.Fill(box, c.Colors.Header)
	c.Frame(box.Inset(-edge), edge, c.Colors.Focus)
	for i, l := range lines {
		line := image.Rect(corner.X+pad, corner.Y+i*g.row, box.Max.X, corner.Y+(i+1)*g.row)
		face := cell.Face()
		if i >= valueLines {
			face = paint.Regular
		}
		c.Pieces(line, l, face, c.Colors.Foreground, c.Colors.HighlightOf(cell.HighlightTone))
	}
}

// tipDelay is the additional time that the pointer must rest on a row until OnRest is called. After a click it is
// tipDelayAfterClick: a tooltip covers the next rows, which the user may want to click next.
const (
	tipDelay           = 350 * time.Millisecond
	tipDelayAfterClick = 1500 * time.Millisecond
	clickPause         = 3 * time.Second // time after a click in which the longer delay applies
)

// maxTipLines is the maximum number of lines of a tooltip.
const maxTipLines = 9

// tip is the tooltip of a row.
type tip struct {
	text string
	row  int64
}

// SetTip displays a tooltip below a row, or above it if there is no space below, if the pointer is over the row. The
// tooltip is hidden when the pointer moves to another cell, a key or button is pressed, or the focus changes.
func (r *Rows) SetTip(row int64, text string) {
	if row == r.hover && row >= 0 && text != "" {
		if !r.fullCell.visible { // else hideOverlay hides both
			r.host.SetOverlay(r.hideOverlay)
		}
		r.tip = tip{text, row}
		r.repaint()
	}
}

// HideTip hides the tooltip of SetTip.
func (r *Rows) HideTip() {
	if r.tip.text != "" {
		r.tip = tip{}
		r.repaint()
	}
}

// hideOverlay hides the tooltip and the full cell.
func (r *Rows) hideOverlay() {
	r.HideTip()
	if r.fullCell.visible {
		r.fullCell.visible = false
		r.repaint()
	}
}

// Tip returns the text of the visible tooltip, or "".
func (r *Rows) Tip() string { return r.tip.text }

// paintTip paints the tooltip of a source without cells. paintFullCell paints the tooltip of a cell.
func (r *Rows) paintTip(c *paint.Canvas, g geometry) {
	if _, cells := r.source.(Cells); cells || r.tip.text == "" || r.tip.row < r.first || r.tip.row >= r.Len() {
		return
	}
	y := g.body.Min.Y - r.offset + int(r.tip.row-r.first)*g.row
	x := r.pointer.position.X
	r.paintOverlay(c, g, Cell{}, nil, r.tip.text, image.Rect(x, y, x, y+g.row))
}
