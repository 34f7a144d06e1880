package scene_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/modeltest"
	"assay/model/scene"
)

// picture returns a texture of two rows, red on top and blue below.
func picture(t *testing.T, path string, down bool) *scene.Texture {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 1, 2))
	img.SetNRGBA(0, 0, color.NRGBA{255, 0, 0, 255})
	img.SetNRGBA(0, 1, color.NRGBA{0, 0, 255, 255})
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, img))
	return &scene.Texture{Name: "res/" + path, Path: path, Down: down, MediaType: "image/png",
		Open:  func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(file.Bytes())), nil },
		Image: func(context.Context) (image.Image, error) { return img, nil }}
}

// mapped returns a scene of a triangle with texture coordinates, and a part for each material.
func mapped(materials ...*scene.Material) *scene.Scene {
	m := &scene.Mesh{Name: "m", Count: 3, Elements: []scene.Element{{Usage: scene.Position, Size: 3},
		{Usage: scene.TexCoord, Size: 2}},
		Vertices: modeltest.Floats{0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}}
	for range materials {
		m.Parts = append(m.Parts, &scene.Part{Primitive: scene.Triangles})
	}
	return &scene.Scene{Roots: []*scene.Node{{Name: "n", Transform: scene.Identity, Mesh: m, Materials: materials}},
		Missing: []string{"something is not there"}}
}

func sampler(t *scene.Texture) *scene.Sampler {
	return &scene.Sampler{Texture: t, Repeat: [2]float32{1, 1}, WrapS: scene.WrapClamp, Min: scene.Nearest,
		Mipmap: scene.LinearMipmap}
}

func TestGLBHasMaterialsTexturesAndSamplers(t *testing.T) {
	up, down := picture(t, "up.png", false), picture(t, "down.dds", true)
	repeated := sampler(up)
	repeated.Repeat, repeated.Offset = [2]float32{2, 3}, [2]float32{.25, .5}
	broken := picture(t, "broken.png", false)
	broken.Image = func(context.Context) (image.Image, error) { return nil, errors.New("cut") }
	p, lost := parse(t, mapped(
		&scene.Material{Name: "known by name"},
		&scene.Material{Name: "lit", Shading: scene.Lit, Diffuse: [4]float32{0.5, 1, 0, .5}, SpecularExponent: 30,
			Alpha: scene.AlphaBlend, Cull: scene.CullBack},
		&scene.Material{Name: "unlit", Shading: scene.Unlit, Diffuse: [4]float32{1, 1, 1, 1}, Texture: sampler(up),
			Alpha: scene.AlphaDiscard, Cutoff: .5},
		&scene.Material{Name: "down", Shading: scene.Lit, Diffuse: [4]float32{1, 1, 1, 1}, Texture: sampler(down),
			LightMap: sampler(up)},
		&scene.Material{Name: "repeated", Shading: scene.Lit, Diffuse: [4]float32{1, 1, 1, 1}, Texture: repeated,
			Normal: sampler(up), Ambient: [3]float32{.5, 1, 0}},
		&scene.Material{Name: "gone", Shading: scene.Lit,
			Texture: sampler(&scene.Texture{Name: "no.png", Missing: "gone"})},
		&scene.Material{Name: "broken", Shading: scene.Lit, Texture: sampler(broken)}))
	got, err := json.MarshalIndent(p.doc.Materials, "", " ")
	require.NoError(t, err)
	var want []map[string]any
	require.NoError(t, json.Unmarshal([]byte(`[
		{"name": "known by name", "doubleSided": true, "pbrMetallicRoughness": {"metallicFactor": 0, "baseColorFactor": [0.4677838,
			0.29177067, 0.45078582, 1]}},
		{"name": "lit", "alphaMode": "BLEND", "pbrMetallicRoughness": {"metallicFactor": 0, "baseColorFactor": [0.21404114,
			1, 0, 0.5], "roughnessFactor": 0.5}},
		{"name": "unlit", "alphaMode": "MASK", "alphaCutoff": 0.5, "doubleSided": true,
			"extensions": {"KHR_materials_specular": {"specularFactor": 0}},
			"emissiveFactor": [1, 1, 1], "emissiveTexture": {"index": 0}, "pbrMetallicRoughness": {"metallicFactor": 0,
			"baseColorFactor": [0, 0, 0, 1], "baseColorTexture": {"index": 0}}},
		{"name": "down", "doubleSided": true, "extensions": {"KHR_materials_specular": {"specularFactor": 0}},
			"pbrMetallicRoughness": {"metallicFactor": 0,
			"baseColorTexture": {"index": 1}}},
		{"name": "repeated", "doubleSided": true, "extensions": {"KHR_materials_specular": {"specularFactor": 0}},
			"pbrMetallicRoughness": {"metallicFactor": 0,
			"baseColorTexture": {"index": 0}},
			"emissiveFactor": [0.21404114, 1, 0], "emissiveTexture": {"index": 0}},
		{"name": "gone", "doubleSided": true, "pbrMetallicRoughness": {"metallicFactor": 0, "baseColorFactor": [
			0.4178851, 0.67244315, 0.50888133, 1]}},
		{"name": "broken", "doubleSided": true, "pbrMetallicRoughness": {"metallicFactor": 0, "baseColorFactor": [
			0.33245155, 0.53327644, 0.496933, 1]}}]`), &want))
	assert.Equal(t, want, p.doc.Materials, "%s", got)
	assert.Equal(t, []string{"KHR_materials_specular"}, p.doc.ExtensionsUsed)
	parts := p.doc.Meshes[0].Primitives
	assert.Equal(t, [][]float32{{.25, .5}, {2.25, .5}, {.25, -2.5}}, p.numbers(parts[4].Attributes["TEXCOORD_0"]),
		"many viewers ignore the extension for transforms")
	assert.Equal(t, [][]float32{{0, 1}, {1, 1}, {0, 0}}, p.numbers(parts[3].Attributes["TEXCOORD_0"]))
	assert.Equal(t, []map[string]int{{"magFilter": 9729, "minFilter": 9986, "wrapS": 33071, "wrapT": 10497}},
		p.doc.Samplers)
	require.Len(t, p.doc.Images, 2, "a shared picture is written once")
	for i, top := range []color.NRGBA{{255, 0, 0, 255}, {0, 0, 255, 255}} {
		assert.Equal(t, "image/png", p.doc.Images[i].MimeType)
		view := p.doc.BufferViews[p.doc.Images[i].BufferView]
		img, err := png.Decode(bytes.NewReader(p.bin[view.ByteOffset:][:view.ByteLength]))
		require.NoError(t, err)
		assert.Equal(t, top, color.NRGBAModel.Convert(img.At(0, 0)),
			"a picture whose v points down is flipped")
	}
	for _, what := range []string{"something is not there",
		`textures that were not found are not exported (1, in "no.png")`,
		`unreadable textures are not exported: cut (1, in "res/broken.png")`, `light maps are not exported (1, in "down")`,
		`normal maps of meshes without normals are not exported (1, in "repeated")`} {
		assert.Contains(t, lost, what)
	}
}

// The parts of the mesh have no material, one that uses the colors, and one that does not.
func TestGLBHasVertexColorsOnlyWhereTheyAreUsed(t *testing.T) {
	mesh := &scene.Mesh{Name: "m", Count: 3, Elements: []scene.Element{{Usage: scene.Position, Size: 3},
		{Usage: scene.Color, Size: 3}},
		Vertices: modeltest.Floats{0, 0, 0, 1, .5, 0, 1, 0, 0, 1, .5, 0, 0, 1, 0, 1, .5, 0},
		Parts: []*scene.Part{{Primitive: scene.Triangles}, {Primitive: scene.Triangles},
			{Primitive: scene.Triangles}}}
	n := &scene.Node{Transform: scene.Identity, Mesh: mesh, Materials: []*scene.Material{nil,
		{Name: "colored", Shading: scene.Unlit, Diffuse: [4]float32{1, 1, 1, 1}, VertexColors: true},
		{Name: "red", Shading: scene.Unlit, Diffuse: [4]float32{1, 0, 0, 1}}}}
	p, _ := parse(t, &scene.Scene{Roots: []*scene.Node{n}})
	parts := p.doc.Meshes[0].Primitives
	require.Len(t, parts, 3)
	for i, name := range []string{"COLOR_0", "COLOR_0", "_COLOR_0"} {
		require.Contains(t, parts[i].Attributes, name)
		got := p.numbers(parts[i].Attributes[name])[0]
		assert.InDeltaSlice(t, []float32{1, .21404, 0, 1}, got, 1e-5, "linear")
	}
	assert.Len(t, parts[2].Attributes, 2)
	assert.Equal(t, map[string]any{"name": "m", "doubleSided": true,
		"pbrMetallicRoughness": map[string]any{"metallicFactor": 0.}},
		p.doc.Materials[*parts[0].Material], "the default material of glTF is metallic")

	black := mesh.Vertices.(modeltest.Floats)
	for i := range black {
		if i%6 > 2 {
			black[i] = 0
		}
	}
	p, _ = parse(t, &scene.Scene{Roots: []*scene.Node{n}})
	for _, part := range p.doc.Meshes[0].Primitives {
		assert.NotContains(t, part.Attributes, "COLOR_0", "encoders write black by default")
	}
}

func TestGLBOfSurfacesLooksAsTheyAreDrawn(t *testing.T) {
	white := [4]float32{1, 1, 1, 1}
	glass := picture(t, "glass.png", false)
	glass.Image = func(context.Context) (image.Image, error) { return image.NewNRGBA(image.Rect(0, 0, 1, 2)), nil }
	p, _ := parse(t, mapped(
		&scene.Material{Name: "glowing", Shading: scene.Lit, Diffuse: white, Ambient: [3]float32{1, 1, 1}},
		&scene.Material{Name: "shapeless", Shading: scene.Unlit, Diffuse: white},
		&scene.Material{Name: "whole", Shading: scene.Unlit, Diffuse: white, Alpha: scene.AlphaBlend,
			Texture: sampler(picture(t, "up.png", false))},
		&scene.Material{Name: "glass", Shading: scene.Unlit, Diffuse: white, Alpha: scene.AlphaBlend,
			Texture: sampler(glass)},
		&scene.Material{Name: "fire", Shading: scene.Unlit, Diffuse: white, Alpha: scene.AlphaBlend, Additive: true,
			Texture: sampler(&scene.Texture{Name: "fire.png", Missing: "gone"})}))
	pbr := func(i int) map[string]any { return p.doc.Materials[i]["pbrMetallicRoughness"].(map[string]any) }
	assert.Equal(t, p.doc.Materials[0]["emissiveTexture"], pbr(0)["baseColorTexture"], "a white texture, which VTK needs")
	assert.Equal(t, []any{1., 1., 1.}, p.doc.Materials[0]["emissiveFactor"])
	view := p.doc.BufferViews[p.doc.Images[0].BufferView]
	pixel, err := png.Decode(bytes.NewReader(p.bin[view.ByteOffset:][:view.ByteLength]))
	require.NoError(t, err)
	assert.Equal(t, image.Rect(0, 0, 1, 1), pixel.Bounds())
	assert.Equal(t, color.NRGBA{255, 255, 255, 255}, color.NRGBAModel.Convert(pixel.At(0, 0)))
	assert.NotContains(t, p.doc.Materials[1], "extensions", "unlit white would hide the shape")
	assert.NotContains(t, p.doc.Materials[2], "alphaMode", "its texture is opaque")
	assert.Equal(t, "BLEND", p.doc.Materials[3]["alphaMode"])
	assert.Equal(t, "BLEND", p.doc.Materials[4]["alphaMode"])
	assert.InDelta(t, .3, pbr(4)["baseColorFactor"].([]any)[3], 1e-6)
}

func TestMeshesWithoutMaterialsHaveTheDrawnColors(t *testing.T) {
	a, b := triangle("a"), triangle("b")
	a.Parts[0].Material, b.Parts[0].Material = nil, nil
	s := &scene.Scene{Roots: []*scene.Node{
		{Name: "1", Transform: scene.Identity, Children: []*scene.Node{{Name: "2", Transform: scene.Identity, Mesh: b}}},
		{Name: "3", Transform: scene.Identity, Mesh: a}, {Name: "4", Transform: scene.Identity, Mesh: b}}}
	p, _ := parse(t, s)
	first, second := scene.PlainColor("b"), scene.PlainColor("a")
	require.Len(t, p.doc.Materials, 2)
	for i, want := range map[string][3]uint8{"b": first, "a": second} {
		for _, m := range p.doc.Materials {
			if m["name"] == i {
				red := float64(want[0]) / 255
				assert.InDelta(t, math.Pow((red+.055)/1.055, 2.4),
					m["pbrMetallicRoughness"].(map[string]any)["baseColorFactor"].([]any)[0], 1e-5)
			}
		}
	}
	o := scene.NewOBJ(s)
	require.Equal(t, []string{".obj", ".mtl"}, o.Extensions())
	var library bytes.Buffer
	_, err := o.Write(t.Context(), &library, 1, []string{"s.obj", "s.mtl"})
	require.NoError(t, err)
	assert.Equal(t, "newmtl b\nKd 0.7137 0.6784 0.8392\nillum 1\nnewmtl a\nKd 0.5765 0.7137 0.651\nillum 1\n",
		library.String())
	s.Roots = s.Roots[:1]
	assert.Equal(t, []string{".obj"}, scene.NewOBJ(s).Extensions(), "one color is not written")
}

// A material with only a name is not black where no light of the scene reaches it.
func TestGLBMaterialWithOnlyANameEmitsAmongLights(t *testing.T) {
	s := &scene.Scene{Roots: []*scene.Node{{Name: "one", Transform: scene.Identity, Mesh: triangle("tri")}}}
	p, _ := parse(t, s)
	assert.NotContains(t, p.doc.Materials[0], "emissiveFactor")
	s.Roots = append(s.Roots, &scene.Node{Name: "lamp", Transform: scene.Identity,
		Light: &scene.Light{Kind: scene.Point, Color: [3]float32{1, 1, 1}, Range: 1}})
	p, _ = parse(t, s)
	base := p.doc.Materials[0]["pbrMetallicRoughness"].(map[string]any)["baseColorFactor"].([]any)
	glow := p.doc.Materials[0]["emissiveFactor"].([]any)
	for i := range glow {
		assert.InDelta(t, .3, glow[i].(float64)/base[i].(float64), .01)
	}
	mesh := p.doc.Meshes[0].Primitives[0]
	assert.Contains(t, p.doc.Materials[0], "emissiveTexture")
	assert.Equal(t, [][]float32{{0, 0}, {0, 0}, {0, 0}}, p.numbers(mesh.Attributes["TEXCOORD_0"]),
		"VTK draws no emission without a texture")
}

// The material has no ambient color. It emits the light that the program adds, unless the file has fill lights.
func TestGLBMaterialAmongLightsEmitsTheFillLight(t *testing.T) {
	s := mapped(&scene.Material{Name: "a", Shading: scene.Lit, Diffuse: [4]float32{1, 1, 1, 1}})
	p, _ := parse(t, s)
	assert.NotContains(t, p.doc.Materials[0], "emissiveFactor")
	s.Roots = append(s.Roots, &scene.Node{Name: "lamp", Light: &scene.Light{Color: [3]float32{1, 1, 1}},
		Transform: scene.Matrix{0: 1, 4: 5e-5, 5: 1, 10: 1, 15: 1}})
	p, lost := parse(t, s)
	assert.Equal(t, s.Missing, lost, "a shear by rounding is not a loss")
	assert.InDeltaSlice(t, []any{.08, .08, .08}, p.doc.Materials[0]["emissiveFactor"], 1e-6)
	p, _ = parseWith(t, s, scene.GLBOptions{FillLights: true})
	assert.NotContains(t, p.doc.Materials[0], "emissiveFactor")
}

// From outside, the far sides of an interior are visible, as the program draws it.
func TestGLBOfAnInteriorIsSingleSided(t *testing.T) {
	for _, inward := range []bool{false, true} {
		var v modeltest.Floats
		var idx modeltest.Indices
		for axis := range 3 {
			for _, sign := range []float32{-1, 1} {
				first := uint32(len(v) / 6)
				for _, corner := range [4][2]float32{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
					var at, normal [3]float32
					at[axis], at[(axis+1)%3], at[(axis+2)%3] = sign, sign*corner[0], corner[1]
					if normal[axis] = sign; inward {
						normal[axis] = -sign
					}
					v = append(v, at[0], at[1], at[2], normal[0], normal[1], normal[2])
				}
				quad := []uint32{0, 1, 2, 0, 2, 3}
				if inward {
					quad = []uint32{2, 1, 0, 3, 2, 0}
				}
				for _, i := range quad {
					idx = append(idx, first+i)
				}
			}
		}
		m := &scene.Mesh{Name: "m", Count: len(v) / 6, Elements: []scene.Element{{Usage: scene.Position, Size: 3},
			{Usage: scene.Normal, Size: 3}}, Vertices: v,
			Parts: []*scene.Part{{Primitive: scene.Triangles, Indices: idx}}}
		p, _ := parse(t, &scene.Scene{Roots: []*scene.Node{{Transform: scene.Identity, Mesh: m}}})
		_, both := p.doc.Materials[0]["doubleSided"]
		assert.Equal(t, !inward, both)
	}
}

func TestGLBOfMeshesWithoutCoordinatesHasNoTextures(t *testing.T) {
	s := mapped(&scene.Material{Name: "a", Shading: scene.Lit, Texture: sampler(picture(t, "a.png", false))})
	s.Roots[0].Mesh.Elements[1] = scene.Element{Usage: scene.Other, Size: 2}
	p, _ := parse(t, s)
	assert.Empty(t, p.doc.Images)
}

func TestGLBHasAnAnimationForEachClip(t *testing.T) {
	n := &scene.Node{Name: "n", Transform: scene.Identity}
	half := float32(math.Sqrt(.5))
	turn := keyed(n, scene.Rotate, []float32{0, 2}, []float32{0, 0, 0, 1, 0, 0, -1, 0})
	move := keyed(n, scene.Translate, []float32{0, 1, 2, 3}, []float32{0, 0, 0, 1, 0, 0, 2, 0, 0, 9, 0, 0})
	p, _ := parse(t, &scene.Scene{Roots: []*scene.Node{n}, Animations: []*scene.Animation{{Name: "all",
		Channels: []*scene.Channel{turn, move},
		Clips: []*scene.Clip{{Name: "some", Start: .5, End: 1.5}, {Name: "moment", Start: 1, End: 1}, {Name: "after",
			Start: 5, End: 6}, {Name: "fast", Start: .5, End: 1.5, Speed: 2},
			{Name: "back", Start: .5, End: 2.5, Speed: -2}}}}})
	require.Len(t, p.doc.Animations, 6)
	some := p.doc.Animations[1]
	assert.Equal(t, "some", some.Name)
	keys := func(a animation, channel int) (times, values [][]float32) {
		s := a.Samplers[a.Channels[channel].Sampler]
		return p.numbers(s.Input), p.numbers(s.Output)
	}
	times, values := keys(some, 1)
	assert.Equal(t, [][]float32{{0}, {.5}, {1}}, times)
	assert.Equal(t, [][]float32{{.5, 0, 0}, {1, 0, 0}, {1.5, 0, 0}}, values)
	times, fast := keys(p.doc.Animations[4], 1)
	assert.Equal(t, [][]float32{{0}, {.25}, {.5}}, times, "twice as fast")
	assert.Equal(t, values, fast)
	times, back := keys(p.doc.Animations[5], 1)
	assert.Equal(t, [][]float32{{0}, {.25}, {.75}, {1}}, times, "backwards")
	assert.Equal(t, [][]float32{{5.5, 0, 0}, {2, 0, 0}, {1, 0, 0}, {.5, 0, 0}}, back)
	times, values = keys(some, 0)
	assert.Equal(t, [][]float32{{0}, {1}}, times)
	assert.InDeltaSlice(t, []float64{0, 0, -math.Sin(math.Pi / 8), math.Cos(math.Pi / 8)}, wide(values[0]), 1e-6)
	_, values = keys(p.doc.Animations[2], 0)
	require.Len(t, values, 1, "a clip without length is one key")
	assert.InDeltaSlice(t, []float64{0, 0, -float64(half), float64(half)}, wide(values[0]), 1e-6)
	_, values = keys(p.doc.Animations[3], 1)
	assert.Equal(t, [][]float32{{9, 0, 0}, {9, 0, 0}}, values)
}

func wide(v []float32) []float64 {
	out := make([]float64, len(v))
	for i, f := range v {
		out[i] = float64(f)
	}
	return out
}

func TestGLBSkinnedMeshIsARoot(t *testing.T) {
	p, _ := parse(t, full())
	for i, n := range p.doc.Nodes {
		if n.Skin != nil {
			assert.Contains(t, p.doc.Scenes[0].Nodes, i)
			assert.Nil(t, n.Matrix)
			assert.Nil(t, n.Translation)
		}
	}
	s := full()
	s.Roots[0].Transform = translation(1, 2, 3)
	p, _ = parse(t, s)
	skinned := 0
	for i, n := range p.doc.Nodes {
		if n.Skin != nil {
			skinned++
			assert.Contains(t, p.doc.Scenes[0].Nodes, i)
			assert.Nil(t, n.Matrix)
		}
	}
	assert.Equal(t, 1, skinned)
}

// The texture of one square is upright, that of the other is mirrored.
func TestGLBComputesTangentsForNormalMaps(t *testing.T) {
	for u, want := range map[float32][]float32{1: {1, 0, 0, 1}, -1: {-1, 0, 0, -1}} {
		m := &scene.Mesh{Name: "m", Count: 4, Elements: []scene.Element{{Usage: scene.Position, Size: 3},
			{Usage: scene.Normal, Size: 3}, {Usage: scene.TexCoord, Size: 2}},
			Vertices: modeltest.Floats{
				0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 1, u, 0, 2, 2, 0, 0, 0, 1, u, 1, 0, 2, 0, 0, 0, 1, 0, 1},
			Parts: []*scene.Part{{Primitive: scene.Triangles, Indices: modeltest.Indices{0, 1, 2, 0, 2, 3, 9, 0, 1}}}}
		bumpy := &scene.Material{Name: "bumpy", Shading: scene.Lit, Normal: sampler(picture(t, "n.png", false))}
		s := &scene.Scene{Roots: []*scene.Node{{Name: "n", Transform: scene.Identity, Mesh: m,
			Materials: []*scene.Material{bumpy}}}}
		p, _ := parse(t, s)
		require.Contains(t, p.doc.Materials[0], "normalTexture")
		part := p.doc.Meshes[0].Primitives[0]
		assert.Equal(t, [][]float32{want, want, want, want}, p.numbers(part.Attributes["TANGENT"]))

		bumpy.Normal = nil
		p, _ = parse(t, s)
		assert.NotContains(t, p.doc.Meshes[0].Primitives[0].Attributes, "TANGENT", "no normal map needs them")
	}
}

// The vertex colors of the material are opaque, or one is not.
func TestGLBBlendsTranslucentMaterials(t *testing.T) {
	for alpha, want := range map[float32]any{1: nil, .5: "BLEND"} {
		m := &scene.Mesh{Name: "m", Count: 3, Elements: []scene.Element{{Usage: scene.Position, Size: 3},
			{Usage: scene.Color, Size: 4}}, Parts: []*scene.Part{{Primitive: scene.Triangles, Material: &scene.Material{
			Shading: scene.Unlit, Diffuse: [4]float32{1, 1, 1, 1}, VertexColors: true, Alpha: scene.AlphaBlend}}},
			Vertices: modeltest.Floats{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, alpha}}
		p, _ := parse(t, &scene.Scene{Roots: []*scene.Node{{Transform: scene.Identity, Mesh: m}}})
		assert.Equal(t, want, p.doc.Materials[0]["alphaMode"])
	}
}

// In glTF, vertex colors do not apply to emission. A surface that has its full color without a light is unlit.
func TestGLBOfColoredVerticesEmitsNothing(t *testing.T) {
	for name, c := range map[string]struct {
		shading scene.Shading
		ambient [3]float32
		options scene.GLBOptions
		unlit   bool
	}{
		"lit":              {scene.Lit, [3]float32{.5, .5, .5}, scene.GLBOptions{}, false},
		"lit by itself":    {scene.Lit, [3]float32{1, 1, 1}, scene.GLBOptions{}, true},
		"unlit":            {scene.Unlit, [3]float32{1, 1, 1}, scene.GLBOptions{}, true},
		"unlit, extension": {scene.Unlit, [3]float32{}, scene.GLBOptions{Unlit: true}, true},
	} {
		m := &scene.Mesh{Name: "m", Count: 3, Elements: []scene.Element{{Usage: scene.Position, Size: 3},
			{Usage: scene.TexCoord, Size: 2}, {Usage: scene.Color, Size: 4}}, Vertices: modeltest.Floats{
			0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1},
			Parts: []*scene.Part{{Primitive: scene.Triangles, Material: &scene.Material{Shading: c.shading,
				Ambient: c.ambient, Diffuse: [4]float32{1, 1, 1, 1}, VertexColors: true,
				Texture: sampler(picture(t, "a.png", false))}}}}
		p, lost := parseWith(t, &scene.Scene{Roots: []*scene.Node{{Transform: scene.Identity, Mesh: m}}}, c.options)
		assert.Empty(t, lost, name)
		assert.NotContains(t, p.doc.Materials[0], "emissiveFactor", name)
		assert.Contains(t, p.doc.Meshes[0].Primitives[0].Attributes, "COLOR_0", name)
		if c.unlit {
			assert.Contains(t, p.doc.ExtensionsUsed, "KHR_materials_unlit", name)
		} else {
			assert.NotContains(t, p.doc.ExtensionsUsed, "KHR_materials_unlit", name)
		}
	}
}

func TestGLBHasNoAbsolutePaths(t *testing.T) {
	for name, want := range map[string]string{"/home/ann/a.png": "a.png", `C:\Users\ann\a.png`: "a.png",
		"res/a.png": "res/a.png"} {
		texture := picture(t, "a.png", false)
		texture.Name = name
		p, _ := parse(t, mapped(&scene.Material{Name: "a", Shading: scene.Lit, Texture: sampler(texture)}))
		require.Len(t, p.doc.Images, 1)
		assert.Equal(t, want, p.doc.Images[0].Name)
	}
	assert.Equal(t, "a.png", model.Material{File: `C:\Users\ann\a.png`}.Name())
	assert.Equal(t, "a.png", model.Material{File: "/home/ann/a.png"}.Name())
}

// One of two parts has a material that draws no side, then both.
func TestGLBOmitsPartsWithBothSidesCulled(t *testing.T) {
	visible := &scene.Material{Name: "visible", Shading: scene.Lit, Diffuse: [4]float32{1, 1, 1, 1}}
	never := &scene.Material{Name: "never", Shading: scene.Lit, Cull: scene.CullBoth}
	p, lost := parse(t, mapped(visible, never))
	require.Len(t, p.doc.Meshes, 1)
	assert.Len(t, p.doc.Meshes[0].Primitives, 1)
	assert.Equal(t, []string{"something is not there"}, lost, "an undrawn part is not a loss")
	p, _ = parse(t, mapped(never, never))
	assert.Nil(t, p.doc.Nodes[0].Mesh)
}

func TestGLBOfUnlitMaterialsEmitsUnlessTheExtensionIsChosen(t *testing.T) {
	s := mapped(&scene.Material{Name: "a", Shading: scene.Unlit, Diffuse: [4]float32{1, 1, 1, 1},
		Texture: sampler(picture(t, "a.png", false))})
	p, _ := parseWith(t, s, scene.GLBOptions{Unlit: true})
	assert.Contains(t, p.doc.ExtensionsUsed, "KHR_materials_unlit")
	p, _ = parse(t, s)
	assert.NotContains(t, p.doc.ExtensionsUsed, "KHR_materials_unlit", "some viewers draw no textures with the extension")
	m := p.doc.Materials[0]
	assert.Equal(t, []any{1., 1., 1.}, m["emissiveFactor"], "the texture is emitted")
	assert.Equal(t, []any{0., 0., 0., 1.}, m["pbrMetallicRoughness"].(map[string]any)["baseColorFactor"],
		"the base is black")
	plain := mapped(&scene.Material{Name: "a", Shading: scene.Unlit, Diffuse: [4]float32{1, 0, 0, 1}})
	p, _ = parse(t, plain)
	assert.Contains(t, p.doc.ExtensionsUsed, "KHR_materials_unlit", "all viewers draw a plain color with the extension")
}
