//go:build unix

package folder_test

import (
	"cmp"
	"context"
	"io"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/folder"
	"assay/model/modeltest"
)

// known recognizes files that begin with an A.
func known(src *model.Source) string {
	b, _ := src.Bytes(model.Span{Size: min(1, src.Size())})
	if string(b) == "A" {
		return "letter"
	}
	return ""
}

func TestFilesAreListedWithTheirKinds(t *testing.T) {
	root := modeltest.Folder(t, map[string]string{"b10.x": "A", "b2.x": "A2", "deep/er/c.y": "A", "other.txt": "B",
		".git/objects": "A"})
	modeltest.Symlink(t, root, filepath.Join(root, "deep", "loop"))
	modeltest.Symlink(t, "..", filepath.Join(root, "up"))
	modeltest.Symlink(t, "nowhere", filepath.Join(root, "gone.x"))
	require.NoError(t, syscall.Mkfifo(filepath.Join(root, "pipe"), 0o644))
	outside := modeltest.Folder(t, map[string]string{"linked.x": "A"})
	modeltest.Symlink(t, outside, filepath.Join(root, "z"))
	visited := 0
	files, err := folder.List(t.Context(), root, 1000, known, func(found []folder.File) { visited = len(found) })
	require.NoError(t, err)
	assert.Equal(t, 7, visited)
	var names []string
	others := 0
	for _, f := range files {
		names = append(names, f.Name+": "+cmp.Or(f.Problem, f.Kind()))
		if f.IsUnknown() {
			others++
		}
	}
	assert.Equal(t, []string{"b2.x: letter", "b10.x: letter", "deep/er/c.y: letter",
		"gone.x: is a link to nowhere, which does not exist",
		"other.txt: TXT file",
		"pipe: is a pipe, not a file; save its output to a file first", "z/linked.x: letter"}, names)
	assert.Equal(t, 1, others)

	ctx, cancel := context.WithCancel(context.Background())
	files, err = folder.List(ctx, root, 3, known, func([]folder.File) {})
	assert.ErrorContains(t, err, "more than 3 files; only the first are listed")
	assert.Len(t, files, 3)
	_, err = folder.List(ctx, root, 1000, known, func([]folder.File) { cancel() })
	assert.ErrorIs(t, err, context.Canceled)
	_, err = folder.List(context.Background(), filepath.Join(root, "gone.x"), 1000, known, nil)
	assert.Error(t, err)
}

func TestFilesInExportFoldersAreMarked(t *testing.T) {
	content := map[string]string{}
	for _, name := range []string{"a.x", "a export/deep/1.png", "fbx export/2.png", "sub/b.x", "sub/a export/4.png",
		"sub/b export/5.png", "sub/sub export/6.png", "sub/c.x", "sub/c export"} {
		content[name] = "A"
	}
	files, err := folder.List(t.Context(), modeltest.Folder(t, content), 1000, known, func([]folder.File) {})
	require.NoError(t, err)
	var names []string
	for _, f := range files {
		if f.Export {
			names = append(names, f.Name)
		}
	}
	assert.Equal(t, []string{"a export/deep/1.png", "sub/b export/5.png", "sub/sub export/6.png"}, names)
}

func TestFilesAreAssetsOfTheFoldersDocument(t *testing.T) {
	root := modeltest.Folder(t, map[string]string{"a.x": "A1", "b.x": "A22"})
	files, err := folder.List(context.Background(), root, 1000, known, func([]folder.File) {})
	require.NoError(t, err)
	facts := folder.NewFacts()
	d := folder.Document(root, files, facts.Table(files))
	require.Equal(t, 2, d.Payloads.Len())
	p := d.Payloads.At(1)
	assert.Equal(t, model.Path{1}, p.Node.Path())
	r, err := p.Open(context.Background())
	require.NoError(t, err)
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	assert.Equal(t, "A22", string(b))
	table, err := d.Tables[0].Open(context.Background())
	require.NoError(t, err)
	assert.Nil(t, table.Cell(1, 0))
	facts.Set(files[1].Path, "1.2", 3, "a sentence")
	assert.Equal(t, []any{"1.2", uint64(3), "a sentence"}, []any{table.Cell(1, 0), table.Cell(1, 1), table.Cell(1, 2)})
	assert.Equal(t, []model.Problem{{Severity: model.Warning, Path: "b.x", Message: "b.x: a sentence"}},
		facts.Report(files).Problems)
}
