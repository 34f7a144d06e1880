package rows

import (
	"cmp"
	"image"
	"strings"
	"time"

	"assay/ui/paint"
	"assay/ui/work"
)

// Cells is a Source with rows of cells. Rows paints, measures and copies them, and displays a truncated cell in full
// when the pointer rests on it.
type Cells interface {
	Source
	// Cell returns the cell in a column of a row. It is called for the rows in view.
	Cell(row int64, column int) Cell
}

// Leader is a Cells source that paints before the text of a cell.
type Leader interface {
	// PaintLead paints into the space reserved by the Lead of a cell, which follows the Indent.
	PaintLead(c *paint.Canvas, row int64, column int, lead image.Rectangle)
}

// Cell is the content of one column of a row.
type Cell struct {
	Text          string
	Pieces        []paint.Piece // instead of Text, if parts are highlighted
	Hint          string        // dim, after the text
	Tone          paint.Tone
	HighlightTone paint.Tone // the background of highlighted pieces
	Mono          bool
	Bold          bool
	CutMiddle     bool // truncate a long text in the middle instead of at the end
	IsTitle       bool // the cell is the title of the rows below it
	Span          int  // number of additional columns that the cell covers

	Indent float32 // space at the left, reduced if the text needs it, in device-independent pixels
	Lead   float32 // space before the text, for a Leader
	Mark   Mark
	Flag   Mark   // another mark, before Mark
	Tip    string // tooltip, displayed when the pointer rests on the cell
}

// Mark is a symbol after the text of a cell.
type Mark struct {
	Paint func(c *paint.Canvas, r image.Rectangle, col paint.Color) // nil: no mark
	Tone  paint.Tone
}

// paint paints the mark after x in a box, and returns its right edge.
func (m *Mark) paint(c *paint.Canvas, x int, box image.Rectangle) int {
	if m.Paint == nil {
		return x
	}
	side := c.Px(markSide)
	pos := image.Pt(x+c.Px(markGap), box.Min.Y+(box.Dy()-side)/2)
	m.Paint(c, image.Rectangle{pos, pos.Add(image.Pt(side, side))}, c.Colors.ForTone(m.Tone))
	return pos.X + side
}

// Lengths in device-independent pixels.
const (
	minTextWidth = 48 // minimum width of a cell's text, for any indent
	hintGap      = 8
	markSide     = 11
	markGap      = 5
)

// Face returns the face of the cell's text.
func (c *Cell) Face() paint.Face {
	switch {
	case c.Mono:
		return paint.Mono
	case c.Bold, c.IsTitle:
		return paint.Bold
	}
	return paint.Regular
}

// String returns the text, whether it is in pieces or not.
func (c *Cell) String() string {
	if c.Pieces != nil {
		return paint.JoinPieces(c.Pieces)
	}
	return c.Text
}

// Highlight highlights the words, in lower case, that the text contains.
func (c *Cell) Highlight(words ...string) {
	if pieces := paint.Highlight(c.Text, words...); pieces != nil {
		c.Text, c.Pieces, c.HighlightTone = "", pieces, paint.Warning
	}
}

// boxes returns the rectangles of a cell's lead and text; box is the column without its margins. Painting and hit tests
// share it.
func (c *Cell) boxes(box image.Rectangle, scale float32) (lead, text image.Rectangle) {
	px := func(length float32) int { return int(length*scale + 0.5) }
	lead, text = box, box
	lead.Min.X += min(px(c.Indent), max(0, box.Dx()-px(c.Lead)-px(minTextWidth)))
	lead.Max.X = lead.Min.X + px(c.Lead)
	text.Min.X = min(lead.Max.X, box.Max.X)
	text.Max.X = max(text.Min.X, text.Max.X-c.marks()*px(markSide+markGap))
	return lead, text
}

// WidthOf returns the width of a column in which the cell is not truncated, in device-independent pixels.
func WidthOf(on *paint.Canvas, c Cell) float32 { return float32(c.width(on))/on.Scale + 2*cellPad + 2 }

// width returns the width that a cell needs, without its margins.
func (c *Cell) width(on *paint.Canvas) int {
	w := on.Px(c.Indent) + on.Px(c.Lead) + on.Measure(c.String(), c.Face())
	if c.Hint != "" {
		w += on.Px(hintGap) + on.Measure(c.Hint, paint.Regular)
	}
	return w + c.marks()*on.Px(markSide+markGap)
}

// marks returns the number of marks after the text.
func (c *Cell) marks() (n int) {
	if c.Flag.Paint != nil {
		n++
	}
	if c.Mark.Paint != nil {
		n++
	}
	return n
}

func (r *Rows) paintCells(c *paint.Canvas, source Cells, row int64, bounds image.Rectangle, state State) {
	leader, _ := source.(Leader)
	for column := 0; column < state.Cells(); column++ {
		if r.columns[column].hidden {
			continue
		}
		box := state.Cell(bounds, column)
		if box.Min.X >= c.Clip.Max.X {
			return
		}
		cell := source.Cell(row, column)
		if cell.IsTitle && !state.Selected {
			c.Fill(bounds, c.Colors.Header)
		}
		first := column
		if column += cell.Span; cell.Span > 0 {
			box.Max.X = state.Cell(bounds, min(column, state.Cells()-1)).Max.X
		}
		c.Clipped(image.Rect(box.Min.X-state.pad+1, bounds.Min.Y, box.Max.X+state.pad, bounds.Max.Y), func() {
			lead, text := cell.boxes(box, c.Scale)
			if leader != nil && cell.Lead > 0 {
				leader.PaintLead(c, row, first, lead)
			}
			r.paintCell(c, cell, text, r.columns[first].Align)
		})
	}
}

func (r *Rows) paintCell(c *paint.Canvas, cell Cell, box image.Rectangle, align paint.Align) {
	col, x := c.Colors.ForTone(cell.Tone), box.Min.X
	switch {
	case cell.Pieces != nil:
		if align == paint.Trailing {
			box.Min.X = max(box.Min.X, box.Max.X-c.MeasureUpTo(cell.String(), cell.Face(), box.Dx()))
			x = box.Min.X
		}
		x += c.Pieces(box, cell.Pieces, cell.Face(), col, c.Colors.HighlightOf(cell.HighlightTone))
	case cell.CutMiddle:
		x += c.LabelMiddle(box, cell.Text, cell.Face(), col)
	default:
		x += c.Label(box, cell.Text, cell.Face(), col, align)
	}
	if cell.Hint != "" {
		content := box
		content.Min.X = x + c.Px(hintGap)
		x = content.Min.X + c.Label(content, cell.Hint, paint.Regular, c.Colors.Dim, paint.Left)
	}
	x = cell.Flag.paint(c, min(x, box.Max.X), box)
	cell.Mark.paint(c, x, box)
}

// TextWidth returns the width available for the text of a cell that begins in a column and covers more columns, in
// pixels. It always leaves space for the scroll bar.
func (r *Rows) TextWidth(c *paint.Canvas, column, following int) int {
	g := r.geometry()
	g.width = max(r.columnsWidth(c.Scale), g.all.Dx()-c.Px(barWidth))
	edges := r.edges(g)
	return max(0, edges[min(column+following+1, len(edges)-1)]-edges[column]-2*c.Px(cellPad))
}

// rowText returns the text of a row for the clipboard: its cells, separated by tabs.
func rowText(source Cells, row int64, columns int) string {
	var cells []string
	for column := 0; column < columns; column++ {
		cell := source.Cell(row, column)
		cells = append(cells, cell.String())
		column += cell.Span
	}
	return strings.Join(cells, "\t")
}

// keptLimitShare is the maximum width of the columns of Options.Keep after the first one, as a fraction of
// Options.Grow.
const keptLimitShare = 0.4

// minFirstShare is the fraction of a narrow list that its first column, which has the names, keeps.
const minFirstShare = 0.4

// growColumns makes every column at least as wide as its cells in view, up to a limit, until the widths are chosen. The
// first column shrinks so that the columns of Options.Keep stay in view.
func (r *Rows) growColumns() {
	if r.options.Grow == 0 || r.widthsChosen || len(r.columns) == 0 {
		return
	}
	if page := r.Page(); r.grownFirst != r.first || r.Len() != r.grownLen || page > r.grownPage {
		r.grownFirst, r.grownLen, r.grownPage = r.first, r.Len(), page
		for i := range r.columns {
			c := &r.columns[i]
			limit := r.options.Grow
			if i > 0 && i < r.options.Keep {
				limit *= keptLimitShare
			}
			c.neededWidth = max(cmp.Or(c.neededWidth, c.Width), min(r.WidthInView(i), limit))
		}
	}
	widths := make([]float32, len(r.columns))
	room := r.Size().Width - barWidth
	overflow := -room
	for i, c := range r.columns {
		widths[i] = c.neededWidth
		if i < r.options.Keep {
			overflow += c.neededWidth
		}
	}
	if r.options.Keep > 0 && overflow > 0 {
		widths[0] = max(widths[0]-overflow, min(widths[0], room*minFirstShare)) // setWidths applies the minimum width
	}
	r.setWidths(widths)
	if r.options.Keep > 0 {
		r.hideCutColumn()
	}
}

// hideCutColumn widens the first column if a column after those of Options.Keep is only partly visible, so that it
// begins outside the view.
func (r *Rows) hideCutColumn() {
	room := r.Size().Width
	if !r.geometry().vbar.Empty() {
		room -= barWidth
	}
	end := float32(0)
	for i, c := range r.columns {
		width := c.Width
		if i == len(r.columns)-1 { // the last column has the remaining width
			width = c.minWidth()
		}
		if left := room - end; i >= r.options.Keep && width > left+1 {
			r.columns[0].Width += max(0, left)
			return
		}
		end += width
	}
}

// WidthInView returns the width that the title and the cells in view of a column need.
func (r *Rows) WidthInView(column int) float32 {
	c := r.style.NewCanvas(nil, r.scale(), paint.Colors{})
	title := Cell{Text: r.columns[column].Title, Bold: true}
	if r.columns[column].Sortable {
		title.Mark.Paint = (*paint.Canvas).Dot // reserves space for the triangle of the sort order
	}
	widest := WidthOf(c, title)
	source, ok := r.source.(Cells)
	if !ok {
		return max(widest, r.columns[column].Width)
	}
	for row := r.first; row < min(r.Len(), r.first+r.Page()+1); row++ {
		if cell := source.Cell(row, column); cell.Span == 0 && !cell.IsTitle {
			widest = max(widest, WidthOf(c, cell))
		}
	}
	return widest
}

// maxFitWidth is the maximum width of a column after a double click on its edge.
const maxFitWidth = 900

// fullCellDelay is how long the pointer must rest on a truncated cell before it is displayed in full.
const fullCellDelay = 350 * time.Millisecond

// maxFullLines is the maximum number of lines of a cell that is displayed in full.
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
	w := &r.fullCell
	if row == w.row && column == w.column {
		return
	}
	if w.stop != nil {
		w.stop()
		w.stop = nil
	}
	if w.visible {
		r.repaint()
	}
	*w = cellPopup{row: row, column: column, pressed: w.pressed}
	r.HideTip()
	if _, ok := r.source.(Cells); !ok || row < 0 || column < 0 {
		return
	}
	w.stop = r.afterFunc(fullCellDelay, func() {
		if row != w.row || column != w.column { // the timer fired before it was stopped
			return
		}
		w.visible = true
		r.host.SetOverlay(r.hideOverlay)
		r.repaint()
		if r.OnRest == nil {
			return
		}
		delay := tipDelay
		if time.Since(w.pressed) < clickPause {
			delay = tipDelayAfterClick
		}
		w.stop = r.afterFunc(delay, func() {
			if row == w.row && column == w.column {
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
