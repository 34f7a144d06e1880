package query

import (
	"context"
	"slices"

	"assay/model"
)

// TableFields returns the columns of a table as filters name them: with their group or without it.
func TableFields(t *model.Table) *List {
	l := new(List)
	for i, c := range t.Columns {
		column := Column{Name: t.Title(i), Names: append([]string{c.Name}, c.Names...), Values: c.Values}
		if c.Group != "" {
			column.Names = append(column.Names, c.Group+"."+c.Name)
		}
		switch {
		case c.Numeric && c.Type == "bytes":
			column.Kind = Size
		case c.Numeric:
			column.Kind = Number
		case c.Type == "time" && c.Measure:
			column.Kind = Time
		}
		l.Columns = append(l.Columns, column)
	}
	return l
}

// FilterTable returns the rows of order that a filter of List holds for. Words are looked for in some columns; in has
// their numbers, and nil is all that are not measures. Without a filter it returns order itself.
func FilterTable(ctx context.Context, t *model.Table, order Order, f *Filter, in []int) (Order, error) {
	if f.Empty() {
		return order, nil
	}
	r := &row{at: make([]int, len(t.Columns))}
	columns := f.Columns()
	for k, c := range columns {
		r.at[c] = k
	}
	if r.words = len(columns); f.HasWords() {
		if in == nil {
			in = Searched(t)
		}
		columns = append(columns, in...)
	}
	if err := check(t, columns); err != nil {
		return nil, err
	}
	meets := newBits(t.Rows)
	shown := 0
	err := scan(ctx, t, columns, func(n int64, cells []any) error {
		if r.cells = cells; f.Match(r) {
			meets.set(n)
			shown++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := make(Order, 0, min(int64(shown), order.Len(t)))
	for i := range order.Len(t) {
		if n := order.Row(i); meets.has(n) {
			out = append(out, uint32(n))
		}
	}
	return out, nil
}

// Searched returns the columns of a table that words are looked for in: all but measures.
func Searched(t *model.Table) []int {
	var all []int
	for i := range t.Columns {
		if !t.Columns[i].Measure {
			all = append(all, i)
		}
	}
	return all
}

// namedMost is the number of rows that WordsIn looks at.
const namedMost = 1000

// WordsIn returns the titles of the columns which have a word of a filter in the first of some rows.
func WordsIn(t *model.Table, rows Order, f *Filter) []string {
	var titles []string
	for _, column := range Searched(t) {
		has := func(row uint32) bool {
			v := t.Cell(int64(row), column)
			return v != nil && f.HasWordIn(v)
		}
		if slices.ContainsFunc(rows[:min(len(rows), namedMost)], has) {
			titles = append(titles, t.Title(column))
		}
	}
	return titles
}

// row is a row as a filter asks for it.
type row struct {
	cells []any // of the columns with conditions, then of those that words are looked for in
	at    []int // of a column with a condition: where its cell is
	words int   // where those begin that words are looked for in
}

// Has reports whether a cell has a word.
func (r *row) Has(w *Word) bool {
	for _, v := range r.cells[r.words:] {
		if v != nil && w.InCell(v) {
			return true
		}
	}
	return false
}

// Meets tests the cell of a column.
func (r *row) Meets(column int, t *Test) (met, any bool) {
	v := r.cells[r.at[column]]
	return t.Met(v), v != nil
}
