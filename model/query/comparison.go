package query

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"assay/model"
)

// compareNumbers compares a cell with a number exactly, for any of their types; false if one is NaN. A float32 is
// compared with the nearest float32, because users mean it when they type 0.2.
func compareNumbers(cell, want any) (int, bool) {
	if f, ok := cell.(float32); ok {
		if w, ok := want.(float64); ok {
			cell, want = float64(f), float64(float32(w))
		} else {
			cell = float64(f)
		}
	}
	a, aFloat := cell.(float64)
	b, bFloat := want.(float64)
	switch {
	case aFloat && bFloat:
		if math.IsNaN(a) || math.IsNaN(b) {
			return 0, false
		}
		return cmp.Compare(a, b), true
	case aFloat:
		return compareFloat(a, want)
	case bFloat:
		c, ok := compareFloat(b, cell)
		return -c, ok
	}
	return compareIntegers(cell, want), true
}

// compareFloat compares a float with an integer: by their whole parts first, because a float64 does not hold every
// 64-bit integer.
func compareFloat(f float64, integer any) (int, bool) {
	floor := math.Floor(f)
	switch {
	case math.IsNaN(f):
		return 0, false
	case floor >= 1<<64:
		return 1, true
	case floor < -(1 << 63):
		return -1, true
	}
	var c int
	if floor >= 1<<63 {
		c = compareIntegers(uint64(floor), integer)
	} else {
		c = compareIntegers(int64(floor), integer)
	}
	if c == 0 && f > floor {
		return 1, true
	}
	return c, true
}

func compareIntegers(a, b any) int {
	an, au := signAndBits(a)
	bn, bu := signAndBits(b)
	if an != bn {
		if an {
			return -1
		}
		return 1
	}
	return cmp.Compare(au, bu) // of two negative numbers in two's complement the higher bits are the higher number
}

// signAndBits returns whether an integer is negative, and its bits.
func signAndBits(v any) (bool, uint64) {
	switch v := v.(type) {
	case int64:
		return v < 0, uint64(v)
	case uint64:
		return false, v
	case bool:
		if v {
			return false, 1
		}
	}
	return false, 0
}

// comparison is the kind of comparison of a value.
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

type sign struct {
	text string
	op   comparison
}

// signs are the signs of comparisons; longer ones are tried first.
var signs = []sign{{"<=", lessOrEqual}, {">=", greaterOrEqual}, {"!=", unequal}, {"==", equal}, {"<", less}, {">", greater},
	{"=", equal}, {"~", contained}}

// Test is a comparison of a value with an operand.
type Test struct {
	op     comparison
	text   string
	word   *Word
	number any // the text as int64, uint64 or float64; nil if it is not a number
	isTime bool
}

func newTest(op comparison, text string, kind Kind) *Test {
	return &Test{op: op, text: text, word: newWord(text), number: numberOf(text), isTime: kind == Time}
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

// Matches reports whether a value, as a Node has it, passes the test.
func (t *Test) Matches(v any) bool {
	if t.op == contained {
		return t.word.InCell(v)
	}
	switch v := v.(type) {
	case nil:
		return false
	case string:
		return t.matchesText(v)
	case uint64, int64, float32, float64:
		if t.number == nil {
			return false
		}
		c, ordered := compareNumbers(v, t.number)
		return ordered && t.passes(c)
	}
	return t.matchesText(model.FormatValue(v))
}

// matchesText is Matches for a text. A time is compared up to the length that was typed.
func (t *Test) matchesText(v string) bool {
	switch {
	case t.isTime:
		return t.passes(strings.Compare(v[:min(len(v), len(t.text))], t.text))
	case t.op == equal:
		return t.word.equals(v)
	}
	return t.passes(strings.Compare(v, t.text))
}

// passes reports whether a value that compares as c with the operand passes the test: less (-1), equal (0) or greater
// (1).
func (t *Test) passes(c int) bool {
	switch t.op {
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
