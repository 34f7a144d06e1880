package dprsim

import (
	"context"

	"assay/model"
)

// Table returns the catoms as a table: the fields of all modules.
func (b *Body) Table(ctx context.Context) *model.Table {
	from := b.Columns(ctx, AllModules)
	t := &model.Table{Columns: titles(from), Rows: int64(b.Count)}
	t.Cell = func(row int64, col int) (cell any) {
		if row < 0 || row >= t.Rows {
			return nil
		}
		first := func(_ int, values []any, _ [][]byte) error {
			cell = shown(values[0])
			return nil
		}
		// A cell that cannot be read is empty; it is read without a context.
		_ = b.Read(context.Background(), from[col:col+1], int(row), int(row)+1, first)
		return cell
	}
	t.Scan = func(ctx context.Context, columns []int, each func(row int64, values []any) error) error {
		selected := make([]Column, len(columns))
		for i, col := range columns {
			selected[i] = from[col]
		}
		return b.Read(ctx, selected, 0, b.Count, func(row int, values []any, _ [][]byte) error {
			for i, v := range values {
				values[i] = shown(v)
			}
			return each(int64(row), values)
		})
	}
	t.Path = func(row int64) model.Path { return append(b.List.Path(), int(row)) }
	return t
}

// titles returns columns as a table has them.
func titles(from []Column) []model.Column {
	all := make([]model.Column, len(from))
	for i, c := range from {
		all[i] = c.Column
	}
	return all
}

// shown returns a value as a cell: a string of many megabytes is not shown.
func shown(v any) any {
	if _, ok := v.(model.Blob); ok {
		return nil
	}
	return v
}
