package dprsim

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

// geometry is where the module _sim keeps a catom's place and color: x y z, then r g b, then a.
type geometry struct {
	columns []column
	wide    bool // places do not fit a float32 exactly
}

// geometry returns nil if the world has no module _sim with places.
func (b *body) geometry() *geometry {
	i := slices.IndexFunc(b.modules, func(m *Module) bool { return m.Name == simulator && m.whole })
	if i < 0 {
		return nil
	}
	m, g := b.modules[i], new(geometry)
	for k, name := range []string{"x", "y", "z", "r", "g", "b", "a"} {
		value := int64(slices.Index(m.names, name))
		switch {
		case value >= 0 && value < m.template.values:
			g.columns = append(g.columns, column{i, value})
			g.wide = g.wide || k < 3 && !m.template.fitsFloat32(value)
		case k < 3:
			return nil
		case k < 6: // there is no color without all of r, g, b
			g.columns = g.columns[:3]
			return g
		}
	}
	return g
}

// fitsFloat32 reports whether a float32 holds each number that the i-th value may be.
func (t *template) fitsFloat32(i int64) bool {
	for k := range t.codes {
		c := &t.codes[k]
		n := c.values()
		if i < n || n == toTheEnd {
			return c.kind != number || c.form.Size() <= 2 || c.form == model.F32
		}
		i -= n
	}
	return true
}

// point returns a catom's place and color from the values of a geometry's columns: r, g, b, a as they are in the file,
// white and solid where a world has none. ok is false if the catom has no place.
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

// points calls visit with every catom that has a place.
func (b *body) points(ctx context.Context, g *geometry, visit func(at [3]float64, color [4]uint8) error) error {
	r := b.row(g.columns)
	return b.each(ctx, 0, b.count(), func(c *decode.Cursor, _ int) error {
		r.read(c)
		at, color, ok := point(r.values)
		if !ok {
			return nil
		}
		return visit(at, color)
	})
}

// ply writes the catoms as points in the Polygon File Format (PLY), which viewers of meshes and points read: binary and
// little-endian, in the order of the file.
func (b *body) ply(ctx context.Context, out io.Writer) error {
	g := b.geometry()
	if g == nil {
		return fmt.Errorf("the world has no module _sim that says where its catoms are")
	}
	n := b.count()
	if !b.clean { // some catoms may lack their places
		n = 0
		if err := b.points(ctx, g, func([3]float64, [4]uint8) error { n++; return nil }); err != nil {
			return err
		}
	}
	place := "float"
	if g.wide {
		place = "double"
	}
	w := bufio.NewWriterSize(out, 64<<10)
	fmt.Fprintf(w, "ply\nformat binary_little_endian 1.0\ncomment catoms of a DPRSim world\nelement vertex %d\n", n)
	fmt.Fprintf(w, "property %[1]s x\nproperty %[1]s y\nproperty %[1]s z\n", place)
	fmt.Fprint(w, "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\nend_header\n")
	var record []byte
	err := b.points(ctx, g, func(at [3]float64, color [4]uint8) error {
		record = record[:0]
		for _, v := range at {
			if g.wide {
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
