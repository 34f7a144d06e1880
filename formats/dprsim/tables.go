package dprsim

import (
	"context"
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// columnsMax bounds the columns of a table: a template can have a thousand million values.
const columnsMax = 1024

// firstCatoms is how many catoms are looked at for the columns of values of which there may be any number.
const firstCatoms = 64

// tables returns the table of each body's catoms.
func (r *reader) tables() (all []model.TableSource) {
	for i, b := range r.bodies {
		name := "Catoms"
		if len(r.bodies) > 1 {
			name = fmt.Sprintf("Catoms of body %d", i+1)
		}
		all = append(all, model.TableSource{Name: name, Open: func(ctx context.Context) (*model.Table, error) {
			return b.table(ctx), ctx.Err()
		}})
	}
	return all
}

// columns returns the columns of all modules, or of one.
func (b *body) columns(ctx context.Context, only int) ([]model.Column, []column) {
	cols := []model.Column{{Name: "id", Type: "u32", Numeric: true}}
	from := []column{{module: -1}}
	for i, m := range b.modules {
		if only >= 0 && i != only || len(cols) >= columnsMax {
			continue
		}
		value := int64(0)
		for k := range m.template.codes {
			c := &m.template.codes[k]
			n := c.values()
			if n == toTheEnd { // as many as the longest of the first catoms has, and as have a name
				n = max(b.mostValues(ctx, i)-value, int64(len(m.names))-value, 0)
			}
			for ; n > 0 && len(cols) < columnsMax; n-- {
				cols = append(cols, model.Column{Name: m.valueName(value), Group: m.key, Type: c.typ,
					Numeric: c.kind != text})
				from = append(from, column{i, value})
				value++
			}
		}
	}
	return cols, from
}

// mostValues returns the highest number of values that a module has in one of the first catoms.
func (b *body) mostValues(ctx context.Context, module int) (most int64) {
	b.visitFirst(ctx, firstCatoms, func(c *decode.Cursor, i int) {
		if i == module {
			b.modules[i].template.runs(c, func(r run) { most = max(most, r.first+r.count) })
		}
	})
	return most
}

// table returns the body's catoms as a table: the fields of all modules.
func (b *body) table(ctx context.Context) *model.Table {
	cols, from := b.columns(ctx, -1)
	t := &model.Table{Columns: cols, Rows: int64(b.count())}
	t.Cell = func(row int64, col int) any {
		if row < 0 || row >= t.Rows {
			return nil
		}
		r := b.row(from[col : col+1])
		r.read(b.c.Quiet(b.catoms.At(int(row))))
		return shown(r.values[0])
	}
	t.Scan = func(ctx context.Context, columns []int, each func(row int64, values []any) error) error {
		selected := make([]column, len(columns))
		for i, col := range columns {
			selected[i] = from[col]
		}
		r := b.row(selected)
		return b.each(ctx, 0, b.count(), func(c *decode.Cursor, row int) error {
			r.read(c)
			for i, v := range r.values {
				r.values[i] = shown(v)
			}
			return each(int64(row), r.values)
		})
	}
	t.Path = func(row int64) model.Path { return append(b.list.Path(), int(row)) }
	return t
}

// shown returns a value as a cell: a string of many megabytes is not shown.
func shown(v any) any {
	if _, ok := v.(model.Blob); ok {
		return nil
	}
	return v
}
