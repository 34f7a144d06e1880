package scene

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

const dotBlock = 4096

// addPoints writes a cloud of dots, or of cubes if they have an edge. It reads dots three times, in blocks of a few
// thousand.
func (b *glb) addPoints(p *Points) (int, error) {
	if p.Edge > 0 {
		c, err := b.newCubes(p)
		if err != nil {
			return 0, err
		}
		if c != nil {
			return b.addCubes(c)
		}
		b.report.add("clouds with too many cubes are written as points", p.Name)
	}
	vertices := cloud{p, p.Count, func(visit func(position, normal [3]float32, d *Dot) error) error {
		return p.Each(func(d *Dot) error {
			return visit(finitePoint(d.Position), [3]float32{}, d)
		})
	}}
	invalid, translucent := 0, 0
	primitive, err := b.addCloud(vertices, func(d *Dot) {
		if d.Color[3] != 255 {
			translucent++
		}
		if !finite(d.Position[0]) || !finite(d.Position[1]) || !finite(d.Position[2]) {
			invalid++
		}
	})
	if err != nil {
		return 0, err
	}
	b.report.addN("points without a valid position are put at the origin", p.Name, invalid)
	b.reportAlpha(p, translucent)
	material := b.addDefaultMaterial("points", true)
	primitive.Material, primitive.Mode = &material, PointList
	return add(&b.doc.Meshes, gltfMesh{p.Name, []gltfPrimitive{primitive}}), nil
}

// cloud describes the vertices of points.
type cloud struct {
	*Points
	count      int
	eachVertex func(visit func(position, normal [3]float32, d *Dot) error) error
}

// addCloud writes the positions and the colors of the vertices of points. It calls check with the point of each vertex
// first.
func (b *glb) addCloud(c cloud, check func(d *Dot)) (primitive gltfPrimitive, err error) {
	box := emptyExtent
	if err := c.eachVertex(func(position, _ [3]float32, d *Dot) error {
		check(d)
		box.add(toDouble(position), toDouble(position))
		return b.ctx.Err()
	}); err != nil {
		return primitive, err
	}
	positions := gltfAccessor{Component: gltfFloat, Type: "VEC3", Min: box.Low[:], Max: box.High[:]}
	primitive.Attributes = map[string]int{
		"POSITION": b.addCloudAccessor(c, positions, func(w io.Writer, position, _ [3]float32, _ *Dot) error {
			return writeFloats(w, position[:]...)
		})}
	primitive.Attributes["COLOR_0"] = b.addCloudAccessor(c, gltfAccessor{Component: gltfShort, Normalized: true, Type: "VEC4"},
		func(w io.Writer, _, _ [3]float32, d *Dot) error { return d.writeColor(w) })
	return primitive, nil
}

// addCloudAccessor adds an accessor with a value for each vertex of a cloud.
func (b *glb) addCloudAccessor(c cloud, a gltfAccessor,
	write func(w io.Writer, position, normal [3]float32, d *Dot) error) int {
	a.Count = c.count
	return b.addAccessor(a, gltfVertices, func(w io.Writer) error {
		return c.eachVertex(func(position, normal [3]float32, d *Dot) error {
			if err := write(w, position, normal, d); err != nil {
				return err
			}
			return b.ctx.Err()
		})
	})
}

// Each calls visit for each point, up to the first error.
func (p *Points) Each(visit func(d *Dot) error) error {
	block := make([]Dot, min(dotBlock, p.Count))
	for first := 0; first < p.Count; first += len(block) {
		part := block[:min(len(block), p.Count-first)]
		if err := p.Read(first, part); err != nil {
			return fmt.Errorf("points %q: %w", p.Name, err)
		}
		for i := range part {
			if err := visit(&part[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// linear16 maps an sRGB channel to its linear value, in 16 bits.
var linear16 = func() (out [256]uint16) {
	for i := range out {
		out[i] = uint16(linear(float32(i)/255)*65535 + .5)
	}
	return out
}()

// reportAlpha reports the number of points with an alpha, which is not written: like the program itself, readers should
// show visible points, but some take alpha for transparency although the material is opaque.
func (b *glb) reportAlpha(p *Points, pale int) {
	b.report.addN("the alpha of points is not exported", p.Name, pale)
}

// writeColor writes an opaque color in the form of glTF: four numbers of 16 bits, linear.
func (d *Dot) writeColor(w io.Writer) error {
	var b [8]byte
	for i, v := range d.Color[:3] {
		binary.LittleEndian.PutUint16(b[2*i:], linear16[v])
	}
	binary.LittleEndian.PutUint16(b[6:], math.MaxUint16)
	_, err := w.Write(b[:])
	return err
}

const (
	maxCubes     = 2 << 20 // cubes that are written with sides
	maxCubeSides = 4 << 20 // of their sides
)

// cell is the position of a cube, in edges.
type cell [3]int32

// cubes is a cloud of cubes. Sides that two cubes share are not written, which are most sides of a full block.
type cubes struct {
	points      *Points
	positions   map[cell][3]float32
	sideCount   int
	translucent int // cubes with an alpha
}

// cubeSides are the sides of a cube, with the corners in order around each side, from outside.
var cubeSides = func() (faces [6]struct {
	normal  [3]float32
	corners [4][3]float32
}) {
	for i := range faces {
		axis, sign := i/2, float32(1-2*(i%2))
		faces[i].normal[axis] = sign
		for k, uv := range [4][2]float32{{-.5, -.5}, {.5, -.5}, {.5, .5}, {-.5, .5}} {
			c := &faces[i].corners[k]
			c[axis] = sign * .5
			c[(axis+1)%3], c[(axis+2)%3] = uv[0]*sign, uv[1]
		}
	}
	return faces
}()

// newCubes reads the positions of the cubes and counts the visible sides. It returns nil if there are too many to be
// written, or a position is invalid.
func (b *glb) newCubes(p *Points) (*cubes, error) {
	if p.Count > maxCubes || !finite(p.Edge) {
		return nil, nil
	}
	c := &cubes{points: p, positions: make(map[cell][3]float32, p.Count)}
	if err := p.Each(func(d *Dot) error {
		if k, ok := c.cell(d); ok {
			c.positions[k] = d.Position
		}
		if d.Color[3] != 255 {
			c.translucent++
		}
		return b.ctx.Err()
	}); err != nil {
		return nil, err
	}
	err := c.eachSide(func(*Dot, int) error { c.sideCount++; return b.ctx.Err() })
	if err != nil || c.sideCount == 0 || c.sideCount > maxCubeSides {
		return nil, err
	}
	return c, nil
}

// cell returns the cell of a cube; ok is false if its position is invalid.
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

// eachSide passes the sides that no other cube shares.
func (c *cubes) eachSide(visit func(d *Dot, side int) error) error {
	return c.points.Each(func(d *Dot) error {
		k, ok := c.cell(d)
		if !ok {
			return nil
		}
		for i := range cubeSides {
			if c.isShared(d, k, i) {
				continue
			}
			if err := visit(d, i); err != nil {
				return err
			}
		}
		return nil
	})
}

// isShared reports whether a cube is exactly adjacent to a side of another.
func (c *cubes) isShared(d *Dot, k cell, side int) bool {
	for i, n := range cubeSides[side].normal {
		k[i] += int32(n)
	}
	position, ok := c.positions[k]
	if !ok {
		return false
	}
	for i, n := range cubeSides[side].normal {
		if math.Abs(float64(position[i]-d.Position[i]-n*c.points.Edge)) > 1e-3*float64(c.points.Edge) {
			return false
		}
	}
	return true
}

// addCubes writes the sides of cubes as one mesh, and returns its number.
func (b *glb) addCubes(c *cubes) (int, error) {
	vertices := cloud{c.points, 4 * c.sideCount, func(visit func(position, normal [3]float32, d *Dot) error) error {
		return c.eachSide(func(d *Dot, side int) error {
			for _, position := range cubeSides[side].corners {
				for i := range position {
					position[i] = d.Position[i] + c.points.Edge*position[i]
				}
				if err := visit(position, cubeSides[side].normal, d); err != nil {
					return err
				}
			}
			return nil
		})
	}}
	b.reportAlpha(c.points, c.translucent)
	primitive, err := b.addCloud(vertices, func(*Dot) {})
	if err != nil {
		return 0, err
	}
	primitive.Attributes["NORMAL"] = b.addCloudAccessor(vertices, gltfAccessor{Component: gltfFloat, Type: "VEC3"},
		func(w io.Writer, _, normal [3]float32, _ *Dot) error { return writeFloats(w, normal[:]...) })
	corners := gltfAccessor{Component: gltfInt, Count: 6 * c.sideCount, Type: "SCALAR"}
	order := b.addAccessor(corners, gltfIndices, func(w io.Writer) error {
		for i := range uint32(c.sideCount) {
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
	material := b.addDefaultMaterial("cubes", false)
	primitive.Indices, primitive.Material, primitive.Mode = &order, &material, Triangles
	return add(&b.doc.Meshes, gltfMesh{c.points.Name, []gltfPrimitive{primitive}}), nil
}
