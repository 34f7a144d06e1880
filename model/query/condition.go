package query

import (
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"assay/model"
)

// comparison is how a value is compared.
type comparison uint8

const (
	contained comparison = iota
	equal
	unequal
	less
	lessOrEqual
	greater
	greaterOrEqual
)

// signs in the order in which they are looked for: the longer first.
var signs = []struct {
	text string
	how  comparison
}{{"<=", lessOrEqual}, {">=", greaterOrEqual}, {"!=", unequal}, {"==", equal}, {"<", less}, {">", greater},
	{"=", equal}, {"~", contained}}

// Test is what a value is compared with.
type Test struct {
	how    comparison
	text   string
	word   *Word
	number any // the text as int64, uint64 or float64; nil if it is not a number
	time   bool
}

func newTest(how comparison, text string, kind Kind) *Test {
	return &Test{how: how, text: text, word: newWord(text), number: numberOf(text), time: kind == Time}
}

// numberOf reads a number, with a unit of bytes or without; nil if it is not one.
func numberOf(text string) any {
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return n
	} else if n, err := strconv.ParseUint(text, 0, 64); err == nil {
		return n
	} else if f, err := strconv.ParseFloat(text, 64); err == nil {
		return f
	} else if n, err := humanize.ParseBytes(text); err == nil {
		return n
	}
	return nil
}

// Met reports whether a value, as a Node has it, meets the test.
func (t *Test) Met(v any) bool {
	if t.how == contained {
		return t.word.InCell(v)
	}
	switch v := v.(type) {
	case nil:
		return false
	case string:
		return t.metBy(v)
	case uint64, int64, float32, float64:
		if t.number == nil {
			return false
		}
		c, ordered := compareNumbers(v, t.number)
		return ordered && t.holds(c)
	}
	return t.metBy(model.FormatValue(v))
}

// metBy is Met for a text. Of a time as much is compared as was typed.
func (t *Test) metBy(v string) bool {
	switch {
	case t.time:
		return t.holds(strings.Compare(v[:min(len(v), len(t.text))], t.text))
	case t.how == equal:
		return t.word.is(v)
	}
	return t.holds(strings.Compare(v, t.text))
}

// holds reports whether a value that comes before (-1), at (0) or after (1) the one of the test meets it.
func (t *Test) holds(c int) bool {
	switch t.how {
	case equal:
		return c == 0
	case less:
		return c < 0
	case lessOrEqual:
		return c <= 0
	case greater:
		return c > 0
	}
	return c >= 0
}
