package contents

import (
	"context"
	"fmt"
	"math"
	"slices"

	"assay/model/scene"
)

// meshFloats is how many numbers of a mesh are read.
const meshFloats = 32 << 20

// Meshes is the vertices of two meshes, read, and what changed in them.
type Meshes struct {
	Changes
	old, new    *scene.Mesh
	from, to    []float32
	moved       []bool // by vertex, where both have as many
	reordered   bool
	rounded     bool        // the positions differ by rounding only
	Visible     bool        // something else changed that people see, of the mesh as a whole
	Touched     [2][]bool   // by old and by new vertex: something that people see changed in it; nil if in none
	oldPoints   *pointIndex // of vertices in another order
	points      []int32     // by new vertex, where it is among those
	movedNumber int
	furthest    float64
	bound       *jointWeights // nil if the vertices do not follow joints that are known
}

// meshChanges returns what changed between the meshes of two nodes.
func meshChanges(ctx context.Context, old, new *scene.Node) (Changes, error) {
	if max(old.Mesh.Count*old.Mesh.Stride(), new.Mesh.Count*new.Mesh.Stride()) > meshFloats {
		return Changes{{How: Stated, Field: "too many vertices to compare their places"}}, nil
	}
	m, err := CompareMeshes(ctx, old, new)
	if err != nil {
		return nil, err
	}
	return m.Changes, nil
}

// CompareMeshes reads the meshes of two nodes and compares them.
func CompareMeshes(ctx context.Context, old, new *scene.Node) (*Meshes, error) {
	m := &Meshes{old: old.Mesh, new: new.Mesh}
	var err error
	if m.from, err = m.old.ReadVertices(); err == nil {
		m.to, err = m.new.ReadVertices()
	}
	if err != nil {
		return nil, err
	}
	m.comparePositions()
	m.bound = m.weights(old.Skin, new.Skin)
	m.compareElements()
	m.compareWeights()
	return m, m.compareTriangleLists(ctx)
}

// touch notes that something besides the position changed in a vertex of the new mesh.
func (m *Meshes) touch(i int) {
	if m.Touched[1] == nil {
		m.Touched = [2][]bool{make([]bool, m.old.Count), make([]bool, m.new.Count)}
	}
	m.Touched[1][i] = true
	if !m.reordered {
		m.Touched[0][i] = true
		return
	}
	for _, old := range m.oldPoints.vertices[m.points[i]] {
		m.Touched[0][old] = true
	}
}

// show adds what people see of a mesh besides its positions, if it is not in single vertices.
func (m *Meshes) show(p Part) {
	m.Visible = true
	m.add(p)
}

// showCount adds how many of something were added, or removed if by is negative.
func (m *Meshes) showCount(field string, by int) {
	m.Visible = m.Visible || by != 0
	m.count(Added, field, by)
	m.count(Removed, field, -by)
}

// comparePositions adds how many vertices came, went and moved.
func (m *Meshes) comparePositions() {
	if m.old.Count != m.new.Count {
		m.add(Part{How: Counted, Field: "vertex", N: int64(m.new.Count), All: int64(m.old.Count)})
		m.count(Kept, "position", m.commonPositions())
		return
	}
	at, size := m.old.Find(scene.Position, 0)
	to, sizeTo := m.new.Find(scene.Position, 0)
	if at < 0 || to < 0 || size != sizeTo {
		return
	}
	m.moved = make([]bool, m.new.Count)
	for i := range m.moved {
		a, b := m.from[i*m.old.Stride()+at:][:size], m.to[i*m.new.Stride()+to:][:size]
		d := 0.0
		for k := range a {
			e := float64(b[k]) - float64(a[k])
			d += e * e
		}
		if d != 0 {
			m.moved[i] = true
			m.movedNumber++
			if !math.IsNaN(d) {
				m.furthest = max(m.furthest, math.Sqrt(d))
			}
		}
	}
	switch {
	case m.movedNumber > 1 && m.inAnotherOrder(), m.movedNumber == 0:
	case m.furthest <= rounding*m.reach():
		m.rounded = true
		m.add(Part{How: Rounded, Field: "positions"})
	default:
		m.positionsMoved(m.movedNumber, m.furthest)
	}
}

func (m *Meshes) positionsMoved(n int, furthest float64) {
	m.add(Part{How: Moved, Field: "position", N: int64(n), All: int64(m.new.Count),
		Note: fmt.Sprintf("largest by %.3g", furthest)})
}

// rounding is how far numbers of the size 1 are apart that are written and read again.
const rounding = 2e-6

// reach is the largest coordinate of the new mesh.
func (m *Meshes) reach() float64 {
	far := 0.0
	for _, p := range positionsOf(m.new, m.to) {
		for _, v := range p {
			far = max(far, math.Abs(float64(v)))
		}
	}
	return far
}

// inAnotherOrder reports whether the vertices are mostly those of the old mesh in another order, and says so.
func (m *Meshes) inAnotherOrder() bool {
	old := newPointIndex(positionsOf(m.old, m.from))
	spots, far := old.nearest(positionsOf(m.new, m.to))
	least := float32(rounding * m.reach())
	moved, further := 0, float32(0)
	for _, d := range far {
		if d > least {
			moved++
			further = max(further, d)
		}
	}
	if moved >= m.movedNumber/2 {
		return false
	}
	m.reordered, m.oldPoints, m.points = true, old, spots
	m.rounded = moved == 0
	m.count(Reordered, "vertex", m.new.Count)
	if moved > 0 {
		m.positionsMoved(moved, float64(further))
	}
	return true
}

// commonPositions is the number of positions of the new mesh that the old one has too, wherever they are among its
// vertices.
func (m *Meshes) commonPositions() int {
	_, size := m.old.Find(scene.Position, 0)
	_, sizeTo := m.new.Find(scene.Position, 0)
	if size != 3 || sizeTo != 3 {
		return 0
	}
	left := make(map[[3]float32]int, m.old.Count)
	for _, p := range positionsOf(m.old, m.from) {
		left[p]++
	}
	n := 0
	for _, p := range positionsOf(m.new, m.to) {
		if left[p] > 0 {
			left[p]--
			n++
		}
	}
	return n
}

var usagePlurals = map[scene.Usage]string{scene.Normal: "normals", scene.Color: "colours", scene.Tangent: "tangents",
	scene.Binormal: "binormals", scene.Weights: "weights", scene.Joints: "joints of vertices", scene.TexCoord: "UVs",
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
		if at, _ := m.new.Find(e.Usage, e.Set); at < 0 && e.Size > 0 && e.Usage != scene.Position {
			m.show(Part{How: Removed, Field: usageName(e)})
		}
	}
	for _, e := range m.new.Elements {
		if e.Usage == scene.Position || e.Size == 0 {
			continue
		}
		at, size := m.old.Find(e.Usage, e.Set)
		switch {
		case at < 0:
			m.show(Part{How: Added, Field: usageName(e)})
		case m.moved == nil:
		case m.bound != nil && e.Set == 0 && (e.Usage == scene.Joints || e.Usage == scene.Weights):
		case size != e.Size:
			m.show(Part{Of: usageName(e) + " of", Old: fmt.Sprint(size), New: fmt.Sprint(e.Size, " numbers")})
		case m.reordered:
			m.compareElementByPlace(e, at)
		default:
			m.compareElement(e, at)
		}
	}
}

// compareElement compares one element of the vertices.
func (m *Meshes) compareElement(e scene.Element, at int) {
	to, _ := m.new.Find(e.Usage, e.Set)
	var changed []int
	alone, furthest := 0, 0.0
	for i := range m.new.Count {
		a, b := m.from[i*m.old.Stride()+at:][:e.Size], m.to[i*m.new.Stride()+to:][:e.Size]
		differs := false
		for k := range a {
			if math.Float32bits(a[k]) != math.Float32bits(b[k]) {
				differs = true
				furthest = max(furthest, math.Abs(float64(a[k])-float64(b[k])))
			}
		}
		if differs {
			changed = append(changed, i)
			if !m.moved[i] {
				alone++
			}
		}
	}
	name := usageName(e)
	turns := e.Usage == scene.Normal || e.Usage == scene.Tangent || e.Usage == scene.Binormal
	switch {
	case len(changed) == 0 && e.Usage == scene.TexCoord && m.movedNumber > 0:
		m.add(Part{How: Unchanged, Field: name})
	case len(changed) == 0:
	case furthest <= m.tolerance(e, to):
		m.add(Part{How: Rounded, Field: name})
	case turns && alone == 0:
		m.add(Part{How: Follows, Field: name})
	default:
		m.elementChanged(e, changed)
	}
}

// tolerance returns how far two values of an element at an offset of the new vertices may be apart to differ by
// rounding only: a share of the largest value.
func (m *Meshes) tolerance(e scene.Element, at int) float64 {
	far := 1.0
	for i := range m.new.Count {
		for _, v := range m.to[i*m.new.Stride()+at:][:e.Size] {
			if v-v == 0 { // finite
				far = max(far, math.Abs(float64(v)))
			}
		}
	}
	return rounding * far
}

// elementChanged says in how many vertices an element changed, and notes them.
func (m *Meshes) elementChanged(e scene.Element, vertices []int) {
	for _, i := range vertices {
		m.touch(i)
	}
	m.add(Part{How: Changed, Field: usageName(e), N: int64(len(vertices)), All: int64(m.new.Count)})
}

// compareElementByPlace describes the change of one element of vertices that are in another order: a vertex is known by
// its position.
func (m *Meshes) compareElementByPlace(e scene.Element, at int) {
	to, _ := m.new.Find(e.Usage, e.Set)
	least := m.tolerance(e, to)
	alike := func(a, b []float32) bool {
		for k := range a {
			if !(math.Abs(float64(a[k])-float64(b[k])) <= least) {
				return false
			}
		}
		return true
	}
	var changed []int
	for i := range m.new.Count {
		own := m.to[i*m.new.Stride()+to:][:e.Size]
		if !slices.ContainsFunc(m.oldPoints.vertices[m.points[i]], func(v int32) bool {
			return alike(own, m.from[int(v)*m.old.Stride()+at:][:e.Size])
		}) {
			changed = append(changed, i)
		}
	}
	if len(changed) > 0 {
		m.elementChanged(e, changed)
	}
}

// compareWeights says which joints the vertices follow more or less than before. Of two meshes with other vertices it
// is those at places that both have.
func (m *Meshes) compareWeights() {
	if m.bound == nil {
		return
	}
	compared := m.new.Count
	if m.moved == nil {
		compared = 0
		old := newPointIndex(positionsOf(m.old, m.from))
		for i, at := range positionsOf(m.new, m.to) {
			if id, known := old.ids[at]; known {
				compared++
				m.bound.vertex(i, old.vertices[id]...)
			}
		}
	} else {
		for i := range m.new.Count {
			if m.reordered {
				m.bound.vertex(i, m.oldPoints.vertices[m.points[i]]...)
			} else {
				m.bound.vertex(i, int32(i))
			}
		}
	}
	if m.bound.changed > 0 {
		m.show(m.bound.part(compared))
	}
}

// compareTriangleLists compares the triangles.
func (m *Meshes) compareTriangleLists(ctx context.Context) error {
	m.showCount("part", len(m.new.Parts)-len(m.old.Parts))
	if m.reordered || m.moved == nil {
		return m.triangleCounts()
	}
	var added, removed int
	ordered := true
	for i := range min(len(m.old.Parts), len(m.new.Parts)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		a, err := triangles(m.old, m.old.Parts[i])
		if err != nil {
			return err
		}
		b, err := triangles(m.new, m.new.Parts[i])
		if err != nil {
			return err
		}
		more, fewer, same := compareTriangles(a, b)
		added, removed, ordered = added+more, removed+fewer, ordered && same
	}
	m.showCount("triangle", added)
	m.showCount("triangle", -removed)
	if added+removed == 0 && !ordered {
		m.add(Part{How: Changed, Field: "triangle order"})
	}
	return nil
}

// triangleCounts says how many triangles there are, where their vertices cannot be matched.
func (m *Meshes) triangleCounts() error {
	var counts [2]int
	for side, mesh := range []*scene.Mesh{m.old, m.new} {
		for _, p := range mesh.Parts {
			t, err := triangles(mesh, p)
			if err != nil {
				return err
			}
			counts[side] += len(t)
		}
	}
	if counts[0] != counts[1] {
		m.show(Part{How: Counted, Field: "triangle", N: int64(counts[1]), All: int64(counts[0])})
	}
	return nil
}

// triangles are those of a part, each from its smallest vertex on.
func triangles(m *scene.Mesh, p *scene.Part) ([][3]uint32, error) {
	in := m.PartIndices(p)
	if in.Len() > meshFloats {
		return nil, fmt.Errorf("%d indices are too many to compare", in.Len())
	}
	idx := make([]uint32, in.Len())
	if err := in.Read(0, idx); err != nil {
		return nil, err
	}
	var out [][3]uint32
	p.Primitive.EachTriangle(idx, func(a, b, c uint32) {
		switch least := min(a, b, c); least {
		case b:
			a, b, c = b, c, a
		case c:
			a, b, c = c, a, b
		}
		out = append(out, [3]uint32{a, b, c})
	})
	return out, nil
}

// compareTriangles counts the triangles that only one side has; ordered says that the others are in one order.
func compareTriangles(old, new [][3]uint32) (added, removed int, ordered bool) {
	ordered = len(old) == len(new)
	for i := 0; ordered && i < len(old); i++ {
		ordered = old[i] == new[i]
	}
	if ordered {
		return 0, 0, true
	}
	left := make(map[[3]uint32]int, len(old))
	for _, t := range old {
		left[t]++
	}
	for _, t := range new {
		if left[t] > 0 {
			left[t]--
		} else {
			added++
		}
	}
	return added, len(old) - (len(new) - added), false
}
