package document_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/document"
	"assay/formats/gpb/gpbtest"
	"assay/model"
)

func TestTextIsSetInTheGlyphsOfAFont(t *testing.T) {
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
		assert.Greater(t, ink, 20, "%s: the letters are there, and what the font does not have is left out", l.Name)
	}
	nothing, err := p.Lines(t.Context(), "")
	require.NoError(t, err)
	assert.Len(t, nothing, len(lines))
}

func TestASizeThatCannotBeReadSaysWhy(t *testing.T) {
	f := gpbtest.Font("f", 12, 14)
	f.Sizes[1].Width++
	d, _ := gpbtest.Open(t, gpbtest.Encode(t, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{f}}, gpbtest.V15,
		gpbtest.ByID))
	p := looked(t, d, "/").(model.Picture)
	lines, err := p.Lines(t.Context(), "AB")
	require.NoError(t, err)
	require.Len(t, lines, 2)
	assert.Equal(t, "12 px", lines[0].Name)
	assert.Contains(t, lines[1].Name, "14 px: a picture of 5 × 3 needs 15 bytes, but there are 12")
	assert.NotNil(t, lines[1].Alpha)
}
