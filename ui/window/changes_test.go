package window

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui/comparison/compared"
	"assay/ui/opening"
)

// rewrite overwrites a file and changes its modification time.
func rewrite(t *testing.T, path, content string, at int64) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	require.NoError(t, os.Chtimes(path, time.Time{}, time.Unix(at, 0)))
}

func TestChangedFileIsReportedAndMarked(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	path := write(t, folder, "one.bin", "0123456789")
	w.openFile(path)
	w.openFile(write(t, folder, "two.bin", "22"))
	one := w.tabs.all[0].(*docTab)

	rewrite(t, path, "9876543210", 1e9)
	w.changedOnDisk(path)
	assert.Equal(t, "changed", one.Change.Badge, "also of a tab that is not in view")
	assert.Empty(t, w.notices.Texts(), "a notice is shown with its tab")
	w.tabs.show(0)
	require.Len(t, w.notices.Texts(), 1)
	assert.Contains(t, w.notices.Texts()[0], "overwritten")

	rewrite(t, path, "987", 2e9)
	w.changedOnDisk(path)
	require.Len(t, w.notices.Texts(), 1, "one bar a file")
	assert.Contains(t, w.notices.Texts()[0], "from 10 to 3 bytes")

	aside := filepath.Join(folder, "aside")
	require.NoError(t, os.Rename(path, aside))
	w.changedOnDisk(path)
	assert.Equal(t, "gone", one.Change.Badge)
	w.tabs.show(0)
	assert.Equal(t, "one.bin (gone) – Assay", w.win.Title())
	require.NotNil(t, paneOf(w.tabs.current()))
	paneOf(w.tabs.current()).Select(model.Path{7})
	w.win.Canvas().Capture()

	require.NoError(t, os.Rename(write(t, folder, "new", "abcdefgh"), path))
	w.changedOnDisk(path)
	assert.Equal(t, "changed", one.Change.Badge)
	one.reload()
	assert.Empty(t, one.Change.Badge)
	assert.Empty(t, w.notices.Texts())
	assert.Equal(t, "one.bin – Assay", w.win.Title())
	assert.EqualValues(t, 7, paneOf(w.tabs.current()).Selection().Offset, "the selection is kept")
}

func TestFileThatComesBackIsNotStale(t *testing.T) {
	w := makeWindow(t)
	folder := t.TempDir()
	path, aside := write(t, folder, "one.bin", "0123456789"), filepath.Join(folder, "aside")
	w.openFile(path)
	require.NoError(t, os.Rename(path, aside))
	w.changedOnDisk(path)
	require.Len(t, w.notices.Texts(), 1)
	require.NoError(t, os.Rename(aside, path))
	w.changedOnDisk(path)
	assert.Empty(t, w.notices.Texts())
	assert.Empty(t, w.tabs.all[0].(*docTab).Change.Badge)
}

func TestReloadKeepsThePlace(t *testing.T) {
	w := makeWindow(t)
	path := write(t, t.TempDir(), "one.bin", strings.Repeat("0123456789", 400))
	w.win.Resize(w.prefs.size())
	w.openFile(path)
	paneOf(w.tabs.current()).Select(model.Path{3000})
	w.win.Canvas().Capture()
	before := paneOf(w.tabs.current()).State()
	require.NotZero(t, before.Tree.First)
	require.NotZero(t, before.Hex.Top)
	rewrite(t, path, strings.Repeat("9876543210", 400), 1e9)
	w.changedOnDisk(path)
	tap(t, w, "Reload")
	w.win.Canvas().Capture()
	after := paneOf(w.tabs.current()).State()
	assert.Equal(t, before.Selected, after.Selected)
	assert.Equal(t, before.Tree.First, after.Tree.First)
	assert.Equal(t, before.Hex, after.Hex)
}

func TestLoadedVersionIsCompared(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct {
		name   string
		change func(path string)
	}{
		{"overwritten", func(path string) { rewrite(t, path, "new", 1e9) }},
		{"replaced", func(path string) {
			if runtime.GOOS == "windows" {
				require.NoError(t, os.Remove(path)) // Wine 8 cannot replace an open file
			}
			require.NoError(t, os.Rename(write(t, folder, "new", "new"), path))
		}},
	} {
		for _, size := range []int{100, opening.MaxContent + 1} {
			w := makeWindow(t)
			// a node for each byte would be slow
			w.options.Open = func(_ context.Context, path string) (*model.Document, error) {
				src, err := model.OpenFile(path)
				return model.NewDocument(src, "plain", "", &model.Node{Span: model.Span{Size: src.Size()}}), err
			}
			content := strings.Repeat("o", size)
			path := write(t, folder, "one.bin", content)
			w.openFile(path)
			c.change(path)
			w.changedOnDisk(path)
			if c.name == "overwritten" && size > opening.MaxContent {
				assert.NotContains(t, buttons(w), "Compare with Loaded Version", "what is gone is not offered")
				continue
			}
			require.Contains(t, buttons(w), "Compare with Loaded Version")
			old, ok := w.tabs.all[0].(*docTab).BeforeChange(paneOf(w.tabs.all[0]).Document(), w.options.OpenSource)
			require.True(t, ok)
			new := w.Side(path)
			for side, want := range map[*compared.Side]string{&old: content, &new: "new"} {
				for range 2 { // a comparison may be computed again
					d, err := side.Open(context.Background())
					require.NoError(t, err)
					b, err := d.Source.Bytes(model.Span{Size: d.Source.Size()})
					require.NoError(t, err)
					assert.Equal(t, len(want), len(b))
					assert.Equal(t, want[:3], string(b[:3]))
					require.NoError(t, d.Source.Close())
				}
			}
			assert.Equal(t, "one.bin (before)", old.Title)
			if size < opening.MaxContent {
				tap(t, w, "Compare with Loaded Version")
				assert.Equal(t, "one.bin (before) : one.bin", w.tabs.current().Title())
				w.closeTab(w.tabs.current())
			}
			w.tabs.current().(*docTab).reload()
			assert.Equal(t, int64(3), paneOf(w.tabs.current()).Document().Source.Size())
		}
	}
}
