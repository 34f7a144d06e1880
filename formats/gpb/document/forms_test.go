package document_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/formatstest"
	"assay/formats/gpb"
	"assay/formats/gpb/document"
	"assay/formats/gpb/gpbtest"
	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
)

// openSound opens b and requires that all bytes are explained without a problem.
func openSound(t testing.TB, b []byte) *model.Document {
	t.Helper()
	d, report := gpbtest.Open(t, b)
	formatstest.Sound(t, d, report)
	return d
}

// requireWritten requires that a file was written, maybe with a loss.
func requireWritten(t testing.TB, err error) {
	t.Helper()
	var loss model.Loss
	if !errors.As(err, &loss) {
		require.NoError(t, err)
	}
}

// contentOf returns an asset in a form, the first of its files.
func contentOf(t testing.TB, p *model.Payload, name string) []byte {
	t.Helper()
	for _, f := range p.Forms {
		if f.Name != name {
			continue
		}
		var b bytes.Buffer
		switch {
		case f.Write != nil:
			requireWritten(t, f.Write(context.Background(), &b))
			return b.Bytes()
		case f.WriteFiles != nil:
			requireWritten(t, f.WriteFiles(context.Background(), &b, 0, []string{"to/first", "to/second"}))
			return b.Bytes()
		}
	}
	r, err := p.Open(context.Background())
	require.NoError(t, err)
	defer r.Close()
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	return b
}

func TestLongShadersAreAssets(t *testing.T) {
	long := strings.Repeat("// vertex\n", 1<<21)
	e := &gpb.Effect{ID: "effect", Vertex: long, Fragment: "void main() {}"}
	d := openSound(t, gpbtest.Encode(t, &gpb.File{Objects: []gpb.Object{e}}, gpbtest.V15, gpbtest.ByID))
	require.Equal(t, 2, d.Payloads.Len())
	assert.Equal(t, "effect.vert", d.Payloads.At(0).Key)
	assert.EqualValues(t, len(long), d.Payloads.At(0).Size)
	assert.Equal(t, "void main() {}", string(contentOf(t, d.Payloads.At(1), "raw")))
}

func TestPayloadsAreMeshesScenesAnimationsShadersAndFonts(t *testing.T) {
	b := gpbtest.Encode(t, gpbtest.Everything(gpbtest.V15), gpbtest.V15, gpbtest.ByID)
	d := openSound(t, b)
	var keys []string
	for i := range d.Payloads.Len() {
		p := d.Payloads.At(i)
		keys = append(keys, p.Key)
		require.NotNil(t, p.Node, p.Key)
		assert.Equal(t, b[p.Stored.Offset:p.Stored.End()], contentOf(t, p, "raw"), p.Key)
		assert.EqualValues(t, p.Stored.Size, p.Size, p.Key)
	}
	assert.Equal(t, []string{"skinned", "rich", "empty", "__SCENE__", "walk", "still", "effect.vert", "effect.frag",
		"font-24", "font-8", "font-10"}, keys)

	assert.Equal(t, "void main() {}\n", string(contentOf(t, gpbtest.Payload(t, d, "effect.vert"), "txt")))
	var node map[string]any
	require.NoError(t, json.Unmarshal(contentOf(t, gpbtest.Payload(t, d, "walk"), "json"), &node))
	assert.Equal(t, "Animation", node["type"])

	empty := openSound(t, gpbtest.Encode(t, &gpb.File{}, gpbtest.V12, gpbtest.ByID))
	assert.Nil(t, empty.Payloads)
}

func TestFontsAreExportedAsPNGAndFNT(t *testing.T) {
	d := openSound(t, gpbtest.Encode(t, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{gpbtest.Font("f o", 12)}},
		gpbtest.V15, gpbtest.ByID))
	p := gpbtest.Payload(t, d, "f o")
	assert.Equal(t, "f o.png", p.Name)

	picture, err := png.Decode(bytes.NewReader(contentOf(t, p, "png")))
	require.NoError(t, err)
	assert.Equal(t, image.Rect(0, 0, 4, 3), picture.Bounds())
	assert.Equal(t, []byte("0123456789ab"), picture.(*image.Gray).Pix)
	picture, err = png.Decode(bytes.NewReader(contentOf(t, p, "png-alpha")))
	require.NoError(t, err)
	assert.Equal(t, color.NRGBA{255, 255, 255, '9'}, picture.At(1, 2))

	assert.Equal(t, `info face="Family of f o" size=12 bold=1 italic=1 charset="" unicode=1 stretchH=100 smooth=1 aa=1 padding=0,0,0,0 spacing=1,1 outline=0
common lineHeight=12 base=12 scaleW=4 scaleH=3 pages=1 packed=0
page id=0 file="second"
chars count=2
char id=65 x=0 y=0 width=2 height=3 xoffset=-1 yoffset=0 xadvance=4 page=0 chnl=15
char id=66 x=2 y=0 width=2 height=3 xoffset=0 yoffset=0 xadvance=3 page=0 chnl=15
`, string(contentOf(t, p, "fnt")))
}

// TestGlyphsOutsideThePictureHaveNoArea has a glyph past the edge, and one with a NaN.
func TestGlyphsOutsideThePictureHaveNoArea(t *testing.T) {
	f := gpbtest.Font("f", 12)
	nan := float32(math.NaN())
	f.Sizes[0].Glyphs = gpbtest.Glyphs(gpb.Glyph{Index: 'A', UV: [4]float32{0, 0, 1.01, 1}},
		gpb.Glyph{Index: 'B', UV: [4]float32{nan, 0, 1, 1}}, gpb.Glyph{Index: 'C', UV: [4]float32{.5, 0, 1, 1}},
		gpb.Glyph{Index: ' ', UV: [4]float32{.5, 1, .5, 1}})
	d, _ := gpbtest.Open(t, gpbtest.Encode(t, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{f}}, gpbtest.V15,
		gpbtest.ByID))
	var places []string
	for line := range strings.Lines(string(contentOf(t, gpbtest.Payload(t, d, "f"), "fnt"))) {
		if before, _, ok := strings.Cut(line, " xoffset="); ok {
			places = append(places, before)
		}
	}
	assert.Equal(t, []string{"char id=65 x=0 y=0 width=0 height=0", "char id=66 x=0 y=0 width=0 height=0",
		"char id=67 x=2 y=0 width=2 height=3", "char id=32 x=2 y=3 width=0 height=0"}, places)
}

// Before 1.5 the engine leaves an eighth of the size after a character, and half of it for a space.
func TestCharactersBefore15HaveSpacing(t *testing.T) {
	f := gpbtest.Font("f", 16)
	f.Sizes[0].Glyphs = gpbtest.Glyphs(gpb.Glyph{Index: ' ', Width: 1}, gpb.Glyph{Index: 'A', Width: 3, Advance: 9})
	d := openSound(t, gpbtest.Encode(t, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{f}}, gpbtest.V14,
		gpbtest.ByID))
	var advances []string
	for line := range strings.Lines(string(contentOf(t, gpbtest.Payload(t, d, "f"), "fnt"))) {
		if _, after, ok := strings.Cut(line, "xadvance="); ok {
			advances = append(advances, strings.Fields(after)[0])
		}
	}
	assert.Equal(t, []string{"8", "5"}, advances)
}

func TestFontPictureOfTheWrongSizeIsAnError(t *testing.T) {
	f := gpbtest.Font("f", 12)
	f.Sizes[0].Width = 100
	d, report := gpbtest.Open(t, gpbtest.Encode(t, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{f}},
		gpbtest.V15,
		gpbtest.ByID))
	assert.True(t, report.Bad())
	err := gpbtest.Payload(t, d, "f").Forms[0].Write(context.Background(), io.Discard)
	assert.ErrorContains(t, err, "gpb: a picture of 100 × 3 needs 300 bytes, but there are 12 (at 0x")
}

func TestDamagedObjectsAreNotAssets(t *testing.T) {
	whole := gpbtest.Encode(t, gpbtest.Small(), gpbtest.V12, gpbtest.ByID)
	d, _ := gpbtest.Open(t, whole[:len(whole)-3]) // the font is the last object
	for i := range d.Payloads.Len() {
		assert.NotEqual(t, "Font", d.Payloads.At(i).Type)
	}
	assert.Equal(t, "mesh", d.Payloads.At(0).Key)
}

func TestGLBHasNodesAndSkins(t *testing.T) {
	d := openSound(t, gpbtest.Encode(t, gpbtest.Everything(gpbtest.V12), gpbtest.V12, gpbtest.ByID))
	for _, key := range []string{"__SCENE__", "skinned", "rich"} {
		p := gpbtest.Payload(t, d, key)
		assert.Equal(t, key+".glb", p.Name)
		b := contentOf(t, p, "glb")
		require.Greater(t, len(b), 20)
		assert.Equal(t, "glTF\x02\x00\x00\x00", string(b[:8]))
		assert.EqualValues(t, len(b), binary.LittleEndian.Uint32(b[8:]))
		var doc struct {
			Nodes []struct{ Name string }
			Skins []any
		}
		require.NoError(t, json.Unmarshal(b[20:20+binary.LittleEndian.Uint32(b[12:])], &doc))
		if key == "__SCENE__" {
			assert.GreaterOrEqual(t, len(doc.Nodes), 8)
			assert.Len(t, doc.Skins, 1)
		}
	}
}

func TestOBJNamesItsMaterialFile(t *testing.T) {
	d := openSound(t, gpbtest.Encode(t, gpbtest.Small(), gpbtest.V12, gpbtest.ByID))
	obj := string(contentOf(t, gpbtest.Payload(t, d, "scene"), "obj"))
	assert.Contains(t, obj, "mtllib to/second\n")
	assert.Equal(t, 3, strings.Count(obj, "\nv "))
	assert.Equal(t, 1, strings.Count(obj, "\nf "))
	assert.Contains(t, string(contentOf(t, gpbtest.Payload(t, d, "mesh"), "obj")), "mtllib")
	f := gpbtest.Payload(t, d, "scene").Forms[1]
	var mtl bytes.Buffer
	require.NoError(t, f.WriteFiles(context.Background(), &mtl, 1, []string{"a.obj", "a.mtl"}))
	assert.Contains(t, mtl.String(), "newmtl lambert1\n")
}

func TestExportsOfDamagedFilesDoNotPanic(t *testing.T) {
	whole := gpbtest.Encode(t, gpbtest.Small(), gpbtest.V12, gpbtest.ByID)
	for i := range formatstest.Sweep(len(whole) - 11) {
		b := bytes.Clone(whole)
		b[11+i] ^= 0xFF
		d, err := document.Open(context.Background(), gpbtest.Source(b))
		require.NoError(t, err)
		if d.Payloads == nil {
			continue
		}
		for k := range d.Payloads.Len() {
			for _, f := range d.Payloads.At(k).Forms {
				if f.Write != nil {
					_ = f.Write(context.Background(), io.Discard)
				}
				for file := range f.Extensions {
					_ = f.WriteFiles(context.Background(), io.Discard, file, []string{"a", "b"})
				}
			}
		}
	}
}

func TestEmbeddedFontFileIsExported(t *testing.T) {
	file := []byte("\x00\x01\x00\x00 a TrueType file")
	f := &gpb.Font{ID: "f", Family: "F", Unicode: true, FileSizes: gpbtest.Uints(12, 20), File: gpbtest.Bytes(file)}
	d := openSound(t, gpbtest.Encode(t, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{f}},
		gpbtest.V15Flag, gpbtest.ByID))
	assert.Equal(t, file, contentOf(t, gpbtest.Payload(t, d, "f.ttf"), "raw"))
}

const textured = `material wood
{
    sampler u_diffuseTexture
    {
        path = res/wood.png
    }
    sampler u_normalmapTexture
    {
        path = @bumps
    }
}
material floor
{
    sampler u_diffuseTexture
    {
        path = ../res/wood.png
    }
    sampler u_lightmapTexture
    {
        path = res/gone.png
    }
}
`

// TestTexturesAreListedUpToALimit has one picture more than are listed.
func TestTexturesAreListedUpToALimit(t *testing.T) {
	const most = 4096
	files, text := fstest.MapFS{}, "material a\n{\n"
	for i := range most + 1 {
		files[fmt.Sprintf("res/%d.png", i)] = &fstest.MapFile{}
		text += fmt.Sprintf("path%d = %d.png\n", i, i)
	}
	d, file, err := properties.Open(t.Context(), gpbtest.Source([]byte(text+"}\n")), nil)
	require.NoError(t, err)
	all := document.Textures(d, project.New(files, "res/a.material"), file)
	require.Equal(t, most, all.Len())
	assert.Equal(t, "res/4095.png", all.At(most-1).Key)
	r, err := d.Check(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, r.Problems, 1)
	assert.Equal(t, "the text names many images; only the first 4096 are searched", r.Problems[0].Message)
}

// filesOf returns the files of a form of an asset.
func filesOf(t *testing.T, a *model.Payload, form string) (all [][]byte) {
	t.Helper()
	for _, f := range a.Forms {
		if f.Name != form {
			continue
		}
		for i := range max(1, len(f.Extensions)) {
			var b bytes.Buffer
			switch {
			case f.IsRaw():
				r, err := a.Open(t.Context())
				require.NoError(t, err)
				_, err = io.Copy(&b, r)
				require.NoError(t, err)
				require.NoError(t, r.Close())
			case f.Write != nil:
				require.NoError(t, f.Write(t.Context(), &b))
			default:
				require.NoError(t, f.WriteFiles(t.Context(), &b, i, f.Extensions))
			}
			all = append(all, b.Bytes())
		}
	}
	return all
}

func TestTexturesAreExportedRawOrAsPNG(t *testing.T) {
	var wood bytes.Buffer
	require.NoError(t, png.Encode(&wood, image.NewGray(image.Rect(0, 0, 2, 2))))
	open := gpbtest.Project(t, map[string][]byte{
		"game.config":           []byte("aliases\n{\n bumps = res/bumps.dds\n}\n"),
		"res/crates.gpb":        gpbtest.Crates(t, "a=wood,floor"),
		"res/crates.material":   []byte(textured),
		"res/wood.png":          wood.Bytes(),
		"res/bumps.dds":         gpbtest.BlackDDS(),
		"res/textless.material": []byte("material a\n{\n}\n"),
		"res/misnamed.material": []byte("material a\n{\nsampler s\n{\npath = misnamed.png\n}\n}\n"),
		"res/misnamed.png":      gpbtest.BlackDDS(),
	})
	d := open("res/crates.material")
	require.NotNil(t, d.Payloads)
	require.Equal(t, 2, d.Payloads.Len(), "each once, and those that are there")
	first, second := d.Payloads.At(0), d.Payloads.At(1)
	assert.Equal(t, []string{"res/wood.png", "wood.png", "res/bumps.dds", "bumps.png"},
		[]string{first.Key, first.Name, second.Key, second.Name})
	assert.Equal(t, "path", first.Node.Key, "the property")
	assert.Equal(t, [][]byte{wood.Bytes()}, filesOf(t, first, "png"), "a PNG is not written again")
	assert.Equal(t, [][]byte{wood.Bytes()}, filesOf(t, first, "raw"))
	assert.Equal(t, [][]byte{gpbtest.BlackDDS()}, filesOf(t, second, "raw"))
	assert.Equal(t, ".dds", second.Forms[1].Extension)
	img, err := png.Decode(bytes.NewReader(filesOf(t, second, "png")[0]))
	require.NoError(t, err)
	assert.Equal(t, image.Pt(2, 2), img.Bounds().Size())
	assert.Equal(t, color.NRGBA{A: 0x80}, color.NRGBAModel.Convert(img.At(1, 1)))
	assert.Nil(t, open("res/textless.material").Payloads)
	img, err = png.Decode(bytes.NewReader(filesOf(t, open("res/misnamed.material").Payloads.At(0), "png")[0]))
	require.NoError(t, err, "what a file is does not depend on its name")
	assert.Equal(t, image.Pt(2, 2), img.Bounds().Size())

	scene := open("res/crates.gpb").Payloads.At(1)
	for _, f := range scene.Forms {
		if f.Name == "textures" {
			assert.Equal(t, []string{".wood.png", ".bumps.dds"}, f.Extensions)
		}
	}
	assert.Equal(t, [][]byte{wood.Bytes(), gpbtest.BlackDDS()}, filesOf(t, scene, "textures"))
}
