package document_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/document"
	"assay/formats/gpb/gpbtest"
	"assay/model"
	"assay/model/scene"
)

// viewOf returns the view of a node.
func viewOf(t *testing.T, d *model.Document, path string) model.View {
	t.Helper()
	n, err := d.Find(path)
	require.NoError(t, err)
	v, err := d.View(t.Context(), n)
	require.NoError(t, err)
	return v
}

func TestBundlesShowTheirScenesAndMeshes(t *testing.T) {
	n := &gpb.Node{ID: "n", Transform: gpbtest.Translation(1, 2, 3), Model: &gpb.Model{Mesh: "#m"}}
	d, _ := gpbtest.Open(t, gpbtest.Encode(t, &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("m")},
		Objects: []gpb.Object{gpbtest.SceneOf(n)}},
		gpbtest.V15,
		gpbtest.ByID))
	s := viewOf(t, d, "/").(*scene.Scene)
	require.Len(t, s.Roots, 1)
	assert.Equal(t, "n", s.Roots[0].Name)
	require.NotNil(t, s.Roots[0].Mesh)
	assert.Equal(t, float32(2), s.Roots[0].Transform[13])
	for _, path := range []string{"/meshes/0", "/meshes/0/vertices"} {
		s = viewOf(t, d, path).(*scene.Scene)
		assert.Equal(t, "m", s.Roots[0].Mesh.Name, path)
		assert.Equal(t, scene.Identity, s.Roots[0].Transform, "alone, it has no transform")
	}
	assert.Equal(t, "n", viewOf(t, d, "/objects/0/nodes/0").(*scene.Scene).Roots[0].Name)
}

func TestSkinsOfAllNodesAreCompared(t *testing.T) {
	skinned := func(id string) *gpb.Node {
		return &gpb.Node{ID: id, Transform: gpbtest.Identity, Model: &gpb.Model{Mesh: "#m",
			Skin: &gpb.Skin{Joints: []string{"#j"}, BindPoses: gpbtest.Floats(gpbtest.Identity[:]...)}}}
	}
	d, _ := gpbtest.Open(t, gpbtest.Encode(t, &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("m")},
		Objects: []gpb.Object{gpbtest.SceneOf(skinned("n")), skinned("alone")}}, gpbtest.V15, gpbtest.ByID))
	for _, path := range []string{"/objects/0/nodes/0/model/meshSkin", "/objects/1/model/meshSkin"} {
		n, err := d.Find(path)
		require.NoError(t, err)
		item, ok := d.Item(n)
		require.True(t, ok)
		assert.NotNil(t, item.Content, path)
	}
}

func TestFileWithoutASceneShowsAllMeshesOrTheOnlyFont(t *testing.T) {
	d, _ := gpbtest.Open(t, gpbtest.Encode(t, &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("a"),
		gpbtest.Triangle("b")}}, gpbtest.V15, gpbtest.ByID))
	assert.Len(t, viewOf(t, d, "/").(*scene.Scene).Roots, 2, "all meshes")
	d, _ = gpbtest.Open(t, gpbtest.Encode(t, &gpb.File{Container: gpb.NoList,
		Objects: []gpb.Object{gpbtest.Font("f", 12)}},
		gpbtest.V12, gpbtest.ByID))
	assert.Implements(t, (*image.Image)(nil), viewOf(t, d, "/"))
	d, _ = gpbtest.Open(t, gpbtest.Encode(t, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{gpbtest.Font("f",
		12), gpbtest.Font("g", 14)}},
		gpbtest.V12, gpbtest.ByID))
	assert.Nil(t, viewOf(t, d, "/"), "none of several fonts is the file")
	assert.NotNil(t, viewOf(t, d, "/objects/1"))
	d, _ = gpbtest.Open(t, gpbtest.Encode(t, &gpb.File{}, gpbtest.V15, gpbtest.ByID))
	assert.Nil(t, viewOf(t, d, "/"))
}

func TestRootsBesideManyScenesAreDisplayedOnce(t *testing.T) {
	const many = 3000
	f := &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("m")}}
	for i := range many {
		name := model.IndexName(i)
		f.Objects = append(f.Objects, gpbtest.SceneOf(),
			&gpb.Node{ID: "lone " + name, Transform: gpbtest.Translation(1, 2, 3), Model: &gpb.Model{Mesh: "#m"}})
		f.Objects[2*i].(*gpb.Scene).ID = "scene " + name
	}
	d, _ := gpbtest.Open(t, gpbtest.Encode(t, f, gpbtest.V15, gpbtest.ByID))
	assert.Len(t, viewOf(t, d, "/").(*scene.Scene).Roots, many, "roots beside the scenes are displayed once")
}

func TestViewsOfTheExporterHaveCorrectedColors(t *testing.T) {
	d, _ := gpbtest.Open(t, gpbtest.Encode(t, gpbtest.ExporterFile(false, 2), gpbtest.ExporterA, gpbtest.ByOffset))
	s := viewOf(t, d, "/").(*scene.Scene)
	assert.Equal(t, [3]float32{1, 0.5, 0.25}, s.Roots[0].Light.Color, "stored as red, blue, green")
	assert.Equal(t, scene.Identity, s.Roots[1].Skin.BindShape, "all zeros are none")
	assert.Equal(t, 6, s.Roots[1].Mesh.Count)
	assert.Equal(t, "quadmesh", viewOf(t, d, "/objects/1/parts").(*scene.Scene).Roots[0].Mesh.Name)
}

func TestNestedObjectsAreViewsAndAssets(t *testing.T) {
	d, _ := gpbtest.Open(t, gpbtest.NestedMeshes(3))
	for _, id := range []string{"m0", "m1", "m2"} {
		assert.Equal(t, id, gpbtest.Payload(t, d, id).Key)
	}
	assert.Equal(t, "m2", viewOf(t, d, "/recovered/1").(*scene.Scene).Roots[0].Name)

	const meshes = 3000 // of the largest only the place is known
	d, _ = gpbtest.Open(t, gpbtest.NestedMeshes(meshes))
	assert.Less(t, d.Payloads.Len(), meshes)
}

// TestCanceledViewIsMadeAgain views a bundle and a .scene with a context that has ended, and then again.
func TestCanceledViewIsMadeAgain(t *testing.T) {
	open := gpbtest.Project(t, map[string][]byte{
		"a.gpb": gpbtest.Crates(t, "one"), "look.material": gpbtest.Colors("wood"),
		"a.scene": []byte("scene a\n{\n path = a.gpb\n node one\n {\n  material = look.material\n }\n}\n"),
	})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct{ file, path string }{
		{"a.gpb", "/"}, {"a.gpb", "/objects/0"}, {"a.gpb", "/meshes/0"}, {"a.scene", "/"},
	} {
		d := open(c.file)
		n, err := d.Find(c.path)
		require.NoError(t, err)
		_, err = d.View(ended, n)
		assert.ErrorIs(t, err, context.Canceled, "%s of %s", c.path, c.file)
		v, err := d.View(t.Context(), n)
		require.NoError(t, err)
		assert.Equal(t, "wood", v.(*scene.Scene).Roots[0].Material(0).Name, "%s of %s", c.path, c.file)
	}
}

func TestKeysOfAChannelAreATable(t *testing.T) {
	d, _ := gpbtest.Open(t, gpbtest.Moves(t, 0, 250, 1000))
	times, err := d.Find("/objects/1/animations/0/channels/0/keyTimes")
	require.NoError(t, err)
	channel, keys := d.Keys(times)
	require.NotNil(t, channel)
	assert.Equal(t, "AnimationChannel", channel.Type)
	assert.EqualValues(t, 3, keys.Rows)
	assert.Equal(t, []string{"time (s)", "translation y"}, []string{keys.Title(0), keys.Title(1)})
	var got [][2]any
	for row := range keys.Rows {
		got = append(got, [2]any{keys.Cell(row, 0), keys.Cell(row, 1)})
	}
	assert.Equal(t, [][2]any{{float32(0), float32(1)}, {float32(.25), float32(2)}, {float32(1), float32(4)}}, got)
	assert.Equal(t, times.Offset+4+2*4, keys.Offset(2), "after the count and two times")
	none, _ := d.Keys(d.Root())
	assert.Nil(t, none)
}

const bumpy = `material wood
{
    sampler u_diffuseTexture
    {
        path = res/wood.png
    }
    sampler u_normalmapTexture
    {
        path = @bumps
    }
    sampler u_lightmapTexture
    {
        path = res/gone.png
    }
}
`

func TestSelectedTextureIsTheView(t *testing.T) {
	var wood bytes.Buffer
	require.NoError(t, png.Encode(&wood, image.NewGray(image.Rect(0, 0, 3, 2))))
	open := gpbtest.Project(t, map[string][]byte{
		"game.config":         []byte("aliases\n{\n bumps = res/bumps.dds\n}\n"),
		"res/crates.material": []byte(bumpy),
		"res/wood.png":        wood.Bytes(),
		"res/bumps.dds":       gpbtest.BlackDDS(),
		"res/a.scene": []byte("scene a\n{\n  node land\n  {\n    terrain\n    {\n" +
			"      heightmap = wood.png\n    }\n  }\n}\n"),
	})
	look := func(d *model.Document, text string) model.View {
		t.Helper()
		b, err := d.Source.Bytes(model.Span{Size: d.Source.Size()})
		require.NoError(t, err)
		leaf := d.Owner(int64(bytes.Index(b, []byte(text))))
		require.NotNil(t, leaf)
		v, err := d.View(t.Context(), leaf)
		require.NoError(t, err)
		inParent, err := d.View(t.Context(), leaf.Parent)
		require.NoError(t, err)
		assert.Equal(t, v.ViewKind(), inParent.ViewKind(), "of the property as of its value")
		return v
	}
	materials := open("res/crates.material")
	v := look(materials, "res/wood.png").(model.Picture)
	assert.Equal(t, []any{image.Pt(3, 2), "PNG"}, []any{v.Bounds().Size(), v.Format})
	v = look(materials, "@bumps").(model.Picture)
	assert.Equal(t, []any{image.Pt(2, 2), "DDS"}, []any{v.Bounds().Size(), v.Format})
	assert.Equal(t, model.SceneView, look(materials, "res/gone.png").ViewKind(), "what is not there shows the material")
	assert.Equal(t, model.PictureView, look(open("res/a.scene"), "wood.png").ViewKind())
}

func TestTextIsSetInAFont(t *testing.T) {
	f, err := os.Open("../../../assets/samples/goregular.gpb")
	require.NoError(t, err)
	defer f.Close()
	info, err := f.Stat()
	require.NoError(t, err)
	doc, err := document.Open(t.Context(), model.NewSource("goregular.gpb", f, info.Size()))
	require.NoError(t, err)
	v, err := doc.View(t.Context(), doc.Root())
	require.NoError(t, err)
	p := v.(model.Picture)
	require.NotEmpty(t, p.Boxes)
	assert.Regexp(t, `^\d+ glyphs · (coverage|distance field), 8 bits$`, p.Format)
	for _, b := range p.Boxes {
		assert.True(t, b.In(p.Bounds()), b.Name)
		glyph := doc.Owner(b.Span.Offset)
		for glyph.Span != b.Span && glyph.Parent != nil {
			glyph = glyph.Parent
		}
		assert.Equal(t, b.Span, glyph.Span)
		assert.Equal(t, "Glyph", glyph.Type)
	}
	lines, err := p.Lines(t.Context(), "Duck \U0001F986")
	require.NoError(t, err)
	require.NotEmpty(t, lines)
	for _, l := range lines {
		ink := 0
		for _, a := range l.Pix {
			ink += int(a) / 128
		}
		assert.Greater(t, ink, 20, "%s: the letters are there", l.Name)
		assert.Equal(t, []rune{'\U0001F986'}, l.Missing, l.Name)
	}
	nothing, err := p.Lines(t.Context(), "")
	require.NoError(t, err)
	assert.Len(t, nothing, len(lines))
}

func TestDamagedFontSizeHasAReason(t *testing.T) {
	f := gpbtest.Font("f", 12, 14)
	f.Sizes[1].Width++
	d, _ := gpbtest.Open(t, gpbtest.Encode(t, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{f}}, gpbtest.V15,
		gpbtest.ByID))
	p := viewOf(t, d, "/").(model.Picture)
	lines, err := p.Lines(t.Context(), "AB")
	require.NoError(t, err)
	require.Len(t, lines, 2)
	assert.Equal(t, "12 px", lines[0].Name)
	assert.Contains(t, lines[1].Name, "14 px: a picture of 5 × 3 needs 15 bytes, but there are 12")
	assert.NotNil(t, lines[1].Alpha)
	assert.Empty(t, lines[1].Missing, "nothing is known about it")
}

// BenchmarkMaterials opens and checks 10,000 materials with a technique, a pass and a sampler each.
func BenchmarkMaterials(b *testing.B) {
	var text strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&text, "material m%d\n{\n  technique\n  {\n    pass\n    {\n      sampler u_diffuseTexture\n      {\n"+
			"        path = res/t%d.png\n      }\n    }\n  }\n}\n", i, i)
	}
	file := []byte(text.String())
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		d, err := document.OpenText(b.Context(), gpbtest.Source(file))
		require.NoError(b, err)
		_, err = d.Check(b.Context(), nil)
		require.NoError(b, err)
	}
}
