package render

import (
	"fmt"
	"slices"

	"assay/model"
)

// problemsMost is how many sentences about a model are kept.
const problemsMost = 100

// Problems says in sentences what the scene lacks, and what of it is not drawn as the file has it.
func (m *Model) Problems() []string {
	all := slices.Concat(m.scene.Missing, m.problems)
	if m.Omitted {
		all = append(all, "the scene is too large; only part of it is drawn")
	}
	return all
}

func (m *Model) problem(format string, args ...any) {
	sentence := fmt.Sprintf(format, args...)
	if len(m.problems) < problemsMost && !slices.Contains(m.problems, sentence) {
		m.problems = append(m.problems, sentence)
	}
}

// unplaced notes the transforms that are not numbers.
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

// placeless notes the vertices that are nowhere, as their own coordinates or where their nodes are moves them there.
func (m *Model) placeless() {
	n := 0
	var first string
	for i := range m.instances {
		in := &m.instances[i]
		for _, v := range m.vertices[in.first : int(in.first)+len(in.positions)] {
			if v.at[0] == v.at[0] {
				continue
			}
			if n == 0 {
				first = m.pose.Nodes[in.node].Name
			}
			n++
		}
	}
	if n > 0 {
		m.problem("%d vertices have invalid positions (the first in %s); their triangles and lines are not drawn",
			n, model.OneLine(first, 60))
	}
}

// jointless notes the vertices of an instance that follow joints that the skin does not have.
func (m *Model) jointless(in *instance, name string) {
	n := 0
	for i, joints := range in.geometry.joints {
		for k, j := range joints {
			if int(j) >= len(in.joints) && in.weights[i][k] > 0 {
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
