// Package details shows everything about one node: what it is, where it stands, its value in full, its fields, its
// bytes.
package details

import (
	"image"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

const (
	fieldsMax = 2000  // children that are listed
	rawMax    = 256   // bytes that are shown raw
	textMax   = 32768 // bytes of a text that are shown in full
	valuesRun = 256   // scalars of an array that are read at once
)

// Events are what the owner of the panel is told. Any of them may be nil.
type Events struct {
	OnGo     func(n *model.Node) // the user chose a field
	OnFollow func(n *model.Node) // the user chose the node's link
	OnOffset func(off int64)     // the user chose an offset
}

// style of a line.
type lineKind uint8

const (
	pair    lineKind = iota // a name and what it is
	heading                 // the title of a section
	text                    // a line of a longer text
	bytes                   // raw bytes
	scalar                  // an element of an array
)

// line is one row.
type line struct {
	kind        lineKind
	name, value string
	tone        func(c paint.Colors) paint.Color
	mono        bool
	on          func()
}

// Details is the panel.
type Details struct {
	widget.BaseWidget
	Events
	rows *rows.Rows

	node  *model.Node
	src   *model.Source
	own   []line // all but the blocks
	lines []line // all, with the blocks in their lines
	array model.Array
	run   []any // scalars of the array from runAt on
	runAt int64

	wrapped int // pixels that the blocks were made for
	blocks  []block
}

// block is a long text, or bytes, whose lines are made when the width is known.
type block struct {
	at     int // the line that it stands before
	text   string
	tone   func(c paint.Colors) paint.Color
	mono   bool
	raw    []byte
	offset int64 // of the bytes
}

var _ fyne.Widget = (*Details)(nil)

// New makes an empty panel.
func New(h host.Host, style *paint.Style) *Details {
	d := new(Details)
	d.rows = rows.New(h, style, (*source)(d), rows.Options{MinSize: fyne.NewSize(140, 80), Share: share})
	d.rows.SetColumns(rows.Column{}, rows.Column{})
	d.rows.Events = rows.Events{
		OnActivate: func(row int64) {
			if l := d.line(row); l.on != nil {
				l.on()
			}
		},
	}
	d.ExtendBaseWidget(d)
	return d
}

// share divides the width between names and values.
func share(width float32) []float32 {
	name := min(84, width*0.42)
	return []float32{name, width - name}
}

// CreateRenderer is called by Fyne.
func (d *Details) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(d.rows) }

// MinSize returns the smallest size.
func (d *Details) MinSize() fyne.Size { return d.rows.MinSize() }

// Refresh paints again.
func (d *Details) Refresh() { d.rows.Refresh() }

// Focus gives the panel the keyboard.
func (d *Details) Focus() { d.rows.Focus() }

// Node is what is shown.
func (d *Details) Node() *model.Node { return d.node }

// SetNode describes a node of a source; nil shows nothing. raw are the node's first bytes, as far as they could be read.
func (d *Details) SetNode(src *model.Source, n *model.Node, raw []byte) {
	d.node, d.src, d.own, d.blocks, d.array, d.run = n, src, nil, nil, nil, nil
	d.wrapped = 0
	if n != nil {
		d.describe(n)
		d.problems(n)
		d.value(n)
		d.fields(n)
		d.bytes(n, raw)
	}
	d.lines = d.own
	d.rows.SetSource((*source)(d))
}

// RawSpan is the part of a node that SetNode wants the bytes of.
func RawSpan(n *model.Node, size int64) model.Span {
	s := model.Span{Offset: min(max(n.Offset, 0), size), Size: min(max(n.Size, 0), rawMax)}
	s.Size = min(s.Size, size-s.Offset)
	return s
}

// line gives a row: what is in memory, then the array's scalars.
func (d *Details) line(row int64) line {
	if row < int64(len(d.lines)) {
		return d.lines[row]
	}
	i := row - int64(len(d.lines)) - 1
	if i < 0 {
		return line{kind: heading, name: "Values"}
	}
	if i < d.runAt || i >= d.runAt+int64(len(d.run)) {
		d.runAt = max(0, i-valuesRun/4)
		d.run, _ = d.array.Slice(d.runAt, valuesRun)
	}
	value := "cannot be read"
	if i < d.runAt+int64(len(d.run)) {
		value = model.FormatValue(d.run[i-d.runAt])
	}
	return line{kind: scalar, name: strconv.FormatInt(i, 10), value: value, mono: true}
}

// source is the panel as the rows see it.
type source Details

// Len is the number of rows.
func (s *source) Len() int64 {
	n := int64(len(s.lines))
	if s.array != nil && s.array.Len() > 0 {
		n += 1 + s.array.Len()
	}
	return n
}

// Copied is a row's value, or its name.
func (s *source) Copied(row int64) string {
	l := (*Details)(s).line(row)
	if l.value == "" {
		return l.name
	}
	return l.value
}

// Frame wraps the long texts and the bytes to the width.
func (s *source) Frame(c *paint.Canvas, width, _ int) {
	if len(s.blocks) == 0 || width == s.wrapped || width <= 0 {
		return
	}
	s.wrapped = width
	s.lines = s.lines[:0:0]
	at := 0
	for _, b := range s.blocks {
		s.lines = append(s.lines, s.own[at:b.at]...)
		at = b.at
		if b.raw != nil {
			s.lines = append(s.lines, (*Details)(s).rawLines(b, (width-c.Px(12))*8/max(1, c.Measure("00000000", paint.Mono)))...)
			continue
		}
		for _, t := range wrap(c, b.text, width-c.Px(20), b.mono) {
			s.lines = append(s.lines, line{kind: text, name: t, tone: b.tone, mono: b.mono})
		}
	}
	s.lines = append(s.lines, s.own[at:]...)
}

// PaintRow paints one row.
func (s *source) PaintRow(c *paint.Canvas, row int64, bounds image.Rectangle, state rows.State) {
	l := (*Details)(s).line(row)
	whole := bounds
	whole.Min.X += c.Px(8)
	whole.Max.X -= c.Px(4)
	col := c.Colors.Foreground
	if l.tone != nil {
		col = l.tone(c.Colors)
	}
	face := paint.Regular
	if l.mono {
		face = paint.Mono
	}
	switch l.kind {
	case heading:
		c.Fill(bounds, c.Colors.Header)
		c.Label(whole, l.name, paint.Bold, c.Colors.Foreground, paint.Left)
	case text, bytes:
		c.Label(whole, l.name, face, col, paint.Left)
	default:
		c.Label(state.Cell(bounds, 0).Add(image.Pt(c.Px(2), 0)), l.name, paint.Regular, c.Colors.Dim, paint.Left)
		c.Label(state.Cell(bounds, 1), l.value, face, col, paint.Left)
	}
}
