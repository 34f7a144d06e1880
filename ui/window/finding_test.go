package window

import (
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/search"
	"assay/ui/control"
)

// The key that searches open files searches below the folder in a folder's tab.
func TestHitsOfAFolderOpenInTabs(t *testing.T) {
	w, f := folderWindow(t)
	a := w.commands.Actions["edit.find-everywhere"]
	require.True(t, a.Enabled(f))
	assert.Equal(t, "Find in This Folder…", a.Name(f))
	pressed(w, fyne.KeyF, fyne.KeyModifierControl|fyne.KeyModifierAlt)
	found, ok := w.tabs.current().(*findTab)
	require.True(t, ok)
	assert.IsType(t, &control.Field{}, w.win.Canvas().Focused(), "what to find can be typed")
	assert.Equal(t, f.Root(), found.Root())

	n := len(w.tabs.all)
	act(t, w, "Find in Files…")
	assert.Len(t, w.tabs.all, n, "it is the tab in view that searches")
	found.Restore([]byte(`{"kind":"text","text":"cond"}`))
	assert.Equal(t, "Find: cond", found.Title())
	h := &tabHost{w, w, found}
	h.OpenHit(filepath.Join(f.Root(), "deep", "b.bin"), search.Hit{Span: model.Span{Offset: 2, Size: 4}})
	d, ok := w.tabs.current().(*docTab)
	require.True(t, ok)
	assert.Equal(t, int64(2), d.pane.Selection().Offset)
	assert.Equal(t, "Find in Open Files…", a.Name(d))
	w.commands.Run("go.back", d)
	assert.Equal(t, Tab(found), w.tabs.current(), "Back leads to the results")

	h.OpenHit(d.Path, search.Hit{Path: "/3", Span: model.Span{Offset: 3, Size: 1}})
	assert.Equal(t, model.Path{3}, d.pane.Selection().Node.Path(), "a node is selected")
	h.OpenHit(d.Path, search.Hit{Span: model.Span{Offset: 100, Size: 1}})
	assert.Equal(t, model.Path{3}, d.pane.Selection().Node.Path(), "the file was changed since")

	in := search.Hit{Assets: []search.Asset{{Name: "e.txt", Key: "e", Index: 1}}, Expanded: 1, Span: model.Span{Size: 1}}
	h.OpenHit(d.Path, in)
	n = len(w.tabs.all)
	assert.Equal(t, "e.txt", w.tabs.current().Title(), "an asset opens in a tab")
	w.tabs.reveal(found)
	h.OpenHit(d.Path, in)
	assert.Equal(t, "e.txt", w.tabs.current().Title())
	assert.Len(t, w.tabs.all, n, "once")
	in.Assets[0].Key = "other"
	w.tabs.close(w.tabs.current())
	h.OpenHit(d.Path, in)
	assert.Equal(t, d, w.tabs.current(), "there is another asset now")
}

func TestASearchIsATabThatComesBack(t *testing.T) {
	w, f := folderWindow(t)
	found := w.findFiles(f.Root(), nil)
	found.Restore([]byte(`{"kind":"names","text":"*.bin"}`))
	w.commands.Run("file.reload", found)
	assert.Equal(t, "Find: *.bin", found.Title())
	saved, ok := found.savedTab(false)
	require.True(t, ok)
	assert.Equal(t, searchTabKind, saved.Kind)
	s := &suspendedTab{saved: saved}
	assert.Equal(t, "Find: *.bin", s.Title())
	w.tabs.add(s, nil)
	again, ok := w.tabs.current().(*findTab)
	require.True(t, ok, "it opens when it comes into view")
	assert.Equal(t, found.Saved(), again.Saved())
	assert.Equal(t, "Find: *.bin", again.Title())
}

func TestFindIsForEveryKindOfTab(t *testing.T) {
	w, f := folderWindow(t)
	w.options.SearchFormats.Opens = func(string) bool { return false }
	w.showUses(f.Root(), "")
	w.findFiles(f.Root(), nil)
	for _, at := range w.tabs.all {
		w.tabs.reveal(at)
		w.win.Canvas().Unfocus()
		pressed(w, fyne.KeyF, fyne.KeyModifierControl)
		assert.IsType(t, new(control.Field), w.win.Canvas().Focused(), at.Title())
	}
}
