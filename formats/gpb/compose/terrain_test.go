package compose_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/gpbtest"
	"assay/model/render"
	"assay/model/scene"
)

// vertices reads all numbers of a mesh, by vertex.
func vertices(t *testing.T, m *scene.Mesh) (all [][]float32) {
	t.Helper()
	for i := range m.Count {
		v := make([]float32, m.Stride())
		require.NoError(t, m.Vertices.Read(i*len(v), v))
		all = append(all, v)
	}
	return all
}

// TestTerrainHasTheHeightsOfItsPicture has a picture of 3 columns and 2 rows, of which the row at the back rises to the
// right.
func TestTerrainHasTheHeightsOfItsPicture(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	for x, v := range []uint8{0, 64, 128} {
		img.SetNRGBA(x, 0, color.NRGBA{v, 0, 0, 128})
		img.SetNRGBA(x, 1, color.NRGBA{0, 0, 0, 128})
	}
	var picture, ground bytes.Buffer
	require.NoError(t, png.Encode(&picture, img))
	require.NoError(t, png.Encode(&ground, image.NewGray(image.Rect(0, 0, 4, 4))))
	s := gpbtest.SceneIn(t, map[string][]byte{
		"res/a.scene": []byte("scene a\n{\n  node land\n  {\n    terrain = res/land/a.terrain\n  }\n}\n"),
		"res/land/a.terrain": []byte("terrain a\n{\n  heightmap = heights.png\n  size = 4, 8, 6\n  layer\n  {\n" +
			"    texture\n    {\n      path = ground.png\n      repeat = 10, 20\n    }\n" +
			"    texture\n    {\n      path = heights.png\n    }\n  }\n  layer\n  {\n  }\n}\n"),
		"res/land/heights.png": picture.Bytes(), "res/land/ground.png": ground.Bytes()})("res/a.scene")
	require.Len(t, s.Roots, 1)
	land := s.Roots[0]
	require.NotNil(t, land.Mesh, "%v", s.Missing)
	v := vertices(t, land.Mesh)
	require.Len(t, v, 6)
	assert.Equal(t, []float32{-2, 0, -3}, v[0][:3], "the first row of the picture is at the back")
	assert.Equal(t, []float32{2, 4, -3}, v[2][:3])
	assert.Equal(t, []float32{0, 0, 3}, v[4][:3])
	assert.Equal(t, []float32{-1, 1, 1. / 3}, v[1][3:6], "it rises by 1 to the right, and to the back by a third")
	assert.Equal(t, []float32{0, 1}, v[0][6:], "v is 1 at the back")
	assert.InDeltaSlice(t, []float32{2. / 3, .5}, v[5][6:], 1e-6, "x / columns, 1 - z / rows")
	part := land.Mesh.Parts[0]
	assert.Equal(t, 12, part.Indices.Len())
	assert.Equal(t, "res/land/ground.png", part.Material.Texture.Texture.Path)
	assert.Equal(t, [2]float32{10, 20}, part.Material.Texture.Repeat)
	assert.Empty(t, s.Missing)
	m, err := render.Load(t.Context(), s)
	require.NoError(t, err)
	assert.Equal(t, 4, m.Triangles())
	out := image.NewNRGBA(image.Rect(0, 0, 32, 32))
	var r render.Renderer
	require.NoError(t, r.Draw(t.Context(), out, m, render.View{Pitch: 1.5, Tight: true}))
	assert.Equal(t, uint8(255), out.NRGBAAt(16, 16).A)
	_, err = s.WriteGLB(t.Context(), &bytes.Buffer{}, scene.GLBOptions{})
	assert.NoError(t, err)
}

// TestLayersCoverByTheirBlendMaps draws a flat terrain of red ground, with green where a map is blue and blue where its
// alpha is set. The layers are not in the order of their indices.
func TestLayersCoverByTheirBlendMaps(t *testing.T) {
	picture := func(pixels ...color.NRGBA) []byte {
		img := image.NewNRGBA(image.Rect(0, 0, len(pixels), 1))
		for x, c := range pixels {
			img.SetNRGBA(x, 0, c)
		}
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, img))
		return b.Bytes()
	}
	flat := image.NewNRGBA(image.Rect(0, 0, 4, 4))
	var heights bytes.Buffer
	require.NoError(t, png.Encode(&heights, flat))
	layer := func(index int, texture, channel string) string {
		return fmt.Sprintf("  layer\n  {\n    index = %d\n    texture\n    {\n      path = %s.png\n    }\n"+
			"    texture\n    {\n      path = gone.png\n    }\n    blend\n    {\n      path = map.png\n      channel = %s\n    }\n"+
			"    blend\n    {\n      channel = g\n    }\n  }\n", index, texture, channel)
	}
	text := "terrain a\n{\n  heightmap = heights.png\n  size = 4, 0, 4\n" + layer(7, "blue", "a") +
		layer(2, "red", "r") + layer(5, "blue", "b") + layer(5, "green", "Blue") + layer(9, "blue", "r") + "}\n"
	s := gpbtest.SceneIn(t, map[string][]byte{
		"res/a.scene":   []byte("scene a\n{\n  node land\n  {\n    terrain = res/a.terrain\n  }\n}\n"),
		"res/a.terrain": []byte(text), "res/heights.png": heights.Bytes(),
		"res/red.png": picture(color.NRGBA{255, 0, 0, 255}), "res/green.png": picture(color.NRGBA{0, 255, 0, 255}),
		"res/blue.png": picture(color.NRGBA{0, 0, 255, 255}),
		"res/map.png": picture(color.NRGBA{A: 1}, color.NRGBA{B: 255, A: 1}, color.NRGBA{B: 255, A: 255},
			color.NRGBA{})})("res/a.scene")
	assert.Equal(t, []string{"only the first 3 of the 4 layers of the terrain of land are drawn"}, s.Missing)
	m := s.Roots[0].Mesh.Parts[0].Material
	assert.Equal(t, "red.png", m.Texture.Texture.Name)
	require.Len(t, m.Layers, 2)
	assert.Equal(t, []any{"green.png", 2, "blue.png", 3}, []any{m.Layers[0].Texture.Texture.Name, m.Layers[0].Channel,
		m.Layers[1].Texture.Texture.Name, m.Layers[1].Channel}, "of two with one index the later counts")

	m.Shading = scene.Unlit
	model, err := render.Load(t.Context(), s)
	require.NoError(t, err)
	out := image.NewNRGBA(image.Rect(0, 0, 80, 80))
	var r render.Renderer
	above := render.View{Pitch: math.Pi / 2, Tight: true, Orthographic: true}
	require.NoError(t, r.Draw(t.Context(), out, model, above))
	// The coordinates end at 3/4: the first three pixels of the map have their middles at 1/6, 3/6 and 5/6.
	for x, want := range map[int]color.NRGBA{13: {R: 255}, 40: {G: 255}, 66: {B: 255}} {
		got := out.NRGBAAt(x, 40)
		assert.InDeltaSlice(t, []int{int(want.R), int(want.G), int(want.B)}, []int{int(got.R), int(got.G), int(got.B)},
			60, "at %d: %v", x, got)
	}
	lost, err := s.WriteGLB(t.Context(), &bytes.Buffer{}, scene.GLBOptions{})
	require.NoError(t, err)
	assert.Contains(t, lost, `only the first texture layer is exported (1, in "land")`)
}

// TestLayersHavePatchesByRowAndColumn draws a flat terrain of 2 × 2 patches, the fourth one square wide. All are red;
// those in front are green instead, and the last of them is blue. Columns are counted on from row to row.
func TestLayersHavePatchesByRowAndColumn(t *testing.T) {
	plain := func(size int, c color.NRGBA) []byte {
		img := image.NewNRGBA(image.Rect(0, 0, size, size))
		for i := range size * size {
			img.SetNRGBA(i%size, i/size, c)
		}
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, img))
		return b.Bytes()
	}
	layer := func(index int, texture, where string) string {
		return fmt.Sprintf("  layer\n  {\n    index = %d\n    %s\n    texture\n    {\n      path = %s.png\n    }\n  }\n",
			index, where, texture)
	}
	text := "terrain a\n{\n  heightmap = heights.png\n  size = 4, 0, 4\n  patchSize = 3\n" + layer(0, "red", "") +
		layer(0, "green", "row = 1") + layer(3, "blue", "row = 1\n    column = 3") + layer(4, "red", "column = 4") +
		layer(5, "green", "row = 0\n    column = 3") + "}\n"
	s := gpbtest.SceneIn(t, map[string][]byte{
		"res/a.scene":   []byte("scene a\n{\n  node land\n  {\n    terrain = res/a.terrain\n  }\n}\n"),
		"res/a.terrain": []byte(text), "res/heights.png": plain(5, color.NRGBA{A: 255}),
		"res/red.png":   plain(1, color.NRGBA{255, 0, 0, 255}),
		"res/green.png": plain(1, color.NRGBA{0, 255, 0, 255}),
		"res/blue.png":  plain(1, color.NRGBA{0, 0, 255, 255})})("res/a.scene")
	assert.Empty(t, s.Missing)
	squares := 0
	for _, p := range s.Roots[0].Mesh.Parts {
		squares += p.Indices.Len() / 6
		assert.Empty(t, p.Material.Layers, "what has no blend map hides what is below it")
		p.Material.Shading = scene.Unlit
	}
	assert.Equal(t, 16, squares)
	model, err := render.Load(t.Context(), s)
	require.NoError(t, err)
	out := image.NewNRGBA(image.Rect(0, 0, 80, 80))
	var r render.Renderer
	require.NoError(t, r.Draw(t.Context(), out, model,
		render.View{Pitch: math.Pi / 2, Tight: true, Orthographic: true}))
	red, green, blue := [3]uint8{255, 0, 0}, [3]uint8{0, 255, 0}, [3]uint8{0, 0, 255}
	for at, want := range map[image.Point][3]uint8{{20, 20}: red, {70, 20}: red, {20, 70}: green, {70, 70}: blue,
		{55, 55}: red, {55, 70}: green} {
		got := out.NRGBAAt(at.X, at.Y)
		assert.Equal(t, want, [3]uint8{got.R, got.G, got.B}, "at %v", at)
	}
	_, err = s.WriteGLB(t.Context(), &bytes.Buffer{}, scene.GLBOptions{})
	assert.NoError(t, err)
}

// TestFirstRowOfAHeightmapIsAtTheBack has the same peak, at the left of the first of three rows, in each kind of
// heightmap.
func TestFirstRowOfAHeightmapIsAtTheBack(t *testing.T) {
	picture := image.NewNRGBA(image.Rect(0, 0, 2, 3))
	for i := range picture.Pix {
		picture.Pix[i] = 0
		if i%4 == 3 {
			picture.Pix[i] = 255
		}
	}
	picture.Pix[0] = 255
	var drawn bytes.Buffer
	require.NoError(t, png.Encode(&drawn, picture))
	words := make([]byte, 12)
	words[0], words[1] = 255, 255
	for name, content := range map[string][]byte{"h.png": drawn.Bytes(), "h.raw": {255, 0, 0, 0, 0, 0}, "h.r16": words} {
		t.Run(name, func(t *testing.T) {
			s := gpbtest.SceneIn(t, map[string][]byte{name: content, "a.scene": []byte("scene a\n{\n  node land\n  {\n" +
				"    terrain\n    {\n      size = 4, 8, 6\n      heightmap\n      {\n        path = " + name +
				"\n        size = 2, 3\n      }\n    }\n  }\n}\n")})("a.scene")
			require.NotNil(t, s.Roots[0].Mesh, "%v", s.Missing)
			for i, v := range vertices(t, s.Roots[0].Mesh) {
				if i == 0 {
					assert.InDeltaSlice(t, []float32{-2, 8, -3}, v[:3], .05)
				} else {
					assert.Zero(t, v[1])
				}
			}
			var glb bytes.Buffer
			_, err := s.WriteGLB(t.Context(), &glb, scene.GLBOptions{})
			require.NoError(t, err)
			assert.Contains(t, glb.String(), `"min":[-2,0,-3]`)
		})
	}
}

// TestRawHeightmapsHaveNoHeader has terrains of numbers, and the messages about invalid ones.
func TestRawHeightmapsHaveNoHeader(t *testing.T) {
	wide := binary.LittleEndian.AppendUint16(nil, 65535)
	wide = append(wide, 0, 0, 0, 0, 0, 0)
	node := func(lines string) []byte {
		return []byte("scene a\n{\n  path = crate.gpb\n  node land\n  {\n    terrain\n    {\n      heightmap\n" +
			"      {\n" + lines + "\n      }\n    }\n  }\n}\n")
	}
	for what, c := range map[string]struct {
		scene, file []byte
		heights     []float32
		missing     string
	}{
		"bytes": {node("path = h.raw\nsize = 2, 2"), []byte{0, 0, 255, 0}, []float32{0, 0, .6, 0}, ""},
		"words": {node("path = h.raw\nwidth = 2\nheight = 2"), wide, []float32{.6, 0, 0, 0}, ""},
		"the first of two": {node("path = h.raw\nsize = 2, 2\n}\nheightmap\n{\npath = gone.raw"), []byte{0, 0, 255, 0},
			[]float32{0, 0, .6, 0}, ""},
		"a size of 0": {node("path = h.raw\nsize = 2, 2\n}\nsize = 0, 0, 0\nskirt\n{"), []byte{0, 0, 255, 0},
			[]float32{0, 0, .6, 0}, ""},
		"a node with a mesh": {[]byte("scene a\n{\n  path = crate.gpb\n  node land\n  {\n    url = box\n    terrain\n    {\n    }\n  }\n}\n"),
			nil, nil, "the terrain of land is not drawn because the node has a mesh"},
		"no size": {node("path = h.raw"), []byte{1}, nil,
			"the terrain of land is not drawn: the size of the heightmap h.raw is missing"},
		"too few": {node("path = h.raw\nsize = 20, 20"), []byte{1, 2}, nil,
			"the terrain of land is not drawn: h.raw has 2 bytes; 20 × 20 heights need 1 or 2 bytes each"},
		"no map": {node("x = y"), nil, nil, "the terrain of land is not drawn: it names no heightmap"},
	} {
		t.Run(what, func(t *testing.T) {
			s := gpbtest.SceneIn(t, map[string][]byte{"a.scene": c.scene, "h.raw": c.file,
				"crate.gpb": gpbtest.Crates(t, "box")})("a.scene")
			land := s.Roots[len(s.Roots)-1]
			require.Equal(t, "land", land.Name)
			if c.missing != "" {
				assert.Equal(t, []string{c.missing}, s.Missing)
				assert.Equal(t, what == "a node with a mesh", land.Mesh != nil)
				return
			}
			require.NotNil(t, land.Mesh, "%v", s.Missing)
			var got []float32
			for _, v := range vertices(t, land.Mesh) {
				got = append(got, v[1])
			}
			assert.InDeltaSlice(t, c.heights, got, 1e-6)
		})
	}
}
