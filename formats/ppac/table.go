package ppac

import (
	"context"

	"assay/model"
)

// table returns the index as rows and columns, to sort and to filter.
func (f *file) table(context.Context) (*model.Table, error) {
	t := &model.Table{Rows: int64(f.index.n), Columns: []model.Column{
		{Name: "TPU", Type: "TPU"}, {Name: "type", Type: "type"},
		{Name: "purpose", Type: "integer", Numeric: true, Class: true},
		{Name: "unique", Type: "integer", Numeric: true}, {Name: "size", Type: "integer", Numeric: true},
		{Name: "location", Type: "integer", Numeric: true}, {Name: "compression", Type: "integer", Numeric: true},
	}}
	memory := f.layout.sized()
	if memory {
		t.Columns = append(t.Columns, model.Column{Name: "memory size", Type: "integer", Numeric: true})
	}
	cell := func(ent Entry, column int) any {
		switch column {
		case 0:
			return ent.TPU.String()
		case 1:
			return typeLabel(ent.Type)
		case 2:
			return uint64(ent.Purpose)
		case 3:
			return uint64(ent.Unique)
		case 4:
			return ent.Size
		case 5:
			return ent.Location
		case 6:
			return uint64(ent.Compression)
		}
		return ent.MemorySize
	}
	t.Cell = func(row int64, column int) any { return cell(f.entry(int(row)), column) }
	t.Path = func(row int64) model.Path { return append(f.index.entries.Path(), int(row)) }
	t.Scan = func(ctx context.Context, columns []int, each func(int64, []any) error) error {
		cells := make([]any, len(columns))
		var failed error
		err := f.each(ctx, 0, f.index.n, func(i int, ent *Entry) bool {
			for k, c := range columns {
				cells[k] = cell(*ent, c)
			}
			failed = each(int64(i), cells)
			return failed == nil
		})
		if failed != nil {
			return failed
		}
		return err
	}
	return t, nil
}
