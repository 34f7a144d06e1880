package kaitai

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/model"
	"assay/model/scene"
)

// meshView are the vertices of a mesh and the indices that join them. The attributes of a vertex are arrays of numbers,
// or with Vertices the fields of the elements of that list.
type meshView struct {
	Vertices  operand `key:"vertices"`
	Position  operand `key:"position"`
	Normal    operand `key:"normal"`
	UV        operand `key:"uv"`
	Color     operand `key:"color"`  // 0 to 1, or 0 to 255
	Joints    operand `key:"joints"` // up to four, each with a weight
	Weights   operand `key:"weights"`
	Indices   operand `key:"indices"` // nothing: the vertices in order
	Primitive operand `key:"primitive"`
	Up        operand `key:"up"` // guessed if left out
}

// primitives are the names of the primitives that the indices form. The default is triangles.
var primitives = map[string]scene.Primitive{"points": scene.PointList, "lines": scene.Lines,
	"line-strip": scene.LineStrip,
	"triangles":  scene.Triangles, "triangle-strip": scene.TriangleStrip, "triangle-fan": scene.TriangleFan}

// ups are the words for the axis that points up.
var ups = map[string]scene.Up{"y": scene.UpY, "z": scene.UpZ}

func (v *meshView) read(r *yamlReader, e entry) error {
	for word := range primitives {
		v.Primitive.words = append(v.Primitive.words, word)
	}
	for word := range ups {
		v.Up.words = append(v.Up.words, word)
	}
	err := r.keys(e, v)
	if err == nil && !v.Position.isSet() {
		err = e.fail("a mesh needs a position")
	}
	return err
}

// operands returns the operands that begin at the object: with Vertices, the others begin at a vertex.
func (v *meshView) operands() []operand {
	if v.Vertices.isSet() {
		return []operand{v.Vertices, v.Indices, v.Primitive, v.Up}
	}
	return []operand{v.Position, v.Normal, v.UV, v.Color, v.Joints, v.Weights, v.Indices, v.Primitive, v.Up}
}

// maxMeshNumbers is the maximum number of values of the vertices and indices of a mesh, which are held in memory.
const maxMeshNumbers = 24 << 20

type meshReader struct {
	ctx       context.Context
	remaining int // numbers that may still be read
}

// eachNumber calls do with all numbers at or below a node, in the order of the file.
func (r *meshReader) eachNumber(n *model.Node, do func(v float64)) error {
	const part = 1 << 14
	add := func(value any) error {
		v, ok := model.Float(value)
		if !ok {
			return nil
		}
		if r.remaining--; r.remaining < 0 {
			return fmt.Errorf("a mesh with more than %d numbers is not displayed", maxMeshNumbers)
		}
		do(v)
		return nil
	}
	if a, ok := n.Value.(model.Array); ok {
		for first := int64(0); first < a.Len(); first += part {
			values, err := a.Slice(first, part)
			if err == nil {
				err = r.ctx.Err()
			}
			for i := 0; i < len(values) && err == nil; i++ {
				err = add(values[i])
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	if n.Leaf() {
		return add(n.Value)
	}
	for i := range n.Len() {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if child := n.Child(i); child.Role != model.RoleElsewhere && child.Role != model.RoleCount {
			if err := r.eachNumber(child, do); err != nil {
				return err
			}
		}
	}
	return nil
}

// numbers returns the numbers at or below the node of an operand.
func (r *meshReader) numbers(n *model.Node, o operand) (values []float32, err error) {
	target, err := o.node(n)
	if err == nil {
		err = r.eachNumber(target, func(v float64) { values = append(values, float32(v)) })
	}
	return values, err
}

// column is the values of one attribute of all vertices.
type column struct {
	usage  scene.Usage
	size   int // numbers per vertex
	values []float32
}

// columns returns the attributes of the vertices, and the number of vertices.
func (v *meshView) columns(r *meshReader, n *model.Node) (columns []column, count int, err error) {
	var vertices *model.Node
	if v.Vertices.isSet() {
		if vertices, err = v.Vertices.node(n); err != nil {
			return nil, 0, err
		}
	}
	for _, each := range []struct {
		source operand
		usage  scene.Usage
		size   int
	}{{v.Position, scene.Position, 3}, {v.Normal, scene.Normal, 3}, {v.UV, scene.TexCoord, 2},
		{v.Color, scene.Color, 4}, {v.Joints, scene.Joints, 4}, {v.Weights, scene.Weights, 4}} {
		if !each.source.isSet() {
			continue
		}
		c := column{usage: each.usage, size: each.size}
		if vertices != nil {
			err = v.rows(r, vertices, each.source, &c)
		} else {
			c.values, err = r.numbers(n, each.source)
		}
		if err != nil {
			return nil, 0, err
		}
		if c.usage == scene.Color && vertices == nil && len(c.values) == 3*count {
			c.size = 3 // without alpha
		}
		if c.size == 0 || len(c.values)%c.size != 0 {
			return nil, 0, fmt.Errorf("%s has %d numbers, which are no whole vertices", short(each.source.text),
				len(c.values))
		}
		if len(columns) > 0 && len(c.values)/c.size != count {
			return nil, 0, fmt.Errorf("%s is for %d vertices, not for %d", short(each.source.text), len(c.values)/c.size,
				count)
		}
		count = len(c.values) / c.size
		c.normalize()
		columns = append(columns, c)
	}
	return columns, count, nil
}

// rows reads an attribute of one vertex after the other. The first one determines the number of components.
func (v *meshView) rows(r *meshReader, vertices *model.Node, o operand, c *column) error {
	from, count := vertices.FirstElementIndex(), vertices.ElementCount()
	for i := range count {
		target, err := o.node(vertices.Child(from + i))
		if err == nil {
			err = r.eachNumber(target, func(x float64) { c.values = append(c.values, float32(x)) })
		}
		if i == 0 {
			c.size = len(c.values)
		}
		if err == nil && (c.size > 4 || len(c.values) != c.size*(i+1)) {
			err = fmt.Errorf("%s has %d numbers in vertex %d", short(o.text), len(c.values)-c.size*i, i)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// normalize maps colors and weights from 0 to 255 to the range 0 to 1.
func (c *column) normalize() {
	if c.usage != scene.Color && c.usage != scene.Weights || len(c.values) == 0 || slices.Max(c.values) <= 1 {
		return
	}
	for i := range c.values {
		c.values[i] /= 255
	}
}

func (v *meshView) mesh(r *meshReader, n *model.Node) (*scene.Mesh, error) {
	columns, count, err := v.columns(r, n)
	if err != nil {
		return nil, err
	}
	part := &scene.Part{Primitive: scene.Triangles, Offset: n.Offset}
	if v.Primitive.isSet() {
		word, err := v.Primitive.word(n)
		if err != nil {
			return nil, err
		}
		known := false
		if part.Primitive, known = primitives[strings.ToLower(word)]; !known {
			return nil, fmt.Errorf("unknown primitive %s", short(word))
		}
	}
	if v.Indices.isSet() {
		if part.Indices, err = v.indices(r, n, count); err != nil {
			return nil, err
		}
	}
	m := &scene.Mesh{Name: nameOf(n), Count: count, Parts: []*scene.Part{part}}
	stride := 0
	for _, c := range columns {
		m.Elements = append(m.Elements, scene.Element{Usage: c.usage, Size: c.size})
		stride += c.size
	}
	values := make(scene.FloatSlice, 0, stride*count)
	for i := range count {
		for _, c := range columns {
			values = append(values, c.values[i*c.size:][:c.size]...)
		}
	}
	m.Vertices = values
	return m, nil
}

// indices returns the indices of existing vertices.
func (v *meshView) indices(r *meshReader, n *model.Node, count int) (scene.IndexSlice, error) {
	target, err := v.Indices.node(n)
	if err != nil {
		return nil, err
	}
	indexes := scene.IndexSlice{}
	var wrong error // for the first index without a vertex
	err = r.eachNumber(target, func(x float64) {
		if wrong == nil && !(x >= 0 && x < float64(count)) { // NaN too
			wrong = fmt.Errorf("the index %g is past the %d vertices", x, count)
		}
		indexes = append(indexes, uint32(x))
	})
	return indexes, cmp.Or(err, wrong)
}

// scene returns the scene of the mesh alone.
func (v *meshView) scene(ctx context.Context, n *model.Node) (*scene.Scene, error) {
	m, err := v.mesh(&meshReader{ctx: ctx, remaining: maxMeshNumbers}, n)
	if err != nil {
		return nil, err
	}
	s, err := newScene(n, &v.Up)
	s.Roots = []*scene.Node{{Name: m.Name, Offset: n.Offset, Transform: scene.Identity, Mesh: m}}
	return s, err
}
