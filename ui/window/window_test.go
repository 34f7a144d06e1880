package window

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/content"
	"assay/model/notes"
	"assay/ui"
	"assay/ui/command"
	"assay/ui/comparison"
	"assay/ui/comparison/compared"
	"assay/ui/control"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/opening"
	"assay/ui/paint"
	"assay/ui/preview"
	"assay/ui/work"
)

// made opens bytes as a document with a field for each byte.
func made(_ context.Context, src *model.Source) (*model.Document, error) {
	if src.Size() == 0 {
		return nil, errors.New(src.Name() + " is empty")
	}
	root := &model.Node{Type: "Bytes", Span: model.Span{Size: src.Size()}}
	list := &model.Elements{Count: int(src.Size()), Make: func(i int) *model.Node {
		n := &model.Node{Type: "byte", Span: model.Span{Offset: int64(i), Size: 1}, Parent: root}
		n.Value = model.Blob{Source: src, Span: n.Span}
		if i == 1 {
			n.Link = &model.Link{File: "other.bin", Key: "2"}
		}
		return n
	}, Lookup: func(off int64) (int, int) { return int(off), int(off) + 1 }}
	root.SetChildren(list)
	d := model.NewDocument(src, "made", "", root)
	d.FindKey = func(key string) (model.Path, bool) { return model.Path{int(key[0] - '0')}, true }
	return d, nil
}

func makeWindow(t *testing.T) *Window {
	t.Helper()
	a := test.NewTempApp(t)
	a.Preferences().SetString("export.settings", fmt.Sprintf(`{"folder": %q}`, t.TempDir()))
	return windowWith(t, a, ui.Options{})
}

// windowWith returns a window that opens files as single bytes.
func windowWith(t *testing.T, a fyne.App, o ui.Options) *Window {
	t.Helper()
	w := newWindow(a, work.Inline(context.Background()), ui.Options{
		Keys:       o.Keys,
		OpenSource: made,
		Open: func(ctx context.Context, path string) (*model.Document, error) {
			src, err := model.OpenFile(path)
			if err != nil {
				return nil, err
			}
			d, err := made(ctx, src)
			if err != nil {
				src.Close()
			}
			return d, err
		},
		Samples: []ui.Sample{{Name: "sample.bin", Title: "A sample", Bytes: []byte("sample")}},
		Kinds:   []ui.Kind{{Title: "bytes", Extensions: []string{".bin"}}},
		Version: "1.2.3",
	})
	t.Cleanup(w.group.Close)
	return w
}

func write(t *testing.T, folder, name, content string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func titles(w *Window) []string {
	var all []string
	for _, t := range w.tabs.all {
		all = append(all, t.Title())
	}
	return all
}

func TestFilesAreSupportedByTheirContent(t *testing.T) {
	w := makeWindow(t)
	assert.Nil(t, w.ask.Recognize, "without formats")
	w.options.Recognize = func(src *model.Source) string { return map[string]string{"a": "PNG"}[src.Stem()] }
	assert.True(t, w.isSupported(write(t, t.TempDir(), "a.png", "1")))
	assert.False(t, w.isSupported(write(t, t.TempDir(), "no.png", "1")))
	assert.False(t, w.isSupported(filepath.Join(t.TempDir(), "absent.png")))
}

func TestFilesOpenInTabs(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	one, two := write(t, folder, "one.bin", "111"), write(t, folder, "two.bin", "222")
	w.openFile(one)
	w.openFile(two)
	w.openFile(one)
	assert.Equal(t, []string{"one.bin", "two.bin"}, titles(w), "a file that is open is shown")
	assert.Equal(t, "one.bin", w.tabs.current().Title())
	assert.Equal(t, "one.bin – Assay", w.win.Title())
	w.tabs.selectBeside(1)
	assert.Equal(t, "two.bin", w.tabs.current().Title())
	w.tabs.selectBeside(1)
	assert.Equal(t, "one.bin", w.tabs.current().Title())
	w.opener.openSample(w.options.Samples[0])
	w.tabs.close(w.tabs.all[0])
	assert.Equal(t, "sample.bin", w.tabs.current().Title(), "closing another tab changes nothing")
	w.closeTab(w.tabs.current())
	assert.Equal(t, "two.bin", w.tabs.current().Title())
	w.closeTab(w.tabs.current())
	assert.Nil(t, w.tabs.current())
	assert.Equal(t, "Assay", w.win.Title())
	w.win.Canvas().Capture()
}

func TestFailedOpeningIsReported(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	w.openFile(filepath.Join(folder, "nothing.bin"))
	w.openFile(folder)
	w.openFile(write(t, folder, "empty.bin", ""))
	assert.Empty(t, w.tabs.all)
	require.Len(t, w.notices.Texts(), 3)
	assert.Contains(t, w.notices.Texts()[0], "nothing.bin cannot be opened")
	assert.Contains(t, w.notices.Texts()[1], "a folder")
	assert.Equal(t, "empty.bin is empty.", w.notices.Texts()[2])
	w.win.Canvas().Capture()
}

func TestOpenShowsADialog(t *testing.T) {
	w := makeWindow(t)
	w.askOpen()
	require.NotNil(t, w.win.Canvas().Overlays().Top())
	w.win.Canvas().Capture()
}

func TestLinksOpenTheFileBeside(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	write(t, folder, "other.bin", "0123456")
	w.openFile(write(t, folder, "one.bin", "abc"))
	paneOf(w.tabs.current()).Select(model.Path{1})
	paneOf(w.tabs.current()).Follow()
	assert.Equal(t, "other.bin", w.tabs.current().Title())
	assert.EqualValues(t, 2, paneOf(w.tabs.current()).Selection().Offset, "and its key is selected")
}

func TestChangedFileOffersToReload(t *testing.T) {
	w := makeWindow(t)
	path := write(t, t.TempDir(), "one.bin", "0123456789")
	w.openFile(path)
	paneOf(w.tabs.current()).Select(model.Path{5})
	require.NoError(t, os.WriteFile(path, []byte("01234567"), 0o600))
	require.NoError(t, os.Chtimes(path, time.Time{}, time.Unix(1e9, 0)))
	w.lookForChanges(w.tabs.current())
	require.Len(t, w.notices.Texts(), 1)
	assert.Contains(t, w.notices.Texts()[0], "shrank on disk from 10 to 8 bytes")
	w.lookForChanges(w.tabs.current())
	assert.Len(t, w.notices.Texts(), 1)
	w.Key(&fyne.KeyEvent{Name: fyne.KeyF5}, false)
	assert.Empty(t, w.notices.Texts())
	assert.EqualValues(t, 8, paneOf(w.tabs.current()).Document().Source.Size())
	assert.EqualValues(t, 5, paneOf(w.tabs.current()).Selection().Offset)

	require.NoError(t, os.Remove(path))
	w.lookForChanges(w.tabs.current())
	require.Len(t, w.notices.Texts(), 1)
	assert.Contains(t, w.notices.Texts()[0], "was deleted or moved")
	w.tabs.current().(*docTab).reload()
	assert.NotNil(t, paneOf(w.tabs.current()), "what was read stays")
	assert.Contains(t, w.notices.Texts()[len(w.notices.Texts())-1], "Showing the version loaded earlier")
}

// The actions are those of the window, of scenes, and of lists.
func TestEveryCommandHasAnAction(t *testing.T) {
	w := makeWindow(t)
	w.opener.openSample(w.options.Samples[0])
	scene := partOf[*preview.Preview](w.tabs.current()).Viewport().Commands().Actions
	git := []command.ID{"compare.git-head", "compare.git-revision"}
	for _, c := range command.All() {
		a, ofWindow := w.commands.Actions[c.ID]
		_, ofScene := scene[c.ID]
		switch {
		case c.Scope == command.Scene:
			assert.True(t, ofScene && !ofWindow, c.ID)
		case c.Scope > command.Scene:
			assert.False(t, ofScene || ofWindow, c.ID)
		default:
			assert.True(t, ofWindow && (a.Do != nil || a.Submenu != nil) || slices.Contains(git, c.ID), c.ID)
			assert.True(t, slices.Contains(command.Menus, c.Menu) || c.Node+c.Bytes+c.Tab > 0 || c.Keys != "",
				"%s can be reached", c.ID)
		}
	}
	for id := range w.commands.Actions {
		assert.Equal(t, id, command.ByID(id).ID)
	}
	for id := range scene {
		assert.Equal(t, id, command.ByID(id).ID)
	}
}

// TestKeysAreUniqueInATab tests the keys of a document, in a comparison and without a tab.
func TestKeysAreUniqueInATab(t *testing.T) {
	w := makeWindow(t)
	w.opener.openSample(w.options.Samples[0])
	s := compared.Document(paneOf(w.tabs.current()).Document(), "sample", "")
	w.comparer.CompareSides(s, s)
	for _, tab := range append(w.tabs.all, nil) {
		seen := map[command.Key]command.ID{}
		for id, a := range w.commands.Actions {
			for _, key := range w.commands.Keys.Of(id) {
				if a.Enabled(tab) {
					assert.Empty(t, seen[key], "%s has the key of another one: %v", id, key)
					seen[key] = id
				}
			}
		}
		assert.EqualValues(t, "file.open", seen[command.Key{Name: fyne.KeyO, Modifier: fyne.KeyModifierControl}])
	}
}

func TestShortcutsAreListed(t *testing.T) {
	w := makeWindow(t)
	w.Key(&fyne.KeyEvent{Name: fyne.KeyF1}, false)
	require.NotNil(t, w.list)
	assert.Greater(t, len(w.list.Items()), 100)
	w.list.Field().SetText("smaller")
	require.Len(t, w.list.Items(), 1)
	before := w.prefs.textSize()
	w.list.Field().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.Less(t, w.prefs.textSize(), before)
}

// TestEveryKeyOnThePageDoesSomething presses each key of the window's commands in a tab that enables it.
func TestEveryKeyOnThePageDoesSomething(t *testing.T) {
	w := packWindow(t, "a text of assets")
	document := w.tabs.current()
	s := compared.Document(paneOf(document).Document(), "sample", "")
	w.comparer.CompareSides(s, s)
	both := w.tabs.current()
	path := write(t, t.TempDir(), "one.bin", "1")
	w.comparer.compare([]string{path, path, path}, nil)
	three := w.tabs.current()
	w.notebook.store = notes.StoreIn(t.TempDir())
	w.undo.applied = []step{{}}    // there is something to undo
	w.tabs.closed = closedTabs{{}} // and a tab to reopen
	w.exporting.AddAll(paneOf(document).Document())
	require.NotZero(t, w.exporting.Len())
	document.(*docTab).showDescription(&model.Document{Description: &model.Description{}})
	for _, c := range command.All() {
		a, ok := w.commands.Actions[c.ID]
		if !ok {
			continue
		}
		if c.ID == "help.field" {
			selectField(paneOf(document))
		}
		did := false
		w.commands.Actions[c.ID] = action{IsEnabled: a.IsEnabled, Do: func(Tab) { did = true }}
		for _, k := range w.commands.Keys.Of(c.ID) {
			did = false
			for _, tab := range []Tab{document, both, three, nil} {
				w.commands.Press(k, tab)
			}
			assert.True(t, did, "%s: %s", c.ID, k)
			if w.covered() { // by the list of shortcuts, or by a question about the file to save
				w.closeOverlay()
				w.ask.Dismiss()
			}
		}
		w.commands.Actions[c.ID] = a
	}
}

func TestKeysOfTheUserReplaceTheDefaults(t *testing.T) {
	a := test.NewTempApp(t)
	path := write(t, t.TempDir(), "keys.txt", "file.open = Ctrl+Shift+J\nnonsense\n")
	w := windowWith(t, a, ui.Options{Keys: path})
	assert.Equal(t, "Ctrl+Shift+J", w.Keys().Text("file.open"))
	require.Len(t, w.notices.Texts(), 1)
	assert.Contains(t, w.notices.Texts()[0], "Your shortcuts file has 1 invalid line. Line 2: ")
	for _, item := range w.menus.Menus()[0].Items {
		if item.Label == "Open…" {
			assert.Equal(t, "Ctrl+Shift+J", item.Shortcut.(fmt.Stringer).String())
		}
	}
}

// pressed does what a shortcut does that reaches the canvas: that of tests has none.
func pressed(w *Window, key fyne.KeyName, modifier fyne.KeyModifier) {
	w.commands.Press(command.Key{Name: key, Modifier: modifier}, w.tabs.current())
}

func TestShortcutsRunInTheCurrentTab(t *testing.T) {
	w := makeWindow(t)
	pressed(w, fyne.KeyF, fyne.KeyModifierControl)
	assert.Nil(t, w.win.Canvas().Focused(), "there is nothing to search")
	w.opener.openSample(w.options.Samples[0])
	pressed(w, fyne.KeyF, fyne.KeyModifierControl)
	require.IsType(t, &control.Field{}, w.win.Canvas().Focused())
	inDocument := w.win.Canvas().Focused()
	s := compared.Document(paneOf(w.tabs.current()).Document(), "sample", "")
	w.comparer.CompareSides(s, s)
	pressed(w, fyne.KeyF, fyne.KeyModifierControl)
	require.IsType(t, &control.Field{}, w.win.Canvas().Focused())
	assert.NotSame(t, inDocument, w.win.Canvas().Focused())
}

func TestMenuBarIsOfTheCurrentTab(t *testing.T) {
	w := makeWindow(t)
	disabled := map[string]bool{}
	for _, m := range w.menus.Menus() {
		for _, item := range m.Items {
			disabled[item.Label] = item.Disabled
		}
	}
	assert.True(t, disabled["Copy Path"])
	assert.True(t, disabled["Next Change"])
	assert.False(t, disabled["Open…"])
	for id, a := range w.commands.Actions {
		if !a.Enabled(nil) {
			w.commands.Run(id, nil)
		}
	}
	assert.Empty(t, w.tabs.all)
}

func TestCommandsOnADocument(t *testing.T) {
	w := makeWindow(t)
	for _, c := range command.All() {
		if _, ok := w.commands.Actions[c.ID]; ok && c.Menu != "File" {
			w.opener.openSource(model.NewSource("a", bytes.NewReader([]byte("abc")), 3), "", nil)
			w.commands.Run(c.ID, w.tabs.current())
		}
	}
	w.win.Canvas().Capture()
}

func TestGoToItemFindsTabsAndCommands(t *testing.T) {
	w := makeWindow(t)
	w.opener.openSample(w.options.Samples[0])
	first := w.tabs.current()
	w.opener.openSource(model.NewSource("other.txt", bytes.NewReader([]byte("abc")), 3), "", nil)
	act(t, w, "Go to Item…")
	require.Equal(t, first.Title(), w.list.Items()[0].Name, "open tabs come first")
	w.list.Field().SetText("shortc")
	require.NotEmpty(t, w.list.Items())
	last := w.list.Items()[len(w.list.Items())-1]
	assert.Equal(t, "Keyboard Shortcuts F1", last.Name+" "+last.Note)
	w.list.Field().SetText("theme light")
	require.NotEmpty(t, w.list.Items())
	assert.Equal(t, "Theme: Light", w.list.Items()[0].Name, "what a menu of a menu has")
	path := write(t, t.TempDir(), "typed.bin", "1")
	w.list.Field().SetText(path)
	require.Len(t, w.list.Items(), 1)
	assert.Equal(t, "typed.bin open "+path,
		w.list.Items()[0].Name+" "+w.list.Items()[0].Note+" "+w.list.Items()[0].Where)
	w.list.Field().SetText("zzzz nothing")
	assert.Empty(t, w.list.Items())
	w.list.Field().SetText(first.Title())
	w.list.Field().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.Equal(t, first, w.tabs.current())
}

func TestATextIsFoundInAllOpenFiles(t *testing.T) {
	w := makeWindow(t)
	w.opener.openSource(model.NewSource("one.txt", bytes.NewReader([]byte("a needle")), 8), "", nil)
	w.opener.openSource(model.NewSource("two.txt", bytes.NewReader([]byte("the needle here")), 15), "", nil)
	act(t, w, "Find in Open Files…")
	assert.Empty(t, w.list.Items())
	w.list.Field().SetText("Needle")
	var where []string
	for _, i := range w.list.Items() {
		if i.Note == "bytes" {
			where = append(where, i.Where+" "+i.Name)
		}
	}
	assert.Equal(t, []string{"one.txt: 2 0x2", "two.txt: 4 0x4"}, where)
	w.list.Field().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.Equal(t, "one.txt", w.tabs.current().Title())
	assert.EqualValues(t, 2, paneOf(w.tabs.current()).Selection().Offset)
	act(t, w, "Show Where Used…")
}

func TestGoToItemSelects(t *testing.T) {
	w := makeWindow(t)
	w.opener.openSample(w.options.Samples[0])
	act(t, w, "Go to Item…")
	w.list.Field().SetText("3")
	require.NotEmpty(t, w.list.Items())
	w.list.Field().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.EqualValues(t, 3, paneOf(w.tabs.current()).Selection().Offset)
}

func TestReferencesAreToTheTargetOfAReference(t *testing.T) {
	root := &model.Node{Type: "Bundle", Span: model.Span{Size: 9}}
	to := func(path ...int) *model.Link {
		return &model.Link{Key: "duck", Target: func() (model.Path, bool) { return path, true }}
	}
	node := func(name string, children ...*model.Node) *model.Node {
		n := &model.Node{Name: name, Type: "Node"}
		n.SetChildren(model.List(children))
		return n
	}
	root.SetChildren(model.List{
		node("table", &model.Node{Name: "mesh offset", Role: model.RoleOffset, Link: to(1)},
			&model.Node{Name: "node offset", Role: model.RoleOffset, Link: to(2)}),
		node("mesh", &model.Node{Name: "vertices"}),
		node("node", node("model", &model.Node{Name: "mesh", Link: to(1)})),
	})
	d := model.NewDocument(model.NewSource("s", bytes.NewReader(make([]byte, 9)), 9), "s", "", root)
	w := makeWindow(t)
	w.manual() // a tab to replace
	tab := w.showDocument(w.tabs.current(), request{title: "s"}, w.group.Subgroup(), opening.NewFile(""), d)
	listed := func(path ...int) (names []string) {
		tab.pane.Select(path)
		if w.list != nil {
			w.list.Close()
		}
		w.commands.Run("go.used-by", tab)
		for _, i := range w.list.Items() {
			names = append(names, i.Name)
		}
		return names
	}
	assert.Equal(t, []string{"mesh", "mesh offset"}, listed(1), "who uses the mesh is before its entry in a table")
	assert.Equal(t, []string{"mesh", "mesh offset"}, listed(2, 0, 0), "the mesh, not the node that has the reference")
	assert.Equal(t, "References to duck", w.list.Field().PlaceHolder)
	assert.Equal(t, []string{"mesh", "mesh", "mesh offset"}, listed(1, 0), "a heading says to what")
	assert.Equal(t, "contains vertices", w.list.Items()[0].Note)
	assert.Empty(t, listed(0))
}

func TestThemeAndTextSizeAreStored(t *testing.T) {
	w := makeWindow(t)
	w.setMode(paint.Light)
	assert.Equal(t, paint.Light, w.prefs.mode())
	w.resizeText(5)
	assert.EqualValues(t, paint.DefaultTextSize+5, w.style.TextSize)
	w.resizeText(100)
	assert.EqualValues(t, paint.LargestText, w.style.TextSize)
	w.resizeText(0)
	assert.EqualValues(t, paint.DefaultTextSize, w.style.TextSize)
	w.opener.openSample(w.options.Samples[0])
	l := paneOf(w.tabs.current()).Layout()
	l.TreeWidth = 0.44
	paneOf(w.tabs.current()).SetLayout(l)
	w.closeTab(w.tabs.current())
	w.opener.openSample(w.options.Samples[0])
	assert.InDelta(t, 0.44, paneOf(w.tabs.current()).Layout().TreeWidth, 1e-9)
}

func TestPreviewSizeIsStoredByKind(t *testing.T) {
	w := makeWindow(t)
	open := func(v model.View) *docTab {
		d := model.NewDocument(model.NewSource("s", bytes.NewReader([]byte("12")), 2), "s", "",
			&model.Node{Type: "S", Span: model.Span{Size: 2}})
		d.View = func(context.Context, *model.Node) (model.View, error) { return v, nil }
		w.manual() // a tab to replace
		return w.showDocument(w.tabs.current(), request{title: "s"}, w.group.Subgroup(), opening.NewFile(""), d)
	}
	picture := model.Picture{Image: image.NewRGBA(image.Rect(0, 0, 2, 2))}
	first := open(picture)
	assert.True(t, first.pane.Large.Has(first.preview), "a picture is looked at")
	assert.True(t, w.commands.Actions[command.LargePreview].IsChecked(first))
	assert.False(t, open(&content.Bytes{}).preview.IsLarge(), "bytes are read in the hex view")
	w.commands.Run(command.LargePreview, first)
	assert.False(t, first.pane.Large.Has(first.preview))
	assert.Equal(t, doc.Panel(first.preview), first.pane.Side.Panel())
	assert.False(t, open(picture).preview.IsLarge(), "as chosen")
}

func TestClosingEndsTheWork(t *testing.T) {
	a := test.NewTempApp(t)
	began, ended := make(chan bool), make(chan bool)
	w := newWindow(a, work.New(context.Background()),
		ui.Options{OpenSource: func(ctx context.Context, src *model.Source) (*model.Document, error) {
			close(began)
			<-ctx.Done()
			close(ended)
			return nil, ctx.Err()
		}})
	w.opener.progressDelay = time.Hour // the progress would be displayed from another goroutine here
	w.opener.openSource(model.NewSource("endless", bytes.NewReader([]byte("x")), 1), "", nil)
	<-began
	require.Len(t, w.tabs.all, 1)
	w.win.Canvas().Capture()
	w.tabs.close(w.tabs.all[0])
	<-ended
	assert.Empty(t, w.tabs.all)
	assert.Empty(t, w.notices.Texts())
}

func TestFileWithANameThatIsNotUTF8(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "te\x83X.bin")
	if err := os.WriteFile(path, []byte("111"), 0o600); err != nil || runtime.GOOS == "windows" {
		t.Skipf("SKIPPED: this file system has no names that are not UTF-8: %v", err)
	}
	w.openFile(path)
	assert.Equal(t, []string{`te\x83X.bin`}, titles(w))
	assert.Equal(t, `te\x83X.bin – Assay`, w.win.Title())
	w.openFile(filepath.Join(folder, "no\x83.bin"))
	assert.Contains(t, w.notices.Texts()[0], `no\x83.bin cannot be opened`)
	w.win.Canvas().Capture()
}

func TestAltAndALetterOpenAMenu(t *testing.T) {
	w := makeWindow(t)
	pressed(w, fyne.KeyF, fyne.KeyModifierAlt)
	require.True(t, w.covered())
	w.win.Canvas().Focused().TypedRune('q') // Quit
	assert.False(t, w.covered())
	assert.True(t, w.workEnded)
}

func TestF10OpensTheMenuBarAlsoFromAField(t *testing.T) {
	w := makeWindow(t)
	w.opener.openSample(w.options.Samples[0])
	pressed(w, fyne.KeyF, fyne.KeyModifierControl)
	field := w.win.Canvas().Focused()
	field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF10})
	require.True(t, w.covered())
	w.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	assert.False(t, w.covered())
	assert.Same(t, field, w.win.Canvas().Focused())
}

func TestEscapeClosesTheLatestNotice(t *testing.T) {
	w := makeWindow(t)
	w.opener.openSample(w.options.Samples[0])
	w.showStack()
	w.Notify(host.Notice{Text: "Another."})
	require.Len(t, w.notices.Texts(), 2)
	w.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	require.Len(t, w.notices.Texts(), 1)
	assert.Contains(t, w.notices.Texts()[0], "Load Order")
	w.win.Canvas().Unfocus()
	w.Key(&fyne.KeyEvent{Name: fyne.KeyEscape}, false)
	assert.Empty(t, w.notices.Texts())
	assert.False(t, w.Key(&fyne.KeyEvent{Name: fyne.KeyEscape}, false))
}

func TestAltAloneReachesTheMenuBar(t *testing.T) {
	w := makeWindow(t)
	if w.menus == nil {
		t.Skip("the menu bar is the system's")
	}
	w.openFile(write(t, t.TempDir(), "one.bin", "111"))
	in, ok := w.win.Canvas().Focused().(desktop.Keyable)
	require.True(t, ok)
	alt, other := &fyne.KeyEvent{Name: desktop.KeyAltLeft}, &fyne.KeyEvent{Name: fyne.KeyX}
	hidden := false
	w.SetOverlay(func() { hidden = true })
	in.KeyDown(alt)
	assert.True(t, hidden, "a tip goes with the next key")
	assert.False(t, w.Key(alt, false), "nothing is known yet")
	in.KeyDown(other)
	in.KeyUp(other)
	in.KeyUp(alt)
	assert.Nil(t, w.win.Canvas().Overlays().Top(), "it was not alone")
	in.KeyDown(alt)
	in.FocusLost()
	in.KeyUp(alt)
	assert.Nil(t, w.win.Canvas().Overlays().Top(), "it was Alt+Tab")
	in.KeyDown(alt)
	in.KeyUp(alt)
	assert.NotNil(t, w.win.Canvas().Overlays().Top())
}

func TestLargeTextFitsIntoASmallWindow(t *testing.T) {
	w := makeWindow(t)
	w.win.Resize(fyne.NewSize(800, 600))
	w.openFile(write(t, t.TempDir(), "a name that is longer than there is room for.bin", "1"))
	for range 8 {
		w.resizeText(1)
	}
	assert.LessOrEqual(t, w.win.Content().MinSize().Width, float32(800))
}

func TestADocumentFitsHalfAScreen(t *testing.T) {
	w := packWindow(t, "abc")
	const half, high = 600, 700 // of a screen of 1200
	for _, wide := range []float32{1200, half, 800} {
		w.win.Resize(fyne.NewSize(wide, high))
		pane := paneOf(w.tabs.current())
		require.NotNil(t, pane)
		for _, title := range []string{"Preview", "Inspector", "Export"} {
			pane.Side.ShowTitled(title)
			assert.LessOrEqual(t, w.win.Content().MinSize().Width, float32(half), title)
		}
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(pane.Side.Panel().Content())
		assert.LessOrEqual(t, at.X+pane.Side.Panel().Content().Size().Width, wide, "what is at the right is not cut")
		centre := pane.Center.Panel().Content().Size().Width
		if wide > half {
			assert.GreaterOrEqual(t, centre, float32(345), "eight bytes")
		}
	}
}

func paneOf(t Tab) *doc.Pane { return partOf[*doc.Pane](t) }

func comparisonOf(t Tab) *comparison.Comparison { return partOf[*comparison.Comparison](t) }

func documentOf(t Tab) *model.Document { return partOf[*model.Document](t) }

func TestDisabledCommandsOfADocumentSayWhy(t *testing.T) {
	w := makeWindow(t)
	w.openFile(write(t, t.TempDir(), "a.bin", "\x00\xff\x00\xff"))
	for id, want := range map[command.ID]string{"go.assets": "This file has no assets.",
		"go.text": "This file is not text.", "go.description": "This file has no description."} {
		a := w.commands.Actions[id]
		require.False(t, a.Enabled(w.tabs.current()), id)
		assert.Equal(t, want, a.Why(w.tabs.current()))
		assert.Empty(t, a.Why(nil))
	}
}
