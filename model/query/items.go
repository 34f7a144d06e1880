package query

import "slices"

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
