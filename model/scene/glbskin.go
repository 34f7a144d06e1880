package scene

import (
	"encoding/binary"
	"io"
	"math"
)

// boundSkin is a skin in the form of glTF: existing joints, each once.
type boundSkin struct {
	number int   // -1 if it has no joints
	joints []int // for each joint of the scene's skin the number in glTF's, -1 if it does not exist
	count  int
}

// addJoints adds the joints of a skin that are not in the tree as further roots.
func (b *glb) addJoints(s *Skin) []int {
	var added []int
	for _, j := range s.Joints {
		if j == nil {
			continue
		}
		if _, ok := b.index[j]; !ok {
			b.report.add("joints outside the scene are added to it", j.Name)
			added = append(added, b.addNodes([]*Node{j}, -1)...)
		}
	}
	return added
}

// addCommonRoot adds a node above all roots if the joints of a skin are below several: glTF requires a common root.
func (b *glb) addCommonRoot() {
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
			if first >= 0 && b.rootOf[i] != first {
				root := &b.doc.Scenes[0]
				k := b.addNode(b.scene.Name)
				b.doc.Nodes[k].Children = root.Nodes
				root.Nodes = []int{k}
				return
			}
			first = b.rootOf[i]
		}
	}
}

// addSkin returns the skin in the form of glTF, with its inverse bind matrices, which include the bind shape.
func (b *glb) addSkin(s *Skin) *boundSkin {
	if got, ok := b.skins[s]; ok {
		return got
	}
	out := &boundSkin{number: -1, joints: make([]int, len(s.Joints))}
	b.skins[s] = out
	g := gltfSkin{Name: s.Name}
	var matrices []byte
	indexOf := make(map[*Node]int)
	for i, j := range s.Joints {
		out.joints[i] = -1
		if j == nil {
			b.report.add("joints that do not exist are ignored", s.Name)
			continue
		}
		if k, ok := indexOf[j]; ok {
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
		indexOf[j] = len(g.Joints)
		g.Joints = append(g.Joints, b.index[j])
		for _, v := range m {
			matrices = binary.LittleEndian.AppendUint32(matrices, math.Float32bits(v))
		}
	}
	out.count = len(g.Joints)
	if out.count == 0 {
		b.report.add("skins without joints are not exported", s.Name)
		return out
	}
	g.Inverse = b.addAccessor(gltfAccessor{Component: gltfFloat, Count: out.count, Type: "MAT4"}, 0, func(w io.Writer) error {
		_, err := w.Write(matrices)
		return err
	})
	out.number = add(&b.doc.Skins, g)
	return out
}
