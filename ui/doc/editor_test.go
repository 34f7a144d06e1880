package doc

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

	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

func TestADescriptionIsEdited(t *testing.T) {
	test.NewTempApp(t)
	p := NewDescription(host.None{}, paint.NewStyle(), work.Inline(context.Background()))
	w := test.NewTempWindow(t, p.Content())
	w.Resize(fyne.NewSize(500, 300))
	file := filepath.Join(t.TempDir(), "rules.ksy")
	require.NoError(t, os.WriteFile(file, []byte("a: 1\n"), 0o600))
	var log []string
	s := describedFile(file)
	p.Select(s)
	assert.False(t, p.CanEdit(), "nobody reads drafts")
	p.Edits(Drafts{
		Read:   func(file, text string) { log = append(log, "read "+text) },
		Save:   func(file, text string, saved func()) { log = append(log, "save "+text); saved() },
		SaveAs: func(file, text string) { log = append(log, "save as "+text) },
		Close:  func(file string) { log = append(log, "close") },
		Focus:  w.Canvas().Focus,
	})
	assert.True(t, p.CanEdit())
	p.Edit()
	assert.Equal(t, "a: 1\n", p.entry.Text)
	assert.Same(t, p.entry, w.Canvas().Focused())
	assert.Empty(t, p.Unsaved())
	assert.Empty(t, log, "what is on disk is not read again")

	p.Describe(func(text string) string { return text + "b: 2\n" }, nil)
	assert.Equal(t, []string{"read a: 1\nb: 2\n"}, log)
	assert.Contains(t, p.Unsaved(), "rules.ksy are not saved")
	assert.True(t, p.Fail(atLine{file}))
	assert.Contains(t, p.said.Text, "a key is expected")
	assert.Equal(t, "a: 1\nb: 2\n", p.entry.Text, "the text of the user stays")
	p.Select(describedFile(file)) // the document that was read by the draft
	assert.Equal(t, file+" (not saved)", p.said.Text)
	p.toggle()
	assert.Contains(t, p.said.Text, "Save the description first")

	p.Save()
	assert.Equal(t, "save a: 1\nb: 2\n", log[1])
	assert.Empty(t, p.Unsaved())
	assert.Equal(t, file, p.said.Text)
	p.toggle()
	assert.Equal(t, "close", log[2])
	assert.False(t, p.Fail(atLine{file}), "nobody edits it any more")

	require.NoError(t, os.WriteFile(file, []byte(strings.Repeat("#\n", editMost)), 0o600))
	p.Edit()
	assert.Contains(t, p.said.Text, "262144 are allowed")
	builtIn := describedFile("png.ksy")
	p.Select(builtIn)
	assert.False(t, p.CanEdit(), "a description of the program's own is no file")
}
