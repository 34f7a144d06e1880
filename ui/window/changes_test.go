package window

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// rewrite writes over a file; its time of change is another one.
func rewrite(t *testing.T, path, content string, at int64) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	require.NoError(t, os.Chtimes(path, time.Time{}, time.Unix(at, 0)))
}

func TestChangesAreToldAndMarked(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	path := write(t, folder, "one.bin", "0123456789")
	w.Open(path)
	w.Open(write(t, folder, "two.bin", "22"))
	one := w.all[0].(*docTab)

	rewrite(t, path, "9876543210", 1e9)
	w.changedOnDisk(path)
	assert.Equal(t, "changed", one.stale, "also of a tab that is not in view")
	require.Len(t, w.Notices(), 1)
	assert.Contains(t, w.Notices()[0], "written over")

	rewrite(t, path, "987", 2e9)
	w.changedOnDisk(path)
	require.Len(t, w.Notices(), 1, "one bar a file")
	assert.Contains(t, w.Notices()[0], "3 bytes now, and had 10")

	aside := filepath.Join(folder, "aside")
	require.NoError(t, os.Rename(path, aside))
	w.changedOnDisk(path)
	assert.Equal(t, "gone", one.stale)
	w.Show(0)
	assert.Equal(t, "one.bin (gone) – Assay", w.Window().Title())
	require.NotNil(t, w.pane())
	w.pane().Select(model.Path{7})
	w.Window().Canvas().Capture()

	require.NoError(t, os.Rename(write(t, folder, "new", "abcdefgh"), path))
	w.changedOnDisk(path)
	assert.Equal(t, "changed", one.stale)
	w.Reload(one)
	assert.Empty(t, one.stale)
	assert.Empty(t, w.Notices())
	assert.Equal(t, "one.bin – Assay", w.Window().Title())
	assert.EqualValues(t, 7, w.pane().Selection().Offset, "the selection is kept")
}

func TestFileThatComesBackIsNotStale(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	path, aside := write(t, folder, "one.bin", "0123456789"), filepath.Join(folder, "aside")
	w.Open(path)
	require.NoError(t, os.Rename(path, aside))
	w.changedOnDisk(path)
	require.Len(t, w.Notices(), 1)
	require.NoError(t, os.Rename(aside, path))
	w.changedOnDisk(path)
	assert.Empty(t, w.Notices())
	assert.Empty(t, w.all[0].(*docTab).stale)
}

func TestReloadKeepsThePlace(t *testing.T) {
	w := makeWindow(t)
	path := write(t, t.TempDir(), "one.bin", strings.Repeat("0123456789", 400))
	w.Window().Resize(w.prefs.size())
	w.Open(path)
	w.pane().Select(model.Path{3000})
	w.Window().Canvas().Capture()
	before := w.pane().State()
	require.NotZero(t, before.Tree.First)
	require.NotZero(t, before.Hex.Top)
	rewrite(t, path, strings.Repeat("9876543210", 400), 1e9)
	w.changedOnDisk(path)
	tap(t, w, "Reload")
	w.Window().Canvas().Capture()
	after := w.pane().State()
	assert.Equal(t, before.Selected, after.Selected)
	assert.Equal(t, before.Tree.First, after.Tree.First)
	assert.Equal(t, before.Hex, after.Hex)
}

func TestWhatWasOpenIsCompared(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct {
		name   string
		change func(path string)
	}{
		{"written over", func(path string) { rewrite(t, path, "new", 1e9) }},
		{"replaced", func(path string) { require.NoError(t, os.Rename(write(t, folder, "new", "new"), path)) }},
	} {
		for _, size := range []int{100, copyMax + 1} {
			w := makeWindow(t)
			var old, new compared
			w.onCompare = func(a, b compared) { old, new = a, b }
			content := strings.Repeat("o", size)
			path := write(t, folder, "one.bin", content)
			w.Open(path)
			c.change(path)
			w.changedOnDisk(path)
			if c.name == "written over" && size > copyMax {
				assert.NotContains(t, buttons(w), "Compare with what was open", "what is gone is not offered")
				continue
			}
			tap(t, w, "Compare with what was open")
			for side, want := range map[*compared]string{&old: content, &new: "new"} {
				for range 2 { // a comparison may be made again
					d, err := side.open(context.Background())
					require.NoError(t, err)
					b, err := d.Source.Bytes(model.Span{Size: d.Source.Size()})
					require.NoError(t, err)
					assert.Equal(t, len(want), len(b))
					assert.Equal(t, want[:3], string(b[:3]))
					require.NoError(t, d.Source.Close())
				}
			}
			assert.Equal(t, "one.bin (before)", old.title)
			w.Reload(w.Present())
			assert.Equal(t, int64(3), w.pane().Document().Source.Size())
		}
	}
}
