package comparison

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
	"assay/ui/paint"
	"assay/ui/work"
)

func TestThreeVersions(t *testing.T) {
	test.NewTempApp(t)
	s := &said{style: paint.NewStyle()}
	base := shelf("base", "1", box{"a", 1, "one", "x"}, box{"b", 2, "two", "y"})
	mine := shelf("mine", "1", box{"a", 10, "one", "x"}, box{"b", 3, "two", "y"})
	theirs := shelf("theirs", "1", box{"a", 1, "one", "x"}, box{"b", 4, "two", "y"})
	w := NewThreeWay(Deps{Host: s, Style: s.style, Group: work.Inline(context.Background())}, sideOf(base),
		sideOf(mine), sideOf(theirs))
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
	var sides []Side
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
		sides = append(sides, FileSide(path, name, open))
	}
	s := &said{style: paint.NewStyle()}
	w := NewThreeWay(Deps{Host: s, Style: s.style, Group: work.Inline(context.Background())}, sides[0], sides[1],
		sides[2])
	defer w.Close()
	assert.Equal(t, []string{sides[0].Path, sides[1].Path, sides[2].Path}, s.watched)
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
	folder := t.TempDir()
	var opened []*model.Document
	var then func()
	open := func(_ context.Context, path string) (*model.Document, error) {
		src, err := model.OpenFile(path)
		if err != nil {
			return nil, err
		}
		d := model.NewDocument(src, "bytes", "", &model.Node{Span: model.Span{Size: src.Size()}})
		if opened = append(opened, d); then != nil {
			then()
		}
		return d, nil
	}
	var sides []Side
	for _, name := range []string{"base", "mine", "theirs"} {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(name), 0o600))
		sides = append(sides, FileSide(path, name, open))
	}
	s := &said{style: paint.NewStyle()}
	two := New(Deps{Host: s, Style: s.style, Group: work.Inline(t.Context())}, sides[0], sides[1])
	defer two.Close()
	three := NewThreeWay(Deps{Host: s, Style: s.style, Group: work.Inline(t.Context())}, sides[0], sides[1], sides[2])
	defer three.Close()
	require.Len(t, opened, 5)
	for _, again := range []struct {
		run, stop func()
		sides     int
	}{
		{func() { two.in.run(true) }, two.in.comparing.Stop, 2},
		{three.Again, three.running.Stop, 3},
	} {
		opened = nil
		then = func() {
			if len(opened) == again.sides {
				again.stop()
			}
		}
		again.run()
		require.Len(t, opened, again.sides)
		for _, d := range opened {
			assert.False(t, d.Source.Kept(), d.Source.Name())
		}
	}
}
