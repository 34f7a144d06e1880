package render_test

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
	"assay/model/render"
	"assay/model/scene"
)

// normalColor returns a direction as a color of a normal map.
func normalColor(x, y, z float64) color.NRGBA {
	number := func(v float64) uint8 { return uint8(math.Round((v + 1) / 2 * 255)) }
	return color.NRGBA{number(x), number(y), number(z), 255}
}

// bumped returns a lit material with a normal map.
func bumped(img image.Image) *scene.Material {
	m := unlit(1, 1, 1, 1)
	m.Shading = scene.Lit
	m.Normal = &scene.Sampler{Texture: textureOf(img), Repeat: [2]float32{1, 1}}
	return m
}

// shining returns a distant light in a direction.
func shining(x, y, z float64) *scene.Node {
	// The light shines along its negative z axis, so its z axis is the direction.
	r := math.Hypot(x, z)
	m := scene.Matrix{0: float32(z / r), 2: float32(-x / r),
		4: float32(-x * y / r), 5: float32(r), 6: float32(-y * z / r),
		8: float32(x), 9: float32(y), 10: float32(z), 15: 1}
	return &scene.Node{Transform: m, Light: &scene.Light{Color: [3]float32{1, 1, 1}}}
}

// The light of a surface is the cosine between the lamp and the normal, 0.03 from the sky, and a tenth of the cosine
// between the viewer and the normal.
func TestNormalMapTurnsTheNormal(t *testing.T) {
	for name, c := range map[string]struct {
		normal, lamp [3]float64
		mirror       bool // the texture is mirrored in both directions
		light        float64
	}{
		"not turned":            {[3]float64{0, 0, 1}, [3]float64{.6, 0, .8}, false, .8 + .03 + .1},
		"to the lamp":           {[3]float64{.6, 0, .8}, [3]float64{.6, 0, .8}, false, 1},
		"away from the lamp":    {[3]float64{-.6, 0, .8}, [3]float64{.6, 0, .8}, false, .28 + .03 + .08},
		"up":                    {[3]float64{0, .6, .8}, [3]float64{0, -.6, .8}, false, .28 + .03 + .08},
		"down":                  {[3]float64{0, -.6, .8}, [3]float64{0, .8, .6}, false, 0 + .03 + .08},
		"mirrored: to the left": {[3]float64{.6, 0, .8}, [3]float64{.6, 0, .8}, true, .28 + .03 + .08},
	} {
		t.Run(name, func(t *testing.T) {
			img := image.NewNRGBA(image.Rect(0, 0, 1, 1))
			img.SetNRGBA(0, 0, normalColor(c.normal[0], c.normal[1], c.normal[2]))
			most := float32(1)
			if c.mirror {
				most = -1
			}
			got := draw(t, sceneOf(quad(0, most, bumped(img)), shining(c.lamp[0], c.lamp[1], c.lamp[2])),
				render.View{Tight: true, Orthographic: true}, 32)
			screen := 1.055*math.Pow(min(c.light, 1), 1/2.4) - .055
			assert.InDelta(t, 255*screen, float64(pixelAt(got, .5, .5).G), 2)
		})
	}
}

// The scene is a plate with dents.
func TestNormalMapIsTheGoldenPicture(t *testing.T) {
	const size, dents = 64, 4
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			u := math.Mod(float64(x)/size*dents, 1)*2 - 1
			v := 1 - math.Mod(float64(y)/size*dents, 1)*2
			r := math.Hypot(u, v)
			if r > .9 {
				img.SetNRGBA(x, y, normalColor(0, 0, 1))
				continue
			}
			img.SetNRGBA(x, y, normalColor(-u*.8, -v*.8, math.Sqrt(1-.64*r*r)))
		}
	}
	plate := quad(0, 1, bumped(img))
	plate.Mesh.Parts[0].Material.Diffuse = [4]float32{.8, .5, .3, 1}
	plate.Mesh.Parts[0].Material.SpecularExponent = 12
	plate.Mesh.Parts[0].Material.WhiteHighlights = true
	m, err := render.Load(t.Context(), sceneOf(plate, shining(-.48, .6, .64)))
	require.NoError(t, err)
	out := image.NewNRGBA(image.Rect(0, 0, 96, 96))
	r := render.Renderer{Samples: 2}
	require.NoError(t, r.Draw(t.Context(), out, m, render.View{Yaw: .3, Pitch: .3, Tight: true}))
	golden(t, "normalmap", out)
}

// hull returns a box whose faces and normals point inward or outward.
func hull(faces, normals float32) *scene.Node {
	box := scene.BoxMesh()
	v := make([]float32, box.Count*6)
	_ = box.Vertices.Read(0, v)
	for i := range v {
		if i%6 > 2 {
			v[i] *= normals
		}
	}
	idx := make([]uint32, box.PartIndices(box.Parts[0]).Len())
	_ = box.Parts[0].Indices.Read(0, idx)
	if faces < 0 {
		slices.Reverse(idx)
	}
	return &scene.Node{Name: "hull", Transform: scene.Identity, Mesh: &scene.Mesh{Name: "hull", Count: box.Count,
		Elements: box.Elements, Vertices: modeltest.Floats(v),
		Parts: []*scene.Part{{Primitive: scene.Triangles, Indices: modeltest.Indices(idx)}}}}
}

// A red square is inside hulls with materials that only have a name.
func TestInteriorsAreDrawnFromInside(t *testing.T) {
	for _, c := range []struct {
		faces, normals float32
		open           bool
	}{{1, 1, false}, {-1, 1, false}, {1, -1, false}, {-1, -1, true}} {
		square := quad(0, 1, unlit(1, 0, 0, 1))
		square.Transform = scene.TRS{Rotation: [4]float32{3: 1}, Scale: [3]float32{.2, .2, .2}}.Matrix()
		img := draw(t, sceneOf(hull(c.faces, c.normals), square), render.View{Tight: true}, 64)
		assert.Equal(t, c.open, mostly(pixelAt(img, .5, .5)) == "red", "%v", c)
		assert.Equal(t, uint8(255), pixelAt(img, .1, .1).A, "the walls are drawn")
	}
	known := hull(-1, -1)
	known.Materials = []*scene.Material{unlit(0, 1, 0, 1)}
	img := draw(t, sceneOf(known, quad(0, 1, unlit(1, 0, 0, 1))), render.View{Tight: true}, 64)
	assert.Equal(t, "green", mostly(pixelAt(img, .5, .5)), "a material is not changed")
}
