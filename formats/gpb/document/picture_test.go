package document_test

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

func TestATextureThatIsSelectedIsShown(t *testing.T) {
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
