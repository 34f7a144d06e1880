package casset

import (
	"bytes"
	"context"
	"image/png"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/casset/cassettest"
	"assay/model"
	"assay/model/picture"
)

func textureFile(class string, fields ...cassettest.Field) *cassettest.Content {
	return &cassettest.Content{ID: cassettest.ID("T"), Name: "/Game/T",
		Objects: []cassettest.ObjectContent{{ID: cassettest.ID("T"), Path: "T", Name: "T", Class: class,
			Fields: fields}}}
}

func TestPixelsOfEveryFormatAreRead(t *testing.T) {
	fields := func(format cassettest.Enum, packing cassettest.Enum, data []byte) []cassettest.Field {
		return cassettest.Fields("source", cassettest.Bytes{Flags: 0, Data: data}, "pixelFormat", format,
			"sourceCompressionFormat", packing, "width", uint32(2), "height", uint32(1))
	}
	// one block of BC1: red and blue, the first pixel the one, the second the other
	block := []byte{0x00, 0xF8, 0x1F, 0x00, 0x04, 0, 0, 0}
	solid := append([]byte{0x80, 0x40, 0x08, 0, 0, 0, 0, 0}, block...)
	old := cassettest.Fields("source", cassettest.StructOf("/Code/System.CE::Private::TextureSource", "rawData",
		cassettest.Bytes{Flags: 0, Data: []byte{1, 2, 3, 4, 5, 6}}, "sourcePixelFormat", cassettest.Enum(4),
		"sourceCompression", cassettest.Enum(0)),
		"width", uint32(2), "height", uint32(1))
	for name, c := range map[string]struct {
		layout cassettest.Layout
		fields []cassettest.Field
		want   []byte
	}{
		"RGBA8": {cassettest.Bundle30, fields(1, 0, []byte{1, 2, 3, 4, 5, 6, 7, 8}),
			[]byte{1, 2, 3, 4, 5, 6, 7, 8}},
		"BGRA8": {cassettest.Bundle30, fields(2, 0, []byte{1, 2, 3, 4, 5, 6, 7, 8}),
			[]byte{3, 2, 1, 4, 7, 6, 5, 8}},
		"RGB8": {cassettest.Bundle20, fields(3, 0, []byte{1, 2, 3, 4, 5, 6}),
			[]byte{1, 2, 3, 255, 4, 5, 6, 255}},
		"BGR8": {cassettest.Bundle30R1118, fields(4, 0, []byte{1, 2, 3, 4, 5, 6}),
			[]byte{3, 2, 1, 255, 6, 5, 4, 255}},
		"R8":  {cassettest.Bundle30Published, fields(6, 0, []byte{1, 2}), []byte{1, 1, 1, 255, 2, 2, 2, 255}},
		"RG8": {cassettest.Bundle30, fields(8, 0, []byte{1, 2, 3, 4}), []byte{1, 2, 0, 255, 3, 4, 0, 255}},
		"RGBA8 of three": {cassettest.Bundle30, fields(1, 0, []byte{1, 2, 3, 4, 5, 6}),
			[]byte{1, 2, 3, 255, 4, 5, 6, 255}},
		"BC1 by format":  {cassettest.Bundle30, fields(16, 0, block), []byte{255, 0, 0, 255, 0, 0, 255, 255}},
		"BC1 by packing": {cassettest.Bundle30, fields(1, 5, block), []byte{255, 0, 0, 255, 0, 0, 255, 255}},
		"BC3":            {cassettest.Bundle30, fields(17, 0, solid), []byte{255, 0, 0, 0x80, 0, 0, 255, 0x40}},
		"of summer 2023": {cassettest.Package12Late, old, []byte{1, 2, 3, 255, 4, 5, 6, 255}},
		"a picture file": {cassettest.Bundle30, fields(1, 1, []byte{1, 2, 3, 4, 5, 6, 7, 8}), nil},
		"too few bytes":  {cassettest.Bundle30, fields(1, 0, []byte{1, 2, 3, 4, 5}), nil},
		"RGB565": {cassettest.Bundle30, fields(5, 0, []byte{0x00, 0xF8, 0x1F, 0x00}),
			[]byte{255, 0, 0, 255, 0, 0, 255, 255}},
		"R16": {cassettest.Bundle30, fields(7, 0, []byte{9, 1, 9, 2}), []byte{1, 1, 1, 255, 2, 2, 2, 255}},
		"floats": {cassettest.Bundle30, fields(13, 0, []byte{0, 0, 0x80, 0x3F, 0, 0, 0, 0x3F}),
			[]byte{255, 255, 255, 255, 128, 128, 128, 255}},
		"halves for floats": {cassettest.Bundle30, fields(13, 0, []byte{0, 0x3C, 0, 0x38}),
			[]byte{255, 255, 255, 255, 128, 128, 128, 255}},
		"three halves": {cassettest.Bundle30, fields(15, 0, []byte{0, 0x3C, 0, 0x38, 0, 0, 0, 0, 0, 0x38, 0, 0x3C}),
			[]byte{255, 128, 0, 255, 0, 128, 255, 255}},
		"BC4": {cassettest.Bundle30, fields(18, 0, []byte{7, 9, 0x08, 0, 0, 0, 0, 0}),
			[]byte{7, 7, 7, 255, 9, 9, 9, 255}},
		"BC5 by packing": {cassettest.Bundle30,
			fields(1, 8, []byte{7, 9, 0x08, 0, 0, 0, 0, 0, 1, 2, 0x08, 0, 0, 0, 0, 0}),
			[]byte{7, 1, 0, 255, 9, 2, 0, 255}},
		"BC7": {cassettest.Bundle30, fields(21, 0, append([]byte{0x40}, make([]byte, 15)...)),
			[]byte{0, 0, 0, 0, 0, 0, 0, 0}},
		"no format": {cassettest.Bundle30, fields(99, 0, make([]byte, 32)), nil},
		"the rendering's": {cassettest.Bundle30, cassettest.Fields("source",
			cassettest.Bytes{Flags: 0, Data: []byte{1, 2, 3, 4, 5, 6, 7, 8}}, "width", uint32(2), "height", uint32(1),
			"format",
			cassettest.Enum(10)), []byte{3, 2, 1, 4, 7, 6, 5, 8}},
		"no pixels at all": {cassettest.Bundle30,
			cassettest.Fields("source", cassettest.Bytes{Flags: 0, Data: []byte{1}},
				"pixelFormat", cassettest.Enum(1), "width", uint32(0), "height", uint32(1)), nil},
	} {
		t.Run(name, func(t *testing.T) {
			doc := open(t, cassettest.Write(c.layout, textureFile("/Code/System.CE::Texture2D", c.fields...)))
			require.Positive(t, doc.Payloads.Len())
			p := doc.Payloads.At(0)
			if c.want == nil {
				assert.Empty(t, p.Forms)
				return
			}
			require.GreaterOrEqual(t, len(p.Forms), 2)
			var b bytes.Buffer
			require.NoError(t, p.Forms[0].Write(context.Background(), &b))
			img, err := png.Decode(&b)
			require.NoError(t, err)
			got := make([]byte, 0, 8)
			for x := range 2 {
				r, g, bl, a := img.At(x, 0).RGBA()
				if a != 0xFFFF && a > 0 { // back from premultiplied
					r, g, bl = r*0xFFFF/a, g*0xFFFF/a, bl*0xFFFF/a
				}
				got = append(got, byte(r>>8), byte(g>>8), byte(bl>>8), byte(a>>8))
			}
			for i := range got {
				assert.InDelta(t, c.want[i], got[i], 1)
			}
		})
	}
}

// The pictures of a texture are displayed if its bytes are those pictures and nothing else; the number of layers
// decides between pixel formats.
func TestTextureShowsThePicturesThatItsBytesAre(t *testing.T) {
	fields := func(format cassettest.Enum, width uint32, data []byte, more ...any) []cassettest.Field {
		return append(cassettest.Fields("source", cassettest.Bytes{Data: data}, "pixelFormat", format,
			"width", width, "height", uint32(1)), cassettest.Fields(more...)...)
	}
	cube := cassettest.Enum(3)
	for name, c := range map[string]struct {
		fields []cassettest.Field
		format picture.Format
		first  []byte // the gray of the first pixel of each
	}{
		"one":              {fields(6, 2, []byte{10, 11}), picture.R8, nil},
		"two":              {fields(6, 1, []byte{10, 20}, "arrayCount", uint32(2)), picture.R8, []byte{10, 20}},
		"two of the three": {fields(6, 1, []byte{10, 20}, "arrayCount", uint32(3)), picture.R8, nil},
		"a cube": {fields(6, 2, []byte{0, 9, 10, 9, 20, 9, 30, 9, 40, 9, 50, 9}, "dimension", cube), picture.R8,
			[]byte{0, 10, 20, 30, 40, 50}},
		"a cube with mips": {fields(6, 2, bytes.Repeat([]byte{10, 10, 200}, 6), "dimension", cube), picture.R8, nil},
		"two of halves, not one of floats": {fields(13, 1, []byte{0, 0x3C, 0, 0}, "arrayCount", uint32(2)),
			picture.RHalf, []byte{255, 0}},
		"one of floats": {fields(13, 1, []byte{0, 0, 0x80, 0x3F}), picture.RFloat, nil},
	} {
		doc := open(t, cassettest.Write(cassettest.Bundle30, textureFile("/Code/System.CE::Texture2D", c.fields...)))
		v, err := doc.View(t.Context(), node(t, doc, "/objects/0"))
		require.NoError(t, err, name)
		picture := v.(model.Picture)
		assert.Equal(t, c.format.String(), picture.Format, name)
		require.Len(t, picture.Parts, len(c.first), name)
		for i, p := range picture.Parts {
			img, err := p.Load(t.Context())
			require.NoError(t, err, name)
			r, _, _, _ := img.At(0, 0).RGBA()
			assert.InDelta(t, c.first[i], r>>8, 1, "%s, %s", name, p.Name)
		}
	}
}

func TestTextureThatCannotBeDrawnIsAnError(t *testing.T) {
	_, err := texture{width: 4, height: 4, blob: model.Blob{}}.load(context.Background())
	assert.ErrorContains(t, err, "cannot be drawn")
	_, err = texture{width: 5200, height: 5200}.view(t.Context())
	assert.ErrorContains(t, err, "the image is too large to display (5200 × 5200 pixels)")
}

func TestFormsOfATextureReportTheirLoss(t *testing.T) {
	fields := func(format cassettest.Enum, data []byte, more ...any) []cassettest.Field {
		return append(cassettest.Fields("source", cassettest.Bytes{Flags: 0, Data: data}, "pixelFormat", format,
			"width",
			uint32(2), "height", uint32(1)), cassettest.Fields(more...)...)
	}
	for name, c := range map[string]struct {
		fields []cassettest.Field
		forms  []string
		png    string
		exr    string
	}{
		"nothing":    {fields(1, make([]byte, 8)), []string{"png", "raw"}, "", ""},
		"mip levels": {fields(1, make([]byte, 12)), []string{"png", "raw"}, "4 bytes after the first picture", ""},
		"an array": {fields(1, make([]byte, 24), "arrayCount", uint32(3)), []string{"png", "png-all", "raw"}, "first of the texture's 3",
			""},
		"a cube": {fields(1, make([]byte, 48), "dimension", cassettest.Enum(3)), []string{"png", "png-all", "raw"},
			"first of the texture's 6", ""},
		"a cube of halves": {fields(15, make([]byte, 6*2*6), "dimension", cassettest.Enum(3)),
			[]string{"png", "exr", "png-all", "raw"},
			"first of the texture's 6", "first of the texture's 6"},
		"bright": {fields(13, []byte{0, 0, 0x80, 0x3F, 0, 0, 0, 0x40}), []string{"png", "exr", "raw"},
			"clamped 1 pixel outside", ""},
		"whole numbers": {fields(7, make([]byte, 4)), []string{"png", "raw"}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, cassettest.Write(cassettest.Bundle30,
				textureFile("/Code/System.CE::Texture2D", c.fields...))).Payloads.At(0)
			var forms []string
			for _, f := range p.Forms {
				forms = append(forms, f.Name)
			}
			assert.Equal(t, c.forms, forms)
			for i, want := range []string{c.png, c.exr, ""}[:len(forms)-1] {
				if p.Forms[i].Files != nil {
					all, err := p.Forms[i].Files(t.Context())
					require.NoError(t, err)
					assert.Contains(t, all.Extensions[0], "-1-layer-1-of-")
					continue
				}
				var b bytes.Buffer
				err := p.Forms[i].Write(context.Background(), &b)
				assert.NotZero(t, b.Len())
				if want == "" {
					assert.NoError(t, err)
					continue
				}
				var loss model.Loss
				require.ErrorAs(t, err, &loss)
				assert.ErrorContains(t, err, want)
			}
		})
	}
}
