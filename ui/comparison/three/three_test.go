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
	"assay/ui/paint"
	"assay/ui/rows"
)

var (
	box   = comparisontest.NewBox
	shelf = comparisontest.Shelf
)

func TestConflictsAreCountedAndListed(t *testing.T) {
	test.NewTempApp(t)
	s := comparisontest.NewWindow()
	base := shelf("base", "1", box("a", 1, "one", "x"), box("b", 2, "two", "y"))
	mine := shelf("mine", "1", box("a", 10, "one", "x"), box("b", 3, "two", "y"))
	theirs := shelf("theirs", "1", box("a", 1, "one", "x"), box("b", 4, "two", "y"))
	w := New(s.Deps(), [3]compared.Side{comparisontest.Side(base), comparisontest.Side(mine),
		comparisontest.Side(theirs)}, Target{})
	defer w.Close()
	assert.Equal(t, [5]int64{merge.OnlyMine: 1, merge.Conflict: 1}, w.counts)
	assert.Equal(t, "~ 1 → 10 (+9)", (*mergeRows)(w).Cell(0, 3).Text)
	assert.Equal(t, "unchanged", (*mergeRows)(w).Cell(0, 4).Text)
	w.rows.SetCurrent(0)
	w.NextChange()
	assert.EqualValues(t, 1, w.rows.Current())
	w.conflictsOnly.SetChecked(true)
	assert.EqualValues(t, 1, (*mergeRows)(w).Len())
}

func TestThreeVersionsAreWatched(t *testing.T) {
	test.NewTempApp(t)
	folder := t.TempDir()
	var sides []compared.Side
	for i, name := range []string{"base", "mine", "theirs"} {
		path := filepath.Join(folder, name)
		if i < 2 {
			require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("x", 10+i)), 0o600))
		}
		sides = append(sides, compared.File(path, name, openText))
	}
	s := comparisontest.NewWindow()
	w := New(s.Deps(), [3]compared.Side(sides), Target{})
	defer w.Close()
	assert.Equal(t, []string{sides[0].Path, sides[1].Path, sides[2].Path}, s.Watched)
	assert.Len(t, w.notices.Texts(), 1, "a version is missing")
	require.NoError(t, os.WriteFile(sides[2].Path, []byte("theirs"), 0o600))
	w.FilesChanged()
	assert.Empty(t, w.notices.Texts(), "it exists now")
	w.FilesChanged()
	assert.Empty(t, w.notices.Texts(), "nothing changed")
	require.NoError(t, os.WriteFile(sides[0].Path, []byte("another base"), 0o600))
	require.NoError(t, os.Chtimes(sides[0].Path, time.Time{}, time.Unix(1e9, 0)))
	w.FilesChanged()
	require.Len(t, w.notices.Texts(), 1)
	assert.Contains(t, w.notices.Texts()[0], "changed on disk")
	w.Reload()
	assert.Empty(t, w.notices.Texts())
}

func TestFilesOfCanceledComparisonsAreClosed(t *testing.T) {
	test.NewTempApp(t)
	files := comparisontest.NewFiles(t, "base", "mine", "theirs")
	w := New(comparisontest.NewWindow().Deps(), [3]compared.Side(files.Sides), Target{})
	defer w.Close()
	require.Len(t, files.Opened, 3)
	files.CheckClosedWhenStopped(t, w.Reload, w.compareLane.Stop)
}

// openText opens a file as a document of a text.
func openText(_ context.Context, path string) (*model.Document, error) {
	src, err := model.OpenFile(path)
	if err != nil {
		return nil, err
	}
	return model.NewDocument(src, "bytes", "", &model.Node{Span: model.Span{Size: src.Size()}}), nil
}

func TestVersionsAreMerged(t *testing.T) {
	test.NewTempApp(t)
	folder := t.TempDir()
	var sides [3]compared.Side
	for v, text := range []string{"one\ntwo\nthree\n", "ONE\ntwo\nthree\n", "uno\ntwo\nTHREE\n"} {
		path := filepath.Join(folder, []string{"base.txt", "mine.txt", "theirs.txt"}[v])
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		sides[v] = compared.File(path, filepath.Base(path), openText)
	}
	var asked []string
	answer := sides[1].Path
	s := comparisontest.NewWindow()
	deps := s.Deps()
	deps.OpenSource = func(_ context.Context, src *model.Source) (*model.Document, error) {
		return model.NewDocument(src, "bytes", "", &model.Node{Span: model.Span{Size: src.Size()}}), nil
	}
	w := New(deps, sides, Target{Ask: func(_, name string, then func(path string)) {
		asked = append(asked, name)
		then(answer)
	}})
	defer w.Close()
	assert.Equal(t, [5]int64{merge.OnlyTheirs: 1, merge.Conflict: 1}, w.counts)
	assert.EqualValues(t, 0, w.rows.Current(), "the first conflict")
	assert.Equal(t, "   1 > ONE\n   2   two\n   3   three\n", w.pictures.lines[1].Text)
	assert.Equal(t, "?", (*mergeRows)(w).Cell(0, 5).Text)
	assert.Equal(t, "theirs", (*mergeRows)(w).Cell(1, 5).Text)
	w.rows.SetCurrent(1)
	w.SaveMerged(nil)
	assert.Empty(t, asked, "a conflict is unresolved")
	assert.EqualValues(t, 0, w.rows.Current(), "the conflict is selected")
	assert.Contains(t, s.Hints[len(s.Hints)-1], "1 conflict unresolved")
	assert.Empty(t, w.Unsaved())

	const unresolved = "<<<<<<< mine\nONE\n=======\nuno\n>>>>>>> theirs\ntwo\nTHREE\n"
	assert.Equal(t, unresolved, w.merged.entry.Text)
	w.merged.entry.SetText("own\ntwo\nTHREE\n")
	assert.Equal(t, "edited", (*mergeRows)(w).Cell(0, 5).Text, "the typed text is the resolution")
	assert.Equal(t, rows.Cell{Text: "conflict, resolved"}, (*mergeRows)(w).Cell(0, 0))
	w.merged.entry.SetText("own\ntwo\nTHREE and more\n")
	assert.Equal(t, "edited", (*mergeRows)(w).Cell(1, 5).Text, "in all of the text")
	assert.NotEmpty(t, w.Unsaved())
	w.Undo()
	assert.Equal(t, "?", (*mergeRows)(w).Cell(0, 5).Text)
	assert.Equal(t, rows.Cell{Text: "conflict", Tone: paint.Removed, Bold: true}, (*mergeRows)(w).Cell(0, 0))
	assert.Equal(t, unresolved, w.merged.entry.Text)
	assert.False(t, w.CanUndo(), "what was typed is one step")
	w.savedAt = 0
	w.TakeMine()
	assert.NotEmpty(t, w.Unsaved())
	w.rows.SetCurrent(1)
	w.Undo()
	assert.Equal(t, "?", (*mergeRows)(w).Cell(0, 5).Text, "the choice is undone")
	assert.EqualValues(t, 0, w.rows.Current())
	assert.Empty(t, w.Unsaved())
	assert.False(t, w.CanUndo())
	w.TakeMine()
	w.rows.SetCurrent(0)
	w.TakeBoth()
	assert.Equal(t, "both", (*mergeRows)(w).Cell(0, 5).Text)
	assert.False(t, w.decisions.save.Disabled())
	w.SaveMerged(nil)
	assert.Equal(t, []string{filepath.Join(folder, "mine-merged.txt")}, asked, "beside the file")
	assert.Contains(t, w.notices.Texts()[0], "is one of the compared versions")
	answer = filepath.Join(folder, "merged.txt")
	w.SaveMerged(nil)
	b, err := os.ReadFile(answer)
	require.NoError(t, err)
	assert.Equal(t, "ONE\nuno\ntwo\nTHREE\n", string(b))
	assert.Contains(t, w.notices.Texts()[0], "Saved and verified merged.txt")
	assert.Empty(t, w.Unsaved())
	w.open()
	assert.Equal(t, []string{sides[1].Path, sides[2].Path}, s.Compared)
}

func TestLongCommonPrefixesAreShortened(t *testing.T) {
	const long = "speed of the ball in the experiment = "
	marked := func(texts ...string) (out []string) {
		for _, pieces := range markDifferences([3]string(texts)) {
			text := ""
			for _, p := range pieces {
				if p.Highlighted {
					text += "[" + p.Text + "]"
				} else {
					text += p.Text
				}
			}
			out = append(out, text)
		}
		return out
	}
	assert.Equal(t, []string{"… nt = [1.5] m", "… nt = [1.75] m", "… nt = 1.5 m"},
		marked(long+"1.5 m", long+"1.75 m", long+"1.5 m"))
	assert.Equal(t, []string{"… ment = [1] m", "… ment = [2] m", "… ment = [3] m"},
		marked(long+"1 m", long+"2 m", long+"3 m"))
	assert.Equal(t, []string{"ball = [1]", "ball = [2]", ""}, marked("ball = 1", "ball = 2", ""))
	assert.Equal(t, []string{"", long + "1", long + "1"}, marked("", long+"1", long+"1"))
	assert.Equal(t, []string{"… äää [1]", "… äää [2]", "… äää [3]"},
		marked("ääääääääääääääääääää 1", "ääääääääääääääääääää 2", "ääääääääääääääääääää 3"))
}

// TestMergedFileIsWrittenToTheTarget tests that the merged file of a mergetool is written to the path of git, and the
// window is notified.
func TestMergedFileIsWrittenToTheTarget(t *testing.T) {
	test.NewTempApp(t)
	folder := t.TempDir()
	var sides [3]compared.Side
	for v := range sides {
		path := filepath.Join(folder, []string{"base", "mine", "theirs"}[v])
		require.NoError(t, os.WriteFile(path, []byte{0, byte(v), 255}, 0o600))
		sides[v] = compared.File(path, "x", openText)
	}
	merged, written := filepath.Join(folder, "merged"), 0
	require.NoError(t, os.WriteFile(merged, []byte("<<<<<<<"), 0o600))
	s := comparisontest.NewWindow()
	w := New(s.Deps(), sides, Target{Path: merged, Written: func() { written++ }})
	defer w.Close()
	assert.Regexp(t, `^Cannot merge .*; take one version\.$`, w.notices.Texts()[0])
	w.TakeBoth()
	assert.Zero(t, written)
	w.TakeTheirs()
	w.SaveMerged(nil)
	assert.Equal(t, 1, written)
	b, err := os.ReadFile(merged)
	require.NoError(t, err)
	assert.Equal(t, []byte{0, 2, 255}, b)
}

// TestResolvingGoesToTheNextConflict tests that resolving goes to the next unresolved conflict, after the last one to
// the first, and that stepping reports the end.
func TestResolvingGoesToTheNextConflict(t *testing.T) {
	test.NewTempApp(t)
	var sides [3]compared.Side
	folder := t.TempDir()
	for v, text := range []string{"a\n-\nb\n-\nc\n", "A\n-\nB\n-\nC\n", "1\n-\n2\n-\n3\n"} {
		path := filepath.Join(folder, []string{"base.txt", "mine.txt", "theirs.txt"}[v])
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		sides[v] = compared.File(path, filepath.Base(path), openText)
	}
	s := comparisontest.NewWindow()
	w := New(s.Deps(), sides, Target{})
	defer w.Close()
	currentRow := func() int64 { return w.rows.Current() }
	w.rows.SetCurrent(1)
	w.TakeMine()
	assert.EqualValues(t, 2, currentRow())
	w.TakeTheirs()
	assert.EqualValues(t, 0, currentRow(), "around")
	w.rows.SetCurrent(2)
	w.NextChange()
	assert.EqualValues(t, 2, currentRow())
	assert.Contains(t, s.Hints[len(s.Hints)-1], "No later conflict")
	w.NextChange()
	assert.EqualValues(t, 0, currentRow())
}

// TestUndoSelectsTheChangeInAnotherList tests that undo selects the row of the change after the list was filtered, and
// that a choice without a change does nothing.
func TestUndoSelectsTheChangeInAnotherList(t *testing.T) {
	test.NewTempApp(t)
	base := shelf("base", "1", box("a", 1, "one", "x"), box("b", 2, "two", "y"), box("c", 3, "three", "z"))
	mine := shelf("mine", "1", box("a", 10, "one", "x"), box("b", 3, "two", "y"), box("c", 4, "three", "z"))
	theirs := shelf("theirs", "1", box("a", 1, "one", "x"), box("b", 4, "two", "y"), box("c", 5, "three", "z"))
	s := comparisontest.NewWindow()
	w := New(s.Deps(), [3]compared.Side{comparisontest.Side(base), comparisontest.Side(mine),
		comparisontest.Side(theirs)}, Target{})
	defer w.Close()
	w.rows.SetCurrent(1)
	w.TakeMine()
	w.conflictsOnly.SetChecked(true)
	w.rows.SetCurrent(1)
	w.Undo()
	assert.EqualValues(t, 0, w.rows.Current(), "the first conflict was the second change")

	w.merging = nil
	hints := len(s.Hints)
	w.TakeMine()
	assert.Len(t, s.Hints, hints, "nothing to take")
}
