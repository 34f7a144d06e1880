package text

import (
	"image"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"assay/model"
	"assay/model/text"
	"assay/ui/paint"
	"assay/ui/rows"
)

// lines is a text split into lines.
type lines struct {
	text    string
	starts  []int   // start of each line, and the end of the text
	numbers []int32 // the number of each line, if some were split for their length; 0: it continues the line before
	widest  int     // length of the longest line, in bytes
}

const (
	tabWidth     = 4
	maxLineBytes = 20_000 // maximum length of a line, in bytes; a longer one is split into several
)

// linesOf finds the lines of a text.
func linesOf(s string) lines {
	l := lines{text: s}
	if s == "" {
		l.starts = []int{0}
		return l
	}
	l.starts = make([]int, 0, strings.Count(s, "\n")+2)
	number := int32(0)
	for from := 0; from <= len(s); {
		end := strings.IndexByte(s[from:], '\n')
		if end < 0 {
			end = len(s) - from
		}
		end += from
		number++
		l.add(from, number)
		for from+maxLineBytes < end {
			next := from + maxLineBytes
			for !utf8.RuneStart(s[next]) {
				next--
			}
			l.widest = maxLineBytes
			if from = max(next, from+1); l.numbers == nil {
				for i := range l.starts {
					l.numbers = append(l.numbers, int32(i+1))
				}
			}
			l.add(from, 0)
		}
		l.widest = max(l.widest, end-from)
		from = end + 1
	}
	l.starts = append(l.starts, len(s))
	return l
}

func (l *lines) add(from int, number int32) {
	l.starts = append(l.starts, from)
	if l.numbers != nil {
		l.numbers = append(l.numbers, number)
	}
}

func (l *lines) count() int { return len(l.starts) - 1 }

// line returns a line without its end.
func (l *lines) line(i int) string {
	s := l.text[min(l.starts[i], len(l.text)):l.starts[i+1]]
	return strings.TrimSuffix(s, "\n")
}

// lineAt returns the line that contains an index of the text.
func (l *lines) lineAt(index int) int {
	return max(0, min(sort.SearchInts(l.starts, index+1), l.count())-1)
}

// page paints a text, wrapped into rows.
type page struct {
	lines
	view    *View
	rows    *rows.Rows
	colored [][]text.Piece
	wrap    bool

	columns      int     // characters of a row; 0 until the width is set
	rowsInView   int64   // number of rows in view at the latest frame
	caretInView  bool    // the caret was in view then
	firstRow     []int64 // the first row of each line, and one more; nil if each has one
	breakColumns []int   // the start columns of the rows of breakLine
	breakLine    int
	revealIndex  int  // offset of the text that comes into view at the next frame; -1: none
	highlighted  int  // the highlighted line, from 1; 0: no line
	isError      bool // highlighted as an error
	marks        map[int]lineMark
	underlined   []underline
}

// lineMark holds the signs beside a line number: one for the worst problem of the line and one for its first note.
type lineMark struct {
	problem, note rows.Mark
	severity      model.Severity
	message       string
}

// underline is a line below characters that have a note.
type underline struct {
	span
	tone paint.Tone
}

var (
	_ rows.Painter = (*page)(nil)
	_ rows.Framer  = (*page)(nil)
)

func (p *page) set(l lines) {
	p.lines, p.revealIndex = l, -1
	p.colored, p.firstRow, p.breakColumns, p.columns = nil, nil, nil, 0
	p.highlighted, p.marks, p.underlined = 0, nil, nil
}

// cells returns the number of columns of a character that begins at a column.
func cells(r rune, column int) int {
	switch {
	case r == '\t':
		return tabWidth - column%tabWidth
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// columnsOf returns the width of a text in columns.
func columnsOf(s string) int {
	column := 0
	for _, r := range s {
		column += cells(r, column)
	}
	return column
}

func (p *page) Len() int64 {
	if p.firstRow != nil {
		return p.firstRow[p.count()]
	}
	return int64(p.count())
}

// lineOf returns the line of a row, and the row's index in it.
func (p *page) lineOf(row int64) (line int, part int64) {
	if p.firstRow == nil {
		return int(row), 0
	}
	line = sort.Search(p.count(), func(i int) bool { return p.firstRow[i+1] > row })
	return line, row - p.firstRow[line]
}

// rowOf returns the row that contains an index of the text.
func (p *page) rowOf(index int) int64 {
	if p.count() == 0 {
		return 0
	}
	line := p.lineAt(index)
	if p.firstRow == nil {
		return int64(line)
	}
	return p.firstRow[line] + int64(sort.SearchInts(p.breaks(line), p.column(line, index)+1)-1)
}

// breaks returns the start columns of the rows of a line. They are valid until the next call.
func (p *page) breaks(line int) []int {
	if p.breakLine != line || len(p.breakColumns) == 0 {
		p.breakColumns, p.breakLine = appendBreaks(p.breakColumns[:0], p.line(line), p.columns), line
	}
	return p.breakColumns
}

// appendBreaks appends the columns where the rows of a line begin. Words that fit in a row are not split. Blanks at the
// end of a row may extend beyond its last column.
func appendBreaks(starts []int, line string, columns int) []int {
	column, start, word := 0, 0, 0
	starts = append(starts, 0)
	for _, r := range line {
		cellCount, blank := cells(r, column), r == ' ' || r == '\t'
		if column+cellCount > start+columns && !blank {
			if word <= start {
				word = column
			}
			start = word
			starts = append(starts, start)
		}
		if column += cellCount; blank {
			word = column
		}
	}
	return starts
}

// columnsOfPart returns the columns [from, to) of a line that a row displays; to is very high in its last row.
func (p *page) columnsOfPart(line int, part int64) (from, to int) {
	if p.firstRow == nil {
		return 0, toEnd
	}
	breaks := p.breaks(line)
	if int(part)+1 < len(breaks) {
		return breaks[part], breaks[part+1]
	}
	return breaks[min(int(part), len(breaks)-1)], toEnd
}

const toEnd = 1 << 30

// column returns the column of an index of the text in a line.
func (p *page) column(line, index int) int {
	s := p.line(line)
	return columnsOf(s[:max(0, min(index-p.starts[line], len(s)))])
}

// offsetAt returns the index of the text that is nearest to a column of a row.
func (p *page) offsetAt(row int64, column int) int {
	if p.count() == 0 {
		return 0
	}
	row = max(0, min(row, p.Len()-1))
	line, part := p.lineOf(row)
	from, to := p.columnsOfPart(line, part)
	if column = max(0, column) + from; column >= to {
		column = to - 1
	}
	start := 0
	for i, r := range p.line(line) {
		cellCount := cells(r, start)
		if start+(cellCount+1)/2 > column {
			return p.starts[line] + i
		}
		start += cellCount
	}
	return p.starts[line] + len(p.line(line))
}

func (p *page) gutter(c *paint.Canvas) int {
	return c.CellWidth() * (len(strconv.Itoa(p.count())) + 3)
}

// Frame wraps the lines to the width.
func (p *page) Frame(c *paint.Canvas, width, _ int) {
	p.view.colorInView()
	wrapped := p.wrapTo(c, width)
	if p.rows.Page() <= 1 { // it is being laid out
		return
	}
	p.keepCaret(wrapped)
	if p.revealIndex >= 0 {
		p.rows.ScrollTo(p.rowOf(p.revealIndex))
		p.revealIndex = -1
	}
}

// wrapTo wraps the lines to a width, and reports whether they were wrapped to another one.
func (p *page) wrapTo(c *paint.Canvas, width int) bool {
	columns := max(8, (width-p.gutter(c))/max(1, c.CellWidth())-1)
	if columns == p.columns {
		return false
	}
	p.columns, p.firstRow, p.breakColumns = columns, nil, p.breakColumns[:0]
	if !p.wrap {
		p.rows.SetContentWidth(p.gutter(c) + (p.widest+2)*c.CellWidth())
		return true
	}
	p.rows.SetContentWidth(0)
	p.firstRow = make([]int64, p.count()+1)
	for i := range p.count() {
		n := 1
		if length := p.starts[i+1] - p.starts[i]; length*tabWidth > columns {
			n = len(p.breaks(i))
		}
		p.firstRow[i+1] = p.firstRow[i] + int64(n)
	}
	return true
}

// keepCaret keeps the row of the caret in view when the view gets lower or narrower, as when a preview opens above it.
func (p *page) keepCaret(wrapped bool) {
	row, inView := p.rowOf(p.view.head), p.rowsInView
	if p.rowsInView = p.rows.Page(); p.caretInView && (wrapped || p.rowsInView < inView) {
		p.rows.ScrollTo(row)
	}
	p.caretInView = row >= p.rows.First() && row < p.rows.First()+p.rowsInView
}

// PaintRow paints a row: the number of its line, and its part of the line.
func (p *page) PaintRow(c *paint.Canvas, row int64, bounds image.Rectangle, state rows.State) {
	line, part := p.lineOf(row)
	gutter := p.gutter(c)
	cell := c.CellWidth()
	background := p.lineBackground(c, line)
	if background != nil {
		c.Fill(bounds, *background)
	}
	if part == 0 {
		p.paintNumber(c, line, image.Rect(bounds.Min.X, bounds.Min.Y, bounds.Min.X+gutter-cell, bounds.Max.Y))
	}
	from, to := p.columnsOfPart(line, part)
	pos := image.Pt(bounds.Min.X+gutter, c.Baseline(bounds, paint.Mono))
	highlights := p.paintHighlights(c, line, from, to, pos.X, bounds)
	if background != nil {
		highlights = append(highlights, highlight{from, to, *background})
	}
	pieces := []text.Piece{{Text: p.line(line)}}
	if p.numbers == nil && line < len(p.colored) && p.colored[line] != nil {
		pieces = p.colored[line]
	}
	column := 0
	for _, piece := range pieces {
		col := c.Colors.ForTone(tones[piece.Kind])
		for _, r := range piece.Text {
			if column >= to {
				return
			}
			cellCount := cells(r, column)
			start := column
			if cellCount == 0 { // a combining accent, drawn over the letter before
				start = max(from, column-1)
			}
			if x := pos.X + (start-from)*cell; column >= from && x < c.Clip.Max.X && x+cellCount*cell >= c.Clip.Min.X &&
				r != ' ' && r != '\t' {
				c.Rune(x, pos.Y, r, paint.Mono, highlights.textColor(c, column, col))
			}
			column += cellCount
		}
	}
}

// paintNumber paints the number of a line and its mark.
func (p *page) paintNumber(c *paint.Canvas, line int, box image.Rectangle) {
	number := line + 1
	if p.numbers != nil {
		number = int(p.numbers[line])
	}
	if number > 0 {
		c.Label(box, strconv.Itoa(number), paint.Mono, c.Colors.Faint, paint.AlignRight)
	}
	m := p.marks[line]
	side := c.CellWidth()
	pos := box.Min.Add(image.Pt(c.Px(2), (box.Dy()-side)/2))
	for _, sign := range []rows.Mark{m.problem, m.note} {
		if sign.Paint != nil {
			sign.Paint(c, image.Rectangle{pos, pos.Add(image.Pt(side, side))}, c.Colors.ForTone(sign.Tone))
			pos.X += side
		}
	}
}

// lineBackground returns the background of a highlighted line, or nil.
func (p *page) lineBackground(c *paint.Canvas, line int) *paint.Color {
	if line+1 != p.highlighted {
		return nil
	}
	col := c.Colors.Highlight
	if p.isError {
		col = paint.Mix(c.Colors.Error, c.Colors.Background, 0.4)
	}
	return &col
}

// highlight is the background of a range of columns of a line.
type highlight struct {
	from, to int
	color    paint.Color
}

type highlights []highlight

// textColor returns the color of a character in a column.
func (l highlights) textColor(c *paint.Canvas, column int, col paint.Color) paint.Color {
	for i := len(l) - 1; i >= 0; i-- {
		if column >= l[i].from && column < l[i].to {
			return c.Colors.Legible(col, l[i].color)
		}
	}
	return col
}

// paintHighlights paints the background of a part of a line (the selected node, the matches of the search and the
// selection), the lines below notes, and the caret.
func (p *page) paintHighlights(c *paint.Canvas, line, from, to, x int, bounds image.Rectangle) (painted highlights) {
	v, cell := p.view, c.CellWidth()
	start, end := p.starts[line], p.starts[line]+len(p.line(line))
	columns := func(s span) (a, b int) {
		if s.from >= s.to || s.to < start || s.from > end {
			return 0, 0
		}
		a, b = p.column(line, s.from), p.column(line, s.to)
		if s.to > end && line+1 < p.count() {
			b++ // the end of the line
		}
		return max(a, from), min(b, to)
	}
	fill := func(s span, col paint.Color) {
		if a, b := columns(s); a < b {
			c.Fill(image.Rect(x+(a-from)*cell, bounds.Min.Y, x+(b-from)*cell, bounds.Max.Y), col)
			painted = append(painted, highlight{a, b, col})
		}
	}
	fill(v.selectedNode, c.Colors.Highlight)
	for i := sort.Search(len(v.hits), func(i int) bool { return v.hits[i].to > start }); i < len(v.hits) &&
		v.hits[i].from <= end; i++ {
		col := c.Colors.Hit
		if i == v.current {
			col = c.Colors.CurrentHit
		}
		fill(v.hits[i], col)
	}
	fill(v.selected(), c.Colors.Range)
	for _, u := range p.underlined {
		if a, b := columns(u.span); a < b {
			low := image.Rect(x+(a-from)*cell, bounds.Max.Y-c.Px(2), x+(b-from)*cell, bounds.Max.Y)
			c.Fill(low, c.Colors.ForTone(u.tone))
		}
	}
	if column := p.column(line, v.head); v.rows.Focused() && v.head >= start && v.head <= end &&
		p.lineAt(v.head) == line &&
		column >= from && (column < to || column == to && to == toEnd) {
		left := x + (column-from)*cell
		c.Fill(image.Rect(left, bounds.Min.Y, left+max(1, c.Px(1.5)), bounds.Max.Y), c.Colors.Primary)
	}
	return painted
}

// Tone returns the color of a kind of pieces.
func Tone(k text.Kind) paint.Tone { return tones[k] }

// tones are the colors of the kinds of pieces.
var tones = [...]paint.Tone{text.Plain: paint.Normal, text.Keyword: paint.Name, text.Name: paint.Number,
	text.String: paint.Word, text.Number: paint.Bytes, text.Comment: paint.Dim}
