package text

import (
	"image"
	"sort"
	"strconv"
	"strings"

	"assay/model/text"
	"assay/ui/paint"
	"assay/ui/rows"
)

// page is the lines of a text as the rows show them.
type page struct {
	view    *View
	rows    *rows.Rows
	lines   []string // with tabs as spaces
	colored [][]text.Piece
	wrap    bool

	columns int     // characters of a row; 0: it is not known yet
	first   []int64 // the first row of each line, and one more; nil if each has one
	widest  int
	cut     bool // some line was too long: lines are not those of the text
	lit     int  // the line that is lit, from 1; 0: none
	wrong   bool // an error is why
}

var (
	_ rows.Painter = (*page)(nil)
	_ rows.Framer  = (*page)(nil)
	_ rows.Copier  = (*page)(nil)
)

const (
	tabs     = 4
	lineMost = 20_000 // characters of a line; the rest of a longer one goes on in the next
)

func (p *page) set(s string) {
	p.colored, p.first, p.columns, p.widest, p.cut, p.lit = nil, nil, 0, 0, false, 0
	p.lines = p.lines[:0]
	if s == "" {
		return
	}
	for line := range strings.SplitSeq(s, "\n") {
		if strings.Contains(line, "\t") {
			line = untabbed(line)
		}
		for len(line) > lineMost {
			p.cut = true
			p.lines = append(p.lines, strings.ToValidUTF8(line[:lineMost], ""))
			line = line[lineMost:]
		}
		p.widest = max(p.widest, len(line))
		p.lines = append(p.lines, line)
	}
}

// untabbed puts spaces for tabs.
func untabbed(s string) string {
	var b strings.Builder
	column := 0
	for _, r := range s {
		if r != '\t' {
			b.WriteRune(r)
			column++
			continue
		}
		n := tabs - column%tabs
		b.WriteString(strings.Repeat(" ", n))
		column += n
	}
	return b.String()
}

func (p *page) setWrap(on bool) { p.wrap, p.columns = on, 0 }

// Len is the number of rows.
func (p *page) Len() int64 {
	if p.first != nil {
		return p.first[len(p.lines)]
	}
	return int64(len(p.lines))
}

// place returns the line of a row, and which of its rows it is.
func (p *page) place(row int64) (line int, part int64) {
	if p.first == nil {
		return int(row), 0
	}
	line = sort.Search(len(p.lines), func(i int) bool { return p.first[i+1] > row })
	return line, row - p.first[line]
}

// rowOf returns the row of a hit.
func (p *page) rowOf(h hit) int64 {
	if p.first == nil {
		return int64(h.line)
	}
	return p.first[h.line] + int64(h.from/p.columns)
}

func (p *page) gutter(c *paint.Canvas) int {
	return c.CellWidth() * (len(strconv.Itoa(len(p.lines))) + 2)
}

// Frame wraps the lines to the width.
func (p *page) Frame(c *paint.Canvas, width, _ int) {
	columns := max(8, (width-p.gutter(c))/max(1, c.CellWidth())-1)
	if columns == p.columns {
		return
	}
	p.columns, p.first = columns, nil
	if !p.wrap {
		p.rows.SetContentWidth(p.gutter(c) + (p.widest+2)*c.CellWidth())
		return
	}
	p.rows.SetContentWidth(0)
	p.first = make([]int64, len(p.lines)+1)
	for i, l := range p.lines {
		n := 1
		if len(l) > columns {
			n = max(1, (runes(l)+columns-1)/columns)
		}
		p.first[i+1] = p.first[i] + int64(n)
	}
}

func runes(s string) int {
	n := 0
	for range s {
		n++
	}
	return n
}

// PaintRow paints a row: the number of its line, and its part of the line.
func (p *page) PaintRow(c *paint.Canvas, row int64, bounds image.Rectangle, _ rows.State) {
	line, part := p.place(row)
	gutter := p.gutter(c)
	cell := c.CellWidth()
	ground := p.ground(c, line)
	if ground != nil {
		c.Fill(bounds, *ground)
	}
	if part == 0 {
		number := image.Rect(bounds.Min.X, bounds.Min.Y, bounds.Min.X+gutter-cell, bounds.Max.Y)
		c.Label(number, strconv.Itoa(line+1), paint.Mono, c.Colors.Faint, paint.Trailing)
	}
	from, to := 0, 1<<30
	if p.first != nil {
		from = int(part) * p.columns
		to = from + p.columns
	}
	at := image.Pt(bounds.Min.X+gutter, c.Baseline(bounds, paint.Mono))
	lit := p.light(c, line, from, to, at.X, bounds)
	if ground != nil {
		lit = append(lit, light{from, to, *ground})
	}
	pieces := []text.Piece{{Text: p.lines[line]}}
	if !p.cut && line < len(p.colored) && p.colored[line] != nil {
		pieces = p.colored[line]
	}
	column := 0
	for _, piece := range pieces {
		col := c.Colors.Of(tones[piece.Kind])
		for _, r := range piece.Text {
			if r == '\t' {
				column += tabs - column%tabs
				continue
			}
			if column >= to {
				return
			}
			if x := at.X + (column-from)*cell; column >= from && x < c.Clip.Max.X && x+cell >= c.Clip.Min.X &&
				r != ' ' {
				c.Rune(x, at.Y, r, paint.Mono, lit.ink(c, column, col))
			}
			column++
		}
	}
}

// ground is the background of a line that is lit; nil for others.
func (p *page) ground(c *paint.Canvas, line int) *paint.Color {
	if line+1 != p.lit {
		return nil
	}
	col := c.Colors.Lit
	if p.wrong {
		col = paint.Mix(c.Colors.Error, c.Colors.Background, 0.4)
	}
	return &col
}

// light is a background of columns of a line.
type light struct {
	from, to int
	color    paint.Color
}

type lights []light

// ink is the color of a character of a column.
func (l lights) ink(c *paint.Canvas, column int, col paint.Color) paint.Color {
	for _, light := range l {
		if column >= light.from && column < light.to {
			return c.Colors.Legible(col, light.color)
		}
	}
	return col
}

// light paints the background of what a search found in a part of a line.
func (p *page) light(c *paint.Canvas, line, from, to, x int, bounds image.Rectangle) (lit lights) {
	hits := p.view.hits
	cell := c.CellWidth()
	for i := sort.Search(len(hits), func(i int) bool { return hits[i].line >= line }); i < len(hits) &&
		hits[i].line == line; i++ {
		a, b := max(hits[i].from, from), min(hits[i].to, to)
		if a >= b {
			continue
		}
		col := c.Colors.Hit
		if i == p.view.at {
			col = c.Colors.CurrentHit
		}
		c.Fill(image.Rect(x+(a-from)*cell, bounds.Min.Y, x+(b-from)*cell, bounds.Max.Y), col)
		lit = append(lit, light{a, b, col})
	}
	return lit
}

// tones are the colors of the kinds of pieces.
var tones = [...]paint.Tone{text.Plain: paint.Normal, text.Keyword: paint.Name, text.Name: paint.Number,
	text.String: paint.Word,
	text.Number: paint.Bytes, text.Comment: paint.Dim}

// Copied is the line of a row, once.
func (p *page) Copied(row int64) string {
	line, part := p.place(row)
	if part > 0 {
		return ""
	}
	return p.lines[line]
}
