package rows

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/model"
	"assay/model/query"
	"assay/ui/host"
	"assay/ui/paint"
)

// ListColumn is a column of a List: its title, its width, its cells, and its values for filters.
type ListColumn[T any] struct {
	Title string
	// Width, Min, Share and From are as in a Column.
	Width, Min, Share, From float32
	Align                   paint.Align
	Cell                    func(item T) Cell
	// Filter names the column in filters; without a name they cannot test it. Value returns its value in an item; nil:
	// the list cannot be sorted by it either.
	Filter query.Column
	Value  func(item T) any
}

// List is a Table of items.
type List[T any] struct {
	*Table
	// Items are the rows, sorted as the user chose. Set displays others.
	Items []T
	// Fields are the columns and values for filters. SetColumns replaces them, so that a filter may run meanwhile.
	Fields *query.Fields[T]
	// Head returns the title that a row is instead of an item. It may be nil.
	Head func(item T) (title string, ok bool)

	columns []ListColumn[T]
	items   []T   // the items as they were set
	indexes []int // the index in given of each row
	column  int   // the sorted one
	order   Order
}

var _ TableData = (*List[int])(nil)

// NewList returns an empty list.
func NewList[T any](h host.Host, style *paint.Style, options Options, columns ...ListColumn[T]) *List[T] {
	l := new(List[T])
	l.Table = NewTable(h, style, l, options)
	l.rows.OnSort = func(column int, order Order) {
		if len(l.items) > sortMost {
			h.ShowHint("Too many rows to sort.")
			return
		}
		l.sort(column, order)
	}
	l.rows.OnTypeAhead = l.seek
	l.SetColumns(columns...)
	return l
}

// SetColumns sets the columns.
func (l *List[T]) SetColumns(columns ...ListColumn[T]) {
	l.columns, l.Fields = columns, new(query.Fields[T])
	all := make([]Column, len(columns))
	for i, c := range columns {
		all[i] = Column{Title: c.Title, Width: c.Width, Min: c.Min, Share: c.Share, From: c.From, Align: c.Align,
			Sortable: c.Value != nil}
		if c.Value != nil && c.Filter.Name != "" {
			l.Fields.Columns = append(l.Fields.Columns, query.Field[T]{Column: c.Filter, Value: c.Value})
		}
	}
	l.order = Unsorted
	l.Table.SetColumns(all...)
}

// Set lists other items from the first one, without a current row.
func (l *List[T]) Set(items []T) {
	l.items = items
	l.arrange()
	l.SetData(l)
}

// sortMost and seekMost are the maximum numbers of rows that are sorted, and searched for typed letters.
const (
	sortMost = 50_000
	seekMost = 50_000
)

// sort sorts the rows by a column. The current row stays current.
func (l *List[T]) sort(column int, order Order) {
	at := l.Current()
	if at >= 0 && l.indexes != nil {
		at = l.indexes[at]
	}
	l.column, l.order = column, order
	l.arrange()
	if at >= 0 && l.indexes != nil {
		at = slices.Index(l.indexes, at)
	}
	l.rows.SetSort(column, order)
	l.SetCurrent(at)
	l.Refresh()
}

// arrange sorts the items between titles.
func (l *List[T]) arrange() {
	l.Items, l.indexes = l.items, nil
	if l.order == Unsorted || len(l.items) > sortMost {
		return
	}
	keys, title := make([]string, len(l.items)), func(i int) bool {
		_, ok := l.head(l.items[i])
		return ok
	}
	l.indexes, l.Items = make([]int, len(l.items)), make([]T, len(l.items))
	for i, item := range l.items {
		if l.indexes[i] = i; !title(i) {
			keys[i] = fmt.Sprint(l.columns[l.column].Value(item))
		}
	}
	for begin, end := 0, 0; begin < len(l.indexes); begin = end {
		for end = begin + 1; end < len(l.indexes) && title(end-1) == title(end); end++ {
		}
		slices.SortStableFunc(l.indexes[begin:end], func(a, b int) int {
			step := cmp.Or(model.CompareNames(keys[a], keys[b]), cmp.Compare(keys[a], keys[b]))
			if l.order == Descending {
				return -step
			}
			return step
		})
	}
	for row, i := range l.indexes {
		l.Items[row] = l.items[i]
	}
}

// seek makes the next row current that has a text beginning with prefix: from the current row on, or below it for a
// single letter.
func (l *List[T]) seek(prefix string) {
	prefix = strings.ToLower(prefix)
	n, at := len(l.Items), l.Current()
	if at < 0 || utf8.RuneCountInString(prefix) == 1 {
		at++
	}
	for k := range min(n, seekMost) {
		row := (at + k) % n
		for column := range l.columns {
			if c := l.Cell(row, column); strings.HasPrefix(strings.ToLower(c.String()), prefix) {
				l.rows.goTo(int64(row))
				return
			}
		}
	}
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
