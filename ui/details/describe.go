package details

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"assay/model"
	"assay/model/compare/changes"
	"assay/model/picture"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// text is the description of a node.
type text struct {
	details *Details
	lines   []Line
}

// wrapMost is the maximum length of a field's value that is displayed in full: a date, a UUID, a number.
const wrapMost = 64

func (t *text) add(name string, value rows.Cell) *Line {
	t.lines = append(t.lines, Fact(name, value))
	return &t.lines[len(t.lines)-1]
}

func (t *text) head(title string) { t.lines = append(t.lines, Title(title)) }

func (t *text) describe(src *model.Source, n *model.Node, m model.Meaning) {
	name := n.Title()
	if n.Parent == nil {
		name = src.Name()
	}
	t.head(model.OneLine(name, 200))
	t.addSummary(m)
	addText := func(name, value string, mono bool) {
		if value != "" {
			t.add(name, rows.Cell{Text: value, Mono: mono})
		}
	}
	addText("Type", n.Type, false)
	addText("Key", n.Key, false)
	addText("Value", host.Value(n), isNumber(n.Value))
	if col, ok := n.Color(); ok {
		hex := fmt.Sprintf("#%02x%02x%02x%02x", col.R, col.G, col.B, col.A)
		t.add("Color", rows.Cell{Text: strings.TrimSuffix(hex, "ff"), Mono: true,
			Mark: rows.Mark{Paint: paint.Swatch(col)}})
	}
	if isLongText(n) { // value adds the full text below
		t.lines[len(t.lines)-1].Most = 0
	}
	switch {
	case m.Written != "":
		addText("Formatted", m.Written, true)
	case n.Symbol() == "":
		addText("", hexValue(n.Value), true)
	}
	if n.Raw() != nil {
		addText("Raw bytes (not UTF-8)", hex.EncodeToString(n.Raw()), true)
	}
	if n.Link != nil {
		t.add("Links to", rows.Cell{Text: cmp.Or(n.Link.Title(), "another offset in this file"),
			Tone: paint.Primary}).On = func() {
			if t.details.OnFollow != nil {
				t.details.OnFollow(n)
			}
		}
	}
	offset := rows.Cell{Text: fmt.Sprintf("%#x  (%s)", n.Offset, host.Number(n.Offset))}
	t.add("Offset", offset).On = func() { t.offset(n.Offset) }
	addText("Size", fmt.Sprintf("%#x  (%s)", n.Size, host.Count(n.Size, "byte")), false)
	if n.Size > 0 {
		addText("End", fmt.Sprintf("%#x", n.End()), false)
	}
	if bits := n.BitText(); bits != "" {
		origin := "most"
		if n.Bits.FromLow {
			origin = "least"
		}
		addText("Bits", fmt.Sprintf("%s, from the %s significant bit of the byte at the offset", bits, origin), false)
	}
	if k := n.Len(); k > 0 {
		addText("Children", host.Number(int64(k)), false)
	}
	if n.Role.Layout() {
		t.add("", rows.Cell{Text: "Part of the file layout (depends on where data is stored)", Tone: paint.Dim})
	}
}

func (t *text) offset(off int64) {
	if t.details.OnOffset != nil {
		t.details.OnOffset(off)
	}
}

func isNumber(v any) bool {
	switch v.(type) {
	case int64, uint64, float32, float64, bool:
		return true
	}
	return false
}

func hexValue(v any) string {
	switch v := v.(type) {
	case uint64:
		if v > 9 {
			return fmt.Sprintf("%#x", v)
		}
	case int64:
		if v > 9 {
			return fmt.Sprintf("%#x", v)
		}
	}
	return ""
}

func (t *text) problems(n *model.Node) {
	if len(n.Problems()) == 0 {
		return
	}
	t.head("Problems")
	for _, p := range n.Problems() {
		t.lines = append(t.lines, Text(rows.Cell{Text: p.Message, Tone: paint.OfSeverity(p.Severity)}))
	}
}

// fileProblems returns the first problems of a file, the worst severity first, and the number of the others.
func (t *text) fileProblems(r *model.Report) (lines []Line) {
	if r == nil || len(r.Problems) == 0 {
		return nil
	}
	first := slices.Clone(r.Problems)
	slices.SortStableFunc(first, func(a, b model.Problem) int { return cmp.Compare(b.Severity, a.Severity) })
	lines = append(lines, Title("Problems in This File"))
	for _, p := range first[:min(len(first), firstProblems)] {
		l := Text(rows.Cell{Text: fmt.Sprintf("%#x  %s", p.Span.Offset, p.Message), Tone: paint.OfSeverity(p.Severity)})
		l.Link, l.On = true, func() {
			if t.details.OnProblem != nil {
				t.details.OnProblem(p)
			}
		}
		lines = append(lines, l)
	}
	if omitted := len(first) + r.Omitted - firstProblems; omitted > 0 {
		lines = append(lines, Text(rows.Cell{Text: "… " + host.Count(omitted, "more problem"), Tone: paint.Dim}))
	}
	return append(lines, Title("File"))
}

// isLongText reports whether a node's value is a text of more than a few words.
func isLongText(n *model.Node) bool {
	v, ok := n.Value.(string)
	return ok && n.Raw() == nil && (len(v) > 40 || strings.ContainsAny(v, "\n\r"))
}

// value adds a long text in full.
func (t *text) value(n *model.Node) {
	if !isLongText(n) {
		return
	}
	v := n.Value.(string)
	t.head("Text")
	t.lines = append(t.lines, Text(rows.Cell{Text: v[:min(len(v), textMax)], Mono: strings.Contains(v, "\n")}))
	if rest := len(v) - textMax; rest > 0 {
		t.add("", rows.Cell{Text: fmt.Sprintf("… %s more", host.Count(int64(rest), "byte")), Tone: paint.Dim})
	}
}

// matrix adds a 4x4 matrix in rows, and as a transform if it is one. Its numbers are in column order.
func (t *text) matrix(n *model.Node) {
	const side = 4
	a, ok := n.Value.(model.Array)
	if !ok || a.Len() != side*side {
		return
	}
	v, err := a.Slice(0, a.Len())
	if err != nil || len(v) != side*side {
		return
	}
	if _, ok := v[0].(float32); !ok {
		return
	}
	t.head("Matrix")
	for row := range side {
		var line strings.Builder
		for column := range side {
			fmt.Fprintf(&line, "%10.5g", v[column*side+row])
		}
		t.lines = append(t.lines, Text(rows.Cell{Text: line.String(), Mono: true}))
	}
	for _, p := range changes.TransformOf(n) {
		t.add(p.Field, rows.Cell{Text: p.New})
	}
}

func (t *text) fields(n *model.Node) {
	k := n.Len()
	if k == 0 {
		return
	}
	t.head("Fields")
	for i := range min(k, fieldsMax) {
		c := n.Child(i)
		value := rows.Cell{Text: host.Value(c), Mono: isNumber(c.Value) && c.Symbol() == ""}
		switch {
		case value.Text != "":
		case c.Link != nil && c.Link.Title() != "":
			value = rows.Cell{Text: c.Link.Title(), Ends: true, Tone: paint.Primary}
		case c.DisplayName() != "":
			value = rows.Cell{Text: c.DisplayName(), Ends: true}
		default:
			value = rows.Cell{Text: c.Type, Tone: paint.Dim}
		}
		if col, ok := c.Color(); ok {
			value.Mark.Paint = paint.Swatch(col)
		}
		l := t.add(c.Name, value)
		if len(value.Text) > wrapMost {
			l.Most = 0
		}
		l.On = func() {
			if t.details.OnField != nil {
				t.details.OnField(c)
			}
		}
	}
	if k > fieldsMax {
		t.add("…", rows.Cell{Text: host.Count(int64(k-fieldsMax), "more field"), Tone: paint.Dim})
	}
}

func (t *text) bytes(n *model.Node, raw []byte) {
	if len(raw) == 0 {
		return
	}
	t.head("Bytes")
	t.lines = append(t.lines, Line{Fill: func(width int) []Line {
		return t.rawLines(n.Offset, raw,
			width)
	}})
	if rest := n.Size - int64(len(raw)); rest > 0 {
		t.lines = append(t.lines, Text(rows.Cell{Text: "… " + host.Count(rest, "more byte"), Tone: paint.Dim}))
	}
}

// rawLines returns bytes as lines of at most fit characters.
func (t *text) rawLines(offset int64, raw []byte, fit int) []Line {
	wide := 4
	for wide < 16 && 2*wide*4 <= fit {
		wide *= 2
	}
	var lines []Line
	for i := 0; i < len(raw); i += wide {
		part := raw[i:min(len(raw), i+wide)]
		digits := strings.TrimSpace(fmt.Sprintf("% x", part))
		l := Text(rows.Cell{Text: fmt.Sprintf("%-*s %s", wide*3-1, digits, host.Bytes(part)), Mono: true})
		l.On = func() { t.offset(offset + int64(i)) }
		lines = append(lines, l)
	}
	return lines
}

// InspectedMost is the maximum number of bytes that the inspector reads.
const InspectedMost = 64

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

// reading is one interpretation of bytes.
type reading struct {
	name  string
	size  int // number of bytes read
	shape Shape
	read  func(b []byte, o binary.ByteOrder) string
}

func number(name string, form model.Number) reading {
	shape := Beside
	switch form.Size() {
	case 1:
		shape = Once
	case 8:
		shape = Below
	}
	return reading{name, int(form.Size()), shape, func(b []byte, o binary.ByteOrder) string {
		return model.FormatValue(form.Decode(b, o))
	}}
}

var readings = []reading{
	{"binary", 1, Once, func(b []byte, _ binary.ByteOrder) string {
		return fmt.Sprintf("%04b %04b", b[0]>>4,
			b[0]&15)
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
	// Last, as few bytes are a plausible time: these lines come and go.
	{"Unix 32-bit", 4, Below, func(b []byte, o binary.ByteOrder) string { return unix(int64(o.Uint32(b)), 0) }},
	{"Unix 64-bit", 8, Below, func(b []byte, o binary.ByteOrder) string { return unix(int64(o.Uint64(b)), 0) }},
	{"Unix ms", 8, Below, func(b []byte, o binary.ByteOrder) string { return millis(int64(o.Uint64(b))) }},
	{"FILETIME", 8, Below, func(b []byte, o binary.ByteOrder) string { return filetime(o.Uint64(b)) }},
}

// Read returns all interpretations of b.
func Read(b []byte) []Value {
	lines := make([]Value, len(readings))
	for i, r := range readings {
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

const timeForm = "2006-01-02 15:04:05"

// plausible reports whether a number is displayed as a time, by its year.
func plausible(t time.Time) bool { return t.Year() >= 1900 && t.Year() <= 2200 }

func unix(s, ns int64) string {
	if s < -1<<40 || s > 1<<40 {
		return ""
	}
	t := time.Unix(s, ns).UTC()
	if !plausible(t) {
		return ""
	}
	return t.Format(timeForm)
}

func millis(ms int64) string {
	t := time.UnixMilli(ms).UTC()
	if ms < -1<<50 || ms > 1<<50 || !plausible(t) {
		return ""
	}
	return t.Format(timeForm + ".000")
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
