package contents

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"assay/model"
	"assay/model/scene"
)

// jointPairs matches the joints of two skins: by name, or if only the name differs.
type jointPairs struct {
	old, new *scene.Skin
	toOld    []int // by index in the new skin; -1 for no match
	toNew    []int
}

func pairJoints(old, new *scene.Skin) *jointPairs {
	p := &jointPairs{old: old, new: new, toOld: make([]int, len(new.Joints)), toNew: make([]int, len(old.Joints))}
	indexes := make(map[string]int, len(old.Joints))
	for i, j := range old.Joints {
		p.toNew[i] = -1
		indexes[jointName(j)] = i
	}
	for i, j := range new.Joints {
		p.toOld[i] = -1
		if k, known := indexes[jointName(j)]; known && p.toNew[k] < 0 {
			p.toOld[i], p.toNew[k] = k, i
		}
	}
	for i := range min(len(old.Joints), len(new.Joints)) {
		if p.toOld[i] < 0 && p.toNew[i] < 0 && SameTransform(inverseBind(old, i), inverseBind(new, i)) {
			p.toOld[i], p.toNew[i] = i, i
		}
	}
	return p
}

func jointName(j *scene.Node) string {
	if j == nil {
		return ""
	}
	return j.Name
}

// inverseBind returns the inverse bind matrix of a joint.
func inverseBind(s *scene.Skin, joint int) scene.Matrix {
	if joint < len(s.Inverse) {
		return s.Inverse[joint]
	}
	return scene.Identity
}

// skinChanges returns the joints of a skin that were added, removed, renamed, reordered, or bound in another pose.
func skinChanges(old, new *scene.Skin) (s Changes) {
	p := pairJoints(old, new)
	var added, removed, renamed, moved, rotated []string
	last, ordered := -1, true
	for i, j := range new.Joints {
		k, name := p.toOld[i], jointName(j)
		if k < 0 {
			added = append(added, name)
			continue
		}
		ordered = ordered && k > last
		last = k
		if was := jointName(old.Joints[k]); was != name {
			renamed = append(renamed, name+", was "+was)
		}
		from, to := inverseBind(old, k), inverseBind(new, i)
		if SameTransform(from, to) {
			continue
		}
		if by, ok := jointDistance(from, to); ok {
			moved = append(moved, fmt.Sprintf("%s by %.3g", name, by))
		} else {
			rotated = append(rotated, name)
		}
	}
	for k, j := range old.Joints {
		if p.toNew[k] < 0 {
			removed = append(removed, jointName(j))
		}
	}
	for _, p := range []PartChange{{How: Added, Names: added}, {How: Removed, Names: removed},
		{How: Renamed, Names: renamed},
		{How: Moved, Names: moved}, {How: Turned, Names: rotated}} {
		if p.Field, p.N = "joint", int64(len(p.Names)); p.N > 0 {
			s.add(p)
		}
	}
	if !ordered {
		s.add(PartChange{How: Reordered, Field: "joints"})
	}
	if !SameTransform(old.BindShape, new.BindShape) {
		s.add(PartChange{How: Changed, Field: "bind shape"})
	}
	return s
}

// jointDistance returns the distance between two bind poses of a joint; false if their positions are the same,
// or one of them is unknown.
func jointDistance(old, new scene.Matrix) (far float32, ok bool) {
	a, okA := old.Center()
	b, okB := new.Center()
	if !okA || !okB {
		return 0, false
	}
	reach := 1.
	for i := range a {
		reach = max(reach, math.Abs(float64(a[i])), math.Abs(float64(b[i])))
	}
	far = distance(a, b)
	return far, float64(far) > 1e-5*reach
}

// weightComparer compares the joints of the vertices of two meshes, and their weights.
type weightComparer struct {
	names                              []string
	old, new                           bindings
	changed                            int // vertices
	joints                             map[int]*weightChange
	oldWeights, newWeights, difference []jointWeight // of the current vertex
}

// weightChange is the number of vertices that follow a joint more or less than before, and the largest change.
type weightChange struct {
	joint, vertices int
	largest         float64
}

// bindings are the joints and the weights of the vertices of a mesh.
type bindings struct {
	values                         []float32
	stride                         int
	jointsAt, weightsAt, perVertex int
	joints                         []int // index in weightComparer.names, by the joint number of a vertex
}

type jointWeight struct {
	joint  int
	weight float64
}

// newWeightComparer returns the comparer of the weights of two meshes, or nil if they do not both follow named joints.
func (m *Meshes) newWeightComparer(old, new *scene.Skin) *weightComparer {
	if old == nil || new == nil {
		return nil
	}
	w := &weightComparer{joints: make(map[int]*weightChange)}
	var okOld, okNew bool
	w.old, okOld = bindingsOf(m.old, m.oldValues)
	w.new, okNew = bindingsOf(m.new, m.newValues)
	if !okOld || !okNew {
		return nil
	}
	p := pairJoints(old, new)
	for i, j := range new.Joints {
		w.new.joints = append(w.new.joints, i)
		w.names = append(w.names, jointName(j))
	}
	for i, j := range old.Joints {
		to := p.toNew[i]
		if to < 0 {
			to = len(w.names)
			w.names = append(w.names, jointName(j))
		}
		w.old.joints = append(w.old.joints, to)
	}
	return w
}

func bindingsOf(m *scene.Mesh, values []float32) (bindings, bool) {
	joints, n := m.Find(scene.Joints, 0)
	weights, k := m.Find(scene.Weights, 0)
	return bindings{values: values, stride: m.Stride(), jointsAt: joints, weightsAt: weights, perVertex: min(n, k)},
		joints >= 0 && weights >= 0 && n == k
}

// appendJoints appends the joints of a vertex, each joint once.
func (b *bindings) appendJoints(vertex int, to []jointWeight) []jointWeight {
	values := b.values[vertex*b.stride:]
	for i := range b.perVertex {
		number, weight := values[b.jointsAt+i], float64(values[b.weightsAt+i])
		if weight == 0 || !(number >= 0 && number < float32(len(b.joints))) {
			continue
		}
		to = addWeight(to, b.joints[int(number)], weight)
	}
	return to
}

func addWeight(to []jointWeight, joint int, weight float64) []jointWeight {
	for i := range to {
		if to[i].joint == joint {
			to[i].weight += weight
			return to
		}
	}
	return append(to, jointWeight{joint, weight})
}

// addVertex compares a new vertex with the most similar of some old ones.
func (w *weightComparer) addVertex(new int, old ...int32) {
	w.newWeights = w.new.appendJoints(new, w.newWeights[:0])
	var best []jointWeight
	least := math.Inf(1)
	for _, v := range old {
		w.oldWeights = w.old.appendJoints(int(v), w.oldWeights[:0])
		w.difference = append(w.difference[:0], w.newWeights...)
		for _, b := range w.oldWeights {
			w.difference = addWeight(w.difference, b.joint, -b.weight)
		}
		sum := 0.0
		for _, b := range w.difference {
			sum += math.Abs(b.weight)
		}
		if sum < least {
			best, least = append(best[:0], w.difference...), sum
		}
	}
	differs := false
	for _, b := range best {
		by := math.Abs(b.weight)
		if !(by > minWeightChange) {
			continue
		}
		differs = true
		c := w.joints[b.joint]
		if c == nil {
			c = &weightChange{joint: b.joint}
			w.joints[b.joint] = c
		}
		c.vertices++
		c.largest = max(c.largest, by)
	}
	if differs {
		w.changed++
	}
}

// minWeightChange is the minimum reported change of a joint's share in the movement of a vertex: exporters round
// weights.
const minWeightChange = 1e-5

// part returns the joints that vertices follow more or less than before, the joints with the most vertices first.
func (w *weightComparer) part(vertices int) PartChange {
	p := PartChange{How: Changed, Of: "weights of", Field: "vertices", N: int64(w.changed), All: int64(vertices)}
	list := slices.SortedFunc(maps.Values(w.joints), func(a, b *weightChange) int {
		return cmp.Or(b.vertices-a.vertices, strings.Compare(w.names[a.joint], w.names[b.joint]))
	})
	for _, c := range list {
		p.Names = append(p.Names, fmt.Sprintf("%s: %s by up to %.2g", w.names[c.joint],
			model.Count(c.vertices, "vertex"), c.largest))
	}
	return p
}

// SameTransform reports whether two transforms are the same except for rounding.
func SameTransform(a, b scene.Matrix) bool {
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		if d := math.Abs(x - y); d > 1e-5*max(1, math.Abs(x), math.Abs(y)) {
			return false
		}
	}
	return true
}
