package query

import (
	"strings"
	"unicode"
)

// Completion is what may be typed at a place of a filter.
type Completion struct {
	From, To int    // the bytes that it takes the place of
	Text     string // what is put there
}

// completed is the number of letters from which on the name of a column is completed.
const completed = 2

// Complete returns what may be typed before a place of a filter: columns whose names begin with the word there, or the
// known values of the column that is compared.
func (l *List) Complete(text string, caret int) []Completion {
	before := text[:caret]
	if strings.Count(before, `"`)%2 != 0 {
		return nil
	}
	if column, from := l.compared(before); column != nil {
		values := column.complete(from, caret, before[from:])
		if len(values) > 0 || !strings.Contains(before[from:], " ") { // else the value is there already
			return values
		}
	}
	from := strings.LastIndexFunc(before, func(r rune) bool { return unicode.IsSpace(r) || r == '(' }) + 1
	word := before[from:]
	if len(word) < completed {
		return nil
	}
	var out []Completion
	for i := range l.Columns {
		c := &l.Columns[i]
		if len(c.Name) >= len(word) && strings.EqualFold(c.Name[:len(word)], word) {
			out = append(out, Completion{from, caret, c.Name + " " + c.Kind.usual() + " "})
		}
	}
	return out
}

// usual is the comparison that is most often used.
func (k Kind) usual() string {
	switch k {
	case Number, Size:
		return ">"
	case Time:
		return ">="
	}
	return "="
}

// compared returns the column that a text ends in a comparison with, and where its value begins.
func (l *List) compared(text string) (*Column, int) {
	at := strings.LastIndexAny(text, "=<>!~")
	if at < 0 {
		return nil, 0
	}
	name := strings.TrimRight(text[:at], "=<>!~ ")
	from := len(text) - len(strings.TrimLeft(text[at+1:], " "))
	var found *Column
	long := 0
	for i := range l.Columns {
		for _, n := range l.Columns[i].names() {
			begin := len(name) - len(n)
			if begin >= 0 && len(n) > long && strings.EqualFold(name[begin:], n) &&
				(begin == 0 || strings.ContainsAny(name[begin-1:begin], " (")) {
				found, long = &l.Columns[i], len(n)
			}
		}
	}
	return found, from
}

// complete returns the values of a column that begin as a text that was typed.
func (c *Column) complete(from, caret int, typed string) []Completion {
	var out []Completion
	for _, v := range c.Values {
		if len(v) > len(typed) && strings.EqualFold(v[:len(typed)], typed) {
			out = append(out, Completion{from, caret, c.written(v) + " "})
		}
	}
	return out
}

// written is a value as it is typed: in quotes where it would not be taken whole.
func (c *Column) written(value string) string {
	if c.valueAt(value) == value {
		return value
	}
	return quote(value)
}
