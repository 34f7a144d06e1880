package window

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats"
	"assay/model"
	"assay/model/modeltest"
	"assay/ui"
	"assay/ui/control"
	"assay/ui/desktop"
	"assay/ui/opening"
	"assay/ui/work"
)

// remembering returns the first window of a user, with its memory in a folder.
func remembering(t *testing.T, folder string, files ...string) *Window {
	t.Helper()
	o := makeWindow(t).options
	o.Files, o.Memory, o.OnRequests = files, desktop.OpenMemory(filepath.Join(folder, "memory.json")),
		func(func(desktop.Request)) {}
	w := newWindow(test.NewTempApp(t), work.Inline(context.Background()), o)
	w.begin()
	t.Cleanup(w.group.Close)
	return w
}

func labels(items []*fyne.MenuItem) []string {
	var all []string
	for _, i := range items {
		all = append(all, i.Label)
	}
	return all
}

func TestRecentFilesAreListed(t *testing.T) {
	folder := t.TempDir()
	name, shown := "two\n\u202e.bin", `two\n<U+202E>.bin`
	if runtime.GOOS == "windows" { // names cannot have several lines there
		name, shown = "two\u202e.bin", "two<U+202E>.bin"
	}
	one, two := write(t, folder, "one.bin", "111"), write(t, folder, name, "222")
	w := remembering(t, folder)
	assert.Empty(t, w.recentItems(nil))
	w.openFile(one)
	w.openFile(two)
	require.Len(t, w.startPage.Recent(), 2)
	assert.Equal(t, shown, w.startPage.Recent()[0].Name)
	assert.Equal(t, "made", w.startPage.Recent()[1].Format)
	assert.Equal(t, folder, w.folder())

	w.tabs.close(w.opener.tabOf(one))
	require.NoError(t, os.Remove(one))
	w.recents.reload()
	items := w.recentItems(nil)
	require.Len(t, items, 3)
	assert.Contains(t, items[0].Label, shown+"   (made)")
	assert.Contains(t, items[1].Label, "one.bin   (missing)")
	items[1].Do(nil)
	assert.Contains(t, w.notices.Texts()[len(w.notices.Texts())-1], "one.bin cannot be opened",
		"a missing one is a sentence")
	w.tabs.show(-1)
	w.win.Canvas().Capture()

	items[2].Do(nil)
	assert.Empty(t, w.startPage.Recent())
	assert.Empty(t, w.recentItems(nil))
}

func TestSavedTabsWithoutFilesAreDropped(t *testing.T) {
	folder := t.TempDir()
	one := write(t, folder, "one.bin", "111")
	tab := func(text string) string { return strings.ReplaceAll(text, "ONE", strconv.Quote(one)) }
	for _, odd := range []string{`{}`, `{"files":null}`, `{"files":[""]}`, `{"kind":"folder"}`, `{"kind":"files"}`,
		`{"kind":"git","files":[]}`, `{"kind":"three","files":["",ONE,ONE]}`} {
		write(t, folder, "memory.json", tab(`{"open":[`+odd+`,{"files":[ONE]}],"shown":1}`))
		w := remembering(t, folder)
		assert.Equal(t, []string{"1 tab from the last session could not be restored."},
			w.notices.Texts(), odd)
		require.Len(t, w.tabs.all, 1, odd)
		assert.Equal(t, "one.bin", w.tabs.current().Title(), odd)
		w.openFolder(t.TempDir(), nil)
		w.comparer.compare([]string{one, one}, nil)
	}
}

func TestTabsComeBack(t *testing.T) {
	folder := t.TempDir()
	one, two, three := write(t, folder, "one.bin", "111"), write(t, folder, "two.bin", "222"),
		write(t, folder, "three.bin", "3")
	w := remembering(t, folder, one, two, three)
	w.tabs.show(1)
	// A crash closes nothing.
	again := remembering(t, folder)
	assert.Equal(t, []string{"one.bin", "two.bin", "three.bin"}, titles(again))
	assert.Equal(t, "two.bin", again.tabs.current().Title())
	assert.NotNil(t, paneOf(again.tabs.current()))
	assert.Nil(t, paneOf(again.tabs.all[0]), "the others open when they are wanted")
	again.tabs.show(0)
	assert.NotNil(t, paneOf(again.tabs.current()))
	again.tabs.close(again.tabs.all[0])
	require.NoError(t, os.Remove(three))
	again.quit()

	last := remembering(t, folder)
	assert.Equal(t, []string{"two.bin"}, titles(last))
	assert.Contains(t, last.notices.Texts()[0], "three.bin: the file no longer exists")
	last.quit()

	w = remembering(t, folder, one)
	assert.Equal(t, []string{"two.bin", "one.bin"}, titles(w), "files that were asked for come besides")
	assert.Equal(t, "one.bin", w.tabs.current().Title())
	w.openFile(two)
	assert.Equal(t, []string{"two.bin", "one.bin"}, titles(w))
	assert.NotNil(t, paneOf(w.tabs.all[0]), "its tab is there")
	w.toggleReopening()
	assert.False(t, w.prefs.reopens())
	w.quit()
	w.prefs.setReopens(true)
	assert.Equal(t, []string{"two.bin", "one.bin"}, titles(remembering(t, folder)))
}

func TestComparisonsComeBack(t *testing.T) {
	folder, other := t.TempDir(), t.TempDir()
	one, two, three := write(t, folder, "one.bin", "111"), write(t, folder, "two.bin", "222"),
		write(t, folder, "three.bin", "3")
	w := remembering(t, folder, one, two, three)
	w.comparer.compare([]string{one, two}, nil)
	comparisonOf(w.tabs.current()).Swap()
	w.comparer.compareTabs()
	w.comparer.compare([]string{folder, other}, nil)
	w.opener.openSample(w.options.Samples[0])
	before := titles(w)
	require.Len(t, before, 7)
	again := remembering(t, folder)
	assert.Equal(t, before[:6], titles(again), "all but the sample, which is not a file")
	for i := range again.tabs.all {
		again.tabs.show(i)
	}
	assert.Equal(t, before[:6], titles(again), "opened")
	require.NotNil(t, comparisonOf(again.tabs.all[3]))
	old, _ := comparisonOf(again.tabs.all[3]).Sides()
	assert.Equal(t, two, old.Path, "as they were swapped")
	require.NotNil(t, comparisonOf(again.tabs.all[4]))
}

func TestStackOpensTheTabsOfLastTime(t *testing.T) {
	folder := t.TempDir()
	one, two := write(t, folder, "one.bin", "ab"), write(t, folder, "two.bin", "bc")
	remembering(t, folder, one, two)
	w := remembering(t, folder)
	require.Nil(t, paneOf(w.tabs.all[0]))
	w.options.Open = packed
	w.showStack()
	assert.NotNil(t, paneOf(w.tabs.all[0]))
	assert.NotEmpty(t, w.notices.Texts(), "the other one is not of the kind")
}

func TestTabThatEndsTheProgramIsNotOpenedAgain(t *testing.T) {
	folder := t.TempDir()
	bad := write(t, folder, "bad.bin", "1")
	m := desktop.OpenMemory(filepath.Join(folder, "memory.json"))
	require.NoError(t, m.SetTabs([]desktop.Tab{{Files: []string{bad}}}, 0))
	w := newWindow(test.NewTempApp(t), work.Inline(context.Background()),
		ui.Options{Memory: m, OnRequests: func(func(desktop.Request)) {},
			Open: func(context.Context, string) (*model.Document, error) {
				files, _, _ := m.Tabs()
				assert.Equal(t, []desktop.Tab{{Files: []string{bad}, Opening: true}}, files, "it is written down before")
				return nil, errors.New("bad")
			}})
	w.begin()
	w.group.Close()

	require.NoError(t, m.SetTabs([]desktop.Tab{{Files: []string{bad}, Opening: true}}, 0))
	again := remembering(t, folder)
	closed, ok := again.tabs.current().(*suspendedTab)
	require.True(t, ok, "a file that ended the program stays closed")
	again.openFile(bad)
	require.Same(t, closed, again.tabs.current())
	for _, o := range test.LaidOutObjects(closed.Content()) {
		if b, ok := o.(*control.Button); ok {
			test.Tap(b)
		}
	}
	require.NotNil(t, paneOf(again.tabs.current()), "until the user opens it")
	files, _, _ := again.options.Memory.Tabs()
	require.Len(t, files, 1)
	assert.False(t, files[0].Opening)
}

// A file is recorded only while it is drawn.
func TestTabWhoseViewEndsTheProgramIsNotOpenedAgain(t *testing.T) {
	for _, kind := range []opening.Kind{"", opening.FilesKind} {
		folder := t.TempDir()
		bad, fine := write(t, folder, "bad.bin", "\x00\x01"), write(t, folder, "fine.bin", "1")
		tab := desktop.Tab{Kind: kind, Files: []string{bad}}
		if kind != "" {
			tab.Files = []string{fine, bad}
		}
		path := filepath.Join(folder, "memory.json")
		m := desktop.OpenMemory(path)
		require.NoError(t, m.SetTabs([]desktop.Tab{tab, {Files: []string{fine}}}, 0))
		drawn := 0
		w := newWindow(test.NewTempApp(t), work.Inline(context.Background()),
			ui.Options{Memory: m, OnRequests: func(func(desktop.Request)) {},
				Open: func(ctx context.Context, path string) (*model.Document, error) {
					isRecorded := func() {
						if path == bad {
							drawn++
							text, err := os.ReadFile(m.SiblingPath("drawing"))
							require.NoError(t, err)
							assert.Equal(t, bad, string(text))
						}
					}
					d, err := formats.Opener{}.OpenFile(ctx, path)
					if kind != "" {
						isRecorded()
					}
					view := d.View
					d.View = func(ctx context.Context, n *model.Node) (model.View, error) {
						isRecorded()
						return view(ctx, n)
					}
					return d, err
				}})
		w.begin()
		assert.NotZero(t, drawn, kind)
		assert.NoFileExists(t, m.SiblingPath("drawing"), "it is drawn")
		m.Drawing(bad) // and the program ends
		again := desktop.OpenMemory(path)
		require.NoError(t, again.Recover())
		tabs, _, _ := again.Tabs()
		require.Len(t, tabs, 2)
		assert.True(t, tabs[0].Opening, kind)
		assert.False(t, tabs[1].Opening, kind)
		assert.NoFileExists(t, m.SiblingPath("drawing"))
		m.Drawing(fine)
		w.end()
		assert.NoFileExists(t, m.SiblingPath("drawing"), "the program ended as usual")
	}
}

func TestWindowBesideTheFirstLeavesItsTabsAlone(t *testing.T) {
	folder := t.TempDir()
	one, two := write(t, folder, "one.bin", "111"), write(t, folder, "two.bin", "222")
	remembering(t, folder, one)
	o := makeWindow(t).options
	o.Memory = desktop.OpenMemory(filepath.Join(folder, "memory.json"))
	beside := newWindow(test.NewTempApp(t), work.Inline(context.Background()), o)
	beside.begin()
	assert.Empty(t, beside.tabs.all)
	beside.openFile(two)
	beside.quit()
	files, _, _ := o.Memory.Tabs()
	assert.Equal(t, []desktop.Tab{{Files: []string{one}}}, files)
	assert.Equal(t, two, o.Memory.Recent()[0].Path)
}

func TestOneFileIsOneTab(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	one := write(t, folder, "one.bin", "111")
	link, hard := filepath.Join(folder, "link.bin"), filepath.Join(folder, "hard.bin")
	modeltest.Symlink(t, one, link)
	require.NoError(t, os.Link(one, hard))
	t.Chdir(folder)
	for _, path := range []string{one, "one.bin", "./one.bin", link, hard, "../" + filepath.Base(folder) + "/one.bin"} {
		w.openFile(path)
		assert.Equal(t, []string{"one.bin"}, titles(w), path)
	}
	w.openFile(write(t, folder, "two.bin", "2"))
	over := func() fyne.CanvasObject { return w.win.Canvas().Overlays().Top() }
	w.goToItem(w.tabs.current())
	w.openRequested(desktop.Request{})
	assert.NotNil(t, over(), "nothing else comes into view")
	w.openRequested(desktop.Request{Files: []string{link}})
	assert.Equal(t, "one.bin", w.tabs.current().Title())
	assert.Nil(t, over())
	w.options.Samples = []ui.Sample{{Name: "sample.bin", Bytes: []byte("3")}}
	w.openRequested(desktop.Request{Sample: true})
	assert.Equal(t, "sample.bin", w.tabs.current().Title())
}

// A copied path, of names or of indexes, finds its node.
func TestGoToItemTakesPaths(t *testing.T) {
	w := makeWindow(t)
	w.openFile(write(t, t.TempDir(), "one.bin", "111"))
	p := paneOf(w.tabs.current())
	n := p.Document().Root().Child(1)
	for _, path := range []string{n.PathText(), n.NamePath()} {
		p.Select(model.Path{0})
		found := itemAtNodePath(p, p.Document(), path)
		require.Len(t, found, 1, path)
		found[0].On()
		assert.Equal(t, n.Path(), p.Selection().Node.Path())
	}
	assert.Empty(t, itemAtNodePath(p, p.Document(), "/nowhere"))
}

// buttons returns the buttons of the notices by label.
func buttons(w *Window) map[string]*widget.Button {
	all := map[string]*widget.Button{}
	for _, o := range test.LaidOutObjects(w.notices.Content()) {
		if b, ok := o.(*widget.Button); ok {
			all[b.Text] = b
		}
	}
	return all
}

func tap(t *testing.T, w *Window, label string) {
	t.Helper()
	require.Contains(t, buttons(w), label)
	test.Tap(buttons(w)[label])
}

func TestTwoFilesTogetherOfferComparison(t *testing.T) {
	folder := t.TempDir()
	one, two, three := write(t, folder, "one.bin", "1"), write(t, folder, "two.bin", "2"),
		write(t, folder, "three.bin", "3")
	for _, c := range []struct {
		name  string
		files []string
		offer bool
	}{
		{"one", []string{one}, false},
		{"two", []string{one, two}, true},
		{"three", []string{one, two, three}, false},
		{"the same", []string{one, one}, false},
		{"one that is not there", []string{one, filepath.Join(folder, "none.bin")}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := makeWindow(t)
			w.openRequested(desktop.Request{Files: c.files})
			if !c.offer {
				assert.NotContains(t, w.notices.Texts(), "Opened one.bin and two.bin.")
				return
			}
			assert.Equal(t, []string{"Opened one.bin and two.bin."}, w.notices.Texts())
			tap(t, w, "Compare")
			old, new := comparisonOf(w.tabs.current()).Sides()
			assert.Equal(t, c.files, []string{old.Path, new.Path})
			assert.Empty(t, w.notices.Texts())
		})
	}
	w := makeWindow(t)
	w.openRequested(desktop.Request{Files: []string{one, two}, Compare: true})
	assert.Len(t, w.tabs.all, 1)
	assert.NotNil(t, comparisonOf(w.tabs.current()), "a later start asked for a comparison")
}

func TestSetDefaultReportsTheResult(t *testing.T) {
	w := makeWindow(t)
	w.setDefault()
	assert.Contains(t, w.notices.Texts()[0], "settings")
	fails := errors.New("the disk is full")
	w.options.SetDefault = func(context.Context) error { return fails }
	w.setDefault()
	assert.Equal(t, []string{"Could not set Assay as the default app: the disk is full."}, w.notices.Texts())
	fails = nil
	w.setDefault()
	assert.Contains(t, w.notices.Texts()[0], "now the default app")
}

func TestUnwritableMemoryIsReported(t *testing.T) {
	folder := t.TempDir()
	one := write(t, folder, "one.bin", "1")
	w := makeWindow(t)
	w.recents.memory = desktop.OpenMemory(filepath.Join(one, "memory.json"))
	w.openFile(one)
	require.NotEmpty(t, w.notices.Texts())
	assert.Contains(t, w.notices.Texts()[0], "Cannot save recent files")
	require.Error(t, w.recents.memory.AddRecent(one, "", time.Time{}))
}

func TestViewOfATabIsRestored(t *testing.T) {
	folder := t.TempDir()
	one, two := write(t, folder, "one.bin", "0123456789"), write(t, folder, "two.bin", "22")
	w := remembering(t, folder, one, two)
	w.tabs.show(0)
	p := paneOf(w.tabs.current())
	p.Select(model.Path{7})
	p.Side.ShowTitled("Inspector")
	w.quit()

	again := remembering(t, folder)
	assert.Equal(t, "one.bin", again.tabs.current().Title())
	p = paneOf(again.tabs.current())
	require.NotNil(t, p)
	assert.Equal(t, model.Path{7}, p.Selection().Node.Path())
	assert.Equal(t, "Inspector", p.Side.Panel().Title())
	restoreView(p, []byte(`{"State": 7}`))
	restoreView(p, []byte(`{"State": {"Selected": [1, 2, 99999]}, "Side": "no such panel"}`))
	assert.Equal(t, "Inspector", p.Side.Panel().Title())
}

func TestClosedTabsAreReopened(t *testing.T) {
	folder := t.TempDir()
	one, two, three := write(t, folder, "one.bin", "111"), write(t, folder, "two.bin", "222"),
		write(t, folder, "three.bin", "333")
	w := remembering(t, folder, one, two, three)
	paths := func() (all []string) {
		for _, tab := range w.tabs.all {
			all = append(all, tab.Hint())
		}
		return all
	}
	before := paths()
	require.Len(t, before, 3)
	reopen := w.commands.Actions["tab.reopen"]
	assert.False(t, reopen.Enabled(nil), "no tab was closed")
	w.tabs.show(0)
	paneOf(w.tabs.current()).Select(model.Path{7})
	w.tabs.close(w.tabs.all[0])
	w.tabs.close(w.tabs.all[0])
	require.Len(t, w.tabs.all, 1)
	reopen.Do(nil)
	reopen.Do(nil)
	assert.Equal(t, before, paths(), "each at its place, the last one first")
	assert.Equal(t, one, w.tabs.current().Hint())
	assert.False(t, reopen.Enabled(nil))

	w.tabs.close(w.tabs.all[1])
	w.openFile(two)
	reopen.Do(nil)
	assert.Len(t, w.tabs.all, 3, "a file that is open again is selected")
	assert.Equal(t, two, w.tabs.current().Hint())
}
