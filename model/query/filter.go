package query

import (
	"slices"
	"strings"
)

// Kind is what the values of a column are.
type Kind uint8

// The kinds of columns. A Number or a Size is compared with numbers alone, a Time with the beginning of a date.
const (
	Text Kind = iota
	Number
	Size // in bytes
	Time // as text, in the form of time.DateTime
)

// Column is what a condition can be about.
type Column struct {
	Name   string
	Names  []string // other ways to write it
	Kind   Kind
	Values []string // of a column that has few different ones: these; nil if they are not known
}

// List is what a filter is for: things with columns.
type List struct {
	Columns []Column
	// Fields says that a name that is no column's may be that of a field which some of the things have.
	Fields bool
}

// Thing is one element of a list.
type Thing interface {
	// Has reports whether a word or a pattern of a filter is in the thing.
	Has(w *Word) bool
	// Meets reports whether a value of one column meets a test, and whether there is a value. A column past those of
	// the list is a field, of which Filter.Field returns the name.
	Meets(column int, t *Test) (met, any bool)
}

// Filter is a filter that was read. It may be used by several goroutines at once.
type Filter struct {
	top    expression
	list   *List
	fields []string // the names of columns past those of the list
}

// Empty reports whether a filter asks for nothing: everything matches.
func (f *Filter) Empty() bool { return f.top == nil }

// Match reports whether a thing meets the filter.
func (f *Filter) Match(t Thing) bool { return f.top == nil || f.top.match(t) }

// Field returns the name of the field that a column past those of the list stands for.
func (f *Filter) Field(column int) string { return f.fields[column-len(f.list.Columns)] }

// Columns returns the columns that the filter has conditions on, and those of fields after them; no one twice.
func (f *Filter) Columns() []int {
	var columns []int
	each(f.top, func(e expression) {
		if c, ok := e.(*condition); ok && !slices.Contains(columns, c.column) {
			columns = append(columns, c.column)
		}
	})
	return columns
}

// EachWord calls do with each word and pattern of the filter, wherever it stands.
func (f *Filter) EachWord(do func(w *Word)) {
	each(f.top, func(e expression) {
		if w, ok := e.(*Word); ok {
			do(w)
		}
	})
}

// HasWords reports whether words or patterns are asked for, besides conditions.
func (f *Filter) HasWords() bool {
	has := false
	f.EachWord(func(*Word) { has = true })
	return has
}

// Lit returns the words that must be there, in lower case: what can be lit where a thing is shown.
func (f *Filter) Lit() []string {
	var lit []string
	for _, e := range f.items() {
		if w, ok := e.(*Word); ok && !w.Pattern() {
			lit = append(lit, w.lower)
		}
	}
	return lit
}

// HasWordIn reports whether a value has one of the words or patterns that are asked for.
func (f *Filter) HasWordIn(v any) bool {
	has := false
	f.EachWord(func(w *Word) { has = has || w.InCell(v) })
	return has
}

// Plain reports whether the filter is nothing but words that must all be there, those of Lit. Such a text may be meant
// as the name of one thing.
func (f *Filter) Plain() bool { return f.top != nil && len(f.Lit()) == len(f.items()) }

// Words returns the words and patterns of a filter that is nothing but these, all of which must be there; nil for
// others. Whoever asks a million things may go through them without Match.
func (f *Filter) Words() []*Word {
	var words []*Word
	for _, e := range f.items() {
		w, ok := e.(*Word)
		if !ok {
			return nil
		}
		words = append(words, w)
	}
	return words
}

// Single reports whether the filter is one word or pattern, and nothing else.
func (f *Filter) Single() bool {
	_, is := f.top.(*Word)
	return is
}

// items are what must all hold.
func (f *Filter) items() all {
	switch e := f.top.(type) {
	case nil:
		return nil
	case all:
		return e
	}
	return all{f.top}
}

// expression is a part of a filter.
type expression interface{ match(t Thing) bool }

type (
	all  []expression
	some []expression
	not  struct{ of expression }
	// condition is a test of a column.
	condition struct {
		column int
		test   *Test
		not    bool // no value may meet it, and there must be one
	}
)

func (a all) match(t Thing) bool {
	for _, e := range a {
		if !e.match(t) {
			return false
		}
	}
	return true
}

func (s some) match(t Thing) bool {
	for _, e := range s {
		if e.match(t) {
			return true
		}
	}
	return false
}

func (n not) match(t Thing) bool { return !n.of.match(t) }

func (w *Word) match(t Thing) bool { return t.Has(w) }

func (c *condition) match(t Thing) bool {
	met, any := t.Meets(c.column, c.test)
	if c.not {
		return any && !met
	}
	return met
}

// each calls do with an expression and all parts of it.
func each(e expression, do func(e expression)) {
	if e == nil {
		return
	}
	do(e)
	switch e := e.(type) {
	case all:
		for _, p := range e {
			each(p, do)
		}
	case some:
		for _, p := range e {
			each(p, do)
		}
	case not:
		each(e.of, do)
	}
}

// find returns the column with a name, and its number.
func (l *List) find(name string) (int, bool) {
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for i := range l.Columns {
			for _, n := range l.Columns[i].names() {
				if same(n, name) {
					return i, true
				}
			}
		}
	}
	return 0, false
}

// names are all ways to write a column.
func (c *Column) names() []string { return append([]string{c.Name}, c.Names...) }
