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

// TestUnusualFilesKeepTheirLayout tests the choice of the layout with unusual but valid files.
func TestUnusualFilesKeepTheirLayout(t *testing.T) {
	position := []gpb.VertexElement{{Usage: 1, Size: 3}}
	withMaterials := func(names ...string) *gpb.Node {
		return &gpb.Node{ID: "n", Transform: gpbtest.Identity, Model: &gpb.Model{Mesh: "#m", Materials: names}}
	}
	point := &gpb.Light{ID: "l", Kind: gpb.Point, Range: 3, Attenuation: [3]float32{1, 0, 0}}
	animated := func(times model.Numbers) *gpb.Animations {
		ch := gpbtest.Channel("n", 9)
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
			&gpb.File{Container: gpb.OneList, Objects: []gpb.Object{gpbtest.Triangle("a"), gpbtest.Triangle("b")}}},
		"one list, a mesh first": {gpbtest.V11Document, "1.1, laid out as the published document",
			&gpb.File{Container: gpb.OneList,
				Objects: []gpb.Object{gpbtest.Triangle("m"),
					gpbtest.SceneOf(&gpb.Node{ID: "n", Transform: gpbtest.Identity, Model: &gpb.Model{Mesh: "#m"}})}}},
		"one list, a mesh last": {gpbtest.V11, "1.1",
			&gpb.File{Container: gpb.OneList, Objects: []gpb.Object{gpbtest.SceneOf(withMaterials()),
				gpbtest.Triangle("m")}}},
		"meshes only": {gpbtest.V11, "1.1", &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("a"), gpbtest.Triangle("b")}}},
		"several fonts without a list": {gpbtest.V14, "1.4",
			&gpb.File{Container: gpb.NoList, Objects: []gpb.Object{gpbtest.Font("a", 1, 2), gpbtest.Font("b"),
				gpbtest.Font("c", 3)}}},
		"a font in a list, 1.3": {gpbtest.V13, "1.3", &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(), gpbtest.Font("f", 9)}}},
		"a font in a list, 1.4": {gpbtest.V14, "1.4", &gpb.File{Objects: []gpb.Object{gpbtest.Font("f", 9, 8), gpbtest.SceneOf()}}},
		"a font in a list, 1.5": {gpbtest.V15, "1.5", &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(), gpbtest.Font("f", 9, 8)}}},
		// Counts and an empty list read as a reference without an id: after the table, and before the scene.
		"no meshes, no animations before the scene": {gpbtest.V12, "1.2",
			&gpb.File{Objects: []gpb.Object{&gpb.Animations{ID: "__Animations__"}, gpbtest.SceneOf(),
				gpbtest.Font("f", 9)}}},
		"no scene": {gpbtest.V12, "1.2", &gpb.File{Objects: []gpb.Object{&gpb.Node{ID: "n",
			Transform: gpbtest.Identity}, &gpb.Camera{ID: "c", Orthographic: true}}}},
		"an empty scene, as documented": {gpbtest.V11Document, "1.1", &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf()}}},
		"one bare node, as documented": {gpbtest.V11Document, "1.1, laid out as the published document",
			&gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(&gpb.Node{ID: "n", Transform: gpbtest.Identity})}}},
		"one lone node, as documented": {gpbtest.V11Document, "1.1, laid out as the published document",
			&gpb.File{Objects: []gpb.Object{&gpb.Node{ID: "n", Transform: gpbtest.Identity}}}},
		"nodes without ids, as documented": {gpbtest.V11Document, "1.1, laid out as the published document",
			&gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(&gpb.Node{Transform: gpbtest.Identity},
				&gpb.Node{Transform: gpbtest.Identity})}}},
		"skin with bounds": {gpbtest.V11Document, "1.1, laid out as the published document",
			&gpb.File{Objects: []gpb.Object{
				gpbtest.SceneOf(&gpb.Node{ID: "n", Transform: gpbtest.Identity,
					Model: &gpb.Model{Mesh: "#m", Skin: &gpb.Skin{BindShape: gpbtest.Identity},
						Inline: []*gpb.Material{{}}}})}, Meshes: []*gpb.Mesh{gpbtest.Triangle("m")}}},
		"skin without bounds": {gpbtest.V12, "1.2", &gpb.File{Objects: []gpb.Object{
			gpbtest.SceneOf(&gpb.Node{ID: "n", Transform: gpbtest.Identity,
				Model: &gpb.Model{Mesh: "#m", Skin: &gpb.Skin{BindShape: gpbtest.Identity}}})},
			Meshes: []*gpb.Mesh{gpbtest.Triangle("m")}}},
		"inline material in 1.2": {gpbtest.V12Document, "1.2, laid out as the published document",
			&gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("m")}, Objects: []gpb.Object{
				gpbtest.SceneOf(&gpb.Node{ID: "n", Transform: gpbtest.Identity,
					Model: &gpb.Model{Mesh: "#m", Inline: []*gpb.Material{{}, {Effect: "#e"}}}}),
				&gpb.Effect{ID: "e"}}}},
		"empty material names": {gpbtest.V12, "1.2",
			&gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("m")},
				Objects: []gpb.Object{gpbtest.SceneOf(withMaterials("", ""))}}},
		"material names in 1.1": {gpbtest.V11, "1.1",
			&gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("m")},
				Objects: []gpb.Object{gpbtest.SceneOf(withMaterials("a", "", "b"))}}},
		"lights of October 2011": {gpbtest.V10a, "1.0, laid out as 1.0 of early November 2011",
			&gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(&gpb.Node{ID: "n", Transform: gpbtest.Identity,
				Light: point})}}},
		"lights of November 2011": {gpbtest.V10, "1.0",
			&gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(&gpb.Node{ID: "n", Transform: gpbtest.Identity,
				Light: point})}}},
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
			gpbtest.Mesh("m", []gpb.VertexElement{{Usage: 3, Size: 4}, {Usage: 10, Size: 2}, {Usage: 10, Size: 17},
				{Usage: 1, Size: 0}},
				5, gpbtest.Part(gpb.Triangles, gpb.Index32, 0, 1, 4))}}},
		"a mesh without vertices": {gpbtest.V12, "1.2",
			&gpb.File{Meshes: []*gpb.Mesh{gpbtest.Mesh("m", position, 0, gpbtest.Part(gpb.Points, gpb.Index8))}}},
		"bounds that are nonsense": {gpbtest.V11, "1.1", &gpb.File{Meshes: []*gpb.Mesh{{ID: "m", Bounds: gpb.Bounds{
			Min: [3]float32{infinity, 3.4028235e38, 1}, Max: [3]float32{-infinity, 1.1754944e-38, infinity - infinity},
			Radius: -1}}}}},
		"an id that is taken": {gpbtest.V12, "1.2", &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(&gpb.Node{ID: "cam",
			Transform: gpbtest.Identity, Camera: &gpb.Camera{ID: "cam", Aspect: 1}})}}},
		"only what is not stored": {gpbtest.V14, "1.4",
			&gpb.File{References: []gpb.Reference{{ID: "a", Type: gpb.TypeLight}, {ID: "b", Type: gpb.TypeMesh}}}},
		"strange ids": {gpbtest.V11, "1.1", &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(&gpb.Node{ID: "a/b~c#d",
			Transform: gpbtest.Identity}, &gpb.Node{ID: "\xff\xfe", Transform: gpbtest.Identity},
			&gpb.Node{ID: "\x00", Transform: gpbtest.Identity},
			&gpb.Node{ID: strings.Repeat("long", 2000), Transform: gpbtest.Identity})}}},
		"a version of the future": {gpbtest.V15, "1.5", &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf()}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if test.file == nil { // the layout of the document under a unknown version that to have it
				b := gpbtest.Encode(t, gpbtest.Everything(gpbtest.V11Document), gpbtest.V11Document, gpbtest.ByID)
				b[10] = 0
				assert.Equal(t, test.variant, requireSound(t, b).Variant)
				return
			}
			b := gpbtest.Encode(t, test.file, test.version, gpbtest.ByID)
			d := requireSound(t, b)
			assert.Equal(t, test.variant, d.Variant)
		})
	}
}

func TestLayoutOfAnotherVersionIsRecognized(t *testing.T) {
	for minor, want := range map[byte]string{1: "1.1, laid out as 1.2", 3: "1.3, laid out as 1.2",
		6: "1.6, laid out as 1.2", 255: "1.255, laid out as 1.2"} {
		b := gpbtest.Encode(t, gpbtest.Everything(gpbtest.V12), gpbtest.V12, gpbtest.ByID)
		b[10] = minor
		d, report := open(t, b)
		assert.Equal(t, want, d.Variant)
		assert.EqualValues(t, len(b), report.Accounted)
		require.NotEmpty(t, report.Problems)
		assert.Equal(t, model.Warning, report.Worst)
		assert.EqualValues(t, 9, report.Problems[0].Span.Offset)
	}
}

func TestFontsHaveTheirOwnPaths(t *testing.T) {
	d := requireSound(t, gpbtest.Encode(t, &gpb.File{Container: gpb.NoList,
		Objects: []gpb.Object{gpbtest.Font("a", 1), gpbtest.Font("b", 2)}},
		gpbtest.V15, gpbtest.ByID))
	assert.Equal(t, uint64(1), value(t, d, "/objects/0/sizes/0/size"))
	assert.Equal(t, uint64(2), value(t, d, "/objects/1/sizes/0/size"))
}

func TestDuplicateIDsAreAWarning(t *testing.T) {
	b := gpbtest.Encode(t, &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("aa"), gpbtest.Triangle("ab")}},
		gpbtest.V12, gpbtest.ByID)
	b[15+4+1] = 'b' // the first id becomes "ab"
	_, report := open(t, b)
	require.Len(t, report.Problems, 1)
	assert.Equal(t, model.Problem{Severity: model.Warning, Path: "/references/1/id",
		Span:    model.Span{Offset: 29, Size: 6},
		Message: `duplicate id "ab" (also reference 0)`}, report.Problems[0])
}

func TestDeepAndWideNodesAreRead(t *testing.T) {
	wide := make([]*gpb.Node, 20_000)
	for i := range wide {
		wide[i] = &gpb.Node{ID: fmt.Sprintf("n%05d", i), Parent: "root", Transform: gpbtest.Identity}
	}
	for name, root := range map[string]*gpb.Node{
		"5,000 levels":    gpbtest.Chain(5000),
		"20,000 children": {ID: "root", Transform: gpbtest.Identity, Children: wide},
	} {
		t.Run(name, func(t *testing.T) {
			b := gpbtest.Encode(t, &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(root)}}, gpbtest.V12, gpbtest.ByID)
			d := requireSound(t, b)
			report, err := d.Check(context.Background(), nil)
			require.NoError(t, err)
			require.NoError(t, d.Dump(context.Background(), io.Discard, report))
			var outline counter
			require.NoError(t, d.Outline(context.Background(), &outline, report, model.OutlineOptions{Depth: -1}))
			assert.Less(t, int64(outline), int64(100*len(b)), "the outline of a deep tree is no square of it")
			assert.Equal(t, b, gpbtest.Encode(t, read(t, b), gpbtest.V12, gpbtest.ByID))
		})
	}
}

func TestFiftyThousandLevelsOfNodesOpen(t *testing.T) {
	const depth = 50_000
	b := gpbtest.Encode(t, &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(gpbtest.Chain(depth))}}, gpbtest.V12,
		gpbtest.ByID)
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

func TestKeysWithMissingValuesHaveANote(t *testing.T) {
	for _, test := range []struct {
		version   gpbtest.Version
		attribute uint32
		values    int
		note      string
	}{
		{gpbtest.V12, 9, 6, ""}, {gpbtest.V12, 9, 2, "2 keys need 6 values, but there are 2"},
		{gpbtest.V12, 9, 5, "2 keys need 6 values, but there are 5"},
		{gpbtest.V12, 18, 12, ""}, {gpbtest.V12, 18, 2, ""}, {gpbtest.V12, 18, 5, "2 keys need 12 values, but there are 5"},
		{gpbtest.V13, 18, 2, "2 keys need 12 values, but there are 2"},
	} {
		ch := gpbtest.Channel("n", test.attribute)
		ch.Times, ch.Values = gpbtest.Uints(0, 1), gpbtest.Floats(make([]float32, test.values)...)
		f := &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(&gpb.Node{ID: "n"}),
			&gpb.Animations{ID: "a", List: []*gpb.Animation{{Channels: []*gpb.Channel{ch}}}}}}
		_, r := open(t, gpbtest.Encode(t, f, test.version, gpbtest.ByID))
		if test.note == "" {
			assert.Empty(t, r.Problems, "%+v", test)
			continue
		}
		require.Len(t, r.Problems, 1, "%+v", test)
		assert.Equal(t, test.note, r.Problems[0].Message)
	}
}

func TestUnorderedKeysHaveANote(t *testing.T) {
	_, r := open(t, gpbtest.Moves(t, 0, 1000, 1000))
	require.Len(t, r.Problems, 1)
	assert.Equal(t, "/objects/1/animations/0/channels/0/keyTimes", r.Problems[0].Path)
	assert.Equal(t, model.Note, r.Problems[0].Severity)
	assert.Contains(t, r.Problems[0].Message, "key 2")
}
