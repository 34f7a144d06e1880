package query

import (
	"context"
	"errors"
	"fmt"
	"math"

	"assay/model"
)

// Order is row numbers in the order in which they are shown; nil means all rows as they are in the file.
type Order []uint32

// Len returns the number of rows that an order of t shows.
func (o Order) Len(t *model.Table) int64 {
	if o == nil {
		return t.Rows
	}
	return int64(len(o))
}

// Row returns the number of the i-th row shown.
func (o Order) Row(i int64) int64 {
	if o == nil {
		return i
	}
	return int64(o[i])
}

var errTooMany = errors.New("a table of more than 4,294,967,295 rows cannot be sorted or filtered")

// check returns why the cells of some columns cannot be scanned, if so.
func check(t *model.Table, columns []int) error {
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
func scan(ctx context.Context, t *model.Table, columns []int, each func(row int64, cells []any) error) error {
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
