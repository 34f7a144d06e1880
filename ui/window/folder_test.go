package window

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/folder"
	"assay/model/modeltest"
	"assay/ui"
	"assay/ui/control"
	"assay/ui/desktop"
	"assay/ui/opening"
	"assay/ui/work"
)

// folderFiles are two files of a known format, and one of an unknown one.
var folderFiles = map[string]string{"a.bin": "first", "deep/b.bin": "second", "notes.txt": "x"}

func folderWindow(t *testing.T) (*Window, *folderTab) {
	t.Helper()
	w := packWindow(t, "abc")
	w.options.Recognize = func(src *model.Source) string {
		if filepath.Ext(src.Name()) == ".bin" {
			return "binary"
		}
		return ""
	}
	w.comparer.openFiles([]string{modeltest.Folder(t, folderFiles)}, false)
	f, ok := w.tabs.current().(*folderTab)
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
	assert.Equal(t, "b.bin", w.tabs.current().Title())
	assert.EqualValues(t, 3, paneOf(w.tabs.current()).Selection().Offset)
	w.RevealAsset(filepath.Join(f.Root(), "deep", "b.bin"), 99)
	assert.EqualValues(t, 3, paneOf(w.tabs.current()).Selection().Offset, "there is no such asset any more")
}

func TestAFolderComesBack(t *testing.T) {
	w, f := folderWindow(t)
	saved, ok := f.savedTab(false)
	require.True(t, ok)
	assert.Equal(t, desktop.Tab{Kind: folderTabKind, Files: []string{f.Root()}}, saved)
	w.tabs.close(f)
	sleeping := &suspendedTab{saved: saved}
	assert.Equal(t, filepath.Base(f.Root())+"/", sleeping.Title())
	w.tabs.put(sleeping)
	w.openFolder(f.Root(), nil)
	again, ok := w.tabs.current().(*folderTab)
	require.True(t, ok)
	_, facts := again.Status()
	assert.Equal(t, "2 files supported, 1 other", facts[0].Text)
}

// inProject opens bytes as made does; the folder of the file is its project.
func inProject(ctx context.Context, src *model.Source) (*model.Document, error) {
	d, err := made(ctx, src)
	if err == nil && src.Home() != "" {
		d.Project = filepath.Dir(src.Home())
	}
	return d, err
}

func TestTheResourceFolderOfAProject(t *testing.T) {
	a := test.NewTempApp(t)
	w := newWindow(a, work.Inline(context.Background()), ui.Options{OpenSource: inProject,
		Open: func(ctx context.Context, path string) (*model.Document, error) {
			return model.OpenDocument(ctx, path, "", inProject)
		}})
	t.Cleanup(w.group.Close)
	folder := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "other"), 0o755))
	one, two := write(t, folder, "one.bin", "111"), write(t, folder, "two.bin", "222")
	far := write(t, filepath.Join(folder, "other"), "far.bin", "333")
	w.openFile(one)
	w.openFile(two)
	w.openFile(far)
	nested, err := (&model.Payload{Name: "inside", Size: 2, Stored: model.Span{Size: 2}}).Nested(context.Background(),
		paneOf(w.tabs.all[0]).Document().Source, 100)
	require.NoError(t, err)
	w.opener.openSource(nested, "", nil)
	require.Len(t, w.tabs.all, 4)
	chosen := func() (all []string) {
		for _, tab := range w.tabs.all {
			all = append(all, paneOf(tab).Document().Source.Resources())
		}
		return all
	}
	assert.True(t, canReferToFiles(w.tabs.all[0]))
	assert.False(t, hasResources(w.tabs.all[0]))

	opening.Resources.Set(filepath.Join(folder, "other"), "/far")
	w.rereadResources()
	assert.Equal(t, []string{"", "", "/far", ""}, chosen())
	opening.Resources.Set(folder, "/assets")
	w.rereadResources()
	assert.Equal(t, []string{"/assets", "/assets", "/far", "/assets"}, chosen(), "the nearest project's own wins")
	assert.True(t, hasResources(w.tabs.all[0]))
	w.closeTab(w.tabs.all[1])
	w.openFile(two)
	assert.Equal(t, "/assets", paneOf(w.tabs.current()).Document().Source.Resources(), "it is remembered")
	w.forgetResources(paneOf(w.tabs.all[0]).Document())
	assert.Equal(t, []string{"", "/far", "", ""}, chosen())

	w.askResources(paneOf(w.tabs.all[0]).Document())
	assert.NotNil(t, w.win.Canvas().Overlays().Top(), "a folder is asked for")
}

func TestResourceFolderOfAPreviewInAFolder(t *testing.T) {
	w, f := folderWindow(t)
	w.options.OpenSource = inProject
	w.options = opening.WithResources(w.options)
	open := w.options.Open
	var looked []string
	w.options.Open = func(ctx context.Context, path string) (*model.Document, error) {
		looked = append(looked, filepath.Base(path))
		d, err := open(ctx, path)
		if err == nil {
			d.Project = filepath.Dir(path)
		}
		return d, err
	}
	w.tabs.close(f)
	w.openFolder(f.Root(), nil)
	f, _ = w.tabs.current().(*folderTab)
	assert.False(t, canReferToFiles(f), "nothing is shown")
	f.List().OnSelect(model.Path{1}, nil)
	require.NotNil(t, f.Document())
	assert.True(t, canReferToFiles(f))
	assert.False(t, hasResources(f))
	require.NotNil(t, f.Preview().OnResources, "the preview offers it")
	f.Preview().OnResources(documentOf(f))
	assert.NotNil(t, w.win.Canvas().Overlays().Top(), "a folder is asked for")

	looked = nil
	opening.Resources.Set(filepath.Join(f.Root(), "deep"), "/assets")
	w.rereadResources()
	assert.Equal(t, []string{"b.bin", "b.bin"}, looked, "problems are counted again where files may be found now")
	assert.Equal(t, "/assets", f.Document().Source.Resources())
	assert.True(t, hasResources(f))
	before := f.Document()
	w.rereadResources()
	assert.Same(t, before, f.Document(), "it is not read again for nothing")
	w.forgetResources(documentOf(f))
	assert.Empty(t, f.Document().Source.Resources())
}

func TestGoToItemFindsFilesOfTheFolder(t *testing.T) {
	w, f := folderWindow(t)
	name := f.Found()[0].Name
	for _, query := range []string{name, strings.ToUpper(name[:4])} {
		listed := w.fileItems(f.Found(), query)
		require.NotEmpty(t, listed, query)
		assert.Equal(t, name, listed[0].Name)
	}
	assert.Empty(t, w.fileItems(f.Found(), " "))
	assert.Equal(t, "in deep", w.fileItems([]folder.File{{Name: "deep/in"}}, "deep/")[0].Name+" deep")
	act(t, w, "Go to Item…")
	w.list.Field().SetText(name)
	require.NotEmpty(t, w.list.Items())
	assert.Equal(t, name+" file", w.list.Items()[0].Name+" "+w.list.Items()[0].Note)
	w.list.Items()[0].On()
	assert.Equal(t, f.Found()[0].Path, w.tabs.current().(*docTab).pane.Document().Source.Path())
}

func TestAFolderThatIsClosedAtTheEndChangesNoTitle(t *testing.T) {
	w, f := folderWindow(t)
	titles := 0
	w.tabs.onTitle = func(string) { titles++ }
	f.Changed()
	require.Equal(t, 1, titles)
	w.end()
	assert.Equal(t, 1, titles)
}

func TestBackLeadsFromAFileToItsFolder(t *testing.T) {
	w, f := folderWindow(t)
	open := func() Tab {
		w.tabs.reveal(f)
		w.opener.openFile(filepath.Join(f.Root(), "a.bin"), nil)
		require.IsType(t, new(docTab), w.tabs.current())
		return w.tabs.current()
	}
	w.commands.Run("go.back", open())
	assert.Same(t, f, w.tabs.current())
	w.commands.Run("go.forward", f)
	assert.IsType(t, new(docTab), w.tabs.current(), "forward to the file")
	w.commands.Run("go.back", w.tabs.current())
	path, _ := open().Status()
	assert.Equal(t, f.Title(), path[0].Text)
	path[0].On()
	assert.Same(t, f, w.tabs.current(), "the status line leads there too")
	file := open()
	w.tabs.close(f)
	w.commands.Run("go.back", file)
	assert.Same(t, file, w.tabs.current(), "the folder is closed")
	assert.Empty(t, w.tabs.origins)
	assert.Empty(t, w.tabs.forward)
}

func TestAnAssetHasOneTabAndBackLeadsToTheList(t *testing.T) {
	w := packWindow(t, "abc")
	pack := w.tabs.current().(*docTab)
	pack.pane.Select(model.Path{2})
	w.commands.Run("go.open-asset", pack)
	asset := w.tabs.current()
	require.NotEqual(t, Tab(pack), asset)
	n := len(w.tabs.all)
	w.commands.Run("go.back", asset)
	assert.Equal(t, Tab(pack), w.tabs.current())
	w.commands.Run("go.open-asset", pack)
	assert.Equal(t, asset, w.tabs.current())
	assert.Len(t, w.tabs.all, n, "the tab of the asset is shown again")
	pack.pane.Center.Show(pack.assets)
	pack.pane.Focus()
	w.commands.Run("go.back", asset)
	tree := w.win.Canvas().Focused()
	pack.pane.Focus()
	assert.NotSame(t, w.win.Canvas().Focused(), tree, "the list of assets has the keyboard, not the tree")
}

func TestFindAllInAListOfAssetsFindsTheTextOfItsFilter(t *testing.T) {
	w := packWindow(t, "abc")
	pack := w.tabs.current().(*docTab)
	pack.pane.Center.Show(pack.assets)
	w.commands.Run("edit.find", pack)
	field := w.win.Canvas().Focused().(*control.Field)
	field.SetText("b")
	w.commands.Run("edit.find-all", pack)
	assert.NotSame(t, field, w.win.Canvas().Focused())
	assert.Equal(t, "b", w.win.Canvas().Focused().(*control.Field).Text)
	var labels []string
	for _, o := range test.LaidOutObjects(pack.Content()) {
		if c, ok := o.(*control.Caption); ok {
			labels = append(labels, c.Text)
		}
	}
	assert.Contains(t, labels, "1 match")
}
