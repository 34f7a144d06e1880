package rows

import (
	"assay/model/query"
	"assay/ui/host"
	"assay/ui/paint"
)

// ListColumn is a column of a List: its title, its width, its cells, and its values for filters.
type ListColumn[T any] struct {
	Title string
	// Width, Min, Share and From are those of a Column.
	Width, Min, Share, From float32
	Align                   paint.Align
	Cell                    func(item T) Cell
	// Filter names the column in filters, and Value returns its value in an item; nil: filters cannot test it.
	Filter query.Column
	Value  func(item T) any
}

// List is a Table of items.
type List[T any] struct {
	*Table
	// Items are the rows. Set displays others.
	Items []T
	// Fields are the columns and values for filters. SetColumns replaces them, so that a filter may run meanwhile.
	Fields *query.Fields[T]
	// Head returns the title that a row is instead of an item. It may be nil.
	Head func(item T) (title string, ok bool)

	columns []ListColumn[T]
}

var _ TableData = (*List[int])(nil)

// NewList returns an empty list.
func NewList[T any](h host.Host, style *paint.Style, options Options, columns ...ListColumn[T]) *List[T] {
	l := new(List[T])
	l.Table = NewTable(h, style, l, options)
	l.SetColumns(columns...)
	return l
}

// SetColumns sets the columns.
func (l *List[T]) SetColumns(columns ...ListColumn[T]) {
	l.columns, l.Fields = columns, new(query.Fields[T])
	all := make([]Column, len(columns))
	for i, c := range columns {
		all[i] = Column{Title: c.Title, Width: c.Width, Min: c.Min, Share: c.Share, From: c.From, Align: c.Align}
		if c.Value != nil {
			l.Fields.Columns = append(l.Fields.Columns, query.Field[T]{Column: c.Filter, Value: c.Value})
		}
	}
	l.Table.SetColumns(all...)
}

// Set lists other items from the first one, without a current row.
func (l *List[T]) Set(items []T) {
	l.Items = items
	l.SetData(l)
}

// Item returns the item of a row; false if there is no such row, or it is a title.
func (l *List[T]) Item(row int) (item T, ok bool) {
	if row < 0 || row >= len(l.Items) {
		return item, false
	}
	_, title := l.head(l.Items[row])
	return l.Items[row], !title
}

func (l *List[T]) head(item T) (title string, ok bool) {
	if l.Head == nil {
		return "", false
	}
	return l.Head(item)
}

// Len returns the number of rows.
func (l *List[T]) Len() int { return len(l.Items) }

// Cell returns the cell in a column of a row.
func (l *List[T]) Cell(row, column int) Cell {
	item := l.Items[row]
	if title, ok := l.head(item); ok {
		return Cell{Text: title, Head: true, Span: len(l.columns) - 1}
	}
	return l.columns[column].Cell(item)
}
