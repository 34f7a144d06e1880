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
	vertices := cloud{c.points, 4 * c.faces, func(see func(at, normal [3]float32, d *Dot) error) error {
		return c.each(func(d *Dot, side int) error {
			for _, at := range sides[side].corners {
				for i := range at {
					at[i] = d.Position[i] + c.points.Edge*at[i]
				}
				if err := see(at, sides[side].normal, d); err != nil {
					return err
				}
			}
			return nil
		})
	}}
	b.opaque(c.points, c.pale)
	drawn, err := b.cloud(vertices, func(*Dot) {})
	if err != nil {
		return 0, err
	}
	drawn.Attributes["NORMAL"] = b.ofEach(vertices, gltfAccessor{Component: gltfFloat, Type: "VEC3"},
		func(w io.Writer, _, normal [3]float32, _ *Dot) error { return writeFloats(w, normal[:]...) })
	corners := gltfAccessor{Component: gltfInt, Count: 6 * c.faces, Type: "SCALAR"}
	order := b.array(corners, gltfIndices, func(w io.Writer) error {
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
	material := b.matte("cubes", false)
	drawn.Indices, drawn.Material, drawn.Mode = &order, &material, Triangles
	return add(&b.doc.Meshes, gltfMesh{c.points.Name, []gltfPrimitive{drawn}}), nil
}
