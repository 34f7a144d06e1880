package scene_test

import (
	"bytes"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
	"assay/model/scene"
)

// twoTriangles returns a triangle, and its mirror image twice as large.
func twoTriangles() *scene.Scene {
	m := triangle("tri")
	mirror := scene.Identity
	mirror[0], mirror[5], mirror[12] = -2, 2, 10
	return &scene.Scene{Roots: []*scene.Node{{Name: "one", Transform: scene.Identity, Mesh: m},
		{Name: "two 2", Transform: mirror, Mesh: m, Materials: []*scene.Material{{Name: "dark blue"}}}}}
}

func dots() *scene.Scene {
	return &scene.Scene{Roots: []*scene.Node{{Name: "cloud", Transform: translation(1, 0, 0), Points: &scene.Points{Count: 2,
		Read: func(first int, into []scene.Dot) error {
			for i := range into {
				into[i] = scene.Dot{Position: [3]float32{float32(first + i), 2, -.5}, Color: [4]uint8{255, 0, 51, 7}}
			}
			return nil
		}}}}}
}

func TestOBJHasVerticesFacesAndMaterials(t *testing.T) {
	var out bytes.Buffer
	o := scene.NewOBJ(twoTriangles())
	assert.Equal(t, []string{".obj", ".mtl"}, o.Extensions())
	lost, err := o.Write(t.Context(), &out, 0, []string{"tri.obj", "tri.mtl"})
	require.NoError(t, err)
	assert.Empty(t, lost)
	assert.Equal(t, `mtllib tri.mtl
o one
v 0 0 0
v 1 0 0
v 0 1 0
vn 0 0 1
vn 0 0 1
vn 0 0 1
usemtl red
f 1//1 2//2 3//3
o two_2
v 10 0 0
v 8 0 0
v 10 2 0
vn 0 0 1
vn 0 0 1
vn 0 0 1
usemtl dark_blue
f 4//4 6//6 5//5
`, out.String())
	out.Reset()
	_, err = o.Write(t.Context(), &out, 1, []string{"tri.obj", "tri.mtl"})
	require.NoError(t, err)
	assert.Equal(t, "newmtl red\nKd 0.8392 0.6784 0.7373\nillum 1\n"+
		"newmtl dark_blue\nKd 0.6471 0.7961 0.702\nillum 1\n", out.String())
	out.Reset()
	o = scene.NewOBJ(dots())
	assert.Equal(t, []string{".obj"}, o.Extensions(), "no library without materials")
	_, err = o.Write(t.Context(), &out, 0, []string{"none.obj"})
	require.NoError(t, err)
	assert.Equal(t, "o cloud\nv 1 2 -0.5 1 0 0.2\np 1\nv 2 2 -0.5 1 0 0.2\np 2\n", out.String())
}

func TestOBJReportsPartsThatItCannotStore(t *testing.T) {
	var out bytes.Buffer
	lost, err := scene.NewOBJ(full()).Write(t.Context(), &out, 0, []string{"a.obj", "a.mtl"})
	require.NoError(t, err)
	for _, what := range []string{"animations are not exported", "cameras are not exported", "OBJ has no skins",
		"lights are not exported",
		"texture coordinates after the first are not exported", "coordinates that are not numbers are 0",
		"indices of vertices that do not exist are not exported"} {
		assert.Contains(t, strings.Join(lost, "\n"), what)
	}
	assert.Contains(t, out.String(), "\nf 1/1/1 2/2/2 3/3/3\nf 2/2/2 4/4/4 3/3/3\n",
		"every other triangle of a strip is reversed")
	assert.Contains(t, out.String(), "\nl 1 2\n")
	assert.Contains(t, out.String(), "\np 4\n")
	assert.NotContains(t, out.String(), "NaN")
	assert.NotContains(t, out.String(), "Inf")
}

func TestOBJHasTexturesAsFiles(t *testing.T) {
	up, down := picture(t, "png/up.png", false), picture(t, "dxt/up.dds", true)
	repeated := sampler(up)
	repeated.Repeat, repeated.Offset, repeated.WrapT = [2]float32{2, 3}, [2]float32{.25, 0}, scene.WrapClamp
	o := scene.NewOBJ(mapped(
		&scene.Material{Name: "a", Shading: scene.Lit, Diffuse: [4]float32{1, .5, 0, .25},
			Ambient:          [3]float32{.1, .2, .3},
			SpecularExponent: 20, Texture: repeated},
		&scene.Material{Name: "a", Shading: scene.Unlit, Texture: sampler(down), Normal: sampler(up)},
		&scene.Material{Name: "a", Shading: scene.Lit, Texture: sampler(&scene.Texture{Name: "gone"})}))
	names := []string{"x/m.obj", "x/m.mtl", "x/m.up.png", "x/m.up-2.png"}
	assert.Equal(t, []string{".obj", ".mtl", ".up.png", ".up-2.png"}, o.Extensions())
	write := func(file int) string {
		var out bytes.Buffer
		_, err := o.Write(t.Context(), &out, file, names)
		require.NoError(t, err)
		return out.String()
	}
	assert.Contains(t, write(0), "mtllib x/m.mtl\n")
	assert.Contains(t, write(0), "usemtl a_2\nf 1/1 2/2 3/3\nusemtl a_3\n")
	assert.Equal(t, `newmtl a
Ka 0.1 0.2 0.3
Kd 1 0.5 0
d 0.25
Ks 0.3 0.3 0.3
Ns 20
illum 2
map_Kd -s 2 3 1 -o 0.25 0 0 m.up.png
newmtl a_2
Ka 0 0 0
Kd 0 0 0
d 0
illum 0
map_Kd m.up-2.png
map_Bump m.up.png
newmtl a_3
Kd 0.5765 0.7137 0.651
illum 1
`, write(1))
	for file, top := range map[int]color.NRGBA{2: {255, 0, 0, 255}, 3: {0, 0, 255, 255}} {
		img, err := png.Decode(strings.NewReader(write(file)))
		require.NoError(t, err)
		assert.Equal(t, top, color.NRGBAModel.Convert(img.At(0, 0)))
	}
	_, err := o.Write(t.Context(), &bytes.Buffer{}, 1, names[:3])
	assert.ErrorContains(t, err, "reopen it")
}

// A vertex follows each of two joints, and one follows both equally.
func TestOBJOfASkinIsPosed(t *testing.T) {
	still := &scene.Node{Name: "still", Transform: scene.Identity}
	lifted := &scene.Node{Name: "lifted", Transform: translation(0, 0, 2)}
	m := triangle("limb")
	m.Elements = []scene.Element{{Usage: scene.Position, Size: 3}, {Usage: scene.Normal, Size: 3},
		{Usage: scene.Weights, Size: 2}, {Usage: scene.Joints, Size: 2}}
	m.Vertices = modeltest.Floats{
		0, 0, 0, 0, 0, 1, 1, 0, 0, 0,
		1, 0, 0, 0, 0, 1, 0, 1, 0, 1,
		0, 1, 0, 0, 0, 1, .5, .5, 0, 1}
	s := &scene.Scene{Roots: []*scene.Node{still, lifted, {Name: "limb", Transform: translation(7, 7, 7), Mesh: m,
		Skin: &scene.Skin{BindShape: scene.Identity, Joints: []*scene.Node{still, lifted},
			Inverse: []scene.Matrix{scene.Identity, translation(0, 1, 0)}}}}}
	write := func() (text, lost string) {
		var out bytes.Buffer
		left, err := scene.NewOBJ(s).Write(t.Context(), &out, 0, []string{"a.obj", "a.mtl"})
		require.NoError(t, err)
		return out.String(), strings.Join(left, "\n")
	}
	text, lost := write()
	assert.Contains(t, text, "v 0 0 0\nv 1 1 2\nv 0 1.5 1\n", "the stored pose of the joints")
	assert.Contains(t, lost, "OBJ has no skins: meshes are exported in the stored pose")
	assert.NotContains(t, text, "#")

	s.Animations = []*scene.Animation{{Name: "rise",
		Channels: []*scene.Channel{keyed(lifted, scene.Translate, []float32{0, 1}, []float32{0, 0, 4, 0, 0, 9})}}}
	text, lost = write()
	assert.True(t, strings.HasPrefix(text, "# skins are posed as rise begins\n"), text)
	assert.Contains(t, text, "v 0 0 0\nv 1 1 4\nv 0 1.5 2\n")
	assert.Contains(t, lost, "in the first pose of an animation")
}

func TestVertexColorOfOneNumberIsGray(t *testing.T) {
	m := &scene.Mesh{Name: "m", Count: 3, Elements: []scene.Element{{Usage: scene.Position, Size: 3},
		{Usage: scene.Color, Size: 1}}, Vertices: modeltest.Floats{0, 0, 0, .4, 1, 0, 0, .4, 0, 1, 0, .4},
		Parts: []*scene.Part{{Primitive: scene.Triangles}}}
	s := &scene.Scene{Roots: []*scene.Node{{Transform: scene.Identity, Mesh: m}}}
	var out bytes.Buffer
	_, err := scene.NewOBJ(s).Write(t.Context(), &out, 0, []string{"m.obj"})
	require.NoError(t, err)
	assert.Contains(t, out.String(), "v 0 0 0 0.4 0.4 0.4\n")
	p, _ := parse(t, s)
	gray := p.numbers(p.doc.Meshes[0].Primitives[0].Attributes["COLOR_0"])[0]
	assert.InDeltaSlice(t, []float32{.13287, .13287, .13287, 1}, gray, 1e-5)
}
