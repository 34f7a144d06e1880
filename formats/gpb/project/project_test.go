package project_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/folder/foldertest"
	"assay/model/scene"
)

// around returns the project around res/models/duck.gpb that has some files.
func around(files fstest.MapFS) *project.Project {
	return project.New(func() (fs.FS, func(), error) { return files, func() {}, nil }, "res/models", "duck.gpb")
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

func TestFind(t *testing.T) {
	p := around(fstest.MapFS{
		"game.config":              file("aliases\n{\n floor = res/dxt/floor.dds\n lost = res/lost.dds\n}\n"),
		"res/png/duck.png":         file(""),
		"res/png/Both.png":         file(""),
		"res/png/both.png":         file(""),
		"res/models/near.png":      file(""),
		"res/dxt/floor.dds":        file(""),
		"res/materials/beside.png": file(""),
		"res/other/only.png":       file(""),
		"res/a/twice.png":          file(""),
		"res/b/twice.png":          file(""),
	})
	for name, want := range map[string]project.Found{
		"res/png/duck.png":  {Path: "res/png/duck.png"},
		`res\png\duck.png`:  {Path: "res/png/duck.png"},
		"RES/PNG/Duck.PNG":  {Path: "res/png/duck.png"},
		"near.png":          {Path: "res/models/near.png"},
		"../png/duck.png":   {Path: "res/png/duck.png"},
		"beside.png":        {Path: "res/materials/beside.png"},
		"@floor":            {Path: "res/dxt/floor.dds"},
		"@lost":             {Problem: "@lost: res/lost.dds is not in the project"},
		"@none":             {Problem: "there is no alias @none in game.config"},
		"no.png":            {Problem: "no.png is not in the project"},
		"/etc/passwd":       {Problem: "/etc/passwd is an absolute path, which may lead out of the project and is not followed"},
		`C:\a.png`:          {Problem: `C:\a.png is an absolute path, which may lead out of the project and is not followed`},
		"../../../../a.png": {Problem: "../../../../a.png leads out of the project and is not followed"},
		"textures/only.png": {Path: "res/other/only.png",
			Problem: "textures/only.png is not there; res/other/only.png, of the same name, is shown in its place"},
		"textures/only.dds": {Path: "res/other/only.png",
			Problem: "textures/only.dds is not there; res/other/only.png, of the same name, is shown in its place"},
		"textures/twice.png":               {Problem: "textures/twice.png is not in the project"},
		"res/png":                          {Problem: "res/png is not in the project"},
		"res/png/BOTH.png":                 {Problem: "res/png/BOTH.png is not in the project"},
		"a\x00.png":                        {Problem: "a\\x00.png is not a path"},
		strings.Repeat("a/", 600) + "a.md": {Problem: ""},
	} {
		got := p.Find(name, "res/materials")
		if want == (project.Found{}) || strings.ContainsRune(name, 0) {
			assert.Contains(t, got.Problem, "is not a path")
			continue
		}
		assert.Equal(t, want, got, "%q", name)
	}
}

func TestTheRootOfAFile(t *testing.T) {
	root := t.TempDir()
	write := func(name string) string {
		full := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, []byte("text"), 0o600))
		return full
	}
	secret := write("secret.png")
	require.NoError(t, os.MkdirAll(filepath.Join(root, "game/res"), 0o755))
	foldertest.Link(t, secret, filepath.Join(root, "game/res/out.png"))
	write("game/res/in.png")
	for name, want := range map[string]string{
		"game/res/models/duck.gpb": "res/models/duck.gpb", "game/level/duck.gpb": "level/duck.gpb",
		"alone/a/b/c/d/duck.gpb": "duck.gpb",
	} {
		src, err := model.OpenFile(write(name))
		require.NoError(t, err)
		p := project.Around(src)
		assert.Equal(t, want, p.Path())
		src.Close()
		if strings.HasPrefix(name, "game") {
			assert.Equal(t, "res/in.png", p.Find("res/in.png", ".").Path)
			assert.Empty(t, p.Find("res/out.png", ".").Path, "a link out of the project is not followed")
			assert.Empty(t, p.Find("../secret.png", ".").Path)
		}
	}
	assert.Nil(t, project.Around(model.NewSource("a.gpb", strings.NewReader(""), 0)),
		"bytes in memory have nothing around them")
}

const materials = `
material base
{
    u_ambientColor = SCENE_AMBIENT_COLOR
    sampler u_diffuseTexture
    {
        mipmap = true
        wrapS = CLAMP
    }
    renderState
    {
        cullFace = true
        depthTest = true
    }
    technique
    {
        pass
        {
            vertexShader = res/shaders/textured.vert
            defines = DIRECTIONAL_LIGHT_COUNT 1;SPECULAR
            u_specularExponent = 20
        }
    }
}
material crate : base
{
    u_directionalLightColor[0] = 0.5, 0.25, 1
    sampler u_diffuseTexture
    {
        path = res/crate.png
    }
    technique
    {
        pass
        {
            u_specularExponent = 50
        }
    }
}
material glass
{
    technique { 
        pass
        {
            vertexShader = res/shaders/colored.vsh
            defines = VERTEX_COLOR
            u_diffuseColor = 1, 0.5, 0.25, 0.5
            u_modulateAlpha = 0.5
            renderState
            {
                blend = true
                blendSrc = SRC_ALPHA
                blendDst = ONE_MINUS_SRC_ALPHA
                cullFace = true
                cullFaceSide = FRONT
                depthWrite = false
            }
        }
    }
}
material leaf
{
    technique
    {
        pass
        {
            vertexShader = res/shaders/textured-unlit.vert
            defines = TEXTURE_DISCARD_ALPHA;TEXTURE_REPEAT
            u_textureRepeat = 2, 3
            sampler u_diffuseTexture
            {
                path = res/leaf.dds
                minFilter = LINEAR_MIPMAP_NEAREST
                magFilter = NEAREST
            }
        }
    }
    technique other
    {
        pass
        {
            u_diffuseColor = 0, 0, 0
        }
    }
}
material gone
{
    technique
    {
        pass
        {
            vertexShader = textured.vsh
            u_diffuseColor = 1, 1, NaN
            sampler u_diffuseTexture
            {
                path = gone.png
            }
        }
    }
}`

func TestMaterial(t *testing.T) {
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2))))
	p := around(fstest.MapFS{"res/a.material": file(materials), "res/crate.png": file(picture.String()),
		"res/leaf.dds": file("DDS no")})
	text, err := p.Text("res/a.material")
	require.NoError(t, err)
	make := func(id string) *scene.Material {
		return p.Material(text, text.Find(id), "res", [3]float32{.1, .2, .3})
	}
	crate := make("crate")
	texture := crate.Texture.Texture
	assert.Equal(t, &scene.Material{Name: "crate", Shading: scene.Lit, Diffuse: [4]float32{1, 1, 1, 1},
		Ambient:    [3]float32{.1, .2, .3},
		LightColor: [3]float32{.5, .25, 1}, SpecularExponent: 50, WhiteHighlights: true, Cull: scene.CullBack,
		Texture: &scene.Sampler{Name: "u_diffuseTexture", Texture: texture, WrapS: scene.WrapClamp, Min: scene.Nearest,
			Mipmap: scene.LinearMipmap, Repeat: [2]float32{1, 1}}}, crate)
	assert.Equal(t, []any{"res/crate.png", false, "image/png", ""}, []any{texture.Path, texture.Down, texture.MediaType,
		texture.Missing})
	img, err := texture.Image(t.Context())
	require.NoError(t, err)
	assert.Equal(t, image.Pt(3, 2), img.Bounds().Size())
	r, err := texture.Open(t.Context())
	require.NoError(t, err)
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Equal(t, picture.Bytes(), b)
	assert.Same(t, texture, make("crate").Texture.Texture, "one picture is one texture")

	assert.Equal(t, &scene.Material{Name: "glass", Shading: scene.Lit, Diffuse: [4]float32{1, 1, 1, .5},
		VertexColors: true, Ambient: [3]float32{.1, .2, .3},
		Alpha: scene.AlphaBlend, Cull: scene.CullFront, NoDepthTest: true, NoDepth: true}, make("glass"))

	leaf := make("leaf")
	assert.Equal(t, scene.Unlit, leaf.Shading)
	assert.Equal(t, []any{scene.AlphaDiscard, float32(.5)}, []any{leaf.Alpha, leaf.Cutoff})
	assert.Equal(t, [4]float32{1, 1, 1, 1}, leaf.Diffuse, "the first technique is used")
	assert.Equal(t, []any{scene.Linear, scene.Nearest, scene.NearestMipmap, [2]float32{2, 3}},
		[]any{leaf.Texture.Min, leaf.Texture.Mag, leaf.Texture.Mipmap, leaf.Texture.Repeat})
	assert.True(t, leaf.Texture.Texture.Down, "compressed pictures are not turned over")
	_, err = leaf.Texture.Texture.Image(t.Context())
	assert.ErrorContains(t, err, "res/leaf.dds cannot be drawn")

	gone := make("gone")
	assert.Equal(t, "gone.png is not in the project", gone.Texture.Texture.Missing)
	assert.Equal(t, scene.Lit, gone.Shading, "the form is seen where the picture is missing")
	assert.Equal(t, [4]float32{1, 1, 1, 1}, gone.Diffuse)
}

// TestShadersOfEachYear has what the engine's shaders did with light over the years: the defines, the colors that are
// used, and which coordinates are repeated.
func TestShadersOfEachYear(t *testing.T) {
	p := around(fstest.MapFS{"res/a.png": file("")})
	make := func(text string) *scene.Material {
		text = "material a\n{\n" + text + "\n}\n"
		src := model.NewSource("a.material", strings.NewReader(text), int64(len(text)))
		all, err := properties.Read(t.Context(), src)
		require.NoError(t, err)
		return p.Material(all, all.Find("a"), "res", [3]float32{})
	}
	const sampler = "sampler u_lightmapTexture\n{\npath = res/a.png\n}\nsampler u_diffuseTexture\n{\npath = res/a.png\n}\n"

	old := make("technique\n{\npass\n{\nvertexShader = res/shaders/diffuse-specular.vsh\nu_specularExponent = 9\n}\n}")
	assert.Equal(t, []any{scene.Lit, float32(9), false}, []any{old.Shading, old.SpecularExponent, old.WhiteHighlights},
		"highlights had the color of the surface")
	spot := make("technique\n{\npass\n{\nvertexShader = res/shaders/colored.vert\ndefines = SPECULAR;SPOT_LIGHT\n" +
		"u_specularExponent = 9\n}\n}")
	assert.Equal(t, []any{scene.Lit, false}, []any{spot.Shading, spot.WhiteHighlights})
	none := make(sampler + "technique\n{\npass\n{\nvertexShader = res/shaders/textured.vert\n" +
		"defines = DIRECTIONAL_LIGHT_COUNT 0;TEXTURE_REPEAT;LIGHTMAP\nu_textureRepeat = 2, 3\n" +
		"u_directionalLightColor[0] = 1, 1, 1\n}\n}")
	assert.Equal(t, scene.Unlit, none.Shading, "no light is counted")
	assert.Equal(t, [2]float32{2, 3}, none.Texture.Repeat)
	assert.Equal(t, []any{[2]float32{1, 1}, 1}, []any{none.LightMap.Repeat, none.LightMap.Set},
		"light maps are not repeated")
	first := make("sampler u_normalMapTexture\n{\npath = res/a.png\n}")
	assert.Equal(t, "u_normalMapTexture", first.Normal.Name, "as the sampler was called in 2011")
}

func TestHugePicturesAreNotDrawn(t *testing.T) {
	dds := append([]byte("DDS \x7c\x00\x00\x00"), make([]byte, 120)...)
	copy(dds[84:], "DXT1")
	dds[80], dds[14], dds[18] = 4, 0xff, 0xff
	p := around(fstest.MapFS{"res/a.dds": file(string(dds)), "res/a.pvr": file("PVR\x03" + strings.Repeat("\x00", 60))})
	for name, want := range map[string]string{"res/a.dds": "larger than can be drawn",
		"res/a.pvr": "larger than can be drawn"} {
		_, err := p.Texture(name, ".").Image(t.Context())
		assert.ErrorContains(t, err, want)
	}
}

// TestTextsAreBoundedTogether reads texts until they have as many bytes as one may have.
func TestTextsAreBoundedTogether(t *testing.T) {
	large := file("a\n{\n}\n// " + strings.Repeat(" ", properties.MaxSize*2/3))
	p := around(fstest.MapFS{"res/a.scene": large, "res/b.scene": large, "res/c.scene": file("c\n{\n}\n")})
	first, err := p.Text("res/a.scene")
	require.NoError(t, err)
	assert.Equal(t, "a", first.Spaces[0].Name)
	_, err = p.Text("res/b.scene")
	assert.ErrorContains(t, err, "more texts than are read")
	_, err = p.Text("res/c.scene")
	assert.NoError(t, err)
	again, err := p.Text("res/a.scene")
	require.NoError(t, err)
	assert.Same(t, first, again)
}

func TestManyFiles(t *testing.T) {
	files := fstest.MapFS{}
	for i := range 30_000 {
		files[fmt.Sprintf("res/f%d/a.png", i)] = file("")
	}
	p := around(files)
	assert.Empty(t, p.Find("z.png", ".").Path)
	assert.Equal(t, "res/f3/a.png", p.Find("res/f3/a.png", ".").Path)
}
