package scene

import (
	"encoding/binary"
	"io"
	"math"
)

const (
	cubesMost = 2 << 20 // cubes that are written as such
	facesMost = 4 << 20 // of their sides
)

// cell is where a cube is, in edges.
type cell [3]int32

// cubes is a cloud of cubes whose sides are written, but for those that two of them share: most of a full block.
type cubes struct {
	points *Points
	at     map[cell][3]float32
	faces  int
	pale   int // cubes with an alpha
}

// sides are those of a cube, in all directions: the corners of each go round it as seen from outside.
var sides = func() (all [6]struct {
	normal  [3]float32
	corners [4][3]float32
}) {
	for i := range all {
		axis, sign := i/2, float32(1-2*(i%2))
		all[i].normal[axis] = sign
		for k, uv := range [4][2]float32{{-.5, -.5}, {.5, -.5}, {.5, .5}, {-.5, .5}} {
			c := &all[i].corners[k]
			c[axis] = sign * .5
			c[(axis+1)%3], c[(axis+2)%3] = uv[0]*sign, uv[1]
		}
	}
	return all
}()

// newCubes reads where the cubes are and counts the sides that are seen; nil if there are too many to be written, or
// none has a place.
func (b *glb) newCubes(p *Points) (*cubes, error) {
	if p.Count > cubesMost || !finite(p.Edge) {
		return nil, nil
	}
	c := &cubes{points: p, at: make(map[cell][3]float32, p.Count)}
	if err := p.Each(func(d *Dot) error {
		if k, ok := c.cell(d); ok {
			c.at[k] = d.Position
		}
		if d.Color[3] != 255 {
			c.pale++
		}
		return b.ctx.Err()
	}); err != nil {
		return nil, err
	}
	err := c.each(func(*Dot, int) error { c.faces++; return b.ctx.Err() })
	if err != nil || c.faces == 0 || c.faces > facesMost {
		return nil, err
	}
	return c, nil
}

// cell returns the cell of a cube; ok is false if it has no place.
func (c *cubes) cell(d *Dot) (k cell, ok bool) {
	for i, v := range d.Position {
		r := math.Round(float64(v) / float64(c.points.Edge))
		if !(math.Abs(r) < math.MaxInt32-1) {
			return k, false
		}
		k[i] = int32(r)
	}
	return k, true
}

// each visits the sides that are not those of another cube too.
func (c *cubes) each(see func(d *Dot, side int) error) error {
	return c.points.Each(func(d *Dot) error {
		k, ok := c.cell(d)
		if !ok {
			return nil
		}
		for i := range sides {
			if c.shared(d, k, i) {
				continue
			}
			if err := see(d, i); err != nil {
				return err
			}
		}
		return nil
	})
}

// shared reports whether a cube stands exactly at a side of another.
func (c *cubes) shared(d *Dot, k cell, side int) bool {
	for i, n := range sides[side].normal {
		k[i] += int32(n)
	}
	at, ok := c.at[k]
	if !ok {
		return false
	}
	for i, n := range sides[side].normal {
		if math.Abs(float64(at[i]-d.Position[i]-n*c.points.Edge)) > 1e-3*float64(c.points.Edge) {
			return false
		}
	}
	return true
}

// cubes writes the sides of cubes as one mesh, and returns its number.
func (b *glb) cubes(c *cubes) (int, error) {
	b.opaque(c.points, c.pale)
	e := c.points.Edge
	low, high := [3]float32{}, [3]float32{}
	corner := func(d *Dot, side, k int) (at [3]float32) {
		for i := range at {
			at[i] = d.Position[i] + e*sides[side].corners[k][i]
		}
		return at
	}
	first := true
	if err := c.each(func(d *Dot, side int) error {
		for k := range 4 {
			for i, v := range corner(d, side, k) {
				if first || v < low[i] {
					low[i] = v
				}
				if first || v > high[i] {
					high[i] = v
				}
			}
			first = false
		}
		return nil
	}); err != nil {
		return 0, err
	}
	count := 4 * c.faces
	corners := func(each int64, write func(w io.Writer, d *Dot, side, k int) error) int {
		return b.view(each*int64(count), gltfVertices, func(w io.Writer) error {
			return c.each(func(d *Dot, side int) error {
				for k := range 4 {
					if err := write(w, d, side, k); err != nil {
						return err
					}
				}
				return b.ctx.Err()
			})
		})
	}
	positions := corners(12, func(w io.Writer, d *Dot, side, k int) error {
		at := corner(d, side, k)
		return writeFloats(w, at[:]...)
	})
	normals := corners(12, func(w io.Writer, _ *Dot, side, _ int) error {
		return writeFloats(w,
			sides[side].normal[:]...)
	})
	colors := corners(8, func(w io.Writer, d *Dot, _, _ int) error { return d.writeColor(w) })
	indices := b.view(24*int64(c.faces), gltfIndices, func(w io.Writer) error {
		for i := range uint32(c.faces) {
			var quad [24]byte
			for k, corner := range [6]uint32{0, 1, 2, 0, 2, 3} {
				binary.LittleEndian.PutUint32(quad[4*k:], 4*i+corner)
			}
			if _, err := w.Write(quad[:]); err != nil {
				return err
			}
		}
		return nil
	})
	order := b.accessor(gltfAccessor{View: indices, Component: gltfInt, Count: 6 * c.faces, Type: "SCALAR"})
	attributes := map[string]int{
		"POSITION": b.accessor(gltfAccessor{View: positions, Component: gltfFloat, Count: count, Type: "VEC3",
			Min: exact(low[:]), Max: exact(high[:])}),
		"NORMAL": b.accessor(gltfAccessor{View: normals, Component: gltfFloat, Count: count, Type: "VEC3"}),
		"COLOR_0": b.accessor(gltfAccessor{View: colors, Component: gltfShort, Normalized: true, Count: count,
			Type: "VEC4"}),
	}
	sides := b.matte("cubes", false)
	b.doc.Meshes = append(b.doc.Meshes, gltfMesh{c.points.Name, []gltfPrimitive{{Attributes: attributes,
		Indices: &order, Material: &sides, Mode: Triangles}}})
	return len(b.doc.Meshes) - 1, nil
}
