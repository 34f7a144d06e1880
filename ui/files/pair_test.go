package files

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/model/modeltest"
	"assay/ui/comparison"
	"assay/ui/comparison/compared"
	"assay/ui/comparison/comparisontest"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/uitest"
)

var (
	box   = comparisontest.NewBox
	shelf = comparisontest.Shelf
)

// openShelf opens a file as a shelf with a box whose number is the size of the file.
func openShelf(_ context.Context, path string) (*model.Document, error) {
	b, err := os.ReadFile(path)
	return shelf(filepath.Base(path), "1", box("a", uint32(len(b)), "label", string(b))), err
}

// pairOf compares two folders with all kinds of differences. It also returns the window and the rows.
func pairOf(t *testing.T, open compared.Opener) (*Pair, *comparisontest.Window, *rows.Rows) {
	t.Helper()
	test.NewTempApp(t)
	old, new := modeltest.Versions(t)
	s := comparisontest.NewWindow()
	f := NewPair(s.Deps(), PairOptions{Roots: [2]string{old, new}, Opener: open, Files: &exports{}})
	t.Cleanup(f.Close)
	w := test.NewTempWindow(t, f.Content())
	w.Resize(fyne.NewSize(1300, 400))
	f.Focus()
	listed, ok := w.Canvas().Focused().(*rows.Rows)
	require.True(t, ok)
	return f, s, listed
}

// names returns the names of the listed files.
func (p *Pair) names() (names []string) {
	for _, file := range p.listed {
		names = append(names, file.Name)
	}
	return names
}

func press(r *rows.Rows, keys ...fyne.KeyName) {
	for _, key := range keys {
		r.TypedKey(&fyne.KeyEvent{Name: key})
	}
}

func TestPairsAndSingleFilesAreOpened(t *testing.T) {
	f, s, listed := pairOf(t, nil)
	old, new := f.Roots[0], f.Roots[1]
	uitest.Golden(t, "folder", s.Style, listed)
	require.EqualValues(t, 5, listed.Len(), "equal files are left out")
	for range 5 {
		press(listed, fyne.KeyReturn, fyne.KeyDown)
	}
	assert.Equal(t, []string{filepath.Join(new, "came"), filepath.Join(old, "gone")}, s.Opened)
	assert.Equal(t, []string{filepath.Join(old, "sub/byte"), filepath.Join(new, "sub/byte"),
		filepath.Join(old, "sub/longer"), filepath.Join(new, "sub/longer"), filepath.Join(old, "was"),
		filepath.Join(new, "is/now")}, s.Compared)
	f.setStatuses(compared.AllStatuses)
	assert.EqualValues(t, 6, listed.Len())
	path, facts := f.Status()
	assert.Equal(t, "is/now", path[0].Text, "the current file stays current")
	assert.Equal(t, "5 differences in 6 files", facts[1].Text)
	press(listed, fyne.KeyEnd, fyne.KeyUp, fyne.KeyUp)
	f.PreviousChange()
	assert.EqualValues(t, 2, listed.Current(), "the same file is passed over")
}

// Unchanged files that use changed ones are listed in the color of changed files.
func TestUnchangedFilesThatUseChangedOnesAreListed(t *testing.T) {
	test.NewTempApp(t)
	var roots [2]string
	for i, painted := range []string{"red", "blue"} {
		roots[i] = modeltest.Folder(t, map[string]string{"a": painted, "b": "bb", "user": "uses a", "zero": "uses b"})
	}
	open := func(ctx context.Context, path string) (*model.Document, error) {
		src, err := model.OpenFile(path)
		if err != nil {
			return nil, err
		}
		content, err := src.Bytes(model.Span{Size: src.Size()})
		d := shelf(filepath.Base(path), "1")
		d.Source = src
		if name, ok := strings.CutPrefix(string(content), "uses "); ok {
			d.Root().Link = &model.Link{File: name}
		}
		return d, err
	}
	s := comparisontest.NewWindow()
	f := NewPair(s.Deps(), PairOptions{Roots: roots, Opener: open, Files: &exports{},
		Refers: func(name string) bool { return len(name) > 1 }})
	t.Cleanup(f.Close)
	assert.Equal(t, []string{"a", "user"}, f.names())
	assert.Equal(t, "same bytes; uses a, which differs", f.listed[1].Change(""))
	assert.Equal(t, []paint.Tone{compared.StatusTone(compare.Changed), compared.StatusTone(compare.Changed)},
		[]paint.Tone{f.tone(0), f.tone(1)})
	assert.EqualValues(t, 1, f.counts.Changed)
	f.list.Step(-1, 1, func(i int) bool { return i == 0 })
	f.NextChange()
	assert.Equal(t, 1, f.current())
	f.setStatuses(compared.AllStatuses)
	assert.Equal(t, compared.StatusTone(compare.Same), f.tone(1), "b")
}

func TestFoldersAreComparedAsATree(t *testing.T) {
	f, s, listed := pairOf(t, nil)
	f.list.SetGrouping("Tree")
	uitest.Golden(t, "tree", s.Style, listed)
	press(listed, fyne.KeyHome, fyne.KeyLeft)
	assert.EqualValues(t, 6, listed.Len(), "is/now is in a folder that is closed")
	press(listed, fyne.KeyDown, fyne.KeyDown)
	assert.EqualValues(t, 2, listed.Current())
	press(listed, fyne.KeyHome)
	f.list.Step(1, -1, func(i int) bool { return f.listed[i].Name == "is/now" })
	assert.EqualValues(t, 7, listed.Len(), "a step opens it")
	path, _ := f.Status()
	assert.Equal(t, "is/now", path[0].Text)
	press(listed, fyne.KeyLeft, fyne.KeyReturn)
	assert.EqualValues(t, 6, listed.Len())
	press(listed, fyne.KeyRight, fyne.KeyRight)
	assert.EqualValues(t, 1, listed.Current())
}

func TestPairsShowFormatsAndChanges(t *testing.T) {
	f, s, _ := pairOf(t, openShelf)
	f.listed = f.listed[4:]
	f.copyList()
	line := "changed\tsub/longer\tshelf 1\ta: number 5 → 7 (+2), a: block 5 bytes → 7 bytes (+2 bytes)\n"
	assert.Equal(t, []string{line}, s.Copied)
	f.saveReport()
	assert.Contains(t, s.Saved.String(), "a: number 5 → 7 (+2), a: block 5 bytes → 7 bytes (+2 bytes)</summary>")
	assert.Contains(t, s.Saved.String(), "All changes: 2 changed", "the comparison of the pair is below it")
	f.copyNames(f.files)
	assert.Equal(t, "came\ngone\nis/now\nsame\nsub/byte\nsub/longer", s.Copied[1])
}

func TestFoldersAreSwapped(t *testing.T) {
	f, _, listed := pairOf(t, nil)
	f.setStatuses(1 << compare.Added)
	assert.Equal(t, []string{"came"}, f.names())
	from := f.Roots
	f.Swap()
	assert.Equal(t, []string{from[1], from[0]}, f.Folders())
	assert.Equal(t, []string{"came"}, f.names(), "added and removed are exchanged")
	f.setStatuses(1 << compare.Moved)
	assert.Equal(t, []string{"was"}, f.names())
	f.setStatuses(compared.Differing)
	press(listed, fyne.KeyEnd)
	for range 2 {
		name := f.listed[f.current()].OldPath()
		f.Swap()
		assert.Equal(t, name, f.listed[f.current()].Name, "the file stays current")
	}
}

func TestRulesHideFilesOfAPair(t *testing.T) {
	f, s, listed := pairOf(t, openShelf)
	assert.Equal(t, []string{"came", "gone", "is/now", "sub/byte", "sub/longer"}, f.names())
	f.setRules(compare.Options{Names: []string{"number", "block"}})
	assert.Equal(t, []string{"came", "gone", "is/now"}, f.names())
	_, facts := f.Status()
	assert.Equal(t, "3 differences in 6 files, 2 ignored by the rules", facts[1].Text)
	press(listed, fyne.KeyEnd, fyne.KeyReturn)
	assert.Equal(t, []string{"number", "block"}, s.Pair[1].Rules.Names, "a pair is compared by the same rules")
	f.setRules(compare.Options{})
	assert.Len(t, f.names(), 5)
}

func TestChangedFilesOfAFolderAreExported(t *testing.T) {
	f, s, _ := pairOf(t, nil)
	var names []string
	s.OnExport = func(d *model.Document, nodes []*model.Node) {
		for _, n := range nodes {
			names = append(names, d.Payloads.At(n.Index).Name)
		}
	}
	f.AddChangedToExport()
	assert.Equal(t, []string{"came", "is/now", "sub/byte", "sub/longer"}, names)
}

func TestFoldersAreWatched(t *testing.T) {
	f, s, _ := pairOf(t, nil)
	folders := map[string]bool{}
	for _, root := range f.Roots {
		folders[root] = true
		folders[filepath.Join(root, "is")] = true
		folders[filepath.Join(root, "sub")] = true
	}
	assert.ElementsMatch(t, slices.Collect(maps.Keys(folders)), s.Watched)
	f.FilesChanged()
	require.Len(t, f.notices.Texts(), 1)
	assert.Contains(t, f.notices.Texts()[0], "changed on disk")
	f.Reload()
	assert.Empty(t, f.notices.Texts())
}

func TestTheNextPairIsShownWithoutGoingBack(t *testing.T) {
	f, s, listed := pairOf(t, openShelf)
	new := f.Roots[1]
	press(listed, fyne.KeyReturn)
	a, b := s.Pair[0], s.Pair[1]
	require.Equal(t, filepath.Join(new, "sub/byte"), b.Path)
	c := comparison.New(s.Deps(), a, b)
	defer c.Close()
	c.StepPair(1)
	path, _ := f.Status()
	assert.Equal(t, "sub/longer", path[0].Text, "the list follows")
	_, b = c.Sides()
	assert.Equal(t, filepath.Join(new, "sub/longer"), b.Path)
	assert.Equal(t, "longer", c.Result().New.Source.Name())
	c.StepPair(1)
	_, b = c.Sides()
	assert.Equal(t, filepath.Join(new, "is/now"), b.Path, "renamed files are pairs too")
	c.StepPair(1)
	assert.Equal(t, "No more file pairs.", s.Hints[len(s.Hints)-1])
}
