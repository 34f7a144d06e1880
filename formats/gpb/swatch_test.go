package gpb_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/model"
	"assay/model/scene"
)

func TestMaterialsAreLookedAtOnSpheres(t *testing.T) {
	full := filepath.Join(t.TempDir(), "a.material")
	text := `
// two materials
material red
{
    u_diffuseColor = 1, 0, 0, 1
    sampler u_diffuseTexture
    {
        path = gone.png
    }
}
material blue : red
{
    u_diffuseColor = 0, 0, 1, 1
}
`
	require.NoError(t, os.WriteFile(full, []byte(text), 0o600))
	src, err := model.OpenFile(full)
	require.NoError(t, err)
	defer src.Close()
	d, err := gpb.OpenText(t.Context(), src)
	require.NoError(t, err)
	look := func(n *model.Node) *scene.Scene {
		v, err := d.View(context.Background(), n)
		require.NoError(t, err)
		return v.(*scene.Scene)
	}
	all := look(d.Root())
	require.Len(t, all.Roots, 2)
	assert.Equal(t, []string{"red", "blue"}, []string{all.Roots[0].Name, all.Roots[1].Name})
	assert.Equal(t, float32(2.4), all.Roots[1].Transform[12], "beside it")
	assert.Equal(t, []string{"gone.png is not in the project"}, all.Missing)
	path, ok := d.FindKey("blue")
	require.True(t, ok)
	blue := d.At(path)
	one := look(blue)
	require.Len(t, one.Roots, 1)
	assert.Equal(t, [4]float32{0, 0, 1, 1}, one.Roots[0].Materials[0].Diffuse)
	inner := blue
	for inner.Len() > 0 {
		inner = inner.Child(inner.Len() - 1)
	}
	assert.Same(t, one, look(inner), "of a part of it the same")
	assert.Len(t, look(d.Root()).Roots, 2)
}
