package dprsim

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"math"

	"assay/model"
	"assay/model/scene"
)

// Body is a body of catoms, in the order of the file.
type Body struct {
	List     *model.Node // the list of the catoms
	Count    int
	Whole    bool      // every catom has all values
	Geometry *Geometry // nil if the catoms have no positions

	// Columns returns the columns of the ID and the values of a module, or of all modules with AllModules.
	Columns func(ctx context.Context, module int) []Column
	// Read calls visit with the values of the columns for each catom from one to another. A value that the catom does
	// not have is nil. raw has the bytes of a string that is not UTF-8, else nil. Both are good until the next catom.
	Read func(ctx context.Context, columns []Column, from, to int, visit Visit) error
}

// Visit is called with the values of columns of one catom.
type Visit func(row int, values []any, raw [][]byte) error

// AllModules selects the values of all modules.
const AllModules = -1

// Column is where a catom has a value: in the state of a module.
type Column struct {
	model.Column
	Module int   // of the modules of the file; negative for the catom's ID
	Value  int64 // of the values of the module
}

// ID is the column of the IDs.
var ID = Column{Column: model.Column{Name: "id", Type: "u32", Numeric: true}, Module: -1}

// Geometry locates the position and color of a catom.
type Geometry struct {
	Columns []Column // x y z, then r g b, then a; there may be no color, or no a
	Wide    bool     // positions do not fit a float32 exactly
}

// point returns the position and color of a catom from the values of a geometry's columns: r, g, b, a as stored, or
// opaque white. ok is false if the catom has no position.
func point(values []any) (at [3]float64, color [4]uint8, ok bool) {
	color = [4]uint8{255, 255, 255, 255}
	for i, v := range values {
		f, ok := model.Float(v)
		switch {
		case i < 3 && !ok:
			return at, color, false
		case i < 3:
			at[i] = f
		case ok:
			color[i-3] = uint8(min(max(f, 0), 255))
		}
	}
	return at, color, true
}

// CSV writes the values of a module, or of AllModules, as comma-separated values: a header line, then a line for each
// catom. Absent values are empty. A string that is not UTF-8 is written as 0x and its bytes.
func (b *Body) CSV(module int) func(ctx context.Context, out io.Writer) error {
	return func(ctx context.Context, out io.Writer) error {
		from := b.Columns(ctx, module)
		header := &model.Table{Columns: titles(from)}
		buffer := bufio.NewWriterSize(out, 64<<10)
		w := csv.NewWriter(buffer)
		record := make([]string, len(from))
		for i := range from {
			record[i] = header.Title(i)
		}
		if err := w.Write(record); err != nil {
			return err
		}
		err := b.Read(ctx, from, 0, b.Count, func(_ int, values []any, raw [][]byte) error {
			for i, v := range values {
				record[i] = cellText(v)
				if raw[i] != nil {
					record[i] = "0x" + hex.EncodeToString(raw[i])
				}
			}
			return w.Write(record)
		})
		if err != nil {
			return err
		}
		if w.Flush(); w.Error() != nil {
			return w.Error()
		}
		return buffer.Flush()
	}
}

// cellText returns a value in full, as the table of another program takes it.
func cellText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	if _, ok := v.(model.Blob); ok {
		return ""
	}
	return model.FormatValue(v)
}

// Cubes returns the catoms as cubes of size 1, or nil if there are none or they have no positions. A catom without a
// position is at NaN.
func (b *Body) Cubes() *scene.Points {
	if b.Geometry == nil || b.Count == 0 {
		return nil
	}
	columns := append([]Column{ID}, b.Geometry.Columns...)
	return &scene.Points{Noun: "catom", Count: b.Count, Edge: 1, List: b.List, Read: func(first int, into []scene.Dot) error {
		ctx := context.Background() // scene.Points are read without one
		return b.Read(ctx, columns, first, first+len(into), func(row int, values []any, _ [][]byte) error {
			at, color, ok := point(values[1:])
			d := scene.Dot{ID: uint32(values[0].(uint64)), Color: color}
			for i, v := range at {
				if !ok {
					v = math.NaN()
				}
				d.Position[i] = float32(v)
			}
			into[row-first] = d
			return nil
		})
	}}
}

// points calls visit for every catom that has a position.
func (b *Body) points(ctx context.Context, visit func(at [3]float64, color [4]uint8) error) error {
	return b.Read(ctx, b.Geometry.Columns, 0, b.Count, func(_ int, values []any, _ [][]byte) error {
		at, color, ok := point(values)
		if !ok {
			return nil
		}
		return visit(at, color)
	})
}

// PLY writes the catoms as points in the Polygon File Format (PLY), which viewers of meshes and points read: binary and
// little-endian, in the order of the file. The body must have a Geometry.
func (b *Body) PLY(ctx context.Context, out io.Writer) error {
	n := b.Count
	if !b.Whole { // some catoms may have no position
		n = 0
		if err := b.points(ctx, func([3]float64, [4]uint8) error { n++; return nil }); err != nil {
			return err
		}
	}
	w := bufio.NewWriterSize(out, 64<<10)
	b.Geometry.plyHeader(w, n)
	var record []byte
	err := b.points(ctx, func(at [3]float64, color [4]uint8) error {
		record = record[:0]
		for _, v := range at {
			if b.Geometry.Wide {
				record = binary.LittleEndian.AppendUint64(record, math.Float64bits(v))
			} else {
				record = binary.LittleEndian.AppendUint32(record, math.Float32bits(float32(v)))
			}
		}
		_, err := w.Write(append(record, color[:]...))
		return err
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

// plyHeader writes the header of a PLY of n points.
func (g *Geometry) plyHeader(w io.Writer, n int) {
	place := "float"
	if g.Wide {
		place = "double"
	}
	fmt.Fprintf(w, "ply\nformat binary_little_endian 1.0\ncomment catoms of a DPRSim world\nelement vertex %d\n", n)
	fmt.Fprintf(w, "property %[1]s x\nproperty %[1]s y\nproperty %[1]s z\n", place)
	fmt.Fprint(w, "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\nend_header\n")
}

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

// shown returns the cell for a value: nil for a string of many megabytes.
func shown(v any) any {
	if _, ok := v.(model.Blob); ok {
		return nil
	}
	return v
}
