package model

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"image/color"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
)

// A Node's Value is one of: nil (no value), bool, int64, uint64, float32, float64, string, Array, Blob or None. None is
// the value of an absent optional part.

// None is the value of an absent optional part.
type None struct{}

// Float returns a Value that is a number as a float64; false for any other.
func Float(v any) (float64, bool) {
	switch v := v.(type) {
	case uint64:
		return float64(v), true
	case int64:
		return float64(v), true
	case float32:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// Blob is a block of bytes that stay in the file.
type Blob struct {
	Source *Source
	Span   Span
}

// SHA256 reads the block and returns its digest in hex.
func (b Blob) SHA256() (string, error) {
	const block = 256 << 10
	if b.Span.Size <= block { // a file can have a million small blocks
		content, err := b.Source.Bytes(b.Span)
		sum := sha256.Sum256(content)
		return hex.EncodeToString(sum[:]), err
	}
	h := sha256.New()
	if _, err := io.CopyBuffer(h, b.Source.Reader(b.Span), make([]byte, block)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// digestOfShortened returns a digest of a value that a line shows only in part, or "".
func digestOfShortened(v any) (string, error) {
	switch v := v.(type) {
	case string:
		if utf8.RuneCountInString(v) > maxStringText {
			return fmt.Sprintf("%x", sha256.Sum256([]byte(v))), nil
		}
	case Blob:
		return v.SHA256()
	case Numbers:
		if v.Count > maxArrayText {
			return Blob{v.Source, Span{v.Offset, v.Count * v.Form.Size()}}.SHA256()
		}
	case Array:
		if v.Len() > maxArrayText {
			return digestOf(v)
		}
	}
	return "", nil
}

// digestOf returns the SHA-256 of the scalars of an array as text, a line each.
func digestOf(a Array) (string, error) {
	h := sha256.New()
	for index := int64(0); index < a.Len(); index += scalarsPerRead {
		part, err := a.Slice(index, scalarsPerRead)
		if err != nil {
			return "", err
		}
		for _, v := range part {
			fmt.Fprintln(h, FormatValue(v))
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Array is a list of scalars that are read on access.
type Array interface {
	// Len is the number of scalars.
	Len() int64
	// Slice returns up to n of them from the first on, as Node values.
	Slice(first, n int64) ([]any, error)
}

// Scalars is an Array that is in memory.
type Scalars []any

// Len returns the number of scalars.
func (s Scalars) Len() int64 { return int64(len(s)) }

// Slice returns up to n scalars from the first on.
func (s Scalars) Slice(first, n int64) ([]any, error) {
	first = min(max(first, 0), int64(len(s)))
	return s[first : first+min(max(n, 0), int64(len(s))-first)], nil
}

// NumberForm is the binary form of a number: width, sign and kind.
type NumberForm uint8

// The binary forms of numbers. Bool is one byte, 0 false.
const (
	U8 NumberForm = iota
	U16
	U24
	U32
	U64
	S8
	S16
	S32
	S64
	F32
	F64
	Bool
)

var numberSizes = [...]uint8{U8: 1, U16: 2, U24: 3, U32: 4, U64: 8, S8: 1, S16: 2, S32: 4, S64: 8,
	F32: 4, F64: 8, Bool: 1}

// Size returns the form's width in bytes.
func (f NumberForm) Size() int64 { return int64(numberSizes[f]) }

// Decode reads one number from the first bytes of b, which must hold it, as a Node value.
func (f NumberForm) Decode(b []byte, order binary.ByteOrder) any {
	switch f.Size() {
	case 1:
		return f.Value(uint64(b[0]))
	case 2:
		return f.Value(uint64(order.Uint16(b)))
	case 3:
		if order == binary.ByteOrder(binary.BigEndian) {
			return f.Value(uint64(b[0])<<16 | uint64(order.Uint16(b[1:])))
		}
		return f.Value(uint64(order.Uint16(b)) | uint64(b[2])<<16)
	case 4:
		return f.Value(uint64(order.Uint32(b)))
	}
	return f.Value(order.Uint64(b))
}

// Value converts bits, as many as the form is wide, to the value of a Node.
func (f NumberForm) Value(bits uint64) any {
	switch f {
	case S8:
		return int64(int8(bits))
	case S16:
		return int64(int16(bits))
	case S32:
		return int64(int32(bits))
	case S64:
		return int64(bits)
	case F32:
		return math.Float32frombits(uint32(bits))
	case F64:
		return math.Float64frombits(bits)
	case Bool:
		return bits != 0
	}
	return bits
}

// Numbers is an Array of numbers that stay in the file, one after the other from Offset.
type Numbers struct {
	Source *Source
	Offset int64
	Count  int64
	Form   NumberForm
	Order  binary.ByteOrder
}

// Len returns the number of numbers.
func (n Numbers) Len() int64 { return n.Count }

// Slice reads up to count numbers from the first on.
func (n Numbers) Slice(first, count int64) ([]any, error) {
	first = min(max(first, 0), n.Count)
	count = min(max(count, 0), n.Count-first)
	w := n.Form.Size()
	b, err := n.Source.Bytes(Span{n.Offset + first*w, count * w})
	if err != nil {
		return nil, fmt.Errorf("array of %d numbers: %w", n.Count, err)
	}
	out := make([]any, count)
	for i := range out {
		out[i] = n.Form.Decode(b[int64(i)*w:], n.Order)
	}
	return out, nil
}

const (
	maxArrayText  = 16  // scalars of an array in one line
	maxStringText = 400 // characters of a text
)

// ValueText returns the node's value in one line for display: strings without control characters, bytes of them that
// are not UTF-8 as \xab, enums as "TRIANGLES (4)", arrays and long strings shortened. It reads at most a few numbers of
// the file.
func (n *Node) ValueText() string {
	if raw := n.Raw(); raw != nil {
		return OneLine(string(raw), maxStringText)
	}
	if s := n.Symbol(); s != "" {
		if n.Value == nil {
			return s
		}
		return s + " (" + FormatValue(n.Value) + ")"
	}
	return FormatValue(n.Value)
}

// FormatValue returns a Node's value in one line; see ValueText.
func FormatValue(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case None:
		return "none"
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	case float32:
		return formatFloat(float64(v), 32)
	case float64:
		return formatFloat(v, 64)
	case string:
		return OneLine(v, maxStringText)
	case Blob:
		return Count(v.Span.Size, "byte")
	case Array:
		return formatArray(v)
	}
	return ""
}

func formatFloat(f float64, bits int) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Inf"
	case math.IsInf(f, -1):
		return "-Inf"
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

func formatArray(a Array) string {
	part, err := a.Slice(0, maxArrayText)
	if err != nil {
		return "cannot be read: " + err.Error()
	}
	var b strings.Builder
	b.WriteByte('[')
	for i, v := range part {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(FormatValue(v))
	}
	if a.Len() > int64(len(part)) {
		b.WriteString(", … " + strconv.FormatInt(a.Len(), 10) + " in all")
	}
	b.WriteByte(']')
	return b.String()
}

// OneLine is s without anything that a terminal or a text widget would obey: control characters and marks that change
// the direction of text are written as \n, \t, \x1b or <U+202E>, and a byte that is not UTF-8 as \xab. It returns at
// most limit runes of s.
func OneLine(s string, limit int) string {
	clean := true
	for i, r := range s {
		if r >= 0x20 && r < 0x7F && i < limit {
			continue // most text is printable ASCII
		}
		if isControl(r) || r == utf8.RuneError || i >= limit {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	n := 0
	for i := 0; i < len(s); {
		if n++; n > limit {
			b.WriteString("…")
			break
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			writeHexByte(&b, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case isControl(r) && r < 0x100:
			writeHexByte(&b, byte(r))
		case isControl(r):
			b.WriteString("<U+" + strings.ToUpper(strconv.FormatInt(int64(r), 16)) + ">")
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

func writeHexByte(b *strings.Builder, c byte) {
	const digits = "0123456789abcdef"
	b.WriteString(`\x` + string(digits[c>>4]) + string(digits[c&15]))
}

func isControl(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// Count returns a number with its unit, such as "1,000 files"; unit is the singular.
func Count[N ~int | ~int64](n N, unit string) string {
	return FormatCount(n) + " " + plural(n, unit)
}

// separator is the separator of thousands that the user chose.
var separator atomic.Value

// SetSeparator sets the separator of thousands, which is a comma at first. It is for a window; other output has commas.
func SetSeparator(s string) { separator.Store(s) }

// FormatCount returns a number with separators of thousands.
func FormatCount[N ~int | ~int64](n N) string { return withSeparators(humanize.Comma(int64(n))) }

// FormatUnsigned is FormatCount for all unsigned numbers.
func FormatUnsigned(n uint64) string {
	return withSeparators(humanize.BigComma(new(big.Int).SetUint64(n)))
}

// withSeparators returns a number with the separators that the user chose instead of commas.
func withSeparators(text string) string {
	if s, ok := separator.Load().(string); ok && s != "," {
		text = strings.ReplaceAll(text, ",", s)
	}
	return text
}

// PlainCount is Count in a message of a decoder or a verb, where all numbers are plain digits.
func PlainCount[N ~int | ~int64](n N, unit string) string {
	return strconv.FormatInt(int64(n), 10) + " " + plural(n, unit)
}

// plural returns the form of a noun for the number n.
func plural[N ~int | ~int64](n N, unit string) string {
	return english.PluralWord(int(min(n, 2)), unit, "")
}

// Color returns the color that is the value of a node of RoleColor: three or four floats from 0 to 1, or a text of such
// numbers separated by commas.
func (n *Node) Color() (c color.NRGBA, ok bool) {
	if n.Role != RoleColor {
		return c, false
	}
	var parts []float64
	switch v := n.Value.(type) {
	case Array:
		if v.Len() > 4 {
			return c, false
		}
		values, err := v.Slice(0, v.Len())
		if err != nil {
			return c, false
		}
		for _, f := range values {
			f, ok := f.(float32)
			if !ok {
				return c, false
			}
			parts = append(parts, float64(f))
		}
	case string:
		for part := range strings.SplitSeq(v, ",") {
			f, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
			if err != nil {
				return c, false
			}
			parts = append(parts, f)
		}
	}
	if len(parts) != 3 && len(parts) != 4 {
		return c, false
	}
	channel := func(f float64) uint8 {
		if !(f > 0) { // also rejects NaN
			return 0
		}
		return uint8(min(1, f)*255 + .5)
	}
	c = color.NRGBA{R: channel(parts[0]), G: channel(parts[1]), B: channel(parts[2]), A: 255}
	if len(parts) == 4 {
		c.A = channel(parts[3])
	}
	return c, true
}
