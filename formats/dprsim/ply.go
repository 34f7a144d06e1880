package dprsim

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"assay/formats/decode"
	"assay/model"
)

// geometry is where the module _sim keeps a catom's place and colour: x y z, then r g b a if there are colours.
type geometry struct {
	columns []column
	wide    bool // places do not fit a float32 exactly
}

// geometry returns nil if the world has no module _sim with places.
func (b *body) geometry() *geometry {
	for i, m := range b.modules {
		if m.Name != simulator || !m.read {
			continue
		}
		g := new(geometry)
		for _, name := range []string{"x", "y", "z", "r", "g", "b", "a"} {
			v, ok := m.value(name)
			if !ok || v >= m.template.values {
				if len(g.columns) < 3 {
					return nil
				}
				if name != "a" {
					g.columns = g.columns[:3]
					return g
				}
				continue
			}
			g.columns = append(g.columns, column{i, v})
			g.wide = g.wide || len(g.columns) <= 3 && m.template.wide(v)
		}
		return g
	}
	return nil
}

// wide reports whether the i-th value may be a number that a float32 does not hold.
func (t *template) wide(i int64) bool {
	at := int64(0)
	for _, c := range t.codes {
		n := c.count
		switch c.kind {
		case skip:
			continue
		case text:
			n = 1
		case letter, number:
			if n == toTheEnd {
				n = i - at + 1
			}
		}
		if i < at+n {
			return c.kind == number && c.form.Size() > 2 && c.form != model.F32
		}
		at += n
	}
	return false
}

// point reads a catom of which the cells are the place and the colour: r, g, b, a as they are in the file, white and
// solid where a world has none. ok is false if the catom has no place.
func (c *cells) point(e *decode.Cursor) (at [3]float64, colour [4]uint8, ok bool) {
	colour = [4]uint8{255, 255, 255, 255}
	for i := range c.from {
		v, _ := c.value(e, i)
		f, ok := model.Float(v)
		switch {
		case i < 3 && !ok:
			return at, colour, false
		case i < 3:
			at[i] = f
		case ok:
			colour[i-3] = uint8(min(max(f, 0), 255))
		}
	}
	return at, colour, true
}

// points calls visit with every catom that has a place.
func (b *body) points(ctx context.Context, g *geometry, visit func(at [3]float64, colour [4]uint8) error) error {
	c := b.cells(g.columns)
	return b.each(ctx, 0, b.count(), func(e *decode.Cursor, _ int) error {
		c.catom(e)
		at, colour, ok := c.point(e)
		if !ok {
			return nil
		}
		return visit(at, colour)
	})
}

// ply writes the catoms as points in the Polygon File Format, binary and little-endian, in the order of the file.
func (b *body) ply(ctx context.Context, out io.Writer) error {
	g := b.geometry()
	if g == nil {
		return fmt.Errorf("the world has no module _sim that says where its catoms are")
	}
	n := b.count()
	if !b.regular { // some catoms may lack their places
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
	err := b.points(ctx, g, func(at [3]float64, colour [4]uint8) error {
		record = record[:0]
		for _, v := range at {
			if g.wide {
				record = binary.LittleEndian.AppendUint64(record, math.Float64bits(v))
			} else {
				record = binary.LittleEndian.AppendUint32(record, math.Float32bits(float32(v)))
			}
		}
		_, err := w.Write(append(record, colour[:]...))
		return err
	})
	if err != nil {
		return err
	}
	return w.Flush()
}
