// Package query implements the language of filters, which is used above the tree, above lists of assets, files and
// values, and after --only: *.png size > 100 KB duck. Rules explains it.
//
//	alternatives = conjunction { "or" conjunction }
//	conjunction  = term { [ "and" ] term }
//	term         = "not" term | "(" alternatives ")" | condition | word | pattern
//	condition    = column ( "=" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "~" ) value
//
// A List has the columns, and an Item is tested for the words and the conditions of a filter. This package implements
// Item for table rows and for items with ItemColumns, package find for nodes and assets.
//
// It also sorts and filters tables: cells are read when they are needed, and the result is row numbers.
package query

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
)

// Kind is the type of a column's values.
type Kind uint8

// The kinds of columns. A Number or a Size is compared with numbers alone, a Time with the beginning of a date.
const (
	Text Kind = iota
	Number
	Size // in bytes
	Time // as text, in the form of time.DateTime
)

// Column is a property for conditions.
type Column struct {
	Name   string
	Names  []string // other ways to write it
	Kind   Kind
	Values []string // of a column with few distinct values: these; nil if they have not been collected
}

// List describes the items that a filter is for: their columns.
type List struct {
	Columns []Column
	// Fields permits names of fields, which some of the items have, instead of columns.
	Fields bool
}

// Item is one element of a list.
type Item interface {
	// Has reports whether a word or a pattern of a filter matches the item.
	Has(w *Word) bool
	// MatchColumn reports whether the value in column passes t, and whether there is a value. See Filter.Field for
	// later columns.
	MatchColumn(column int, t *Test) (matches, exists bool)
}

// Filter is a filter that was read. It may be used by several goroutines at once.
type Filter struct {
	top    expression
	list   *List
	fields []string // the names of columns after the list's
}

// Empty reports whether a filter has no words and conditions, so that every item matches.
func (f *Filter) Empty() bool { return f.top == nil }

// Match reports whether an item matches the filter.
func (f *Filter) Match(t Item) bool { return f.top == nil || f.top.match(t) }

// Field returns the name of the field for a column after the list's.
func (f *Filter) Field(column int) string { return f.fields[column-len(f.list.Columns)] }

// Columns returns the columns with conditions, those of fields included (see Field), each once, in the order of the
// filter.
func (f *Filter) Columns() []int {
	var columns []int
	eachPart(f.top, func(e expression) {
		if c, ok := e.(*condition); ok && !slices.Contains(columns, c.column) {
			columns = append(columns, c.column)
		}
	})
	return columns
}

// EachWord calls do with each word and pattern at any depth of the filter.
func (f *Filter) EachWord(do func(w *Word)) {
	eachPart(f.top, func(e expression) {
		if w, ok := e.(*Word); ok {
			do(w)
		}
	})
}

// HasWords reports whether the filter has words or patterns, besides conditions.
func (f *Filter) HasWords() bool {
	has := false
	f.EachWord(func(*Word) { has = true })
	return has
}

// RequiredWords returns the required words, in lower case, which can be highlighted in a displayed item.
func (f *Filter) RequiredWords() []string {
	var words []string
	for _, e := range f.terms() {
		if w, ok := e.(*Word); ok && !w.Pattern() {
			words = append(words, w.lower)
		}
	}
	return words
}

// HasWordIn reports whether a value matches one of the words or patterns.
func (f *Filter) HasWordIn(v any) bool {
	has := false
	f.EachWord(func(w *Word) { has = has || w.InCell(v) })
	return has
}

// IsPlain reports whether the filter consists only of required words. Such a text may be the name of one item.
func (f *Filter) IsPlain() bool { return f.top != nil && len(f.RequiredWords()) == len(f.terms()) }

// Words returns the words and patterns of a filter that consists only of required ones; nil for others. To test a
// million items, use them instead of Match.
func (f *Filter) Words() []*Word {
	var words []*Word
	for _, e := range f.terms() {
		w, ok := e.(*Word)
		if !ok {
			return nil
		}
		words = append(words, w)
	}
	return words
}

// IsSingleWord reports whether the filter is one word or pattern, and nothing else.
func (f *Filter) IsSingleWord() bool {
	_, ok := f.top.(*Word)
	return ok
}

// terms returns the required terms.
func (f *Filter) terms() all {
	switch e := f.top.(type) {
	case nil:
		return nil
	case all:
		return e
	}
	return all{f.top}
}

// expression is a part of a filter.
type expression interface{ match(t Item) bool }

type (
	all  []expression
	some []expression
	not  struct{ operand expression }
	// condition is a test of a column.
	condition struct {
		column int
		test   *Test
		not    bool // no value may pass it, and there must be one
	}
)

func (a all) match(t Item) bool {
	return !slices.ContainsFunc(a, func(e expression) bool { return !e.match(t) })
}

func (s some) match(t Item) bool {
	return slices.ContainsFunc(s, func(e expression) bool { return e.match(t) })
}

func (n not) match(t Item) bool { return !n.operand.match(t) }

func (w *Word) match(t Item) bool { return t.Has(w) }

func (c *condition) match(t Item) bool {
	matches, any := t.MatchColumn(c.column, c.test)
	if c.not {
		return any && !matches
	}
	return matches
}

// eachPart calls do with an expression and all parts of it.
func eachPart(e expression, do func(e expression)) {
	if e == nil {
		return
	}
	do(e)
	switch e := e.(type) {
	case all:
		for _, p := range e {
			eachPart(p, do)
		}
	case some:
		for _, p := range e {
			eachPart(p, do)
		}
	case not:
		eachPart(e.operand, do)
	}
}

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

// names returns all ways to write a column.
func (c *Column) names() []string { return append([]string{c.Name}, c.Names...) }

// Rule is an example of a part of a filter, and its meaning.
type Rule struct{ Written, Finds string }

// Rules describe the language, simple ones first.
var Rules = []Rule{
	{`duck`, "the name or another text contains the word; case is ignored"},
	{`duck pond`, "both words must match; terms side by side are combined with and"},
	{`"big duck"`, "the exact phrase; operators in quotes are plain text"},
	{`*.png`, "a pattern for the whole name: * matches any text, ? one character, [a-f0-9] one of a set"},
	{`images/*.png`, "with a slash, a pattern for the whole path; ** matches any number of folders"},
	{`size > 100 KB`, "a condition: a column, one of = != < <= > >=, and a value; KB is 1,000 bytes, KiB is 1,024"},
	{`type = Texture`, "= and != ignore case and accept patterns; quote values of several words"},
	{`name ~ duck`, "~ matches part of the column's text"},
	{`modified >= 2026-11`, "dates are year-month-day; you can omit the day or the month"},
	{`class ~ texture`, "in trees and asset lists: a field has this value"},
	{`/meshes/* size > 1 MB`, "in trees and asset lists: a leading slash means a path"},
	{`not duck`, "the next term must not match"},
	{`duck or goose`, "either one; and takes precedence over or"},
	{`(duck or goose) *.png`, "parentheses group terms"},
}

// WhereText explains where filters are used.
const WhereText = "Use filters above the tree and lists, and after --only. The syntax is the same everywhere: " +
	"conditions can use the columns of a list and the fields of the file."

// OnlyText explains the plain texts of --only.
const OnlyText = "After --only, text without patterns or conditions must be a complete key, name, or path."

// Page returns the explanation of filters for a terminal.
func Page() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", WhereText)
	w := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	for _, r := range Rules {
		fmt.Fprintf(w, "  %s\t%s\n", r.Written, r.Finds)
	}
	w.Flush()
	fmt.Fprintf(&b, "\nFor instance, *.png size > 100 KB duck. %s\n", OnlyText)
	return b.String()
}

// ItemColumns are the columns of items of one type, with the values that filters test.
type ItemColumns[T any] struct {
	Columns []ItemColumn[T]
	// Words reports whether match accepts one of the texts of an item that are searched for words; nil: the columns.
	Words func(item T, match func(text string) bool) bool
}

// ItemColumn is a column, and its value in an item.
type ItemColumn[T any] struct {
	Column
	// Value returns a string, a number, or a []string, one of which has to pass a test. nil is no value.
	Value func(item T) any
}

// List returns the columns for Parse.
func (c *ItemColumns[T]) List() *List {
	l := new(List)
	for _, column := range c.Columns {
		l.Columns = append(l.Columns, column.Column)
	}
	return l
}

// Match reports whether an item matches a filter that was parsed with the columns.
func (c *ItemColumns[T]) Match(filter *Filter, item T) bool {
	return filter.Empty() || filter.Match(columnsItem[T]{c, item})
}

type columnsItem[T any] struct {
	*ItemColumns[T]
	item T
}

func (i columnsItem[T]) Has(w *Word) bool {
	if i.Words != nil {
		return i.Words(i.item, w.In)
	}
	return slices.ContainsFunc(i.Columns, func(c ItemColumn[T]) bool { return anyText(c.Value(i.item), w.In) })
}

// anyText reports whether match accepts a value that is a string, or one of several.
func anyText(v any, match func(text string) bool) bool {
	switch v := v.(type) {
	case string:
		return match(v)
	case []string:
		return slices.ContainsFunc(v, match)
	}
	return false
}

func (i columnsItem[T]) MatchColumn(column int, t *Test) (matches, exists bool) {
	switch v := i.Columns[column].Value(i.item).(type) {
	case nil:
		return false, false
	case []string:
		return slices.ContainsFunc(v, func(text string) bool { return t.Matches(text) }), len(v) > 0
	default:
		return t.Matches(v), true
	}
}
