package dprsim

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/model"
)

// kind is how a pack code makes values of bytes.
type kind uint8

const (
	number    kind = iota // count numbers, a value each
	text                  // one value of count bytes
	character             // count UTF-8 characters, a value each
	skip                  // no value
)

// repeatToEnd is the count of a code that reads to the end of the data ("*").
const repeatToEnd = -1

// code is one pack code of a template with its count.
type code struct {
	letter   byte
	typ      string // as the tree names the value's type: "C", "s<", "a10"
	kind     kind
	form     model.NumberForm
	isNative bool // the byte order is the writer's
	isLittle bool // if not native
	aligns   bool // a skip to a multiple of the count
	count    int64
}

// template is the data types of a module, in perl's pack notation.
type template struct {
	codes []code
	// least is the number of bytes that all values need, values the number of values; with a "*" there may be more.
	least, values int64
	repeated      int64 // bytes of the value that may repeat at the end; 0: none, -1: depends on the data
	isFixed       bool  // every state has the same size: all codes are supported, and none has a "*" or is a character
}

// forms are the pack codes that read numbers.
var forms = map[byte]struct {
	form   model.NumberForm
	native bool             // the byte order is the writer's
	little bool             // if not native
	long   model.NumberForm // with "!"; U8 where that is not allowed
}{
	'c': {form: model.S8}, 'C': {form: model.U8}, 'W': {form: model.U8},
	'n': {form: model.U16, long: model.S16},
	'v': {form: model.U16, little: true, long: model.S16},
	'N': {form: model.U32, long: model.S32},
	'V': {form: model.U32, little: true, long: model.S32},
	's': {form: model.S16, native: true, long: model.S16},
	'S': {form: model.U16, native: true, long: model.U16},
	'l': {form: model.S32, native: true, long: model.S64},
	'L': {form: model.U32, native: true, long: model.U64},
	'i': {form: model.S32, native: true, long: model.S32},
	'I': {form: model.U32, native: true, long: model.U32},
	'q': {form: model.S64, native: true},
	'Q': {form: model.U64, native: true},
	'j': {form: model.S64, native: true},
	'J': {form: model.U64, native: true},
	'f': {form: model.F32, native: true},
	'd': {form: model.F64, native: true},
	'F': {form: model.F64, native: true},
}

// maxCount bounds a count: a state has at most 2^32 bytes.
const maxCount = 1 << 32

// parseTemplate parses a template. With an error it returns the codes before the unsupported one.
func parseTemplate(s string) (template, error) {
	t := template{isFixed: true}
	for i := 0; i < len(s); {
		if isBlank(s[i]) || s[i] == ',' { // perl passes over commas
			i++
			continue
		}
		if s[i] == '#' { // perl takes the rest of the line as a comment
			if end := strings.IndexByte(s[i:], '\n'); end >= 0 {
				i += end
				continue
			}
			break
		}
		c, n, err := parseCode(s[i:])
		if err == nil && c.kind == skip {
			err = t.align(&c)
		}
		if err != nil {
			t.isFixed = false
			return t, fmt.Errorf("%w at its character %d", err, i+1)
		}
		i += n
		t.add(c)
	}
	t.repeated = t.repeatedSize()
	return t, nil
}

// align sets the count of an "x" to the bytes that perl packs for it at this position of a state: 0 for "*", and for
// "x!" the bytes up to a multiple of its count.
func (t *template) align(c *code) error {
	switch {
	case c.count == repeatToEnd || c.aligns && c.count == 0:
		c.count = 0
	case c.aligns && !t.isFixed:
		return fmt.Errorf("\"x!\" after values of differing sizes is not supported")
	case c.aligns:
		c.count = (c.count - t.least%c.count) % c.count
	}
	return nil
}

// add appends a code. Consecutive numbers of one kind are one code.
func (t *template) add(c code) {
	t.isFixed = t.isFixed && c.count != repeatToEnd && c.kind != character
	switch c.kind {
	case text:
		t.values++
	case number:
		t.values += max(c.count, 0)
	}
	if c.count != repeatToEnd && c.kind != character {
		t.least += c.count * c.size()
	}
	if last := len(t.codes) - 1; last >= 0 && c.kind == number && c.typ == t.codes[last].typ &&
		c.count != repeatToEnd && t.codes[last].count != repeatToEnd {
		t.codes[last].count += c.count
		return
	}
	t.codes = append(t.codes, c)
}

// size returns the number of bytes of the code for each of its count.
func (c *code) size() int64 {
	if c.kind == number {
		return c.form.Size()
	}
	return 1
}

// order returns the byte order of a code's numbers; bigEndian is the order of the machine that wrote native ones.
func (c *code) order(bigEndian bool) binary.ByteOrder {
	if c.isNative && bigEndian || !c.isNative && !c.isLittle {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// values returns the number of values of the code; repeatToEnd if it reads to the end of the data.
func (c *code) values() int64 {
	switch c.kind {
	case skip:
		return 0
	case text:
		return 1
	}
	return c.count
}

// codeOf returns the code of the i-th value of a state that is long enough, or nil.
func (t *template) codeOf(i int64) *code {
	for k := range t.codes {
		c := &t.codes[k]
		n := c.values()
		if i < n || n == repeatToEnd {
			return c
		}
		i -= n
	}
	return nil
}

// parseCode reads one code with its modifiers and count, and returns the number of their characters.
func parseCode(s string) (c code, size int, err error) {
	c = code{letter: s[0]}
	size = 1
	switch c.letter {
	case 'a', 'A', 'Z':
		c.kind = text
	case 'U':
		c.kind = character
	case 'x':
		if c.kind = skip; strings.HasPrefix(s, "x!") {
			c.aligns, size = true, 2
		}
	default:
		if size, err = c.parseNumber(s); err != nil {
			return c, 0, err
		}
	}
	count, digits, err := parseCount(s[size:])
	if err != nil {
		return c, 0, err
	}
	c.count, c.typ = count, s[:size]
	if c.kind == text { // a string is one value with its count
		c.typ = s[:size+digits]
	}
	return c, size + digits, nil
}

// parseNumber reads the letter and the modifiers of a number, and returns the number of their characters.
func (c *code) parseNumber(s string) (size int, err error) {
	f, ok := forms[s[0]]
	if !ok {
		return 0, fmt.Errorf("unknown pack code %q", rune(s[0]))
	}
	c.form, c.isNative, c.isLittle = f.form, f.native, f.little
	for size = 1; size < len(s) && strings.IndexByte("!<>", s[size]) >= 0; size++ {
		switch {
		case s[size] == '!' && f.long != model.U8:
			c.form = f.long
		case s[size] != '!' && c.isNative:
			c.isNative, c.isLittle = false, s[size] == '<'
		default:
			return 0, fmt.Errorf("%q does not go with %q", rune(s[size]), s[:size])
		}
	}
	return size, nil
}

// parseCount reads the count after a code, "*", "12" or "[12]", and returns it with its length in characters. The
// default count is 1.
func parseCount(s string) (count int64, size int, err error) {
	switch {
	case strings.HasPrefix(s, "*"):
		return repeatToEnd, 1, nil
	case strings.HasPrefix(s, "["):
		end := strings.IndexByte(s, ']')
		if end < 0 {
			return 0, 0, fmt.Errorf("a count without its \"]\"")
		}
		n, err := strconv.ParseInt(s[1:end], 10, 64)
		if err != nil || n < 0 {
			return 0, 0, fmt.Errorf("%q is not a count", s[:end+1])
		}
		return min(n, maxCount), end + 1, nil
	}
	for ; size < len(s) && s[size] >= '0' && s[size] <= '9'; size++ {
		count = min(count*10+int64(s[size]-'0'), maxCount)
	}
	if size == 0 {
		return 1, 0, nil
	}
	return count, size, nil
}

// fitsFloat32 reports whether a float32 holds each value that the code makes.
func (c *code) fitsFloat32() bool {
	return c.kind != number || c.form.Size() <= 2 || c.form == model.F32
}

func isBlank(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }

// isNative reports whether values depend on the byte order of the writer.
func (t *template) isNative() bool {
	return slices.ContainsFunc(t.codes, func(c code) bool { return c.isNative })
}

// fills reports whether n bytes of data hold exactly all values, for any bytes.
func (t *template) fills(n int64) bool {
	return n == t.least && t.repeated >= 0 || n > t.least && t.repeated > 0 && (n-t.least)%t.repeated == 0
}

// repeatedSize returns the size of the value that may repeat at the end. It returns 0 if there is none, and -1 if the
// size depends on the data.
func (t *template) repeatedSize() int64 {
	last := len(t.codes) - 1
	for i, c := range t.codes {
		open := c.count == repeatToEnd
		switch {
		case c.kind == character || open && (i < last || c.letter == 'Z'):
			return -1
		case open:
			return c.size()
		}
	}
	return 0
}

// allows reports whether n bytes of data can have been packed with the template.
func (t *template) allows(n int64) bool {
	if t.isFixed {
		return n == t.least
	}
	return n >= t.least
}
