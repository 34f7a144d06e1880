package export_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/export"
)

func TestPresetsAreSaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay", "presets.json")
	p, err := export.LoadPresets(path)
	require.NoError(t, err)
	_, err = p.Find("game")
	assert.ErrorContains(t, err, "unknown preset")
	game := export.Preset{Name: "game", Forms: map[string]string{"Mesh": "glb"}, Names: "{key}{ext}", Conflict: "skip",
		Folder: "/out"}
	require.NoError(t, p.Save(game))
	require.NoError(t, p.Save(export.Preset{Name: "Art", Names: export.Flat}))
	game.Conflict = "overwrite"
	require.NoError(t, p.Save(game), "the last preset of a name is kept")

	p, err = export.LoadPresets(path)
	require.NoError(t, err)
	assert.Equal(t, []string{"Art", "game"}, p.Names())
	got, err := p.Find("game")
	require.NoError(t, err)
	assert.Equal(t, game, got)
	_, err = p.Find("film")
	assert.ErrorContains(t, err, "available: Art, game")
	require.NoError(t, p.Remove("Art"))
	assert.Equal(t, []string{"game"}, p.Names())
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, left, 1, "no temporary file is left")
}

func TestInvalidPresetsAreErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "presets.json")
	p, err := export.LoadPresets(path)
	require.NoError(t, err)
	assert.ErrorContains(t, p.Save(export.Preset{Name: " "}), "needs a name")
	assert.ErrorContains(t, p.Save(export.Preset{Name: "a", Names: "{nothing}"}), "unknown field")
	assert.ErrorContains(t, p.Save(export.Preset{Name: "a", Conflict: "pray"}), "unknown conflict rule \"pray\"")
	require.NoError(t, os.WriteFile(path, []byte(`[{"name":"a","names":"{"}]`), 0o600))
	p, err = export.LoadPresets(path)
	require.NoError(t, err)
	_, err = p.Find("a")
	assert.ErrorContains(t, err, "brace")
	require.NoError(t, os.WriteFile(path, []byte("hello"), 0o600))
	_, err = export.LoadPresets(path)
	assert.ErrorContains(t, err, "presets.json cannot be read")
	_, err = export.LoadPresets(filepath.Dir(path))
	assert.Error(t, err)
}

// A standard preset needs no file of presets.
func TestStandardPresetsPreferTheirForm(t *testing.T) {
	saved, err := export.LoadPresets(filepath.Join(t.TempDir(), "none.json"))
	require.NoError(t, err)
	for name, prefer := range map[string]string{"Everything as it is": "raw", "Pictures as PNG": "png",
		"Models as GLB": "glb"} {
		p, err := saved.Find(name)
		require.NoError(t, err)
		assert.Equal(t, prefer, p.Prefer)
	}
	asset := func(own bool, forms ...string) *model.Payload {
		p := &model.Payload{Key: "k", Name: "a", Type: "T"}
		if own {
			p.Open = func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(nil)), nil }
		}
		for _, f := range forms {
			p.Forms = append(p.Forms, model.Form{Name: f, Write: func(context.Context, io.Writer) error { return nil }})
		}
		return p
	}
	for _, c := range []struct {
		asset        *model.Payload
		prefer, form string
	}{
		{asset(true, "json", "png"), "png", "png"},
		{asset(true, "json", "glb"), "png", "json"},
		{asset(true), "png", "raw"},
		{asset(true, "json", "glb"), "raw", "raw"},
		{asset(false, "json", "glb"), "png", "json"},
		{asset(false, "json", "glb"), "glb", "glb"},
		{asset(true), "glb", "raw"},
	} {
		item := export.PlanOne(export.Pick{From: model.PayloadList{c.asset}}, 1,
			export.Options{Usual: true, Prefer: c.prefer})
		assert.Equal(t, c.form, item.Form, "%v prefers %s", c.asset.Forms, c.prefer)
	}
}
