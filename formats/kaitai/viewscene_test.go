package kaitai

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/scene"
)

// parts are a mesh of three vertices, each with a joint and a weight, and nodes that may have it.
const parts = `meta: {id: x, endian: le}
seq:
  - {id: meshes, type: mesh, repeat: expr, repeat-expr: 1}
  - {id: nodes, type: node, repeat: expr, repeat-expr: 2}
  - {id: binds, type: f4, repeat: eos}
types:
  mesh:
    seq:
      - {id: vertices, type: vertex, repeat: expr, repeat-expr: 3}
    -assay-view: {mesh: {vertices: vertices, position: at, joints: joint, weights: weight}}
  vertex:
    seq:
      - {id: at, type: f4, repeat: expr, repeat-expr: 3}
      - {id: joint, type: u1, repeat: expr, repeat-expr: 4}
      - {id: weight, type: u1, repeat: expr, repeat-expr: 4}
  node:
    seq:
      - {id: mesh, type: s1}
      - {id: parent, type: s1}
      - {id: move, type: f4, repeat: expr, repeat-expr: 3}
-assay-view:
  scene: `

func floats(values ...float32) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

// partsFile returns a file of parts, whose nodes have these parents.
func partsFile(parents ...byte) string {
	var b []byte
	for i := range 3 {
		at := [3]float32{}
		at[i] = 1
		b = append(append(b, floats(at[:]...)...), 1, 0, 0, 0, 255, 0, 0, 0)
	}
	for i, parent := range parents {
		b = append(append(b, byte(-i), parent), floats(0, float32(i), 0)...)
	}
	for range 2 {
		b = append(b, floats(scene.Identity[:]...)...)
	}
	return string(b)
}

const nodesOfParts = "{meshes: meshes, nodes: nodes, mesh: mesh, parent: parent, translation: move, inverse-bind: binds}"

func TestScenesHaveTheNodesMeshesAndSkinsOfDescriptions(t *testing.T) {
	d := openBytes(t, parts+nodesOfParts, partsFile(1, 255))
	shown, err := d.View(t.Context(), d.Root())
	require.NoError(t, err)
	s := shown.(*scene.Scene)
	require.Len(t, s.Roots, 1)
	root := s.Roots[0]
	assert.Nil(t, root.Mesh, "the index is -1")
	assert.Equal(t, [3]float32{0, 1, 0}, [3]float32(root.Transform[12:15]))
	require.Len(t, root.Children, 1)
	child := root.Children[0]
	require.NotNil(t, child.Mesh)
	assert.Equal(t, []scene.Element{{Usage: scene.Position, Size: 3}, {Usage: scene.Joints, Size: 4},
		{Usage: scene.Weights, Size: 4}}, child.Mesh.Elements)
	assert.EqualValues(t, 1, child.Mesh.Vertices.(scene.FloatSlice)[7], "255 is a weight of 1")
	require.NotNil(t, child.Skin)
	assert.Equal(t, []*scene.Node{child, root}, child.Skin.Joints)
	var out bytes.Buffer
	asset := d.Payloads.At(0)
	assert.Equal(t, "test.glb", asset.Name, "the whole file has no name of its own")
	require.NoError(t, asset.Forms[0].Write(t.Context(), &out))
	assert.Contains(t, out.String(), `"skins"`)

	d = openBytes(t, parts+"{meshes: meshes}", partsFile(1, 255))
	shown, err = d.View(t.Context(), d.Root())
	require.NoError(t, err)
	assert.Len(t, shown.(*scene.Scene).Roots, 1, "a node for each mesh")
}

func TestWrongScenesOfDescriptionsAreErrors(t *testing.T) {
	for view, want := range map[string]string{
		nodesOfParts:                        "node 0 is below itself, or below more than 500 others",
		"{nodes: nodes, mesh: move}":        "/nodes/0/move has no view as a mesh",
		"{nodes: nodes, rotation: move}":    "move has 3 numbers, not 4",
		"{nodes: nothing}":                  "there is no nothing",
		"{nodes: nodes, name: a}":           "there is no a",
		"{meshes: nodes}":                   "/nodes/0 has no view as a mesh",
		"{nodes: nodes, inverse-bind: mes}": "there is no mes",
	} {
		d := openBytes(t, parts+view, partsFile(1, 0))
		_, err := d.View(t.Context(), d.Root())
		assert.EqualError(t, err, want, view)
	}
}

func TestIndicesThatAreNoNumbersAreErrors(t *testing.T) {
	file := []byte(partsFile(255, 255))
	const move = 3*20 + 2 // of the first node
	copy(file[move:], floats(float32(math.NaN())))
	d := openBytes(t, parts+"{meshes: meshes, nodes: nodes, mesh: mesh, joints: move, inverse-bind: binds}", string(file))
	_, err := d.View(t.Context(), d.Root())
	assert.EqualError(t, err, "the joint NaN is past the 2 nodes")

	d = openBytes(t, `meta: {id: x, endian: le}
seq: [{id: at, type: f4, repeat: expr, repeat-expr: 9}, {id: of, type: f4, repeat: eos}]
-assay-view: {mesh: {position: at, indices: of}}`, string(floats(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, float32(math.NaN()), 2)))
	_, err = d.View(t.Context(), d.Root())
	assert.EqualError(t, err, "the index NaN is past the 3 vertices")
}

// linked is a table of records, each with links.
const linked = `meta: {id: x, endian: le}
seq: [{id: records, type: record, repeat: expr, repeat-expr: 2}, {id: tail, type: tail}]
types:
  tail: {seq: [{id: byte, type: u1}]}
  record:
    seq:
      - {id: name, type: str, size: 1, encoding: ASCII}
      - {id: offset, type: u1}
      - {id: next, type: s1}
      - {id: like, type: str, size: 1, encoding: ASCII}
      - {id: file, type: str, size: 1, encoding: ASCII}
    instances: {body: {pos: offset, size: 1}}
    -assay-view:
      key: name
      link:
        - {field: offset, to: offset}
        - {field: next, to: index, in: _parent.records}
        - {field: like, to: name, in: _root.records}
        - {field: file, to: file}
        - {field: name, to: body}
`

func TestFieldsLinkAndObjectsHaveKeysByTheDescription(t *testing.T) {
	d := openBytes(t, linked, "a\x0a\x01bF"+"b\x63\xff?G"+"!")
	find := func(path string) *model.Node {
		n, err := d.Find(path)
		require.NoError(t, err)
		return n
	}
	records := find("/records")
	assert.Equal(t, "a", records.Child(0).Key)
	assert.Equal(t, "b", records.Child(1).Key)
	for field, want := range map[string]string{"offset": "/tail", "next": "/records/b", "like": "/records/b",
		"name": "/records/a/body"} {
		link := records.Child(0).ChildNamed(field).Link
		require.NotNil(t, link, field)
		path, ok := link.Target()
		require.True(t, ok, field)
		assert.Equal(t, want, d.At(path).NamePath(), field)
	}
	assert.Equal(t, "F", records.Child(0).ChildNamed("file").Link.File)
	assert.Nil(t, records.Child(1).ChildNamed("next").Link, "an index of -1 is none")
	for _, field := range []string{"offset", "like"} {
		_, ok := records.Child(1).ChildNamed(field).Link.Target()
		assert.False(t, ok, "%s: past the end, and no such name", field)
	}
}

func TestCheckFindsErrorsOfLinksAndScenes(t *testing.T) {
	assert.Equal(t, `x.ksy:4:21: a scene needs nodes or meshes
x.ksy:5:21: in is the list of a link to an index or a name
x.ksy:6:21: a link needs field and to`, check(t, map[string]string{"x.ksy": `meta: {id: x, endian: le}
seq: [{id: v, type: u4}]
types:
  a: {-assay-view: {scene: {}}}
  b: {-assay-view: {link: {field: v, to: name}}}
  c: {-assay-view: {link: {to: offset}}}
`}))
	assert.Equal(t, `x.ksy:4:35: unknown name "w"
x.ksy:5:26: unable to access "v" in x::b context`, check(t, map[string]string{"x.ksy": `meta: {id: x, endian: le}
seq: [{id: v, type: u4}]
types:
  a: {-assay-view: {link: {field: w, to: offset}}}
  b: {-assay-view: {key: v}}
`}))
}
