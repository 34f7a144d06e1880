package comparison

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/ui/comparison/compared"
	"assay/ui/comparison/comparisontest"
	"assay/ui/comparison/tree"
	"assay/ui/control"
	"assay/ui/paint"
	"assay/ui/uitest"
	"assay/ui/work"
)

var (
	box      = comparisontest.NewBox
	longList = comparisontest.LongList
	shelf    = comparisontest.Shelf
)

func boxes(t testing.TB) (*Comparison, *comparisontest.Window, fyne.Window) {
	return opened(t, shelf("old.shelf", "1", comparisontest.OldBoxes...), shelf("new.shelf", "1", comparisontest.NewBoxes...))
}

// outlined returns the rows of the tree as text.
func outlined(c *Comparison) []string {
	var out []string
	for row := range c.tree.View.Len() {
		at := c.tree.View.At(row)
		name := c.tree.Describe(at).Cells[1]
		s := strings.Repeat(" ", at.Depth()) + c.tree.Pair(at).Status.Sign() + name.Text
		if name.Hint != "" {
			s += " " + name.Hint
		}
		out = append(out, s)
	}
	return out
}

func visit(t testing.TB, c *Comparison, path string) {
	t.Helper()
	for row := range c.tree.View.Len() {
		if c.tree.Pair(c.tree.View.At(row)).Node().PathText() == path {
			c.tree.View.GoTo(row)
			return
		}
	}
	require.Fail(t, "there is no row "+path)
}

func TestOnlyDifferencesAreVisible(t *testing.T) {
	c, s, _ := boxes(t)
	assert.Equal(t, []string{"~old.shelf → new.shelf", " ~boxes", "  ~0 apple", "   ~number", "   ~label", "   ~block",
		"  -3 gone", "  +3 come"}, outlined(c))
	assert.Equal(t, "old.shelf : new.shelf", c.Title())
	uitest.Golden(t, "differences", s.Style, c.tree.View.Rows)
	uitest.Golden(t, "chips", s.Style, c.header.chips)
	uitest.Legible(t, s.Style, c.header.chips)

	c.setStatuses(c.tree.Statuses() | 1<<compare.Same)
	assert.Contains(t, outlined(c), "  =1 pear")
	assert.Contains(t, outlined(c), "   =key")
	c.setStatuses(1 << compare.Added)
	assert.Equal(t, []string{"~old.shelf → new.shelf", " ~boxes", "  +3 come"}, outlined(c))
	test.Tap(c.header.chips)
	uitest.Golden(t, "added", s.Style, c.tree.View.Rows)
}

func TestStepsGoFromChangeToChange(t *testing.T) {
	c, s, _ := boxes(t)
	assert.Equal(t, "/", c.pair.Node().PathText(), "several changes: the root lists them")
	var seen []string
	for range 7 {
		c.NextChange()
		seen = append(seen, c.pair.Node().PathText())
	}
	assert.Equal(t, []string{"/boxes/0/number", "/boxes/0/label", "/boxes/0/block", "/boxes/3", "/boxes/3",
		"/boxes/3", "/boxes/0/number"}, seen)
	assert.Contains(t, s.Hints, "No later change. Press again to go to the first one.")
	assert.Contains(t, s.Hints, "Continued from the first change.")
	c.PreviousChange()
	assert.Equal(t, "/boxes/0/number", c.pair.Node().PathText(), "the end is reported first")
	c.PreviousChange()
	assert.Equal(t, "/boxes/3", c.pair.Node().PathText())
	assert.Equal(t, compare.Added, c.pair.Status)
	c.PreviousChange()
	assert.Equal(t, compare.Removed, c.pair.Status)
	c.NextChange()
	assert.Equal(t, compare.Added, c.pair.Status)

	c.setStatuses(1 << compare.Removed)
	c.NextChange()
	c.NextChange()
	assert.Equal(t, compare.Removed, c.pair.Status, "hidden statuses are skipped")
}

// TestStepsGoFromItemToItem tests that NextChange goes to each item once, and NextField to each field except checksums.
func TestStepsGoFromItemToItem(t *testing.T) {
	docs := [2]*model.Document{shelf("old.shelf", "1", comparisontest.OldBoxes...),
		shelf("new.shelf", "1", comparisontest.NewBoxes...)}
	for _, d := range docs {
		d.Item = func(n *model.Node) (model.Item, bool) { return model.Item{Kind: "box"}, n.Type == "Box" }
		d.Root().Child(1).Child(0).ChildNamed("number").Role = model.RoleSum
	}
	c, _, _ := opened(t, docs[0], docs[1])
	walk := func(step func(), times int) (seen []string) {
		for range times {
			step()
			seen = append(seen, c.pair.Status.Sign()+c.pair.Node().PathText())
		}
		return seen
	}
	assert.Equal(t, []string{"~/boxes/0", "-/boxes/3", "+/boxes/3", "+/boxes/3", "~/boxes/0"}, walk(c.NextChange, 5))
	assert.Equal(t, []string{"~/boxes/0/label", "~/boxes/0/block", "-/boxes/3"}, walk(c.NextField, 3))
	assert.Equal(t, []string{"~/boxes/0/block", "~/boxes/0/label"}, walk(c.PreviousField, 2))
	assert.Equal(t, []string{"~/boxes/0", "~/boxes/0", "+/boxes/3", "-/boxes/3"}, walk(c.PreviousChange, 4))
}

// An entry of an index and the box that it points to are one item: the chips count it once, as the headline does.
func TestChipsCountAnItemOnce(t *testing.T) {
	docs := [2]*model.Document{shelf("old.shelf", "1", box("apple", 1, "red", "x"), box("pear", 2, "green", "y")),
		shelf("new.shelf", "1", box("apple", 5, "yellow", "z"), box("pear", 2, "green", "y"))}
	for _, d := range docs {
		d.Item = func(n *model.Node) (model.Item, bool) { return model.Item{Kind: "box"}, n.Type == "Box" }
		comparisontest.AddIndex(d)
	}
	c, s, _ := opened(t, docs[0], docs[1])
	assert.Equal(t, int64(6), c.result.Counts().Changed, "rows of the box and of its entry")
	assert.True(t, strings.HasPrefix(c.header.headline, "box apple: "), c.header.headline)
	uitest.Golden(t, "chips-of-things", s.Style, c.header.chips)

	c.setStatuses(c.tree.Statuses() | 1<<compare.Same)
	assert.Equal(t, int64(1), c.header.counts.Changed, "as before")
}

// TestRenamedRowsAreHiddenAsMoved has a renamed box with an entry in an index.
func TestRenamedRowsAreHiddenAsMoved(t *testing.T) {
	long := strings.Repeat("x", 100)
	docs := [2]*model.Document{shelf("old.shelf", "1", box("apple", 1, "red", long), box("pear", 2, "green", "y")),
		shelf("new.shelf", "1", box("fruit", 1, "red", long), box("pear", 2, "green", "y"))}
	for _, d := range docs {
		d.Item = func(n *model.Node) (model.Item, bool) { return model.Item{Kind: "box"}, n.Type == "Box" }
		comparisontest.AddIndex(d)
	}
	c, _, _ := opened(t, docs[0], docs[1])
	assert.Contains(t, strings.Join(outlined(c), "\n"), ">0 fruit")
	c.setStatuses(compared.Differing &^ (1 << compare.Moved))
	assert.NotContains(t, strings.Join(outlined(c), "\n"), ">")
}

func TestTheOnlyChangeIsNamed(t *testing.T) {
	c, s, _ := opened(t, shelf("old.shelf", "1", box("apple", 1, "red", "x")),
		shelf("new.shelf", "1", box("apple", 2, "red", "x")))
	visit(t, c, "/boxes/0/number")
	c.NextChange()
	assert.Equal(t, "This is the only change.", s.Hints[len(s.Hints)-1])
	c.PreviousChange()
	assert.Equal(t, "This is the only change.", s.Hints[len(s.Hints)-1])
}

func TestSearchLooksAtBothSides(t *testing.T) {
	c, _, _ := boxes(t)
	for _, tt := range []struct{ query, want, matches string }{
		{"red", "   ~label", "1 match"},
		{"green", "   ~label", "1 match"},
		{"gone", "  -3 gone", "2 matches"},
		{"come", "  +3 come", "2 matches"},
		{"pear", "", "no matches in the differences"},
	} {
		c.Search.Field.SetText(tt.query)
		assert.Equal(t, tt.matches, c.Search.Matches.Text, tt.query)
		if tt.want != "" {
			assert.Contains(t, outlined(c), tt.want, tt.query)
		} else {
			assert.Len(t, outlined(c), 1)
		}
	}
	c.setStatuses(compared.AllStatuses)
	assert.Contains(t, outlined(c), "  =1 pear")
	c.Search.Field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.Equal(t, "/boxes/1", c.pair.Node().PathText())
	c.NextChange()
	assert.Equal(t, compare.Removed, c.pair.Status)
	assert.Empty(t, c.Search.Field.Text, "a change that the search hides ends it")
}

func TestSelectionIsDisplayedInAllPanels(t *testing.T) {
	c, s, _ := boxes(t)
	before := s.ChangedCalls
	visit(t, c, "/boxes/0/label")
	assert.Greater(t, s.ChangedCalls, before)
	uitest.Golden(t, "label", s.Style, c.details)
	path, facts := c.Status()
	assert.Equal(t, "label", path[len(path)-1].Text)
	assert.Equal(t, "3 changed, 1 added, 1 removed", facts[len(facts)-1].Text)
	require.Len(t, facts, 3)
	assert.Equal(t, compared.Formats(c.result), facts[1].Text)
	c.header.headline = "1 box changed; " + compared.Formats(c.result)
	_, facts = c.Status()
	assert.Len(t, facts, 2, "the headline names the formats")
	a, _ := c.bytes.Displayed()
	assert.Equal(t, model.Span{Offset: 16, Size: 25}, a.Old)

	visit(t, c, "/boxes/0/block")
	uitest.Golden(t, "block", s.Style, c.details)
	uitest.Golden(t, "block.old", s.Style, c.bytes.Views[0])
	uitest.Golden(t, "block.new", s.Style, c.bytes.Views[1])
	a, _ = c.bytes.Displayed()
	assert.Equal(t, "16 bytes at 0x29, 16 bytes at 0x2b: 1 byte differs in 1 place", a.Summary())
}

func TestDetailsOfTheRootListTheChanges(t *testing.T) {
	c, s, _ := boxes(t)
	uitest.Golden(t, "root", s.Style, c.details)
	for _, l := range tree.ReadDetails(t.Context(), c.result, c.result.Root(), c.goTo) {
		if l.Link && strings.HasPrefix(l.Cells[0].Text, "+") {
			l.On()
		}
	}
	assert.Equal(t, compare.Added, c.pair.Status)
}

func TestSwapExchangesTheSides(t *testing.T) {
	c, _, _ := boxes(t)
	visit(t, c, "/boxes/0/number")
	c.Swap()
	assert.Equal(t, "new.shelf : old.shelf", c.Title())
	assert.Equal(t, "/boxes/0/number", c.pair.Node().PathText())
	assert.Equal(t, uint64(1), c.pair.New.Value)
	assert.Contains(t, outlined(c), "  +3 gone")
}

func TestTwoTreesMoveTogether(t *testing.T) {
	c, s, _ := opened(t, longList("a", 5000, nil), longList("b", 5000, map[int]byte{7: 1, 4000: 2}))
	c.setStatuses(compared.AllStatuses)
	c.ToggleLayout()
	uitest.Golden(t, "two-trees", s.Style, c.tree.View.Rows)
	tree := c.tree.View.Rows
	tree.SetFirst(700)
	tree.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	current := tree.Current()
	c.ToggleLayout()
	assert.Equal(t, current, tree.Current(), "the current row stays current")
	c.ToggleLayout()
	tree.SetWidths([]float32{30, 100, 50, 60, 100, 50, 60})
	tree.OnResize(1, 200)
	tree.OnResize(6, 90)
	assert.Equal(t, []float32{30, 100, 50, 90, 200, 50, 60}, tree.Widths(), "both trees have the same columns")
}

func TestLongListsExpandAsOneSegment(t *testing.T) {
	const n = 100_000
	c, _, _ := opened(t, longList("a", n, nil), longList("b", n, map[int]byte{7: 1, 90_000: 2}))
	assert.Equal(t, []string{"~a → b", " ~items", "  ~7 k7", "   ~value", "  ~90000 k90000", "   ~value"}, outlined(c))
	c.setStatuses(compared.AllStatuses)
	assert.EqualValues(t, n+4, c.tree.View.Len())
	c.goTo(model.Path{0, 90_000, 0})
	assert.EqualValues(t, 90_000+1+2+1, c.tree.View.Rows.Current())
}

func TestRulesHideDifferences(t *testing.T) {
	c, _, w := boxes(t)
	assert.False(t, compared.HasRules(c.input.options))
	without := compare.Options{Tolerance: .25, Times: true, Names: []string{"number", "label"}}
	c.input.changeRules(func(rules *compare.Options) { *rules = without })
	assert.True(t, compared.HasRules(c.input.options))
	assert.NotContains(t, outlined(c), "   ~number")
	assert.Contains(t, outlined(c), "   ~block")
	c.ShowRules()
	require.NotNil(t, w.Canvas().Overlays().Top())
}

func TestSelectedNodesArePaired(t *testing.T) {
	c, _, _ := boxes(t)
	rows := c.tree.View.Rows
	_, _, ok := c.selectedUnmatched()
	assert.False(t, ok)
	s := rows.Selection()
	s.Add(6, 8)
	rows.SetSelection(s)
	s.Remove(0, 6)
	rows.SetSelection(s)
	old, new, ok := c.selectedUnmatched()
	require.True(t, ok)
	c.pairByHand(old, new)
	assert.Contains(t, outlined(c), "  ~3 come")
	assert.EqualValues(t, 1, c.result.Counts().OtherKey.Changed, "it has another key")
	assert.Contains(t, c.header.remarks(), "1 manual pair")
}

func TestPairsAndReportsAreCopied(t *testing.T) {
	c, s, _ := boxes(t)
	visit(t, c, "/boxes/0/number")
	c.copyOld()
	c.copyNew()
	c.copyPath()
	c.copyLines()
	assert.Equal(t, []string{"1", "5", "/boxes/apple/number", "~ /boxes/apple/number 1 → 5 (+4)"}, s.Copied)
	for i, want := range []string{"~ /boxes/apple/number", "| changed |", `"changes":[`, "<!doctype html>"} {
		c.SaveReport(i)
		assert.Contains(t, s.Saved.String(), want)
		c.CopyReport(i)
		assert.Equal(t, s.Saved.String(), s.Copied[len(s.Copied)-1])
	}
}

func TestChangedNodesCanBeExported(t *testing.T) {
	c, s, _ := boxes(t)
	var keys []string
	s.OnExport = func(d *model.Document, nodes []*model.Node) {
		assert.Same(t, c.input.docs[1], d)
		for _, n := range nodes {
			keys = append(keys, n.Key)
		}
	}
	c.AddChangedToExport()
	assert.Equal(t, []string{"apple", "come"}, keys)
	visit(t, c, "/boxes/0")
	c.addSelectedToExport()
	assert.Equal(t, []string{"apple", "come", "apple"}, keys)
	c.tree.View.GoTo(6)
	require.Equal(t, compare.Removed, c.pair.Status)
	c.addSelectedToExport()
	assert.Len(t, keys, 3)
	assert.Contains(t, s.Hints[len(s.Hints)-1], "The selection has no assets")
}

func TestIdenticalFilesShowUnchangedNodes(t *testing.T) {
	c, _, _ := opened(t, shelf("a", "1", comparisontest.OldBoxes...), shelf("a", "1", comparisontest.OldBoxes...))
	assert.True(t, c.result.Identical)
	assert.Equal(t, []string{"=a", " =head", " =boxes"}, outlined(c))
	c.NextChange()
	assert.Equal(t, "/", c.pair.Node().PathText())
}

func TestOtherFormatsAreComparedByBytes(t *testing.T) {
	c, _, _ := opened(t, shelf("a", "1", comparisontest.OldBoxes...), longList("b", 100, nil))
	assert.True(t, c.result.BytesOnly)
	assert.Contains(t, c.header.remarks()[0], "different formats")
	a, whole := c.bytes.Displayed()
	require.True(t, whole)
	side, offset, showOffset := -1, int64(-1), c.strip.OnOffset
	c.strip.OnOffset = func(file int, at int64) {
		side, offset = file, at
		showOffset(file, at)
	}
	c.strip.Tapped(&fyne.PointEvent{Position: fyne.NewPos(300, 8)})
	assert.Zero(t, side)
	assert.Positive(t, offset)
	assert.Equal(t, a.ViewOffset(0, offset), c.bytes.Views[0].Caret())
}

func TestTheStripOfAnEmptyFileHasNoOffset(t *testing.T) {
	c, s, _ := opened(t, longList("a", 0, nil), longList("b", 100, nil))
	require.Zero(t, c.result.Old.Source.Size())
	s.Hints = nil
	for _, y := range []float32{8, 28} {
		at := fyne.PointEvent{Position: fyne.NewPos(300, y)}
		c.strip.MouseMoved(&desktop.MouseEvent{PointEvent: at})
		c.strip.Tapped(&at)
	}
	require.Len(t, s.Hints, 2)
	assert.Empty(t, s.Hints[0])
	assert.Contains(t, s.Hints[1], "added: /items")
}

func TestFormatVersionsAreComparedByMeaning(t *testing.T) {
	c, s, _ := opened(t, shelf("a", "1", comparisontest.OldBoxes...), shelf("a", "2", comparisontest.NewBoxes...))
	uitest.Golden(t, "versions", s.Style, c.tree.View.Rows)
}

func TestTransformsAreDescribed(t *testing.T) {
	c, s, _ := opened(t, comparisontest.MatrixFile([16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1}),
		comparisontest.MatrixFile([16]float32{2, 0, 0, 0, 0, 0, 2, 0, 0, -2, 0, 0, 0, 1, 5, 1}))
	assert.Equal(t, "/transform", c.pair.Node().PathText())
	uitest.Golden(t, "transform", s.Style, c.tree.View.Rows)
	uitest.Golden(t, "transform.details", s.Style, c.details)
}

func TestChangedFilesAreComparedAgain(t *testing.T) {
	test.NewTempApp(t)
	folder := t.TempDir()
	var sides [2]compared.Side
	opened := 0
	for i, name := range []string{"a", "b"} {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("x", 10+i)), 0o600))
		sides[i] = compared.File(path, name, func(_ context.Context, path string) (*model.Document, error) {
			opened++
			src, err := model.OpenFile(path)
			if err != nil {
				return nil, err
			}
			return model.NewDocument(src, "bytes", "", &model.Node{Span: model.Span{Size: src.Size()}}), nil
		})
	}
	c := New(comparisontest.NewWindow().Deps(), sides[0], sides[1])
	defer c.Close()
	test.NewTempWindow(t, c.Content())
	require.NotNil(t, c.result)
	c.LookForChanges()
	assert.Empty(t, c.notices.Texts())
	require.NoError(t, os.WriteFile(sides[0].Path, []byte("another text"), 0o600))
	require.NoError(t, os.Chtimes(sides[0].Path, time.Time{}, time.Unix(1e9, 0)))
	c.LookForChanges()
	require.Len(t, c.notices.Texts(), 1)
	assert.Contains(t, c.notices.Texts()[0], "changed on disk")
	c.Reload()
	assert.Empty(t, c.notices.Texts())
	assert.EqualValues(t, 12, c.input.docs[0].Source.Size())
	assert.Equal(t, 4, opened)
	require.NoError(t, os.Remove(sides[0].Path))
	c.Reload()
	require.Len(t, c.notices.Texts(), 1)
	assert.EqualValues(t, 12, c.input.docs[0].Source.Size(), "the version that was read stays")
}

func TestOpenErrorsAreSentences(t *testing.T) {
	test.NewTempApp(t)
	bad := compared.Side{Title: "bad", Open: func(context.Context) (*model.Document, error) {
		return nil, errors.New("bad.bin is empty")
	}}
	c := New(comparisontest.NewWindow().Deps(), comparisontest.Side(shelf("a", "1")), bad)
	defer c.Close()
	assert.Equal(t, []string{"bad.bin is empty."}, c.notices.Texts())
	c.NextChange()
	c.FocusFind()
	c.setStatuses(compared.AllStatuses)
	c.CopyReport(0)
	c.ToggleLayout()
	c.Status()
}

func TestCloseStopsTheComparison(t *testing.T) {
	test.NewTempApp(t)
	began, ended := make(chan bool), make(chan bool)
	endless := compared.Side{Title: "endless", Open: func(ctx context.Context) (*model.Document, error) {
		close(began)
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	}}
	deps := comparisontest.NewWindow().Deps()
	deps.Group = work.New(context.Background())
	c := New(deps, endless, endless)
	<-began
	c.Close()
	<-ended
	c.Group.Wait()
}

// opened shows a comparison of two documents in a window.
func opened(t testing.TB, from, to *model.Document) (*Comparison, *comparisontest.Window, fyne.Window) {
	t.Helper()
	test.NewTempApp(t)
	s := comparisontest.NewWindow()
	c := New(s.Deps(), comparisontest.Side(from), comparisontest.Side(to))
	w := test.NewTempWindow(t, c.Content())
	w.SetPadded(false)
	w.Resize(fyne.NewSize(1200, 800))
	t.Cleanup(c.Close)
	return c, s, w
}

func TestIgnoredDifferencesAreNamed(t *testing.T) {
	c, _, _ := opened(t, shelf("a", "1", box("a", 1, "one", "x")), shelf("b", "1", box("a", 2, "two", "x")))
	c.input.changeRules(func(o *compare.Options) { o.Names = []string{"label"} })
	assert.Equal(t, []string{"ignored fields: label", "1 difference ignored by the rules"}, c.header.remarks())
}

func TestEscapeClosesTheRules(t *testing.T) {
	c, _, w := opened(t, shelf("a", "1", box("a", 1, "one", "x")), shelf("b", "1", box("a", 2, "two", "x")))
	escape := func() { w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) }
	for tabs := range 13 { // each field that can have the focus
		c.ShowRules()
		require.NotNil(t, w.Canvas().Overlays().Top())
		for range tabs {
			w.Canvas().FocusNext()
		}
		if choices, ok := w.Canvas().Focused().(*control.Select); ok && len(choices.Options) > 0 {
			choices.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
			require.Len(t, w.Canvas().Overlays().List(), 2)
			escape()
			require.Len(t, w.Canvas().Overlays().List(), 1, "first the choices are closed")
		}
		escape()
		assert.Nil(t, w.Canvas().Overlays().Top(), "%d tabs", tabs)
	}
}

func TestFilesOfCanceledComparisonsAreClosed(t *testing.T) {
	test.NewTempApp(t)
	files := comparisontest.NewFiles(t, "old", "new")
	c := New(comparisontest.NewWindow().Deps(), files.Sides[0], files.Sides[1])
	defer c.Close()
	require.Len(t, files.Opened, 2)
	files.CheckClosedWhenStopped(t, func() { c.input.run(true) }, c.input.comparing.Stop)
}

func TestAComparisonFitsASmallWindow(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(paint.NewTheme(paint.Light, 0))
	c, _, _ := boxes(t)
	for _, show := range []func(){func() {}, c.TogglePreviews, c.ToggleTable} {
		show()
		size := c.Content().MinSize()
		assert.LessOrEqual(t, size.Width, float32(800))
		assert.LessOrEqual(t, size.Height, float32(480), "menus, tabs, two notices and the status take the rest of 600")
	}
}

func TestUnchangedPairsAreShownForEqualFilesOnly(t *testing.T) {
	c, _, _ := opened(t, shelf("a", "1", box("a", 1, "one", "x")), shelf("b", "1", box("a", 2, "two", "x")))
	require.False(t, c.tree.Statuses().Has(compare.Same))
	differing := [2]compared.Side{c.input.sides[0], c.input.sides[1]}
	c.setSides(differing[0], differing[0])
	assert.True(t, c.tree.Statuses().Has(compare.Same), "there is nothing else")
	c.setSides(differing[0], differing[1])
	assert.False(t, c.tree.Statuses().Has(compare.Same), "the next pair of a folder")
	c.setStatuses(compared.AllStatuses)
	c.setSides(differing[0], differing[0])
	c.setSides(differing[0], differing[1])
	assert.True(t, c.tree.Statuses().Has(compare.Same), "the user chose it")
}

func TestNamesInNarrowDetailsAreNotCut(t *testing.T) {
	c, s, _ := boxes(t)
	c.details.Resize(fyne.NewSize(210, 400))
	assert.Contains(t, strings.Join(uitest.Lines(t, s.Style, c.details), "\n"), "Format")
}
