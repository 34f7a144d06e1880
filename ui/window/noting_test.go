package window

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/notes"
	"assay/ui"
	"assay/ui/command"
	"assay/ui/control"
	"assay/ui/work"
)

// notingWindow returns a window that keeps notes in a folder, with a file of four nodes of a byte.
func notingWindow(t *testing.T, kept, path string) (*Window, *docTab) {
	t.Helper()
	w := newWindow(test.NewTempApp(t), work.Inline(context.Background()), ui.Options{OpenSource: made,
		Notes: notes.StoreIn(kept), Open: func(ctx context.Context, path string) (*model.Document, error) {
			return model.OpenDocument(ctx, path, "", made)
		}})
	t.Cleanup(w.group.Close)
	w.win.Resize(fyne.NewSize(900, 700))
	w.openFile(path)
	return w, w.tabs.current().(*docTab)
}

// enter types a sentence into the field that has the keyboard, and presses Enter.
func enter(t *testing.T, w *Window, text string) {
	t.Helper()
	field, ok := w.win.Canvas().Focused().(*control.Field)
	require.True(t, ok, "the sentence has the keyboard")
	field.SetText(text)
	field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.False(t, w.covered())
}

// texts returns the texts of the notes of a tab.
func texts(tab *docTab) (all []string) {
	for _, n := range tab.pane.Notes().All() {
		text := n.Text + " " + n.Node
		if n.Earlier {
			text += " earlier"
		}
		all = append(all, text)
	}
	return all
}

func TestNotesAreAddedEditedAndUndone(t *testing.T) {
	folder := t.TempDir()
	path := write(t, folder, "a.bin", "1234")
	w, tab := notingWindow(t, filepath.Join(folder, "notes"), path)
	run := func(id string) { w.commands.Run(command.ID(id), tab) }
	tab.pane.Select(model.Path{1})
	run("note.edit")
	enter(t, w, "look here")
	assert.Equal(t, []string{"look here /1"}, texts(tab))
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "1234", string(b), "nothing is written into the file")
	_, facts := tab.Status()
	assert.Equal(t, "1 note", facts[3].Text)

	w.openFile(write(t, folder, "copy.bin", "1234"))
	other := w.tabs.current().(*docTab)
	assert.Equal(t, []string{"look here /1"}, texts(other), "the same bytes")
	w.tabs.reveal(tab)
	run("note.edit")
	enter(t, w, "look there")
	assert.Equal(t, []string{"look there /1"}, texts(tab), "the one that is there is changed")
	assert.Equal(t, []string{"look there /1"}, texts(other), "in all tabs")
	assert.Equal(t, "Undo Edit Note on 1", w.undo.name())
	run("note.delete")
	assert.Empty(t, texts(tab))
	assert.False(t, w.commands.Actions["note.delete"].Enabled(tab))
	for _, want := range [][]string{{"look there /1"}, {"look here /1"}, nil} {
		run("edit.undo")
		assert.Equal(t, want, texts(tab))
		assert.Equal(t, want, texts(other))
	}
	assert.False(t, w.commands.Actions["edit.undo"].Enabled(tab))
}

func TestNextNoteWrapsAroundAndTheListOpensTheFile(t *testing.T) {
	folder := t.TempDir()
	w, tab := notingWindow(t, filepath.Join(folder, "notes"), write(t, folder, "a.bin", "1234"))
	for _, i := range []int{3, 1} {
		tab.pane.Select(model.Path{i})
		w.commands.Run("note.edit", tab)
		enter(t, w, "")
	}
	tab.pane.Select(model.Path{})
	for _, want := range []string{"/1", "/3", "/1"} {
		w.commands.Run("go.next-note", tab)
		assert.Equal(t, want, tab.pane.Selection().Node.PathText())
	}
	w.commands.Run("go.previous-note", tab)
	assert.Equal(t, "/3", tab.pane.Selection().Node.PathText())
	w.commands.Run("view.notes", tab)

	w.closeTab(tab)
	w.commands.Run("go.notes", nil)
	require.Len(t, w.list.Items(), 2)
	assert.Equal(t, "Bookmark (yellow)", w.list.Items()[0].Name)
	w.list.Close()
	w.list.Items()[0].On()
	assert.Equal(t, "/1", w.tabs.current().(*docTab).pane.Selection().Node.PathText(), "the file is opened")
}

func TestNotesOfAnEarlierVersionAreCarriedOver(t *testing.T) {
	folder := t.TempDir()
	path := write(t, folder, "a.bin", "1234")
	w, tab := notingWindow(t, filepath.Join(folder, "notes"), path)
	tab.pane.Select(model.Path{2})
	w.commands.Run("note.edit", tab)
	enter(t, w, "third")
	assert.False(t, w.commands.Actions["note.carry"].Enabled(tab))
	write(t, folder, "a.bin", "56789")
	tab.reload()
	assert.Equal(t, []string{"third /2 earlier"}, texts(tab))
	w.commands.Run("note.carry", tab)
	assert.Equal(t, []string{"third /2"}, texts(tab))
	w.commands.Run("edit.undo", tab)
	assert.Equal(t, []string{"third /2 earlier"}, texts(tab))
}

func TestNotesOfAnotherWindowAreShown(t *testing.T) {
	folder := t.TempDir()
	path := write(t, folder, "a.bin", "1234")
	one, tab := notingWindow(t, filepath.Join(folder, "notes"), path)
	two, other := notingWindow(t, filepath.Join(folder, "notes"), path)
	other.pane.Select(model.Path{1})
	two.commands.Run("note.edit", other)
	enter(t, two, "from there")
	assert.Empty(t, texts(tab))
	one.notebook.rereadIfCreated()
	assert.Equal(t, []string{"from there /1"}, texts(tab), "the first notes of this user")
	two.commands.Run("note.edit", other)
	enter(t, two, "from elsewhere")
	one.changedOnDisk(filepath.Join(folder, "notes"))
	assert.Equal(t, []string{"from elsewhere /1"}, texts(tab))
	two.commands.Run("edit.undo", other)
	one.changedOnDisk(filepath.Join(folder, "notes"))
	assert.Equal(t, []string{"from there /1"}, texts(tab))
	tab.pane.Select(model.Path{2})
	one.commands.Run("note.edit", tab)
	enter(t, one, "from here")
	assert.Len(t, texts(tab), 2)
}

func TestUnreadableNotesAreReportedOnce(t *testing.T) {
	folder := t.TempDir()
	kept := filepath.Join(folder, "notes")
	require.NoError(t, os.MkdirAll(kept, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(kept, "4-x.json"), []byte("{"), 0o600))
	w, _ := notingWindow(t, kept, write(t, folder, "a.bin", "1234"))
	require.Len(t, w.notices.Texts(), 1)
	assert.Contains(t, w.notices.Texts()[0], "cannot be read")
	assert.True(t, w.notices.CloseLatest())
	w.notebook.reread()
	assert.Empty(t, w.notices.Texts())
}

func TestNotesAreImported(t *testing.T) {
	folder := t.TempDir()
	path := write(t, folder, "a.bin", "1234")
	w, tab := notingWindow(t, filepath.Join(folder, "notes"), path)
	tab.pane.Select(model.Path{1})
	w.commands.Run("note.edit", tab)
	enter(t, w, "taken along")
	sheets, err := w.notebook.store.Sheets()
	require.NoError(t, err)
	exported, err := os.Create(filepath.Join(folder, "notes.json"))
	require.NoError(t, err)
	require.NoError(t, notes.Export(exported, sheets))
	require.NoError(t, exported.Close())

	other, tab := notingWindow(t, filepath.Join(folder, "other"), path)
	assert.Empty(t, texts(tab))
	other.notebook.importFrom(exported.Name())
	assert.Equal(t, []string{"taken along /1"}, texts(tab))
	other.notebook.importFrom(path)
	assert.Contains(t, other.notices.Texts()[0], "Not an exported notes file.")
}

func TestNoteHasOneTitleAndTheCaretAtItsEnd(t *testing.T) {
	folder := t.TempDir()
	w, tab := notingWindow(t, filepath.Join(folder, "notes"), write(t, folder, "a.bin", "1234"))
	for path, want := range map[string]string{"": "Note on the whole file", "\x01": "Note on 1"} {
		tab.pane.Select(nodePath(path))
		for _, typed := range []string{"a", "b"} {
			w.commands.Run("note.edit", tab)
			assert.Contains(t, overlayLabels(w), want)
			field := w.win.Canvas().Focused().(*control.Field)
			field.TypedRune([]rune(typed)[0])
			field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		}
		assert.Equal(t, "ab", tab.pane.Notes().All()[0].Text)
		w.commands.Run("note.delete", tab)
	}
}

// nodePath returns the path whose indexes are the bytes of s.
func nodePath(s string) (p model.Path) {
	for _, b := range []byte(s) {
		p = append(p, int(b))
	}
	return p
}

// overlayLabels returns the labels of the dialog.
func overlayLabels(w *Window) (labels []string) {
	for _, o := range test.LaidOutObjects(w.win.Canvas().Overlays().Top()) {
		if l, ok := o.(*widget.Label); ok {
			labels = append(labels, l.Text)
		}
	}
	return labels
}
