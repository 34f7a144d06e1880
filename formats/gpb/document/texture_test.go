package document_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/document"
	"assay/formats/gpb/gpbtest"
	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
)

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

// TestMostTexturesAreListed has as many pictures as are listed, and one more.
func TestMostTexturesAreListed(t *testing.T) {
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
	assert.Equal(t, "the text names many pictures, of which only the first 4096 are looked for", r.Problems[0].Message)
}

// written returns the files that a form of an asset is.
func written(t *testing.T, a *model.Payload, form string) (all [][]byte) {
	t.Helper()
	for _, f := range a.Forms {
		if f.Name != form {
			continue
		}
		for i := range max(1, len(f.Extensions)) {
			var b bytes.Buffer
			switch {
			case f.Own():
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

func TestTexturesLeaveAsTheyAreOrAsPNG(t *testing.T) {
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
	assert.Equal(t, [][]byte{wood.Bytes()}, written(t, first, "png"), "a PNG is not written again")
	assert.Equal(t, [][]byte{wood.Bytes()}, written(t, first, "raw"))
	assert.Equal(t, [][]byte{gpbtest.BlackDDS()}, written(t, second, "raw"))
	assert.Equal(t, ".dds", second.Forms[1].Extension)
	img, err := png.Decode(bytes.NewReader(written(t, second, "png")[0]))
	require.NoError(t, err)
	assert.Equal(t, image.Pt(2, 2), img.Bounds().Size())
	assert.Equal(t, color.NRGBA{A: 0x80}, color.NRGBAModel.Convert(img.At(1, 1)))
	assert.Nil(t, open("res/textless.material").Payloads)
	img, err = png.Decode(bytes.NewReader(written(t, open("res/misnamed.material").Payloads.At(0), "png")[0]))
	require.NoError(t, err, "what a file is does not depend on its name")
	assert.Equal(t, image.Pt(2, 2), img.Bounds().Size())

	scene := open("res/crates.gpb").Payloads.At(1)
	for _, f := range scene.Forms {
		if f.Name == "textures" {
			assert.Equal(t, []string{".wood.png", ".bumps.dds"}, f.Extensions)
		}
	}
	assert.Equal(t, [][]byte{wood.Bytes(), gpbtest.BlackDDS()}, written(t, scene, "textures"))
}
