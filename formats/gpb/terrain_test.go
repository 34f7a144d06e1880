package gpb_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

// TestTerrain shows a terrain of a picture: 3 columns and 2 rows, of which the one at the back is higher to the right.
func TestTerrain(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	for x, v := range []uint8{0, 64, 128} {
		img.SetNRGBA(x, 0, color.NRGBA{v, 0, 0, 128})
		img.SetNRGBA(x, 1, color.NRGBA{0, 0, 0, 128})
	}
	var picture, ground bytes.Buffer
	require.NoError(t, png.Encode(&picture, img))
	require.NoError(t, png.Encode(&ground, image.NewGray(image.Rect(0, 0, 4, 4))))
	s := inProject(t, map[string][]byte{
		"res/a.scene": []byte("scene a\n{\n  node land\n  {\n    terrain = res/land/a.terrain\n  }\n}\n"),
		"res/land/a.terrain": []byte("terrain a\n{\n  heightmap = heights.png\n  size = 4, 8, 6\n  layer\n  {\n" +
			"    texture\n    {\n      path = ground.png\n      repeat = 10, 20\n    }\n  }\n  layer\n  {\n  }\n}\n"),
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
	assert.Equal(t, []string{"of the 2 layers of the terrain of land the first is shown"}, s.Missing)
	m, err := render.Load(t.Context(), s)
	require.NoError(t, err)
	assert.Equal(t, 4, m.Triangles())
	out := image.NewNRGBA(image.Rect(0, 0, 32, 32))
	var r render.Renderer
	require.NoError(t, r.Draw(t.Context(), out, m, render.View{Pitch: 1.5, Tight: true}))
	assert.Equal(t, uint8(255), out.NRGBAAt(16, 16).A)
	_, err = s.WriteGLB(t.Context(), &bytes.Buffer{})
	assert.NoError(t, err)
}

// TestTerrainOfNumbers shows terrains of numbers without a header, and tells of those that cannot be shown.
func TestTerrainOfNumbers(t *testing.T) {
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
		"bytes": {node("path = h.raw\nsize = 2, 2"), []byte{0, 0, 255, 0}, []float32{.6, 0, 0, 0}, ""},
		"words": {node("path = h.raw\nwidth = 2\nheight = 2"), wide, []float32{0, 0, .6, 0}, ""},
		"no size": {node("path = h.raw"), []byte{1}, nil,
			"the terrain of land is not shown: it does not say how many columns and rows h.raw has"},
		"too few": {node("path = h.raw\nsize = 20, 20"), []byte{1, 2}, nil,
			"the terrain of land is not shown: h.raw has 2 bytes, which is neither one nor two for each of 20 × 20"},
		"no map": {node("x = y"), nil, nil, "the terrain of land is not shown: it names no heightmap"},
	} {
		t.Run(what, func(t *testing.T) {
			s := inProject(t, map[string][]byte{"a.scene": c.scene, "h.raw": c.file,
				"crate.gpb": crates(t, "box")})("a.scene")
			land := s.Roots[len(s.Roots)-1]
			require.Equal(t, "land", land.Name)
			if c.missing != "" {
				assert.Equal(t, []string{c.missing}, s.Missing)
				assert.Nil(t, land.Mesh)
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
