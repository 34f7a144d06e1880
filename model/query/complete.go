package query

import (
	"slices"
	"strings"
	"unicode"
)

// Completion is a possible completion at the caret of a filter.
type Completion struct {
	From, To int    // the bytes to replace
	Text     string // the replacement
	Value    bool   // of a condition; else the name of a column
}

// minCompleted is the minimum number of letters of a column name that is completed.
const minCompleted = 2

// Complete returns the possible completions before the caret: columns with names that begin with the word there, or the
// values of the compared column.
func (l *List) Complete(text string, caret int) []Completion {
	before := text[:caret]
	if strings.Count(before, `"`)%2 != 0 {
		return nil
	}
	if column, from := l.comparedColumn(before); column != nil {
		values := column.complete(from, caret, before[from:])
		if len(values) > 0 || !strings.Contains(before[from:], " ") { // else the value is complete already
			return values
		}
	}
	from := strings.LastIndexFunc(before, func(r rune) bool { return unicode.IsSpace(r) || r == '(' }) + 1
	word := before[from:]
	if len(word) < minCompleted {
		return nil
	}
	var out []Completion
	for i := range l.Columns {
		c := &l.Columns[i]
		same := func(o Column) bool { return strings.EqualFold(o.Name, c.Name) } // a format may name a column as others
		if len(c.Name) >= len(word) && strings.EqualFold(c.Name[:len(word)], word) &&
			!slices.ContainsFunc(l.Columns[:i], same) {
			out = append(out, Completion{from, caret, c.Name + " " + c.Kind.usualSign() + " ", false})
		}
	}
	return out
}

// usualSign returns the comparison that is most often used.
func (k Kind) usualSign() string {
	switch k {
	case Number, Size:
		return ">"
	case Time:
		return ">="
	}
	return "="
}

// comparedColumn returns the column that a text ends in a comparison with, and where its value begins.
func (l *List) comparedColumn(text string) (*Column, int) {
	end := strings.LastIndexAny(text, "=<>!~")
	if end < 0 {
		return nil, 0
	}
	name := strings.TrimRight(text[:end], "=<>!~ ")
	from := len(text) - len(strings.TrimLeft(text[end+1:], " "))
	var found *Column
	longest := 0
	for i := range l.Columns {
		for _, n := range l.Columns[i].names() {
			begin := len(name) - len(n)
			if begin >= 0 && len(n) > longest && strings.EqualFold(name[begin:], n) &&
				(begin == 0 || strings.ContainsAny(name[begin-1:begin], " (")) {
				found, longest = &l.Columns[i], len(n)
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
			out = append(out, Completion{from, caret, c.quoteValue(v) + " ", true})
		}
	}
	return out
}

// quoteValue returns a value as it is typed: in quotes where it would not be taken whole.
func (c *Column) quoteValue(value string) string {
	if c.valueAt(value) == value {
		return value
	}
	return Quote(value)
}
