package window

import (
	"context"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/folder/foldertest"
	"assay/ui/control"
	"assay/ui/desktop"
	"assay/ui/doc"
)

// folderFiles are two files that are known, and one that is not.
var folderFiles = map[string]string{"a.bin": "first", "deep/b.bin": "second", "notes.txt": "x"}

func folderWindow(t *testing.T) (*Window, *folderTab) {
	t.Helper()
	w := packWindow(t, "abc")
	w.options.Recognise = func(src *model.Source) string {
		if filepath.Ext(src.Name()) == ".bin" {
			return "binary"
		}
		return ""
	}
	w.comparer.openFiles([]string{foldertest.New(t, folderFiles)}, false)
	f, ok := w.tabs.present().(*folderTab)
	require.True(t, ok)
	return w, f
}

func TestFoldersHaveOneSlash(t *testing.T) {
	assert.Equal(t, "files/", folderTitle(filepath.Join("some", "files")))
	assert.Equal(t, "/", folderTitle("/"))
}

func TestAFolderListsItsFiles(t *testing.T) {
	w, f := folderWindow(t)
	require.Len(t, f.files, 3)
	assert.Equal(t, "deep/b.bin", f.files[1].Name)
	assert.Equal(t, "2 files of known kinds, 1 other", f.state)
	assert.True(t, f.list.Dim(2), "what is not known is dim")
	assert.False(t, f.list.Dim(1))
	assert.Equal(t, "Other files (1)", f.others.Text)
	f.others.SetChecked(false)
	require.Len(t, f.files, 2)
	assert.True(t, f.others.Visible(), "it says how many are left out")
	assert.False(t, w.prefs.listsOthers(), "that is remembered")
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

func TestSelectedFilesOfAFolderAreAddedToTheExportByKeys(t *testing.T) {
	w, f := folderWindow(t)
	all := func(context.Context) ([]*model.Node, bool, error) {
		return []*model.Node{f.document.Root().Child(0), f.document.Root().Child(1)}, false, nil
	}
	f.selectFile(model.Path{1}, doc.Nodes(all))
	w.commands.Run("export.add", f)
	assert.Positive(t, w.exporting.Len())
}

func TestAFolderInAFolderIsNotShownAsItsFirstFile(t *testing.T) {
	w, f := folderWindow(t)
	f.selectFile(model.Path{0}, nil)
	require.NotNil(t, f.shown)
	f.selectFolder(f.document, "deep", []int{1})
	assert.Nil(t, f.shown)
	previewOf(f).Select(doc.Selection{Document: f.document, Node: f.document.Root()})
	f.selectFile(model.Path{1}, nil)
	require.NotNil(t, f.shown)
	assert.Equal(t, "b.bin", f.shown.Source.Name())

	pressed(w, fyne.KeyA, fyne.KeyModifierControl|fyne.KeyModifierShift)
	typed, ok := w.win.Canvas().Focused().(*control.Field)
	require.True(t, ok, "the filter has the keyboard")
	typed.TypedRune('d')
	assert.Equal(t, "d", typed.Text)
}

func TestAnAssetOfAFolderIsRevealed(t *testing.T) {
	w, f := folderWindow(t)
	w.options.Open = packed
	w.RevealAsset(filepath.Join(f.root, "deep", "b.bin"), 3)
	assert.Equal(t, "b.bin", w.tabs.present().Title())
	assert.EqualValues(t, 3, paneOf(w.tabs.present()).Selection().Offset)
	w.RevealAsset(filepath.Join(f.root, "deep", "b.bin"), 99)
	assert.EqualValues(t, 3, paneOf(w.tabs.present()).Selection().Offset, "there is no such asset any more")
}

func TestAFolderComesBack(t *testing.T) {
	w, f := folderWindow(t)
	saved, ok := f.keep(false)
	require.True(t, ok)
	assert.Equal(t, desktop.Tab{Kind: ofFolder, Files: []string{f.root}}, saved)
	w.tabs.close(f)
	sleeping := &suspendedTab{saved: saved, openTab: w.openTab}
	assert.Equal(t, filepath.Base(f.root)+"/", sleeping.Title())
	w.tabs.put(sleeping)
	w.openFolder(f.root, nil)
	again, ok := w.tabs.present().(*folderTab)
	require.True(t, ok)
	assert.Len(t, again.files, 3)
}
