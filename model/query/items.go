package query

import "slices"

// Fields are the columns of items of one type, with the values that filters test.
type Fields[T any] struct {
	Columns []Field[T]
	// Words reports whether match accepts one of the texts of an item that are searched for words; nil: the columns.
	Words func(item T, match func(text string) bool) bool
}

// Field is a column, and its value in an item.
type Field[T any] struct {
	Column
	// Value returns a string, a number, or a []string, one of which has to pass a test. nil is no value.
	Value func(item T) any
}

// List returns the columns.
func (f *Fields[T]) List() *List {
	l := new(List)
	for _, c := range f.Columns {
		l.Columns = append(l.Columns, c.Column)
	}
	return l
}

// Match reports whether an item matches a filter that was parsed with the columns.
func (f *Fields[T]) Match(filter *Filter, item T) bool {
	return filter.Empty() || filter.Match(fieldsItem[T]{f, item})
}

type fieldsItem[T any] struct {
	*Fields[T]
	item T
}

func (i fieldsItem[T]) Has(w *Word) bool {
	if i.Words != nil {
		return i.Words(i.item, w.In)
	}
	return slices.ContainsFunc(i.Columns, func(c Field[T]) bool { return anyText(c.Value(i.item), w.In) })
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

func (i fieldsItem[T]) MatchColumn(column int, t *Test) (matches, any bool) {
	switch v := i.Columns[column].Value(i.item).(type) {
	case nil:
		return false, false
	case []string:
		return slices.ContainsFunc(v, func(text string) bool { return t.Matches(text) }), len(v) > 0
	default:
		return t.Matches(v), true
	}
}
