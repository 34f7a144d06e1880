package assets_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// toyMaterials is the material file of the toy: one that the others inherit from, and one for each name in the bundle.
func toyMaterials() []byte {
	var b strings.Builder
	b.WriteString(`// The materials of toy.gpb.
material textured
{
    u_worldViewProjectionMatrix = WORLD_VIEW_PROJECTION_MATRIX
    u_ambientColor = SCENE_AMBIENT_COLOR

    renderState
    {
        cullFace = true
        depthTest = true
    }

    technique
    {
        pass
        {
            defines = DIRECTIONAL_LIGHT_COUNT 1
            vertexShader = res/shaders/textured.vert
            fragmentShader = res/shaders/textured.frag
        }
    }
}
`)
	for _, m := range []struct{ name, more string }{
		{"skin", ""}, {"face", ""}, {"hair", ""}, {"shirt", ""}, {"jeans", ""}, {"shoes", ""},
		{"floor", "    u_textureRepeat = 2, 2\n"}, {"rug", ""}, {"crates", ""}, {"ball", ""},
		{"shadow", "    renderState\n    {\n        blend = true\n        blendSrc = SRC_ALPHA\n" +
			"        blendDst = ONE_MINUS_SRC_ALPHA\n    }\n"},
	} {
		b.WriteString("\nmaterial " + m.name + " : textured\n{\n" + m.more + "    sampler u_diffuseTexture\n    {\n" +
			"        path = res/png/" + m.name + ".png\n        mipmap = true\n" +
			"        minFilter = LINEAR_MIPMAP_LINEAR\n        magFilter = LINEAR\n    }\n")
		if strings.Contains(m.more, "u_textureRepeat") {
			b.WriteString("    technique\n    {\n        pass\n        {\n" +
				"            defines = DIRECTIONAL_LIGHT_COUNT 1;TEXTURE_REPEAT\n        }\n    }\n")
		}
		b.WriteString("}\n")
	}
	return []byte(b.String())
}

const toyScene = `scene
{
    path = res/toy.gpb
    activeCamera = camera
    ambientColor = 0.5, 0.5, 0.55

    node boy
    {
        tags
        {
            player
        }
    }
}
`

const toyClips = `animation movements
{
    frameCount = 75

    clip walk
    {
        begin = 0
        end = 24
        repeatCount = INDEFINITE
    }
    clip wave
    {
        begin = 25
        end = 75
    }
}
`

const toyVertexShader = `attribute vec4 a_position;
attribute vec2 a_texCoord;
uniform mat4 u_worldViewProjectionMatrix;
varying vec2 v_texCoord;

void main()
{
    gl_Position = u_worldViewProjectionMatrix * a_position;
    v_texCoord = a_texCoord;
}
`

const toyFragmentShader = `uniform sampler2D u_diffuseTexture;
uniform vec3 u_ambientColor;
varying vec2 v_texCoord;

void main()
{
    vec4 base = texture2D(u_diffuseTexture, v_texCoord);
    gl_FragColor = vec4(base.rgb * u_ambientColor, base.a);
}
`

// paintPNG makes a picture of a color for each place; v is 0 at the bottom row, as for the engine.
func paintPNG(t *testing.T, edge int, at func(u, v float64) color.NRGBA) []byte {
	picture := image.NewNRGBA(image.Rect(0, 0, edge, edge))
	for y := range edge {
		for x := range edge {
			picture.SetNRGBA(x, y, at((float64(x)+.5)/float64(edge), 1-(float64(y)+.5)/float64(edge)))
		}
	}
	var b bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, picture))
	return b.Bytes()
}

// shade makes a color lighter or darker.
func shade(c color.NRGBA, by float64) color.NRGBA {
	f := func(v uint8) uint8 { return uint8(math.Min(255, math.Max(0, math.Round(float64(v)*by)))) }
	return color.NRGBA{f(c.R), f(c.G), f(c.B), c.A}
}

// grain is a number from 0 to 1 that looks random, the same each time.
func grain(x, y int) float64 {
	h := uint32(x)*374761393 + uint32(y)*668265263
	h = (h ^ h>>13) * 1274126177
	return float64((h^h>>16)&0xffff) / 0xffff
}

// planks is wood: boards along v, each of its own shade, with fibres.
func planks(c color.NRGBA, boards int, u, v float64) color.NRGBA {
	board, edge := math.Modf(u * float64(boards))
	shift := grain(int(board), 7)
	fibre := math.Sin(40*edge+6*math.Sin(2*math.Pi*(v+shift))+9*shift) * .04
	by := .88 + .2*grain(int(board), 1) + fibre + .05*grain(int(u*64), int(v*8))
	if _, end := math.Modf(v + shift); edge < .03 || end < .012 {
		by *= .55
	}
	return shade(c, by)
}

// toyPictures are the textures of the toy, by the names of their materials.
func toyPictures(t *testing.T) map[string][]byte {
	skin, cream := color.NRGBA{238, 188, 148, 255}, color.NRGBA{246, 238, 220, 255}
	out := make(map[string][]byte)
	add := func(name string, edge int, at func(u, v float64) color.NRGBA) { out[name] = paintPNG(t, edge, at) }
	add("skin", 8, func(_, _ float64) color.NRGBA { return skin })
	add("face", 128, func(u, v float64) color.NRGBA {
		x, y := (u-.25)*2*math.Pi*.9, (.5-v)*math.Pi // from the middle of the face
		near := func(cx, cy, rx, ry float64) bool {
			return math.Pow((math.Abs(x)-cx)/rx, 2)+math.Pow((y-cy)/ry, 2) < 1
		}
		switch {
		case near(.36, .18, .045, .045):
			return color.NRGBA{255, 255, 255, 255}
		case near(.38, .12, .11, .17):
			return color.NRGBA{52, 38, 34, 255}
		case near(.38, .46, .16, .035):
			return color.NRGBA{96, 58, 34, 255}
		case near(0, -.4, .3, .2) && y < -.38:
			return color.NRGBA{150, 52, 52, 255}
		case near(.62, -.22, .17, .12):
			return color.NRGBA{240, 160, 132, 255}
		}
		return skin
	})
	add("hair", 32, func(u, v float64) color.NRGBA {
		return shade(color.NRGBA{122, 70, 36, 255}, .85+.3*grain(int(u*32), 3))
	})
	add("shirt", 64, func(u, v float64) color.NRGBA {
		if int(v*9)%2 == 0 {
			return shade(color.NRGBA{206, 60, 52, 255}, .95+.08*grain(int(u*64), int(v*64)))
		}
		return shade(cream, .95+.06*grain(int(u*64), int(v*64)))
	})
	add("jeans", 64, func(u, v float64) color.NRGBA {
		c := shade(color.NRGBA{58, 92, 150, 255}, .85+.25*grain(int(u*64), int(v*64)))
		if v > .93 {
			return shade(cream, .8)
		}
		return c
	})
	add("shoes", 32, func(_, v float64) color.NRGBA {
		if v > .68 {
			return cream
		}
		return color.NRGBA{214, 158, 46, 255}
	})
	add("floor", 128, func(u, v float64) color.NRGBA { return planks(color.NRGBA{190, 142, 94, 255}, 4, u, v) })
	add("rug", 128, func(u, v float64) color.NRGBA {
		x, y := math.Abs(2*u-1), math.Abs(2*v-1)
		edge := math.Max(x, y)
		c := color.NRGBA{52, 120, 128, 255}
		switch {
		case edge > .94:
			c = cream
		case edge > .84:
			c = color.NRGBA{206, 92, 62, 255}
		case edge > .8:
			c = cream
		case math.Mod(x+y, .4) < .07:
			c = color.NRGBA{232, 186, 84, 255}
		}
		return shade(c, .92+.12*grain(int(u*128), int(v*128)))
	})
	add("crates", 128, func(u, v float64) color.NRGBA {
		x, y := math.Abs(2*u-1), math.Abs(2*v-1)
		wood := color.NRGBA{186, 134, 78, 255}
		switch edge := math.Max(x, y); {
		case edge > .97 || edge > .76 && edge < .79:
			return shade(wood, .5)
		case edge > .79:
			if x > y {
				return planks(shade(wood, 1.1), 2, v, u)
			}
			return planks(shade(wood, 1.1), 2, u, v)
		case math.Abs(x-y) < .14:
			return shade(wood, 1.12+.1*grain(int(u*40), int(v*40)))
		case math.Abs(x-y) < .17:
			return shade(wood, .5)
		}
		return planks(shade(wood, .9), 4, u, v)
	})
	add("ball", 64, func(u, v float64) color.NRGBA {
		if v < .07 || v > .93 {
			return cream
		}
		return []color.NRGBA{{220, 66, 58, 255}, cream, {64, 124, 200, 255}, cream, {244, 196, 64, 255},
			cream}[int(u*6)%6]
	})
	add("shadow", 64, func(u, v float64) color.NRGBA {
		r := math.Hypot(2*u-1, 2*v-1)
		return color.NRGBA{20, 16, 24, uint8(150 * math.Pow(math.Max(0, 1-r), .8))}
	})
	return out
}
