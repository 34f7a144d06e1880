package document_test

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/document"
	"assay/formats/gpb/gpbtest"
	"assay/model"
)

const bumpy = `material wood
{
    sampler u_diffuseTexture
    {
        path = res/wood.png
    }
    sampler u_normalmapTexture
    {
        path = @bumps
    }
    sampler u_lightmapTexture
    {
        path = res/gone.png
    }
}
`

func TestSelectedTextureIsTheView(t *testing.T) {
	var wood bytes.Buffer
	require.NoError(t, png.Encode(&wood, image.NewGray(image.Rect(0, 0, 3, 2))))
	open := gpbtest.Project(t, map[string][]byte{
		"game.config":         []byte("aliases\n{\n bumps = res/bumps.dds\n}\n"),
		"res/crates.material": []byte(bumpy),
		"res/wood.png":        wood.Bytes(),
		"res/bumps.dds":       gpbtest.BlackDDS(),
		"res/a.scene": []byte("scene a\n{\n  node land\n  {\n    terrain\n    {\n" +
			"      heightmap = wood.png\n    }\n  }\n}\n"),
	})
	look := func(d *model.Document, text string) model.View {
		t.Helper()
		b, err := d.Source.Bytes(model.Span{Size: d.Source.Size()})
		require.NoError(t, err)
		leaf := d.Owner(int64(bytes.Index(b, []byte(text))))
		require.NotNil(t, leaf)
		v, err := d.View(t.Context(), leaf)
		require.NoError(t, err)
		inParent, err := d.View(t.Context(), leaf.Parent)
		require.NoError(t, err)
		assert.Equal(t, v.ViewKind(), inParent.ViewKind(), "of the property as of its value")
		return v
	}
	materials := open("res/crates.material")
	v := look(materials, "res/wood.png").(model.Picture)
	assert.Equal(t, []any{image.Pt(3, 2), "PNG"}, []any{v.Bounds().Size(), v.Format})
	v = look(materials, "@bumps").(model.Picture)
	assert.Equal(t, []any{image.Pt(2, 2), "DDS"}, []any{v.Bounds().Size(), v.Format})
	assert.Equal(t, model.SceneView, look(materials, "res/gone.png").ViewKind(), "what is not there shows the material")
	assert.Equal(t, model.PictureView, look(open("res/a.scene"), "wood.png").ViewKind())
}

func TestTextIsSetInAFont(t *testing.T) {
	f, err := os.Open("../../../assets/samples/goregular.gpb")
	require.NoError(t, err)
	defer f.Close()
	info, err := f.Stat()
	require.NoError(t, err)
	doc, err := document.Open(t.Context(), model.NewSource("goregular.gpb", f, info.Size()))
	require.NoError(t, err)
	v, err := doc.View(t.Context(), doc.Root())
	require.NoError(t, err)
	p := v.(model.Picture)
	require.NotEmpty(t, p.Boxes)
	assert.Regexp(t, `^\d+ glyphs · (coverage|distance field), 8 bits$`, p.Format)
	for _, b := range p.Boxes {
		assert.True(t, b.In(p.Bounds()), b.Name)
		glyph := doc.Owner(b.Span.Offset)
		for glyph.Span != b.Span && glyph.Parent != nil {
			glyph = glyph.Parent
		}
		assert.Equal(t, b.Span, glyph.Span)
		assert.Equal(t, "Glyph", glyph.Type)
	}
	lines, err := p.Lines(t.Context(), "Duck \U0001F986")
	require.NoError(t, err)
	require.NotEmpty(t, lines)
	for _, l := range lines {
		ink := 0
		for _, a := range l.Pix {
			ink += int(a) / 128
		}
		assert.Greater(t, ink, 20, "%s: the letters are there", l.Name)
		assert.Equal(t, []rune{'\U0001F986'}, l.Missing, l.Name)
	}
	nothing, err := p.Lines(t.Context(), "")
	require.NoError(t, err)
	assert.Len(t, nothing, len(lines))
}

func TestDamagedFontSizeHasAReason(t *testing.T) {
	f := gpbtest.Font("f", 12, 14)
	f.Sizes[1].Width++
	d, _ := gpbtest.Open(t, gpbtest.Encode(t, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{f}}, gpbtest.V15,
		gpbtest.ByID))
	p := viewOf(t, d, "/").(model.Picture)
	lines, err := p.Lines(t.Context(), "AB")
	require.NoError(t, err)
	require.Len(t, lines, 2)
	assert.Equal(t, "12 px", lines[0].Name)
	assert.Contains(t, lines[1].Name, "14 px: a picture of 5 × 3 needs 15 bytes, but there are 12")
	assert.NotNil(t, lines[1].Alpha)
	assert.Empty(t, lines[1].Missing, "nothing is known about it")
}
