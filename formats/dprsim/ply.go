package dprsim

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"assay/formats/decode"
)

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
	w := bufio.NewWriterSize(out, 64<<10)
	g.plyHeader(w, n)
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
