package gpb_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/model"
)

func at(x, y, z float32) [16]float32 {
	return [16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1}
}

var identity = at(0, 0, 0)

func triangle(id string) *gpb.Mesh {
	return mesh(id, []gpb.VertexElement{{Usage: 1, Size: 3}}, 3, gpbtest.Part(gpb.Triangles, gpb.Index16, 0, 1, 2))
}

// mesh makes vertices whose floats count up.
func mesh(id string, format []gpb.VertexElement, vertices int, parts ...*gpb.MeshPart) *gpb.Mesh {
	floats := 0
	for _, e := range format {
		floats += int(e.Size)
	}
	v := make([]float32, floats*vertices)
	for i := range v {
		v[i] = float32(i)
	}
	n := gpbtest.Floats(v...)
	return &gpb.Mesh{ID: id, Format: format,
		Vertices: model.Blob{Source: n.Source, Span: model.Span{Size: n.Count * 4}},
		Bounds:   gpb.Bounds{Max: [3]float32{1, 2, 3}, Radius: 4}, Parts: parts}
}

func font(id string, sizes ...uint32) *gpb.Font {
	f := &gpb.Font{ID: id, Family: "Family of " + id, Style: 4}
	for _, size := range sizes {
		f.Sizes = append(f.Sizes,
			&gpb.FontSize{Size: size, Charset: "AB", Width: 4, Height: 3, Map: gpbtest.Bytes([]byte("0123456789ab")),
				Glyphs: gpbtest.Glyphs(gpb.Glyph{Index: 'A', Width: 3, BearingX: -1, Advance: 4,
					UV: [4]float32{0, 0, 0.5, 1}},
					gpb.Glyph{Index: 'B', Width: 2, Advance: 3, UV: [4]float32{0.5, 0, 1, 1}})})
	}
	return f
}

func channel(target string, attribute uint32) *gpb.Channel {
	components := map[uint32]int{0: 1, 1: 3, 8: 4, 9: 3, 16: 7, 17: 10}[attribute]
	return &gpb.Channel{Target: target, Attribute: attribute, Times: gpbtest.Uints(0, 250, 1000),
		Values: gpbtest.Floats(make([]float32, 3*components)...), Interpolation: gpbtest.Uints(1)}
}

// everything is a file that has each type of object in each of the places where it may be, as far as v has them.
func everything(v gpbtest.Version) *gpb.File {
	skinned := mesh("skinned", []gpb.VertexElement{{Usage: 1, Size: 3}, {Usage: 6, Size: 4}, {Usage: 7, Size: 4}}, 3,
		gpbtest.Part(gpb.Triangles, gpb.Index8, 0, 1, 2))
	rich := mesh("rich", nil, 0)
	for usage := range uint32(15) {
		rich.Format = append(rich.Format, gpb.VertexElement{Usage: usage + 1, Size: 1 + usage%4})
	}
	parts := []*gpb.MeshPart{gpbtest.Part(gpb.Points, gpb.Index32, 0), gpbtest.Part(gpb.Lines, gpb.Index16, 0, 1),
		gpbtest.Part(gpb.LineStrip, gpb.Index8, 0, 1, 2),
		gpbtest.Part(gpb.TriangleStrip, gpb.Index32, 0, 1, 2, 70000), gpbtest.Part(gpb.Triangles, gpb.Index16)}
	parts[1].ID = "part"
	rich = mesh("rich", rich.Format, 4, parts...)

	skin := &gpb.Skin{ID: "skin", BindShape: at(7, 8, 9), RootJoint: "j0",
		Joints:    []string{"#j0", "#j1", "other.gpb#j2"},
		BindPoses: gpbtest.Floats(make([]float32, 48)...), Bounds: gpb.Bounds{Radius: 12}}
	material := func(id string) *gpb.Material {
		return &gpb.Material{ID: id, Effect: "#effect",
			Parameters: []gpb.Parameter{{Name: "u_color", Value: gpbtest.Floats(1, 2, 3, 4), Type: 4},
				{Name: "u_empty"}}}
	}
	model := &gpb.Model{ID: "model", Mesh: "#skinned", Skin: skin, Materials: []string{"lambert1", "", "03___Default"},
		Inline: []*gpb.Material{material("inline"), {}}}
	spot := &gpb.Light{ID: "spotShape", Kind: gpb.Spot, Color: [3]float32{1, 0, 0}, Range: 9, InnerAngle: -0.0174533,
		OuterAngle:  1,
		Attenuation: [3]float32{1, 2, 3}, FalloffAngle: 4, FalloffExponent: 5}

	root := &gpb.Node{ID: "root", Transform: at(1, 2, 3), Children: []*gpb.Node{
		{ID: "j0", Joint: true, Transform: identity, Parent: "root",
			Children: []*gpb.Node{{ID: "j1", Joint: true, Transform: identity, Parent: "j0"}}},
		{ID: "skinnedNode", Transform: identity, Parent: "root", Model: model},
		{Transform: identity, Parent: "root", Model: &gpb.Model{Mesh: "file.gpb#remote"}},
		{ID: "spot", Transform: identity, Parent: "root", Light: spot,
			Camera: &gpb.Camera{Orthographic: true, Aspect: 1, Near: 2, Far: 3, Width: 4, Height: 5}},
	}, Camera: &gpb.Camera{ID: "rootShape", Aspect: 1.5, Near: 0.1, Far: 100, FieldOfView: 45},
		Light: &gpb.Light{ID: "pointShape", Kind: gpb.Point, Color: [3]float32{0, 1, 0}, Range: 8,
			Attenuation: [3]float32{1, 0, 0}}}

	walk := &gpb.Animation{Name: "walk",
		Channels: []*gpb.Channel{channel("j0", 17), channel("j1", 0), {Target: "nobody"}}}
	walk.Channels[1].TangentsIn, walk.Channels[1].TangentsOut = gpbtest.Floats(1, 2, 3, 4, 5, 6),
		gpbtest.Floats(6, 5, 4,
			3, 2, 1)
	walk.Channels[0].Interpolation = gpbtest.Uints(1, 2, 6)
	still := &gpb.Animation{Name: "still", ID: "stillAnimation"}

	f := &gpb.File{
		References: []gpb.Reference{{ID: "ambientShape", Type: gpb.TypeLight}},
		Meshes:     []*gpb.Mesh{skinned, rich, mesh("empty", nil, 0)},
		Objects: []gpb.Object{
			&gpb.Scene{ID: "__SCENE__", Nodes: []*gpb.Node{root, {ID: "second", Transform: identity}},
				ActiveCamera: "#root",
				Ambient:      [3]float32{0.1, 0.2, 0.3}},
			&gpb.Animations{ID: "__Animations__", List: []*gpb.Animation{walk, still}},
			&gpb.Node{ID: "lone", Transform: identity},
			&gpb.Light{ID: "loneLight", Kind: gpb.Directional, Color: [3]float32{1, 1, 1}},
			&gpb.Camera{ID: "loneCamera", Aspect: 1},
			&gpb.Effect{ID: "effect", Vertex: "void main() {}\n", Fragment: "precision mediump float;\n"},
			material("material"),
		},
	}
	if sizes := v.Name >= "1.4"; sizes {
		f.Objects = append(f.Objects, font("font", 24, 8, 10), font("fontWithoutSizes"))
	} else {
		f.Objects = append(f.Objects, font("font", 12))
	}
	return f
}

func write(t testing.TB, f *gpb.File, v gpbtest.Version, order gpbtest.Order) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, gpbtest.Write(&b, f, v, order))
	return b.Bytes()
}

func source(b []byte) *model.Source {
	return model.NewSource("test.gpb", bytes.NewReader(b), int64(len(b)))
}

func open(t testing.TB, b []byte) (*model.Document, *model.Report) {
	t.Helper()
	d, err := gpb.Open(context.Background(), source(b))
	require.NoError(t, err)
	report, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	return d, report
}

func read(t testing.TB, b []byte) *gpb.File {
	t.Helper()
	f, err := gpb.Read(context.Background(), source(b))
	require.NoError(t, err)
	return f
}

// requireSound opens b and demands that all of it is explained and that nothing is wrong.
func requireSound(t testing.TB, b []byte) *model.Document {
	t.Helper()
	d, report := open(t, b)
	require.Empty(t, report.Gaps)
	require.Empty(t, report.Overlaps)
	require.EqualValues(t, len(b), report.Accounted)
	for _, p := range report.Problems {
		require.Equal(t, model.Note, p.Severity, "%s: %s", p.Path, p.Message)
	}
	return d
}

// value returns the value at a path.
func value(t testing.TB, d *model.Document, path string) any {
	t.Helper()
	n, err := d.Find(path)
	require.NoError(t, err)
	if a, ok := n.Value.(model.Array); ok {
		all, err := a.Slice(0, a.Len())
		require.NoError(t, err)
		return all
	}
	return n.Value
}

// chain is depth nodes, each in the one before it.
func chain(depth int) *gpb.Node {
	n := &gpb.Node{ID: fmt.Sprint("n", depth-1), Transform: identity}
	for i := depth - 2; i >= 0; i-- {
		n.Parent = fmt.Sprint("n", i)
		n = &gpb.Node{ID: n.Parent, Transform: identity, Children: []*gpb.Node{n}}
	}
	return n
}

func sceneOf(nodes ...*gpb.Node) *gpb.Scene { return &gpb.Scene{ID: "scene", Nodes: nodes} }

var infinity = float32(math.Inf(1))
