package gpb_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/model"
)

// TestVariations holds the choice of the layout to files that are unusual but sound.
func TestVariations(t *testing.T) {
	position := []gpb.VertexElement{{Usage: 1, Size: 3}}
	withMaterials := func(names ...string) *gpb.Node {
		return &gpb.Node{ID: "n", Transform: identity, Model: &gpb.Model{Mesh: "#m", Materials: names}}
	}
	point := &gpb.Light{ID: "l", Kind: gpb.Point, Range: 3, Attenuation: [3]float32{1, 0, 0}}
	animated := func(times model.Numbers) *gpb.Animations {
		ch := channel("n", 9)
		ch.Times = times
		return &gpb.Animations{ID: "__Animations__", List: []*gpb.Animation{{Name: "a", Channels: []*gpb.Channel{ch}}}}
	}
	tests := map[string]struct {
		version gpbtest.Version
		variant string
		file    *gpb.File
	}{
		"nothing":                  {gpbtest.V11, "1.1", &gpb.File{}},
		"nothing, not even counts": {gpbtest.V11, "1.1", &gpb.File{Container: gpb.NoList}},
		"nothing in one list":      {gpbtest.V13, "1.3", &gpb.File{Container: gpb.OneList}},
		"one list, meshes only": {gpbtest.V12, "1.2",
			&gpb.File{Container: gpb.OneList, Objects: []gpb.Object{triangle("a"), triangle("b")}}},
		"one list, a mesh first": {gpbtest.V11Document, "1.1, laid out as the published document",
			&gpb.File{Container: gpb.OneList,
				Objects: []gpb.Object{triangle("m"),
					sceneOf(&gpb.Node{ID: "n", Transform: identity, Model: &gpb.Model{Mesh: "#m"}})}}},
		"one list, a mesh last": {gpbtest.V11, "1.1",
			&gpb.File{Container: gpb.OneList, Objects: []gpb.Object{sceneOf(withMaterials()), triangle("m")}}},
		"meshes only": {gpbtest.V11, "1.1", &gpb.File{Meshes: []*gpb.Mesh{triangle("a"), triangle("b")}}},
		"several fonts without a list": {gpbtest.V14, "1.4",
			&gpb.File{Container: gpb.NoList, Objects: []gpb.Object{font("a", 1, 2), font("b"), font("c", 3)}}},
		"a font in a list, 1.3": {gpbtest.V13, "1.3", &gpb.File{Objects: []gpb.Object{sceneOf(), font("f", 9)}}},
		"a font in a list, 1.4": {gpbtest.V14, "1.4", &gpb.File{Objects: []gpb.Object{font("f", 9, 8), sceneOf()}}},
		"a font in a list, 1.5": {gpbtest.V15, "1.5", &gpb.File{Objects: []gpb.Object{sceneOf(), font("f", 9, 8)}}},
		"no scene": {gpbtest.V12, "1.2", &gpb.File{Objects: []gpb.Object{&gpb.Node{ID: "n",
			Transform: identity}, &gpb.Camera{ID: "c", Orthographic: true}}}},
		"an empty scene, as documented": {gpbtest.V11Document, "1.1", &gpb.File{Objects: []gpb.Object{sceneOf()}}},
		"one bare node, as documented": {gpbtest.V11Document, "1.1, laid out as the published document",
			&gpb.File{Objects: []gpb.Object{sceneOf(&gpb.Node{ID: "n", Transform: identity})}}},
		"one lone node, as documented": {gpbtest.V11Document, "1.1, laid out as the published document",
			&gpb.File{Objects: []gpb.Object{&gpb.Node{ID: "n", Transform: identity}}}},
		"nodes without ids, as documented": {gpbtest.V11Document, "1.1, laid out as the published document",
			&gpb.File{Objects: []gpb.Object{sceneOf(&gpb.Node{Transform: identity}, &gpb.Node{Transform: identity})}}},
		"skin with bounds": {gpbtest.V11Document, "1.1, laid out as the published document",
			&gpb.File{Objects: []gpb.Object{
				sceneOf(&gpb.Node{ID: "n", Transform: identity,
					Model: &gpb.Model{Mesh: "#m", Skin: &gpb.Skin{BindShape: identity},
						Inline: []*gpb.Material{{}}}})}, Meshes: []*gpb.Mesh{triangle("m")}}},
		"skin without bounds": {gpbtest.V12, "1.2", &gpb.File{Objects: []gpb.Object{
			sceneOf(&gpb.Node{ID: "n", Transform: identity,
				Model: &gpb.Model{Mesh: "#m", Skin: &gpb.Skin{BindShape: identity}}})},
			Meshes: []*gpb.Mesh{triangle("m")}}},
		"inline material in 1.2": {gpbtest.V12Document, "1.2, laid out as the published document",
			&gpb.File{Meshes: []*gpb.Mesh{triangle("m")}, Objects: []gpb.Object{
				sceneOf(&gpb.Node{ID: "n", Transform: identity,
					Model: &gpb.Model{Mesh: "#m", Inline: []*gpb.Material{{}, {Effect: "#e"}}}}),
				&gpb.Effect{ID: "e"}}}},
		"empty material names": {gpbtest.V12, "1.2",
			&gpb.File{Meshes: []*gpb.Mesh{triangle("m")}, Objects: []gpb.Object{sceneOf(withMaterials("", ""))}}},
		"material names in 1.1": {gpbtest.V11, "1.1",
			&gpb.File{Meshes: []*gpb.Mesh{triangle("m")}, Objects: []gpb.Object{sceneOf(withMaterials("a", "", "b"))}}},
		"lights of October 2011": {gpbtest.V10a, "1.0, laid out as 1.0 of early November 2011",
			&gpb.File{Objects: []gpb.Object{sceneOf(&gpb.Node{ID: "n", Transform: identity, Light: point})}}},
		"lights of November 2011": {gpbtest.V10, "1.0",
			&gpb.File{Objects: []gpb.Object{sceneOf(&gpb.Node{ID: "n", Transform: identity, Light: point})}}},
		"float key times": {gpbtest.V10m, "1.0, laid out as 1.0 of early November 2011",
			&gpb.File{Objects: []gpb.Object{animated(gpbtest.Floats(0, 16.6, 33.3))}}},
		"bare animations": {gpbtest.V10a, "1.0, laid out as 1.0 of October 2011",
			&gpb.File{Objects: []gpb.Object{animated(gpbtest.Floats(0, 16.6, 33.3)), &gpb.Animation{ID: "b"}}}},
		"key times of days": {gpbtest.V10, "1.0",
			&gpb.File{Objects: []gpb.Object{animated(gpbtest.Uints(0, 86400000, 864000000))}}},
		"absurd key times": {gpbtest.V10, "1.0",
			&gpb.File{Objects: []gpb.Object{animated(gpbtest.Uints(0, 1, 0xFFFFFFFF))}}},
		"1.0 as documented": {gpbtest.Version{Name: "1.0 document", Major: 1},
			"1.0, laid out as the published document", nil},
		"animations without channels": {gpbtest.V11, "1.1",
			&gpb.File{Objects: []gpb.Object{&gpb.Animations{ID: "__Animations__",
				List: []*gpb.Animation{{Name: "a"}, {Name: "b"}, {}}}}}},
		"animations without animations": {gpbtest.V12, "1.2",
			&gpb.File{Objects: []gpb.Object{&gpb.Animations{ID: "__Animations__"}}}},
		"32 bit indices, repeated usage, large sizes": {gpbtest.V15, "1.5", &gpb.File{Meshes: []*gpb.Mesh{
			mesh("m", []gpb.VertexElement{{Usage: 3, Size: 4}, {Usage: 10, Size: 2}, {Usage: 10, Size: 17},
				{Usage: 1, Size: 0}},
				5, gpbtest.Part(gpb.Triangles, gpb.Index32, 0, 1, 4))}}},
		"a mesh without vertices": {gpbtest.V12, "1.2",
			&gpb.File{Meshes: []*gpb.Mesh{mesh("m", position, 0, gpbtest.Part(gpb.Points, gpb.Index8))}}},
		"bounds that are nonsense": {gpbtest.V11, "1.1", &gpb.File{Meshes: []*gpb.Mesh{{ID: "m", Bounds: gpb.Bounds{
			Min: [3]float32{infinity, 3.4028235e38, 1}, Max: [3]float32{-infinity, 1.1754944e-38, infinity - infinity},
			Radius: -1}}}}},
		"an id that is taken": {gpbtest.V12, "1.2", &gpb.File{Objects: []gpb.Object{sceneOf(&gpb.Node{ID: "cam",
			Transform: identity, Camera: &gpb.Camera{ID: "cam", Aspect: 1}})}}},
		"only what is not stored": {gpbtest.V14, "1.4",
			&gpb.File{References: []gpb.Reference{{ID: "a", Type: gpb.TypeLight}, {ID: "b", Type: gpb.TypeMesh}}}},
		"strange ids": {gpbtest.V11, "1.1", &gpb.File{Objects: []gpb.Object{sceneOf(&gpb.Node{ID: "a/b~c#d",
			Transform: identity}, &gpb.Node{ID: "\xff\xfe", Transform: identity},
			&gpb.Node{ID: "\x00", Transform: identity},
			&gpb.Node{ID: strings.Repeat("long", 2000), Transform: identity})}}},
		"a version of the future": {gpbtest.V15, "1.5", &gpb.File{Objects: []gpb.Object{sceneOf()}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if test.file == nil { // the layout of the document under a version that is not known to have it
				b := write(t, everything(gpbtest.V11Document), gpbtest.V11Document, gpbtest.ByID)
				b[10] = 0
				assert.Equal(t, test.variant, requireSound(t, b).Variant)
				return
			}
			b := write(t, test.file, test.version, gpbtest.ByID)
			d := requireSound(t, b)
			assert.Equal(t, test.variant, d.Variant)
		})
	}
}

func TestVersionsThatSayAnother(t *testing.T) {
	for minor, want := range map[byte]string{1: "1.1, laid out as 1.2", 3: "1.3, laid out as 1.2",
		6: "1.6, laid out as 1.2", 255: "1.255, laid out as 1.2"} {
		b := write(t, everything(gpbtest.V12), gpbtest.V12, gpbtest.ByID)
		b[10] = minor
		d, report := open(t, b)
		assert.Equal(t, want, d.Variant)
		assert.EqualValues(t, len(b), report.Accounted)
		require.NotEmpty(t, report.Problems)
		assert.Equal(t, model.Warning, report.Worst)
		assert.EqualValues(t, 9, report.Problems[0].Span.Offset)
	}
}

func TestSeveralFontsHavePathsOfTheirOwn(t *testing.T) {
	d := requireSound(t, write(t, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{font("a", 1), font("b", 2)}},
		gpbtest.V15, gpbtest.ByID))
	assert.Equal(t, uint64(1), value(t, d, "/objects/0/sizes/0/size"))
	assert.Equal(t, uint64(2), value(t, d, "/objects/1/sizes/0/size"))
}

func TestReferencesThatShareAnIDOrAnOffset(t *testing.T) {
	b := write(t, &gpb.File{Meshes: []*gpb.Mesh{triangle("aa"), triangle("ab")}}, gpbtest.V12, gpbtest.ByID)
	b[15+4+1] = 'b' // the first id becomes "ab"
	_, report := open(t, b)
	require.Len(t, report.Problems, 1)
	assert.Equal(t, model.Problem{Severity: model.Warning, Path: "/references/1/id",
		Span:    model.Span{Offset: 29, Size: 6},
		Message: `the id "ab" is that of reference 0, too`}, report.Problems[0])
}

func TestDeepAndWide(t *testing.T) {
	wide := make([]*gpb.Node, 20_000)
	for i := range wide {
		wide[i] = &gpb.Node{ID: fmt.Sprintf("n%05d", i), Parent: "root", Transform: identity}
	}
	for name, root := range map[string]*gpb.Node{
		"5,000 levels":    chain(5000),
		"20,000 children": {ID: "root", Transform: identity, Children: wide},
	} {
		t.Run(name, func(t *testing.T) {
			b := write(t, &gpb.File{Objects: []gpb.Object{sceneOf(root)}}, gpbtest.V12, gpbtest.ByID)
			d := requireSound(t, b)
			report, err := d.Check(context.Background(), nil)
			require.NoError(t, err)
			require.NoError(t, d.Dump(context.Background(), io.Discard, report))
			var outline counter
			require.NoError(t, d.Outline(context.Background(), &outline, report, model.OutlineOptions{Depth: -1}))
			assert.Less(t, int64(outline), int64(100*len(b)), "the outline of a deep tree is no square of it")
			assert.Equal(t, b, write(t, read(t, b), gpbtest.V12, gpbtest.ByID))
		})
	}
}

// TestFiftyThousandLevels opens a chain that is as deep as hostile files are.
func TestFiftyThousandLevels(t *testing.T) {
	const depth = 50_000
	b := write(t, &gpb.File{Objects: []gpb.Object{sceneOf(chain(depth))}}, gpbtest.V12, gpbtest.ByID)
	d := requireSound(t, b)
	p, ok := d.FindKey(fmt.Sprint("n", depth-1))
	require.True(t, ok)
	assert.Len(t, p, 3+2*depth-1)
	assert.Equal(t, "Node", d.At(p).Type)
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
