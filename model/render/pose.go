package render

import (
	"fmt"
	"math"
	"slices"

	"assay/model"
	"assay/model/scene"
)

// Update moves the vertices to the pose.
func (m *Model) Update() {
	model.Bands(len(m.instances), func(from, to int) {
		for i := from; i < to; i++ {
			m.poseInstance(&m.instances[i])
		}
	})
}

// world returns the transform from a node of the pose to the upright scene.
func (m *Model) world(node int) scene.Matrix {
	if m.up == scene.Identity {
		return m.pose.World[node]
	}
	return m.up.Times(m.pose.World[node])
}

func (m *Model) poseInstance(inst *instance) {
	out := m.vertices[inst.first : int(inst.first)+len(inst.positions)]
	if inst.skin != nil && inst.geometry.joints != nil && len(inst.joints) > 0 {
		if palette := m.palette(inst); palette != nil {
			inst.bend(out, palette)
			return
		}
	}
	inst.carry(out, m.bound(inst))
}

// bound returns the transform of an instance that no joints bend. A skinned one has its bind pose.
func (m *Model) bound(inst *instance) scene.Matrix {
	if inst.skin != nil && inst.geometry.joints == nil && inst.skin.BindShape.IsValid() {
		space := m.up
		if i := m.pose.Index(inst.skin.Space); i >= 0 {
			space = m.world(i)
		}
		return space.Times(inst.skin.BindShape)
	}
	return m.world(inst.node)
}

// carry transforms all vertices by one matrix.
func (inst *instance) carry(out []vertex, world scene.Matrix) {
	rotation := normals(world)
	for i, p := range inst.positions {
		v := vertex{position: world.Apply(p)}
		if !placed(v.position) {
			v.position[0] = float32(math.NaN())
		}
		if inst.normals != nil {
			v.normal = narrow(rotation.turn(wide(inst.normals[i])).unit())
		}
		out[i] = v
	}
}

// palette returns a transform for each joint of a skin, from the stored mesh to the upright scene, or nil if no joint
// exists.
func (m *Model) palette(inst *instance) []scene.Matrix {
	palette := m.pose.Palette(m.pose.Nodes[inst.node])
	if m.up != scene.Identity {
		for i, joint := range palette {
			palette[i] = m.up.Times(joint)
		}
	}
	return palette
}

// bend moves each vertex with its joints: the weights of missing joints are distributed to the others. A vertex without
// joints follows the first.
func (inst *instance) bend(out []vertex, palette []scene.Matrix) {
	for i, p := range inst.positions {
		var m [12]float32
		sum := float32(0)
		for k, j := range inst.geometry.joints[i] {
			w := inst.weights[i][k]
			if j < 0 || int(j) >= len(palette) || w == 0 {
				continue
			}
			sum += w
			blend(&m, &palette[j], w)
		}
		if sum < 1e-3 {
			blend(&m, &palette[0], 1)
		} else if sum < 1-1e-3 {
			for c := range m {
				m[c] /= sum
			}
		}
		v := vertex{position: [3]float32{
			m[0]*p[0] + m[3]*p[1] + m[6]*p[2] + m[9],
			m[1]*p[0] + m[4]*p[1] + m[7]*p[2] + m[10],
			m[2]*p[0] + m[5]*p[1] + m[8]*p[2] + m[11]}}
		if !placed(v.position) {
			v.position[0] = float32(math.NaN())
		}
		if inst.normals != nil { // joints hardly ever scale unevenly: their own matrix rotates normals well enough
			n := inst.normals[i]
			turned := vec3{m[0]*n[0] + m[3]*n[1] + m[6]*n[2], m[1]*n[0] + m[4]*n[1] + m[7]*n[2],
				m[2]*n[0] + m[5]*n[1] + m[8]*n[2]}.unit()
			v.normal = [3]float32{turned.x, turned.y, turned.z}
		}
		out[i] = v
	}
}

// blend adds a share of a transform, without its last row.
func blend(into *[12]float32, m *scene.Matrix, w float32) {
	for c := range 4 {
		for r := range 3 {
			into[3*c+r] += w * m[4*c+r]
		}
	}
}

// problemsMost is the maximum number of messages about a model.
const problemsMost = 100

// Problems returns messages about missing files and about deviations of the drawing from the file.
func (m *Model) Problems() []string {
	problems := slices.Concat(m.scene.Missing, m.problems)
	if m.Omitted {
		problems = append(problems, "the scene is too large; only part of it is drawn")
	}
	return problems
}

func (m *Model) problem(format string, args ...any) {
	sentence := fmt.Sprintf(format, args...)
	if len(m.problems) < problemsMost && !slices.Contains(m.problems, sentence) {
		m.problems = append(m.problems, sentence)
	}
}

// unplaced reports transforms that are not finite.
func (m *Model) unplaced() {
	n := 0
	var first string
	for _, node := range m.pose.Nodes {
		if slices.ContainsFunc(node.Transform[:], func(f float32) bool { return f-f != 0 }) {
			if n == 0 {
				first = node.Name
			}
			n++
		}
	}
	if n > 0 {
		m.problem("%d nodes have invalid transforms (the first is %s); drawn at their parents",
			n, model.OneLine(first, 60))
	}
}

// placeless reports vertices with invalid positions, stored or after the transforms of their nodes.
func (m *Model) placeless() {
	n := 0
	var first string
	for i := range m.instances {
		inst := &m.instances[i]
		for _, v := range m.vertices[inst.first : int(inst.first)+len(inst.positions)] {
			if v.position[0] == v.position[0] {
				continue
			}
			if n == 0 {
				first = m.pose.Nodes[inst.node].Name
			}
			n++
		}
	}
	if n > 0 {
		m.problem("%d vertices have invalid positions (the first in %s); their triangles and lines are not drawn",
			n, model.OneLine(first, 60))
	}
}

// jointless reports vertices of an instance with joints that the skin does not have.
func (m *Model) jointless(inst *instance, name string) {
	n := 0
	for i, joints := range inst.geometry.joints {
		for k, j := range joints {
			if int(j) >= len(inst.joints) && inst.weights[i][k] > 0 {
				n++
				break
			}
		}
	}
	if n > 0 {
		m.problem("%[2]d vertices of %[1]s refer to missing joints; drawn with the first joint",
			model.OneLine(name, 60), n)
	}
}
