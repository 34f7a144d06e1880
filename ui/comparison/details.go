package comparison

import (
	"image"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"assay/model/compare"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

type detailKind uint8

const (
	fact    detailKind = iota // a name, what it was, what it is
	heading                   // the title of a section
	both                      // a name and what it is on both sides
	entry                     // a change below the pair, by its path
	text                      // a line of a longer text
)

// detail is one row of the details.
type detail struct {
	kind     detailKind
	label    string
	old, new []piece // old is what both, entry and text show
	side     int     // of a text: 1 old, 2 new
	status   compare.Status
	dim      bool
	single   bool // one line, however long it is
	on       func()
}

// details shows what the selected pair was and is.
type details struct {
	widget.BaseWidget
	rows   *rows.Rows
	status compare.Status
	own    []detail // all but the long texts and the ranges
	ranges []detail // of bytes, below all others
	blocks []textBlock
	lines  []detail // all, with the long texts wrapped
	width  int
}

// textBlock is a long text that is wrapped when the width is known.
type textBlock struct {
	at     int // the row that it stands before
	pieces []piece
	side   int
}

func newDetails(h host.Host, style *paint.Style) *details {
	d := new(details)
	d.rows = rows.New(h, style, (*detailRows)(d), rows.Options{Header: true, MinSize: fyne.NewSize(160, 60), Share: shareDetails})
	d.rows.SetColumns(rows.Column{Title: "", Width: 92, Min: 50}, rows.Column{Title: "Old", Width: 150}, rows.Column{Title: "New", Width: 150})
	d.rows.Events = rows.Events{
		OnActivate: func(row int64) {
			if on := d.lines[row].on; on != nil {
				on()
			}
		},
		OnPress: func(p rows.Pointer) rows.Claim {
			if p.Button == desktop.MouseButtonPrimary && p.Row >= 0 && p.Row < int64(len(d.lines)) && d.lines[p.Row].kind == entry {
				d.rows.SetCurrent(p.Row)
				d.lines[p.Row].on()
				return rows.Handled
			}
			return rows.Pass
		},
	}
	d.ExtendBaseWidget(d)
	return d
}

// CreateRenderer is called by Fyne.
func (d *details) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(d.rows) }

// shareDetails shares the width between old and new.
func shareDetails(width float32) []float32 {
	name := min(92, width/4)
	half := max(60, (width-name)/2)
	return []float32{name, half, half}
}

// MinSize returns the smallest size.
func (d *details) MinSize() fyne.Size { return d.rows.MinSize() }

// Refresh paints again.
func (d *details) Refresh() { d.rows.Refresh() }

// show shows other rows.
func (d *details) show(status compare.Status, own []detail, blocks []textBlock) {
	d.status, d.own, d.blocks, d.ranges, d.lines, d.width = status, own, blocks, nil, own, 0
	d.rows.SetSource((*detailRows)(d))
}

// setRanges shows which bytes differ.
func (d *details) setRanges(r []detail) {
	d.ranges, d.width = r, 0
	d.rows.Refresh()
}

// add shows more rows below those that are there.
func (d *details) add(more []detail) {
	d.own, d.width = append(d.own[:len(d.own):len(d.own)], more...), 0
	d.rows.Refresh()
}

// text is a row as it is copied.
func (l *detail) text() string {
	old, new := flat(l.old), flat(l.new)
	switch {
	case l.kind == heading:
		return l.label
	case l.kind == text || new == "":
		return old
	case old == "":
		return new
	}
	return old + " -> " + new
}

func flat(p []piece) string {
	var b strings.Builder
	for _, q := range p {
		b.WriteString(q.text)
	}
	return b.String()
}

// detailRows is the details as the rows see them.
type detailRows details

// Len is the number of rows.
func (d *detailRows) Len() int64 { return int64(len(d.lines)) }

// Copied is a row as it is copied.
func (d *detailRows) Copied(row int64) string { return d.lines[row].text() }

// linesMost is how many lines a value may take.
const linesMost = 24

// Frame wraps what is too long for its column, and the long texts.
func (d *detailRows) Frame(c *paint.Canvas, width, _ int) {
	if width == d.width || width <= 0 {
		return
	}
	d.width = width
	d.lines = d.lines[:0:0]
	name := int(d.rows.Widths()[0] * c.Scale)
	whole := width - name - c.Px(12)
	at := 0
	rows := func(to int) {
		for ; at < to; at++ {
			l := d.own[at]
			switch {
			case l.single:
				d.lines = append(d.lines, l)
			case l.kind == fact:
				d.addWrapped(l, wrap(c, l.old, whole/2-c.Px(12)), wrap(c, l.new, whole/2-c.Px(12)))
			case l.kind == both:
				d.addWrapped(l, wrap(c, l.old, whole), nil)
			default:
				d.lines = append(d.lines, l)
			}
		}
	}
	for _, b := range d.blocks {
		rows(b.at)
		for _, l := range wrap(c, b.pieces, width-c.Px(20)) {
			d.lines = append(d.lines, detail{kind: text, old: l, side: b.side})
		}
	}
	rows(len(d.own))
	d.lines = append(d.lines, d.ranges...)
}

// addWrapped adds a row of which the values take several lines.
func (d *detailRows) addWrapped(l detail, old, new [][]piece) {
	for i := range min(linesMost, max(1, len(old), len(new))) {
		one := l
		one.old, one.new = nil, nil
		if i < len(old) {
			one.old = old[i]
		}
		if i < len(new) {
			one.new = new[i]
		}
		if i > 0 {
			one.label = ""
		}
		d.lines = append(d.lines, one)
	}
}

// wrap cuts pieces of a text into lines, at its own line ends and where the width ends.
func wrap(c *paint.Canvas, pieces []piece, width int) [][]piece {
	var lines [][]piece
	var line []piece
	used := 0
	end := func() {
		lines = append(lines, line)
		line, used = nil, 0
	}
	for _, p := range pieces {
		for i, part := range strings.Split(strings.ReplaceAll(strings.ReplaceAll(p.text, "\r\n", "\n"), "\t", "    "), "\n") {
			if i > 0 {
				end()
			}
			for _, w := range words(part) {
				long := c.MeasureUpTo(w, paint.Regular, width)
				if used > 0 && used+long > width {
					end()
				}
				for long > width { // longer than a line
					n := fits(c, w, width)
					line = join(line, w[:n], p.hot)
					end()
					w = w[n:]
					long = c.MeasureUpTo(w, paint.Regular, width)
				}
				line = join(line, w, p.hot)
				used += long
			}
		}
	}
	if len(line) > 0 || len(lines) == 0 {
		end()
	}
	return lines
}

// fits is how many bytes of a word stand in a width, at least one character.
func fits(c *paint.Canvas, w string, width int) int {
	n := 0
	for i, r := range w {
		next := i + utf8.RuneLen(max(r, 0))
		if r == utf8.RuneError {
			_, size := utf8.DecodeRuneInString(w[i:])
			next = i + size
		}
		if n > 0 && c.MeasureUpTo(w[:next], paint.Regular, width) > width {
			break
		}
		n = next
	}
	return n
}

// PaintRow paints one row.
func (d *detailRows) PaintRow(c *paint.Canvas, row int64, bounds image.Rectangle, state rows.State) {
	l := &d.lines[row]
	whole := bounds
	whole.Min.X += c.Px(8)
	whole.Max.X -= c.Px(4)
	col := colorOf(c.Colors, d.status)
	fore := c.Colors.Foreground
	if l.dim {
		fore = c.Colors.Dim
	}
	ground := paint.Mix(col, c.Colors.Background, 0.30)
	switch l.kind {
	case heading:
		if !state.Selected {
			c.Fill(bounds, c.Colors.Header)
		}
		x := whole.Min.X
		if l.status != compare.Same {
			x += c.Label(whole, signOf(l.status), paint.Bold, colorOf(c.Colors, l.status), paint.Left) + c.Px(6)
		}
		c.Label(image.Rect(x, whole.Min.Y, whole.Max.X, whole.Max.Y), l.label, paint.Bold, c.Colors.Foreground, paint.Left)
	case entry:
		col = colorOf(c.Colors, l.status)
		c.Label(whole, signOf(l.status), paint.Bold, col, paint.Left)
		whole.Min.X += c.Px(16)
		paintPieces(c, whole, l.old, c.Colors.Foreground, ground)
	case text:
		paintPieces(c, whole, l.old, fore, paint.Mix(sideColor(c.Colors, l.side, d.status), c.Colors.Background, 0.30))
	case both:
		c.Label(state.Cell(bounds, 0).Add(image.Pt(c.Px(2), 0)), l.label, paint.Regular, c.Colors.Dim, paint.Left)
		cell := state.Cell(bounds, 1)
		cell.Max.X = state.Cell(bounds, 2).Max.X
		paintPieces(c, cell, l.old, fore, ground)
	default:
		c.Label(state.Cell(bounds, 0).Add(image.Pt(c.Px(2), 0)), l.label, paint.Regular, c.Colors.Dim, paint.Left)
		paintPieces(c, state.Cell(bounds, 1), l.old, fore, ground)
		paintPieces(c, state.Cell(bounds, 2), l.new, fore, ground)
	}
}

func sideColor(c paint.Colors, side int, s compare.Status) paint.Color {
	switch {
	case s == compare.Added || s == compare.Removed:
		return colorOf(c, s)
	case side == 1:
		return c.States.Removed
	}
	return c.States.Added
}
