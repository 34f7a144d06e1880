package ask

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// bad is a name that is not valid Unicode on this system: on Windows names are UTF-16.
var bad = func() string {
	if runtime.GOOS == "windows" {
		return "bad\ufffd.gpb"
	}
	return "bad\xff.gpb"
}()

// pick opens a picker in a folder with some files. picked returns the picked paths.
func pick(t *testing.T, folders bool) (p *picker, folder string, picked *[]string, w *window) {
	t.Helper()
	a, w := asker(t)
	a.window.Resize(fyne.NewSize(800, 600))
	a.Extensions = []string{".gpb"}
	folder = t.TempDir()
	for _, name := range []string{"b.gpb", "A.GPB", "notes.txt", ".hidden.gpb", bad} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte("12345"), 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(folder, "models"), 0o700))
	picked = new([]string)
	p = newPicker(a, question{title: "Open", directory: folders, extensions: a.Extensions},
		func(path string) { *picked = append(*picked, path) })
	p.begin(a, folder)
	return p, folder, picked, w
}

func names(p *picker) (all []string) {
	for _, e := range p.list.Items {
		all = append(all, e.name)
	}
	return all
}

func enter(p *picker, path string) {
	p.path.SetText(path)
	p.path.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
}

func TestKnownFilesAreListedFirst(t *testing.T) {
	p, _, _, _ := pick(t, false)
	assert.Equal(t, []string{"models", "A.GPB", "b.gpb", bad}, names(p))
	p.kinds.SetSelected(allKinds)
	assert.Contains(t, names(p), "notes.txt")
	assert.Contains(t, names(p), ".hidden.gpb")
	assert.Equal(t, "5 B", p.list.Cell(p.list.Len()-1, 1).Text)
}

func TestFolderOfOtherFilesHasAMessage(t *testing.T) {
	p, folder, _, _ := pick(t, false)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "models", "x.txt"), nil, 0o600))
	p.list.OnActivate(0)
	assert.Equal(t, filepath.Join(folder, "models"), p.folder)
	assert.Empty(t, names(p))
	assert.Contains(t, p.message.Text, "1 file of other types")
	p.Key(&fyne.KeyEvent{Name: fyne.KeyBackspace}, false)
	assert.Equal(t, folder, p.folder)
	assert.Empty(t, p.message.Text)
}

func TestANameIsAcceptedBeforeTheFolderIsListed(t *testing.T) {
	a, _ := asker(t)
	folder := t.TempDir()
	p := newPicker(a, question{title: "Save", name: "a.ksy"}, nil)
	p.showFolderPath(folder)
	assert.Equal(t, filepath.Join(folder, "a.ksy"), p.typed())
}

func TestAPathIsTypedOrPasted(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home) // on Windows
	require.NoError(t, os.WriteFile(filepath.Join(home, "h.bin"), nil, 0o600))
	p, folder, picked, _ := pick(t, false)
	enter(p, folder+"/nowhere.gpb")
	assert.Contains(t, p.message.Text, " does not exist")
	require.Empty(t, *picked)
	address := "file:///" + strings.TrimPrefix(filepath.ToSlash(folder), "/")
	for _, path := range []string{"b.gpb", `"` + folder + `/b.gpb"`, " models/../b.gpb ", address + "/b.gpb"} {
		enter(p, path)
		assert.Equal(t, filepath.Join(folder, "b.gpb"), (*picked)[len(*picked)-1], path)
	}
	assert.Len(t, *picked, 4)
	enter(p, "~/h.bin")
	assert.Equal(t, filepath.Join(home, "h.bin"), (*picked)[4], "also of another kind")
	assert.Equal(t, home, p.folder, "the list follows")
	p.path.SetText(folder + "/")
	enter(p, "models")
	assert.Equal(t, filepath.Join(folder, "models"), p.folder)
	assert.Len(t, *picked, 5)
	assert.NotContains(t, p.message.Text, "Open Folder")
	p.pathKey(&fyne.KeyEvent{Name: fyne.KeyReturn}, false)
	assert.Contains(t, p.message.Text, "Open Folder opens the folder itself", "Enter in the same folder again")
}

func TestTheListFollowsTheTypedPath(t *testing.T) {
	p, folder, picked, _ := pick(t, false)
	other := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(other, "duck.gpb"), []byte("1"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(other, "duck_2.gpb"), []byte("1"), 0o600))
	slash := string(filepath.Separator)
	p.path.SetText(other + slash)
	assert.Equal(t, []string{"duck.gpb", "duck_2.gpb"}, names(p))
	p.path.SetText(other + slash + "d")
	assert.True(t, p.path.AcceptsTab())
	p.path.TypedKey(&fyne.KeyEvent{Name: fyne.KeyTab})
	assert.Equal(t, other+slash+"duck", p.path.Text, "as far as the names agree")
	p.path.SetText(folder + slash + "mo")
	p.path.TypedKey(&fyne.KeyEvent{Name: fyne.KeyTab})
	assert.Equal(t, folder+slash+"models"+slash, p.path.Text)
	assert.Empty(t, names(p))
	p.path.SetText(folder + slash + "none")
	assert.False(t, p.path.AcceptsTab())
	assert.Equal(t, "No name contains “none”.", p.message.Text)
	if runtime.GOOS != "windows" {
		enter(p, folder+"/"+other+"/duck.gpb")
		assert.Equal(t, []string{filepath.Join(other, "duck.gpb")}, *picked, "a path behind the proposed folder")
	}
}

func TestRowsWithUnusualNamesAreChosen(t *testing.T) {
	p, folder, picked, _ := pick(t, false)
	p.path.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	p.list.SetCurrent(3)
	p.list.OnCurrent(3)
	assert.Equal(t, model.EncodePath(filepath.Join(folder, bad)), p.path.Text)
	p.path.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.Equal(t, []string{filepath.Join(folder, bad)}, *picked)
}

func TestAFolderIsPicked(t *testing.T) {
	p, folder, picked, _ := pick(t, true)
	assert.Equal(t, []string{"models"}, names(p))
	enter(p, "models")
	assert.Equal(t, []string{filepath.Join(folder, "models")}, *picked)
	p.list.OnActivate(0)
	assert.Equal(t, "This folder is empty.", p.message.Text)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "models", "x.txt"), nil, 0o600))
	p.up()
	p.list.OnActivate(0)
	assert.Equal(t, "No subfolders. 1 file hidden.", p.message.Text)
	p.choose(filepath.Join(folder, "b.gpb"), true)
	assert.Contains(t, p.message.Text, "is not a folder")
}

func TestAFileIsSavedUnderAName(t *testing.T) {
	a, _ := asker(t)
	a.window.Resize(fyne.NewSize(800, 600))
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "models"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "old.png"), []byte("1"), 0o600))
	var picked []string
	begin := func() *picker {
		p := newPicker(a, question{title: "Save", name: "new.png"}, func(path string) { picked = append(picked, path) })
		p.begin(a, folder)
		return p
	}
	p := begin()
	assert.Equal(t, filepath.Join(folder, "new.png"), p.path.Text)
	assert.Equal(t, []string{"models", "old.png"}, names(p), "all kinds")
	p.list.OnCurrent(0)
	assert.Equal(t, filepath.Join(folder, "new.png"), p.path.Text, "a folder is not a name")
	p.list.OnActivate(0)
	assert.Equal(t, filepath.Join(folder, "models", "new.png"), p.path.Text, "it is offered in each folder")
	p.path.SetText(filepath.Join(folder, "models", "other.png"))
	p.up()
	assert.Equal(t, filepath.Join(folder, "other.png"), p.path.Text, "and so is what was typed")
	p.path.SetText(filepath.Join(folder, "models", "new.png"))
	p.path.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.Equal(t, []string{filepath.Join(folder, "models", "new.png")}, picked)
	assert.False(t, a.Dismiss(), "the dialog is closed")

	p = begin()
	enter(p, filepath.Join(folder, "nowhere", "x.png"))
	assert.Contains(t, p.message.Text, " does not exist")
	enter(p, filepath.Join(folder, "old.png"))
	assert.Equal(t, "old.png already exists. Save again to replace it.", p.message.Text)
	assert.Len(t, picked, 1)
	enter(p, filepath.Join(folder, "old.png"))
	assert.Equal(t, filepath.Join(folder, "old.png"), picked[1])
}

func TestFilesAreListedByTheirContent(t *testing.T) {
	a, _ := asker(t)
	a.window.Resize(fyne.NewSize(800, 600))
	folder := t.TempDir()
	for _, name := range []string{"a.png", "b.gpb", "c.txt", ".d.png"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte("1"), 0o600))
	}
	var asked []string
	recognize := func(path string) bool {
		asked = append(asked, filepath.Base(path))
		return filepath.Ext(path) == ".png"
	}
	p := newPicker(a, question{title: "Open", extensions: []string{".gpb"}, recognize: recognize}, nil)
	p.begin(a, folder)
	assert.Equal(t, []string{"a.png", "b.gpb"}, names(p))
	assert.Equal(t, []string{"a.png", "c.txt"}, asked)
	p.path.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	p.path.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	p.update(p.entries)
	assert.Equal(t, 1, p.list.Current())
	a.Described = func() []string { return []string{".png"} }
	q := a.withExtensions(question{extensions: []string{".gpb"}, recognize: recognize})
	assert.Equal(t, []string{".gpb", ".png"}, q.extensions, "the desktop's dialog goes by name")
}

func TestATypedPartOfANameFiltersTheList(t *testing.T) {
	p, folder, picked, _ := pick(t, false)
	start := folder + string(filepath.Separator)
	down, enterKey := &fyne.KeyEvent{Name: fyne.KeyDown}, &fyne.KeyEvent{Name: fyne.KeyReturn}
	p.path.SetText(start + ".GP")
	assert.Equal(t, []string{"A.GPB", "b.gpb", bad}, names(p))
	p.path.TypedKey(down)
	assert.Equal(t, filepath.Join(folder, "A.GPB"), p.path.Text)
	assert.Equal(t, len(filepath.Join(folder, "A.GPB")), p.path.CursorColumn)
	assert.Len(t, names(p), 3, "the list stays")
	p.path.TypedKey(down)
	p.path.TypedKey(enterKey)
	assert.Equal(t, []string{filepath.Join(folder, "b.gpb")}, *picked)
	enter(p, start+"ad")
	assert.Equal(t, filepath.Join(folder, bad), (*picked)[1], "the only match")
	p.path.SetText(start + "note")
	assert.Empty(t, names(p))
	assert.Equal(t, "1 file of other types hidden. Choose All files to list them.", p.message.Text)
	p.path.SetText(start + "xyz")
	assert.Equal(t, "No name contains “xyz”.", p.message.Text)
	enter(p, start+"b")
	assert.Contains(t, p.message.Text, " does not exist", "two names contain it")
	enter(p, start+"DEL")
	assert.Equal(t, filepath.Join(folder, "models"), p.folder)
	assert.Equal(t, filepath.Join(folder, "models")+string(filepath.Separator), p.path.Text)
	assert.Len(t, *picked, 2)
}
