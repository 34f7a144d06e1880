//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/cli"
	"assay/model"
)

// TestAnOutputIsNeitherAnInputNorAForeignFile tests that an output that is an input, by any path or link, or a file of
// another kind, is not changed, and that nothing is read.
func TestAnOutputIsNeitherAnInputNorAForeignFile(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	var empty bytes.Buffer
	require.NoError(t, png.Encode(&empty, image.NewGray(image.Rect(0, 0, 1, 1))))
	for name, content := range map[string]string{"a.gpb": "one", "b.gpb": "two", "old.png": empty.String()} {
		require.NoError(t, os.WriteFile(path(name), []byte(content), 0o600))
	}
	require.NoError(t, os.Symlink("a.gpb", path("link.png")))
	require.NoError(t, os.Link(path("a.gpb"), path("hard.png")))
	pipe := pipe(t)
	stdin, err := os.Open(path("old.png"))
	require.NoError(t, err)
	t.Cleanup(func() { stdin.Close() })
	r := &cli.Runner{Out: new(bytes.Buffer), In: stdin,
		Open: func(context.Context, string) (*model.Document, error) { return nil, errors.New("it was read") }}
	sheet := func(output string) int {
		return r.ContactSheet(t.Context(), []string{path("a.gpb"), path("old.png")}, output, cli.SheetOptions{Size: 64})
	}
	thumbnail := func(output string) int { return r.Thumbnail(t.Context(), path("a.gpb"), output, 64) }
	pack := func(output string) int {
		return r.Pack(t.Context(), []string{path("a.gpb"), path("b.gpb")}, cli.PackOptions{Output: output})
	}
	patch := func(output string) int { return r.Patch(t.Context(), path("a.gpb"), path("b.gpb"), output, nil) }
	merge := func(replace bool) func(output string) int {
		return func(output string) int {
			return r.Merge(t.Context(), path("a.gpb"), path("a.gpb"), path("b.gpb"),
				cli.MergeOptions{Output: output, Replace: replace})
		}
	}
	refused := []struct {
		name   string
		verb   func(output string) int
		output string
	}{
		{"a file of another kind", thumbnail, path("b.gpb")},
		{"an input", sheet, path("a.gpb")},
		{"an input of the right kind", sheet, path("old.png")},
		{"another spelling", sheet, dir + "/./../" + filepath.Base(dir) + "/old.png"},
		{"a link to an input", thumbnail, path("link.png")},
		{"a hard link to an input", thumbnail, path("hard.png")},
		{"a picture of another kind", func(o string) int {
			require.NoError(t, os.WriteFile(path("old.jpg"), empty.Bytes(), 0o600))
			return thumbnail(o)
		}, path("old.jpg")},
		{"the standard input", func(o string) int { return r.Thumbnail(t.Context(), "-", o, 64) }, path("old.png")},
		{"a pipe", thumbnail, pipe},
		{"a folder", thumbnail, dir},
		{"in no folder", thumbnail, path("none/out.png")},
		{"pack, an input", pack, path("a.gpb")},
		{"pack, a file that is there", pack, path("old.png")},
		{"pack, the standard output", pack, "-"},
		{"patch, an input", patch, path("b.gpb")},
		{"patch, the standard output", patch, "-"},
		{"merge, an input", merge(false), path("a.gpb")},
		{"merge, the standard output", merge(false), "-"},
		{"merge, a file of another kind", merge(true), path("old.png")},
		{"merge, a pipe", merge(true), pipe},
		{"merge, a device", merge(true), os.DevNull},
	}
	before := contentsOf(t, dir)
	for _, c := range refused {
		var messages bytes.Buffer
		r.Err = &messages
		assert.Equal(t, cli.ExitError, c.verb(c.output), c.name)
		assert.NotContains(t, messages.String(), "it was read", c.name)
		assert.Contains(t, messages.String(), "assay: ", c.name)
	}
	delete(before, "old.jpg")
	after := contentsOf(t, dir)
	delete(after, "old.jpg")
	assert.Equal(t, before, after)
	require.NoError(t, os.WriteFile(path("thumbnailer"), nil, 0o600))
	for output, verb := range map[string]func(string) int{path("thumbnailer"): thumbnail, path("new.png"): thumbnail,
		path("old.png"): thumbnail, "-": thumbnail, path("a.gpb"): merge(true), path("b.gpb"): merge(true)} {
		var messages bytes.Buffer
		r.Err = &messages
		assert.Equal(t, cli.ExitError, verb(output), output)
		assert.Contains(t, messages.String(), "it was read", output)
	}
}

// contentsOf returns the contents of the files in a folder.
func contentsOf(t *testing.T, dir string) map[string]string {
	all := make(map[string]string)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		all[e.Name()] = string(b)
	}
	return all
}

// fullDisk is an output on a full disk.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Err: errors.New("no space")}
}

func TestAFailedOutputStaysFailed(t *testing.T) {
	out := cli.NewOutput(fullDisk{})
	for range 2 {
		_, err := out.Write([]byte("x"))
		assert.EqualError(t, err, "the standard output cannot be written: no space")
	}
	assert.ErrorContains(t, out.Err(), "no space")
}
