package doc

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// atLine is an error at the second line of a file.
type atLine struct{ file string }

func (e atLine) Error() string                     { return e.file + ":2: a key is expected" }
func (e atLine) Location() (file string, line int) { return e.file, 2 }

// describedFile selects a document of one node with a description in the file.
func describedFile(file string) Selection {
	n := &model.Node{Type: "Made"}
	d := model.NewDocument(nil, "made", "", n)
	d.Description = &model.Description{Files: []string{file}, Text: func(string) string { return "a: 1\nb: 2" },
		Rule: func(*model.Node) (string, int, bool) { return file, 2, true }}
	return Selection{Document: d, Node: n}
}

func TestErrorStaysUntilDocumentChanges(t *testing.T) {
	test.NewTempApp(t)
	p := NewDescription(host.None{}, paint.NewStyle(), work.Inline(context.Background()))
	test.NewTempWindow(t, p.Content()).Resize(fyne.NewSize(300, 300))
	file := filepath.Join(t.TempDir(), "rules.ksy")
	require.NoError(t, os.WriteFile(file, []byte("a: 1\nwrong"), 0o600))
	s := describedFile(file)
	p.Select(s)
	assert.Equal(t, file, p.message.Text)

	p.Fail(atLine{file})
	assert.Contains(t, p.message.Text, "rules.ksy:2: a key is expected")
	p.Select(s)
	assert.Contains(t, p.message.Text, "a key is expected", "another node of the same document")
	p.Select(describedFile(file))
	assert.Equal(t, file, p.message.Text)

	require.NoError(t, os.Truncate(file, model.MaxDescription+1))
	p.Fail(atLine{file})
	assert.Contains(t, p.message.Text, "4194304 are allowed", "it is not read to show it")

	require.NoError(t, os.Remove(file))
	p.Fail(atLine{file})
	assert.Contains(t, p.message.Text, "no such file")
}

// menuHost records the opened menu.
type menuHost struct {
	host.None
	menu **fyne.Menu
}

func (h menuHost) Menu(menu *fyne.Menu, _ fyne.Position) { *h.menu = menu }

func TestEditedDescriptionIsReadAsADraftUntilSaved(t *testing.T) {
	test.NewTempApp(t)
	var menu *fyne.Menu
	p := NewDescription(menuHost{menu: &menu}, paint.NewStyle(), work.Inline(context.Background()))
	w := test.NewTempWindow(t, p.Content())
	w.Resize(fyne.NewSize(500, 300))
	file := filepath.Join(t.TempDir(), "rules.ksy")
	require.NoError(t, os.WriteFile(file, []byte("a: 1\n"), 0o600))
	var log []string
	s := describedFile(file)
	p.Select(s)
	assert.False(t, p.CanEdit(), "nobody reads drafts")
	p.AllowEditing(DraftActions{
		Read:   func(file, text string) { log = append(log, "read "+text) },
		Save:   func(file, text string, saved func()) { log = append(log, "save "+text); saved() },
		SaveAs: func(file, text string) { log = append(log, "save as "+text) },
		Close:  func(file string) { log = append(log, "close") },
		Focus:  w.Canvas().Focus,
		Complete: func(_ string, line int, before string) []string {
			log = append(log, fmt.Sprint("complete ", line, " ", before))
			return []string{"aligned"}
		},
	})
	assert.True(t, p.CanEdit())
	p.Edit()
	assert.Equal(t, "a: 1\n", p.editor.entry.Text)
	assert.Same(t, p.editor.entry, w.Canvas().Focused())
	assert.Empty(t, p.Unsaved())
	assert.Empty(t, log, "what is on disk is not read again")

	assert.Equal(t, "1\n2", p.editor.numbers.Text)
	p.editor.entry.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyEnd, Modifier: fyne.KeyModifierControl})
	assert.Equal(t, 1, p.editor.entry.CursorRow)
	p.editor.entry.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyHome, Modifier: fyne.KeyModifierControl})
	assert.Equal(t, 0, p.editor.entry.CursorRow)
	p.editor.entry.CursorColumn = 1
	p.editor.entry.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeySpace, Modifier: fyne.KeyModifierControl})
	require.Len(t, menu.Items, 1)
	menu.Items[0].Action()
	assert.Equal(t, "aligned: 1\n", p.editor.entry.Text)
	assert.Equal(t, "complete 0 a", log[0])
	assert.Equal(t, "read aligned: 1\n", log[len(log)-1])
	p.editor.entry.Undo()
	assert.Equal(t, "a: 1\n", p.editor.entry.Text, "a completion is undone at once")
	key := func(name fyne.KeyName) { p.editor.entry.TypedKey(&fyne.KeyEvent{Name: name}) }
	p.editor.entry.SetText("  seq:")
	p.editor.entry.CursorRow, p.editor.entry.CursorColumn = 0, 6
	key(fyne.KeyReturn)
	test.Type(p.editor.entry, "- id: x")
	key(fyne.KeyReturn)
	test.Type(p.editor.entry, "type: u4")
	key(fyne.KeyReturn)
	key(fyne.KeyBackspace)
	test.Type(p.editor.entry, "- {id: y}")
	key(fyne.KeyReturn)
	assert.Equal(t, "  seq:\n    - id: x\n      type: u4\n    - {id: y}\n    ", p.editor.entry.Text, "indented")
	p.editor.entry.SetText("a: 1\n")
	log = nil

	p.ReplaceText(func(text string) string { return text + "b: 2\n" }, nil)
	assert.Equal(t, []string{"read a: 1\nb: 2\n"}, log)
	assert.Contains(t, p.Unsaved(), "rules.ksy are not saved")
	assert.True(t, p.Fail(atLine{file}))
	assert.Contains(t, p.message.Text, "a key is expected")
	assert.True(t, p.editor.errorMark.Visible(), "its line is marked")
	assert.Equal(t, "a: 1\nb: 2\n", p.editor.entry.Text, "the text of the user stays")
	p.Select(describedFile(file)) // the document that was decoded with the draft
	assert.Equal(t, file+" (not saved)", p.message.Text)
	assert.False(t, p.editor.errorMark.Visible())
	p.editor.toggle()
	assert.Contains(t, p.message.Text, "Save the description first")

	p.Save(nil)
	assert.Equal(t, "save a: 1\nb: 2\n", log[1])
	assert.Empty(t, p.Unsaved())
	assert.Equal(t, file, p.message.Text)
	p.editor.toggle()
	assert.Equal(t, "close", log[2])
	assert.False(t, p.Fail(atLine{file}), "nobody edits it any more")

	require.NoError(t, os.WriteFile(file, []byte(strings.Repeat("#\n", maxEdited)), 0o600))
	p.Edit()
	assert.Contains(t, p.message.Text, "262144 are allowed")
	builtIn := describedFile("png.ksy")
	p.Select(builtIn)
	assert.False(t, p.CanEdit(), "a description of the program's own is no file")
}
