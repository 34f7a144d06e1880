package dprsim

import (
	"fmt"
	"strconv"
	"strings"

	"assay/model"
)

// kind is what a pack code does with its bytes.
type kind uint8

const (
	number kind = iota // count numbers, a value each
	text               // one value of count bytes
	letter             // count UTF-8 characters, a value each
	skip               // no value
)

// toTheEnd is the count "*".
const toTheEnd = -1

// code is one pack code of a template with its count.
type code struct {
	letter byte
	typ    string // as the tree names the value's type: "C", "s<", "a10"
	kind   kind
	form   model.Number
	native bool // the byte order is the writer's
	little bool // if not native
	count  int64
}

// template is the data types of a module, in perl's pack notation.
type template struct {
	codes []code
	// least is the number of bytes that all values need, values the number of values; with a "*" there may be more.
	least, values int64
	unit          int64 // see room
	fixed         bool  // no code takes what there is
}

// forms are the pack codes that read numbers. Big and little say which order the code itself names.
var forms = map[byte]struct {
	form        model.Number
	native      bool
	little      bool
	long        model.Number // with "!"
	longAllowed bool
}{
	'c': {form: model.S8}, 'C': {form: model.U8}, 'W': {form: model.U8},
	'n': {form: model.U16, long: model.S16, longAllowed: true},
	'v': {form: model.U16, little: true, long: model.S16, longAllowed: true},
	'N': {form: model.U32, long: model.S32, longAllowed: true},
	'V': {form: model.U32, little: true, long: model.S32, longAllowed: true},
	's': {form: model.S16, native: true, long: model.S16, longAllowed: true},
	'S': {form: model.U16, native: true, long: model.U16, longAllowed: true},
	'l': {form: model.S32, native: true, long: model.S64, longAllowed: true},
	'L': {form: model.U32, native: true, long: model.U64, longAllowed: true},
	'i': {form: model.S32, native: true, long: model.S32, longAllowed: true},
	'I': {form: model.U32, native: true, long: model.U32, longAllowed: true},
	'q': {form: model.S64, native: true},
	'Q': {form: model.U64, native: true},
	'j': {form: model.S64, native: true},
	'J': {form: model.U64, native: true},
	'f': {form: model.F32, native: true},
	'd': {form: model.F64, native: true},
	'F': {form: model.F64, native: true},
}

// countMax bounds a count: a state has at most 2^32 bytes.
const countMax = 1 << 32

// parseTemplate reads a template. With an error it returns the codes before the one that it does not know.
func parseTemplate(s string) (template, error) {
	t := template{fixed: true}
	for i := 0; i < len(s); {
		if blank(s[i]) {
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
		if err != nil {
			return t, fmt.Errorf("%w at its character %d", err, i+1)
		}
		i += n
		t.add(c)
	}
	t.unit = t.room()
	return t, nil
}

// add appends a code. Numbers of one kind that follow one another are one code.
func (t *template) add(c code) {
	t.fixed = t.fixed && c.count != toTheEnd && c.kind != letter
	switch c.kind {
	case text:
		t.values++
	case number:
		t.values += max(c.count, 0)
	}
	if c.count != toTheEnd && c.kind != letter {
		t.least += c.count * c.size()
	}
	if last := len(t.codes) - 1; last >= 0 && c.kind == number && c.typ == t.codes[last].typ &&
		c.count != toTheEnd && t.codes[last].count != toTheEnd {
		t.codes[last].count += c.count
		return
	}
	t.codes = append(t.codes, c)
}

// size returns the number of bytes that the code takes for each of its count.
func (c *code) size() int64 {
	if c.kind == number {
		return c.form.Size()
	}
	return 1
}

// values returns the number of values that the code gives, toTheEnd if it takes what there is.
func (c *code) values() int64 {
	switch c.kind {
	case skip:
		return 0
	case text:
		return 1
	}
	return c.count
}

// parseCode reads one code with its modifiers and count, and returns how many characters they are.
func parseCode(s string) (code, int, error) {
	c := code{letter: s[0], count: 1}
	i := 1
	switch c.letter {
	case 'a', 'A', 'Z':
		c.kind = text
	case 'U':
		c.kind = letter
	case 'x':
		c.kind = skip
	default:
		f, ok := forms[c.letter]
		if !ok {
			return c, 0, fmt.Errorf("%q is not a known pack code", rune(c.letter))
		}
		c.form, c.native, c.little = f.form, f.native, f.little
		for ; i < len(s) && strings.IndexByte("!<>", s[i]) >= 0; i++ {
			switch {
			case s[i] == '!' && f.longAllowed:
				c.form = f.long
			case s[i] != '!' && f.native && c.native:
				c.native, c.little = false, s[i] == '<'
			default:
				return c, 0, fmt.Errorf("%q does not go with %q", rune(s[i]), s[:i])
			}
		}
	}
	c.typ = s[:i]
	switch {
	case i < len(s) && s[i] == '*':
		c.count = toTheEnd
		i++
	case i < len(s) && s[i] == '[':
		end := strings.IndexByte(s[i:], ']')
		if end < 0 {
			return c, 0, fmt.Errorf("a count without its \"]\"")
		}
		n, err := strconv.ParseInt(s[i+1:i+end], 10, 64)
		if err != nil || n < 0 {
			return c, 0, fmt.Errorf("%q is not a count", s[i:i+end+1])
		}
		c.count = min(n, countMax)
		i += end + 1
	case i < len(s) && digit(s[i]):
		c.count = 0
		for ; i < len(s) && digit(s[i]); i++ {
			c.count = min(c.count*10+int64(s[i]-'0'), countMax)
		}
	}
	if c.kind == text { // a string is one value with its count
		c.typ = s[:i]
	}
	return c, i, nil
}

func blank(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }

func digit(b byte) bool { return b >= '0' && b <= '9' }

// native reports whether values depend on the byte order of the writer.
func (t *template) native() bool {
	for _, c := range t.codes {
		if c.kind == number && c.native {
			return true
		}
	}
	return false
}

// fills reports whether n bytes of data are certain to give all values and to leave no byte over.
func (t *template) fills(n int64) bool {
	return n == t.least && t.unit >= 0 || n > t.least && t.unit > 0 && (n-t.least)%t.unit == 0
}

// room returns the size of what may be there any number of times after the values that must be there: 0 if nothing may,
// -1 if only the data tell their size.
func (t *template) room() int64 {
	last := len(t.codes) - 1
	for i, c := range t.codes {
		open := c.count == toTheEnd
		switch {
		case c.kind == letter || open && (i < last || c.letter == 'Z'):
			return -1
		case open:
			return c.size()
		}
	}
	return 0
}

// suits reports whether the template can have given n bytes of data.
func (t *template) suits(n int64) bool {
	if t.fixed {
		return n == t.least
	}
	return n >= t.least
}
