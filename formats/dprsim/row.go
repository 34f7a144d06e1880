package dprsim

import (
	"cmp"
	"context"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

// rowReader reads the same columns of one catom after the other: a row of a table each.
type rowReader struct {
	b     *body
	cells []cell  // of the columns, in the order of the modules and of their values; ids come first
	visit visitor // moduleState
	next  int     // the first of the cells that the catom's next state may have
	start int64   // of the catom

	// In most worlds a value is at the same place in all catoms: then only the first catom is read from its beginning,
	// which makes sorting a million three times as fast.
	size int64 // of the catoms that have the values where the cells say; 0 if they differ

	values []any    // of the columns; nil where the catom has no such value
	raw    [][]byte // set where a string is not UTF-8
}

// cell is the value of a column in the catom that was read last.
type cell struct {
	Column
	at           int   // of the column
	code         *code // that decodes it; nil before it is found
	offset, size int64 // from the beginning of the catom
}

// idCode decodes the id, which a catom begins with.
var idCode = &code{kind: number, form: model.U32}

// read calls visit with the columns of each catom from one to another.
func (b *body) read(ctx context.Context, columns []Column, from, to int, visit Visit) error {
	r := b.rowReader(columns)
	return b.each(ctx, from, to, func(c *decode.Cursor, row int) error {
		r.read(c)
		return visit(row, r.values, r.raw)
	})
}

// rowReader returns a reader of columns, none of which has been read.
func (b *body) rowReader(columns []Column) *rowReader {
	r := &rowReader{b: b, values: make([]any, len(columns)), raw: make([][]byte, len(columns))}
	for at, column := range columns {
		r.cells = append(r.cells, cell{Column: column, at: at})
	}
	slices.SortFunc(r.cells, func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.Value, b.Value))
	})
	r.visit = r.moduleState
	return r
}

// read reads the catom that the cursor is on.
func (r *rowReader) read(c *decode.Cursor) {
	size := c.Left()
	if r.size > 0 && size == r.size {
		if b := c.Peek(size); b != nil {
			for i := range r.cells {
				l := &r.cells[i]
				v, raw := l.code.decode(b[l.offset:l.offset+l.size], r.b.bigEndian)
				if r.values[l.at] = v; raw != nil || r.raw[l.at] != nil {
					r.raw[l.at] = raw
				}
			}
			return
		}
	}
	r.start, r.next = c.Pos(), 0
	clear(r.values)
	clear(r.raw)
	id, _ := r.b.catom(c, r.visit)
	for i := range r.cells {
		l := &r.cells[i]
		if l.Module >= 0 {
			break
		}
		r.values[l.at], l.code, l.size = uint64(id), idCode, idCode.size()
	}
	missing := func(l cell) bool { return l.code == nil } // in a file that has changed
	if r.b.uniform() && !slices.ContainsFunc(r.cells, missing) {
		r.size = size
	}
}

// moduleState reads the values of a module's state that have cells.
func (r *rowReader) moduleState(c *decode.Cursor, module int) {
	for r.next < len(r.cells) && r.cells[r.next].Module < module {
		r.next++
	}
	if r.next == len(r.cells) || r.cells[r.next].Module > module {
		return
	}
	r.b.modules[module].template.runs(c, func(run run) {
		for ; r.next < len(r.cells); r.next++ {
			l := &r.cells[r.next]
			if l.Module > module || l.Value >= run.first+run.count {
				break
			}
			k := l.Value - run.first
			offset, size := run.part(k)
			l.code, l.offset, l.size = run.code, c.Pos()-r.start+offset, size
			r.values[l.at], r.raw[l.at] = run.value(c, k, r.b.bigEndian)
		}
	})
}
