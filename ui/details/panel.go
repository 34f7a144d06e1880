package details

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// Line is one fact: a cell for each column.
type Line struct {
	Cells   []rows.Cell
	MaxRows int    // maximum number of rows that a long line is wrapped to; 0 is the same as 1
	On      func() // called on Enter, on a double click, and on a click if Link is set
	Link    bool
	Copy    string // text to copy instead of the values
	// Fill makes the lines for a width, in characters of the monospaced font; all other fields are ignored then.
	Fill func(width int) []Line
}

// unlimitedRows is the number of MaxRows for a text that is always displayed in full.
const unlimitedRows = 1 << 20

// Title returns the line of a section title.
func Title(text string) Line {
	return Line{Cells: []rows.Cell{{Text: text, IsTitle: true, Span: allColumns}}}
}

// Text returns a text over all columns, in as many rows as it needs.
func Text(cell rows.Cell) Line {
	cell.Span = allColumns
	return Line{Cells: []rows.Cell{cell}, MaxRows: unlimitedRows}
}

// allColumns is the span of a cell over all further columns: more than any panel has.
const allColumns = 1 << 10

// Fact returns a line with a name and one value in the columns after it.
func Fact(name string, value rows.Cell) Line {
	value.Span = allColumns
	return Line{Cells: []rows.Cell{{Text: name, Tone: paint.Dim, CutMiddle: true}, value}, MaxRows: maxValueRows}
}

// maxValueRows is the maximum number of rows that the value of a Fact is wrapped to.
const maxValueRows = 24

// Tail is a long list of lines after the others, which are made when they are in view.
type Tail interface {
	Len() int64
	Line(i int64) Line
}

// Panel displays a description in lines: titles, names with values, long texts and links. Long lines are wrapped.
type Panel struct {
	widget.BaseWidget
	rows       *rows.Rows
	lines      []Line
	tail       Tail
	wrapped    []Line // lines wrapped to the widths, one for each row
	lineOf     []int  // index of the line of each row
	widths     []int  // widths of the columns, in pixels, to which the lines are wrapped
	revealLine int    // index of the line to reveal, plus 1; 0: no line
}

// NewPanel returns an empty panel.
func NewPanel(h host.Host, style *paint.Style, options rows.Options, columns ...rows.Column) *Panel {
	p := new(Panel)
	p.rows = rows.New(h, style, (*source)(p), options)
	p.rows.SetColumns(columns...)
	p.rows.Events = rows.Events{
		OnActivate: func(row int64) { act(p.line(row)) },
		OnPress: func(ev rows.Pointer) rows.PressResult {
			if ev.Button != desktop.MouseButtonPrimary || ev.Row < 0 || ev.Row >= p.rows.Len() || !p.line(ev.Row).Link {
				return rows.Pass
			}
			p.rows.SetCurrent(ev.Row)
			act(p.line(ev.Row))
			return rows.Handled
		},
	}
	p.ExtendBaseWidget(p)
	return p
}

func act(l Line) {
	if l.On != nil {
		l.On()
	}
}

// CreateRenderer implements fyne.Widget.
func (p *Panel) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(p.rows) }

// MinSize implements fyne.CanvasObject.
func (p *Panel) MinSize() fyne.Size { return p.rows.MinSize() }

// Refresh implements fyne.CanvasObject.
func (p *Panel) Refresh() { p.rows.Refresh() }

// Focus gives the keyboard focus to the panel.
func (p *Panel) Focus() { p.rows.Focus() }

// Set displays other lines, from the first one. The tail may be nil.
func (p *Panel) Set(lines []Line, tail Tail) {
	p.lines, p.tail, p.wrapped, p.lineOf, p.widths = lines, tail, nil, nil, nil
	p.rows.UpdateWidths()
	p.rows.SetSource((*source)(p))
}

// Update displays changed lines and keeps the scroll position.
func (p *Panel) Update(lines []Line) {
	p.lines, p.widths = lines, nil
	p.rows.Refresh()
}

// rowsAbove is the number of rows in view above a revealed line.
const rowsAbove = 2

// Reveal makes a line current and scrolls so that it is near the top.
func (p *Panel) Reveal(line int) {
	p.revealLine = line + 1
	p.rows.Refresh()
}

// scrollToRevealed scrolls to the line to reveal, after the lines were wrapped.
func (p *Panel) scrollToRevealed() {
	row := int64(slices.Index(p.lineOf, p.revealLine-1))
	if p.revealLine == 0 || row < 0 {
		return
	}
	p.revealLine = 0
	p.rows.SetFirst(max(0, row-rowsAbove))
	p.rows.SetCurrent(row)
}

// line returns the content of a row.
func (p *Panel) line(row int64) Line {
	if i := row - int64(len(p.wrapped)); i >= 0 {
		return p.tail.Line(i)
	}
	return p.wrapped[row]
}

// source implements rows.Cells for a Panel.
type source Panel

func (s *source) Len() int64 {
	n := int64(len(s.wrapped))
	if s.tail != nil {
		n += s.tail.Len()
	}
	return n
}

func (s *source) Cell(row int64, column int) rows.Cell {
	if cells := (*Panel)(s).line(row).Cells; column < len(cells) {
		return cells[column]
	}
	return rows.Cell{}
}

// Copied returns the text of the whole line of a row: its values, or its only text.
func (s *source) Copied(row int64) string {
	l := (*Panel)(s).line(row)
	if row < int64(len(s.lineOf)) && s.lines[s.lineOf[row]].Fill == nil {
		l = s.lines[s.lineOf[row]]
	}
	if l.Copy != "" {
		return l.Copy
	}
	var values []string
	for _, c := range l.Cells[min(1, len(l.Cells)-1):] {
		if text := c.String(); text != "" {
			values = append(values, text)
		}
	}
	return strings.Join(values, " -> ")
}

// Frame wraps the lines to the widths of the columns.
func (s *source) Frame(c *paint.Canvas, _, _ int) {
	widths := []int{c.CellWidth()} // changes with the text size
	for column := range s.rows.Columns() {
		widths = append(widths, s.rows.TextWidth(c, column, 0))
	}
	defer (*Panel)(s).scrollToRevealed()
	if slices.Equal(widths, s.widths) {
		return
	}
	s.widths, s.wrapped, s.lineOf = widths, nil, nil
	for i, l := range s.lines {
		wrapped := s.wrap(c, l)
		s.wrapped = append(s.wrapped, wrapped...)
		for range wrapped {
			s.lineOf = append(s.lineOf, i)
		}
	}
}

func (s *source) wrap(c *paint.Canvas, l Line) []Line {
	switch {
	case l.Fill != nil:
		return l.Fill(s.rows.TextWidth(c, 0, allColumns) / c.CellWidth())
	case l.MaxRows <= 1:
		return []Line{l}
	}
	wrapped := make([][][]paint.Piece, len(l.Cells))
	n := 1
	for i, cell := range l.Cells {
		if i == 0 && len(l.Cells) > 1 { // the name
			continue
		}
		pieces := cell.Pieces
		if pieces == nil {
			pieces = paint.PlainPieces(cell.Text)
		}
		lines := c.Wrap(pieces, cell.Face(), s.rows.TextWidth(c, i, cell.Span))
		if len(lines) > l.MaxRows { // the last line is truncated
			lines[l.MaxRows-1] = slices.Concat(lines[l.MaxRows-1:]...)
			lines = lines[:l.MaxRows]
		}
		wrapped[i] = lines
		n = max(n, len(lines))
	}
	out := make([]Line, n)
	for row := range out {
		out[row] = Line{On: l.On, Link: l.Link, Copy: l.Copy, Cells: slices.Clone(l.Cells)}
		for i := range l.Cells {
			cell := &out[row].Cells[i]
			if row > 0 {
				cell.Flag, cell.Mark = rows.Mark{}, rows.Mark{}
			}
			switch {
			case row < len(wrapped[i]):
				cell.Text, cell.Pieces = "", wrapped[i][row]
				if row < len(wrapped[i])-1 {
					cell.Hint = ""
				}
			case row > 0 || wrapped[i] != nil:
				cell.Text, cell.Pieces = "", nil
			}
		}
	}
	return out
}
