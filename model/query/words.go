package query

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"assay/model"
)

// Word is a text or a pattern to search for, regardless of case.
type Word struct {
	text     string
	lower    string
	pattern  string // in lower case; empty for a plain text
	complete bool   // the pattern is of a whole path, not of its last part
	tail     string // the text after the last star or question mark of the pattern
}

// newWord makes a word, or a pattern where the text has * or ?.
func newWord(text string) *Word {
	w := &Word{text: text, lower: strings.ToLower(text)}
	if strings.ContainsAny(text, "*?") {
		w.pattern, w.complete = w.lower, strings.Contains(text, "/")
		w.tail = w.lower[strings.LastIndexAny(w.lower, "*?/]")+1:]
	}
	return w
}

// Words returns the words and the patterns of a text without conditions, as they are typed to go to something.
func Words(text string) []*Word {
	var words []*Word
	for _, w := range strings.Fields(text) {
		words = append(words, newWord(w))
	}
	return words
}

// InAll reports whether each word is in a text.
func InAll(words []*Word, text string) bool {
	return !slices.ContainsFunc(words, func(w *Word) bool { return !w.In(text) })
}

// Text returns the word or the pattern as it was typed.
func (w *Word) Text() string { return w.text }

// Pattern reports whether it is a pattern.
func (w *Word) Pattern() bool { return w.pattern != "" }

// In reports whether a text contains the word, or whether the text, or its last part as a path, matches the pattern.
func (w *Word) In(text string) bool {
	if w.pattern == "" {
		return contains(text, w.lower)
	}
	text = strings.ToLower(text)
	if !strings.HasSuffix(text, w.tail) { // nearly all of a million names
		return false
	}
	if !w.complete {
		text = text[strings.LastIndexByte(text, '/')+1:]
	}
	return matchesPattern(w.pattern, text)
}

// InCell is In for the value of a cell: a number is searched as it is written. It returns false for other values.
func (w *Word) InCell(v any) bool {
	var room [32]byte
	number := room[:0]
	switch v := v.(type) {
	case string:
		return w.In(v)
	case uint64:
		number = strconv.AppendUint(number, v, 10)
	case int64:
		number = strconv.AppendInt(number, v, 10)
	case float32:
		number = strconv.AppendFloat(number, float64(v), 'g', -1, 32)
	case float64:
		number = strconv.AppendFloat(number, v, 'g', -1, 64)
	default:
		return false
	}
	return w.In(string(number))
}

// equals reports whether a text equals the word, or matches the pattern.
func (w *Word) equals(text string) bool {
	if w.pattern == "" {
		return strings.EqualFold(text, w.lower)
	}
	return w.In(text)
}

// contains reports whether lower is in s, in any case.
func contains(s, lower string) bool {
	if len(s) < len(lower) {
		return false
	}
	if lower == "" {
		return true
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return strings.Contains(strings.ToLower(s), lower)
		}
	}
	first := lower[0]
	for i := 0; i+len(lower) <= len(s); i++ {
		if fold(s[i]) != first {
			continue
		}
		j := 1
		for j < len(lower) && fold(s[i+j]) == lower[j] {
			j++
		}
		if j == len(lower) {
			return true
		}
	}
	return false
}

func fold(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// matchesPattern reports whether a whole text matches a pattern. A star stops at a slash and two do not; two and a
// slash are any number of folders. At a mismatch, the last star consumes one more character, and if it cannot, the last
// two stars consume more.
func matchesPattern(pattern, text string) bool {
	p, t := 0, 0
	star, stars := retry{offset: -1}, retry{offset: -1}
	for {
		switch rest := pattern[p:]; {
		case strings.HasPrefix(rest, "**/") && (p == 0 || pattern[p-1] == '/'):
			p += 3
			stars, star = retry{p, t, true}, retry{offset: -1}
			continue
		case strings.HasPrefix(rest, "**"):
			p += len(rest) - len(strings.TrimLeft(rest, "*"))
			stars, star = retry{p, t, false}, retry{offset: -1}
			continue
		case strings.HasPrefix(rest, "*"):
			p++
			star = retry{p, t, false}
			continue
		case rest == "" && t == len(text):
			return true
		case rest != "" && t < len(text):
			if takes, length := matchElement(rest, text[t:]); takes > 0 {
				p, t = p+length, t+takes
				continue
			}
		}
		switch {
		case star.offset >= 0 && star.text < len(text) && text[star.text] != '/':
			star.text++
			p, t = star.offset, star.text
		case stars.advance(text):
			p, t, star = stars.offset, stars.text, retry{offset: -1}
		default:
			return false
		}
	}
}

// retry is the state to continue from when a star consumes more.
type retry struct {
	offset  int // in the pattern, after the star, or -1
	text    int // in the text
	folders bool
}

// advance consumes one more character, or one more folder; false at the end.
func (r *retry) advance(text string) bool {
	if r.offset < 0 || r.text >= len(text) {
		return false
	}
	n := 1
	if r.folders {
		n = strings.IndexByte(text[r.text:], '/') + 1
	}
	r.text += n
	return n > 0
}

// matchElement returns the number of bytes of a text that the first element of a pattern matches, or 0, and the
// element's length in bytes. An unclosed bracket is an ordinary character.
func matchElement(pattern, text string) (takes, length int) {
	r, n := utf8.DecodeRuneInString(text)
	switch pattern[0] {
	case '?':
		if r == '/' {
			return 0, 1
		}
		return n, 1
	case '[':
		if end := strings.IndexByte(pattern[1:], ']'); end > 0 {
			if !inClass(pattern[1:1+end], r) {
				n = 0
			}
			return n, end + 2
		}
	}
	want, w := utf8.DecodeRuneInString(pattern)
	if want != r || w != n {
		n = 0
	}
	return n, w
}

// inClass reports whether a character is in a class such as a-f0-9, or outside of ^a-f.
func inClass(class string, r rune) bool {
	rest := strings.TrimLeft(class[:1], "^!") + class[1:]
	found := false
	for runes := []rune(rest); len(runes) > 0; {
		low, high, n := runes[0], runes[0], 1
		if len(runes) > 2 && runes[1] == '-' {
			high, n = runes[2], 3
		}
		found = found || low <= r && r <= high
		runes = runes[n:]
	}
	return found == (len(rest) == len(class))
}

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
	time   bool
}

func newTest(op comparison, text string, kind Kind) *Test {
	return &Test{op: op, text: text, word: newWord(text), number: numberOf(text), time: kind == Time}
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
	case t.time:
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
