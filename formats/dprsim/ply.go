package dprsim

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// points calls visit with every catom that has a place.
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
	if !b.Whole { // some catoms may lack their places
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
