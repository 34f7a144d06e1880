package dprsim

import (
	"slices"

	"assay/formats/decode"
	"assay/model"
)

// column is where the cells of a column come from: the id, or a value of a module.
type column struct {
	module int // -1: the catom's id
	value  int64
}

// row reads the same columns of one catom after the other.
type row struct {
	b      *body
	ids    []int    // positions of the columns that show the id
	wanted [][]cell // by module, in the order of the module's values
	visit  visitor  // state
	start  int64    // of the catom

	// locations are where the values are. In most worlds they are the same in all catoms: then only the first catom is
	// read from its beginning, which makes sorting a million three times as fast.
	locations []location
	fixed     bool

	values []any    // of the columns; nil where the catom has no such value
	raw    [][]byte // set where a string is not UTF-8
}

// cell is a value of a module, and the position of its column.
type cell struct {
	value int64
	at    int
}

// location is where a value is: its run, the offset of the run from the beginning of the catom, and its index in the run.
type location struct {
	run    run
	offset int64
	index  int64
}

// idRun is the id as the columns have it.
var idRun = run{code: &code{kind: number, form: model.U32}, count: 1, size: 4}

// row returns a reader of columns, none of which has been read.
func (b *body) row(from []column) *row {
	r := &row{b: b, wanted: make([][]cell, len(b.modules)), values: make([]any, len(from)),
		raw: make([][]byte, len(from)), locations: make([]location, len(from))}
	for at, f := range from {
		if f.module < 0 {
			r.ids = append(r.ids, at)
		} else {
			r.wanted[f.module] = append(r.wanted[f.module], cell{f.value, at})
		}
	}
	for _, cells := range r.wanted {
		slices.SortFunc(cells, func(a, b cell) int { return int(a.value - b.value) })
	}
	r.visit = r.state
	return r
}

// read reads the catom that the cursor is on.
func (r *row) read(c *decode.Cursor) {
	r.start = c.Pos()
	if r.fixed {
		for at := range r.locations {
			r.value(c, at)
		}
		return
	}
	clear(r.values)
	clear(r.raw)
	r.b.catom(c, r.visit)
	for _, at := range r.ids {
		r.locations[at].run = idRun
		c.GoTo(r.start)
		r.value(c, at)
	}
	r.fixed = r.b.uniform()
}

// state reads the values that are wanted of a module's state.
func (r *row) state(c *decode.Cursor, module int) {
	cells := r.wanted[module]
	if len(cells) == 0 {
		return
	}
	r.b.modules[module].template.runs(c, func(run run) {
		offset := c.Pos() - r.start
		for len(cells) > 0 && cells[0].value < run.first+run.count {
			r.locations[cells[0].at] = location{run, offset, cells[0].value - run.first}
			r.value(c, cells[0].at)
			cells = cells[1:]
		}
	})
}

// value reads the value of the column at a position.
func (r *row) value(c *decode.Cursor, at int) {
	p := &r.locations[at]
	c.GoTo(r.start + p.offset)
	v, raw := p.run.value(c, p.index, r.b.bigEndian)
	if r.values[at] = v; raw != nil || r.raw[at] != nil {
		r.raw[at] = raw
	}
}
