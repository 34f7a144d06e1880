package details

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"assay/model"
	"assay/model/picture"
)

// InspectedMost is how many bytes the inspector looks at.
const InspectedMost = 64

// Shape is how the values of a line are shown.
type Shape uint8

// The shapes.
const (
	Once   Shape = iota // one value: the byte order is of no importance
	Beside              // a value in each byte order, which are short
	Below               // a value in each byte order, which may be long
)

// Value is what the bytes are, read in one way. Little and Big are empty where there are too few bytes, or no sensible
// value.
type Value struct {
	Name, Little, Big string
	Shape             Shape
}

// reading is one way to read bytes.
type reading struct {
	name  string
	size  int // bytes that are needed
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
	{"Unix time (s), 32-bit", 4, Below, func(b []byte, o binary.ByteOrder) string { return unix(int64(o.Uint32(b)), 0) }},
	{"Unix time (s), 64-bit", 8, Below, func(b []byte, o binary.ByteOrder) string { return unix(int64(o.Uint64(b)), 0) }},
	{"Unix time (ms)", 8, Below, func(b []byte, o binary.ByteOrder) string { return millis(int64(o.Uint64(b))) }},
	{"FILETIME", 8, Below, func(b []byte, o binary.ByteOrder) string { return filetime(o.Uint64(b)) }},
	{"RGBA8", 4, Once, func(b []byte, _ binary.ByteOrder) string {
		return fmt.Sprintf("#%02x%02x%02x%02x  (%d, %d, %d, %d)", b[0], b[1], b[2], b[3], b[0], b[1], b[2], b[3])
	}},
	{"UUID", 16, Below, uuid},
	{"UTF-8", 1, Once, func(b []byte, _ binary.ByteOrder) string { return utf8Text(b) }},
	{"UTF-16", 2, Below, utf16Text},
}

// Read reads b in all ways.
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

// plausible are the years for which a number is shown as a time.
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
