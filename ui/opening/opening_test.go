package opening

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/modeltest"
	"assay/ui/ask"
	"assay/ui/comparison/compared"
	"assay/ui/host"
)

// window records requests.
type window struct {
	host.None
	shown []string // kinds of the added comparisons
	files [][]string
	there bool // every comparison is open already
	said  string
	asked []string // paths that the user chooses next
}

func (w *window) AddComparison(kind Kind, files []string, _ Maker) {
	w.shown, w.files = append(w.shown, kind), append(w.files, files)
}
func (w *window) RevealComparison(Kind, ...string) bool                                  { return w.there }
func (w *window) RevealSides(compared.Side, compared.Side) bool                          { return w.there }
func (w *window) UseSameFormat([]compared.Side)                                          {}
func (w *window) ReaderOf(string) model.Opener                                           { return nil }
func (w *window) ShowHint(text string)                                                   { w.said = text }
func (w *window) Choose(string, string, func(context.Context, string, func([]ask.Item))) {}
func (w *window) AskFile(_ string, then func(path string)) {
	path := w.asked[0]
	w.asked = w.asked[1:]
	then(path)
}
func (w *window) AskNew(string, string, func(path string))   {}
func (w *window) MergeTarget() (string, func())              { return "", nil }
func (w *window) AskFolder(_ string, then func(path string)) { w.AskFile("", then) }
func (w *window) Side(path string) compared.Side {
	return compared.File(path, filepath.Base(path), func(context.Context, string) (*model.Document, error) {
		return nil, errors.New("it is not opened")
	})
}

func TestComparisonDependsOnTheFiles(t *testing.T) {
	old, new := modeltest.Versions(t)
	a, b := filepath.Join(old, "same"), filepath.Join(new, "same")
	for _, c := range []struct {
		paths []string
		kind  Kind
		files []string
		open  bool // there is nothing to open
	}{
		{[]string{a, b}, FilesKind, nil, false},
		{[]string{a, b, a}, ThreeKind, []string{a, b, a}, false},
		{[]string{old, new}, FoldersKind, []string{old, new}, true},
	} {
		w, opened := &window{}, false
		o := &Comparer{Window: w}
		o.ComparePaths(c.paths, func() { opened = true })
		assert.Equal(t, []Kind{c.kind}, w.shown)
		assert.Equal(t, c.files, w.files[0])
		assert.Equal(t, c.open, opened)

		w.there, opened = true, false
		o.ComparePaths(c.paths, func() { opened = true })
		assert.Len(t, w.shown, 1, "the tab that is there is shown")
		assert.Equal(t, c.kind != FoldersKind || opened, opened, "and its files are not waited for")
	}
}

func TestEarlierFileIsTheOldSide(t *testing.T) {
	folder := modeltest.Folder(t, map[string]string{"a": "1", "b": "2"})
	a, b := filepath.Join(folder, "a"), filepath.Join(folder, "b")
	require.NoError(t, os.Chtimes(a, time.Time{}, modeltest.Day.Add(time.Hour)))
	assert.True(t, isNewer(a, b))
	assert.False(t, isNewer(b, a))
	assert.False(t, isNewer(a, filepath.Join(folder, "gone")))
}

func TestFilesAreOpenOnceAllWereOpened(t *testing.T) {
	done := 0
	w := &window{}
	good := func(context.Context) (*model.Document, error) { return nil, nil }
	sides := []compared.Side{{Open: good}, {Open: good}}
	notifyOpen(sides, func() { done++ })
	_, _ = sides[0].Open(t.Context())
	_, _ = sides[0].Open(t.Context())
	assert.Zero(t, done, "one of them twice is not both")
	_, _ = sides[1].Open(t.Context())
	assert.Equal(t, 1, done)

	sides = []compared.Side{w.Side("a"), w.Side("b")}
	notifyOpen(sides, func() { done++ })
	_, _ = sides[1].Open(t.Context())
	assert.Equal(t, 2, done, "what cannot be opened is not waited for")
}

func TestRestoreIgnoresInvalidComparisons(t *testing.T) {
	o := &Comparer{Window: &window{}}
	for kind, n := range map[Kind]int{FilesKind: 2, HeadKind: 1, SeriesKind: 3, ThreeKind: 3, FoldersKind: 2} {
		assert.NotNil(t, o.Restore(kind, make([]string, n)), kind)
		assert.Nil(t, o.Restore(kind, nil), kind)
	}
	assert.Nil(t, o.Restore("of another version", []string{"a", "b"}))
}

func TestASeriesIsSortedByName(t *testing.T) {
	w := &window{}
	o := &Comparer{Window: w}
	o.CompareSeries([]compared.Side{w.Side("x10"), w.Side("x2")})
	assert.Contains(t, w.said, "at least three files")
	o.CompareSeries([]compared.Side{w.Side("x10"), w.Side("x2"), w.Side("x1")})
	assert.Equal(t, [][]string{{"x1", "x2", "x10"}}, w.files)
}

func TestGitHasVersionsOfFilesOnly(t *testing.T) {
	w := &window{}
	o := &Comparer{Window: w}
	o.CompareWithHead(compared.Side{Title: "inside"})
	assert.Equal(t, noVersionsText, w.said)
	w.said = ""
	o.CompareWithRevision(compared.Side{Title: "inside"})
	assert.Equal(t, noVersionsText, w.said)
	o.CompareWithHead(w.Side("/a"))
	assert.Equal(t, []Kind{HeadKind}, w.shown)
	w.asked = []string{"/old", "/new"}
	o.CompareChosenFolders()
	assert.Equal(t, []string{"/old", "/new"}, w.files[1])
}
