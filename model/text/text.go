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
	"strings"
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
