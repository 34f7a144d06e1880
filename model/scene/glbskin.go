package scene

import (
	"encoding/binary"
	"io"
	"math"
)

// boundSkin is a skin in glTF's terms: joints that exist, each once.
type boundSkin struct {
	index  int   // -1: nothing of it is usable
	joints []int // for each joint of the scene's skin the number in glTF's, -1 if it does not exist
	count  int
}

// joints adds the joints of a skin that are nowhere in the tree as further roots.
func (b *glb) joints(s *Skin) []int {
	var added []int
	for _, j := range s.Joints {
		if j == nil {
			continue
		}
		if _, ok := b.index[j]; !ok {
			b.report.add("joints outside the scene are added to it", j.Name)
			added = append(added, b.grow([]*Node{j}, -1)...)
		}
	}
	return added
}

// commonRoot puts all roots below one node if the joints of a skin are below several: glTF wants one above them all.
func (b *glb) commonRoot() {
	for _, n := range b.nodes {
		if n.Skin == nil {
			continue
		}
		first := -1
		for _, j := range n.Skin.Joints {
			i, ok := b.index[j]
			if !ok {
				continue
			}
			if first >= 0 && b.top[i] != first {
				root := &b.doc.Scenes[0]
				k := b.extra(b.scene.Name)
				b.doc.Nodes[k].Children = root.Nodes
				root.Nodes = []int{k}
				return
			}
			first = b.top[i]
		}
	}
}

// skin returns the skin in glTF's terms, with its inverse bind matrices: bind shape first, then to the joint.
func (b *glb) skin(s *Skin) *boundSkin {
	if got, ok := b.skins[s]; ok {
		return got
	}
	out := &boundSkin{index: -1, joints: make([]int, len(s.Joints))}
	b.skins[s] = out
	g := gltfSkin{Name: s.Name}
	var inverse []byte
	number := make(map[*Node]int)
	for i, j := range s.Joints {
		out.joints[i] = -1
		if j == nil {
			b.report.add("joints that do not exist are ignored", s.Name)
			continue
		}
		if k, ok := number[j]; ok {
			b.report.add("duplicate joints are written once", j.Name)
			out.joints[i] = k
			continue
		}
		m := Identity
		if i < len(s.Inverse) {
			m = s.Inverse[i].Times(s.BindShape)
		}
		if i >= len(s.Inverse) || !m.finite() || m[3] != 0 || m[7] != 0 || m[11] != 0 ||
			math.Abs(float64(m[15])-1) > 1e-5 {
			b.report.add("inverse bind matrices that are missing or not finite are replaced by the identity", j.Name)
			m = Identity
		}
		m[15] = 1
		out.joints[i] = len(g.Joints)
		number[j] = len(g.Joints)
		g.Joints = append(g.Joints, b.index[j])
		for _, v := range m {
			inverse = binary.LittleEndian.AppendUint32(inverse, math.Float32bits(v))
		}
	}
	out.count = len(g.Joints)
	if out.count == 0 {
		b.report.add("skins without joints are not exported", s.Name)
		return out
	}
	g.Inverse = b.array(gltfAccessor{Component: gltfFloat, Count: out.count, Type: "MAT4"}, 0, func(w io.Writer) error {
		_, err := w.Write(inverse)
		return err
	})
	out.index = add(&b.doc.Skins, g)
	return out
}
