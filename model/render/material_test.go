package render_test

import (
	"context"
	"flag"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
	"assay/model/render"
	"assay/model/scene"
)

var update = flag.Bool("update", false, "rewrite the golden pictures")

// checked returns a texture of 2 by 2 pixels: red and green on top, blue and white below.
func checked() *scene.Texture {
	img := image.NewNRGBA(image.Rect(0, 0, 2, 2))
	for i, c := range []color.NRGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}} {
		img.SetNRGBA(i%2, i/2, c)
	}
	return textureOf(img)
}

func textureOf(img image.Image) *scene.Texture {
	return &scene.Texture{Image: func(context.Context) (image.Image, error) { return img, nil }}
}

func unlit(r, g, b, a float32) *scene.Material {
	return &scene.Material{Shading: scene.Unlit, Diffuse: [4]float32{r, g, b, a}}
}

func textured(t *scene.Texture, filter scene.Filter) *scene.Material {
	m := unlit(1, 1, 1, 1)
	m.Texture = &scene.Sampler{Texture: t, Mag: filter, Repeat: [2]float32{1, 1}}
	return m
}

// quad returns a square from -1 to 1 in the plane z with texture coordinates from 0 to most.
func quad(z, most float32, m *scene.Material) *scene.Node {
	mesh := &scene.Mesh{Elements: []scene.Element{{Usage: scene.Position, Size: 3}, {Usage: scene.TexCoord, Size: 2}},
		Count:    4,
		Vertices: modeltest.Floats{-1, -1, z, 0, 0, 1, -1, z, most, 0, 1, 1, z, most, most, -1, 1, z, 0, most},
		Parts: []*scene.Part{{Primitive: scene.Triangles, Material: m,
			Indices: modeltest.Indices{0, 1, 2, 0, 2, 3}}}}
	return &scene.Node{Transform: scene.Identity, Mesh: mesh}
}

// pixelAt returns the color of a pixel; x and y are shares of the picture's width and height.
func pixelAt(img *image.NRGBA, x, y float64) color.NRGBA {
	return img.NRGBAAt(int(x*float64(img.Rect.Dx())), int(y*float64(img.Rect.Dy())))
}

var straight = render.View{Tight: true}

func TestTextureStandsUpright(t *testing.T) {
	tex := checked()
	img := draw(t, sceneOf(quad(0, 1, textured(tex, scene.Nearest))), straight, 64)
	corners := func(img *image.NRGBA) []color.NRGBA {
		return []color.NRGBA{pixelAt(img, .25, .25), pixelAt(img, .75, .25), pixelAt(img, .25, .75),
			pixelAt(img, .75, .75)}
	}
	red, green, blue, white := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 255}, color.NRGBA{0, 0, 255, 255},
		color.NRGBA{255, 255, 255, 255}
	assert.Equal(t, []color.NRGBA{red, green, blue, white}, corners(img), "v = 0 is the bottom row")
	tex.Down = true
	img = draw(t, sceneOf(quad(0, 1, textured(tex, scene.Nearest))), straight, 64)
	assert.Equal(t, []color.NRGBA{blue, white, red, green}, corners(img), "v = 0 is the top row")
}

func TestTextureIsRepeatedClampedOrMirrored(t *testing.T) {
	m := textured(checked(), scene.Nearest)
	img := draw(t, sceneOf(quad(0, 2, m)), straight, 64)
	assert.Equal(t, pixelAt(img, .15, .15), pixelAt(img, .65, .65), "repeated")
	m.Texture.WrapS, m.Texture.WrapT = scene.WrapClamp, scene.WrapClamp
	img = draw(t, sceneOf(quad(0, 2, m)), straight, 64)
	assert.Equal(t, "green", mostly(pixelAt(img, .9, .1)), "the color of the corner continues")
	m.Texture.WrapS, m.Texture.WrapT = scene.WrapMirror, scene.WrapMirror
	img = draw(t, sceneOf(quad(0, 2, m)), straight, 64)
	assert.Equal(t, pixelAt(img, .1, .1), pixelAt(img, .9, .9))
	assert.Equal(t, "blue", mostly(pixelAt(img, .1, .1)))
	m.Texture.WrapS, m.Texture.WrapT = scene.WrapRepeat, scene.WrapRepeat
	m.Texture.Repeat = [2]float32{2, 2}
	again := draw(t, sceneOf(quad(0, 1, m)), straight, 64)
	m.Texture.Repeat = [2]float32{1, 1}
	assert.Equal(t, draw(t, sceneOf(quad(0, 2, m)), straight, 64).Pix, again.Pix,
		"repeating is the same as larger coordinates")
}

func TestFiltersMixInLinearLight(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	img.SetNRGBA(0, 0, color.NRGBA{0, 0, 0, 255})
	img.SetNRGBA(1, 0, color.NRGBA{255, 255, 255, 255})
	got := draw(t, sceneOf(quad(0, 1, textured(textureOf(img), scene.Linear))), straight, 101)
	assert.InDelta(t, 188, float64(pixelAt(got, .5, .5).G), 3, "half of the light, not half of the stored value")
	// A minified checkerboard is one gray, without a pattern.
	fine := image.NewNRGBA(image.Rect(0, 0, 256, 256))
	for y := range 256 {
		for x := range 256 {
			v := uint8(255 * ((x + y) % 2))
			fine.SetNRGBA(x, y, color.NRGBA{v, v, v, 255})
		}
	}
	got = draw(t, sceneOf(quad(0, 1, textured(textureOf(fine), scene.Linear))), straight, 40)
	for y := 8; y < 32; y++ {
		for x := 8; x < 32; x++ {
			require.InDelta(t, 188, float64(got.NRGBAAt(x, y).R), 6)
		}
	}
}

func TestTexturesAreCorrectInPerspective(t *testing.T) {
	// The boundary between the halves of a floor's texture is at half of its length, which is far above the middle of
	// the drawn floor.
	img := image.NewNRGBA(image.Rect(0, 0, 1, 2))
	img.SetNRGBA(0, 0, color.NRGBA{255, 0, 0, 255})
	img.SetNRGBA(0, 1, color.NRGBA{0, 0, 255, 255})
	n := quad(0, 1, textured(textureOf(img), scene.Nearest))
	n.Transform = scene.Matrix{0: 1, 6: -4, 9: 1, 15: 1} // y to -4 z
	eye := &scene.Node{Transform: scene.Identity,
		Camera: &scene.Camera{FieldOfView: math.Pi / 2, Aspect: 1, Near: .1, Far: 100}}
	eye.Transform[13], eye.Transform[14] = 1, 5 // 1 above the floor, 1 before its near edge
	got := draw(t, sceneOf(n, eye), render.View{Camera: eye}, 200)
	last := 0
	for y := range 200 {
		if mostly(got.NRGBAAt(100, y)) == "red" {
			last = y
		}
	}
	// The middle of the floor is 5 before and 1 below the eye: 100 * (1 + 1/5) pixels from the top.
	assert.InDelta(t, 120, last, 2)
}

func TestAlphaDiscardCutsOut(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	img.SetNRGBA(0, 0, color.NRGBA{255, 0, 0, 255})
	img.SetNRGBA(1, 0, color.NRGBA{255, 0, 0, 100})
	m := textured(textureOf(img), scene.Nearest)
	m.Alpha, m.Cutoff = scene.AlphaDiscard, .5
	got := draw(t, sceneOf(quad(0, 1, m), quad(-1, 1, unlit(0, 1, 0, 1))),
		render.View{Tight: true, Orthographic: true}, 64)
	assert.Equal(t, "red", mostly(pixelAt(got, .25, .5)))
	assert.Equal(t, "green", mostly(pixelAt(got, .75, .5)), "the square behind is visible")
}

// The picture is a black line on transparent black, of a material that does not blend.
func TestDrawingsWithoutBackgroundAreCutOut(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 10, 1))
	img.SetNRGBA(0, 0, color.NRGBA{A: 255})
	s := sceneOf(quad(0, 1, textured(textureOf(img), scene.Nearest)), quad(-1, 1, unlit(0, 1, 0, 1)))
	got := draw(t, s, render.View{Tight: true, Orthographic: true}, 64)
	assert.Equal(t, "green", mostly(pixelAt(got, .75, .5)), "the square behind is visible")
	m, err := render.Load(t.Context(), s)
	require.NoError(t, err)
	assert.Contains(t, m.Problems()[0], "its texture is mostly transparent; drawn with an alpha cutoff")
	assert.False(t, m.IsDark(), "the other square is not dark")
	m, err = render.Load(t.Context(), sceneOf(s.Roots[0]))
	require.NoError(t, err)
	assert.True(t, m.IsDark())
	for gray, ink := range map[float32]bool{.1: true, .8: false} {
		m, err = render.Load(t.Context(), sceneOf(quad(0, 1, unlit(gray, gray, gray, 1))))
		require.NoError(t, err)
		assert.Equal(t, ink, m.IsDark(), "a surface of %g that is not lit", gray)
	}
}

func TestBlendingIsSorted(t *testing.T) {
	near, far := unlit(1, 0, 0, .5), unlit(0, 1, 0, .5)
	near.Alpha, far.Alpha = scene.AlphaBlend, scene.AlphaBlend
	v := render.View{Tight: true, Orthographic: true, Background: color.NRGBA{0, 0, 0, 255}}
	a := draw(t, sceneOf(quad(1, 1, near), quad(0, 1, far)), v, 32)
	b := draw(t, sceneOf(quad(0, 1, far), quad(1, 1, near)), v, 32)
	assert.Equal(t, a.Pix, b.Pix, "in any order of the nodes")
	// Half of the red light over a quarter of the green.
	assert.InDelta(t, 188, float64(pixelAt(a, .5, .5).R), 2)
	assert.InDelta(t, 137, float64(pixelAt(a, .5, .5).G), 2)
	solid := draw(t, sceneOf(quad(1, 1, unlit(0, 0, 1, 1)), quad(0, 1, far)), v, 32)
	assert.Equal(t, color.NRGBA{0, 0, 255, 255}, pixelAt(solid, .5, .5), "a solid square hides the one behind it")
	v.Background = color.NRGBA{}
	assert.InDelta(t, 128, float64(pixelAt(draw(t, sceneOf(quad(0, 1, far)), v, 32), .5, .5).A), 2,
		"the background shows through")
	far.Additive = true
	v.Background = color.NRGBA{255, 0, 0, 255}
	sum := pixelAt(draw(t, sceneOf(quad(0, 1, far)), v, 32), .5, .5)
	assert.Equal(t, uint8(255), sum.R)
	assert.InDelta(t, 188, float64(sum.G), 2)
}

func TestCulledSidesAreNotDrawn(t *testing.T) {
	m := unlit(1, 0, 0, 1)
	m.Cull = scene.CullBack
	share, _ := covered(draw(t, sceneOf(quad(0, 1, m)), straight, 32))
	assert.Greater(t, share, .8)
	share, _ = covered(draw(t, sceneOf(quad(0, 1, m)), render.View{Tight: true, Yaw: math.Pi}, 32))
	assert.Zero(t, share)
	m.Cull = scene.CullFront
	share, _ = covered(draw(t, sceneOf(quad(0, 1, m)), straight, 32))
	assert.Zero(t, share)
}

func TestLightFallsWithAngleAndRange(t *testing.T) {
	m := unlit(1, 1, 1, 1)
	m.Shading = scene.Lit
	// along -z, onto the quad
	sun := &scene.Node{Transform: scene.Identity, Light: &scene.Light{Color: [3]float32{1, 0, 0}}}
	s := sceneOf(quad(0, 1, m), sun)
	got := pixelAt(draw(t, s, straight, 32), .5, .5)
	assert.Equal(t, "red", mostly(got))
	assert.InDelta(t, 255, float64(got.R), 3)
	sun.Transform = scene.Matrix{0: 1, 5: .5, 6: -.866, 9: .866, 10: .5, 15: 1} // 60 degrees from the side
	assert.InDelta(t, 208, float64(pixelAt(draw(t, s, straight, 32), .5, .5).R), 4,
		"cos 60° of the light, and 0.13 of one's own")
	sun.Transform = scene.Matrix{0: -1, 5: 1, 10: -1, 15: 1}
	assert.InDelta(t, 101, float64(pixelAt(draw(t, s, straight, 32), .5, .5).R), 4, "from behind")
	assert.Greater(t, pixelAt(draw(t, s, render.View{Tight: true, Lights: render.HeadLight}, 32), .5, .5).G, uint8(200))

	sun.Transform = scene.Identity
	sun.Transform[14] = 2
	sun.Light.Kind, sun.Light.Range = scene.Point, 4
	// At half of the range: 1 - 1/4 of the light.
	assert.InDelta(t, 241, float64(pixelAt(draw(t, s, straight, 32), .5, .5).R), 4)
	sun.Light.Kind, sun.Light.Inner, sun.Light.Outer = scene.Spot, .1, .2
	got = pixelAt(draw(t, s, straight, 64), .5, .5)
	assert.InDelta(t, 241, float64(got.R), 5)
	assert.InDelta(t, 101, float64(pixelAt(draw(t, s, straight, 64), .9, .9).R), 6, "beside the cone")
}

// The view is along the normal, and the light comes from 60 degrees beside it, so the half vector is 30 degrees off the
// normal.
func TestHighlightsDependOnTheHalfVector(t *testing.T) {
	m := unlit(.5, .5, .5, 1)
	m.Shading, m.SpecularExponent = scene.Lit, 2
	s := sceneOf(quad(0, 1, m), &scene.Node{Transform: scene.Matrix{0: 1, 5: .5, 6: -.866, 9: .866, 10: .5, 15: 1},
		Light: &scene.Light{Color: [3]float32{1, 0, 0}}})
	v := render.View{Tight: true, Orthographic: true}
	screen := func(light float64) float64 { return 255 * (1.055*math.Pow(light, 1/2.4) - .055) }
	const base, own = .2140, .13 // the sRGB value .5 is .214 of the light
	got := pixelAt(draw(t, s, v, 32), .5, .5)
	assert.InDelta(t, screen(base*(own+.5+.75)), float64(got.R), 2, "cos 60° + cos² 30° of the light")
	assert.InDelta(t, screen(base*own), float64(got.G), 2, "the light is red")
	m.WhiteHighlights = true
	got = pixelAt(draw(t, s, v, 32), .5, .5)
	assert.InDelta(t, screen(base*(own+.5)+.75), float64(got.R), 2)
	assert.InDelta(t, screen(base*own+.75), float64(got.G), 2, "independent of the light's color")
	m.SpecularExponent = 0
	assert.InDelta(t, screen(base*(own+.5)), float64(pixelAt(draw(t, s, v, 32), .5, .5).R), 2)
	m.Ambient = [3]float32{1, 1, 1}
	assert.InDelta(t, screen(base*(1+own)), float64(pixelAt(draw(t, s, v, 32), .5, .5).G), 2, "the whole base without light")
}

// lightMapped returns a square with a light map that is white on top and gray below. The coordinates of the map are the
// usual ones in reverse.
func lightMapped(m *scene.Material) *scene.Node {
	img := image.NewNRGBA(image.Rect(0, 0, 1, 2))
	img.SetNRGBA(0, 0, color.NRGBA{255, 255, 255, 255})
	img.SetNRGBA(0, 1, color.NRGBA{128, 128, 128, 40})
	n := quad(0, 1, m)
	n.Mesh.Elements = append(n.Mesh.Elements, scene.Element{Usage: scene.TexCoord, Set: 1, Size: 2})
	n.Mesh.Vertices = modeltest.Floats{-1, -1, 0, 0, 0, 0, 1, 1, -1, 0, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 0, -1, 1, 0, 0, 1,
		0, 0}
	m.LightMap = &scene.Sampler{Texture: textureOf(img), Set: 1, Mag: scene.Nearest, Repeat: [2]float32{1, 1}}
	return n
}

func TestLightMapsMultiplyTheColor(t *testing.T) {
	m := unlit(1, .5, 0, 1)
	img := draw(t, sceneOf(lightMapped(m)), straight, 32)
	assert.Equal(t, color.NRGBA{255, 128, 0, 255}, pixelAt(img, .5, .8), "the white of the map, by its own coordinates")
	dark := pixelAt(img, .5, .2)
	// .2159 times the light 1, and times .214, the light of the sRGB value .5
	assert.InDelta(t, 128, float64(dark.R), 1)
	assert.InDelta(t, 61, float64(dark.G), 1)
	assert.Equal(t, uint8(255), dark.A, "the map does not change alpha")

	m = unlit(0, 0, 0, 1)
	m.Shading, m.SpecularExponent, m.WhiteHighlights = scene.Lit, 1, true
	sun := &scene.Node{Transform: scene.Identity, Light: &scene.Light{Color: [3]float32{1, 1, 1}}}
	img = draw(t, sceneOf(lightMapped(m), sun), render.View{Tight: true, Orthographic: true}, 32)
	assert.Equal(t, uint8(255), pixelAt(img, .5, .8).R)
	assert.InDelta(t, 128, float64(pixelAt(img, .5, .2).R), 1, "highlights are darker too")
}

func TestWithoutLightsAMaterialsOwnLightHasItsHue(t *testing.T) {
	m := unlit(1, 1, 1, 1)
	m.Shading = scene.Lit
	plain := pixelAt(draw(t, sceneOf(quad(0, 1, m)), straight, 32), .5, .5)
	m.LightColor = [3]float32{.5, .5, .5}
	assert.Equal(t, plain, pixelAt(draw(t, sceneOf(quad(0, 1, m)), straight, 32), .5, .5), "gray has no hue")
	m.LightColor = [3]float32{.5, .25, 0}
	got := pixelAt(draw(t, sceneOf(quad(0, 1, m)), straight, 32), .5, .5)
	assert.Equal(t, plain.R, got.R)
	assert.Less(t, got.G, plain.G)
	assert.Less(t, got.B, uint8(90), "only the gloss has another hue")
}

func TestVertexColorsAreUsedIfTheMaterialHasThem(t *testing.T) {
	n := triangle(1, 0, 0, 1, 0)
	m := unlit(1, .5, 1, 1)
	n.Materials = []*scene.Material{m}
	assert.Equal(t, color.NRGBA{255, 128, 255, 255}, pixelAt(draw(t, sceneOf(n), straight, 64), .5, .6),
		"the material does not use them")
	m.VertexColors = true
	assert.Equal(t, color.NRGBA{0, 128, 0, 255}, pixelAt(draw(t, sceneOf(n), straight, 64), .5, .6))
}

// The scene has textures, lights, highlights and blending.
func TestDrawingIsTheGoldenPicture(t *testing.T) {
	floor := quad(0, 4, textured(checked(), scene.Linear))
	floor.Transform = scene.Matrix{0: 2, 6: -2, 9: 1, 13: -1, 15: 1}
	floor.Mesh.Parts[0].Material.Shading = scene.Lit
	glass := unlit(.4, .7, 1, .4)
	glass.Alpha, glass.Shading = scene.AlphaBlend, scene.Lit
	pane := quad(1.2, 1, glass)
	ball := modeltest.Torus(800).Roots[0]
	ball.Transform = scene.Matrix{0: .3, 6: .3, 9: -.3, 15: 1}
	shiny := &scene.Material{Shading: scene.Lit, Diffuse: [4]float32{.9, .3, .1, 1}, SpecularExponent: 20}
	ball.Materials = []*scene.Material{shiny}
	sun := &scene.Node{Transform: scene.Matrix{0: 1, 5: .7, 6: -.7, 9: .7, 10: .7, 15: 1},
		Light: &scene.Light{Color: [3]float32{1, 1, .9}}}
	img := image.NewNRGBA(image.Rect(0, 0, 160, 120))
	m, err := render.Load(t.Context(), sceneOf(floor, pane, ball, sun))
	require.NoError(t, err)
	r := render.Renderer{Samples: 3, Soft: true}
	require.NoError(t, r.Draw(t.Context(), img, m, render.ThreeQuarter))
	golden(t, "golden", img)
}

// golden compares a picture with a stored one.
func golden(t *testing.T, name string, img *image.NRGBA) {
	t.Helper()
	path := "testdata/" + name + ".png"
	if *update {
		f, err := os.Create(path)
		require.NoError(t, err)
		require.NoError(t, png.Encode(f, img))
		require.NoError(t, f.Close())
	}
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	want, err := png.Decode(f)
	require.NoError(t, err)
	require.Equal(t, want.Bounds().Size(), img.Rect.Size())
	off := 0.
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			a, b := img.NRGBAAt(x, y), color.NRGBAModel.Convert(want.At(x, y)).(color.NRGBA)
			for _, d := range []int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B),
				int(a.A) - int(b.A)} {
				off += math.Abs(float64(d))
			}
		}
	}
	assert.Less(t, off/float64(len(img.Pix)), .5, "the mean difference of a channel")
}

// The normals of the square point away from the viewer.
func TestTheBackIsLitAsOneSurface(t *testing.T) {
	mesh := &scene.Mesh{Count: 4,
		Elements: []scene.Element{{Usage: scene.Position, Size: 3}, {Usage: scene.Normal, Size: 3}},
		Vertices: modeltest.Floats{-1, 0, -1, 0, -1, 0, 1, 0, -1, 0, -1, 0, 1, 0, 1, 0, -1, 0, -1, 0, 1, 0, -1, 0},
		Parts:    []*scene.Part{{Primitive: scene.Triangles, Indices: modeltest.Indices{0, 1, 2, 0, 2, 3}}}}
	v := render.View{Pitch: .3, Yaw: .6, Tight: true}
	img := draw(t, sceneOf(&scene.Node{Transform: scene.Identity, Mesh: mesh}), v, 64)
	least, most := uint8(255), uint8(0)
	for y := range 64 {
		for x := range 64 {
			if c := img.NRGBAAt(x, y); c.A == 255 {
				least, most = min(least, c.G), max(most, c.G)
			}
		}
	}
	assert.Greater(t, most, uint8(150))
	assert.Less(t, most-least, uint8(12))
}
