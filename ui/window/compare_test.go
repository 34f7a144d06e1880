package window

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui/comparison"
)

func TestTwoFilesAreCompared(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	one, two := write(t, folder, "one.bin", "0123456"), write(t, folder, "two.bin", "012x456")
	w.OpenAll([]string{one, two}, true)
	require.NotNil(t, w.comparison())
	assert.Equal(t, "one.bin : two.bin", w.Present().Title())
	require.NotNil(t, w.comparison().Result())
	assert.False(t, w.comparison().Result().Same())
	w.Window().Canvas().Capture()
	for _, c := range w.compareCommands() {
		if c.do != nil && c.enabled(w.Present()) {
			c.do(w.Present())
		}
		for top := w.Window().Canvas().Overlays().Top(); top != nil; top = w.Window().Canvas().Overlays().Top() {
			w.Window().Canvas().Overlays().Remove(top)
		}
	}
	w.dialog = nil
	w.key(&fyne.KeyEvent{Name: fyne.KeyF8}, false)
	w.key(&fyne.KeyEvent{Name: fyne.KeyF5}, false)
	require.NoError(t, os.WriteFile(one, []byte("other text"), 0o600))
	require.NoError(t, os.Chtimes(one, time.Time{}, time.Unix(1e9, 0)))
	w.lookForChanges()
	w.closeTab(w.Present())
	assert.Nil(t, w.comparison())
}

func TestFilesTogetherAreOffered(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	var files []string
	for _, name := range []string{"t10.bin", "t9.bin", "t1.bin"} {
		files = append(files, write(t, folder, name, name))
	}
	w.OpenAll(files, false)
	require.Len(t, w.Notices(), 1)
	assert.Contains(t, w.Notices()[0], "3 files were opened together")
	w.CompareSeries()
	s, ok := w.Present().(*seriesTab)
	require.True(t, ok)
	assert.Equal(t, "t1.bin … t10.bin", s.Title())
	require.NotNil(t, w.comparison())
	w.closeTab(w.Present())

	w.OpenAll([]string{folder, t.TempDir()}, false)
	f, ok := w.Present().(*comparison.Folder)
	require.True(t, ok)
	assert.Contains(t, f.Title(), "/ : ")
}

func TestTabsAreCompared(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	w.Open(write(t, folder, "one.bin", "0123456"))
	act(t, w, "Compare with File…")
	require.NotNil(t, w.dialog)
	w.dialog.Hide()
	act(t, w, "Compare with Another Tab…")
	assert.Len(t, w.Tabs(), 1, "there is nothing to compare with")
	w.OpenSource(model.NewSource("inside.bin", bytes.NewReader([]byte("0123")), 4))
	act(t, w, "Compare with Another Tab…")
	require.NotNil(t, w.comparison())
	assert.Len(t, w.Tabs(), 3)
	w.closeTab(w.Present())
	items := w.commands.context(w.all[0], func(c *command) int { return c.tab }).Items
	assert.Equal(t, []string{"Close Tab", "Close Others", "", "Copy File Path", "Show in Folder", "", "Compare with inside.bin"}, labels(items))
	items[6].Action()
	require.NotNil(t, w.comparison())
	w.Show(1)
	w.Open(write(t, folder, "two.bin", "01234567"))
	w.list = nil
	act(t, w, "Compare with Another Tab…")
	require.NotNil(t, w.list)
	assert.Len(t, w.list.Items(), 2)
	w.list.Items()[0].On()
	require.NotNil(t, w.comparison())
	old, _ := w.comparison().Sides()
	w.openSide(old, model.Path{2})
	assert.NotNil(t, w.pane())
}

func TestReportsAreSavedAsAWhole(t *testing.T) {
	w := makeWindow(t)
	path := filepath.Join(t.TempDir(), "report.txt")
	w.save(path, func(out io.Writer) error {
		_, err := io.WriteString(out, "report")
		return err
	})
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "report", string(b))
	w.save(path, func(out io.Writer) error {
		_, _ = io.WriteString(out, "half")
		return io.ErrUnexpectedEOF
	})
	b, err = os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "report", string(b))
	assert.Len(t, w.Notices(), 1)
}
