package export_test

import (
	"bytes"
	"context"
	"errors"
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

func assets() model.PayloadList {
	text := func(s string) func(context.Context, io.Writer) error {
		return func(_ context.Context, w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	open := func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader([]byte("own"))), nil
	}
	return model.PayloadList{
		{Key: "a", Name: "a.bin", Type: "Mesh", Size: 3, Open: open,
			Forms: []model.Form{{Name: "raw"}, {Name: "glb", Extension: ".glb", Write: text("glb")}}},
		{Key: "b", Name: "b.bin", Type: "Mesh", Size: 3, Open: open},
		{Key: "c", Name: "c.bin", Type: "Font", Size: 3, Open: open, Forms: []model.Form{{Name: "raw"},
			{Name: "pair", WriteFiles: func(_ context.Context, w io.Writer, file int, names []string) error {
				_, err := io.WriteString(w, names[1-file])
				return err
			}, Extensions: []string{".one", ".two"}}}},
	}
}

func TestFormOfATypeIsUsedIfTheAssetHasIt(t *testing.T) {
	all := assets()
	picks := []export.Pick{{From: all, Index: 0}, {From: all, Index: 0, Form: "raw"}, {From: all, Index: 1},
		{From: all, Index: 2}}
	plan, err := export.NewPlan(t.Context(), export.DiscardFolder{}, picks,
		export.Options{Forms: map[string]string{"Mesh": "glb"}})
	require.NoError(t, err)
	var forms []string
	for i := range plan.Len() {
		forms = append(forms, plan.Item(i).Form)
	}
	assert.Equal(t, []string{"glb", "raw", "raw", "raw"}, forms, "an asset without the form has its first one")
}

func TestItemsStreamWithoutAFolder(t *testing.T) {
	all := assets()
	plan, err := export.NewPlan(context.Background(), export.DiscardFolder{},
		[]export.Pick{{From: all, Index: 1}, {From: all, Index: 2, Form: "pair"}}, export.Options{})
	require.NoError(t, err)
	var got []string
	for i := range plan.Len() {
		item := plan.Item(i)
		var b bytes.Buffer
		row, err := plan.Write(context.Background(), i, &b)
		require.NoError(t, err)
		assert.Equal(t, export.Exported, row.Outcome)
		assert.Equal(t, item.Target, row.Path)
		got = append(got, item.Target+" "+b.String())
	}
	assert.Equal(t, []string{"b.bin own", "c.one c.two", "c.two c.one"}, got)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	row, err := plan.Write(ctx, 0, io.Discard)
	assert.Error(t, err)
	assert.Equal(t, export.Failed, row.Outcome)
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

func layer(file string, keys ...string) export.Layer {
	var l model.PayloadList
	for _, k := range keys {
		l = append(l, &model.Payload{Key: k, Name: k + ".txt"})
	}
	return export.Layer{File: file, Payloads: l}
}

func TestLastFileWinsForAKey(t *testing.T) {
	base, patch1, patch2 := layer("base", "a", "b", "c", "d"), layer("patch1", "b", "d", "e"),
		layer("patch2", "b", "a", "b")
	for _, c := range []struct {
		layers     []export.Layer
		want       []string
		overridden int
	}{
		{[]export.Layer{base}, []string{"base a", "base b", "base c", "base d"}, 0},
		{[]export.Layer{base, patch1}, []string{"base a", "base c", "patch1 b", "patch1 d", "patch1 e"}, 2},
		{[]export.Layer{patch1, base}, []string{"patch1 e", "base a", "base b", "base c", "base d"}, 2},
		{[]export.Layer{base, patch1, patch2},
			[]string{"base c", "patch1 d", "patch1 e", "patch2 b", "patch2 a", "patch2 b"}, 4},
	} {
		everything, err := export.NewChooser(nil)
		require.NoError(t, err)
		picks, overridden, err := export.Effective(context.Background(), c.layers, everything, "")
		require.NoError(t, err)
		var got []string
		for _, p := range picks {
			for i := range p.Len() {
				got = append(got, p.File+" "+p.From.At(p.Index+i).Key)
			}
		}
		assert.Equal(t, c.want, got)
		assert.Equal(t, c.overridden, overridden)
	}
}

func TestFilesWithoutTheFormOfAPresetAreCopied(t *testing.T) {
	all := assets()
	for i, err := range []error{nil, model.ErrNoForm, errors.New("it is damaged")} {
		all[i].Forms = []model.Form{{Name: "raw"}, {Name: "png", Extension: ".png", FromContent: true,
			Has: func(context.Context) error { return err },
			Write: func(_ context.Context, w io.Writer) error {
				if err != nil {
					return err
				}
				_, err := io.WriteString(w, "pixels")
				return err
			}}}
	}
	dir := t.TempDir()
	for _, want := range [][4]int{{2, 0, 0, 1}, {0, 2, 2, 1}} {
		in := export.OpenDirectory(dir)
		plan, err := export.NewPlan(t.Context(), in, []export.Pick{{From: all, Count: 3}},
			export.Options{Prefer: "png", Usual: true, Once: true})
		require.NoError(t, err)
		r := plan.Run(t.Context())
		in.Close()
		assert.Equal(t, want, [4]int{r.Exported, r.Skipped, r.Same, r.Failed})
		assert.Equal(t, map[string]string{"a.png": "pixels", "b.bin": "own"}, files(t, dir))
	}
}
