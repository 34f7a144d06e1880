package window

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui/desktop"
	"assay/ui/doc"
)

// folderOf has files "a.bin" and "deep/b.bin", and one that is not known.
func folderOf(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "deep"), 0o755))
	for name, text := range map[string]string{"a.bin": "first", "deep/b.bin": "second", "notes.txt": "x"} {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	return root
}

func folderWindow(t *testing.T) (*Window, *folderTab) {
	t.Helper()
	w := packWindow(t, "abc")
	w.options.Recognise = func(src *model.Source) string {
		if filepath.Ext(src.Name()) == ".bin" {
			return "binary"
		}
		return ""
	}
	w.comparer.open([]string{folderOf(t)}, false)
	f, ok := w.tabs.present().(*folderTab)
	require.True(t, ok)
	return w, f
}

func TestAFolderListsItsKnownFiles(t *testing.T) {
	w, f := folderWindow(t)
	require.Len(t, f.files, 2)
	assert.Equal(t, "deep/b.bin", f.files[1].Name)
	assert.Equal(t, "2 files", f.state)
	n := len(w.tabs.all)
	w.openFolder(f.root, nil)
	assert.Len(t, w.tabs.all, n, "a folder is listed once")

	all := func(context.Context) ([]*model.Node, bool, error) {
		return []*model.Node{f.document.Root().Child(0), f.document.Root().Child(1)}, false, nil
	}
	f.selectFile(model.Path{1}, doc.Nodes(all))
	require.NotNil(t, f.shown)
	assert.Equal(t, "b.bin", f.shown.Source.Name())
	f.openSelected()
	assert.Len(t, w.tabs.all, n+2)
	f.extract(f.all())
	assert.Equal(t, filepath.Base(f.root)+"/", f.Title())
}

func TestAFolderComesBack(t *testing.T) {
	w, f := folderWindow(t)
	saved, ok := f.keep(false)
	require.True(t, ok)
	assert.Equal(t, desktop.Tab{Kind: ofFolder, Files: []string{f.root}}, saved)
	w.tabs.close(f)
	sleeping := &asleep{saved: saved, wake: w.wake}
	assert.Equal(t, filepath.Base(f.root)+"/", sleeping.Title())
	w.tabs.put(sleeping)
	w.tabs.reveal(sleeping)
	again, ok := w.tabs.present().(*folderTab)
	require.True(t, ok)
	assert.Len(t, again.files, 2)
}
