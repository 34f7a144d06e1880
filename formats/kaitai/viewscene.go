package kaitai

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/model"
	"assay/model/scene"
)

// sceneView is meshes in a tree of nodes with transforms. The operands below Nodes begin at an element of that list.
type sceneView struct {
	Meshes operand `key:"meshes"` // a list of objects with a mesh view
	Up     operand `key:"up"`     // guessed if left out
	Nodes  operand `key:"nodes"`  // nothing: a node for each mesh

	Mesh        operand `key:"mesh"`   // an index in Meshes, or an object with a mesh view
	Parent      operand `key:"parent"` // an index in Nodes
	Name        operand `key:"name"`   // the label of the element if left out
	Matrix      operand `key:"matrix"` // 16 numbers, column by column
	Translation operand `key:"translation"`
	Rotation    operand `key:"rotation"` // a quaternion: x, y, z, w
	Scale       operand `key:"scale"`

	// InverseBind are matrices of the joints, which are the elements of Nodes with the indices Joints of an element, or
	// the first ones.
	Joints      operand `key:"joints"`
	InverseBind operand `key:"inverse-bind"`
}

func (v *sceneView) read(r *yamlReader, e entry) error {
	v.Up.words = []string{"y", "z"}
	err := r.keys(e, v)
	switch {
	case err != nil:
	case !v.Meshes.isSet() && !v.Nodes.isSet():
		err = e.fail("a scene needs nodes or meshes")
	case v.Matrix.isSet() && (v.Translation.isSet() || v.Rotation.isSet() || v.Scale.isSet()):
		err = e.fail("a transform is either a matrix, or translation, rotation and scale")
	}
	return err
}

// operands returns the operands that begin at the object.
func (v *sceneView) operands() []operand { return []operand{v.Meshes, v.Up, v.Nodes, v.InverseBind} }

// Limits of a scene of a view: the number of its nodes, and how deep they are in each other.
const (
	maxSceneNodes = 1 << 16
	maxSceneDepth = 500
)

// sceneReader reads a scene. A mesh of several nodes is read once.
type sceneReader struct {
	*meshReader
	view   *sceneView
	object *model.Node
	meshes []*model.Node
	cache  map[*model.Node]*scene.Mesh
	nodes  []*scene.Node
}

func (v *sceneView) scene(ctx context.Context, n *model.Node) (*scene.Scene, error) {
	r := &sceneReader{meshReader: &meshReader{ctx: ctx, remaining: maxMeshNumbers}, view: v, object: n,
		cache: map[*model.Node]*scene.Mesh{}}
	s, err := newScene(n, &v.Up)
	if err == nil && v.Meshes.isSet() {
		r.meshes, err = r.list(v.Meshes)
	}
	if err != nil {
		return nil, err
	}
	if !v.Nodes.isSet() {
		for _, m := range r.meshes {
			node := &scene.Node{Offset: m.Offset, Transform: scene.Identity}
			if node.Mesh, err = r.meshOf(m); err != nil {
				return nil, err
			}
			node.Name = node.Mesh.Name
			s.Roots = append(s.Roots, node)
		}
		return s, nil
	}
	elements, err := r.list(v.Nodes)
	for i := 0; i < len(elements) && err == nil; i++ {
		err = r.node(elements[i])
	}
	if err == nil {
		s.Roots, err = r.tree(elements)
	}
	if err == nil && v.InverseBind.isSet() {
		err = r.skins(elements)
	}
	return s, err
}

func (r *sceneReader) list(o operand) ([]*model.Node, error) {
	list, err := o.node(r.object)
	if err != nil {
		return nil, err
	}
	from, count := list.FirstElementIndex(), list.ElementCount()
	if count > maxSceneNodes {
		return nil, fmt.Errorf("%s has %d elements; at most %d are displayed", short(o.text), count, maxSceneNodes)
	}
	nodes := make([]*model.Node, count)
	for i := range nodes {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		nodes[i] = list.Child(from + i)
	}
	return nodes, nil
}

func (r *sceneReader) node(n *model.Node) (err error) {
	v := r.view
	out := &scene.Node{Name: nameOf(n), Offset: n.Offset}
	if v.Name.isSet() {
		if out.Name, err = v.Name.word(n); err != nil {
			return err
		}
	}
	if out.Transform, err = r.transform(n); err != nil {
		return err
	}
	if v.Mesh.isSet() {
		out.Mesh, err = r.mesh(n)
	}
	r.nodes = append(r.nodes, out)
	return err
}

// mesh returns the mesh of an element, or nil if it has none.
func (r *sceneReader) mesh(n *model.Node) (*scene.Mesh, error) {
	target, err := r.view.Mesh.node(n)
	if err != nil {
		return nil, nil // it is absent, as in nodes without a mesh
	}
	if i, ok := wholeValue(target.Value); ok {
		if i < 0 || i >= int64(len(r.meshes)) {
			return nil, nil
		}
		target = r.meshes[i]
	}
	return r.meshOf(target)
}

func (r *sceneReader) meshOf(n *model.Node) (*scene.Mesh, error) {
	if m := r.cache[n]; m != nil {
		return m, nil
	}
	v := viewOf(n)
	if v == nil || v.Mesh == nil {
		return nil, fmt.Errorf("%s has no view as a mesh", n.PathText())
	}
	m, err := v.Mesh.mesh(r.meshReader, n)
	r.cache[n] = m
	return m, err
}

// numbers returns the numbers of an attribute of a node, or nil if it is left out.
func (r *sceneReader) numbers(n *model.Node, o operand, count int) (values []float32, err error) {
	if !o.isSet() {
		return nil, nil
	}
	values, err = r.meshReader.numbers(n, o)
	if err == nil && (len(values) == 0 || len(values)%count != 0) {
		err = fmt.Errorf("%s has %d numbers, not %d", short(o.text), len(values), count)
	}
	return values, err
}

// transform returns the transform of an element relative to its parent.
func (r *sceneReader) transform(n *model.Node) (scene.Matrix, error) {
	v := r.view
	t := scene.TRS{Rotation: [4]float32{3: 1}, Scale: [3]float32{1, 1, 1}}
	m := scene.Matrix{}
	for _, each := range []struct {
		source operand
		to     []float32
	}{{v.Matrix, m[:]}, {v.Translation, t.Translation[:]}, {v.Rotation, t.Rotation[:]}, {v.Scale, t.Scale[:]}} {
		values, err := r.numbers(n, each.source, len(each.to))
		if err != nil {
			return m, err
		}
		copy(each.to, values)
	}
	if v.Matrix.isSet() {
		return m, nil
	}
	return t.Matrix(), nil
}

// tree puts the nodes below their parents, and returns the root nodes.
func (r *sceneReader) tree(elements []*model.Node) (roots []*scene.Node, err error) {
	parents := make([]int64, len(elements))
	for i, n := range elements {
		if parents[i], err = r.view.Parent.numberOr(n, -1); err != nil {
			return nil, err
		}
		if parents[i] < 0 || parents[i] >= int64(len(elements)) {
			parents[i] = -1
		}
	}
	for i, n := range r.nodes {
		depth := 0
		for ancestor := parents[i]; ancestor >= 0; ancestor = parents[ancestor] {
			if depth++; depth > maxSceneDepth {
				return nil, fmt.Errorf("node %d is below itself, or below more than %d others", i, maxSceneDepth)
			}
		}
		if parents[i] < 0 {
			roots = append(roots, n)
		} else {
			to := r.nodes[parents[i]]
			to.Children = append(to.Children, n)
		}
	}
	return roots, nil
}

// skins binds the meshes whose vertices have joints and weights to the nodes.
func (r *sceneReader) skins(elements []*model.Node) error {
	values, err := r.numbers(r.object, r.view.InverseBind, len(scene.Matrix{}))
	if err != nil {
		return err
	}
	inverse := make([]scene.Matrix, len(values)/len(scene.Matrix{}))
	for i := range inverse {
		inverse[i] = scene.Matrix(values[i*len(scene.Matrix{}):])
	}
	for i, n := range r.nodes {
		if n.Mesh == nil || !n.Mesh.HasWeights() {
			continue
		}
		joints := r.nodes[:min(len(inverse), len(r.nodes))]
		if r.view.Joints.isSet() {
			indices, err := r.numbers(elements[i], r.view.Joints, 1)
			if err != nil {
				return err
			}
			joints = nil
			for _, index := range indices[:min(len(indices), len(inverse))] {
				if !(index >= 0 && index < float32(len(r.nodes))) { // NaN too
					return fmt.Errorf("the joint %g is past the %d nodes", index, len(r.nodes))
				}
				joints = append(joints, r.nodes[int(index)])
			}
		}
		n.Skin = &scene.Skin{Name: n.Name, BindShape: scene.Identity, Joints: joints, Inverse: inverse[:len(joints)]}
	}
	return nil
}

// sceneMaker makes a scene of an object.
type sceneMaker interface {
	scene(ctx context.Context, n *model.Node) (*scene.Scene, error)
	operands() []operand
}

// sceneViewer views and exports the scene that an object becomes.
type sceneViewer struct{ sceneMaker }

func (v sceneViewer) view(ctx context.Context, _ *model.Source, n *model.Node) (model.View, error) {
	s, err := v.scene(ctx, n)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// addContent gives an asset the forms of a scene.
func (v sceneViewer) addContent(_ *model.Source, n *model.Node, to *model.Payload) {
	to.Name, to.MediaType = viewName(n, ".glb"), "model/gltf-binary"
	form := func(ctx context.Context, name string) (model.Form, error) {
		s, err := v.scene(ctx, n)
		if err != nil {
			return model.Form{}, err
		}
		forms := scene.Forms(func(context.Context) *scene.Scene { return s })
		return forms[slices.IndexFunc(forms, func(f model.Form) bool { return f.Name == name })], nil
	}
	for _, f := range scene.WholeForms() {
		if len(f.Extensions) > 0 {
			f.Files = func(ctx context.Context) (model.Form, error) { return form(ctx, f.Name) }
		} else {
			f.Write = func(ctx context.Context, w io.Writer) error {
				whole, err := form(ctx, f.Name)
				if err != nil {
					return err
				}
				return whole.Write(ctx, w)
			}
		}
		to.Forms = append(to.Forms, f)
	}
}

func newScene(n *model.Node, up *operand) (*scene.Scene, error) {
	s := &scene.Scene{Name: nameOf(n)}
	if !up.isSet() {
		return s, nil
	}
	word, err := up.word(n)
	s.Up = ups[strings.ToLower(word)]
	return s, err
}

// nameOf returns the display name of an object, or the name of its field.
func nameOf(n *model.Node) string {
	if name := n.DisplayName(); name != "" {
		return name
	}
	return n.Name
}
