// Package text reads text files: it guesses the encoding, finds the lines, indents JSON and XML, and colors keywords,
// strings and comments in the languages of assets.
package text

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/saintfish/chardet"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"

	"assay/model"
)

// MaxBytes is the maximum number of bytes of a file that are read.
const MaxBytes = 32 << 20

// Text is the view of a text.
type Text struct {
	Text     string // with line feeds alone
	Encoding string // "UTF-8", "UTF-16, little-endian"
	Guessed  bool   // not recorded in the file
	Ends     string // of lines: "LF", "CR LF", "CR", "mixed"; empty if there is one line
	Language string // one of the constants from JSON to YAML; empty for plain text
	Left     int64  // bytes of the file that are not in Text

	offsets *offsetMap // nil if equal to the offsets in the file
}

// ViewKind implements model.View.
func (*Text) ViewKind() model.ViewKind { return model.TextView }

// Open reads a text file, up to MaxBytes of it.
func Open(ctx context.Context, src *model.Source) (*Text, error) {
	b, err := src.Bytes(model.Span{Size: min(src.Size(), MaxBytes)})
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t := Decode(b, path.Base(src.Name()))
	t.Left = src.Size() - int64(len(b))
	return t, nil
}

// Decode decodes the bytes of a text file with that name.
func Decode(b []byte, name string) *Text {
	t := &Text{}
	var f form
	t.Text, t.Encoding, t.Guessed, f = decode(b)
	t.Text, t.Ends = lineEnds(t.Text)
	t.offsets = mapOffsets(f, b, t.Text)
	t.Language = language(name, t.Text)
	return t
}

var (
	little = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	big    = unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
)

var byteOrderMarks = []struct {
	mark     string
	name     string
	encoding encoding.Encoding
	form     form
}{
	{"\xef\xbb\xbf", "UTF-8 with a byte order mark", unicode.UTF8BOM, form{markSize: 3, unitSize: 1}},
	{"\xff\xfe", "UTF-16, little-endian", little, form{encoding: little, markSize: 2, unitSize: 2}},
	{"\xfe\xff", "UTF-16, big-endian", big, form{encoding: big, markSize: 2, unitSize: 2, isBigEndian: true}},
}

// IsText reports whether bytes are a text without a guess at its encoding: they have a mark, or are UTF-8. The last
// character may be cut off.
func IsText(b []byte) bool {
	for _, m := range byteOrderMarks {
		if bytes.HasPrefix(b, []byte(m.mark)) {
			return true
		}
	}
	return utf8.Valid(trimPartialRune(b))
}

// guessSample is the number of bytes that determine the guessed encoding.
const guessSample = 64 << 10

// decode returns the text, and its encoding: by a byte order mark, UTF-8 if valid, UTF-16 if every second byte is
// zero, else by statistics.
func decode(b []byte) (text, name string, guessed bool, f form) {
	for _, m := range byteOrderMarks {
		if bytes.HasPrefix(b, []byte(m.mark)) {
			return decodeWith(m.encoding, b), m.name, false, m.form
		}
	}
	head := b[:min(len(b), guessSample)]
	if m := findUTF16(head); m >= 0 {
		f = byteOrderMarks[m].form
		f.markSize = 0
		return decodeWith(f.encoding, b), byteOrderMarks[m].name, true, f
	}
	f = form{unitSize: 1}
	if utf8.Valid(trimPartialRune(b)) {
		if isASCII(b) {
			return string(b), "ASCII", false, f
		}
		return string(trimPartialRune(b)), "UTF-8", false, f
	}
	if best, err := chardet.NewTextDetector().DetectBest(head); err == nil && best.Charset != "UTF-8" &&
		best.Confidence > 20 {
		if f.encoding, err = htmlindex.Get(best.Charset); err == nil {
			return decodeWith(f.encoding, b), best.Charset, true, f
		}
	}
	f.encoding = charmap.Windows1252
	return decodeWith(f.encoding, b), "Windows-1252", true, f
}

// trimPartialRune returns b without an incomplete UTF-8 sequence at its end.
func trimPartialRune(b []byte) []byte {
	for i := 1; i <= min(utf8.UTFMax, len(b)); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// findUTF16 recognizes UTF-16 without a mark by the zeros in texts of western languages, and returns its index in
// byteOrderMarks, or -1.
func findUTF16(b []byte) int {
	var zeroCounts [2]int
	for i, c := range b {
		if c == 0 {
			zeroCounts[i%2]++
		}
	}
	half := len(b) / 2
	switch {
	case half < 2:
	case zeroCounts[1] > half*2/3 && zeroCounts[0] <= half/10:
		return 1
	case zeroCounts[0] > half*2/3 && zeroCounts[1] <= half/10:
		return 2
	}
	return -1
}

func decodeWith(e encoding.Encoding, b []byte) string {
	out, err := e.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "\uFFFD")
	}
	return string(out)
}

// lineEnds turns all ends of lines into line feeds and returns their names.
func lineEnds(s string) (text, ends string) {
	pairs := strings.Count(s, "\r\n")
	feeds, returns := strings.Count(s, "\n")-pairs, strings.Count(s, "\r")-pairs
	switch {
	case pairs+feeds+returns == 0:
		return s, ""
	case pairs+returns == 0:
		return s, "LF"
	case feeds+returns == 0:
		ends = "CR LF"
	case pairs+feeds == 0:
		ends = "CR"
	default:
		ends = "mixed"
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n"), ends
}

// ErrNotIndented is the error for a text of a language that cannot be indented.
var ErrNotIndented = errors.New("only JSON and XML can be indented")

// Indent returns JSON or XML with a line for each member.
func (t *Text) Indent() (string, error) {
	switch t.Language {
	case JSON:
		var out bytes.Buffer
		if err := json.Indent(&out, []byte(t.Text), "", "  "); err != nil {
			return "", fmt.Errorf("this is not valid JSON: %w", err)
		}
		return out.String(), nil
	case XML:
		return indentedXML(t.Text)
	}
	return "", ErrNotIndented
}

// indentedXML puts each tag on a line of its own, except those around only a text. Tags are not changed.
func indentedXML(s string) (string, error) {
	dec := xml.NewDecoder(strings.NewReader(s))
	dec.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it is UTF-8 by now
	var out strings.Builder
	depth, from := 0, int64(0)
	inline := true // the next node continues the line
	line := func() {
		if !inline {
			out.WriteByte('\n')
			out.WriteString(strings.Repeat("  ", min(depth, maxIndent)))
		}
		inline = false
	}
	for {
		token, err := dec.RawToken()
		if err == io.EOF {
			return out.String(), nil
		}
		if err != nil {
			return "", fmt.Errorf("this is not valid XML: %w", err)
		}
		raw := strings.TrimSpace(s[from:dec.InputOffset()])
		from = dec.InputOffset()
		switch token.(type) {
		case xml.EndElement:
			depth--
			if raw == "" { // of a tag that closes itself
				inline = false
				continue
			}
			line()
			out.WriteString(raw)
		case xml.StartElement:
			if out.Len() > 0 {
				inline = false
			}
			line()
			out.WriteString(raw)
			depth++
			inline = true
		case xml.CharData:
			if raw != "" {
				line()
				out.WriteString(raw)
				inline = true
			}
		default:
			if out.Len() > 0 {
				inline = false
			}
			line()
			out.WriteString(raw)
		}
	}
}

// maxIndent is the deepest level that is indented.
const maxIndent = 100

// Lines returns the lines of a text with line feeds, without them. One at the end of the text ends its last line.
func Lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// LineCount returns the number of Lines.
func LineCount(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// form is how the bytes of a text are written.
type form struct {
	encoding    encoding.Encoding // nil: UTF-8
	markSize    int               // bytes of the mark at the beginning
	unitSize    int               // bytes of the smallest character: 2 in UTF-16
	isBigEndian bool              // the first byte of a unit is the high one
}

// offsetMap maps offsets in a file to indexes of its text by the lines of both.
type offsetMap struct {
	form
	bytes       []byte
	isUTF8      bool    // the bytes are UTF-8
	lineOffsets []int   // where each line begins in the bytes
	lineIndexes []int32 // and in the text
}

// mapOffsets finds the lines of a text; nil if its bytes are the file's.
func mapOffsets(f form, b []byte, text string) *offsetMap {
	valid := f.encoding == nil && utf8.Valid(trimPartialRune(b))
	if valid && f.markSize == 0 && len(trimPartialRune(b)) == len(text) {
		return nil
	}
	p := &offsetMap{form: f, bytes: b, isUTF8: valid, lineOffsets: []int{f.markSize}, lineIndexes: []int32{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			p.lineIndexes = append(p.lineIndexes, int32(i+1))
		}
	}
	for i := f.markSize; i+f.unitSize <= len(b) && len(p.lineOffsets) < len(p.lineIndexes); i += f.unitSize {
		switch p.unitAt(i) {
		case '\r':
			if next := i + f.unitSize; next+f.unitSize <= len(b) && p.unitAt(next) == '\n' {
				i = next
			}
			fallthrough
		case '\n':
			p.lineOffsets = append(p.lineOffsets, i+f.unitSize)
		}
	}
	p.lineIndexes = p.lineIndexes[:len(p.lineOffsets)]
	return p
}

// unitAt returns the unit at an index of the bytes.
func (m *offsetMap) unitAt(i int) rune {
	switch {
	case m.unitSize == 1:
		return rune(m.bytes[i])
	case m.isBigEndian:
		return rune(m.bytes[i])<<8 | rune(m.bytes[i+1])
	}
	return rune(m.bytes[i+1])<<8 | rune(m.bytes[i])
}

// step returns the number of bytes of the character at an index.
func (m *offsetMap) step(i int) int {
	switch {
	case m.encoding == nil:
		_, n := utf8.DecodeRune(m.bytes[i:])
		return n
	case m.unitSize == 2:
		if i+4 <= len(m.bytes) && utf16.IsSurrogate(m.unitAt(i)) && utf16.IsSurrogate(m.unitAt(i+2)) {
			return 4
		}
		return 2
	}
	var out [8]byte
	for n := 1; n < utf8.UTFMax && i+n < len(m.bytes); n++ {
		if decoded, _, _ := m.encoding.NewDecoder().Transform(out[:], m.bytes[i:i+n], false); decoded > 0 {
			return n
		}
	}
	return 1
}

// walkLine advances by characters of a line until done returns true for the next one, by its indexes in the bytes and
// in the text.
func (m *offsetMap) walkLine(line int, text string, done func(next, at int) bool) (i, at int) {
	i, at = m.lineOffsets[line], int(m.lineIndexes[line])
	for i < len(m.bytes) && at < len(text) && text[at] != '\n' {
		_, size := utf8.DecodeRuneInString(text[at:])
		next := i + m.step(i)
		if done(next, at+size) {
			break
		}
		i, at = next, at+size
	}
	return i, at
}

// IndexAt returns the index in Text of the character that contains a byte of the file.
func (t *Text) IndexAt(offset int64) int {
	p := t.offsets
	if p == nil {
		return int(max(0, min(offset, int64(len(t.Text)))))
	}
	line := max(0, sort.Search(len(p.lineOffsets), func(i int) bool { return int64(p.lineOffsets[i]) > offset })-1)
	if p.isUTF8 {
		end := len(t.Text)
		if line+1 < len(p.lineIndexes) {
			end = int(p.lineIndexes[line+1]) - 1
		}
		return max(0, min(int(p.lineIndexes[line])+int(offset)-p.lineOffsets[line], end))
	}
	_, at := p.walkLine(line, t.Text, func(next, _ int) bool { return int64(next) > offset })
	return at
}

// Offset returns the offset in the file of the character at an index of Text.
func (t *Text) Offset(at int) int64 {
	p := t.offsets
	if p == nil {
		return int64(at)
	}
	line := max(0, sort.Search(len(p.lineIndexes), func(i int) bool { return int(p.lineIndexes[i]) > at })-1)
	if p.isUTF8 {
		return int64(p.lineOffsets[line] + at - int(p.lineIndexes[line]))
	}
	i, _ := p.walkLine(line, t.Text, func(_, next int) bool { return next > at })
	return int64(i)
}
