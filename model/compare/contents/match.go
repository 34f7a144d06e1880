package contents

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"assay/model"
	"assay/model/compare/align"
	"assay/model/scene"
)

// maxSearched is the largest number of vertices that are searched by position: each search takes some microseconds.
const maxSearched = 1 << 19

// vertexBits identifies the bits of numbers, so that NaN is equal to NaN of the same bits.
type vertexBits = xxh3.Uint128

// bitsOf returns the identity of numbers; buffer is reused.
func bitsOf(v []float32, buffer []byte) (vertexBits, []byte) {
	buffer = buffer[:0]
	for _, f := range v {
		buffer = binary.LittleEndian.AppendUint32(buffer, math.Float32bits(f))
	}
	return xxh3.Hash128(buffer), buffer
}

// sameBits reports whether two lists of numbers have the same bits.
func sameBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

func (m *Meshes) vertex(side, i int) []float32 {
	mesh, values := m.old, m.oldValues
	if side == 1 {
		mesh, values = m.new, m.newValues
	}
	return values[i*mesh.Stride():][:mesh.Stride()]
}

// matchVertices finds the old vertex of each new one, if both meshes have as many: the vertex with its index, unless
// the new mesh has the old vertices in another order.
func (m *Meshes) matchVertices() {
	if m.old.Count != m.new.Count {
		return
	}
	m.match = make([]int32, m.new.Count)
	sameLayout := slices.Equal(m.old.Elements, m.new.Elements)
	var changed []int32
	for i := range m.match {
		m.match[i] = int32(i)
		if !sameLayout || !sameBits(m.vertex(0, i), m.vertex(1, i)) {
			changed = append(changed, int32(i))
		}
	}
	if len(changed) == 0 {
		return
	}
	if sameLayout {
		if rest, _ := m.joinEqual(changed, changed, m.vertex); len(rest) == 0 {
			m.countReordered()
			return
		}
		for _, i := range changed {
			m.match[i] = i
		}
	}
	m.oldPositions, m.newPositions = positionsOf(m.old, m.oldValues), positionsOf(m.new, m.newValues)
	if m.oldPositions == nil || m.newPositions == nil {
		return
	}
	displaced := m.displacedVertices(changed)
	m.motion = m.commonMotion(displaced)
	if m.motion == nil && len(displaced) > 1 {
		m.matchByPosition(changed, len(displaced), sameLayout)
	}
}

// displacedVertices returns the vertices whose positions differ at the same index.
func (m *Meshes) displacedVertices(vertices []int32) (displaced []int32) {
	for _, i := range vertices {
		if !m.samePosition(m.oldPositions[i], m.newPositions[i]) {
			displaced = append(displaced, i)
		}
	}
	return displaced
}

// joinEqual matches new vertices with old ones of equal numbers. It returns the unmatched ones.
func (m *Meshes) joinEqual(oldVertices, newVertices []int32, numbers func(side, i int) []float32) (old, new []int32) {
	free := make(map[vertexBits][]int32, len(oldVertices))
	var id vertexBits
	var buffer []byte
	for _, i := range slices.Backward(oldVertices) {
		id, buffer = bitsOf(numbers(0, int(i)), buffer)
		free[id] = append(free[id], i)
	}
	matched := make(map[int32]bool, len(oldVertices))
	for _, i := range newVertices {
		id, buffer = bitsOf(numbers(1, int(i)), buffer)
		list := free[id]
		if len(list) == 0 {
			new = append(new, i)
			continue
		}
		last := len(list) - 1
		m.match[i], free[id] = list[last], list[:last]
		matched[list[last]] = true
	}
	for _, i := range oldVertices {
		if !matched[i] {
			old = append(old, i)
		}
	}
	return old, new
}

// matchByPosition finds a permutation of vertices with the positions of the old mesh but other values or some moved
// vertices, among candidates. It keeps the indices if half of the displaced vertices or more have no old position.
func (m *Meshes) matchByPosition(candidates []int32, displaced int, sameLayout bool) {
	old, new := candidates, candidates
	if sameLayout {
		old, new = m.joinEqual(old, new, m.vertex)
	}
	old, new = m.joinEqual(old, new, func(side, i int) []float32 {
		if side == 0 {
			return m.oldPositions[i][:]
		}
		return m.newPositions[i][:]
	})
	if len(new) > maxSearched {
		m.unsearched = len(new)
	} else {
		old, new = m.joinNearest(old, new)
	}
	if len(new) > 0 && len(new) >= displaced/2 {
		for _, i := range candidates {
			m.match[i] = i
		}
		return
	}
	m.unsearched = 0
	for k, i := range new {
		m.match[i] = old[k]
	}
	m.countReordered()
}

// joinNearest joins new vertices to free old ones at the same position except for rounding. It returns the rest in
// pairs: restOld[k] is a free old vertex at the position nearest to restNew[k], or any other free one.
func (m *Meshes) joinNearest(old, new []int32) (restOld, restNew []int32) {
	if len(old) == 0 || len(new) == 0 {
		return old, new
	}
	list := make([][3]float32, len(old))
	for k, i := range old {
		list[k] = m.oldPositions[i]
	}
	index := newPointIndex(list)
	positions := make([][3]float32, len(new))
	for k, i := range new {
		positions[k] = m.newPositions[i]
	}
	ids, distances, _ := index.nearest(positions)
	matched := make([]bool, len(old))
	joinFree := func(k int) bool {
		for _, o := range index.vertices[ids[k]] {
			if !matched[o] {
				matched[o], m.match[new[k]] = true, old[o]
				return true
			}
		}
		return false
	}
	var unplaced []int
	for k := range new {
		if float64(distances[k]) > m.minDifference || !isFinite(positions[k]) || !joinFree(k) {
			unplaced = append(unplaced, k)
		}
	}
	nearby := make(map[int]int32)
	for _, k := range unplaced {
		if isFinite(positions[k]) && joinFree(k) {
			nearby[k] = m.match[new[k]]
		}
	}
	var others []int32
	for o, i := range old {
		if !matched[o] {
			others = append(others, i)
		}
	}
	for _, k := range unplaced {
		o, known := nearby[k]
		if !known {
			o, others = others[0], others[1:]
		}
		restOld, restNew = append(restOld, o), append(restNew, new[k])
	}
	return restOld, restNew
}

// countReordered adds the number of vertices at another index and, where few vertices shifted many, the number of
// these.
func (m *Meshes) countReordered() {
	for i, old := range m.match {
		if int(old) != i {
			m.reordered++
		}
	}
	if m.reordered == 0 {
		return
	}
	p := PartChange{How: Reordered, Field: "vertex", N: int64(m.reordered), All: int64(m.new.Count)}
	moved := 0
	for _, rising := range align.LongestRising(m.match) {
		if !rising {
			moved++
		}
	}
	if m.reordered >= 2*moved { // the rows list only these
		p.Note = model.Count(moved, "vertex") + " moved past the others"
	}
	m.add(p)
}

// samePosition reports whether two positions have the same bits or differ insignificantly.
func (m *Meshes) samePosition(a, b [3]float32) bool {
	for k := range a {
		if !m.sameNumber(a[k], b[k], m.minDifference) {
			return false
		}
	}
	return true
}

// sameNumber reports whether two numbers have the same bits, or are so near that they count as the same.
func (m *Meshes) sameNumber(a, b float32, tolerance float64) bool {
	return math.Float32bits(a) == math.Float32bits(b) || math.Abs(float64(a)-float64(b)) <= tolerance ||
		m.opts.IsNear(float64(a), float64(b))
}

// reach returns the largest absolute value of the finite coordinates of both meshes.
func (m *Meshes) reach() float64 {
	return max(largestAbs(m.old, m.oldValues, scene.Position, 0), largestAbs(m.new, m.newValues, scene.Position, 0))
}

// largestAbs returns the largest absolute value of the finite numbers of an element of the vertices of a mesh.
func largestAbs(mesh *scene.Mesh, values []float32, u scene.Usage, set int) (most float64) {
	offset, size := mesh.Find(u, set)
	if offset < 0 {
		return 0
	}
	for i := range mesh.Count {
		for _, v := range values[i*mesh.Stride()+offset:][:size] {
			if v-v == 0 {
				most = max(most, math.Abs(float64(v)))
			}
		}
	}
	return most
}

func positionsOf(m *scene.Mesh, values []float32) [][3]float32 {
	offset, size := m.Find(scene.Position, 0)
	if offset < 0 {
		return nil
	}
	out := make([][3]float32, m.Count)
	for i := range out {
		copy(out[i][:], values[i*m.Stride()+offset:][:min(size, 3)])
	}
	return out
}

func distance(a, b [3]float32) float32 {
	d := 0.0
	for k := range a {
		e := float64(a[k]) - float64(b[k])
		d += e * e
	}
	return float32(math.Sqrt(d))
}

// pointIndex finds vertices by their positions.
type pointIndex struct {
	ids      map[[3]uint32]int32
	vertices [][]int32 // at each position
	tree     pointTree
}

func newPointIndex(list [][3]float32) *pointIndex {
	s := &pointIndex{ids: make(map[[3]uint32]int32, len(list))}
	for i, p := range list {
		id, known := s.ids[positionBits(p)]
		if !known {
			id = int32(len(s.vertices))
			s.ids[positionBits(p)] = id
			s.vertices = append(s.vertices, nil)
			if isFinite(p) {
				s.tree = append(s.tree, indexedPoint{p, id})
			}
		}
		s.vertices[id] = append(s.vertices[id], int32(i))
	}
	s.tree.sort(0)
	return s
}

// nearest returns the point nearest to each position, and its distance; 0 for positions that were not searched.
// complete is false if there are too many to search.
func (x *pointIndex) nearest(list [][3]float32) (ids []int32, distances []float32, complete bool) {
	ids, distances, complete = make([]int32, len(list)), make([]float32, len(list)), true
	cache := make(map[[3]float32]nearestPoint)
	for i, p := range list {
		id, known := x.ids[positionBits(p)]
		if ids[i] = id; known || !isFinite(p) {
			continue
		}
		found, before := cache[p]
		if !before {
			if len(cache) == maxSearched {
				complete = false
				continue
			}
			found = nearestPoint{far: float32(math.Inf(1))}
			x.tree.nearest(p, 0, &found)
			cache[p] = found
		}
		if found.far-found.far == 0 {
			ids[i], distances[i] = found.id, found.far
		}
	}
	return ids, distances, complete
}

func isFinite(p [3]float32) bool { return p[0]-p[0] == 0 && p[1]-p[1] == 0 && p[2]-p[2] == 0 }

type indexedPoint struct {
	position [3]float32
	id       int32
}

type nearestPoint struct {
	id  int32
	far float32
}

// pointTree finds the nearest of many points: a k-d tree, in the order of its list. The middle of a range divides it
// along the axis of its depth.
type pointTree []indexedPoint

// sort puts a range in order. It is as deep as the logarithm of the number of points.
func (t pointTree) sort(axis int) {
	if len(t) < 2 {
		return
	}
	slices.SortFunc(t, func(a, b indexedPoint) int { return cmp.Compare(a.position[axis], b.position[axis]) })
	next := (axis + 1) % 3
	t[:len(t)/2].sort(next)
	t[len(t)/2+1:].sort(next)
}

func (t pointTree) nearest(p [3]float32, axis int, best *nearestPoint) {
	if len(t) == 0 {
		return
	}
	middle := len(t) / 2
	if d := distance(p, t[middle].position); d < best.far {
		*best = nearestPoint{t[middle].id, d}
	}
	near, far := t[:middle], t[middle+1:]
	d := p[axis] - t[middle].position[axis]
	if d > 0 {
		near, far = far, near
	}
	next := (axis + 1) % 3
	near.nearest(p, next, best)
	if float32(math.Abs(float64(d))) < best.far {
		far.nearest(p, next, best)
	}
}

// KeepsPositions reports whether no position differs, or the same triangles are drawn of other vertices.
func (m *Meshes) KeepsPositions() bool { return m.drawsSame || m.match != nil && m.movedCount == 0 }

// Distances returns how far each vertex of both meshes moved: from the matching vertex or, if the meshes have different
// numbers of vertices, to the nearest one. Both are nil if that is unknown.
func (m *Meshes) Distances() (old, new []float32) {
	from, to := positionsOf(m.old, m.oldValues), positionsOf(m.new, m.newValues)
	if len(from) == 0 || len(to) == 0 {
		return nil, nil
	}
	if m.match != nil {
		old, new = make([]float32, len(from)), make([]float32, len(to))
		for i, o := range m.match {
			if m.moved[i] {
				new[i] = distance(from[o], to[i])
				old[o] = new[i]
			}
		}
		return old, new
	}
	complete := true
	nearest := func(list, other [][3]float32) []float32 {
		_, far, ok := newPointIndex(other).nearest(list)
		complete = complete && ok
		for i, d := range far {
			if float64(d) <= m.minDifference {
				far[i] = 0
			}
		}
		return far
	}
	if old, new = nearest(from, to), nearest(to, from); !complete {
		return nil, nil
	}
	return old, new
}
