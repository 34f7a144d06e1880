package files

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/folder/foldertest"
	"assay/ui/comparison/compared"
	"assay/ui/comparison/comparisontest"
	"assay/ui/paint/painttest"
	"assay/ui/rows"
)

// What documents are made of.
var (
	box   = comparisontest.Box
	shelf = comparisontest.Shelf
)

func TestFolderOpensPairs(t *testing.T) {
	test.NewTempApp(t)
	old, new := foldertest.Versions(t)
	s := comparisontest.NewWindow()
	f := NewPair(s.Deps(), old, new, nil)
	defer f.Close()
	w := test.NewTempWindow(t, f.Content())
	w.Resize(fyne.NewSize(1300, 400))
	painttest.Golden(t, "folder", s.Style, f.rows)
	require.EqualValues(t, 5, f.rows.Len(), "what is the same is left out")
	for row := range int64(5) {
		f.rows.SetCurrent(row)
		f.rows.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	}
	assert.Equal(t, []string{filepath.Join(new, "came"), filepath.Join(old, "gone")}, s.Opened)
	assert.Equal(t, []string{filepath.Join(old, "was"), filepath.Join(new, "is/now"), filepath.Join(old, "sub/byte"),
		filepath.Join(new, "sub/byte"),
		filepath.Join(old, "sub/longer"), filepath.Join(new, "sub/longer")}, s.Compared)
	f.setStates(compared.AllStates)
	assert.EqualValues(t, 6, f.rows.Len())
	f.rows.SetCurrent(2)
	f.NextChange()
	assert.EqualValues(t, 4, f.rows.Current(), "the same file is passed over")
	_, facts := f.Status()
	assert.Equal(t, "5 differences in 6 files", facts[1].Text)
}

func TestFolderSaysWhatFilesAre(t *testing.T) {
	test.NewTempApp(t)
	old, new := foldertest.Versions(t)
	s := comparisontest.NewWindow()
	open := func(_ context.Context, path string) (*model.Document, error) {
		b, err := os.ReadFile(path)
		return shelf(filepath.Base(path), "1", box("a", uint32(len(b)), "label", string(b))), err
	}
	f := NewPair(s.Deps(), old, new, open)
	defer f.Close()
	f.filter.SetText("longer")
	require.Len(t, f.shown, 1)
	assert.Equal(t, "changed\tsub/longer\tshelf 1\ta: number 5 → 7 (+2), a: block 5 bytes → 7 bytes",
		f.line(f.files[f.shown[0]]))
	f.copyList()
	assert.Equal(t, []string{"changed\tsub/longer\tshelf 1\ta: number 5 → 7 (+2), a: block 5 bytes → 7 bytes\n"}, s.Copied)
	f.saveReport()
	assert.Contains(t, s.Saved.String(), "a: number 5 → 7 (+2), a: block 5 bytes → 7 bytes</summary>")
	assert.Contains(t, s.Saved.String(), "All changes: 3 changed", "the comparison of the pair is below it")

	f.filter.SetText("")
	f.rows.SetCurrent(1)
	f.copyNames()
	assert.Equal(t, "gone", s.Copied[1])
	f.rows.TypedShortcut(&fyne.ShortcutSelectAll{})
	f.copyNames()
	assert.Equal(t, "came\ngone\nis/now\nsub/byte\nsub/longer", s.Copied[2])
	f.rows.Events.OnSort(fileNewSize, rows.Descending)
	var names []string
	for _, i := range f.shown {
		names = append(names, f.files[i].Name)
	}
	assert.Equal(t, []string{"is/now", "sub/longer", "sub/byte", "came", "gone"}, names)
}
