package rows

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

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
	Fields *query.ItemColumns[T]
	// TitleOf returns the title of a row that is a title instead of an item. It may be nil.
	TitleOf func(item T) (title string, ok bool)

	columns    []ListColumn[T]
	unsorted   []T   // items in the order of Set
	indexes    []int // index in unsorted of the item of each row; nil: unsorted
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
	l.columns, l.Fields = columns, new(query.ItemColumns[T])
	tableColumns := make([]Column, len(columns))
	for i, c := range columns {
		tableColumns[i] = Column{Title: c.Title, Width: c.Width, Min: c.Min, Share: c.Share,
			MinRowsWidth: c.MinRowsWidth, Align: c.Align, Sortable: c.Value != nil}
		if c.Value != nil && c.Filter.Name != "" {
			l.Fields.Columns = append(l.Fields.Columns, query.ItemColumn[T]{Column: c.Filter, Value: c.Value})
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

// maxSortedRows is the maximum length of a list that can be sorted. maxSearchedRows is the maximum number of rows, from
// the current one, that are searched for typed letters.
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

// TableData is the content of a table. Cell is called on the UI thread for the rows in view.
type TableData interface {
	Len() int
	Cell(row, column int) Cell
}

// TableEvents are the callbacks of a table. Any may be nil.
type TableEvents struct {
	OnCurrent  func(row int)
	OnActivate func(row int)
	OnClick    func(row int)
	OnMenu     func(row int, pos fyne.Position)
}

// Table displays a list in columns, such as results, problems or choices.
type Table struct {
	widget.BaseWidget
	TableEvents
	rows *Rows
	data TableData
}

var _ fyne.Widget = (*Table)(nil)

// NewTable returns a table; data may be nil.
func NewTable(h host.Host, style *paint.Style, data TableData, options Options, columns ...Column) *Table {
	t := &Table{data: data}
	t.rows = New(h, style, (*tableSource)(t), options)
	t.rows.SetColumns(columns...)
	forward := func(event *func(row int)) func(row int64) {
		return func(row int64) {
			if *event != nil && row >= 0 {
				(*event)(int(row))
			}
		}
	}
	t.rows.Events = Events{OnCurrent: forward(&t.OnCurrent), OnActivate: forward(&t.OnActivate),
		OnClick: forward(&t.OnClick), OnMenu: func(row int64, pos fyne.Position) {
			if t.OnMenu != nil && row >= 0 {
				t.OnMenu(int(row), pos)
			}
		}}
	t.ExtendBaseWidget(t)
	return t
}

// CreateRenderer implements fyne.Widget.
func (t *Table) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(t.rows) }

// MinSize implements fyne.CanvasObject.
func (t *Table) MinSize() fyne.Size { return t.rows.MinSize() }

// Refresh implements fyne.CanvasObject.
func (t *Table) Refresh() { t.rows.Refresh() }

// SetData displays other rows from the first one, without a current row.
func (t *Table) SetData(d TableData) {
	t.data = d
	t.rows.SetSource((*tableSource)(t))
}

// SetColumns sets the columns.
func (t *Table) SetColumns(columns ...Column) { t.rows.SetColumns(columns...) }

// Focus gives the keyboard focus to the table.
func (t *Table) Focus() { t.rows.Focus() }

// Current returns the current row, or -1.
func (t *Table) Current() int { return int(t.rows.Current()) }

// SetCurrent makes a row current and scrolls to it, without an event.
func (t *Table) SetCurrent(row int) { t.rows.GoTo(int64(row)) }

// Key handles a key of another widget, such as a field above the table.
func (t *Table) Key(ev *fyne.KeyEvent) { t.rows.TypedKey(ev) }

// tableSource implements Cells for a Table.
type tableSource Table

func (s *tableSource) Len() int64 {
	if s.data == nil {
		return 0
	}
	return int64(s.data.Len())
}

func (s *tableSource) Cell(row int64, column int) Cell { return s.data.Cell(int(row), column) }
