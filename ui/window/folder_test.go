package window

import (
	"context"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/modeltest"
	"assay/ui/control"
	"assay/ui/desktop"
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
	w.comparer.openFiles([]string{modeltest.New(t, folderFiles)}, false)
	f, ok := w.tabs.present().(*folderTab)
	require.True(t, ok)
	return w, f
}

func TestAFolderIsListedOnce(t *testing.T) {
	w, f := folderWindow(t)
	f.List().Beside.(*control.Check).SetChecked(false)
	assert.False(t, w.prefs.listsOthers(), "that is remembered")
	n := len(w.tabs.all)
	w.openFolder(f.Root(), nil)
	assert.Len(t, w.tabs.all, n)
}

func TestSelectedFilesOfAFolderAreAddedToTheExportByKeys(t *testing.T) {
	w, f := folderWindow(t)
	top := new(model.Node)
	top.SetChildren(model.List{{Name: "a.bin"}, {Name: "deep/b.bin"}})
	f.List().OnSelect(model.Path{1}, func(context.Context) ([]*model.Node, bool, error) {
		return []*model.Node{top.Child(0), top.Child(1)}, false, nil
	})
	w.commands.Run("export.add", f)
	assert.Positive(t, w.exporting.Len())
}

func TestTheFilterOfAFolderTakesTheKeyboard(t *testing.T) {
	w, _ := folderWindow(t)
	pressed(w, fyne.KeyA, fyne.KeyModifierControl|fyne.KeyModifierShift)
	typed, ok := w.win.Canvas().Focused().(*control.Field)
	require.True(t, ok, "the filter has the keyboard")
	typed.TypedRune('d')
	assert.Equal(t, "d", typed.Text)
}

func TestAnAssetOfAFolderIsRevealed(t *testing.T) {
	w, f := folderWindow(t)
	w.options.Open = packed
	w.RevealAsset(filepath.Join(f.Root(), "deep", "b.bin"), 3)
	assert.Equal(t, "b.bin", w.tabs.present().Title())
	assert.EqualValues(t, 3, paneOf(w.tabs.present()).Selection().Offset)
	w.RevealAsset(filepath.Join(f.Root(), "deep", "b.bin"), 99)
	assert.EqualValues(t, 3, paneOf(w.tabs.present()).Selection().Offset, "there is no such asset any more")
}

func TestAFolderComesBack(t *testing.T) {
	w, f := folderWindow(t)
	saved, ok := f.keep(false)
	require.True(t, ok)
	assert.Equal(t, desktop.Tab{Kind: ofFolder, Files: []string{f.Root()}}, saved)
	w.tabs.close(f)
	sleeping := &suspendedTab{saved: saved}
	assert.Equal(t, filepath.Base(f.Root())+"/", sleeping.Title())
	w.tabs.put(sleeping)
	w.openFolder(f.Root(), nil)
	again, ok := w.tabs.present().(*folderTab)
	require.True(t, ok)
	_, facts := again.Status()
	assert.Equal(t, "2 files supported, 1 other", facts[0].Text)
}
