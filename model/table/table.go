// Package table shows a long list of like things as rows and columns: the catoms of a world by the fields of their
// modules. Cells are read when they are looked at; sorting and filtering give row numbers and keep nothing else.
package table

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Column is one field of every row.
type Column struct {
	Name    string // the field's name: "x"
	Group   string // what the field belongs to: the module's name; empty if there are no groups
	Type    string // the field's type as its document writes it
	Numeric bool   // cells are numbers, or missing
}

// Table is rows of cells. A cell is a Node value (a number, a string) or nil where the row has no such value.
type Table struct {
	Columns []Column
	Rows    int64
	// Cell reads one cell. It may be called from any goroutine.
	Cell func(row int64, column int) any
	// Scan reads the cells of some columns row by row, from the first row to the last, quicker than Cell does. The
	// cells are good until each returns. nil: Cell is used.
	Scan func(ctx context.Context, columns []int, each func(row int64, cells []any) error) error
	// Path gives the place of the row's node in the document; nil if rows are no nodes.
	Path func(row int64) []int
}

// Order is row numbers in the order in which they are shown; nil means all rows as they are in the file.
type Order []uint32

// Len is the number of rows that an order of t shows.
func (o Order) Len(t *Table) int64 {
	if o == nil {
		return t.Rows
	}
	return int64(len(o))
}

// Row is the number of the i-th row shown.
func (o Order) Row(i int64) int64 {
	if o == nil {
		return i
	}
	return int64(o[i])
}

// Title is the column's name, with its group where another column has the same name.
func (t *Table) Title(column int) string {
	c := t.Columns[column]
	if c.Group == "" {
		return c.Name
	}
	for i, other := range t.Columns {
		if i != column && other.Name == c.Name {
			return c.Group + "." + c.Name
		}
	}
	return c.Name
}

var errTooMany = errors.New("a table of more than 4,294,967,295 rows cannot be sorted or filtered")

// check says why the cells of some columns cannot be scanned, if so.
func (t *Table) check(columns []int) error {
	if t.Rows > math.MaxUint32 {
		return errTooMany
	}
	for _, c := range columns {
		if c < 0 || c >= len(t.Columns) {
			return fmt.Errorf("the table has no column %d", c)
		}
	}
	return nil
}

// scan goes through the cells of some columns, which check has found to be there.
func (t *Table) scan(ctx context.Context, columns []int, each func(row int64, cells []any) error) error {
	if t.Scan != nil {
		return t.Scan(ctx, columns, each)
	}
	cells := make([]any, len(columns))
	for row := int64(0); row < t.Rows; row++ {
		if row%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		for i, c := range columns {
			cells[i] = t.Cell(row, c)
		}
		if err := each(row, cells); err != nil {
			return err
		}
	}
	return nil
}
