package three

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare/merge"
	"assay/ui/comparison/compared"
	"assay/ui/comparison/comparisontest"
)

// What documents are made of.
var (
	box   = comparisontest.Box
	shelf = comparisontest.Shelf
)

func TestThreeVersions(t *testing.T) {
	test.NewTempApp(t)
	s := comparisontest.NewWindow()
	base := shelf("base", "1", box("a", 1, "one", "x"), box("b", 2, "two", "y"))
	mine := shelf("mine", "1", box("a", 10, "one", "x"), box("b", 3, "two", "y"))
	theirs := shelf("theirs", "1", box("a", 1, "one", "x"), box("b", 4, "two", "y"))
	w := New(s.Deps(), comparisontest.Side(base),
		comparisontest.Side(mine), comparisontest.Side(theirs))
	defer w.Close()
	assert.Equal(t, [5]int64{merge.OnlyMine: 1, merge.Conflict: 1}, w.counts)
	assert.Equal(t, "~ 1 -> 10 (+9)", (*mergeRows)(w).Cell(0, 2).Text)
	assert.Equal(t, "unchanged", (*mergeRows)(w).Cell(0, 3).Text)
	w.rows.SetCurrent(0)
	w.NextChange()
	assert.EqualValues(t, 1, w.rows.Current())
	w.only.SetChecked(true)
	assert.EqualValues(t, 1, (*mergeRows)(w).Len())
}

func TestThreeVersionsAreWatched(t *testing.T) {
	test.NewTempApp(t)
	folder := t.TempDir()
	var sides []compared.Side
	open := func(_ context.Context, path string) (*model.Document, error) {
		src, err := model.OpenFile(path)
		if err != nil {
			return nil, err
		}
		return model.NewDocument(src, "bytes", "", &model.Node{Span: model.Span{Size: src.Size()}}), nil
	}
	for i, name := range []string{"base", "mine", "theirs"} {
		path := filepath.Join(folder, name)
		if i < 2 {
			require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("x", 10+i)), 0o600))
		}
		sides = append(sides, compared.File(path, name, open))
	}
	s := comparisontest.NewWindow()
	w := New(s.Deps(), sides[0], sides[1],
		sides[2])
	defer w.Close()
	assert.Equal(t, []string{sides[0].Path, sides[1].Path, sides[2].Path}, s.Watched)
	assert.Len(t, w.notices.Texts(), 1, "one is not there")
	require.NoError(t, os.WriteFile(sides[2].Path, []byte("theirs"), 0o600))
	w.FilesChanged()
	assert.Empty(t, w.notices.Texts(), "now it is")
	w.FilesChanged()
	assert.Empty(t, w.notices.Texts(), "nothing changed")
	require.NoError(t, os.WriteFile(sides[0].Path, []byte("another base"), 0o600))
	require.NoError(t, os.Chtimes(sides[0].Path, time.Time{}, time.Unix(1e9, 0)))
	w.FilesChanged()
	require.Len(t, w.notices.Texts(), 1)
	assert.Contains(t, w.notices.Texts()[0], "changed on disk")
	w.Again()
	assert.Empty(t, w.notices.Texts())
}

func TestFilesThatWereOpenedForNothingAreClosed(t *testing.T) {
	test.NewTempApp(t)
	files := comparisontest.NewFiles(t, "base", "mine", "theirs")
	w := New(comparisontest.NewWindow().Deps(), files.Sides[0], files.Sides[1], files.Sides[2])
	defer w.Close()
	require.Len(t, files.Opened, 3)
	files.ClosedWhenStopped(t, w.Again, w.running.Stop)
}
