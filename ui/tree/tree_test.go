package tree_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/find"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/tree"
	"assay/ui/uitest"
	"assay/ui/work"
)

// made returns a root with a magic, a list of n items of two fields, and a tail.
func made(n int) *model.Node {
	root := &model.Node{Type: "File", Span: model.Span{Size: int64(n)*8 + 8}}
	items := &model.Node{Name: "items", Type: "Item[]", Span: model.Span{Offset: 4, Size: int64(n) * 8}}
	items.SetChildren(&model.Elements{Count: n, Make: func(i int) *model.Node {
		at := int64(4 + i*8)
		item := &model.Node{Type: "Item", Key: fmt.Sprint("key", i), Parent: items,
			Span: model.Span{Offset: at, Size: 8}}
		item.SetChildren(model.List{
			{Name: "id", Type: "u32", Value: uint64(n - i), Span: model.Span{Offset: at, Size: 4}},
			{Name: "label", Type: "string", Value: fmt.Sprint("label ", i), Span: model.Span{Offset: at + 4, Size: 4}},
		})
		return item
	}})
	root.SetChildren(model.List{{Name: "magic", Type: "bytes", Span: model.Span{Size: 4}}, items,
		{Name: "tail", Type: "u32", Value: uint64(7)}})
	return root
}

type shown struct {
	*tree.Tree
	log      uitest.Log
	style    *paint.Style
	rows     *rows.Rows
	window   fyne.Window
	selected []string
}

func show(t testing.TB, root *model.Node) *shown {
	t.Helper()
	test.NewTempApp(t)
	s := new(shown)
	s.style = paint.NewStyle()
	s.Tree = tree.New(&s.log, s.style, work.Inline(context.Background()))
	s.OnSelect = func(n *model.Node) { s.selected = append(s.selected, n.PathText()) }
	s.window = test.NewTempWindow(t, s.Tree)
	s.window.Resize(fyne.NewSize(700, 420))
	s.SetRoot("made.bin", root, nil)
	s.rows = test.WidgetRenderer(s.Tree).Objects()[0].(*rows.Rows)
	return s
}

func (s *shown) key(names ...fyne.KeyName) {
	for _, n := range names {
		s.rows.TypedKey(&fyne.KeyEvent{Name: n})
	}
}

func (s *shown) at() string {
	if n := s.Current(); n != nil {
		return n.PathText()
	}
	return "nowhere"
}

func ctrl(k fyne.KeyName) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: k, Modifier: fyne.KeyModifierControl}
}

func TestKeysExpandAndCollapse(t *testing.T) {
	s := show(t, made(10_000_000))
	assert.EqualValues(t, 4, s.RowCount(), "root, magic, items, tail")
	s.key(fyne.KeyHome)
	assert.Equal(t, "/", s.at())
	s.key(fyne.KeyDown, fyne.KeyDown)
	assert.Equal(t, "/items", s.at())
	s.key(fyne.KeyRight)
	assert.EqualValues(t, 10_000_004, s.RowCount())
	s.key(fyne.KeyRight)
	assert.Equal(t, "/items/0", s.at())
	s.key(fyne.KeyEnd, fyne.KeyUp)
	assert.Equal(t, "/items/9999999", s.at())
	s.key(fyne.KeyReturn)
	assert.EqualValues(t, 10_000_006, s.RowCount(), "Enter opens what has no link")
	s.key(fyne.KeyDown, fyne.KeyDown)
	assert.Equal(t, "/items/9999999/label", s.at())
	s.key(fyne.KeyLeft)
	assert.Equal(t, "/items/9999999", s.at())
	s.key(fyne.KeyLeft)
	assert.EqualValues(t, 10_000_004, s.RowCount())
	s.key(fyne.KeyLeft)
	assert.Equal(t, "/items", s.at())
	s.key(fyne.KeyLeft, fyne.KeyDown)
	assert.Equal(t, "/tail", s.at())
	assert.Equal(t, "/tail", s.selected[len(s.selected)-1])
}

func TestCollapsingMovesTheCurrentRow(t *testing.T) {
	s := show(t, made(5))
	require.True(t, s.Reveal(model.Path{1, 3, 1}))
	assert.Equal(t, "/items/3/label", s.at())
	s.rows.DoubleTapped(nil)
	s.key(fyne.KeyHome, fyne.KeyLeft)
	assert.EqualValues(t, 1, s.RowCount())
	s.key(fyne.KeyRight)
	assert.EqualValues(t, 4, s.RowCount(), "what was open below is closed")
}

func TestStateRestoresExpandedAndCurrentNodes(t *testing.T) {
	s := show(t, made(1_000_000))
	require.True(t, s.Reveal(model.Path{1, 777_777, 1}))
	assert.Equal(t, "/items/777777/label", s.at())
	require.True(t, s.Reveal(model.Path{1, 5}))
	assert.EqualValues(t, 1_000_006, s.RowCount())
	assert.False(t, s.Reveal(model.Path{1, 5_000_000}))
	assert.False(t, s.Reveal(model.Path{9}))
	state := s.State()
	s.SetRoot("made.bin", made(1_000_000), nil)
	assert.EqualValues(t, 4, s.RowCount())
	s.Restore(state)
	assert.EqualValues(t, 1_000_006, s.RowCount())
	assert.Equal(t, "/items/5", s.at())
	s.Restore(tree.State{Open: []model.Path{{}, {44}, {1, 1, 1}}, Current: model.Path{8, 8}})
	assert.Equal(t, "nowhere", s.at(), "what is not there is no harm")
}

func TestReplaceRootKeepsTheView(t *testing.T) {
	s := show(t, made(100))
	s.Reveal(model.Path{1, 50, 0})
	first := s.State().First
	more := made(100)
	more.SetChildren(model.List{more.Child(0), more.Child(1), more.Child(2), {Name: "gap", Type: model.Gap}})
	s.ReplaceRoot(more)
	assert.Equal(t, "/items/50/id", s.at())
	assert.Equal(t, first, s.State().First)
	assert.EqualValues(t, 107, s.RowCount())
}

func TestOpenSubtreeIsBounded(t *testing.T) {
	s := show(t, made(100))
	s.key(fyne.KeyHome)
	s.rows.TypedShortcut(ctrl(fyne.KeyRight))
	assert.EqualValues(t, 304, s.RowCount())
	assert.Empty(t, s.log.Take())
	s.rows.TypedShortcut(ctrl(fyne.KeyLeft))
	assert.EqualValues(t, 1, s.RowCount())

	s = show(t, made(10_000_000))
	s.key(fyne.KeyHome)
	s.rows.TypedShortcut(ctrl(fyne.KeyRight))
	assert.Equal(t, []string{"hint Expanded the first 50,000 rows. Expand the others individually."},
		s.log.Take())
	assert.Less(t, s.RowCount(), int64(10_200_000))
}

func TestExpandAllReachesTheEndOfADeepChain(t *testing.T) {
	root := &model.Node{Type: "File"}
	n := root
	for i := range 5000 {
		c := &model.Node{Name: "next", Type: "Node", Span: model.Span{Offset: int64(i), Size: 1}}
		n.SetChildren(model.List{c})
		n = c
	}
	s := show(t, root)
	s.key(fyne.KeyHome)
	s.rows.TypedShortcut(ctrl(fyne.KeyRight))
	assert.EqualValues(t, 5001, s.RowCount())
	s.key(fyne.KeyEnd)
	assert.Len(t, s.Current().Path(), 5000)
}

func TestFilterKeepsAncestorsAndRestoresState(t *testing.T) {
	root := made(1000)
	s := show(t, root)
	s.Reveal(model.Path{1, 321})
	f, err := find.Filter(context.Background(), root, filterOf(t, "label 99").Match, 1000, find.FilterProgress{})
	require.NoError(t, err)
	s.SetFilter(&f)
	assert.EqualValues(t, 2+2*f.Matches, s.RowCount(), "the file, the list, and for each match its item")
	assert.Equal(t, "nowhere", s.at(), "what was selected does not match")
	s.key(fyne.KeyEnd)
	assert.Equal(t, "/items/999/label", s.at())
	assert.False(t, s.Reveal(model.Path{1, 5}))
	s.SetFilter(nil)
	assert.Equal(t, "/items/999/label", s.at(), "what was found stays selected")
	none := find.Filtered{}
	s.SetFilter(&none)
	assert.EqualValues(t, 0, s.RowCount())
	s.SetFilter(nil)
	assert.Positive(t, s.RowCount())
	assert.Equal(t, "/items/999/label", s.at(), "a filter that finds nothing takes nothing away")
}

func TestFilterGrowsBelowVisibleRows(t *testing.T) {
	root := made(2000)
	s := show(t, root)
	query := filterOf(t, "label")
	early, err := find.Filter(context.Background(), root, query.Match, 500, find.FilterProgress{})
	require.NoError(t, err)
	s.SetFilter(&early)
	s.key(fyne.KeyEnd)
	at, first := s.at(), s.rows.First()
	require.Positive(t, first)
	whole, err := find.Filter(context.Background(), root, query.Match, 5000, find.FilterProgress{})
	require.NoError(t, err)
	s.GrowFilter(&whole)
	assert.Equal(t, at, s.at(), "the selection stays")
	assert.Equal(t, first, s.rows.First(), "and so does what is in sight")
	s.key(fyne.KeyEnd)
	assert.Equal(t, "/items/1999/label", s.at())
	s.SetFilter(&whole)
	assert.EqualValues(t, 0, s.rows.First(), "another filter begins at the top")
}

func TestSortOrdersEachLevelByItself(t *testing.T) {
	s := show(t, made(5000)) // long enough to be sorted in the background
	s.Reveal(model.Path{1, 0})
	s.rows.OnSort(int(tree.Offset), rows.Descending)
	assert.Equal(t, "/items/0", s.at(), "the selection stays")
	s.key(fyne.KeyHome, fyne.KeyDown)
	assert.Equal(t, "/items", s.at(), "the root's children are sorted, too")
	s.key(fyne.KeyRight)
	assert.Equal(t, "/items/4999", s.at())
	s.rows.OnSort(int(tree.Name), rows.Ascending)
	require.True(t, s.Reveal(model.Path{1, 10}))
	s.key(fyne.KeyUp)
	assert.Equal(t, "/items/9", s.at(), "numbers in names are numbers")
	f, err := find.Filter(context.Background(), made(5000), filterOf(t, "key49").Match, 1000, find.FilterProgress{})
	require.NoError(t, err)
	s.rows.OnSort(int(tree.Offset), rows.Descending)
	s.SetFilter(&f)
	s.key(fyne.KeyHome, fyne.KeyDown, fyne.KeyDown)
	assert.Equal(t, "/items/4999", s.at(), "filtered and sorted")
	s.rows.OnSort(int(tree.Offset), rows.Unsorted)
	s.key(fyne.KeyHome, fyne.KeyDown, fyne.KeyDown)
	assert.Equal(t, "/items/49", s.at())
}

func TestTypeAheadWrapsAround(t *testing.T) {
	s := show(t, made(3))
	s.key(fyne.KeyHome)
	s.rows.TypedRune('t')
	assert.Equal(t, "/tail", s.at())
	s.Reveal(model.Path{1, 1})
	s.rows.OnTypeAhead("mag")
	assert.Equal(t, "/magic", s.at())
	s.rows.OnTypeAhead("key2")
	assert.Equal(t, "/items/2", s.at(), "keys count as names")
}

func TestTypeAheadPassesLongLists(t *testing.T) {
	root := made(1_000_000)
	items, looked := root.Child(1), 0
	entry := items.Children().(*model.Elements).Make
	items.SetChildren(&model.Elements{Count: 1_000_000, Make: func(i int) *model.Node {
		looked++
		return entry(i)
	}})
	s := show(t, root)
	s.Reveal(model.Path{1, 0})
	s.key(fyne.KeyHome)
	s.rows.OnTypeAhead("ta")
	assert.Equal(t, "/tail", s.at())
	s.FindPrefix = func(_ context.Context, list *model.Node, from, to int, prefix string) (int, bool) {
		assert.Same(t, items, list)
		assert.Equal(t, 1_000_000, to)
		return 700_000, prefix == "key7"
	}
	s.Reveal(model.Path{1, 10})
	s.rows.OnTypeAhead("key7")
	assert.Equal(t, "/items/70", s.at(), "what is near needs no search")
	s.Reveal(model.Path{1, 2000})
	s.rows.OnTypeAhead("key7")
	assert.Equal(t, "/items/700000", s.at())
	assert.Less(t, looked, 10_000)

	s = show(t, made(20_000))
	s.Reveal(model.Path{1, 0})
	s.rows.OnTypeAhead("key15000")
	assert.Equal(t, "/items/15000", s.at(), "one by one")
	s.rows.OnTypeAhead("key300")
	assert.Equal(t, "/items/300", s.at(), "from the top again")
	s.rows.OnTypeAhead("nobody")
	assert.Equal(t, "/items/300", s.at())
	assert.Contains(t, s.log.Take(), "hint No matching row.")
}

func TestEmptyStringsAndNoneAreDim(t *testing.T) {
	root := &model.Node{Type: "File"}
	root.SetChildren(model.List{{Name: "name", Type: "string", Value: ""}, {Name: "tip", Type: "T", Value: model.None{}}})
	s := show(t, root)
	colors := map[string]paint.Color{}
	for _, ink := range uitest.Frame(t, s.style, s.Tree).Visible() {
		colors[ink.Text] = ink.Color
	}
	assert.Contains(t, colors, `""`)
	assert.Equal(t, colors[`""`], colors["tip"], "both are dim")
	assert.NotEqual(t, colors["name"], colors["tip"])
}

// triangle returns the position of the triangle of a row.
func (s *shown) triangle(t *testing.T, row int64) fyne.Position {
	t.Helper()
	uitest.Frame(t, s.style, s.Tree) // painting may add the scroll bar
	s.rows.ScrollTo(row)
	frame := uitest.Frame(t, s.style, s.Tree)
	high := s.rows.RowPosition(row)
	for _, ink := range frame.Inks {
		middle := ink.Box.Min.Add(ink.Box.Max).Div(2)
		if (ink.Shape == "paint.right" || ink.Shape == "paint.down") && float32(middle.Y) < high.Y &&
			float32(middle.Y) > high.Y-20 {
			return fyne.NewPos(float32(middle.X), float32(middle.Y))
		}
	}
	require.Fail(t, "there is no triangle", row)
	return high
}

func (s *shown) click(at fyne.Position) {
	p := fyne.PointEvent{Position: at, AbsolutePosition: at}
	s.rows.MouseDown(&desktop.MouseEvent{PointEvent: p, Button: desktop.MouseButtonPrimary})
	s.rows.MouseUp(&desktop.MouseEvent{PointEvent: p, Button: desktop.MouseButtonPrimary})
}

func TestTriangleIsClicked(t *testing.T) {
	s := show(t, made(3))
	at := s.triangle(t, 2)
	s.click(at)
	assert.EqualValues(t, 7, s.RowCount())
	assert.Equal(t, "nowhere", s.at(), "opening selects nothing")
	s.click(at.AddXY(60, 0))
	assert.Equal(t, "/items", s.at())
	s.click(at)
	assert.EqualValues(t, 4, s.RowCount())
}

// chain returns nested nodes; the last one has a value.
func chain(depth int) *model.Node {
	root := &model.Node{Type: "File", Span: model.Span{Size: 4}}
	n := root
	for i := range depth {
		c := &model.Node{Name: fmt.Sprint("level", i+1), Type: "Node", Span: model.Span{Size: 4}}
		n.SetChildren(model.List{c})
		n = c
	}
	n.Value = uint64(42)
	return root
}

func TestTriangleIsClickedAtAnyDepth(t *testing.T) {
	s := show(t, chain(60))
	for _, width := range []float32{700, 200} {
		s.window.Resize(fyne.NewSize(width, 420))
		for _, depth := range []int64{1, 24, 25, 40, 59} {
			s.CollapseAll()
			require.True(t, s.Reveal(make(model.Path, depth)))
			require.EqualValues(t, depth+1, s.RowCount())
			s.click(s.triangle(t, depth))
			assert.EqualValues(t, depth+2, s.RowCount(), "opened at depth %d", depth)
			s.click(s.triangle(t, depth))
			assert.EqualValues(t, depth+1, s.RowCount(), "closed at depth %d", depth)
		}
	}
	s.Reveal(make(model.Path, 60))
	uitest.Golden(t, "deep", s.style, s.Tree)
}

func TestLinkedNodesShowTheirTargets(t *testing.T) {
	doc := made(10)
	group := &model.Node{Name: "by label", Type: "Group"}
	target := doc.Child(1).Child(4)
	group.SetChildren(model.List{{Name: "four", Type: "Item",
		Link: &model.Link{Target: func() (model.Path, bool) { return target.Path(), true }}}})
	s := show(t, doc)
	s.SetRoot("made.bin", group, func(n *model.Node) *model.Node {
		if n.Link != nil {
			return target
		}
		return nil
	})
	s.key(fyne.KeyEnd, fyne.KeyRight, fyne.KeyRight)
	assert.Equal(t, "/items/4/id", s.at(), "below the group's node is what it stands for")
}

func TestPaintsProblemsGapsAndEveryKind(t *testing.T) {
	root := &model.Node{Type: "File"}
	kinds := model.List{{Name: "gap", Type: model.Gap}, {Name: "none", Value: model.None{}},
		{Name: "bool", Value: true},
		{Name: "float", Value: float32(1.5)}, {Name: "enum", Value: uint64(1), Symbols: model.Symbol("ONE")},
		{Name: "array", Value: model.Scalars{uint64(1), uint64(2)}},
		{Name: "link", Value: "#x", Link: &model.Link{Key: "x"}}, {Name: "blob", Value: model.Blob{}}, {Name: "bad"}}
	kinds[8].Warnf(model.Error, model.Span{}, "it is bad")
	root.SetChildren(kinds)
	s := show(t, root)
	s.SetSeverities(map[string]model.Severity{"/": model.Error})
	uitest.Golden(t, "kinds", s.style, s.Tree)
}

func TestLongValueLeavesOffsetsVisible(t *testing.T) {
	root := &model.Node{Type: "File", Span: model.Span{Size: 1 << 19}}
	root.SetChildren(model.List{{Name: "identifier", Value: `\xabGPB\xbb\r\n\x1a\n`}, {Name: "objectCount", Value: uint64(2)},
		{Name: "objects", Value: uint64(2)}})
	s := show(t, root)
	s.window.Resize(fyne.NewSize(270, 420))
	for range 3 {
		uitest.Frame(t, s.style, s.Tree)
	}
	assert.Contains(t, uitest.Lines(t, s.style, s.Tree)[0], "Offset")
}

func TestTipHasTheOffsetIfItsColumnIsHidden(t *testing.T) {
	s := show(t, made(3))
	s.OnRest = func(_ *model.Node, tell func(text string)) { tell("What it is.") }
	tip := func(width float32) string {
		s.window.Resize(fyne.NewSize(width, 420))
		for range 3 {
			uitest.Frame(t, s.style, s.Tree)
		}
		s.rows.MouseOut()
		s.rows.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(50, 50)}})
		s.rows.OnRest(1)
		return s.rows.Tip()
	}
	assert.Equal(t, "What it is.", tip(700))
	assert.Equal(t, "What it is.\nOffset 0x0, 4 bytes", tip(170))
}

func TestValuesStayInViewBesideLongNames(t *testing.T) {
	root := &model.Node{Type: "File"}
	var all model.List
	for i := range 3 {
		all = append(all, &model.Node{Name: strings.Repeat("long ", 12) + model.IndexName(i), Type: "T",
			Value: strings.Repeat("value ", 12)})
	}
	root.SetChildren(all)
	s := show(t, root)
	s.window.Resize(fyne.NewSize(300, 420))
	uitest.Frame(t, s.style, s.Tree)
	uitest.Frame(t, s.style, s.Tree)
	value := s.rows.Columns()[tree.Value].Width
	assert.Greater(t, value, float32(45), "a part of the values stays in view")
	for _, n := range all {
		n.Value = uint64(4)
	}
	s = show(t, root)
	s.window.Resize(fyne.NewSize(300, 420))
	uitest.Frame(t, s.style, s.Tree)
	uitest.Frame(t, s.style, s.Tree)
	assert.Less(t, s.rows.Columns()[tree.Name].Width, float32(275), "short values are seen beside them")
}

func TestIndentShrinksForNames(t *testing.T) {
	root := chain(12)
	deepest := root
	for deepest.Len() > 0 {
		deepest = deepest.Child(0)
	}
	deepest.Name = "HIKCharacter1_Hand"
	deepest.Value = nil
	s := show(t, root)
	s.window.Resize(fyne.NewSize(820, 600))
	require.True(t, s.Reveal(make(model.Path, 12)))
	for range 3 { // until the visible rows have been measured
		uitest.Frame(t, s.style, s.Tree)
	}
	assert.Contains(t, strings.Join(uitest.Lines(t, s.style, s.Tree), "\n"), deepest.Name)
}

func TestOffsetsStayInViewBesideNamesOfCommonLength(t *testing.T) {
	for letters := 20; letters <= 24; letters++ {
		root := chain(2)
		root.Child(0).Child(0).Name = strings.Repeat("n", letters)
		s := show(t, root)
		s.window.Resize(fyne.NewSize(420, 600))
		require.True(t, s.Reveal(make(model.Path, 2)))
		for range 3 {
			uitest.Frame(t, s.style, s.Tree)
		}
		columns := s.rows.Columns()
		width := float32(0)
		for _, c := range columns {
			width += c.Width
		}
		assert.LessOrEqual(t, width, float32(420), "%d letters", letters)
	}
}

func TestOneLongValueDoesNotWidenItsColumn(t *testing.T) {
	const name, uuid = "a_name_of_letters", "16204112744712817453"
	root := &model.Node{Type: "File", Span: model.Span{Size: 99999}}
	var all model.List
	for range 12 {
		all = append(all, &model.Node{Name: name, Type: "u64", Value: uuid})
	}
	all[3].Value = strings.Repeat("a long value ", 20)
	root.SetChildren(all)
	s := show(t, root)
	s.window.Resize(fyne.NewSize(510, 420))
	for range 3 {
		uitest.Frame(t, s.style, s.Tree)
	}
	lines := uitest.Lines(t, s.style, s.Tree)
	for i, line := range lines[2:] {
		assert.Contains(t, line, name)
		assert.Contains(t, line, "0x0")
		if i == 3 {
			assert.Contains(t, line, "…", "what is cut says so")
		} else {
			assert.Contains(t, line, uuid)
		}
	}
	s.window.Resize(fyne.NewSize(1400, 420))
	uitest.Frame(t, s.style, s.Tree)
	assert.Contains(t, uitest.Lines(t, s.style, s.Tree)[2], "u64", "types are seen where there is room")
	assert.Greater(t, s.rows.Columns()[tree.Value].Width, float32(500), "and more of the long value")
}

func TestNamesGetTheWidthOfSparseValues(t *testing.T) {
	root := &model.Node{Type: "File"}
	all := model.List{{Name: "count", Type: "u32", Value: uint64(1_000_000)}}
	for i := range 20 {
		all = append(all, &model.Node{Name: fmt.Sprintf("0001-0000-%08d", i), Type: "Entry"})
		all[i+1].SetChildren(model.List{{Name: "id", Type: "u32"}})
	}
	root.SetChildren(all)
	s := show(t, root)
	s.window.Resize(fyne.NewSize(372, 420))
	uitest.Frame(t, s.style, s.Tree)
	lines := strings.Join(uitest.Lines(t, s.style, s.Tree), "\n")
	assert.Contains(t, lines, "0001-0000-00000007")
	assert.Greater(t, s.rows.Columns()[tree.Value].Width, float32(40), "the values stay in view")
}

func TestColumnsStayWithoutMatches(t *testing.T) {
	root := &model.Node{Type: "File", Name: "some.file"}
	root.SetChildren(model.List{{Name: "a name of some length", Type: "u32", Value: uint64(1)}})
	s := show(t, root)
	s.window.Resize(fyne.NewSize(260, 420))
	uitest.Frame(t, s.style, s.Tree)
	before := s.rows.Widths()
	s.SetFilter(&find.Filtered{})
	uitest.Frame(t, s.style, s.Tree)
	s.window.Resize(fyne.NewSize(260, 400)) // the rows no longer need a scroll bar
	uitest.Frame(t, s.style, s.Tree)
	s.rows.UpdateWidths()
	assert.Equal(t, before, s.rows.Widths())
}

func TestColumnsKeepTheirWidths(t *testing.T) {
	root := chain(30)
	deepest := root
	for deepest.Len() > 0 {
		deepest = deepest.Child(0)
	}
	deepest.Name, deepest.Value = strings.Repeat("deep ", 8), strings.Repeat("value ", 30)
	var all model.List
	for i := range 60 {
		all = append(all, &model.Node{Name: fmt.Sprint("n", i), Type: "string", Value: "NODE_OF_SOME_LENGTH"})
	}
	all = append(all, root.Child(0))
	root.SetChildren(all)
	for _, width := range []float32{300, 408, 900} {
		s := show(t, root)
		s.window.Resize(fyne.NewSize(width, 420))
		uitest.Frame(t, s.style, s.Tree)
		before := s.rows.Widths()
		total := float32(0)
		for _, w := range before {
			total += w
		}
		assert.LessOrEqual(t, total, width, "offset and size are in view")
		require.True(t, s.Reveal(append(model.Path{60}, make(model.Path, 29)...)))
		uitest.Frame(t, s.style, s.Tree)
		s.SetFilter(&find.Filtered{})
		uitest.Frame(t, s.style, s.Tree)
		assert.Equal(t, before, s.rows.Widths(), "at %g", width)
	}
}

func TestWidthIsStoredByFormatAndColumn(t *testing.T) {
	s := show(t, made(3))
	s.StoreColumns("one")
	s.window.Resize(fyne.NewSize(700, 420))
	uitest.Frame(t, s.style, s.Tree)
	before := s.rows.Widths()
	edge := before[tree.Name]
	at := func(x float32) fyne.PointEvent { return fyne.PointEvent{Position: fyne.NewPos(x, 8)} }
	s.rows.MouseDown(&desktop.MouseEvent{PointEvent: at(edge), Button: desktop.MouseButtonPrimary})
	s.rows.Dragged(&fyne.DragEvent{PointEvent: at(edge + 40)})
	s.rows.DragEnd()
	after := s.rows.Widths()
	assert.InDelta(t, edge+40, after[tree.Name], 1)
	assert.InDelta(t, before[tree.Value]-40, after[tree.Value], 1, "the values have the free space")
	assert.Equal(t, before[tree.Offset:], after[tree.Offset:], "the others stay")
	s.StoreColumns("two")
	assert.InDelta(t, edge, s.rows.Widths()[tree.Name], 1, "another format")
	s.StoreColumns("one")
	assert.InDelta(t, edge+40, s.rows.Widths()[tree.Name], 1)
}

// filterOf parses a filter.
func filterOf(t *testing.T, text string) *find.Query {
	t.Helper()
	q, err := find.NewQuery(text)
	require.NoError(t, err)
	return q
}

func TestPathIsDisplayedByFileName(t *testing.T) {
	root := &model.Node{Type: "File"}
	asset := &model.Node{Name: "0", Type: "Entry"}
	asset.SetLabel(func() string { return "textures/deep/rock.png" })
	root.SetChildren(model.List{asset})
	s := show(t, root)
	s.window.Resize(fyne.NewSize(700, 420))
	uitest.Frame(t, s.style, s.Tree)
	assert.Contains(t, strings.Join(uitest.Lines(t, s.style, s.Tree), "\n"), "0 rock.png textures/deep/")
}

func TestSyntaxIsHiddenBesideFields(t *testing.T) {
	root := &model.Node{Type: "Text", Span: model.Span{Size: 20}}
	field := &model.Node{Name: "0", Type: "Property", Span: model.Span{Size: 12}}
	wrong := &model.Node{Name: "wrong", Type: "separator", Role: model.RoleSpacing,
		Span: model.Span{Offset: 11, Size: 1}}
	wrong.AddProblems(model.Problem{Message: "an odd sign"})
	field.SetChildren(model.List{
		{Name: "name", Type: "string", Value: "a", Span: model.Span{Size: 1}},
		{Name: "separator", Type: "separator", Role: model.RoleSpacing, Span: model.Span{Offset: 1, Size: 1}},
		{Name: "begin", Type: "string", Role: model.RoleBrace, Span: model.Span{Offset: 2, Size: 1}},
		{Name: "value", Type: "string", Value: "b", Span: model.Span{Offset: 3, Size: 8}}, wrong})
	spaces := &model.Node{Name: "spaces", Type: "space[]", Span: model.Span{Offset: 12, Size: 8}}
	spaces.SetChildren(model.List{{Name: "0", Role: model.RoleSpacing, Span: model.Span{Offset: 12, Size: 8}}})
	root.SetChildren(model.List{field, spaces})
	s := show(t, root)
	s.key(fyne.KeyHome, fyne.KeyAsterisk)
	s.ExpandCurrent()
	assert.EqualValues(t, 7, s.RowCount(), "root, field, name, value, wrong, spaces, 0")
	require.True(t, s.Reveal(model.Path{0, 3}))
	assert.Equal(t, "/0/value", s.at())
	require.True(t, s.Reveal(model.Path{0, 1}))
	assert.Equal(t, "/0", s.at(), "the row of the field that has the separator")
	assert.False(t, s.Reveal(model.Path{0, 9}))
	f, err := find.Filter(context.Background(), root, filterOf(t, "separator").Match, 1000, find.FilterProgress{})
	require.NoError(t, err)
	s.SetFilter(&f)
	assert.True(t, s.Reveal(model.Path{0, 1}))
	assert.Equal(t, "/0/separator", s.at(), "a filter finds it")
}

func TestNamesAreBeforeOffsetsInANarrowTree(t *testing.T) {
	root := &model.Node{Type: "File", Span: model.Span{Size: 1 << 19}}
	root.SetChildren(model.List{{Name: "identifier", Value: "duck"}, {Name: "references", Value: uint64(7)}})
	s := show(t, root)
	for _, c := range []struct {
		width, letter float32
		columns       string
	}{{400, 13, "Name Value Offset Size"}, {333, 13, "Name Value Offset"}, {300, 20, "Name Value"},
		{700, 20, "Name Value Offset Size"}} {
		s.style.TextSize = c.letter
		s.window.Resize(fyne.NewSize(c.width, 420))
		for range 3 {
			uitest.Frame(t, s.style, s.Tree)
		}
		lines := uitest.Lines(t, s.style, s.Tree)
		assert.Equal(t, c.columns, strings.Join(strings.Fields(lines[0]), " "), c)
		assert.Contains(t, strings.Join(lines, "\n"), "identifier", c)
	}
}
