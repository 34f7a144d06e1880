package material_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/material"
	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// projectOf returns the project around res/models/duck.gpb with some files.
func projectOf(files fstest.MapFS) *project.Project {
	return project.New(files, "res/models/duck.gpb")
}

func textFile(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

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
            defines = VERTEX_COLOR;MODULATE_ALPHA
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

func TestMaterialsAreReadAsTheEngineDrawsThem(t *testing.T) {
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2))))
	p := projectOf(fstest.MapFS{"res/a.material": textFile(materials), "res/crate.png": textFile(picture.String()),
		"res/leaf.dds": textFile("DDS no")})
	text, err := p.Text("res/a.material")
	require.NoError(t, err)
	make := func(id string) *scene.Material {
		m, remarks := readIn(p, text, id, [3]float32{.1, .2, .3})
		assert.Empty(t, remarks, id)
		return m
	}
	crate := make("crate")
	texture := crate.Texture.Texture
	assert.Equal(t, &scene.Material{Name: "crate", Shading: scene.Lit, Diffuse: [4]float32{1, 1, 1, 1},
		Ambient:    [3]float32{.1, .2, .3},
		LightColor: [3]float32{.5, .25, 1}, SpecularExponent: 50, WhiteHighlights: true, Cull: scene.CullBack,
		Techniques: []string{"0"},
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
		Alpha: scene.AlphaBlend, Cull: scene.CullFront, NoDepthTest: true, Techniques: []string{"0"}},
		make("glass"))

	leaf := make("leaf")
	assert.Equal(t, scene.Unlit, leaf.Shading)
	assert.Equal(t, []any{scene.AlphaDiscard, float32(.5)}, []any{leaf.Alpha, leaf.Cutoff})
	assert.Equal(t, [4]float32{1, 1, 1, 1}, leaf.Diffuse, "the first technique is used")
	assert.Equal(t, []string{"0", "other"}, leaf.Techniques)
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

// The engine's shaders used light in other ways over the years: defines, colors, and repeated coordinates changed.
func TestShadersOfEachYearAreRecognized(t *testing.T) {
	p := projectOf(fstest.MapFS{"res/a.png": textFile("")})
	make := func(text string) *scene.Material {
		m, _ := readOne(t, p, text)
		return m
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
	const normals = "u_inverseTransposeWorldViewMatrix = INVERSE_TRANSPOSE_WORLD_VIEW_MATRIX\n"
	for pass, want := range map[string]scene.Shading{
		"vertexShader = res/shaders/colored.vert\n":                                            scene.Unlit,
		"vertexShader = res/shaders/colored.vert\n" + normals:                                  scene.Lit,
		"vertexShader = res/shaders/textured.vert\ndefines = SPECULAR\n" + normals:             scene.Lit,
		"vertexShader = res/shaders/textured.vert\ndefines = SPOT_LIGHT_COUNT 0\n" + normals:   scene.Unlit,
		"vertexShader = res/shaders/textured-unlit.vert\n" + normals:                           scene.Unlit,
		"vertexShader = res/shaders/colored-unlit.vsh\n" + normals:                             scene.Unlit,
		"vertexShader = res/shaders/textured.vsh\n" + normals:                                  scene.Unlit,
		"vertexShader = res/shaders/textured.vert\nu_directionalLightColor[0] = LIGHT_COLOR\n": scene.Lit,
		"vertexShader = res/shaders/diffuse.vsh\n":                                             scene.Lit,
	} {
		m := make(sampler + "u_diffuseColor = 1, 0, 0, 1\ntechnique\n{\npass\n{\n" + pass + "}\n}")
		assert.Equal(t, want, m.Shading, pass)
	}
	const turned = sampler + "technique\n{\npass\n{\nvertexShader = res/shaders/textured.vert\n" +
		"defines = SKINNING;SPECULAR\n" + normals + "u_directionalLightColor[0] = 1, 1, 1\n}\n}"
	for version, want := range map[string]scene.Shading{"\x01\x02": scene.Lit, "\x01\x03": scene.Unlit, "\x01\x05": scene.Unlit,
		"\x01": scene.Lit, "\x02\x05": scene.Lit} {
		m, _ := readOne(t, projectOf(fstest.MapFS{"res/a.png": textFile(""), "res/a.gpb": textFile(gpb.Identifier + version)}), turned)
		assert.Equal(t, want, m.Shading, "%x: since 1.3 only counted lights light", version)
	}
	first := make("sampler u_normalMapTexture\n{\npath = res/a.png\n}")
	assert.Equal(t, "u_normalMapTexture", first.Normal.Name, "as the sampler was called in 2011")
}

func TestUniformsCountOnlyWithTheirDefine(t *testing.T) {
	for define, want := range map[string]struct {
		diffuse        [4]float32
		repeat, offset [2]float32
	}{
		"":               {[4]float32{1, .5, 0, 1}, [2]float32{1, 1}, [2]float32{}},
		"MODULATE_COLOR": {[4]float32{.5, .5, 0, .5}, [2]float32{1, 1}, [2]float32{}},
		"MODULATE_ALPHA": {[4]float32{1, .5, 0, .25}, [2]float32{1, 1}, [2]float32{}},
		"GLOBAL_ALPHA":   {[4]float32{1, .5, 0, .125}, [2]float32{1, 1}, [2]float32{}},
		"TEXTURE_REPEAT": {[4]float32{1, .5, 0, 1}, [2]float32{2, 3}, [2]float32{}},
		"TEXTURE_OFFSET": {[4]float32{1, .5, 0, 1}, [2]float32{1, 1}, [2]float32{4, 5}},
	} {
		for _, extension := range []string{".vsh", ".vert"} {
			m, _ := readOne(t, projectOf(fstest.MapFS{}), "sampler u_diffuseTexture\n{\npath = a.png\n}\n"+
				"technique\n{\npass\n{\nvertexShader = res/shaders/colored"+extension+"\ndefines = A;"+define+"\n"+
				"u_diffuseColor = 1, 0.5, 0, 1\nu_modulateColor = 0.5, 1, 1, 0.5\nu_modulateAlpha = 0.25\nu_globalAlpha = 0.125\n"+
				"u_textureRepeat = 2, 3\nu_textureOffset = 4, 5\n}\n}\n")
			assert.Equal(t, want.diffuse, m.Diffuse, define)
			assert.Equal(t, [][2]float32{want.repeat, want.offset},
				[][2]float32{m.Texture.Repeat, m.Texture.Offset}, define)
		}
	}
}

// Samplers of the engine's own shader need a define, those of a game's shader do not.
func TestSamplersOfTheEngineNeedADefine(t *testing.T) {
	const samplers = "sampler u_lightmapTexture\n{\npath = a.png\n}\nsampler u_normalmapTexture\n{\npath = a.png\n}\n"
	for program, want := range map[string][2]bool{
		"textured.vert\ndefines = SPECULAR":             {false, false},
		"textured.vert\ndefines = SPECULAR;LIGHTMAP":    {true, false},
		"textured.vert\ndefines = BUMPED":               {false, true},
		"bumped.vert":                                   {true, true},
		"water.vert\ndefines = DIRECTIONAL_LIGHT_COUNT": {true, true},
	} {
		m, _ := readOne(t, projectOf(fstest.MapFS{}),
			samplers+"technique\n{\npass\n{\nvertexShader = res/shaders/"+program+"\n}\n}\n")
		assert.Equal(t, want, [2]bool{m.LightMap != nil, m.Normal != nil}, program)
	}
}

func TestRenderStatesAreDrawnOrNoted(t *testing.T) {
	p := projectOf(fstest.MapFS{})
	const tested, blended, culled = "depthTest = true\n", "depthTest = true\nblend = true\n", "depthTest = true\ncullFace = true\n"
	for states, want := range map[string]struct {
		scene.Material
		remark string
	}{
		tested:                        {},
		tested + "depthFunc = LEQUAL": {},
		"depthFunc = NEVER":           {scene.Material{NoDepthTest: true}, ""}, // without a test
		tested + "depthFunc = NEVER":  {scene.Material{Cull: scene.CullBoth}, ""},
		tested + "depthFunc = ALWAYS": {scene.Material{NoDepthTest: true}, ""},
		tested + "depthFunc = GREATER": {scene.Material{},
			"material a: drawn with depth function LESS instead of GREATER"},
		tested + "stencilTest = true": {scene.Material{},
			"material a: stencil test ignored"},
		blended: {},
		culled:  {scene.Material{Cull: scene.CullBack}, ""},
		blended + "blendSrc = SRC_ALPHA\nblendDst = ONE_MINUS_SRC_ALPHA": {scene.Material{Alpha: scene.AlphaBlend}, ""},
		blended + "srcBlend = SRC_ALPHA\ndstBlend = ONE":                 {scene.Material{Alpha: scene.AlphaBlend, Additive: true}, ""},
		blended + "blendSrc = ZERO\nblendDst = ONE":                      {scene.Material{Cull: scene.CullBoth}, ""},
		blended + "cullFace = true\nblendSrc = ZERO\nblendDst = ONE":     {scene.Material{Cull: scene.CullBoth}, ""},
		blended + "blendSrc = one\nblendDst = Zero":                      {},
		"depthTest = TRUE": {}, // words of render states are known in any case
		blended + "blendDst = ONE": {scene.Material{Alpha: scene.AlphaBlend, Additive: true},
			"material a: blending ONE, ONE is approximated by additive blending"},
		blended + "blendSrc = DST_COLOR\nblendDst = ONE": {scene.Material{Alpha: scene.AlphaBlend, Additive: true},
			"material a: blending DST_COLOR, ONE is approximated by additive blending"},
		blended + "blendDst = ONE_MINUS_SRC_ALPHA": {scene.Material{Alpha: scene.AlphaBlend},
			"material a: blending ONE, ONE_MINUS_SRC_ALPHA is approximated by alpha blending"},
		blended + "blendSrc = DST_COLOR": {scene.Material{Alpha: scene.AlphaBlend},
			"material a: blending DST_COLOR, ZERO is approximated by alpha blending"},
		culled + "frontFace = CW":                       {scene.Material{Cull: scene.CullFront}, ""},
		culled + "cullFaceSide = FRONT\nfrontFace = CW": {scene.Material{Cull: scene.CullBack}, ""},
		culled + "cullFaceSide = FRONT_AND_BACK":        {scene.Material{Cull: scene.CullBoth}, ""},
	} {
		text := "renderState\n{\n" + states + "\n}\n"
		m, remarks := readOne(t, p, text+strings.Repeat("}\n", strings.Count(text, "{")-strings.Count(text, "}")))
		got := scene.Material{Alpha: m.Alpha, Additive: m.Additive, Cull: m.Cull, NoDepthTest: m.NoDepthTest}
		assert.Equal(t, want.Material, got, states)
		assert.Equal(t, want.remark, strings.Join(remarks, "; "), states)
	}
}

// TestInnerRenderStatesAreMerged tests that an inner level sets a state, but not back to the engine's initial value;
// both factors of blending are one state.
func TestInnerRenderStatesAreMerged(t *testing.T) {
	const outer = "renderState\n{\ndepthTest = true\ncullFace = true\ncullFaceSide = FRONT\nblend = true\n" +
		"blendSrc = SRC_ALPHA\nblendDst = ONE_MINUS_SRC_ALPHA\n}\n"
	read := scene.Material{Cull: scene.CullFront, Alpha: scene.AlphaBlend}
	for inner, change := range map[string]func(m *scene.Material){
		"cullFace = false":                     func(*scene.Material) {},
		"depthTest = false":                    func(*scene.Material) {},
		"blend = false":                        func(*scene.Material) {},
		"cullFaceSide = BACK":                  func(*scene.Material) {},
		"cullFaceSide = FRONT_AND_BACK":        func(m *scene.Material) { m.Cull = scene.CullBoth },
		"frontFace = CW":                       func(m *scene.Material) { m.Cull = scene.CullBack },
		"srcBlend = ONE\ndstBlend = ZERO":      func(*scene.Material) {},
		"srcBlend = SRC_ALPHA\ndstBlend = ONE": func(m *scene.Material) { m.Additive = true },
		"blendSrc = ZERO\nblendDst = ONE": func(m *scene.Material) {
			m.Alpha, m.Cull = scene.Opaque, scene.CullBoth
		},
		"blendSrc = ZERO\n}\nrenderState\n{\nblendDst = ONE": func(m *scene.Material) { // two blocks of a level
			m.Alpha, m.Cull = scene.Opaque, scene.CullBoth
		},
	} {
		want := read
		change(&want)
		m, remarks := readOne(t, projectOf(fstest.MapFS{}), outer+"technique\n{\nrenderState\n{\n"+inner+"\n}\n}\n")
		got := scene.Material{Alpha: m.Alpha, Additive: m.Additive, Cull: m.Cull, NoDepthTest: m.NoDepthTest}
		assert.Equal(t, want, got, inner)
		assert.Empty(t, remarks, inner)
	}
	m, remarks := readOne(t, projectOf(fstest.MapFS{}), outer+"technique\n{\nrenderState\n{\nblendDst = ONE\n}\n}\n")
	assert.True(t, m.Additive)
	assert.Equal(t, []string{"material a: blending ONE, ONE is approximated by additive blending"}, remarks)
}

// TestDuplicateNamesCountAsInTheEngine tests that the engine applies uniforms and render states in order, and looks up
// the rest by name.
func TestDuplicateNamesCountAsInTheEngine(t *testing.T) {
	m, _ := readOne(t, projectOf(fstest.MapFS{}), "u_diffuseColor = 1, 0, 0, 1\nu_diffuseColor = 0, 0, 1, 1\n"+
		"sampler u_normalmapTexture\n{\npath = a.png\npath = b.png\n}\n"+
		"renderState\n{\ncullFace = true\ncullFaceSide = BACK\ncullFaceSide = FRONT\n}\n")
	assert.Equal(t, [4]float32{0, 0, 1, 1}, m.Diffuse)
	assert.Equal(t, "a.png is not in the project", m.Normal.Texture.Missing)
	assert.Equal(t, scene.CullFront, m.Cull)
}

func TestValuesOfSamplersAreCaseSensitive(t *testing.T) {
	for words, want := range map[string]scene.Sampler{
		"mipmap = true":                     {Min: scene.Nearest, Mipmap: scene.LinearMipmap},
		"mipmap = TRUE":                     {},
		"wrapS = CLAMP":                     {WrapS: scene.WrapClamp},
		"wrapS = clamp":                     {},
		"magFilter = NEAREST":               {Mag: scene.Nearest},
		"magFilter = nearest":               {},
		"minFilter = NEAREST":               {Min: scene.Nearest},
		"minFilter = NEAREST_LEAST":         {},
		"mipmap = true\nminFilter = linear": {Min: scene.Nearest, Mipmap: scene.LinearMipmap},
		"minFilter = LINEAR_MIPMAP_NEAREST": {Mipmap: scene.NearestMipmap},
	} {
		m, remarks := readOne(t, projectOf(fstest.MapFS{}), "sampler u_diffuseTexture\n{\npath = a.png\n"+words+"\n}\n")
		want.Name, want.Repeat, want.Texture = "u_diffuseTexture", [2]float32{1, 1}, m.Texture.Texture
		assert.Equal(t, &want, m.Texture, words)
		if words == "wrapS = clamp" {
			assert.Equal(t, []string{
				"material a: unknown value clamp for wrapS of u_diffuseTexture; the engine uses the default"}, remarks)
		}
	}
}

// TestDepthTechniqueIsNotDisplayed has a technique for depth before the visible one, and several passes.
func TestDepthTechniqueIsNotDisplayed(t *testing.T) {
	p := projectOf(fstest.MapFS{"res/a.png": textFile("")})
	const depth, textured = "pass\n{\nvertexShader = res/shaders/depth.vert\n}\n",
		"pass\n{\nvertexShader = res/shaders/textured.vert\nsampler u_diffuseTexture\n{\npath = res/a.png\n}\n}\n"
	const colored = "pass\n{\nu_diffuseColor = 1, 0, 0, 1\n}\n"
	for text, want := range map[string]struct {
		technique int
		textured  bool
		remark    string
	}{
		"technique depth\n{\n" + depth + "}\ntechnique flat\n{\n" + colored + "}\ntechnique shadow\n{\n" + textured + "}\n": {
			2, true, "guessed: technique shadow of material a, as depth shows no color"},
		"technique\n{\n" + depth + "}\ntechnique\n{\n" + colored + "}\n": {
			1, false, "guessed: technique 1 of material a, as 0 shows no color"},
		"technique flat\n{\n" + colored + "}\ntechnique shadow\n{\n" + textured + "}\n": {0, false, ""},
		"technique depth\n{\n" + depth + "}\n":                                          {0, false, ""},
		"technique\n{\n" + depth + textured + "}\n":                                     {0, true, "material a: only one of the 2 passes of its technique is drawn"},
	} {
		m, remarks := readOne(t, p, text)
		assert.Equal(t, want.technique, m.Technique, text)
		assert.Equal(t, want.textured, m.Texture != nil, text)
		assert.Equal(t, want.remark, strings.Join(remarks, "; "), text)
	}
}

// TestInnerSamplerReplacesTheOuter has a sampler of a material, and another of the same name in its pass, which
// replaces it with all of its properties. A sampler without a picture replaces nothing.
func TestInnerSamplerReplacesTheOuter(t *testing.T) {
	const outer = "sampler u_diffuseTexture\n{\npath = a.png\nwrapS = CLAMP\nmagFilter = NEAREST\n}\n"
	for inner, want := range map[string]scene.Sampler{
		"path = b.png\nwrapT = CLAMP": {WrapT: scene.WrapClamp},
		"wrapT = CLAMP":               {WrapS: scene.WrapClamp, Mag: scene.Nearest},
	} {
		m, _ := readOne(t, projectOf(fstest.MapFS{}), outer+"technique\n{\npass\n{\nsampler u_diffuseTexture\n{\n"+inner+
			"\n}\n}\n}\n")
		want.Name, want.Repeat, want.Texture = "u_diffuseTexture", [2]float32{1, 1}, m.Texture.Texture
		assert.Equal(t, &want, m.Texture, inner)
	}
}

// A technique without an id is named by its number, unless another has that id.
func TestTechniquesHaveDistinctNames(t *testing.T) {
	m, _ := readOne(t, projectOf(fstest.MapFS{}), "technique\n{\n}\ntechnique 2\n{\n}\ntechnique\n{\n}\ntechnique #2\n{\n}\n")
	assert.Equal(t, []string{"0", "2", "##2", "#2"}, m.Techniques)
}

// TestBlendedMaterialKeepsItsHoles tests that a material blended as ONE and ZERO keeps its holes, and that a
// transparent one reports that it has none.
func TestBlendedMaterialKeepsItsHoles(t *testing.T) {
	for states, want := range map[string]struct {
		alpha  scene.AlphaMode
		remark string
	}{
		"": {scene.AlphaDiscard, ""}, "blend = true": {scene.AlphaDiscard, ""},
		"blend = true\nblendSrc = SRC_ALPHA\nblendDst = ONE_MINUS_SRC_ALPHA": {scene.AlphaBlend,
			"material a: alpha test ignored; drawn with blending only"},
	} {
		m, remarks := readOne(t, projectOf(fstest.MapFS{}), "renderState\n{\ndepthTest = true\n"+states+"\n}\n"+
			"technique\n{\npass\n{\ndefines = TEXTURE_DISCARD_ALPHA\n}\n}\n")
		assert.Equal(t, want.alpha, m.Alpha, states)
		assert.Equal(t, want.remark, strings.Join(remarks, "; "), states)
	}
}

// readOne reads the material a with a text, and its notes.
func readOne(t *testing.T, p *project.Project, text string) (*scene.Material, []string) {
	t.Helper()
	text = "material a\n{\n" + text + "\n}\n"
	all, err := properties.Read(t.Context(), model.NewSource("a.material", strings.NewReader(text), int64(len(text))))
	require.NoError(t, err)
	return readIn(p, all, "a", [3]float32{})
}

// readIn reads a material of a text in the folder res, and its notes.
func readIn(p *project.Project, text *properties.Namespace, id string, ambient [3]float32) (*scene.Material, []string) {
	out := &scene.Scene{}
	of := material.Description{Text: material.Text{Project: p, Path: "res/a.material", File: text},
		Namespace: text.Find(id)}
	return material.Read(material.NewResources(context.Background(), p, out), of, "", ambient), out.Missing
}
