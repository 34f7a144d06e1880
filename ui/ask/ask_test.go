package ask

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

type window struct {
	host.None
	notices []string
}

func (w *window) Notify(n host.Notice) { w.notices = append(w.notices, n.Text) }

func asker(t *testing.T) (*Asker, *window) {
	t.Helper()
	test.NewTempApp(t)
	w := new(window)
	return New(w, test.NewTempWindow(t, widget.NewLabel("")), work.Inline(context.Background()), paint.NewStyle()), w
}

func TestDialogIsDismissed(t *testing.T) {
	a, _ := asker(t)
	assert.False(t, a.Dismiss())
	no := func(string) { t.Error("nothing was chosen") }
	for _, show := range []func(){
		func() { a.File("Open", t.TempDir(), a.Extensions, no) },
		func() { a.Folder("Folder", filepath.Join(t.TempDir(), "not", "there"), no) },
		func() { a.Save("Save", "", "name", nil) },
		func() { a.Confirm("Sure?", "Text", "Yes", "No", func() { no("") }) },
	} {
		show()
		require.NotNil(t, a.window.Canvas().Overlays().Top())
		assert.True(t, a.Dismiss())
		assert.Nil(t, a.window.Canvas().Overlays().Top())
		assert.False(t, a.Dismiss())
	}
}

func TestNewFileStartsInItsFolder(t *testing.T) {
	a, _ := asker(t)
	folder, beside := t.TempDir(), t.TempDir()
	var picked []string
	for _, name := range []string{"new.txt", filepath.Join(beside, "new.txt")} {
		a.NewFile("Save", folder, name, func(path string) { picked = append(picked, path) })
		a.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	}
	assert.Equal(t, []string{filepath.Join(folder, "new.txt"), filepath.Join(beside, "new.txt")}, picked)
}

func TestDialogsAreUsedWithTheKeyboard(t *testing.T) {
	a, _ := asker(t)
	canvas := a.window.Canvas()
	press := func(key fyne.KeyName) {
		require.NotNil(t, canvas.Focused())
		canvas.Focused().TypedKey(&fyne.KeyEvent{Name: key})
		assert.Nil(t, canvas.Overlays().Top(), "the dialog is closed")
	}
	said := 0
	ask := func() { a.Confirm("Sure?", "Text", "Yes", "No", func() { said++ }) }
	ask()
	press(fyne.KeyReturn)
	assert.Equal(t, 1, said)
	ask()
	press(fyne.KeyEscape)
	ask()
	canvas.FocusPrevious()
	press(fyne.KeyEnter)
	assert.Equal(t, 1, said)
	a.Explain("Checksums", "text")
	press(fyne.KeyEnter)
	a.Explain("Checksums", "text")
	press(fyne.KeyEscape)
	assert.False(t, a.Dismiss())
}

func TestConfirmCanBeWithdrawn(t *testing.T) {
	a, _ := asker(t)
	withdraw := a.Confirm("Sure?", "Text", "Yes", "No", func() { t.Error("no one said yes") })
	withdraw()
	assert.Nil(t, a.window.Canvas().Overlays().Top())
	a.Confirm("And this?", "Text", "Yes", "No", nil)
	withdraw()
	assert.NotNil(t, a.window.Canvas().Overlays().Top(), "another question stays")
}

func TestFilesAreSavedAsAWhole(t *testing.T) {
	a, w := asker(t)
	path := filepath.Join(t.TempDir(), "report.txt")
	a.save(path, func(path string, out io.Writer) error {
		_, err := io.WriteString(out, filepath.Base(path))
		return err
	})
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "report.txt", string(b))
	a.save(path, func(_ string, out io.Writer) error {
		_, _ = io.WriteString(out, "half")
		return io.ErrUnexpectedEOF
	})
	b, err = os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "report.txt", string(b))
	assert.Len(t, w.notices, 1)
}
