package gpbtest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/document"
	"assay/model"
	"assay/model/scene"
)

// Project writes a project to disk and returns a function that opens one of its files.
func Project(t *testing.T, files map[string][]byte) func(name string) *model.Document {
	t.Helper()
	return ProjectIn(t, t.TempDir(), nil, files)
}

// ProjectIn writes a project to a folder and returns a function that opens one of its files, with assignments.
func ProjectIn(t *testing.T, root string, assigned model.Assignments, files map[string][]byte,
) func(name string) *model.Document {
	t.Helper()
	for name, b := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, b, 0o600))
	}
	return func(name string) *model.Document {
		src, err := model.OpenFile(filepath.Join(root, filepath.FromSlash(name)))
		require.NoError(t, err)
		t.Cleanup(func() { src.Close() })
		src.SetAssignments(assigned)
		open := document.OpenText
		if strings.HasSuffix(name, ".gpb") {
			open = document.Open
		}
		d, err := open(context.Background(), src)
		require.NoError(t, err)
		return d
	}
}

// SceneIn writes a project to disk and returns a function that returns the scene of one of its files.
func SceneIn(t *testing.T, files map[string][]byte) func(name string) *scene.Scene {
	t.Helper()
	open := Project(t, files)
	return func(name string) *scene.Scene { return ViewedScene(t, open(name)) }
}

// ViewedScene returns the scene that is the view of a document.
func ViewedScene(t *testing.T, d *model.Document) *scene.Scene {
	t.Helper()
	v, err := d.View(context.Background(), d.Root())
	require.NoError(t, err)
	s, _ := v.(*scene.Scene)
	require.NotNil(t, s, "%s shows a scene", d.Source.Name())
	return s
}

// Crates returns a bundle of nodes that share one mesh of two parts. Each node is an ID, or "id=material,material" with
// the names of its materials.
func Crates(t *testing.T, nodes ...string) []byte {
	parts := []*gpb.MeshPart{Part(gpb.Triangles, gpb.Index16, 0, 1, 2), Part(gpb.Triangles, gpb.Index16,
		2, 1, 0)}
	s := &gpb.Scene{ID: "scene"}
	for _, n := range nodes {
		id, names, ok := strings.Cut(n, "=")
		m := &gpb.Model{Mesh: "#crate"}
		if ok {
			m.Materials = strings.Split(names, ",")
		}
		s.Nodes = append(s.Nodes, &gpb.Node{ID: id, Transform: Identity, Model: m})
	}
	moves := &gpb.Animations{ID: "__Animations__", List: []*gpb.Animation{{Name: "movements",
		Channels: []*gpb.Channel{Channel(s.Nodes[0].ID, 9)}}}}
	moves.List[0].Channels[0].Times = Uints(0, 2000)
	f := &gpb.File{Meshes: []*gpb.Mesh{Mesh("crate", []gpb.VertexElement{{Usage: 1, Size: 3}}, 3, parts...)},
		Objects: []gpb.Object{s, moves}}
	return Encode(t, f, V15, ByID)
}

// Colors returns a text of materials that have a color each.
func Colors(names ...string) []byte {
	var b strings.Builder
	for i, n := range names {
		fmt.Fprintf(&b,
			"material %s\n{\n  technique {\n    pass\n    {\n      u_diffuseColor = %d, 0, 0, 1\n    }\n  }\n}\n", n,
			i+1)
	}
	return []byte(b.String())
}

// MaterialNames returns the names of the materials of the parts of a node's mesh: "none" for a part without a material,
// and with "?" after the name of one with unknown shading.
func MaterialNames(s *scene.Scene, node string) (names []string) {
	n := NodesByName(s)[node]
	if n == nil || n.Mesh == nil {
		return nil
	}
	for i := range n.Mesh.Parts {
		name := "none"
		if m := n.Material(i); m != nil {
			if name = m.Name; m.Shading == scene.UnknownShading {
				name += "?"
			}
		}
		names = append(names, name)
	}
	return names
}

// NodesByName returns the nodes of a scene by their names.
func NodesByName(s *scene.Scene) map[string]*scene.Node {
	out := make(map[string]*scene.Node)
	s.Walk(func(n *scene.Node, _ scene.Matrix) { out[n.Name] = n })
	return out
}

// Source returns a bundle in memory, without a project.
func Source(b []byte) *model.Source {
	return model.NewSource("test.gpb", bytes.NewReader(b), int64(len(b)))
}

// Open opens a bundle in memory, and checks its document.
func Open(t testing.TB, b []byte) (*model.Document, *model.Report) {
	t.Helper()
	d, err := document.Open(t.Context(), Source(b))
	require.NoError(t, err)
	report, err := d.Check(t.Context(), nil)
	require.NoError(t, err)
	return d, report
}

// Payload returns the asset with that key.
func Payload(t testing.TB, d *model.Document, key string) *model.Payload {
	t.Helper()
	for i := range d.Payloads.Len() {
		if p := d.Payloads.At(i); p.Key == key {
			return p
		}
	}
	require.Fail(t, "no payload "+key)
	return nil
}

// BlackDDS returns a DDS file of four pixels of 32 bits, black and half transparent.
func BlackDDS() []byte {
	b := make([]byte, 128, 144)
	copy(b, "DDS \x7c")
	b[12], b[16], b[80], b[88] = 2, 2, 0x41, 32
	b[92+2], b[96+1], b[100], b[104+3] = 0xff, 0xff, 0xff, 0xff // where red, green, blue and alpha are
	return append(b, bytes.Repeat([]byte{0, 0, 0, 0x80}, 4)...)
}

// Translation returns the transform that moves by x, y and z.
func Translation(x, y, z float32) [16]float32 {
	return [16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1}
}

// Identity is the transform that moves nothing.
var Identity = Translation(0, 0, 0)

// Triangle returns a mesh of one triangle.
func Triangle(id string) *gpb.Mesh {
	return Mesh(id, []gpb.VertexElement{{Usage: 1, Size: 3}}, 3, Part(gpb.Triangles, gpb.Index16, 0, 1, 2))
}

// Mesh returns a mesh with vertices of ascending floats.
func Mesh(id string, format []gpb.VertexElement, vertices int, parts ...*gpb.MeshPart) *gpb.Mesh {
	floats := 0
	for _, e := range format {
		floats += int(e.Size)
	}
	v := make([]float32, floats*vertices)
	for i := range v {
		v[i] = float32(i)
	}
	n := Floats(v...)
	return &gpb.Mesh{ID: id, Format: format,
		Vertices: model.Blob{Source: n.Source, Span: model.Span{Size: n.Count * 4}},
		Bounds:   gpb.Bounds{Max: [3]float32{1, 2, 3}, Radius: 4}, Parts: parts}
}

// Font returns a font of two characters in some sizes.
func Font(id string, sizes ...uint32) *gpb.Font {
	f := &gpb.Font{ID: id, Family: "Family of " + id, Style: 4}
	for _, size := range sizes {
		f.Sizes = append(f.Sizes,
			&gpb.FontSize{Size: size, Charset: "AB", Width: 4, Height: 3, Map: Bytes([]byte("0123456789ab")),
				Glyphs: Glyphs(gpb.Glyph{Index: 'A', Width: 3, BearingX: -1, Advance: 4,
					UV: [4]float32{0, 0, 0.5, 1}},
					gpb.Glyph{Index: 'B', Width: 2, Advance: 3, UV: [4]float32{0.5, 0, 1, 1}})})
	}
	return f
}

// Channel returns three keys of an attribute of a node.
func Channel(target string, attribute uint32) *gpb.Channel {
	components := map[uint32]int{0: 1, 1: 3, 8: 4, 9: 3, 16: 7, 17: 10}[attribute]
	return &gpb.Channel{Target: target, Attribute: attribute, Times: Uints(0, 250, 1000),
		Values: Floats(make([]float32, 3*components)...), Interpolation: Uints(1)}
}

// Everything returns a file with each type of object in each possible location, as far as v has them.
func Everything(v Version) *gpb.File {
	skinned := Mesh("skinned", []gpb.VertexElement{{Usage: 1, Size: 3}, {Usage: 6, Size: 4}, {Usage: 7, Size: 4}}, 3,
		Part(gpb.Triangles, gpb.Index8, 0, 1, 2))
	rich := Mesh("rich", nil, 0)
	for usage := range uint32(15) {
		rich.Format = append(rich.Format, gpb.VertexElement{Usage: usage + 1, Size: 1 + usage%4})
	}
	parts := []*gpb.MeshPart{Part(gpb.Points, gpb.Index32, 0), Part(gpb.Lines, gpb.Index16, 0, 1),
		Part(gpb.LineStrip, gpb.Index8, 0, 1, 2),
		Part(gpb.TriangleStrip, gpb.Index32, 0, 1, 2, 70000), Part(gpb.Triangles, gpb.Index16)}
	parts[1].ID = "part"
	rich = Mesh("rich", rich.Format, 4, parts...)

	skin := &gpb.Skin{ID: "skin", BindShape: Translation(7, 8, 9), RootJoint: "j0",
		Joints:    []string{"#j0", "#j1", "other.gpb#j2"},
		BindPoses: Floats(make([]float32, 48)...), Bounds: gpb.Bounds{Radius: 12}}
	material := func(id string) *gpb.Material {
		return &gpb.Material{ID: id, Effect: "#effect",
			Parameters: []gpb.Parameter{{Name: "u_color", Value: Floats(1, 2, 3, 4), Type: 4},
				{Name: "u_empty"}}}
	}
	model := &gpb.Model{ID: "model", Mesh: "#skinned", Skin: skin, Materials: []string{"lambert1", "", "03___Default"},
		Inline: []*gpb.Material{material("inline"), {}}}
	spot := &gpb.Light{ID: "spotShape", Kind: gpb.Spot, Color: [3]float32{1, 0, 0}, Range: 9, InnerAngle: -0.0174533,
		OuterAngle:  1,
		Attenuation: [3]float32{1, 2, 3}, FalloffAngle: 4, FalloffExponent: 5}

	root := &gpb.Node{ID: "root", Transform: Translation(1, 2, 3), Children: []*gpb.Node{
		{ID: "j0", Joint: true, Transform: Identity, Parent: "root",
			Children: []*gpb.Node{{ID: "j1", Joint: true, Transform: Identity, Parent: "j0"}}},
		{ID: "skinnedNode", Transform: Identity, Parent: "root", Model: model},
		{Transform: Identity, Parent: "root", Model: &gpb.Model{Mesh: "file.gpb#remote"}},
		{ID: "spot", Transform: Identity, Parent: "root", Light: spot,
			Camera: &gpb.Camera{Orthographic: true, Aspect: 1, Near: 2, Far: 3, Width: 4, Height: 5}},
	}, Camera: &gpb.Camera{ID: "rootShape", Aspect: 1.5, Near: 0.1, Far: 100, FieldOfView: 45},
		Light: &gpb.Light{ID: "pointShape", Kind: gpb.Point, Color: [3]float32{0, 1, 0}, Range: 8,
			Attenuation: [3]float32{1, 0, 0}}}

	walk := &gpb.Animation{Name: "walk",
		Channels: []*gpb.Channel{Channel("j0", 17), Channel("j1", 0), {Target: "nobody"}}}
	walk.Channels[1].TangentsIn, walk.Channels[1].TangentsOut = Floats(1, 2, 3, 4, 5, 6),
		Floats(6, 5, 4,
			3, 2, 1)
	walk.Channels[0].Interpolation = Uints(1, 2, 6)
	still := &gpb.Animation{Name: "still", ID: "stillAnimation"}

	f := &gpb.File{
		References: []gpb.Reference{{ID: "ambientShape", Type: gpb.TypeLight}},
		Meshes:     []*gpb.Mesh{skinned, rich, Mesh("empty", nil, 0)},
		Objects: []gpb.Object{
			&gpb.Scene{ID: "__SCENE__", Nodes: []*gpb.Node{root, {ID: "second", Transform: Identity}},
				ActiveCamera: "#root",
				Ambient:      [3]float32{0.1, 0.2, 0.3}},
			&gpb.Animations{ID: "__Animations__", List: []*gpb.Animation{walk, still}},
			&gpb.Node{ID: "lone", Transform: Identity},
			&gpb.Light{ID: "loneLight", Kind: gpb.Directional, Color: [3]float32{1, 1, 1}},
			&gpb.Camera{ID: "loneCamera", Aspect: 1},
			&gpb.Effect{ID: "effect", Vertex: "void main() {}\n", Fragment: "precision mediump float;\n"},
			material("material"),
		},
	}
	if sizes := v.Name >= "1.4"; sizes {
		f.Objects = append(f.Objects, Font("font", 24, 8, 10), Font("fontWithoutSizes"))
	} else {
		f.Objects = append(f.Objects, Font("font", 12))
	}
	return f
}

// Chain returns depth nodes, each in the one before it.
func Chain(depth int) *gpb.Node {
	n := &gpb.Node{ID: fmt.Sprint("n", depth-1), Transform: Identity}
	for i := depth - 2; i >= 0; i-- {
		n.Parent = fmt.Sprint("n", i)
		n = &gpb.Node{ID: n.Parent, Transform: Identity, Children: []*gpb.Node{n}}
	}
	return n
}

// SceneOf returns a scene of some nodes.
func SceneOf(nodes ...*gpb.Node) *gpb.Scene { return &gpb.Scene{ID: "scene", Nodes: nodes} }

// Small returns a file with one of each common object.
func Small() *gpb.File {
	skin := &gpb.Skin{BindShape: Identity, Joints: []string{"#joint"}, BindPoses: Floats(Identity[:]...)}
	return &gpb.File{
		References: []gpb.Reference{{ID: "ambient", Type: gpb.TypeLight}},
		Meshes:     []*gpb.Mesh{Triangle("mesh")},
		Objects: []gpb.Object{
			&gpb.Scene{ID: "scene", ActiveCamera: "#cam", Nodes: []*gpb.Node{
				{ID: "body", Transform: Translation(1, 2, 3),
					Model:    &gpb.Model{Mesh: "#mesh", Skin: skin, Materials: []string{"lambert1"}},
					Children: []*gpb.Node{{ID: "joint", Joint: true, Parent: "body", Transform: Identity}}},
				{ID: "cam", Transform: Identity,
					Camera: &gpb.Camera{ID: "camShape", Aspect: 1.5, Near: 1, Far: 10, FieldOfView: 45}},
				{ID: "lamp", Transform: Identity,
					Light: &gpb.Light{ID: "lampShape", Kind: gpb.Spot, Range: 4, OuterAngle: 1}},
			}},
			&gpb.Animations{ID: "__Animations__",
				List: []*gpb.Animation{{Name: "walk", Channels: []*gpb.Channel{Channel("joint", 9)}}}},
			Font("font", 7),
		},
	}
}

// ExporterFile returns a file as the exporter of 2013 wrote it: the Scene, maybe Animations, then the meshes. Each
// corner of a face has a vertex; extra corners have an index that is not counted.
func ExporterFile(animated bool, extra uint32) *gpb.File {
	corners := func(from, n uint32) []uint32 {
		indexes := make([]uint32, n)
		for i := range indexes {
			indexes[i] = from + uint32(i)
		}
		return indexes
	}
	face := func(id string, n uint32) *gpb.Mesh {
		m := Mesh(id, []gpb.VertexElement{{Usage: 1, Size: 3}, {Usage: 7, Size: 4}, {Usage: 6, Size: 4}}, int(n),
			Part(gpb.Triangles, gpb.Index32, corners(0, n)...))
		m.Bounds = gpb.Bounds{}
		return m
	}
	quad, triangle := face("quadmesh", 6), face("trianglemesh", 3)
	if extra > 0 {
		quad.Surplus = Uints(corners(6, extra)...)
	}
	skin := &gpb.Skin{Joints: []string{"#bone"}, BindPoses: Floats(Identity[:]...)}
	s := &gpb.Scene{ID: "__SCENE__", ActiveCamera: "#Camera", Ambient: [3]float32{1, 1, 1}, Nodes: []*gpb.Node{
		{ID: "Lamp", Transform: Identity,
			Light: &gpb.Light{ID: "lamp", Kind: gpb.Spot, Color: [3]float32{1, 0.25, 0.5}, OuterAngle: 1}},
		{ID: "quad", Transform: Identity, Model: &gpb.Model{Mesh: "#quadmesh", Skin: skin}},
		{ID: "Armature", Joint: true, Transform: Identity, Children: []*gpb.Node{
			{ID: "bone", Joint: true, Transform: Identity,
				Children: []*gpb.Node{{ID: "tip", Parent: "#bone", Transform: Identity}}}}},
		{ID: "Camera", Transform: Identity, Parent: "#",
			Camera: &gpb.Camera{ID: "Cameracam", Aspect: 1.7, Near: 1, Far: 9, FieldOfView: 45}},
		{ID: "triangle", Transform: Identity, Model: &gpb.Model{Mesh: "#trianglemesh"}},
	}}
	f := &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{s}}
	if animated {
		walk := &gpb.Animation{ID: "walk", Name: "walk", Channels: []*gpb.Channel{Channel("bone", 17)}}
		f.Objects = append(f.Objects, &gpb.Animations{ID: "__animations__", List: []*gpb.Animation{walk}})
	}
	f.Objects = append(f.Objects, quad, triangle)
	return f
}

// Encode writes f as a bundle of a version into memory.
func Encode(t testing.TB, f *gpb.File, v Version, order Order) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, Write(&b, f, v, order))
	return b.Bytes()
}

// Moves returns a bundle of an animation with one channel, that moves a node along y.
func Moves(t testing.TB, times ...uint32) []byte {
	ch := &gpb.Channel{Target: "n", Attribute: 11, Times: Uints(times...),
		Values: Floats(1, 2, 4), Interpolation: Uints(1)}
	return Encode(t, &gpb.File{Objects: []gpb.Object{SceneOf(&gpb.Node{ID: "n", Transform: Identity}),
		&gpb.Animations{ID: "a", List: []*gpb.Animation{{Name: "up", Channels: []*gpb.Channel{ch}}}}}},
		V12, ByID)
}
