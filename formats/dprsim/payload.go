package dprsim

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"assay/formats/decode"
	"assay/model"
	"assay/model/scene"
)

// tables returns the table of each body's catoms.
func (r *chunkReader) tables() (tables []model.TableSource) {
	for i, b := range r.bodies {
		name := "Catoms"
		if len(r.bodies) > 1 {
			name = fmt.Sprintf("Catoms of body %d", i+1)
		}
		tables = append(tables, model.TableSource{Name: name, Open: func(ctx context.Context) (*model.Table, error) {
			return b.table(ctx), ctx.Err()
		}})
	}
	return tables
}

// payloads are of each body the world as a table and as points, and each module's table.
type payloads struct {
	r      *chunkReader
	bodies []namedBody
}

// namedBody is a body with catoms, and the name of its files without extension.
type namedBody struct {
	*body
	name string
}

func (r *chunkReader) payloads(src *model.Source) model.Payloads {
	p := &payloads{r: r}
	for i, b := range r.bodies {
		if b.count() == 0 {
			continue
		}
		name := src.Stem()
		if len(r.bodies) > 1 {
			name += fmt.Sprintf(".body%d", i+1)
		}
		p.bodies = append(p.bodies, namedBody{b, name})
	}
	if len(p.bodies) == 0 {
		return nil
	}
	return p
}

func (p *payloads) Len() int { return len(p.bodies) * (1 + len(p.r.modules)) }

// At returns a body's world, or after it the table of a module.
func (p *payloads) At(i int) *model.Payload {
	perBody := 1 + len(p.r.modules)
	b, k := p.bodies[i/perBody], i%perBody-1 // the first k is allModules
	form := model.Form{Name: "csv", Extension: ".csv", MediaType: "text/csv", Write: b.csv(k)}
	out := &model.Payload{MediaType: form.MediaType, Size: -1, Stored: b.list.Span, Open: model.OpenPipe(form.Write),
		Forms: []model.Form{form}}
	if k >= 0 {
		key := p.r.modules[k].key
		out.Key, out.Name, out.Type, out.Node = key, b.name+"."+key+form.Extension, "Module", p.r.listingOf(k)
		return out
	}
	out.Name, out.Type, out.Node = b.name+form.Extension, "World", b.list
	if b.geometry != nil {
		out.Forms = append(out.Forms, model.Form{Name: "ply", Extension: ".ply", MediaType: "model/ply", Write: b.ply},
			scene.GLBForm("glb", func(context.Context) *scene.Scene { return world(b.body) }, scene.GLBOptions{}))
	}
	return out
}

// payloads returns the experiment as JSON; nothing if it is empty.
func (x *experiment) payloads(root *model.Node) model.Payloads {
	if x.c.Source().Size() == 0 {
		return nil
	}
	return model.PayloadList{{
		Name: x.c.Source().Stem() + ".json", Type: "Experiment", MediaType: "application/json", Node: root, Size: -1,
		Stored: root.Span, Open: model.OpenPipe(x.json),
		Forms: []model.Form{{Name: "json", Extension: ".json", MediaType: "application/json", Write: x.json}},
	}}
}

type entryJSON struct {
	Key    string  `json:"key"`
	Value  string  `json:"value"`
	Object *object `json:"object,omitempty"`
}

// json writes entries, comments and lines that are neither, each in the order of the file.
func (x *experiment) json(ctx context.Context, out io.Writer) error {
	w := bufio.NewWriterSize(out, 64<<10)
	text := func(kind lineKind) func(i int) any {
		return func(i int) any {
			l := x.lineAt(kind, i)
			return decode.ValidUTF8(x.text[l.from:l.end])
		}
	}
	err := errors.Join(
		writeLines(ctx, w, "{\n\"entries\": [", len(x.starts[entryLine]), x.marshalEntry),
		writeLines(ctx, w, "],\n\"comments\": [", len(x.starts[commentLine]), text(commentLine)),
		writeLines(ctx, w, "],\n\"unparsed\": [", len(x.starts[otherLine]), text(otherLine)))
	if err != nil {
		return err
	}
	w.WriteString("]\n}\n")
	return w.Flush()
}

// marshalEntry returns the i-th entry for JSON.
func (x *experiment) marshalEntry(i int) any {
	key, value := x.entry(i)
	e := entryJSON{Key: decode.ValidUTF8(key), Value: decode.ValidUTF8(value)}
	if key == objectKey {
		e.Object = x.objectAt(i)
	}
	return e
}

// writeLines writes n lines as the elements of a list that begins with a text.
func writeLines(ctx context.Context, w *bufio.Writer, before string, n int, line func(i int) any) error {
	w.WriteString(before)
	for i := range n {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		b, err := json.Marshal(line(i))
		if err != nil {
			return err
		}
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteByte('\n')
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

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
		columns := b.columns(ctx, module)
		header := &model.Table{Columns: titles(columns)}
		w := csv.NewWriter(bufio.NewWriterSize(out, 64<<10)) // whose buffer it uses as its own
		record := make([]string, len(columns))
		for i := range columns {
			record[i] = header.Title(i)
		}
		if err := w.Write(record); err != nil {
			return err
		}
		err := b.read(ctx, columns, 0, b.count(), func(_ int, values []any, raw [][]byte) error {
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
// little-endian, in the order of the file. b.geometry must not be nil. Catoms without a position are left out.
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
	coordinate := "float"
	if g.wide {
		coordinate = "double"
	}
	fmt.Fprintf(w, "ply\nformat binary_little_endian 1.0\ncomment catoms of a DPRSim world\nelement vertex %d\n", n)
	fmt.Fprintf(w, "property %[1]s x\nproperty %[1]s y\nproperty %[1]s z\n", coordinate)
	fmt.Fprint(w, "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\nend_header\n")
}

// table returns the catoms as a table: the fields of all modules.
func (b *body) table(ctx context.Context) *model.Table {
	all := b.columns(ctx, allModules)
	t := &model.Table{Columns: titles(all), Rows: int64(b.count())}
	t.Cell = func(row int64, col int) (cell any) {
		if row < 0 || row >= t.Rows {
			return nil
		}
		first := func(_ int, values []any, _ [][]byte) error {
			cell = cellValue(values[0])
			return nil
		}
		// A cell that cannot be read is empty; it is read without a context.
		_ = b.read(context.Background(), all[col:col+1], int(row), int(row)+1, first)
		return cell
	}
	t.Scan = func(ctx context.Context, columns []int, each func(row int64, values []any) error) error {
		selected := make([]column, len(columns))
		for i, col := range columns {
			selected[i] = all[col]
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
func titles(columns []column) []model.Column {
	titles := make([]model.Column, len(columns))
	for i, c := range columns {
		titles[i] = c.Column
	}
	return titles
}

// cellValue returns the cell for a value: nil for a string longer than maxString.
func cellValue(v any) any {
	if _, ok := v.(model.Blob); ok {
		return nil
	}
	return v
}
