package contents

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"assay/model/scene"
)

// jointPairs says which joints of two skins are the same ones: by name, or where only the name differs.
type jointPairs struct {
	old, new *scene.Skin
	toOld    []int // by number in the new skin; -1 for none
	toNew    []int
}

func pairJoints(old, new *scene.Skin) *jointPairs {
	p := &jointPairs{old: old, new: new, toOld: make([]int, len(new.Joints)), toNew: make([]int, len(old.Joints))}
	at := make(map[string]int, len(old.Joints))
	for i, j := range old.Joints {
		p.toNew[i] = -1
		at[jointName(j)] = i
	}
	for i, j := range new.Joints {
		p.toOld[i] = -1
		if k, known := at[jointName(j)]; known && p.toNew[k] < 0 {
			p.toOld[i], p.toNew[k] = k, i
		}
	}
	for i := range min(len(old.Joints), len(new.Joints)) {
		if p.toOld[i] < 0 && p.toNew[i] < 0 && SamePlace(bindPose(old, i), bindPose(new, i)) {
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

// bindPose is the inverse bind matrix of a joint.
func bindPose(s *scene.Skin, joint int) scene.Matrix {
	if joint < len(s.Inverse) {
		return s.Inverse[joint]
	}
	return scene.Identity
}

// skinChanges returns which joints of a skin came, went, and are bound elsewhere.
func skinChanges(old, new *scene.Skin) (s Changes) {
	p := pairJoints(old, new)
	var added, removed, renamed, moved, turned []string
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
		from, to := bindPose(old, k), bindPose(new, i)
		if SamePlace(from, to) {
			continue
		}
		if by, ok := jointDistance(from, to); ok {
			moved = append(moved, fmt.Sprintf("%s by %.3g", name, by))
		} else {
			turned = append(turned, name)
		}
	}
	for k, j := range old.Joints {
		if p.toNew[k] < 0 {
			removed = append(removed, jointName(j))
		}
	}
	for _, p := range []Part{{How: Added, Names: added}, {How: Removed, Names: removed}, {How: Renamed, Names: renamed},
		{How: Moved, Names: moved}, {How: Turned, Names: turned}} {
		if p.Field, p.N = "joint", int64(len(p.Names)); p.N > 0 {
			s.add(p)
		}
	}
	if !ordered {
		s.add(Part{How: Reordered, Field: "joints"})
	}
	if !SamePlace(old.BindShape, new.BindShape) {
		s.add(Part{How: Changed, Field: "bind shape"})
	}
	return s
}

// jointDistance returns how far a joint is from where it was bound; false if it is where it was.
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

// jointWeights compares by which joints the vertices of two meshes are moved, and how much.
type jointWeights struct {
	names      []string
	old, new   bindings
	changed    int // vertices
	joints     map[int]*weightChange
	was, is, d []bound // of the vertex that is looked at
}

// weightChange is how many vertices follow a joint more or less than before, and the largest change.
type weightChange struct {
	joint, vertices int
	largest         float64
}

// bindings are the joints and the weights of the vertices of a mesh.
type bindings struct {
	all                     []float32
	stride                  int
	joints, weights, number int
	joint                   []int // by the number that a vertex has
}

type bound struct {
	joint  int
	weight float64
}

// weights returns what compares the weights of two meshes; nil if they do not both follow joints that are known.
func (m *Meshes) weights(old, new *scene.Skin) *jointWeights {
	if old == nil || new == nil {
		return nil
	}
	w := &jointWeights{joints: make(map[int]*weightChange)}
	var okOld, okNew bool
	w.old, okOld = bindingsOf(m.old, m.from)
	w.new, okNew = bindingsOf(m.new, m.to)
	if !okOld || !okNew {
		return nil
	}
	p := pairJoints(old, new)
	for i, j := range new.Joints {
		w.new.joint = append(w.new.joint, i)
		w.names = append(w.names, jointName(j))
	}
	for i, j := range old.Joints {
		to := p.toNew[i]
		if to < 0 {
			to = len(w.names)
			w.names = append(w.names, jointName(j))
		}
		w.old.joint = append(w.old.joint, to)
	}
	return w
}

func bindingsOf(m *scene.Mesh, all []float32) (bindings, bool) {
	joints, n := m.Find(scene.Joints, 0)
	weights, k := m.Find(scene.Weights, 0)
	return bindings{all: all, stride: m.Stride(), joints: joints, weights: weights, number: min(n, k)},
		joints >= 0 && weights >= 0 && n == k
}

// of appends what a vertex follows, each joint once.
func (b *bindings) of(vertex int, to []bound) []bound {
	at := b.all[vertex*b.stride:]
	for i := range b.number {
		number, weight := at[b.joints+i], float64(at[b.weights+i])
		if weight == 0 || !(number >= 0 && number < float32(len(b.joint))) {
			continue
		}
		to = addBound(to, b.joint[int(number)], weight)
	}
	return to
}

func addBound(to []bound, joint int, weight float64) []bound {
	for i := range to {
		if to[i].joint == joint {
			to[i].weight += weight
			return to
		}
	}
	return append(to, bound{joint, weight})
}

// vertex compares a vertex with those of the old mesh that it may have been: the one that it is most like.
func (w *jointWeights) vertex(new int, old ...int32) {
	w.is = w.new.of(new, w.is[:0])
	var best []bound
	least := math.Inf(1)
	for _, v := range old {
		w.was = w.old.of(int(v), w.was[:0])
		w.d = append(w.d[:0], w.is...)
		for _, b := range w.was {
			w.d = addBound(w.d, b.joint, -b.weight)
		}
		sum := 0.0
		for _, b := range w.d {
			sum += math.Abs(b.weight)
		}
		if sum < least {
			best, least = append(best[:0], w.d...), sum
		}
	}
	differs := false
	for _, b := range best {
		by := math.Abs(b.weight)
		if !(by > weightLeast) {
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

// weightLeast is how much of a vertex's movement a joint gains or loses to be reported: exporters round weights.
const weightLeast = 1e-5

// part returns which joints the vertices follow more or less than before, those of the most vertices first.
func (w *jointWeights) part(vertices int) Part {
	p := Part{How: Changed, Of: "weights of", Field: "vertices", N: int64(w.changed), All: int64(vertices)}
	list := slices.SortedFunc(maps.Values(w.joints), func(a, b *weightChange) int {
		return cmp.Or(b.vertices-a.vertices, strings.Compare(w.names[a.joint], w.names[b.joint]))
	})
	for _, c := range list {
		p.Names = append(p.Names, fmt.Sprintf("%s: %s vertices, by up to %.2g", w.names[c.joint], comma(int64(c.vertices)),
			c.largest))
	}
	return p
}

// SamePlace reports whether two transforms are the same but for rounding.
func SamePlace(a, b scene.Matrix) bool {
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		if d := math.Abs(x - y); d > 1e-5*max(1, math.Abs(x), math.Abs(y)) {
			return false
		}
	}
	return true
}
