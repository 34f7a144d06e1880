package rows

import (
	"image"
	"strings"

	"assay/ui/paint"
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
func WidthOf(canvas *paint.Canvas, c Cell) float32 {
	return float32(c.width(canvas))/canvas.Scale + 2*cellPad + 2
}

// width returns the width that a cell needs, without its margins.
func (c *Cell) width(canvas *paint.Canvas) int {
	w := canvas.Px(c.Indent) + canvas.Px(c.Lead) + canvas.Measure(c.String(), c.Face())
	if c.Hint != "" {
		w += canvas.Px(hintGap) + canvas.Measure(c.Hint, paint.Regular)
	}
	return w + c.marks()*canvas.Px(markSide+markGap)
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
