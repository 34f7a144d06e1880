package window

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/git"
	"assay/model/modeltest"
	"assay/ui/command"
	"assay/ui/comparison/compared"
	"assay/ui/desktop"
	"assay/ui/opening"
)

func TestTwoFilesAreCompared(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	one, two := write(t, folder, "one.bin", "0123456"), write(t, folder, "two.bin", "012x456")
	w.comparer.openFiles([]string{one, two}, true)
	require.NotNil(t, comparisonOf(w.tabs.current()))
	assert.Equal(t, "one.bin : two.bin", w.tabs.current().Title())
	require.NotNil(t, comparisonOf(w.tabs.current()).Result())
	assert.False(t, comparisonOf(w.tabs.current()).Result().Same())
	w.win.Canvas().Capture()
	for _, c := range command.All() {
		if c.Menu == "Compare" {
			w.commands.Run(c.ID, w.tabs.current())
		}
		for top := w.win.Canvas().Overlays().Top(); top != nil; top = w.win.Canvas().Overlays().Top() {
			w.win.Canvas().Overlays().Remove(top)
		}
	}
	w.Key(&fyne.KeyEvent{Name: fyne.KeyF8}, false)
	w.Key(&fyne.KeyEvent{Name: fyne.KeyF5}, false)
	require.NoError(t, os.WriteFile(one, []byte("other text"), 0o600))
	require.NoError(t, os.Chtimes(one, time.Time{}, time.Unix(1e9, 0)))
	w.lookForChanges(w.tabs.current())
	w.closeTab(w.tabs.current())
	assert.Nil(t, comparisonOf(w.tabs.current()))
}

func TestADropOfVeryManyFilesOpensTheFirst(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	files := []string{write(t, folder, "one.bin", "1")}
	for i := range 100_000 {
		files = append(files, filepath.Join(folder, "gone", strconv.Itoa(i)))
	}
	w.comparer.openFiles(files, false)
	assert.Equal(t, []string{"one.bin"}, titles(w))
	assert.Contains(t, strings.Join(w.notices.Texts(), "\n"), "Opened the first 200 of 100,001 files. ")
}

func TestFilesTogetherAreOffered(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	var files []string
	for _, name := range []string{"t10.bin", "t9.bin", "t1.bin"} {
		files = append(files, write(t, folder, name, name))
	}
	w.comparer.openFiles(files, false)
	require.Len(t, w.notices.Texts(), 1)
	assert.Contains(t, w.notices.Texts()[0], "Opened 3 files.")
	w.closeTab(w.tabs.all[1])
	assert.Empty(t, w.notices.Texts(), "two are no series")
	w.comparer.openFiles(files[:2], false)
	require.Len(t, w.notices.Texts(), 1)
	w.closeTab(w.tabs.all[1])
	assert.Len(t, w.notices.Texts(), 1, "another file was closed")
	w.closeTab(w.tabs.all[0])
	assert.Empty(t, w.notices.Texts())
	w.comparer.openFiles(files, false)
	w.comparer.compareTabs()
	assert.Equal(t, "t1.bin … t10.bin", w.tabs.current().Title())
	require.NotNil(t, comparisonOf(w.tabs.current()))
	w.closeTab(w.tabs.current())

	w.comparer.openFiles([]string{folder, t.TempDir()}, false)
	assert.Contains(t, w.tabs.current().Title(), "/ : ")
	assert.Nil(t, comparisonOf(w.tabs.current()))
}

func TestFilesOfSeveralKindsAreNoSeries(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	var files []string
	for _, name := range []string{"a.bin", "b.BIN", "c.txt"} {
		files = append(files, write(t, folder, name, name))
	}
	w.comparer.openFiles(files, false)
	assert.Empty(t, w.notices.Texts())
}

func TestTabsAreCompared(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	w.openFile(write(t, folder, "one.bin", "0123456"))
	act(t, w, "Compare with File…")
	require.True(t, w.ask.Dismiss())
	act(t, w, "Compare with Another Tab…")
	assert.Len(t, w.tabs.all, 1, "there is nothing to compare with")
	w.opener.openSource(model.NewSource("inside.bin", bytes.NewReader([]byte("0123")), 4), "", nil)
	act(t, w, "Compare with Another Tab…")
	require.NotNil(t, comparisonOf(w.tabs.current()))
	assert.Len(t, w.tabs.all, 3)
	w.closeTab(w.tabs.current())
	items := w.commands.Context(w.tabs.all[0], func(c command.Command) int { return c.Tab }).Items
	assert.Equal(t, []string{"Close Tab", "Close Other Tabs", "", "Copy File Path", "Show in Folder", "",
		"Compare with inside.bin"}, labels(items))
	items[6].Action()
	require.NotNil(t, comparisonOf(w.tabs.current()))
	w.tabs.show(1)
	w.openFile(write(t, folder, "two.bin", "01234567"))
	w.list = nil
	act(t, w, "Compare with Another Tab…")
	require.NotNil(t, w.list)
	assert.Len(t, w.list.Items(), 2)
	w.list.Items()[0].On()
	require.NotNil(t, comparisonOf(w.tabs.current()))
	old, _ := comparisonOf(w.tabs.current()).Sides()
	(&comparisonHost{tabHost: tabHost{w, w, nil}}).Open(old, model.Path{2})
	assert.EqualValues(t, 2, paneOf(w.tabs.current()).Selection().Offset)
}

func TestChangedFilesOfAFolderAreExported(t *testing.T) {
	w := makeWindow(t)
	old, new := modeltest.Versions(t)
	w.comparer.openFiles([]string{old, new}, false)
	pair := w.tabs.current().(*comparisonTab)
	assert.False(t, pair.showsExport())
	w.commands.Run("compare.export", pair)
	assert.Equal(t, 4, w.exporting.Len(), "what came, moved or changed")
	assert.True(t, pair.showsExport())
	w.commands.Run("compare.swap", pair)
	saved, _ := pair.savedTab(true)
	assert.Equal(t, []string{new, old}, saved.Files, "it comes back as it is")
	w.exporting.Clear()
	w.tabs.reveal(pair)
	assert.False(t, pair.showsExport(), "there is nothing to export")
}

func TestPairReusesItsTab(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	one, two := write(t, folder, "one.bin", "0123456"), write(t, folder, "two.bin", "012x456")
	w.comparer.openFiles([]string{one, two}, true)
	first, n := w.tabs.current(), len(w.tabs.all)
	w.comparer.openFiles([]string{one, two}, true)
	assert.Equal(t, first, w.tabs.current())
	assert.Len(t, w.tabs.all, n)

	// Also a version in git.
	w.comparer.CompareWithHead(w.Side(one))
	with := w.tabs.current()
	assert.NotEqual(t, first, with)
	w.tabs.show(0)
	w.comparer.CompareWithHead(w.Side(one))
	assert.Equal(t, with, w.tabs.current())
	open := func(context.Context, *model.Source) (*model.Document, error) { return nil, errors.New("none") }
	for _, hash := range []string{"1111111111", "2222222222", "1111111111"} {
		w.comparer.CompareSides(compared.Revision(one, git.Revision{Hash: hash}, open), w.Side(one))
	}
	assert.Len(t, w.tabs.all, n+3)
	for len(w.tabs.all) > n {
		w.closeTab(w.tabs.all[n])
	}

	// Also an unloaded tab of the last session.
	saved, ok := first.(savable).savedTab(true)
	require.True(t, ok)
	w.closeTab(first)
	w.tabs.put(&suspendedTab{saved: saved})
	w.comparer.openFiles([]string{one, two}, true)
	assert.NotNil(t, comparisonOf(w.tabs.current()))
	assert.Len(t, w.tabs.all, n)
}

func TestComparisonIsNotifiedOfChangesOnDisk(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	one, two := write(t, folder, "one.bin", "0123456"), filepath.Join(folder, "two.bin")
	w.comparer.openFiles([]string{one, two}, true)
	c := comparisonOf(w.tabs.current())
	require.NotNil(t, c)
	assert.Nil(t, c.Result(), "there is no second file")
	write(t, folder, "other.bin", "0")
	w.changedOnDisk(filepath.Join(folder, "other.bin"))
	assert.Nil(t, c.Result())
	write(t, folder, "two.bin", "0129456")
	w.changedOnDisk(two)
	assert.NotNil(t, c.Result(), "it came back")
	tab := w.tabs.current().(*comparisonTab)
	assert.Len(t, tab.host.files, 2)
	w.closeTab(tab)
	assert.Empty(t, tab.host.files)
}

func TestFilesOfAnotherStartAreOpenWhenItEnds(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	one, two := write(t, folder, "one.bin", "0123456"), write(t, folder, "two.bin", "012x456")
	taken := 0
	ask := func(files ...string) {
		w.openRequested(desktop.Request{Files: files, Compare: true, Opened: func() { taken++ }})
	}
	ask(one, two)
	assert.Equal(t, 1, taken)
	require.NoError(t, os.Remove(one))
	require.NoError(t, os.Remove(two))
	found := comparisonOf(w.tabs.current()).Result()
	require.NotNil(t, found)
	b, err := found.Old.Source.Bytes(model.Span{Size: 7})
	require.NoError(t, err)
	assert.Equal(t, "0123456", string(b))
	ask(one, two)
	assert.Equal(t, 2, taken, "the tab that is there")
	ask(one, filepath.Join(folder, "none"), two)
	assert.Equal(t, 3, taken, "one cannot be opened")
	ask(folder, t.TempDir())
	assert.Equal(t, 4, taken)
}

func TestTabOfAnUnknownKindIsClosedWithANotice(t *testing.T) {
	for name, saved := range map[string]desktop.Tab{
		"a kind of another version": {Kind: "four", Files: []string{"/a/old.bin", "/a/new.bin"}},
		"too few files":             {Kind: opening.FilesKind, Files: []string{"/a/old.bin"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := makeWindow(t)
			tab := &suspendedTab{saved: saved}
			w.tabs.put(tab)
			w.tabs.reveal(tab)
			assert.Empty(t, w.tabs.all)
			require.Len(t, w.notices.Texts(), 1)
			assert.Contains(t, w.notices.Texts()[0], "A tab from the last session could not be restored")
			assert.Contains(t, w.notices.Texts()[0], saved.Kind)
		})
	}
}
