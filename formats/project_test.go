package formats_test

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats"
	"assay/formats/gpb/gpbtest"
	"assay/formats/ppac/ppactest"
	"assay/model"
	"assay/model/scene"
)

// TestABundleInAPackageHasItsMaterialsFromThere opens a bundle inside of a package that has its material and its
// texture.
func TestABundleInAPackageHasItsMaterialsFromThere(t *testing.T) {
	var bundle, picture, archive bytes.Buffer
	require.NoError(t, gpbtest.Write(&bundle, gpbtest.Small(), gpbtest.V15, gpbtest.ByID))
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 5, 7))))
	const material = "material lambert1\n{\n technique {\n  sampler u_diffuseTexture\n  {\n   path = res/png/crate.png\n  }\n }\n}\n"
	a := ppactest.Archive{}
	for i, f := range []struct {
		name    string
		content []byte
	}{{"res/scene.gpb", bundle.Bytes()}, {"res/scene.material", []byte(material)},
		{"res/png/crate.png", picture.Bytes()}} {
		a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(0x100, 1, uint32(i)), Content: f.content,
			Codec:    ppactest.Zlib,
			Metadata: ppactest.Pairs("filename", f.name)})
	}
	require.NoError(t, ppactest.Write(&archive, a))
	d, err := formats.Open(t.Context(), source("game.ppac", archive.Bytes()))
	require.NoError(t, err)
	src, err := d.Nested(t.Context(), d.Payloads.At(0), model.ExpandLimit)
	require.NoError(t, err)
	defer src.Close()
	in, err := formats.Open(t.Context(), src)
	require.NoError(t, err)
	v, err := in.View(t.Context(), in.Root())
	require.NoError(t, err)
	var m *scene.Material
	v.(*scene.Scene).Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh != nil {
			m = n.Material(0)
		}
	})
	require.NotNil(t, m)
	require.NotNil(t, m.Texture, "%v", v.(*scene.Scene).Missing)
	assert.Equal(t, "res/png/crate.png", m.Texture.Texture.Path)
	img, err := m.Texture.Texture.Image(t.Context())
	require.NoError(t, err)
	assert.Equal(t, image.Pt(5, 7), img.Bounds().Size())
}
