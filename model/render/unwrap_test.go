package render

import (
	"context"
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
	"assay/model/scene"
)

// quarters returns a picture of four pixels: red and green, below them blue and gray.
func quarters(context.Context) (image.Image, error) {
	p := image.NewNRGBA(image.Rect(0, 0, 2, 2))
	for i, c := range []color.NRGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {128, 128, 128, 255}} {
		p.SetNRGBA(i%2, i/2, c)
	}
	return p, nil
}

// flat returns a triangle whose texture coordinates have a corner at the origin, and one on each axis at to.
func flat(t *testing.T, to float32, down bool) (*Model, *scene.Node) {
	t.Helper()
	mat := &scene.Material{Name: "paint", Shading: scene.Unlit, Diffuse: [4]float32{1, 1, 1, 1},
		Texture: &scene.Sampler{Repeat: [2]float32{1, 1},
			Texture: &scene.Texture{Name: "four.png", Down: down, Image: quarters}}}
	n := &scene.Node{Name: "n", Transform: scene.Identity, Mesh: &scene.Mesh{Count: 3,
		Elements: []scene.Element{{Usage: scene.Position, Size: 3}, {Usage: scene.TexCoord, Size: 2}},
		Vertices: modeltest.Floats{0, 0, 0, 0, 0, 1, 0, 0, to, 0, 0, 1, 0, 0, to},
		Parts: []*scene.Part{{Primitive: scene.Triangles, Material: mat, Indices: modeltest.Indices{0, 1, 2}},
			{Primitive: scene.Triangles, Indices: modeltest.Indices{0, 1, 2}}}}}
	m, err := Load(t.Context(), &scene.Scene{Roots: []*scene.Node{n}})
	require.NoError(t, err)
	return m, n
}

func TestUnwrappedMeshLiesInItsTexture(t *testing.T) {
	m, n := flat(t, .5, false)
	u := m.Unwrap(t.Context(), n, 0, 64)
	require.NotNil(t, u)
	assert.Equal(t, []any{"paint", "four.png", 1, 2}, []any{u.Material, u.Texture, u.Triangles, u.Parts})
	assert.Equal(t, image.Rect(0, 0, 64, 64), u.Picture.Rect)
	assert.Equal(t, color.NRGBA{255, 0, 0, 255}, u.Picture.NRGBAAt(2, 2), "the picture has its stored orientation")
	assert.Equal(t, color.NRGBA{128, 128, 128, 255}, u.Picture.NRGBAAt(62, 40))
	edge := func(x, y int) bool { // whether one of the pixels around it is nearly white
		for _, d := range []image.Point{{}, {X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
			if c := u.Picture.NRGBAAt(x+d.X, y+d.Y); c.R > 100 && c.G > 100 && c.B > 100 && c.R != 128 {
				return true
			}
		}
		return false
	}
	assert.True(t, edge(16, 63), "v is 0 at the bottom")
	assert.True(t, edge(1, 48), "u is 0 at the left")
	assert.True(t, edge(16, 48), "the third edge is diagonal")
	assert.False(t, edge(16, 16))
	m, n = flat(t, .5, true)
	u = m.Unwrap(t.Context(), n, 0, 64)
	assert.True(t, edge(16, 1), "v goes down")
	assert.False(t, edge(16, 60))
}

func TestUnwrappingRepeatsTheTexture(t *testing.T) {
	m, n := flat(t, 1.5, true)
	u := m.Unwrap(t.Context(), n, 0, 64)
	assert.Equal(t, image.Rect(0, 0, 64, 64), u.Picture.Rect)
	assert.Equal(t, color.NRGBA{0, 0, 255, 255}, u.Picture.NRGBAAt(40, 56), "a pixel of the second copy")
	m, n = flat(t, 1e5, true)
	assert.NotNil(t, m.Unwrap(t.Context(), n, 0, 64).Picture, "bounded")
}

func TestMeshesWithoutCoordinatesAreNotUnwrapped(t *testing.T) {
	m, n := flat(t, 1, false)
	assert.Equal(t, "paint", m.Unwrap(t.Context(), nil, 0, 32).Material, "without a node, the first")
	other := m.Unwrap(t.Context(), n, -1, 32)
	assert.Equal(t, 1, other.Part, "part -1 is the last")
	assert.Empty(t, other.Texture)
	assert.NotNil(t, other.Picture, "over a checkerboard")
	assert.Nil(t, m.Unwrap(t.Context(), &scene.Node{}, 0, 32))
	none, tip := skinnedModel(t, nil)
	assert.Nil(t, none.Unwrap(t.Context(), tip, 0, 32))
	assert.Nil(t, none.Unwrap(t.Context(), none.pose.Nodes[2], 0, 32).Picture, "it has no texture coordinates")
}
