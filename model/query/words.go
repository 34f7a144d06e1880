package query

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
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
