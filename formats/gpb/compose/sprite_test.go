package compose_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/gpbtest"
	"assay/model/render"
	"assay/model/scene"
)

// quarters returns a picture of 8 × 4 pixels: red and green on top, blue and transparent below.
func quarters(t *testing.T) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 8, 4))
	for i := range 32 {
		x, y := i%8, i/8
		img.SetNRGBA(x, y, [2][2]color.NRGBA{{{255, 0, 0, 255}, {0, 255, 0, 255}}, {{0, 0, 255, 255}, {}}}[y/2][x/4])
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	return b.Bytes()
}

// flatScene composes a .scene of nodes a, b … with these contents.
func flatScene(t *testing.T, contents ...string) *scene.Scene {
	t.Helper()
	text := "scene s\n{\n"
	for i, c := range contents {
		text += "  node " + string(rune('a'+i)) + "\n  {\n" + c + "  }\n"
	}
	return gpbtest.SceneIn(t, map[string][]byte{"res/a.scene": []byte(text + "}\n"), "res/p.png": quarters(t),
		"res/hero.sprite": []byte("sprite hero\n{\n  path = p.png\n}\n")})("res/a.scene")
}

// corners returns the positions and texture coordinates of a mesh, in the space of the scene.
func corners(t *testing.T, n *scene.Node) (all [][]float32) {
	t.Helper()
	require.NotNil(t, n.Mesh, n.Name)
	for _, v := range vertices(t, n.Mesh) {
		p := n.Transform.Apply([3]float32(v[:3]))
		all = append(all, append(p[:], v[6:]...))
	}
	return all
}

func TestSpritesHaveTheCornersOfTheirProperties(t *testing.T) {
	sprite := func(lines string) string { return "    sprite\n    {\n      path = res/p.png\n" + lines + "    }\n" }
	for name, c := range map[string]struct {
		text string
		want [][]float32 // x, y, z, u, v from the bottom left corner counterclockwise
	}{
		"a unit for each pixel":    {sprite(""), [][]float32{{0, 0, 0, 0, 0}, {8, 0, 0, 1, 0}, {8, 4, 0, 1, 1}, {0, 4, 0, 0, 1}}},
		"of another file":          {"    sprite = res/hero.sprite\n", [][]float32{{0, 0, 0, 0, 0}, {8, 0, 0, 1, 0}}},
		"the source is from above": {sprite("source = 4, 0, 4, 2\n"), [][]float32{{0, 0, 0, .5, .5}, {8, 0, 0, 1, .5}, {8, 4, 0, 1, 1}}},
		"sizes":                    {sprite("width = 2\nheight = 50%\n"), [][]float32{{0, 0, 0, 0, .5}, {2, 0, 0, 1, .5}, {2, 2, 0, 1, 1}}},
		"offset":                   {sprite("offset = OFFSET_VCENTER_RIGHT\n"), [][]float32{{-8, -2, 0, 0, 0}, {0, -2, 0, 1, 0}}},
		"offset by the anchor": {sprite("offset = OFFSET_ANCHOR\nanchor = 0.25, 1\n"),
			[][]float32{{-2, -4, 0, 0, 0}, {6, -4, 0, 1, 0}, {6, 0, 0, 1, 1}}},
		"mirrored": {sprite("flip = FLIP_VERTICAL_HORIZONTAL\n"), [][]float32{{8, 4, 0, 0, 0}, {0, 4, 0, 1, 0}, {0, 0, 0, 1, 1}}},
		"the scale is not that of the offset": {"    scale = 2, 3, 1\n" + sprite("offset = OFFSET_TOP\n"),
			[][]float32{{0, -4, 0, 0, 0}, {16, -4, 0, 1, 0}, {16, 8, 0, 1, 1}}},
		"turned around its anchor": {"    rotate = 0, 0, 1, 90\n    translate = 1, 1, 5\n" + sprite(""),
			[][]float32{{7, -1, 5, 0, 0}, {7, 7, 5, 1, 0}, {3, 7, 5, 1, 1}, {3, -1, 5, 0, 1}}},
	} {
		s := flatScene(t, c.text)
		assert.Empty(t, s.Missing, name)
		for i, at := range corners(t, s.Roots[0])[:len(c.want)] {
			assert.InDeltaSlice(t, c.want[i], at, 1e-4, "%s: corner %d", name, i)
		}
	}
}

func TestSpritesBlendByTheirProperties(t *testing.T) {
	sprite := func(lines string) string { return "    sprite\n    {\n      path = res/p.png\n" + lines + "    }\n" }
	s := flatScene(t, sprite("color = 1, 0.5, 0\nopacity = 0.5\n"),
		sprite("color = #ff0000ff\nblendMode = BLEND_ADDITIVE\n"),
		sprite("blendMode = BLEND_NONE\n"), sprite("blendMode = BLEND_MULTIPLIED\n"), "    material = res/gone.material#a\n",
		"    sprite\n    {\n    }\n", "    sprite\n    {\n      path = res/gone.png\n    }\n")
	m := func(i int) *scene.Material { return s.Roots[i].Material(0) }
	assert.Equal(t, [4]float32{1, .5, 0, .5}, m(0).Diffuse)
	assert.Equal(t, [4]float32{1, 0, 0, 1}, m(1).Diffuse)
	assert.Equal(t, []any{scene.AlphaBlend, true, scene.Opaque}, []any{m(0).Alpha, m(1).Additive, m(2).Alpha})
	assert.False(t, s.Roots[0].Undrawn, "its material is in no file")
	assert.Contains(t, s.Missing, "the sprite of d is drawn with BLEND_ALPHA instead of BLEND_MULTIPLIED")
	assert.Contains(t, s.Missing, "the sprite of f is not drawn: it has no path")
	assert.Contains(t, s.Missing, "the sprite of g is not drawn: its picture was not found")
}

// TestLastTileOfACellCounts draws a tile set of 2 × 2 cells: green and red at the top; below, one that a later tile
// makes blue, and an empty one.
func TestLastTileOfACellCounts(t *testing.T) {
	tile := func(numbers string) string { return "      tile\n      {\n        cell = " + numbers + "\n      }\n" }
	text := "    rotate = 0, 0, 1, 90\n    scale = 3, 3, 3\n    tileset\n    {\n      path = res/p.png\n      tileWidth = 4\n" +
		"      tileHeight = 2\n      rows = 2\n      columns = 2\n" + tile("0, 0\n        source = 4, 0") +
		tile("1, 0\n        source = 0, 0") + tile("0, 1\n        source = 0, 0") + tile("0, 1\n        source = 0, 2") +
		tile("1, 1\n        source = -1, 0") + tile("2, 0\n        source = 0, 0") + tile("1, 1") + "    }\n"
	s := flatScene(t, text, "    tileset\n    {\n      path = res/p.png\n    }\n")
	assert.Equal(t, []string{"the tileset of b is not drawn: it needs rows, columns, a tileWidth and a tileHeight"}, s.Missing)
	at := corners(t, s.Roots[0])
	require.Len(t, at, 12)
	assert.InDeltaSlice(t, []float32{0, 2, 0, .5, .5}, at[0], 1e-5)
	assert.InDeltaSlice(t, []float32{4, 0, 0, .5, 0}, at[9], 1e-5)

	model, err := render.Load(t.Context(), s)
	require.NoError(t, err)
	out := image.NewNRGBA(image.Rect(0, 0, 80, 40))
	var r render.Renderer
	look := model.InitialView()
	look.Orthographic = true
	require.NoError(t, r.Draw(t.Context(), out, model, look), "straight from the front")
	for at, want := range map[image.Point]color.NRGBA{{20, 10}: {0, 255, 0, 255}, {60, 10}: {255, 0, 0, 255},
		{20, 30}: {0, 0, 255, 255}, {60, 30}: {}} {
		assert.Equal(t, want, out.NRGBAAt(at.X, at.Y), "%v", at)
	}
	lost, err := s.WriteGLB(t.Context(), &bytes.Buffer{}, scene.GLBOptions{})
	assert.NoError(t, err)
	assert.Equal(t, s.Missing, lost)
}
