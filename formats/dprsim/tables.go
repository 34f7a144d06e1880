package dprsim

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"assay/formats/decode"
	"assay/model"
)

// columnsMax bounds the columns of a table: a template can have a thousand million values.
const columnsMax = 1024

// firstCatoms is how many catoms are looked at for the columns of values of which there may be any number.
const firstCatoms = 64

// column is where the cells of a column come from: the id, or a value of a module.
type column struct {
	module int // -1: the catom's id
	value  int64
}

// columns returns the columns of all modules, or of one.
func (b *body) columns(only int) ([]model.Column, []column) {
	cols := []model.Column{{Name: "id", Type: "u32", Numeric: true}}
	from := []column{{module: -1}}
	for i, m := range b.modules {
		if only >= 0 && i != only || len(cols) >= columnsMax {
			continue
		}
		value := int64(0)
		for k := range m.template.codes {
			c := &m.template.codes[k]
			if c.kind == skip {
				continue
			}
			n := int64(1)
			if c.kind != text {
				n = c.count
			}
			if n == toTheEnd { // as many as the longest of the first catoms has, and as have a name
				n = max(b.mostValues(i)-value, int64(len(m.names))-value, 0)
			}
			for ; n > 0 && len(cols) < columnsMax; n-- {
				cols = append(cols, model.Column{Name: m.name(value), Group: m.node.Key, Type: c.typ,
					Numeric: c.kind != text})
				from = append(from, column{i, value})
				value++
			}
		}
	}
	return cols, from
}

// mostValues is the highest number of values that a module has in one of the first catoms.
func (b *body) mostValues(module int) int64 {
	var most int64
	var l layout
	_ = b.each(context.Background(), 0, min(b.count(), firstCatoms), func(c *decode.Cursor, _ int) error {
		b.layout(c, &l)
		most = max(most, l.states[module].values)
		return nil
	})
	return most
}

// table returns the body's catoms as a table: the fields of all modules, or of the one given.
func (b *body) table(only int) *model.Table {
	cols, from := b.columns(only)
	t := &model.Table{Columns: cols, Rows: int64(b.count())}
	t.Cell = func(row int64, col int) any {
		if row < 0 || row >= t.Rows {
			return nil
		}
		e := b.c.Quiet(b.catoms.At(int(row)))
		c := &cells{b: b, from: from[col : col+1]}
		c.catom(e)
		return shown(c.value(e, 0))
	}
	t.Scan = func(ctx context.Context, columns []int, each func(row int64, values []any) error) error {
		wanted := make([]column, len(columns))
		for i, col := range columns {
			wanted[i] = from[col]
		}
		c := b.cells(wanted)
		values := make([]any, len(columns))
		return b.each(ctx, 0, b.count(), func(e *decode.Cursor, row int) error {
			c.catom(e)
			for i := range values {
				values[i] = shown(c.value(e, i))
			}
			return each(int64(row), values)
		})
	}
	t.Path = func(row int64) model.Path { return append(b.list.Path(), int(row)) }
	return t
}

// shown is a value as a cell: a string of many megabytes is none.
func shown(v any, _ []byte) any {
	if _, ok := v.(model.Blob); ok {
		return nil
	}
	return v
}

// offer returns the document what is made of its bodies: tables, payloads, the search for a catom by its id.
func (r *reader) offer(doc *model.Document) {
	doc.Switches = r.switchOrder(doc.Source)
	for i, b := range r.bodies {
		name := "Catoms"
		if len(r.bodies) > 1 {
			name = fmt.Sprintf("Catoms of body %d", i+1)
		}
		doc.Tables = append(doc.Tables, model.TableSource{Name: name,
			Open: func(ctx context.Context) (*model.Table, error) {
				return b.table(-1), ctx.Err()
			}})
	}
	doc.Thing = thing
	doc.FindKey = r.findCatom
	doc.Payloads = r.payloads(doc.Source)
	doc.View = r.views()
}

var errFound = errors.New("found")

// findCatom returns the first catom with that id.
func (r *reader) findCatom(key string) (model.Path, bool) {
	want, err := strconv.ParseUint(key, 10, 32)
	if err != nil {
		return nil, false
	}
	var path model.Path
	for _, b := range r.bodies {
		_ = b.each(context.Background(), 0, b.count(), func(c *decode.Cursor, row int) error {
			if uint64(c.U32("id")) != want {
				return nil
			}
			path = append(b.list.Path(), row)
			return errFound
		})
		if path != nil {
			return path, true
		}
	}
	return nil, false
}
