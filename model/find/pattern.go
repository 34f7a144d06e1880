package find

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"assay/model"
)

// Pattern is a search pattern for bytes: one or more sequences, any of which is a hit, or a regular expression.
type Pattern struct {
	needles []needle
	anchors []anchor // to find the needles
	regexp  *regexp.Regexp
}

// needle is a sequence of bytes, and a mask of the bits that count.
type needle struct {
	value, mask []byte
	exact       bool // every bit counts
}

func newNeedle(value, mask []byte) needle {
	n := needle{value: value, mask: mask, exact: true}
	for i := range value {
		n.exact = n.exact && n.maskAt(i) == 0xff
		value[i] &= n.maskAt(i)
	}
	return n
}

// maskAt returns the bits of a byte that count.
func (n *needle) maskAt(i int) byte {
	if n.mask == nil {
		return 0xff
	}
	return n.mask[i]
}

// longest returns the length of the longest match.
func (p *Pattern) longest() int {
	if p.regexp != nil {
		return maxRegexpMatch
	}
	n := 0
	for _, s := range p.needles {
		n = max(n, len(s.value))
	}
	return n
}

func (p *Pattern) add(value, mask []byte) {
	for _, n := range p.needles {
		if bytes.Equal(n.value, value) && bytes.Equal(n.mask, mask) {
			return
		}
	}
	p.needles = append(p.needles, newNeedle(value, mask))
}

// maxNeedle bounds a pattern's length: the search keeps that much of the bytes twice.
const maxNeedle = 64 << 10

// hexText is a text that is bytes rather than words: pairs of digits apart from each other, or many after 0x.
var hexText = regexp.MustCompile(`^(?i)\s*((0x)?[0-9a-f?]{2}([\s,:;_-]+(0x)?[0-9a-f?]{2})+|0x([0-9a-f?]{2}){2,})\s*$`)

// LooksHex reports whether a text is meant as bytes in hex.
func LooksHex(text string) bool { return hexText.MatchString(text) }

// Hex returns the pattern of digits such as "7f 45 4c 46", "0x7f454c46" or "7f ?? 4?": a question mark is any digit.
func Hex(text string) (*Pattern, error) {
	var digits []byte
	for _, word := range strings.FieldsFunc(text,
		func(r rune) bool { return strings.ContainsRune(" \t\r\n,;:_-", r) }) {
		if len(word) > 2 && (strings.HasPrefix(word, "0x") || strings.HasPrefix(word, "0X")) {
			word = word[2:]
		}
		if len(word) == 1 {
			word = "0" + word
		}
		if len(word)%2 != 0 {
			return nil, fmt.Errorf("%q has an odd number of hex digits", word)
		}
		digits = append(digits, word...)
	}
	if len(digits) == 0 {
		return nil, errors.New("type the bytes as hex digits, such as 7f 45 ?? 46")
	}
	if len(digits) > 2*maxNeedle {
		return nil, fmt.Errorf("at most %d bytes can be searched for", maxNeedle)
	}
	value, mask := make([]byte, len(digits)/2), make([]byte, len(digits)/2)
	onlyWildcards := true
	for i, d := range digits {
		shift := 4 * (1 - i%2)
		if d == '?' {
			continue
		}
		v, err := hex.DecodeString("0" + string(d))
		if err != nil {
			return nil, fmt.Errorf("%q is not a hex digit", string(d))
		}
		value[i/2] |= v[0] << shift
		mask[i/2] |= 0xf << shift
		onlyWildcards = false
	}
	if onlyWildcards {
		return nil, errors.New("the pattern needs at least one hex digit")
	}
	p := new(Pattern)
	p.add(value, mask)
	return p.chooseAnchors(), nil
}

// Encoding is how text is written in bytes.
type Encoding uint8

// The encodings of text. AnyText is all of them.
const (
	AnyText Encoding = iota
	UTF8
	UTF16LE
	UTF16BE
)

// Text returns the pattern of a text; without matchCase, upper and lower case are the same.
func Text(text string, encoding Encoding, matchCase bool) (*Pattern, error) {
	if text == "" {
		return nil, errors.New("type the text to search for")
	}
	if len(text) > maxNeedle/4 {
		return nil, fmt.Errorf("at most %d bytes of text can be searched for", maxNeedle/4)
	}
	forms := []string{text}
	if !matchCase {
		// Letters beyond ASCII have no common bit for their case: the whole text in either case is searched for.
		forms = append(forms, strings.ToLower(text), strings.ToUpper(text))
	}
	p := new(Pattern)
	for _, s := range forms {
		if encoding == AnyText || encoding == UTF8 {
			p.addText([]byte(s), 1, 0, matchCase)
		}
		if encoding == AnyText || encoding == UTF16LE {
			p.addText(encodeUTF16(s, binary.LittleEndian), 2, 1, matchCase)
		}
		if encoding == AnyText || encoding == UTF16BE {
			p.addText(encodeUTF16(s, binary.BigEndian), 2, 0, matchCase)
		}
	}
	return p.chooseAnchors(), nil
}

func encodeUTF16(text string, order binary.AppendByteOrder) (b []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return b
}

// addText adds text in units of width bytes with the high byte at index high. The two cases of an ASCII letter differ
// in one bit, which the mask leaves out.
func (p *Pattern) addText(b []byte, width, high int, matchCase bool) {
	mask := bytes.Repeat([]byte{0xff}, len(b))
	if !matchCase {
		for i := 0; i+width <= len(b); i += width {
			low := i
			if width == 2 {
				if b[i+high] != 0 {
					continue
				}
				low = i + 1 - high
			}
			if c := b[low] | 0x20; c >= 'a' && c <= 'z' {
				mask[low] = 0xdf
				b[low] &= 0xdf
			}
		}
	}
	p.add(b, mask)
}

// NumberForm is the binary forms that a number is searched for in, in both byte orders.
type NumberForm uint8

// The forms of numbers. AnyInteger is 16, 32 and 64 bits: a byte of eight bits is found nearly everywhere.
const (
	AnyInteger NumberForm = iota
	Integer8
	Integer16
	Integer32
	Integer64
	AnyFloat
	Float32
	Float64
)

// Order is the order of the bytes of a number.
type Order uint8

// The orders of bytes. AnyOrder is both.
const (
	AnyOrder Order = iota
	LittleEndian
	BigEndian
)

// Number returns the pattern of a number in a byte order: decimal, hex with 0x, or with a fraction.
func Number(text string, form NumberForm, order Order) (*Pattern, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, errors.New("type the number to search for")
	}
	if form >= AnyFloat {
		return floatPattern(text, form, order)
	}
	negative := strings.HasPrefix(text, "-")
	digits := strings.TrimPrefix(strings.TrimPrefix(text, "-"), "+")
	v, err := strconv.ParseUint(strings.ReplaceAll(digits, "_", ""), 0, 64)
	if err != nil {
		if f, ferr := strconv.ParseFloat(text, 64); ferr == nil && form == AnyInteger && f != math.Trunc(f) {
			return floatPattern(text, AnyFloat, order)
		}
		return nil, fmt.Errorf("%q is not a whole number of at most 64 bits", text)
	}
	if negative && v > 1<<63 {
		return nil, fmt.Errorf("%q is not a whole number of at most 64 bits", text)
	}
	p := new(Pattern)
	for _, w := range [...]struct {
		form NumberForm
		bits uint
	}{{Integer64, 64}, {Integer32, 32}, {Integer16, 16}, {Integer8, 8}} {
		if form != w.form && (form != AnyInteger || w.bits == 8) {
			continue
		}
		if w.bits < 64 && (!negative && v >= 1<<w.bits || negative && v > 1<<(w.bits-1)) {
			continue
		}
		u := v
		if negative {
			u = -v
		}
		p.addInteger(u, int(w.bits/8), order)
	}
	if len(p.needles) == 0 {
		return nil, fmt.Errorf("%s is too large for the chosen size", text)
	}
	return p.chooseAnchors(), nil
}

func (p *Pattern) addInteger(v uint64, width int, order Order) {
	if order != BigEndian {
		p.add(binary.LittleEndian.AppendUint64(nil, v)[:width], nil)
	}
	if order != LittleEndian {
		p.add(binary.BigEndian.AppendUint64(nil, v)[8-width:], nil)
	}
}

func floatPattern(text string, form NumberForm, order Order) (*Pattern, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, fmt.Errorf("%q is not a number", text)
	}
	p := new(Pattern)
	if form == AnyFloat || form == Float64 {
		p.addInteger(math.Float64bits(f), 8, order)
	}
	if form == AnyFloat || form == Float32 {
		p.addInteger(uint64(math.Float32bits(float32(f))), 4, order)
	}
	return p.chooseAnchors(), nil
}

// matchesAt reports whether the sequence is at b[i:], which is long enough.
func (n *needle) matchesAt(b []byte, i int) bool {
	b = b[i : i+len(n.value)]
	if n.exact {
		return bytes.Equal(b, n.value)
	}
	for j, v := range n.value {
		if b[j]&n.mask[j] != v {
			return false
		}
	}
	return true
}

// lastIndex returns the last index in b before to at which the sequence begins, or -1.
func (n *needle) lastIndex(b []byte, to int) int {
	i := min(to-1, len(b)-len(n.value))
	if n.exact && i >= 0 {
		return bytes.LastIndex(b[:i+len(n.value)], n.value)
	}
	for ; i >= 0; i-- {
		if b[i]&n.maskAt(0) == n.value[0] && n.matchesAt(b, i) {
			return i
		}
	}
	return -1
}

// Interpretation is an interpretation of the search text for bytes.
type Interpretation struct {
	ID   string // as written in a command
	Name string
	// Short is its name in a list of texts, or of bytes, only.
	Short string
	Hint  string // placeholder of the entry
	// Text permits an option for the case of a text; Number one for the byte order.
	Text, Number bool

	// Pattern parses the search text.
	Pattern func(text string, o PatternOptions) (*Pattern, error)
}

// PatternOptions are the options of an Interpretation.
type PatternOptions struct {
	MatchCase bool  // of a text
	Order     Order // of a number
}

func textInterpretation(id, short string, e Encoding) Interpretation {
	name := "Text " + short
	if e == AnyText {
		name = "Text"
	}
	return Interpretation{ID: id, Name: name, Short: short, Hint: "Text to find", Text: true,
		Pattern: func(text string, o PatternOptions) (*Pattern, error) { return Text(text, e, o.MatchCase) }}
}

func numberInterpretation(id, name string, n NumberForm) Interpretation {
	return Interpretation{ID: id, Name: name, Short: name, Hint: "Number to find, such as 1024, 0x400 or -1.5", Number: true,
		Pattern: func(text string, o PatternOptions) (*Pattern, error) { return Number(text, n, o.Order) }}
}

// HexID is the ID of the interpretation as bytes in hex.
const HexID = "hex"

// Interpretations lists how to read a search text: texts, bytes in hex, numbers.
var Interpretations = []Interpretation{
	textInterpretation("text", "Any encoding", AnyText),
	textInterpretation("utf-8", "UTF-8", UTF8),
	textInterpretation("utf-16le", "UTF-16 LE", UTF16LE),
	textInterpretation("utf-16be", "UTF-16 BE", UTF16BE),
	{ID: RegexpID, Name: "Regular expression", Short: "Regexp", Text: true,
		Hint:    fmt.Sprintf(`Go's syntax, such as tex_\d+; a match has at most %d bytes`, maxRegexpMatch),
		Pattern: func(text string, o PatternOptions) (*Pattern, error) { return Regexp(text, o.MatchCase) }},
	{ID: HexID, Name: "Bytes", Short: "Hex", Hint: "Bytes to find, such as 7f 45 ?? 46",
		Pattern: func(text string, _ PatternOptions) (*Pattern, error) { return Hex(text) }},
	numberInterpretation("integer", "Integer", AnyInteger),
	numberInterpretation("int8", "Integer 8 bit", Integer8),
	numberInterpretation("int16", "Integer 16 bit", Integer16),
	numberInterpretation("int32", "Integer 32 bit", Integer32),
	numberInterpretation("int64", "Integer 64 bit", Integer64),
	numberInterpretation("float", "Float", AnyFloat),
	numberInterpretation("float32", "Float 32 bit", Float32),
	numberInterpretation("float64", "Float 64 bit", Float64),
}

// ParseInterpretation returns the interpretation with an ID.
func ParseInterpretation(id string) (*Interpretation, error) {
	if i := slices.IndexFunc(Interpretations, func(w Interpretation) bool { return w.ID == id }); i >= 0 {
		return &Interpretations[i], nil
	}
	var ids []string
	for _, w := range Interpretations {
		ids = append(ids, w.ID)
	}
	return nil, fmt.Errorf("unknown search type %s; use one of %s", model.OneLine(id, 100),
		strings.Join(ids, ", "))
}

// Limits of regular expressions. A match may lie across two of the blocks that are searched one after the other: they
// share as many bytes as the longest match has.
const (
	maxRegexp      = 4 << 10 // bytes of the expression
	maxRegexpMatch = 4 << 10 // bytes of a match; a longer one is cut, and the search continues after the cut
)

// RegexpID is the ID of the interpretation as a regular expression.
const RegexpID = "regexp"

// Regexp returns the pattern of a regular expression in Go's syntax, whose time is linear. ^ and $ match at lines.
// Empty matches do not count.
func Regexp(text string, matchCase bool) (*Pattern, error) {
	switch {
	case text == "":
		return nil, errors.New(`type the regular expression, such as tex_\d+`)
	case len(text) > maxRegexp:
		return nil, fmt.Errorf("a regular expression can have at most %d bytes", maxRegexp)
	}
	flags := "(?m)"
	if !matchCase {
		flags = "(?im)"
	}
	if _, err := regexp.Compile(text); err != nil {
		return nil, fmt.Errorf("invalid regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	re, err := regexp.Compile(flags + text)
	return &Pattern{regexp: re}, err
}

// appendMatches appends the matches in b that begin in [from, to), one after the other.
func (p *Pattern) appendMatches(found []model.Span, b []byte, from, to int) []model.Span {
	for offset := from; offset < to; {
		begin, end, ok := p.firstMatch(b, offset)
		switch {
		case !ok || begin >= to:
			return found
		case end == begin:
			offset = begin + 1
		default:
			offset = min(end, begin+maxRegexpMatch)
			found = append(found, model.Span{Offset: int64(begin), Size: int64(offset - begin)})
		}
	}
	return found
}

// firstMatch returns the first match that begins at an index or later. A line may begin there.
func (p *Pattern) firstMatch(b []byte, offset int) (begin, end int, ok bool) {
	before := max(0, offset-1)
	found := p.regexp.FindIndex(b[before:])
	if found != nil && before+found[0] < offset { // an earlier one may hide it
		before = offset
		found = p.regexp.FindIndex(b[before:])
	}
	if found == nil {
		return 0, 0, false
	}
	return before + found[0], before + found[1], true
}
