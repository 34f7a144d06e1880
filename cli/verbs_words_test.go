package cli_test

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/cli"
	"assay/model"
	"assay/model/scene"
)

// TestAFormThatNothingHasIsRefused tests that a form of no asset is one error, regardless of the number of assets, and
// that nothing is written or listed.
func TestAFormThatNothingHasIsRefused(t *testing.T) {
	a := asset("a", "1", model.Valid)
	a.Forms = []model.Form{{Name: "glb"}, {Name: "json"}}
	all := files{"f": document("f", "v", a, asset("b", "2", model.Valid))}
	for _, list := range []bool{true, false} {
		dir := t.TempDir()
		r, out, talk := all.runner()
		assert.Equal(t, cli.ExitError, r.Extract(t.Context(), []string{"f"},
			cli.ExtractOptions{Folder: dir, Form: "bogus", List: list}))
		assert.Equal(t, "assay: cannot export as bogus; available: glb, json, or raw\n", talk.String())
		assert.Empty(t, out.String())
		written, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Empty(t, written)
	}
}

func TestMistypedIgnoredFieldIsReported(t *testing.T) {
	all := files{"old": document("old", "1"), "new": document("new", "2")}
	r, _, talk := all.runner()
	status := r.Diff(t.Context(), "old", "new", cli.DiffOptions{Ignore: []string{"fieldd"}})
	assert.Equal(t, cli.ExitProblems, status)
	assert.Equal(t, "assay: --ignore: no field named fieldd; did you mean field?\n", talk.String())
	r, _, talk = all.runner()
	status = r.Diff(t.Context(), "old", "new", cli.DiffOptions{Ignore: []string{"field"}})
	assert.Equal(t, cli.ExitOK, status, "nothing else differs")
	assert.Empty(t, talk.String())
}

func TestVerifyOfFoldersPrintsTheNumberOfFiles(t *testing.T) {
	dir := t.TempDir()
	all := make(files)
	for _, name := range []string{"a", "b"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("v"), 0o600))
		all[filepath.Join(dir, name)] = document(name, "v")
	}
	r, out, _ := all.runner()
	assert.Equal(t, cli.ExitOK, r.Verify(t.Context(), []string{dir}, cli.VerifyOptions{Recursive: true}))
	assert.Regexp(t, `\nOK, 2 files\n$`, out.String())
}

// TestThumbnailFormatFollowsTheFileName tests that the extension determines the format of a thumbnail.
func TestThumbnailFormatFollowsTheFileName(t *testing.T) {
	dir := t.TempDir()
	all := files{"f": func() *model.Document {
		d := document("f", "v")()
		d.View = func(context.Context, *model.Node) (model.View, error) {
			return model.Picture{Image: image.NewGray(image.Rect(0, 0, 30, 10))}, nil
		}
		return d
	}}
	for name, decode := range map[string]func([]byte) error{
		"out.png":  func(b []byte) error { _, err := png.Decode(bytes.NewReader(b)); return err },
		"out.JPG":  func(b []byte) error { _, err := jpeg.Decode(bytes.NewReader(b)); return err },
		"noending": func(b []byte) error { _, err := png.Decode(bytes.NewReader(b)); return err },
	} {
		r, _, talk := all.runner()
		require.Equal(t, cli.ExitOK, r.Thumbnail(t.Context(), "f", filepath.Join(dir, name), 64), talk)
		b, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.NoError(t, decode(b), name)
	}
	r, _, talk := all.runner()
	assert.Equal(t, cli.ExitError, r.Thumbnail(t.Context(), "f", filepath.Join(dir, "out.webp"), 64))
	assert.Equal(t, "assay: cannot write .webp thumbnails; use .png or .jpg\n", talk.String())
	assert.NoFileExists(t, filepath.Join(dir, "out.webp"))
}

// TestVerifyWarnsOfAbsentTextures tests that verify warns of missing files that a scene needs, but not of guessed ones.
func TestVerifyWarnsOfAbsentTextures(t *testing.T) {
	shows := func(s *scene.Scene) func() *model.Document {
		return func() *model.Document {
			d := document("f", "v")()
			d.View = func(context.Context, *model.Node) (model.View, error) { return s, nil }
			return d
		}
	}
	guess := model.Guessed + "material from red.material (red, for box)"
	all := files{"whole": shows(&scene.Scene{Missing: []string{guess}}),
		"lacks": shows(&scene.Scene{Missing: []string{guess, "red.png is not there", "b is shown as a"},
			Absent: []string{"red.png is not there"}, Incomplete: true})}
	r, _, _ := all.runner()
	assert.Equal(t, cli.ExitOK, r.Verify(t.Context(), []string{"whole"}, cli.VerifyOptions{}))
	r, out, _ := all.runner()
	assert.Equal(t, cli.ExitProblems, r.Verify(t.Context(), []string{"lacks"}, cli.VerifyOptions{}))
	assert.Contains(t, out.String(), "warning 0x0 /: red.png is not there\n")
	assert.NotContains(t, out.String(), "guessed")
	assert.NotContains(t, out.String(), "shown as")
}
