package scene

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
)

// WritePLY writes the meshes and points of the scene, as they stand in it, in the Polygon File Format, as text or
// binary (little-endian). It says what PLY has no place for.
func (s *Scene) WritePLY(ctx context.Context, out io.Writer, text bool) ([]string, error) {
	p := &plyWriter{w: bufio.NewWriterSize(out, 64<<10), text: text}
	r := newReport()
	s.lacking(r)
	if err := s.plyHead(ctx, p, r); err != nil {
		return nil, err
	}
	r.quiet = true // all was said when it was counted
	if err := s.plyVertices(ctx, p, r); err != nil {
		return nil, err
	}
	first := uint32(0)
	err := s.shapes(ctx, r, func(sh *shape) error {
		err := sh.eachTriangle(func(a, b, c uint32) { p.face(first+a, first+b, first+c) })
		first += uint32(len(sh.positions))
		return err
	})
	if err != nil {
		return nil, err
	}
	return r.lines(), p.w.Flush()
}

// plyHead counts, and writes the header: it tells the numbers of all vertices and faces.
func (s *Scene) plyHead(ctx context.Context, p *plyWriter, r *report) error {
	vertices, faces := 0, 0
	err := s.shapes(ctx, r, func(sh *shape) error {
		vertices += len(sh.positions)
		p.normals = p.normals || sh.normals != nil
		p.colors = p.colors || sh.colors != nil
		for _, part := range sh.node.Mesh.Parts {
			if part.Primitive == Lines || part.Primitive == LineStrip || part.Primitive == LineLoop {
				r.add("lines are left out", sh.node.Mesh.Name)
			}
		}
		return sh.eachTriangle(func(_, _, _ uint32) { faces++ })
	})
	if err != nil {
		return err
	}
	s.Walk(func(n *Node, _ Matrix) {
		if n.Points != nil {
			vertices += n.Points.Count
			p.colors = true
		}
		if n.Mesh != nil && len(n.Mesh.sets()[TexCoord]) > 0 {
			r.add("texture coordinates are left out", n.Mesh.Name)
		}
	})
	for _, name := range s.materials() {
		r.add("materials are left out", name)
	}
	if vertices > math.MaxInt32 {
		return fmt.Errorf("ply: %d vertices, faces can name %d", vertices, math.MaxInt32)
	}
	form := "binary_little_endian"
	if p.text {
		form = "ascii"
	}
	fmt.Fprintf(p.w, "ply\nformat %s 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n", form, vertices)
	if p.normals {
		_, _ = p.w.WriteString("property float nx\nproperty float ny\nproperty float nz\n")
	}
	if p.colors {
		_, _ = p.w.WriteString("property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n")
	}
	if faces > 0 {
		fmt.Fprintf(p.w, "element face %d\nproperty list uchar int vertex_indices\n", faces)
	}
	_, _ = p.w.WriteString("end_header\n")
	return nil
}

// plyVertices writes all vertices, those of meshes first.
func (s *Scene) plyVertices(ctx context.Context, p *plyWriter, r *report) error {
	white := [4]uint8{255, 255, 255, 255}
	err := s.shapes(ctx, r, func(sh *shape) error {
		for i, position := range sh.positions {
			var normal [3]float32
			color := white
			if sh.normals != nil {
				normal = sh.normals[i]
			}
			if sh.colors != nil {
				color = sh.colors[i]
			}
			p.vertex(position, normal, color)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.clouds(ctx, func(_ *Node, _ Matrix, d *Dot) error {
		p.vertex(d.Position, [3]float32{}, d.Color)
		return nil
	})
}

// eachTriangle gives the triangles of all parts.
func (sh *shape) eachTriangle(give func(a, b, c uint32)) error {
	for _, part := range sh.node.Mesh.Parts {
		idx, err := part.readIndices(sh.node.Mesh)
		if err != nil {
			return err
		}
		sh.triangles(part, idx, give)
	}
	return nil
}

type plyWriter struct {
	w               *bufio.Writer
	text            bool
	normals, colors bool
	buf             []byte
}

func (p *plyWriter) float(v [3]float32) {
	for _, f := range v {
		if p.text {
			p.buf = append(strconv.AppendFloat(p.buf, float64(f), 'g', -1, 32), ' ')
		} else {
			p.buf = binary.LittleEndian.AppendUint32(p.buf, math.Float32bits(f))
		}
	}
}

func (p *plyWriter) vertex(position, normal [3]float32, color [4]uint8) {
	p.buf = p.buf[:0]
	p.float(position)
	if p.normals {
		p.float(normal)
	}
	if p.colors {
		for _, c := range color {
			if p.text {
				p.buf = append(strconv.AppendInt(p.buf, int64(c), 10), ' ')
			} else {
				p.buf = append(p.buf, c)
			}
		}
	}
	p.end()
}

func (p *plyWriter) face(a, b, c uint32) {
	if p.text {
		fmt.Fprintf(p.w, "3 %d %d %d\n", a, b, c)
		return
	}
	p.buf = append(p.buf[:0], 3)
	for _, i := range [...]uint32{a, b, c} {
		p.buf = binary.LittleEndian.AppendUint32(p.buf, i)
	}
	p.end()
}

func (p *plyWriter) end() {
	if p.text {
		p.buf[len(p.buf)-1] = '\n'
	}
	_, _ = p.w.Write(p.buf) // errors stick until Flush
}
