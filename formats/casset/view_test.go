package casset

import (
	"context"
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/casset/cassettest"
)

func TestPartsOfATextureShowItsPicture(t *testing.T) {
	flat := cassettest.Fields("source", cassettest.Bytes{Flags: 0, Data: []byte{1, 2, 3, 4, 5, 6, 7, 8}}, "pixelFormat",
		cassettest.Enum(1), "sourceCompressionFormat", cassettest.Enum(0), "width", uint32(2), "height", uint32(1))
	nested := cassettest.Fields("source", cassettest.StructOf("/Code/System.CE::Private::TextureSource", "rawData",
		cassettest.Bytes{Flags: 0, Data: []byte{1, 2, 3, 4, 5, 6}}, "sourcePixelFormat", cassettest.Enum(4),
		"sourceCompression", cassettest.Enum(0)),
		"width", uint32(2), "height", uint32(1))
	for name, c := range map[string]struct {
		layout cassettest.Layout
		fields []cassettest.Field
		want   color.NRGBA // of the second pixel
	}{
		"pixels in the object": {cassettest.Bundle30, flat, color.NRGBA{5, 6, 7, 8}},
		"pixels in a struct":   {cassettest.Package12Late, nested, color.NRGBA{4, 5, 6, 255}},
		"too few pixels": {cassettest.Bundle30, cassettest.Fields("source", cassettest.Bytes{Flags: 0, Data: []byte{1}},
			"pixelFormat", cassettest.Enum(1), "width", uint32(2000), "height", uint32(2000)), color.NRGBA{}},
		"no source": {cassettest.Bundle30, cassettest.Fields("width", uint32(2), "height", uint32(2)),
			color.NRGBA{}},
		"a source of numbers": {cassettest.Bundle30,
			cassettest.Fields("source", uint32(7), "width", uint32(2), "height", uint32(2)), color.NRGBA{}},
	} {
		t.Run(name, func(t *testing.T) {
			doc := open(t, cassettest.Write(c.layout, textureFile("/Code/System.CE::Texture2D", c.fields...)))
			object := doc.Payloads.At(doc.Payloads.Len() - 1).Node
			for n := object; ; n = n.Child(n.Len() - 1) { // the object, and down to a part of it
				v, err := doc.View(context.Background(), n)
				require.NoError(t, err)
				if c.want.A == 0 {
					assert.Nil(t, v)
				} else {
					assert.Equal(t, c.want, v.(image.Image).At(1, 0), n.PathText())
				}
				if n.Leaf() {
					break
				}
			}
			v, err := doc.View(context.Background(), doc.Root())
			require.NoError(t, err)
			assert.Nil(t, v)
		})
	}
}

func TestTexturesAndObjectsAreDescribed(t *testing.T) {
	for _, l := range []cassettest.Layout{cassettest.Bundle20, cassettest.Bundle30Published, cassettest.Bundle30} {
		doc := open(t, cassettest.Write(l, cassettest.Sample()))
		texture, ok := doc.Item(node(t, doc, "/objects/4"))
		require.True(t, ok)
		assert.Equal(t, "texture", texture.Kind)
		assert.Equal(t, "8 × 4", texture.Facts[0].Value)
		require.NotNil(t, texture.Content)
		object, ok := doc.Item(node(t, doc, "/objects/2"))
		require.True(t, ok)
		assert.Equal(t, "object", object.Kind)
		assert.Equal(t, "Game::Node", object.Group)
		assert.Nil(t, object.Content)
		for _, path := range []string{"/objects", "/objects/4/fields", "/header"} {
			_, ok = doc.Item(node(t, doc, path))
			assert.False(t, ok, path)
		}
	}
}
