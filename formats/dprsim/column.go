package dprsim

import (
	"cmp"
	"context"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

// visitRow is called with the values of columns of one catom: nil for an absent value, and in raw the bytes of a string
// that is not UTF-8. Both are valid until the next catom.
type visitRow func(row int, values []any, raw [][]byte) error

// allModules selects the values of all modules.
const allModules = -1

// column is where a catom has a value: in the state of a module.
type column struct {
	model.Column
	module int   // index among the modules of the file, or noModule
	value  int64 // index among the values of the module
}

// noModule is the module of the catom's ID.
const noModule = -1

var idColumn = column{Column: model.Column{Name: "id", Type: "u32", Numeric: true}, module: noModule}

// geometry locates the position and color of a catom.
type geometry struct {
	columns []column // x y z, then r g b, then a; there may be no color, or no a
	wide    bool     // positions do not fit a float32 exactly
}

// maxColumns bounds the columns of a table: a template can have a thousand million values.
const maxColumns = 1024

// firstCatoms is the number of catoms that are examined for the columns of a variable number of values.
const firstCatoms = 64

// columns returns the columns of the ID and the values of a module, or of allModules.
func (b *body) columns(ctx context.Context, module int) []column {
	columns := []column{idColumn}
	for i, m := range b.modules {
		if module >= 0 && i != module || len(columns) >= maxColumns {
			continue
		}
		value := int64(0)
		for k := range m.template.codes {
			code := &m.template.codes[k]
			count := code.values()
			if count == repeatToEnd { // enough for the longest of the first catoms and for all names
				count = max(b.mostValues(ctx, i)-value, int64(len(m.names))-value, 0)
			}
			for ; count > 0 && len(columns) < maxColumns; count-- {
				columns = append(columns, column{module: i, value: value, Column: model.Column{Name: m.valueName(value),
					Group: m.key, Type: code.typ, Numeric: code.kind != text}})
				value++
			}
		}
	}
	return columns
}

// mostValues returns the highest number of values of a module in the first catoms.
func (b *body) mostValues(ctx context.Context, module int) (most int64) {
	b.visitFirst(ctx, firstCatoms, func(c *decode.Cursor, i int) {
		if i == module {
			b.modules[i].template.runs(c, func(r run) { most = max(most, r.first+r.count) })
		}
	})
	return most
}

// findGeometry returns the columns of position and color in module _sim, or nil if the world has no positions.
func (b *body) findGeometry() *geometry {
	index := slices.IndexFunc(b.modules, func(m *module) bool { return m.name == simulator && m.isComplete })
	if index < 0 {
		return nil
	}
	sim, found := b.modules[index], new(geometry)
	for k, name := range []string{"x", "y", "z", "r", "g", "b", "a"} {
		var code *code
		value := int64(slices.Index(sim.names, name))
		if value >= 0 {
			code = sim.template.codeOf(value)
		}
		switch {
		case code != nil:
			found.columns = append(found.columns, column{module: index, value: value})
			found.wide = found.wide || k < 3 && !code.fitsFloat32()
		case k < 3:
			return nil
		case k < 6: // there is no color without all of r, g, b
			found.columns = found.columns[:3]
			return found
		}
	}
	return found
}

// rowReader reads the same columns of catom after catom: a row of a table each.
type rowReader struct {
	b        *body
	cells    []rowCell // of the columns, in the order of the modules and of their values; IDs first
	visit    visitor   // moduleState
	nextCell int       // the first of the cells that the catom's next state may have
	start    int64     // of the catom

	// In most worlds a value has the same offset in all catoms. Then only the first catom is read from its beginning,
	// which makes sorting a million catoms three times as fast.
	//
	// size is the size of the catom whose offsets the cells have: 0 until one was read, and if the catoms of the body
	// are not uniform.
	size int64

	values []any    // of the columns; nil if the catom has no such value
	raw    [][]byte // set where a string is not UTF-8
}

// rowCell is the value of a column in the catom that was read last.
type rowCell struct {
	column
	index        int   // of the column
	code         *code // its code; nil until it is found
	offset, size int64 // from the beginning of the catom
}

// idCode decodes the ID at the beginning of a catom.
var idCode = &code{kind: number, form: model.U32}

// read calls visit with the columns of each catom from one to another.
func (b *body) read(ctx context.Context, columns []column, from, to int, visit visitRow) error {
	r := b.rowReader(columns)
	return b.visitCatoms(ctx, from, to, func(c *decode.Cursor, row int) error {
		r.read(c)
		return visit(row, r.values, r.raw)
	})
}

func (b *body) rowReader(columns []column) *rowReader {
	r := &rowReader{b: b, values: make([]any, len(columns)), raw: make([][]byte, len(columns))}
	for index, col := range columns {
		r.cells = append(r.cells, rowCell{column: col, index: index})
	}
	slices.SortFunc(r.cells, func(a, b rowCell) int {
		return cmp.Or(cmp.Compare(a.module, b.module), cmp.Compare(a.value, b.value))
	})
	r.visit = r.moduleState
	return r
}

// read reads the catom that the cursor is on.
func (r *rowReader) read(c *decode.Cursor) {
	size := c.Remaining()
	if r.size > 0 && size == r.size {
		if data := c.Peek(size); data != nil {
			for i := range r.cells {
				cell := &r.cells[i]
				v, raw := cell.code.decode(data[cell.offset:cell.offset+cell.size], r.b.bigEndian)
				if r.values[cell.index] = v; raw != nil || r.raw[cell.index] != nil {
					r.raw[cell.index] = raw
				}
			}
			return
		}
	}
	r.start, r.nextCell = c.Pos(), 0
	clear(r.values)
	clear(r.raw)
	id, _ := r.b.catom(c, r.visit)
	for i := range r.cells {
		cell := &r.cells[i]
		if cell.module != noModule {
			break
		}
		r.values[cell.index], cell.code, cell.size = uint64(id), idCode, idCode.size()
	}
	missing := func(cell rowCell) bool { return cell.code == nil } // in a file that has changed
	if r.b.uniform() && !slices.ContainsFunc(r.cells, missing) {
		r.size = size
	}
}

// moduleState reads the values of a module's state that have cells.
func (r *rowReader) moduleState(c *decode.Cursor, module int) {
	for r.nextCell < len(r.cells) && r.cells[r.nextCell].module < module {
		r.nextCell++
	}
	if r.nextCell == len(r.cells) || r.cells[r.nextCell].module > module {
		return
	}
	r.b.modules[module].template.runs(c, func(run run) {
		for ; r.nextCell < len(r.cells); r.nextCell++ {
			cell := &r.cells[r.nextCell]
			if cell.module > module || cell.value >= run.first+run.count {
				break
			}
			i := cell.value - run.first
			offset, size := run.location(i)
			cell.code, cell.offset, cell.size = run.code, c.Pos()-r.start+offset, size
			r.values[cell.index], r.raw[cell.index] = run.value(c, i, r.b.bigEndian)
		}
	})
}
