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
	// Width, Min, Share and MinRowsWidth are as in Column.
	Width, Min, Share, MinRowsWidth float32
	Align                           paint.Align
	Cell                            func(item T) Cell
	// Filter names the column in filters; without a name, filters cannot test it. Value returns the value of an item;
	// if it is nil, the list cannot be sorted by the column.
	Filter query.Column
	Value  func(item T) any
}

// List is a Table of items.
type List[T any] struct {
	*Table
	// Items are the listed items, in the order of the rows. Set replaces them.
	Items []T
	// Fields are the columns and values for filters. SetColumns replaces them, so running filters are not affected.
	Fields *query.Fields[T]
	// TitleOf returns the title of a row that is a title instead of an item. It may be nil.
	TitleOf func(item T) (title string, ok bool)

	columns    []ListColumn[T]
	unsorted   []T   // items in the order of Set
	indexes    []int // index in given of each row; nil: unsorted
	sortColumn int   // index of the sorted column
	order      Order
}

var _ TableData = (*List[int])(nil)

// NewList returns an empty list.
func NewList[T any](h host.Host, style *paint.Style, options Options, columns ...ListColumn[T]) *List[T] {
	l := new(List[T])
	l.Table = NewTable(h, style, l, options)
	l.rows.OnSort = func(column int, order Order) {
		if len(l.unsorted) > maxSortedRows {
			h.ShowHint("Too many rows to sort.")
			return
		}
		l.sortBy(column, order)
	}
	l.rows.OnTypeAhead = l.seek
	l.SetColumns(columns...)
	return l
}

// SetColumns sets the columns.
func (l *List[T]) SetColumns(columns ...ListColumn[T]) {
	l.columns, l.Fields = columns, new(query.Fields[T])
	tableColumns := make([]Column, len(columns))
	for i, c := range columns {
		tableColumns[i] = Column{Title: c.Title, Width: c.Width, Min: c.Min, Share: c.Share,
			MinRowsWidth: c.MinRowsWidth, Align: c.Align, Sortable: c.Value != nil}
		if c.Value != nil && c.Filter.Name != "" {
			l.Fields.Columns = append(l.Fields.Columns, query.Field[T]{Column: c.Filter, Value: c.Value})
		}
	}
	l.order = Unsorted
	l.Table.SetColumns(tableColumns...)
}

// Set lists other items from the first one, without a current row.
func (l *List[T]) Set(items []T) {
	l.unsorted = items
	l.sortItems()
	l.SetData(l)
}

// maxSortedRows and maxSearchedRows are the maximum numbers of rows that are sorted, and searched for typed letters.
const (
	maxSortedRows   = 50_000
	maxSearchedRows = 50_000
)

// sortBy sorts the rows by a column. The current row stays current.
func (l *List[T]) sortBy(column int, order Order) {
	current := l.Current()
	if current >= 0 && l.indexes != nil {
		current = l.indexes[current]
	}
	l.sortColumn, l.order = column, order
	l.sortItems()
	if current >= 0 && l.indexes != nil {
		current = slices.Index(l.indexes, current)
	}
	l.rows.SetSort(column, order)
	l.SetCurrent(current)
	l.Refresh()
}

// sortItems sorts the items between titles.
func (l *List[T]) sortItems() {
	l.Items, l.indexes = l.unsorted, nil
	if l.order == Unsorted || len(l.unsorted) > maxSortedRows {
		return
	}
	keys, title := make([]string, len(l.unsorted)), func(i int) bool {
		_, ok := l.titleOf(l.unsorted[i])
		return ok
	}
	l.indexes, l.Items = make([]int, len(l.unsorted)), make([]T, len(l.unsorted))
	for i, item := range l.unsorted {
		if l.indexes[i] = i; !title(i) {
			keys[i] = fmt.Sprint(l.columns[l.sortColumn].Value(item))
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
		l.Items[row] = l.unsorted[i]
	}
}

// seek makes the next row with a cell that begins with prefix current. It starts at the current row, or below it if
// prefix is a single letter.
func (l *List[T]) seek(prefix string) {
	prefix = strings.ToLower(prefix)
	n, from := len(l.Items), l.Current()
	if from < 0 || utf8.RuneCountInString(prefix) == 1 {
		from++
	}
	for k := range min(n, maxSearchedRows) {
		row := (from + k) % n
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
	_, title := l.titleOf(l.Items[row])
	return l.Items[row], !title
}

func (l *List[T]) titleOf(item T) (title string, ok bool) {
	if l.TitleOf == nil {
		return "", false
	}
	return l.TitleOf(item)
}

// Len returns the number of rows.
func (l *List[T]) Len() int { return len(l.Items) }

// Cell returns the cell in a column of a row.
func (l *List[T]) Cell(row, column int) Cell {
	item := l.Items[row]
	if title, ok := l.titleOf(item); ok {
		return Cell{Text: title, IsTitle: true, Span: len(l.columns) - 1}
	}
	return l.columns[column].Cell(item)
}
