package comparison

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
	"assay/ui/paint"
	"assay/ui/paint/painttest"
	"assay/ui/rows"
	"assay/ui/work"
)

func TestFolderOpensPairs(t *testing.T) {
	test.NewTempApp(t)
	old, new := foldertest.Versions(t)
	s := &said{style: paint.NewStyle()}
	f := NewFolder(Deps{Host: s, Style: s.style, Group: work.Inline(context.Background())}, old, new, nil)
	defer f.Close()
	w := test.NewTempWindow(t, f.Content())
	w.Resize(fyne.NewSize(1300, 400))
	painttest.Golden(t, "folder", s.style, f.rows)
	require.EqualValues(t, 5, f.rows.Len(), "what is the same is left out")
	for row := range int64(5) {
		f.rows.SetCurrent(row)
		f.rows.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	}
	assert.Equal(t, []string{filepath.Join(new, "came"), filepath.Join(old, "gone")}, s.opened)
	assert.Equal(t, []string{filepath.Join(old, "was"), filepath.Join(new, "is/now"), filepath.Join(old, "sub/byte"),
		filepath.Join(new, "sub/byte"),
		filepath.Join(old, "sub/longer"), filepath.Join(new, "sub/longer")}, s.compared)
	f.setStates(allStates)
	assert.EqualValues(t, 6, f.rows.Len())
	f.rows.SetCurrent(2)
	f.NextChange()
	assert.EqualValues(t, 4, f.rows.Current(), "the same file is passed over")
	_, facts := f.Status()
	assert.Equal(t, "5 differences in 6 files", facts[1].Text)
}

func TestSeriesStepsThroughStates(t *testing.T) {
	test.NewTempApp(t)
	var sides []Side
	for i := range 4 {
		boxes := append([]box(nil), oldBoxes...)
		boxes[0].number = uint32(i / 2) // the states 0 and 1, 2 and 3 are the same
		sides = append(sides, sideOf(shelf(string(rune('a'+i)), "1", boxes...)))
	}
	style := paint.NewStyle()
	s := NewSeries(Deps{Host: new(said), Style: style, Group: work.Inline(context.Background())}, sides)
	defer s.Close()
	w := test.NewTempWindow(t, s.Content())
	w.Resize(fyne.NewSize(1000, 700))
	assert.Equal(t, []int64{0, 2, 0}, s.bars.numbers)
	assert.Equal(t, "Step 1 of 3:   a   →   b", s.label.String())
	s.slider.SetValue(1)
	s.slider.OnChangeEnded(1)
	assert.Equal(t, "Step 2 of 3:   b   →   c", s.label.String())
	require.False(t, s.Present().c.Same())
	s.Present().ToggleLayout()
	s.bars.Tapped(&fyne.PointEvent{Position: fyne.NewPos(s.bars.Size().Width-2, 5)})
	assert.Equal(t, 2, s.step)
	assert.Equal(t, twoTrees, s.Present().list.layout, "the layout stays")
	s.Show(99)
	assert.Equal(t, 2, s.step)
	painttest.Golden(t, "steps", style, s.bars)
}

func TestTheNextPairIsShownWithoutGoingBack(t *testing.T) {
	test.NewTempApp(t)
	old, new := foldertest.Versions(t)
	s := &said{style: paint.NewStyle()}
	open := func(_ context.Context, path string) (*model.Document, error) {
		b, err := os.ReadFile(path)
		return shelf(filepath.Base(path), "1", box{"a", uint32(len(b)), "label", string(b)}), err
	}
	deps := Deps{Host: s, Style: s.style, Group: work.Inline(context.Background())}
	f := NewFolder(deps, old, new, open)
	defer f.Close()
	a, b := f.pair(f.files[f.shown[3]])
	require.Equal(t, filepath.Join(new, "sub/byte"), b.Path)
	deps.Group = work.Inline(context.Background())
	c := New(deps, a, b)
	defer c.Close()
	assert.True(t, c.head.beside.Visible())
	c.Step(1)
	assert.Equal(t, "sub/longer", f.files[f.current()].Name, "the list goes along")
	_, b = c.Sides()
	assert.Equal(t, filepath.Join(new, "sub/longer"), b.Path)
	assert.Equal(t, "longer", c.c.New.Source.Name())
	c.Step(1)
	assert.Equal(t, "There are no more pairs of files in the list.", s.hints[len(s.hints)-1])
	c.Step(-2)
	_, b = c.Sides()
	assert.Equal(t, filepath.Join(new, "is/now"), b.Path, "what was renamed is a pair too")
}

func TestFolderSaysWhatFilesAre(t *testing.T) {
	test.NewTempApp(t)
	old, new := foldertest.Versions(t)
	s := &said{style: paint.NewStyle()}
	open := func(_ context.Context, path string) (*model.Document, error) {
		b, err := os.ReadFile(path)
		return shelf(filepath.Base(path), "1", box{"a", uint32(len(b)), "label", string(b)}), err
	}
	f := NewFolder(Deps{Host: s, Style: s.style, Group: work.Inline(context.Background())}, old, new, open)
	defer f.Close()
	f.filter.SetText("longer")
	require.Len(t, f.shown, 1)
	assert.Equal(t, "changed\tsub/longer\tshelf 1\ta: number 5 → 7 (+2), a: block 5 bytes → 7 bytes",
		f.line(f.files[f.shown[0]]))
	f.copyList()
	assert.Equal(t, []string{"changed\tsub/longer\tshelf 1\ta: number 5 → 7 (+2), a: block 5 bytes → 7 bytes\n"}, s.copied)
	f.saveReport()
	assert.Contains(t, s.saved.String(), "a: number 5 → 7 (+2), a: block 5 bytes → 7 bytes</summary>")
	assert.Contains(t, s.saved.String(), "All changes: 3 changed", "the comparison of the pair is below it")

	f.filter.SetText("")
	f.rows.SetCurrent(1)
	f.copyNames()
	assert.Equal(t, "gone", s.copied[1])
	f.rows.TypedShortcut(&fyne.ShortcutSelectAll{})
	f.copyNames()
	assert.Equal(t, "came\ngone\nis/now\nsub/byte\nsub/longer", s.copied[2])
	f.rows.Events.OnSort(fileNewSize, rows.Descending)
	var names []string
	for _, i := range f.shown {
		names = append(names, f.files[i].Name)
	}
	assert.Equal(t, []string{"is/now", "sub/longer", "sub/byte", "came", "gone"}, names)
}
