package details

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/picture"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// Inspector displays the bytes at an offset as numbers, times, identifiers and text, in both byte orders.
type Inspector struct {
	host  host.Host
	panel *Panel
	style *paint.Style
}

// NewInspector returns an empty inspector.
func NewInspector(h host.Host, style *paint.Style) *Inspector {
	p := &Inspector{host: h, style: style}
	options := rows.Options{Header: true, MinSize: fyne.NewSize(120, 60), ColumnWidths: orderWidths}
	p.panel = NewPanel(h, style, options, rows.Column{Title: "Type", Min: 56},
		rows.Column{Title: "Little endian", Short: "LE"}, rows.Column{Title: "Big endian", Short: "BE"})
	p.Show(nil)
	return p
}

// orderWidths divides the width that the names leave between the byte orders.
func orderWidths(width float32) []float32 {
	name := min(92, width*0.34)
	return []float32{name, (width - name) / 2, (width - name) / 2}
}

// Title returns the title of the panel.
func (p *Inspector) Title() string { return "Inspector" }

// Content returns the object to add to the window.
func (p *Inspector) Content() fyne.CanvasObject { return p.panel }

// Show displays the interpretations of bytes that have a value.
func (p *Inspector) Show(b []byte) {
	var lines []Line
	for _, l := range Interpret(b[:min(len(b), MaxInspected)]) {
		if l.Little != "" || l.Big != "" {
			lines = append(lines, p.lines(l)...)
		}
	}
	if lines == nil {
		lines = []Line{Text(rows.Cell{Text: "No bytes here.", Tone: paint.Dim})}
	}
	p.panel.Update(lines)
}

// lines returns the lines of a value: one with both byte orders, or one for each byte order if the values are long.
func (p *Inspector) lines(v Value) []Line {
	switch v.Shape {
	case Once:
		return []Line{p.line(v.Name, v.Little)}
	case Below:
		var lines []Line
		for i, value := range []string{v.Little, v.Big} {
			if value == "" {
				continue
			}
			line := p.line(v.Name, value)
			if lines != nil {
				line = p.line("", value)
			}
			line.Cells[1].Hint = []string{"LE", "BE"}[i]
			lines = append(lines, line)
		}
		return lines
	}
	line := p.line(v.Name, v.Little)
	line.Cells[1].Span = 0
	line.Cells = append(line.Cells, p.valueCell(v.Big))
	return []Line{line}
}

// line returns the line of a value. Enter copies it.
func (p *Inspector) line(name, value string) Line {
	l := Fact(name, p.valueCell(value))
	l.Copy = value
	l.On = func() {
		if value != "" {
			p.host.Copy(value)
		}
	}
	return l
}

// valueCell returns the cell of a value: with a dash without one, and dots for characters that cannot be drawn.
func (p *Inspector) valueCell(value string) rows.Cell {
	if value == "" {
		return rows.Cell{Text: "–", Tone: paint.Dim}
	}
	return rows.Cell{Text: p.style.Atlas.Dotted(value, paint.Regular)}
}

// MaxInspected is the maximum number of bytes that the inspector reads.
const MaxInspected = 64

// Shape is the arrangement of the values of a line.
type Shape uint8

// The shapes.
const (
	Once   Shape = iota // one value, independent of the byte order
	Beside              // two short values, one for each byte order
	Below               // two values that may be long, one for each byte order
)

// Value is one interpretation of bytes. Little and Big are empty if there are too few bytes or the value is not
// plausible.
type Value struct {
	Name, Little, Big string
	Shape             Shape
}

// interpretation is a way to read bytes as a Value.
type interpretation struct {
	name  string
	size  int // bytes that it needs
	shape Shape
	read  func(b []byte, o binary.ByteOrder) string
}

func number(name string, form model.NumberForm) interpretation {
	shape := Beside
	switch form.Size() {
	case 1:
		shape = Once
	case 8:
		shape = Below
	}
	return interpretation{name, int(form.Size()), shape, func(b []byte, o binary.ByteOrder) string {
		return model.FormatValue(form.Decode(b, o))
	}}
}

var interpretations = []interpretation{
	{"binary", 1, Once, func(b []byte, _ binary.ByteOrder) string {
		return fmt.Sprintf("%04b %04b", b[0]>>4, b[0]&15)
	}},
	number("u8", model.U8), number("s8", model.S8), number("u16", model.U16), number("s16", model.S16),
	number("u32", model.U32), number("s32", model.S32), number("u64", model.U64), number("s64", model.S64),
	{"f16", 2, Beside, half}, number("f32", model.F32), number("f64", model.F64),
	{"RGBA8", 4, Once, func(b []byte, _ binary.ByteOrder) string {
		return fmt.Sprintf("#%02x%02x%02x%02x  (%d, %d, %d, %d)", b[0], b[1], b[2], b[3], b[0], b[1], b[2], b[3])
	}},
	{"UUID", 16, Below, uuid},
	{"UTF-8", 1, Once, func(b []byte, _ binary.ByteOrder) string { return utf8Text(b) }},
	{"UTF-16", 2, Below, utf16Text},
	// Few bytes are a plausible time: these lines often appear and disappear, so they are below all others.
	{"Unix 32-bit", 4, Below, func(b []byte, o binary.ByteOrder) string { return unix(int64(o.Uint32(b)), 0) }},
	{"Unix 64-bit", 8, Below, func(b []byte, o binary.ByteOrder) string { return unix(int64(o.Uint64(b)), 0) }},
	{"Unix ms", 8, Below, func(b []byte, o binary.ByteOrder) string { return millis(int64(o.Uint64(b))) }},
	{"FILETIME", 8, Below, func(b []byte, o binary.ByteOrder) string { return filetime(o.Uint64(b)) }},
}

// Interpret returns all interpretations of b.
func Interpret(b []byte) []Value {
	lines := make([]Value, len(interpretations))
	for i, r := range interpretations {
		lines[i] = Value{Name: r.name, Shape: r.shape}
		if len(b) < r.size {
			continue
		}
		lines[i].Little = r.read(b, binary.LittleEndian)
		if r.shape != Once {
			lines[i].Big = r.read(b, binary.BigEndian)
		}
	}
	return lines
}

func half(b []byte, o binary.ByteOrder) string {
	return strconv.FormatFloat(float64(picture.FromHalf(o.Uint16(b))), 'g', 5, 64)
}

const timeFormat = "2006-01-02 15:04:05"

// plausible reports whether the year of t is near enough that the bytes are probably a time.
func plausible(t time.Time) bool { return t.Year() >= 1900 && t.Year() <= 2200 }

func unix(s, ns int64) string {
	if s < -1<<40 || s > 1<<40 {
		return ""
	}
	t := time.Unix(s, ns).UTC()
	if !plausible(t) {
		return ""
	}
	return t.Format(timeFormat)
}

func millis(ms int64) string {
	t := time.UnixMilli(ms).UTC()
	if ms < -1<<50 || ms > 1<<50 || !plausible(t) {
		return ""
	}
	return t.Format(timeFormat + ".000")
}

func filetime(v uint64) string {
	const toUnix = 11_644_473_600 // seconds from 1601 to 1970
	s := int64(v / 10_000_000)
	return unix(s-toUnix, int64(v%10_000_000)*100)
}

func uuid(b []byte, o binary.ByteOrder) string {
	h := make([]byte, 16)
	binary.BigEndian.PutUint32(h, o.Uint32(b))
	binary.BigEndian.PutUint16(h[4:], o.Uint16(b[4:]))
	binary.BigEndian.PutUint16(h[6:], o.Uint16(b[6:]))
	copy(h[8:], b[8:16])
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:])
}

func utf8Text(b []byte) string {
	end := 0
	for end < len(b) {
		r, n := utf8.DecodeRune(b[end:])
		if r == utf8.RuneError && n <= 1 || r == 0 || !unicode.IsPrint(r) && r != '\n' && r != '\t' {
			break
		}
		end += n
	}
	return model.OneLine(string(b[:end]), 60)
}

func utf16Text(b []byte, o binary.ByteOrder) string {
	var units []uint16
	for i := 0; i+1 < len(b); i += 2 {
		u := o.Uint16(b[i:])
		if u == 0 || !unicode.IsPrint(rune(u)) && !utf16.IsSurrogate(rune(u)) {
			break
		}
		units = append(units, u)
	}
	return model.OneLine(string(utf16.Decode(units)), 30)
}
