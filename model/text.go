package model

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	arrayShown = 16  // scalars of an array that are shown in one line
	textShown  = 400 // characters of a text
)

// ValueText is the node's value in one line for people: strings without control characters, bytes of them that are not
// UTF-8 as \xab, enums as "TRIANGLES (4)", arrays and long strings cut off. It reads at most a few numbers of the file.
func (n *Node) ValueText() string {
	if raw := n.Raw(); raw != nil {
		return OneLine(string(raw), textShown)
	}
	if s := n.Symbol(); s != "" {
		if n.Value == nil {
			return s
		}
		return s + " (" + FormatValue(n.Value) + ")"
	}
	return FormatValue(n.Value)
}

// FormatValue is a Node's value in one line; see ValueText.
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
		return OneLine(v, textShown)
	case Blob:
		return strconv.FormatInt(v.Span.Size, 10) + " bytes"
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
	part, err := a.Slice(0, arrayShown)
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

// OneLine is s without anything that a terminal or a text widget would obey: control characters and marks that turn
// the direction of text are written as \n, \t, \x1b or <U+202E>, and a byte that is not UTF-8 as \xab. At most limit
// runes of s are shown.
func OneLine(s string, limit int) string {
	clean := true
	for i, r := range s {
		if r >= 0x20 && r < 0x7F && i < limit {
			continue // nearly all there is
		}
		if obeyed(r) || r == utf8.RuneError || i >= limit {
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
			writeByte(&b, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case obeyed(r) && r < 0x100:
			writeByte(&b, byte(r))
		case obeyed(r):
			b.WriteString("<U+" + strings.ToUpper(strconv.FormatInt(int64(r), 16)) + ">")
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

func writeByte(b *strings.Builder, c byte) {
	const digits = "0123456789abcdef"
	b.WriteString(`\x` + string(digits[c>>4]) + string(digits[c&15]))
}

func obeyed(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}
