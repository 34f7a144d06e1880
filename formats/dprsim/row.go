package dprsim

import (
	"context"
	"slices"

	"assay/formats/decode"
	"assay/formats/dprsim/catoms"
	"assay/model"
)

// row reads the same columns of one catom after the other.
type row struct {
	b        *body
	ids      []int    // positions of the columns that show the id
	selected [][]cell // by module, in the order of the module's values
	visit    visitor  // state
	start    int64    // of the catom

	// locations are where the values are in the catom. In most worlds they are the same in all catoms: then only the
	// first catom is read from its beginning, which makes sorting a million three times as fast.
	locations []location
	size      int64 // of the catoms that have the values there; 0 if they differ

	values []any    // of the columns; nil where the catom has no such value
	raw    [][]byte // set where a string is not UTF-8
}

// cell is a value of a module, and the position of its column.
type cell struct {
	value int64
	at    int
}

// location is where a value is, from the beginning of the catom, and the code that decodes it.
type location struct {
	code         *code
	offset, size int64
}

// idLocation is where the id is.
var idLocation = location{code: &code{kind: number, form: model.U32}, size: 4}

// read calls visit with the columns of each catom from one to another.
func (b *body) read(ctx context.Context, columns []catoms.Column, from, to int, visit catoms.Visit) error {
	r := b.row(columns)
	return b.each(ctx, from, to, func(c *decode.Cursor, row int) error {
		r.read(c)
		return visit(row, r.values, r.raw)
	})
}

// row returns a reader of columns, none of which has been read.
func (b *body) row(from []catoms.Column) *row {
	r := &row{b: b, selected: make([][]cell, len(b.modules)), values: make([]any, len(from)),
		raw: make([][]byte, len(from)), locations: make([]location, len(from))}
	for at, f := range from {
		if f.Module < 0 {
			r.ids = append(r.ids, at)
		} else {
			r.selected[f.Module] = append(r.selected[f.Module], cell{f.Value, at})
		}
	}
	for _, cells := range r.selected {
		slices.SortFunc(cells, func(a, b cell) int { return int(a.value - b.value) })
	}
	r.visit = r.state
	return r
}

// read reads the catom that the cursor is on.
func (r *row) read(c *decode.Cursor) {
	size := c.Left()
	if r.size > 0 && size == r.size {
		if b := c.Peek(size); b != nil {
			for at := range r.locations {
				l := &r.locations[at]
				v, raw := l.code.decode(b[l.offset:l.offset+l.size], r.b.bigEndian)
				if r.values[at] = v; raw != nil || r.raw[at] != nil {
					r.raw[at] = raw
				}
			}
			return
		}
	}
	r.start = c.Pos()
	clear(r.values)
	clear(r.raw)
	id, _ := r.b.catom(c, r.visit)
	for _, at := range r.ids {
		r.values[at], r.locations[at] = uint64(id), idLocation
	}
	missing := func(l location) bool { return l.code == nil } // in a file that has changed
	if r.b.uniform() && !slices.ContainsFunc(r.locations, missing) {
		r.size = size
	}
}

// state reads the values that are selected of a module's state.
func (r *row) state(c *decode.Cursor, module int) {
	cells := r.selected[module]
	if len(cells) == 0 {
		return
	}
	r.b.modules[module].template.runs(c, func(run run) {
		for len(cells) > 0 && cells[0].value < run.first+run.count {
			at, k := cells[0].at, cells[0].value-run.first
			offset, size := run.part(k)
			r.locations[at] = location{run.code, c.Pos() - r.start + offset, size}
			r.values[at], r.raw[at] = run.value(c, k, r.b.bigEndian)
			cells = cells[1:]
		}
	})
}
