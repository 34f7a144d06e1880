package contents

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"assay/model/scene"
)

// triangle is three corners, by the classes of their vertices.
type triangle [3]uint32

// normalize returns the triangle with its corners rotated into a canonical order: any of them may be the first.
func (t triangle) normalize() triangle {
	b, c := triangle{t[1], t[2], t[0]}, triangle{t[2], t[0], t[1]}
	return slices.MinFunc([]triangle{t, b, c}, func(x, y triangle) int { return slices.Compare(x[:], y[:]) })
}

// reverse returns a triangle with the other winding.
func (t triangle) reverse() triangle { return triangle{t[0], t[2], t[1]} }

// isDrawn reports whether a triangle has three corners.
func (t triangle) isDrawn() bool { return t[0] != t[1] && t[1] != t[2] && t[2] != t[0] }

// triangleChanges counts the different triangles of two lists, by the kind of difference.
type triangleChanges struct {
	old, new       int // drawn ones
	added, removed int
	reversed       int // they are wound the other way
	shifted        int // they are at another index
	cornered       int // they begin at another corner
}

func (c *triangleChanges) sum(o triangleChanges) {
	c.old, c.new = c.old+o.old, c.new+o.new
	c.added, c.removed, c.reversed = c.added+o.added, c.removed+o.removed, c.reversed+o.reversed
	c.shifted, c.cornered = c.shifted+o.shifted, c.cornered+o.cornered
}

// compareTriangles counts how the triangles of two lists differ.
func compareTriangles(old, new []triangle) (c triangleChanges) {
	isUndrawn := func(t triangle) bool { return !t.isDrawn() }
	if slices.Equal(old, new) {
		return c
	}
	old, new = slices.DeleteFunc(slices.Clone(old), isUndrawn), slices.DeleteFunc(slices.Clone(new), isUndrawn)
	c.old, c.new = len(old), len(new)
	left := make(map[triangle]int, len(old))
	for _, t := range old {
		left[t.normalize()]++
	}
	take := func(t triangle) bool {
		t = t.normalize()
		if left[t] == 0 {
			return false
		}
		left[t]--
		return true
	}
	var rest []triangle
	for _, t := range new {
		if !take(t) {
			rest = append(rest, t)
		}
	}
	for _, t := range rest {
		if take(t.reverse()) {
			c.reversed++
		} else {
			c.added++
		}
	}
	c.removed = c.old - (c.new - c.added)
	if c.added+c.removed > 0 {
		return c
	}
	for i, t := range new {
		was, is := old[i].normalize(), t.normalize()
		switch {
		case was != is && was != t.reverse().normalize():
			c.shifted++
		case was == is && old[i] != t:
			c.cornered++
		}
	}
	return c
}

// compareTriangleLists compares the triangles by the classes of their corners.
func (m *Meshes) compareTriangleLists(ctx context.Context) error {
	m.addVisibleCount("part", len(m.new.Parts)-len(m.old.Parts))
	var total triangleChanges
	var old, new []triangle // where the vertices are not matched: of all parts
	for i := range max(len(m.old.Parts), len(m.new.Parts)) {
		a, err := m.triangles(ctx, 0, i)
		if err != nil {
			return err
		}
		b, err := m.triangles(ctx, 1, i)
		if err != nil {
			return err
		}
		switch {
		case m.match == nil:
			old, new = append(old, a...), append(new, b...)
		case i >= len(m.old.Parts) || i >= len(m.new.Parts): // the parts are reported
		case m.reordered == 0 && slices.Equal(a, b):
			total.old, total.new = total.old+len(a), total.new+len(b)
		default:
			m.classify(a, b)
			c := compareTriangles(a, b)
			if c == (triangleChanges{}) {
				c.old, c.new = len(a), len(b)
			}
			total.sum(c)
		}
	}
	if m.match == nil {
		m.unmatchedTriangles(old, new)
		return nil
	}
	m.addTriangleChanges(total)
	return nil
}

// addTriangleChanges adds the changes of the triangles of matched vertices.
func (m *Meshes) addTriangleChanges(c triangleChanges) {
	if c.added == c.removed && c.added > 0 {
		m.addVisible(PartChange{How: Rejoined, Field: "triangle", N: int64(c.added), All: int64(c.new)})
	} else {
		m.addVisibleCount("triangle", c.added)
		m.addVisibleCount("triangle", -c.removed)
	}
	if c.reversed > 0 {
		m.addVisible(PartChange{How: Reversed, Of: "winding of", Field: "triangle", N: int64(c.reversed), All: int64(c.new)})
	}
	if c.shifted > 0 {
		m.add(PartChange{How: Reordered, Field: "triangle", N: int64(c.shifted), All: int64(c.new)})
	}
	if c.cornered > 0 {
		m.add(PartChange{How: Changed, Of: "corner order of", Field: "triangle", N: int64(c.cornered), All: int64(c.new)})
	}
}

// unmatchedTriangles adds the changes of the triangles of meshes with different numbers of vertices.
func (m *Meshes) unmatchedTriangles(old, new []triangle) {
	before, after := len(old), len(new)
	m.classify(old, new)
	if before != after {
		m.add(PartChange{How: Counted, Field: "triangle", N: int64(after), All: int64(before)})
	}
	c := compareTriangles(old, new)
	m.drawsSame = len(new) > 0 && c.added+c.removed+c.reversed == 0 && slices.Equal(m.old.Elements, m.new.Elements)
	if m.drawsSame {
		m.add(PartChange{How: Unchanged, Field: "drawn triangles"})
		return
	}
	m.Visible = m.Visible || before != after || c.added+c.removed > 0
	if c.reversed > 0 {
		m.addVisible(PartChange{How: Reversed, Of: "winding of", Field: "triangle", N: int64(c.reversed), All: int64(c.new)})
	}
}

// classify replaces the vertices of triangles by numbers that are equal where the same is drawn.
func (m *Meshes) classify(old, new []triangle) {
	if m.classes[0] == nil {
		m.findClasses()
	}
	for side, list := range [2][]triangle{old, new} {
		for i := range list {
			for k, v := range list[i] {
				if int(v) < len(m.classes[side]) {
					list[i][k] = m.classes[side][v]
				}
			}
		}
	}
}

// findClasses numbers the classes of vertices: of matched ones by the values of both, so that a changed value changes
// no triangle; else by their values or, if the meshes have different elements, by their positions.
func (m *Meshes) findClasses() {
	m.classes = [2][]uint32{make([]uint32, m.old.Count), make([]uint32, m.new.Count)}
	var buffer []byte
	if m.match != nil {
		ids := make(map[[2]vertexBits]uint32, m.new.Count)
		for i, old := range m.match {
			var id [2]vertexBits
			id[0], buffer = bitsOf(m.vertex(0, int(old)), buffer)
			id[1], buffer = bitsOf(m.vertex(1, i), buffer)
			n := numberOf(ids, id)
			m.classes[0][old], m.classes[1][i] = n, n
		}
		return
	}
	sameElements := slices.Equal(m.old.Elements, m.new.Elements)
	positions := [2][][3]float32{positionsOf(m.old, m.oldValues), positionsOf(m.new, m.newValues)}
	ids := make(map[vertexBits]uint32, m.old.Count)
	for side := range m.classes {
		for i := range m.classes[side] {
			v := m.vertex(side, i)
			if !sameElements && positions[side] != nil {
				v = positions[side][i][:]
			}
			var id vertexBits
			id, buffer = bitsOf(v, buffer)
			m.classes[side][i] = numberOf(ids, id)
		}
	}
}

// numberOf returns the number of a key, which is the next one for a new key.
func numberOf[K comparable](numbers map[K]uint32, key K) uint32 {
	n, ok := numbers[key]
	if !ok {
		n = uint32(len(numbers))
		numbers[key] = n
	}
	return n
}

// triangles reads the triangles of a part, by vertex index, or returns none if the mesh does not have the part.
func (m *Meshes) triangles(ctx context.Context, side, part int) (out []triangle, err error) {
	mesh := [2]*scene.Mesh{m.old, m.new}[side]
	if part >= len(mesh.Parts) {
		return nil, nil
	}
	p := mesh.Parts[part]
	in := mesh.PartIndices(p)
	if in.Len() > maxMeshFloats {
		return nil, fmt.Errorf("%d indices are too many to compare", in.Len())
	}
	indices := make([]uint32, in.Len())
	if err := cmp.Or(ctx.Err(), in.Read(0, indices)); err != nil {
		return nil, err
	}
	p.Primitive.EachTriangle(indices, func(a, b, c uint32) { out = append(out, triangle{a, b, c}) })
	return out, nil
}
