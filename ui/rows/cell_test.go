package rows

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/uitest"
)

// grid is rows of cells.
type grid [][]Cell

func (g grid) Len() int64 { return int64(len(g)) }
func (g grid) Cell(row int64, column int) Cell {
	if column < len(g[row]) {
		return g[row][column]
	}
	return Cell{}
}

// cells is a widget that displays a grid; waiting holds its delayed funcs.
type cells struct {
	*Rows
	style   *paint.Style
	waiting func()
}

func showCells(t *testing.T, h host.Host, g grid) *cells {
	test.NewTempApp(t)
	c := &cells{style: paint.NewStyle()}
	c.Rows = New(h, c.style, g, Options{Header: true})
	c.Rows.afterFunc = func(_ time.Duration, f func()) func() {
		c.waiting = f
		return func() { c.waiting = nil }
	}
	c.SetColumns(Column{Title: "One", Width: 100}, Column{Title: "Two", Width: 100, Align: paint.AlignRight},
		Column{Title: "Three"})
	w := test.NewTempWindow(t, c.Rows)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(400, 123))
	return c
}

func (c *cells) move(x, y float32) {
	c.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}})
}

var shapes = grid{
	{{Text: "a name"}, {Text: "12", Mono: true}, {Text: "text"}},
	{{Text: "a name that is far too long for its column"}, {Text: "1234", Mono: true}, {Text: "text"}},
	{{Text: "beginning and ending of it", CutMiddle: true, Hint: "key"},
		{Pieces: []paint.Piece{{Text: "one "}, {Text: "two", Highlighted: true}}}},
	{{Text: "A title over all columns, which is long", IsTitle: true, Span: 2}},
	{{Text: "indented", Indent: 36, Lead: 10, Mark: Mark{Paint: (*paint.Canvas).Dot}}},
}

func TestCellsArePainted(t *testing.T) {
	c := showCells(t, host.None{}, shapes)
	assert.Equal(t, []string{
		"One                 Two  Three",
		"a name                12 text",
		"a name that …       1234 text",
		"begi…ing of it    one two",
		"A title over all columns, which is long",
		"     ind… ●",
	}, uitest.Lines(t, c.style, c.Rows))
}

func TestACellCanHaveAFlagAndATip(t *testing.T) {
	flagged := Cell{Text: "a name", Flag: Mark{Paint: (*paint.Canvas).Dot}, Mark: Mark{Paint: (*paint.Canvas).Dot},
		Tip: "what is noted"}
	c := showCells(t, host.None{}, grid{{flagged}, {{Text: "another"}}})
	assert.Contains(t, uitest.Lines(t, c.style, c.Rows), "a name ● ●")
	c.move(20, 30)
	c.waiting()
	assert.Contains(t, strings.Join(uitest.Lines(t, c.style, c.Rows), "\n"), "what is noted")
}

func TestCutCellIsShownWholeUnderThePointer(t *testing.T) {
	c := showCells(t, host.None{}, shapes)
	whole := "a name that is far too long for its column"
	shown := func() bool { return strings.Contains(strings.Join(uitest.Lines(t, c.style, c.Rows), "\n"), whole) }
	c.move(20, 50)
	assert.False(t, shown(), "not at once")
	c.waiting()
	assert.True(t, shown())
	c.move(25, 52)
	assert.True(t, shown(), "as long as the pointer stays there")
	c.move(120, 50)
	assert.False(t, shown())
	c.waiting()
	assert.False(t, shown(), "what is not cut is not shown twice")
	c.move(20, 50)
	c.waiting()
	c.MouseOut()
	assert.False(t, shown())
	assert.Nil(t, c.waiting, "nothing goes on waiting")
	c.move(20, 50)
	late := c.waiting
	c.MouseOut()
	late()
	assert.False(t, shown(), "nor is it shown where the pointer left while that was about to be done")
}

func TestTipIsShownBesideTheRowThatThePointerRestsOn(t *testing.T) {
	c := showCells(t, host.None{}, append(slices.Clone(shapes), shapes...))
	shown := func() bool {
		return strings.Contains(strings.Join(uitest.Lines(t, c.style, c.Rows), "\n"), "what it is")
	}
	var rested []int64
	c.OnRest = func(row int64) {
		rested = append(rested, row)
		c.SetTip(row, "what it is")
	}
	rest := func(y float32) {
		c.move(20, y)
		c.waiting()
		c.waiting()
	}
	rest(30)
	assert.True(t, shown())
	c.move(20, 50)
	assert.False(t, shown(), "over another row")
	c.SetTip(0, "what it is")
	assert.False(t, shown(), "what comes too late is not shown")
	rest(110)
	assert.True(t, shown(), "above the last row, where there is no room below")
	for _, end := range []func(){
		func() { c.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(20, 30)}}) },
		func() { c.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF1}) },
		func() { c.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -50)}) },
		c.MouseOut,
	} {
		c.MouseOut()
		rest(30)
		assert.True(t, shown())
		end()
		assert.False(t, shown())
	}
	assert.EqualValues(t, []int64{0, 4}, rested[:2])
	c.OnRest = func(row int64) { c.SetTip(row, strings.Repeat("many words ", 99)) }
	rest(30)
	assert.Contains(t, strings.Join(uitest.Lines(t, c.style, c.Rows), "\n"), " …", "a long one is cut")
}

func TestKeysHideOverlays(t *testing.T) {
	var log uitest.Log
	c := showCells(t, &log, shapes)
	c.OnRest = func(row int64) { c.SetTip(row, "what it is") }
	c.move(20, 50)
	c.waiting()
	c.waiting()
	assert.True(t, c.fullCell.visible)
	assert.Equal(t, "what it is", c.Tip())
	var elsewhere host.Alt
	elsewhere.Down(&log, &fyne.KeyEvent{Name: fyne.KeyDown})
	assert.False(t, c.fullCell.visible)
	assert.Empty(t, c.Tip())
	c.move(20, 30)
	c.waiting()
	c.waiting()
	elsewhere.FocusLost(&log)
	assert.Empty(t, c.Tip())
}

func TestLongFullCellsAreWrapped(t *testing.T) {
	c := showCells(t, host.None{}, grid{{{Text: strings.Repeat("many words ", 20)}}})
	c.move(20, 30)
	c.waiting()
	assert.Greater(t, len(uitest.Lines(t, c.style, c.Rows)), 4)
}

func TestRowOfCellsIsCopied(t *testing.T) {
	var log uitest.Log
	c := showCells(t, &log, shapes)
	for _, row := range []int64{0, 2, 3} {
		c.SetCurrent(row)
		c.TypedShortcut(&fyne.ShortcutCopy{})
	}
	assert.Equal(t, []string{"copy a name\t12\ttext", "copy beginning and ending of it\tone two\t",
		"copy A title over all columns, which is long"}, log.Take())
}

func TestDoubleClickOnAnEdgeFitsTheColumn(t *testing.T) {
	c := showCells(t, host.None{}, shapes)
	for range 2 {
		p := fyne.PointEvent{Position: fyne.NewPos(100, 10)}
		c.MouseDown(&desktop.MouseEvent{PointEvent: p, Button: desktop.MouseButtonPrimary})
		c.MouseUp(&desktop.MouseEvent{PointEvent: p, Button: desktop.MouseButtonPrimary})
	}
	c.DoubleTapped(nil)
	assert.Greater(t, c.Widths()[0], float32(200))
	assert.Contains(t, strings.Join(uitest.Lines(t, c.style, c.Rows), "\n"),
		"a name that is far too long for its column")
}

func TestTheFirstColumnShrinks(t *testing.T) {
	test.NewTempApp(t)
	long := grid{{{Text: strings.Repeat("a long name ", 5)}, {Text: "12,345,678"}, {Text: strings.Repeat("more ", 9)}}}
	r := New(host.None{}, paint.NewStyle(), long, Options{Header: true, Grow: 420, Keep: 2})
	w := test.NewTempWindow(t, r)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(1200, 123)) // before there are columns
	r.SetColumns(Column{Title: "Name", Width: 100, Min: 80}, Column{Title: "Size"}, Column{Title: "More"})
	wide := r.Widths()
	w.Resize(fyne.NewSize(300, 123))
	assert.Equal(t, wide[2:], r.Widths()[2:], "only the first column gives way")
	assert.Equal(t, float32(300), r.Widths()[0]+r.Widths()[1], "the second one is in view")
	assert.Equal(t, wide[1], r.Widths()[1], "and nothing of the third one")
	w.Resize(fyne.NewSize(100, 123))
	assert.EqualValues(t, 80, r.Widths()[0], "the first column is not cut further")
	w.Resize(fyne.NewSize(1200, 123))
	assert.Equal(t, wide, r.Widths())

	r.SetColumns(Column{Title: "Name", Width: 100, Min: 80}, Column{Title: "Size"}, Column{Title: "More"},
		Column{Title: "Last"})
	w.Resize(fyne.NewSize(wide[0]+wide[1]+wide[2]-20, 123))
	assert.Equal(t, []float32{wide[0] + wide[2] - 20, wide[1], wide[2]}, r.Widths()[:3], "no column is cut")
	assert.False(t, r.IsColumnVisible(2))
	w.Resize(fyne.NewSize(wide[0]+wide[1]+wide[2]+40, 123))
	assert.Equal(t, wide[:3], r.Widths()[:3])
	assert.True(t, r.IsColumnVisible(2))

	r.SetSource(append(append(long, long...), slices.Repeat(long, 20)...)) // now with a scroll bar
	w.Resize(fyne.NewSize(wide[0]+wide[1]+barWidth, 123))
	assert.Equal(t, []string{"Name", "Size"}, strings.Fields(uitest.Lines(t, r.style, r)[0]), "none is over the bar")
}

func TestNamesKeepAPartOfANarrowList(t *testing.T) {
	test.NewTempApp(t)
	r := New(host.None{}, paint.NewStyle(), grid{{{Text: strings.Repeat("a long name ", 5)}, {Text: "gameplay properties"},
		{Text: "2026-11-28 23:51:07"}}}, Options{Header: true, Grow: 420, Keep: 3})
	w := test.NewTempWindow(t, r)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(300, 123))
	r.SetColumns(Column{Title: "Name", Width: 100, Min: 48}, Column{Title: "Type"}, Column{Title: "Modified"})
	assert.InDelta(t, minFirstShare*(300-barWidth), r.Widths()[0], 1)
}

func TestColumnsUseTheFreeWidth(t *testing.T) {
	test.NewTempApp(t)
	change := strings.Repeat("a long change ", 6)
	r := New(host.None{}, paint.NewStyle(), grid{{{Text: "a"}, {Text: change}, {Text: "1"}}},
		Options{Header: true, Grow: 420, Keep: 2})
	w := test.NewTempWindow(t, r)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(1200, 123))
	r.SetColumns(Column{Title: "Name", Width: 100}, Column{Title: "Change"}, Column{Title: "Size"})
	assert.Equal(t, r.WidthInView(1), r.Widths()[1])
	w.Resize(fyne.NewSize(500, 123))
	assert.Less(t, r.Widths()[1], r.WidthInView(1), "all columns are in view")
	assert.True(t, r.IsColumnVisible(2))
}

func TestRowsThatAppearUnderThePointerHaveNoTooltip(t *testing.T) {
	c := showCells(t, host.None{}, shapes)
	moves := 0
	c.OnMove = func(Pointer) { moves++ }
	c.MouseIn(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(20, 50)}})
	c.move(22, 51)
	assert.Nil(t, c.waiting)
	assert.Zero(t, moves)
	c.move(30, 51)
	assert.NotNil(t, c.waiting)
	assert.Equal(t, 1, moves)
}
