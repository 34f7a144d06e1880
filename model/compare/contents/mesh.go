package contents

import (
	"context"
	"fmt"
	"math"
	"slices"

	"assay/model"
	"assay/model/scene"
)

// maxMeshFloats is the maximum number of read numbers of a mesh.
const maxMeshFloats = 32 << 20

// Meshes are the vertices of two meshes, with their changes.
type Meshes struct {
	Changes
	opts                       Options
	old, new                   *scene.Mesh
	oldValues, newValues       []float32
	oldPositions, newPositions [][3]float32
	match                      []int32 // by new vertex, the old one; nil if the meshes do not have as many
	reordered                  int     // vertices at another index
	unsearched                 int     // vertices that are too many to be searched for
	motion                     *Motion // common to all positions that differ, or nil
	moved                      []bool  // by new vertex: its position differs
	minDifference              float64 // minimum distance of positions that differ
	movedCount                 int
	classes                    [2][]uint32     // by vertex, its class: vertices of one class are drawn the same
	drawsSame                  bool            // of other vertices, the same triangles are drawn
	Visible                    bool            // the mesh as a whole has another visible change
	Touched                    [2][]bool       // by old and new vertex: a visible change besides its position; or nil
	weightChanges              *weightComparer // nil if the vertices do not follow joints with names
}

// meshChanges returns the changes between the meshes of two nodes.
func meshChanges(ctx context.Context, old, new *scene.Node, opts Options) (Changes, error) {
	if max(old.Mesh.Count*old.Mesh.Stride(), new.Mesh.Count*new.Mesh.Stride()) > maxMeshFloats {
		return Changes{{How: Stated, Field: "too many vertices to compare positions"}}, nil
	}
	m, err := CompareMeshes(ctx, old, new, opts)
	if err != nil {
		return nil, err
	}
	return m.Changes, nil
}

// CompareMeshes reads the meshes of two nodes and compares them.
func CompareMeshes(ctx context.Context, old, new *scene.Node, opts Options) (*Meshes, error) {
	m := &Meshes{old: old.Mesh, new: new.Mesh, opts: opts}
	var err error
	if m.oldValues, err = m.old.ReadVertices(); err == nil {
		m.newValues, err = m.new.ReadVertices()
	}
	if err != nil {
		return nil, err
	}
	m.minDifference = rounding * m.reach()
	m.matchVertices()
	m.comparePositions()
	m.weightChanges = m.newWeightComparer(old.Skin, new.Skin)
	m.compareElements()
	m.compareWeights()
	return m, m.compareTriangleLists(ctx)
}

// markTouched records a change besides the position of a vertex of the new mesh.
func (m *Meshes) markTouched(i int) {
	if m.Touched[1] == nil {
		m.Touched = [2][]bool{make([]bool, m.old.Count), make([]bool, m.new.Count)}
	}
	m.Touched[1][i], m.Touched[0][m.match[i]] = true, true
}

// addVisible adds a visible change of a mesh that is not in single vertices.
func (m *Meshes) addVisible(p PartChange) {
	m.Visible = true
	m.add(p)
}

// addVisibleCount adds a number of added elements, or of removed ones if by is negative.
func (m *Meshes) addVisibleCount(field string, by int) {
	m.Visible = m.Visible || by != 0
	m.count(Added, field, by)
	m.count(Removed, field, -by)
}

// comparePositions adds the numbers of added, removed and moved vertices.
func (m *Meshes) comparePositions() {
	if m.match == nil {
		m.add(PartChange{How: Counted, Field: "vertex", N: int64(m.new.Count), All: int64(m.old.Count)})
		m.count(Kept, "position", m.commonPositions())
		return
	}
	m.moved = make([]bool, m.new.Count)
	oldPositions, newPositions := m.oldPositions, m.newPositions
	if oldPositions == nil || newPositions == nil {
		return
	}
	var rounded, broken, mended int
	furthest := 0.0
	for i, old := range m.match {
		a, b := oldPositions[old], newPositions[i]
		switch {
		case sameBits(a[:], b[:]):
		case m.samePosition(a, b):
			rounded++
		case !isFinite(b):
			broken++
			m.markTouched(i)
		case !isFinite(a):
			mended++
			m.markTouched(i)
		default:
			m.moved[i] = true
			m.movedCount++
			furthest = max(furthest, float64(distance(a, b)))
		}
	}
	count := int64(m.new.Count)
	if m.movedCount > 0 {
		p := PartChange{How: Moved, Field: "position", N: int64(m.movedCount), All: count, Motion: m.motion}
		if m.motion == nil {
			p.Note = fmt.Sprintf("by up to %.3g", furthest)
		}
		m.add(p)
	}
	for _, p := range []PartChange{{How: Broken, N: int64(broken)}, {How: Mended, N: int64(mended)}} {
		if p.Field, p.All = "position", count; p.N > 0 {
			m.add(p)
		}
	}
	if rounded > 0 && m.movedCount+broken+mended == 0 {
		m.add(PartChange{How: Rounded, Field: "position", N: int64(rounded), All: count})
	}
	if m.unsearched > 0 {
		m.add(PartChange{How: Unknown, Of: "the order of", Field: "vertex", N: int64(m.unsearched), All: count,
			Note: fmt.Sprintf("at most %s are searched for", model.FormatCount(maxSearched))})
	}
}

// rounding is the maximum difference of numbers of size 1 after writing and reading.
const rounding = 2e-6

// commonPositions returns the number of positions of the new mesh that the old one has too, wherever they are among its
// vertices.
func (m *Meshes) commonPositions() (n int) {
	_, oldSize := m.old.Find(scene.Position, 0)
	_, newSize := m.new.Find(scene.Position, 0)
	if oldSize != 3 || newSize != 3 {
		return 0
	}
	left := make(map[[3]uint32]int, m.old.Count)
	for _, p := range positionsOf(m.old, m.oldValues) {
		left[positionBits(p)]++
	}
	for _, p := range positionsOf(m.new, m.newValues) {
		if id := positionBits(p); left[id] > 0 {
			left[id]--
			n++
		}
	}
	return n
}

// positionBits returns the bits of a position, which are equal where NaN is not.
func positionBits(p [3]float32) [3]uint32 {
	return [3]uint32{math.Float32bits(p[0]), math.Float32bits(p[1]), math.Float32bits(p[2])}
}

var usagePlurals = map[scene.Usage]string{scene.Normal: "normals", scene.Color: "colors", scene.Tangent: "tangents",
	scene.Binormal: "binormals", scene.Weights: "weights", scene.Joints: "vertex joints", scene.TexCoord: "UVs",
	scene.Other: "other values"}

func usageName(e scene.Element) string {
	if e.Set > 0 {
		return fmt.Sprintf("%s (set %d)", usagePlurals[e.Usage], e.Set+1)
	}
	return usagePlurals[e.Usage]
}

// compareElements compares normals, texture coordinates and the like.
func (m *Meshes) compareElements() {
	for _, e := range m.old.Elements {
		if index, _ := m.new.Find(e.Usage, e.Set); index < 0 && e.Size > 0 && e.Usage != scene.Position {
			m.addVisible(PartChange{How: Removed, Field: usageName(e)})
		}
	}
	for _, e := range m.new.Elements {
		if e.Usage == scene.Position || e.Size == 0 {
			continue
		}
		index, size := m.old.Find(e.Usage, e.Set)
		switch {
		case index < 0:
			m.addVisible(PartChange{How: Added, Field: usageName(e)})
		case m.match == nil:
		case m.weightChanges != nil && e.Set == 0 && (e.Usage == scene.Joints || e.Usage == scene.Weights):
		case size != e.Size:
			m.addVisible(PartChange{Of: usageName(e) + " of", Old: fmt.Sprint(size), New: fmt.Sprint(e.Size, " numbers")})
		default:
			m.compareElement(e, index)
		}
	}
}

// isDirection reports whether values of a usage turn with the mesh.
func isDirection(u scene.Usage) bool {
	return u == scene.Normal || u == scene.Tangent || u == scene.Binormal
}

// valueChanges has the differences of an element of the vertices.
type valueChanges struct {
	vertices []int // new vertices whose values differ significantly
	rounded  int   // number of other vertices whose values differ
	broken   int   // number of vertices whose values are not finite anymore
}

// compareValues compares the values of an element, which are at oldAt in the old vertices and at newAt in the new ones.
func (m *Meshes) compareValues(e scene.Element, oldAt, newAt int) (c valueChanges) {
	tolerance := rounding * max(1, largestAbs(m.old, m.oldValues, e.Usage, e.Set),
		largestAbs(m.new, m.newValues, e.Usage, e.Set))
	for i, old := range m.match {
		a, b := m.vertex(0, int(old))[oldAt:][:e.Size], m.vertex(1, i)[newAt:][:e.Size]
		if sameBits(a, b) {
			continue
		}
		differs := false
		for k := range a {
			differs = differs || !m.sameNumber(a[k], b[k], tolerance)
		}
		switch {
		case !differs:
			c.rounded++
			continue
		case allFinite(a) && !allFinite(b):
			c.broken++
		}
		c.vertices = append(c.vertices, i)
	}
	return c
}

// compareElement adds the change of an element of the vertices, which is at oldAt in the old ones.
func (m *Meshes) compareElement(e scene.Element, oldAt int) {
	newAt, _ := m.new.Find(e.Usage, e.Set)
	c := m.compareValues(e, oldAt, newAt)
	changed, rounded, broken := c.vertices, c.rounded, c.broken
	p := PartChange{How: Changed, Field: usageName(e), N: int64(len(changed)), All: int64(m.new.Count)}
	switch {
	case len(changed) == 0 && rounded > 0:
		p.How, p.N = Rounded, int64(rounded)
		m.add(p)
	case len(changed) == 0 && m.movedCount > 0 &&
		(e.Usage == scene.TexCoord || isDirection(e.Usage) && m.motion != nil && !m.followMotion(e, oldAt, newAt)):
		m.add(PartChange{How: Unchanged, Field: p.Field})
	case len(changed) == 0:
	case isDirection(e.Usage) && m.followMotion(e, oldAt, newAt):
		m.add(PartChange{How: Follows, Field: p.Field})
	default:
		if broken > 0 {
			m.add(PartChange{How: Broken, Field: p.Field, N: int64(broken), All: p.All})
			p.N -= int64(broken)
		}
		for _, i := range changed {
			m.markTouched(i)
		}
		switch {
		case e.Usage == scene.TexCoord && e.Size == 2:
			p.Motion = m.fitUVs(oldAt, newAt)
		case isDirection(e.Usage) && m.areReversed(changed, e, oldAt, newAt):
			p.How = Reversed
		}
		if p.N > 0 {
			m.add(p)
		}
	}
}

// directionTolerance is the maximum deviation of a direction from the expected one, as a share of its length.
const directionTolerance = 1e-3

// followMotion reports whether all normals, tangents or binormals are turned as the positions are.
func (m *Meshes) followMotion(e scene.Element, oldAt, newAt int) bool {
	if m.motion == nil || e.Size < 3 {
		return false
	}
	rotation := scene.TRS{Rotation: m.motion.Rotation, Scale: [3]float32{1, 1, 1}}.Matrix()
	for i, old := range m.match {
		got, want := [3]float32(m.vertex(1, i)[newAt:]), [3]float32(m.vertex(0, int(old))[oldAt:])
		long := length(minus(want, [3]float32{}))
		if long-long != 0 { // not finite: no direction
			continue
		}
		if m.moved[i] {
			for k, f := range m.motion.Scale {
				if e.Usage == scene.Normal {
					f = 1 / f
				}
				want[k] *= float32(f)
			}
			want = rotation.ApplyDirection(want)
			if now := length(minus(want, [3]float32{})); now > 0 {
				for k := range want {
					want[k] *= float32(long / now)
				}
			}
		}
		if !(length(minus(got, want)) <= directionTolerance*long) {
			return false
		}
	}
	return true
}

// areReversed reports whether the normals, tangents or binormals of all given vertices have the opposite direction.
func (m *Meshes) areReversed(vertices []int, e scene.Element, oldAt, newAt int) bool {
	for _, i := range vertices {
		a, b := m.vertex(0, int(m.match[i]))[oldAt:][:e.Size], m.vertex(1, i)[newAt:][:e.Size]
		for k := range a {
			if !(a[k] == -b[k]) {
				return false
			}
		}
	}
	return true
}

func allFinite(values []float32) bool {
	return !slices.ContainsFunc(values, func(v float32) bool { return v-v != 0 })
}

// fitUVs returns the common motion of all texture coordinates, or nil.
func (m *Meshes) fitUVs(oldAt, newAt int) *Motion {
	var old, new []float32
	for i, o := range m.match {
		old = append(old, m.vertex(0, int(o))[oldAt:][:2]...)
		new = append(new, m.vertex(1, i)[newAt:][:2]...)
	}
	if m.new.Count < minMotionVertices {
		return nil
	}
	return fitAxes(old, new, 2).nilIfEmpty()
}

// compareWeights compares the joint weights of the vertices. For meshes with different vertices, it compares the
// vertices at common positions.
func (m *Meshes) compareWeights() {
	if m.weightChanges == nil {
		return
	}
	compared := m.new.Count
	if m.match == nil {
		compared = 0
		old := newPointIndex(positionsOf(m.old, m.oldValues))
		for i, position := range positionsOf(m.new, m.newValues) {
			if id, known := old.ids[positionBits(position)]; known {
				compared++
				m.weightChanges.addVertex(i, old.vertices[id]...)
			}
		}
	}
	for i, old := range m.match {
		m.weightChanges.addVertex(i, old)
	}
	if m.weightChanges.changed > 0 {
		m.addVisible(m.weightChanges.part(compared))
	}
}
