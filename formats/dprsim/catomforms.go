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

// point returns the position and color of a catom from the values of a geometry's columns: r, g, b, a limited to 0
// to 255, or opaque white. ok is false if the catom has no position.
func point(values []any) (position [3]float64, color [4]uint8, ok bool) {
	color = [4]uint8{255, 255, 255, 255}
	for i, v := range values {
		f, ok := model.Float(v)
		switch {
		case i < 3 && !ok:
			return position, color, false
		case i < 3:
			position[i] = f
		case ok:
			color[i-3] = uint8(min(max(f, 0), 255))
		}
	}
	return position, color, true
}

// csv returns the function that writes the values of a module, or of allModules, as comma-separated values: a header
// line, then a line for each catom. Absent values and strings of more than maxString bytes are empty. A string that is
// not UTF-8 is written as 0x and its bytes.
func (b *body) csv(module int) func(ctx context.Context, out io.Writer) error {
	return func(ctx context.Context, out io.Writer) error {
		from := b.columns(ctx, module)
		header := &model.Table{Columns: titles(from)}
		w := csv.NewWriter(bufio.NewWriterSize(out, 64<<10)) // whose buffer it uses as its own
		record := make([]string, len(from))
		for i := range from {
			record[i] = header.Title(i)
		}
		if err := w.Write(record); err != nil {
			return err
		}
		err := b.read(ctx, from, 0, b.count(), func(_ int, values []any, raw [][]byte) error {
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
		w.Flush()
		return w.Error()
	}
}

// cellText returns a value as text: "" for one that is absent or longer than maxString.
func cellText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	if _, ok := v.(model.Blob); ok {
		return ""
	}
	return model.FormatValue(v)
}

// cubes returns the catoms as cubes of size 1, or nil if there are none or they have no positions. A catom without a
// position is at NaN.
func (b *body) cubes() *scene.Points {
	if b.geometry == nil || b.count() == 0 {
		return nil
	}
	columns := append([]column{idColumn}, b.geometry.columns...)
	points := &scene.Points{Noun: "catom", Count: b.count(), Edge: 1, List: b.list}
	points.Read = func(first int, into []scene.Dot) error {
		ctx := context.Background() // scene.Points are read without one
		return b.read(ctx, columns, first, first+len(into), func(row int, values []any, _ [][]byte) error {
			position, color, ok := point(values[1:])
			d := scene.Dot{ID: uint32(values[0].(uint64)), Color: color}
			for i, v := range position {
				if !ok {
					v = math.NaN()
				}
				d.Position[i] = float32(v)
			}
			into[row-first] = d
			return nil
		})
	}
	return points
}

// points calls visit for every catom that has a position.
func (b *body) points(ctx context.Context, visit func(position [3]float64, color [4]uint8) error) error {
	return b.read(ctx, b.geometry.columns, 0, b.count(), func(_ int, values []any, _ [][]byte) error {
		position, color, ok := point(values)
		if !ok {
			return nil
		}
		return visit(position, color)
	})
}

// ply writes the catoms as points in the Polygon File Format (PLY), which viewers of meshes and points read: binary and
// little-endian, in the order of the file. b.geometry must not be nil. Catoms without a
// position are left out.
func (b *body) ply(ctx context.Context, out io.Writer) error {
	n := b.count()
	if !b.isClean { // some catoms may have no position
		n = 0
		if err := b.points(ctx, func([3]float64, [4]uint8) error { n++; return nil }); err != nil {
			return err
		}
	}
	w := bufio.NewWriterSize(out, 64<<10)
	b.geometry.plyHeader(w, n)
	var record []byte
	err := b.points(ctx, func(position [3]float64, color [4]uint8) error {
		record = record[:0]
		for _, v := range position {
			if b.geometry.wide {
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
func (g *geometry) plyHeader(w io.Writer, n int) {
	place := "float"
	if g.wide {
		place = "double"
	}
	fmt.Fprintf(w, "ply\nformat binary_little_endian 1.0\ncomment catoms of a DPRSim world\nelement vertex %d\n", n)
	fmt.Fprintf(w, "property %[1]s x\nproperty %[1]s y\nproperty %[1]s z\n", place)
	fmt.Fprint(w, "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\nend_header\n")
}

// table returns the catoms as a table: the fields of all modules.
func (b *body) table(ctx context.Context) *model.Table {
	from := b.columns(ctx, allModules)
	t := &model.Table{Columns: titles(from), Rows: int64(b.count())}
	t.Cell = func(row int64, col int) (cell any) {
		if row < 0 || row >= t.Rows {
			return nil
		}
		first := func(_ int, values []any, _ [][]byte) error {
			cell = cellValue(values[0])
			return nil
		}
		// A cell that cannot be read is empty; it is read without a context.
		_ = b.read(context.Background(), from[col:col+1], int(row), int(row)+1, first)
		return cell
	}
	t.Scan = func(ctx context.Context, columns []int, each func(row int64, values []any) error) error {
		selected := make([]column, len(columns))
		for i, col := range columns {
			selected[i] = from[col]
		}
		return b.read(ctx, selected, 0, b.count(), func(row int, values []any, _ [][]byte) error {
			for i, v := range values {
				values[i] = cellValue(v)
			}
			return each(int64(row), values)
		})
	}
	t.Path = func(row int64) model.Path { return append(b.list.Path(), int(row)) }
	return t
}

// titles returns columns as a table has them.
func titles(from []column) []model.Column {
	columns := make([]model.Column, len(from))
	for i, c := range from {
		columns[i] = c.Column
	}
	return columns
}

// cellValue returns the cell for a value: nil for a string of many megabytes.
func cellValue(v any) any {
	if _, ok := v.(model.Blob); ok {
		return nil
	}
	return v
}
