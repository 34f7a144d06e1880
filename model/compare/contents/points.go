package contents

import (
	"cmp"
	"math"
	"slices"

	"assay/model/scene"
)

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
func (s *pointIndex) nearest(list [][3]float32) (ids []int32, distances []float32, complete bool) {
	ids, distances, complete = make([]int32, len(list)), make([]float32, len(list)), true
	cache := make(map[[3]float32]nearestPoint)
	for i, p := range list {
		id, known := s.ids[positionBits(p)]
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
			s.tree.nearest(p, 0, &found)
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
