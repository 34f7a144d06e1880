package rows_test

import (
	"fmt"
	"image"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/uitest"
)

// numbers is a source whose rows display their number. It records the painted rows.
type numbers struct {
	log     uitest.Log
	n       int64
	painted []int64
	states  map[int64]rows.State
	bounds  map[int64]image.Rectangle
}

func (s *numbers) Len() int64 { return s.n }

func (s *numbers) PaintRow(c *paint.Canvas, row int64, bounds image.Rectangle, state rows.State) {
	s.painted = append(s.painted, row)
	s.states[row], s.bounds[row] = state, bounds
	for i := range state.Cells() {
		c.Label(state.Cell(bounds, i), fmt.Sprint(row), paint.Regular, c.Colors.Foreground, paint.AlignLeft)
	}
}

const rowHeight = 20

func show(t testing.TB, n int64, options rows.Options) (*rows.Rows, *numbers, fyne.Window) {
	t.Helper()
	test.NewTempApp(t)
	source := &numbers{n: n}
	r := rows.New(&source.log, paint.NewStyle(), source, options)
	w := test.NewTempWindow(t, r)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(400, 10*rowHeight))
	return r, source, w
}

// frame paints the window and returns the rows that were painted.
func frame(w fyne.Window, s *numbers) []int64 {
	s.painted, s.states, s.bounds = nil, map[int64]rows.State{}, map[int64]image.Rectangle{}
	for _, o := range test.LaidOutObjects(w.Content()) {
		o.Refresh()
	}
	w.Canvas().Capture()
	return s.painted
}

func key(r *rows.Rows, names ...fyne.KeyName) {
	for _, n := range names {
		r.TypedKey(&fyne.KeyEvent{Name: n})
	}
}

func press(r *rows.Rows, x, y float32, button desktop.MouseButton, modifier fyne.KeyModifier) {
	p := fyne.PointEvent{Position: fyne.NewPos(x, y), AbsolutePosition: fyne.NewPos(x, y)}
	r.MouseDown(&desktop.MouseEvent{PointEvent: p, Button: button, Modifier: modifier})
	r.MouseUp(&desktop.MouseEvent{PointEvent: p, Button: button, Modifier: modifier})
}

func drag(r *rows.Rows, x0, y0, x1, y1 float32) {
	at := func(x, y float32) fyne.PointEvent {
		return fyne.PointEvent{Position: fyne.NewPos(x, y), AbsolutePosition: fyne.NewPos(x, y)}
	}
	r.MouseDown(&desktop.MouseEvent{PointEvent: at(x0, y0), Button: desktop.MouseButtonPrimary})
	r.Dragged(&fyne.DragEvent{PointEvent: at((x0+x1)/2, (y0+y1)/2)})
	r.Dragged(&fyne.DragEvent{PointEvent: at(x1, y1)})
	r.MouseUp(&desktop.MouseEvent{PointEvent: at(x1, y1), Button: desktop.MouseButtonPrimary})
	r.DragEnd()
}

func TestPaintsOnlyWhatIsVisible(t *testing.T) {
	for _, n := range []int64{0, 3, 10, 10_000_000, 625_000_000, 1 << 58} {
		_, source, w := show(t, n, rows.Options{})
		painted := frame(w, source)
		assert.Len(t, painted, int(min(n, 10)), "%d rows", n)
	}
}

func TestEndIsExact(t *testing.T) {
	for _, n := range []int64{111, 10_000_001, 625_000_001, 1<<58 + 1} {
		r, source, w := show(t, n, rows.Options{})
		w.Resize(fyne.NewSize(400, 10*rowHeight+7))
		r.SetCurrent(0)
		key(r, fyne.KeyEnd)
		assert.Equal(t, n-1, r.Current())
		painted := frame(w, source)
		require.Contains(t, painted, n-1)
		assert.Equal(t, 10*rowHeight+7, source.bounds[n-1].Max.Y, "the last row ends at the bottom")
		key(r, fyne.KeyUp, fyne.KeyUp)
		assert.Equal(t, n-3, r.Current())
		r.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 25)})
		frame(w, source)
		assert.Equal(t, 10*rowHeight+7, source.bounds[n-4].Max.Y, "a notch is three rows")
	}
}

func TestSingleRowSteps(t *testing.T) {
	r, source, w := show(t, 20_000_000, rows.Options{})
	r.SetFirst(10_000_000)
	r.SetCurrent(10_000_000)
	for i := range int64(30) {
		key(r, fyne.KeyDown)
		require.Equal(t, 10_000_001+i, r.Current())
	}
	painted := frame(w, source)
	assert.Equal(t, int64(10_000_021), painted[0])
	key(r, fyne.KeyPageUp)
	assert.Equal(t, int64(10_000_030-9), r.Current())
	key(r, fyne.KeyHome)
	assert.Zero(t, r.First())
}

func TestScrollBarDragReachesBothEnds(t *testing.T) {
	r, _, w := show(t, 10_000_000_000/16, rows.Options{})
	x := w.Canvas().Size().Width - 5
	drag(r, x, 5, x, 105)
	assert.InDelta(t, 0.58, float64(r.First())/float64(r.Len()), 0.02, "100 of 172 pixels")
	drag(r, x, 112, x, 5000)
	assert.Equal(t, r.Len()-10, r.First())
	drag(r, x, 190, x, -5000)
	assert.Zero(t, r.First())
}

func TestTroughScrollsByPages(t *testing.T) {
	r, _, w := show(t, 10_000_000, rows.Options{})
	x := w.Canvas().Size().Width - 5
	press(r, x, 150, desktop.MouseButtonPrimary, 0)
	assert.Equal(t, int64(9), r.First())
	press(r, x, 150, desktop.MouseButtonPrimary, 0)
	assert.Equal(t, int64(18), r.First())
}

func TestWheelMovesInsideRows(t *testing.T) {
	r, source, w := show(t, 100, rows.Options{})
	r.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -4)})
	painted := frame(w, source)
	assert.Equal(t, -9, source.bounds[painted[0]].Min.Y)
	assert.Len(t, painted, 11)
}

func TestClickSelectsAndDoubleClickActivates(t *testing.T) {
	r, source, w := show(t, 100, rows.Options{})
	var current, active, menu, hover []int64
	r.OnCurrent = func(row int64) { current = append(current, row) }
	r.OnActivate = func(row int64) { active = append(active, row) }
	r.OnMenu = func(row int64, _ fyne.Position) { menu = append(menu, row) }
	r.OnHover = func(row int64) { hover = append(hover, row) }
	press(r, 50, 3*rowHeight+2, desktop.MouseButtonPrimary, 0)
	press(r, 50, 3*rowHeight+2, desktop.MouseButtonPrimary, 0)
	r.DoubleTapped(&fyne.PointEvent{})
	press(r, 50, 5*rowHeight+2, desktop.MouseButtonPrimary, 0)
	press(r, 50, 6*rowHeight+2, desktop.MouseButtonPrimary, 0)
	r.DoubleTapped(&fyne.PointEvent{}) // clicks on two rows are not a double click
	press(r, 50, 2*rowHeight+2, desktop.MouseButtonSecondary, 0)
	key(r, fyne.KeyReturn, desktop.KeyMenu)
	test.MoveMouse(w.Canvas(), fyne.NewPos(20, 4*rowHeight+3))
	assert.Equal(t, []int64{3, 5, 6, 2}, current)
	assert.Equal(t, []int64{3, 2}, active)
	assert.Equal(t, []int64{2, 2}, menu)
	assert.Equal(t, []int64{4}, hover)
	assert.True(t, r.Focused())
	frame(w, source)
	assert.True(t, source.states[2].Selected && source.states[2].Current && source.states[2].Focused)
	assert.True(t, source.states[4].Hovered)
	assert.False(t, source.states[3].Selected)
}

func TestASecondMenuTakesOneClick(t *testing.T) {
	r, _, _ := show(t, 100, rows.Options{})
	var menu []int64
	r.OnMenu = func(row int64, _ fyne.Position) { menu = append(menu, row) }
	tap := func(row int) { // as the toolkit passes on a tap that closed a menu or opened none
		any(r).(fyne.SecondaryTappable).TappedSecondary(&fyne.PointEvent{Position: fyne.NewPos(50,
			float32(row*rowHeight+2))})
	}
	press(r, 50, 2*rowHeight+2, desktop.MouseButtonSecondary, 0)
	tap(2) // the menu comes later: this is the same tap
	assert.Equal(t, []int64{2}, menu)
	press(r, 50, 3*rowHeight+2, desktop.MouseButtonSecondary, 0)
	r.MouseOut() // the menu is open, over the rows
	tap(7)
	assert.Equal(t, []int64{2, 3, 7}, menu)
	assert.EqualValues(t, 7, r.Current())
}

func TestModifiersExtendAndToggleTheSelection(t *testing.T) {
	r, _, _ := show(t, 1_000_000_000, rows.Options{Multi: true})
	click := func(row int, modifier fyne.KeyModifier) {
		press(r, 50, float32(row*rowHeight+2), desktop.MouseButtonPrimary, modifier)
	}
	want := func(all ...rows.Interval) {
		t.Helper()
		s := r.Selection()
		assert.Equal(t, all, s.All())
	}
	click(2, 0)
	click(5, fyne.KeyModifierShift)
	want(rows.Interval{From: 2, To: 6})
	click(3, fyne.KeyModifierControl)
	want(rows.Interval{From: 2, To: 3}, rows.Interval{From: 4, To: 6})
	click(8, fyne.KeyModifierControl)
	want(rows.Interval{From: 2, To: 3}, rows.Interval{From: 4, To: 6}, rows.Interval{From: 8, To: 9})
	click(4, 0) // a click on one of several selected rows
	want(rows.Interval{From: 4, To: 5})
	r.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	key(r, fyne.KeyDown, fyne.KeyDown)
	r.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	want(rows.Interval{From: 4, To: 7})
	r.TypedShortcut(&fyne.ShortcutSelectAll{})
	want(rows.Interval{From: 0, To: 1_000_000_000})
	key(r, fyne.KeyHome)
	want(rows.Interval{From: 0, To: 1})
}

func TestKeysOfTheOwnerArePassedOn(t *testing.T) {
	r, source, _ := show(t, 100, rows.Options{})
	var log []string
	note := func(s string) func(int64) {
		return func(row int64) { log = append(log, fmt.Sprint(s, row)) }
	}
	r.OnExpand, r.OnCollapse, r.OnExpandAll, r.OnCollapseAll = note("open"), note("close"), note("all"), note("fold")
	r.OnTypeAhead = func(p string) { log = append(log, p) }
	r.SetCurrent(7)
	key(r, fyne.KeyRight, fyne.KeyLeft, fyne.KeyF7, fyne.KeyDelete)
	for _, k := range []fyne.KeyName{fyne.KeyRight, fyne.KeyLeft, fyne.KeyP} {
		r.TypedShortcut(&desktop.CustomShortcut{KeyName: k, Modifier: fyne.KeyModifierShortcutDefault})
	}
	r.TypedShortcut(&fyne.ShortcutCopy{})
	for _, c := range "me" {
		r.TypedRune(c)
	}
	key(r, fyne.KeyBackspace, fyne.KeyEscape, fyne.KeyEscape)
	assert.Equal(t, []string{"open7", "close7", "all7", "fold7", "m", "me", "m"}, log)
	assert.Equal(t, []string{"key F7", "key Delete", "shortcut CustomDesktop:Control+P", "shortcut Copy", "key Escape"},
		source.log.Take())
}

func TestColumnsAreResizedAndSortedByTheHeader(t *testing.T) {
	r, source, w := show(t, 100, rows.Options{Header: true})
	r.SetColumns(rows.Column{Title: "Name", Width: 100, Sortable: true}, rows.Column{Title: "Type", Width: 80},
		rows.Column{Title: "Value", Width: 50})
	var resized []string
	var sorted []rows.Order
	r.OnResize = func(c int, width float32) { resized = append(resized, fmt.Sprint(c, width)) }
	r.OnSort = func(c int, o rows.Order) { sorted = append(sorted, o); r.SetSort(c, o) }
	frame(w, source)
	state := source.states[0]
	require.Equal(t, 3, state.Cells())
	assert.Equal(t, 6, state.Cell(source.bounds[0], 0).Min.X)
	assert.Equal(t, 106, state.Cell(source.bounds[0], 1).Min.X)
	assert.Equal(t, 400-12-6, state.Cell(source.bounds[0], 2).Max.X, "the last column takes the rest")
	assert.Equal(t, 23, source.bounds[0].Min.Y, "below the header")

	drag(r, 100, 10, 130, 10)
	assert.Equal(t, []float32{130, 80, 50}, r.Widths())
	assert.Equal(t, []string{"0 115", "0 130"}, resized)
	drag(r, 130, 10, -900, 10)
	assert.EqualValues(t, 32, r.Widths()[0])
	for range 4 {
		press(r, 15, 10, desktop.MouseButtonPrimary, 0)
	}
	press(r, 60, 10, desktop.MouseButtonPrimary, 0) // not sortable
	assert.Equal(t, []rows.Order{rows.Ascending, rows.Descending, rows.Unsorted, rows.Ascending}, sorted)
	assert.EqualValues(t, -1, r.Current(), "the header is no row")
}

func TestWideColumnsScrollHorizontally(t *testing.T) {
	r, source, w := show(t, 5, rows.Options{Header: true})
	r.SetColumns(rows.Column{Title: "a", Width: 600}, rows.Column{Title: "b", Width: 100, Min: 100})
	frame(w, source)
	assert.Zero(t, source.bounds[0].Min.X)
	r.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(-100, 0)})
	frame(w, source)
	assert.Equal(t, -240, source.bounds[0].Min.X)
	r.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(-1000, 0)})
	frame(w, source)
	assert.Equal(t, 400, source.bounds[0].Max.X)
	y := w.Canvas().Size().Height - 5
	drag(r, 390, y, -500, y)
	frame(w, source)
	assert.Zero(t, source.bounds[0].Min.X)
}

func TestDragIsReportedUntilItEnds(t *testing.T) {
	r, _, _ := show(t, 100, rows.Options{Multi: true})
	var log []string
	r.OnDrag = func(row int64, _ fyne.Position) rows.Drag {
		log = append(log, fmt.Sprint("start", row))
		if row != 3 {
			return nil
		}
		return dragged{&log}
	}
	drag(r, 10, 3*rowHeight+2, 600, 90)
	drag(r, 10, 4*rowHeight+2, 600, 90)
	assert.Equal(t, []string{"start3", "305", "600", "end", "start4"}, log)
}

// dragged records its positions.
type dragged struct{ log *[]string }

func (d dragged) Dragged(p fyne.Position) { *d.log = append(*d.log, fmt.Sprint(p.X)) }
func (d dragged) DragEnd()                { *d.log = append(*d.log, "end") }

func TestInsertedAndRemovedKeepThePosition(t *testing.T) {
	r, source, _ := show(t, 1000, rows.Options{Multi: true})
	r.SetFirst(500)
	r.SetCurrent(505)
	source.n += 100
	r.Inserted(10, 100)
	assert.Equal(t, []int64{600, 605}, []int64{r.First(), r.Current()})
	source.n -= 50
	r.Removed(0, 50)
	assert.Equal(t, []int64{550, 555}, []int64{r.First(), r.Current()})
	s := r.Selection()
	assert.True(t, s.Has(555))
	source.n -= 20
	r.Removed(550, 20)
	assert.Equal(t, int64(549), r.Current())
	source.n = 3
	r.Refresh()
	assert.Equal(t, []int64{0, 2}, []int64{r.First(), r.Current()})
}

func TestColumnsShareTheWidthUntilTheUserChoseOne(t *testing.T) {
	halves := func(width float32) []float32 { return []float32{width / 2, width / 2} }
	r, _, w := show(t, 100, rows.Options{Header: true, ColumnWidths: halves})
	columns := []rows.Column{{Title: "a"}, {Title: "b"}}
	r.SetColumns(columns...)
	assert.Equal(t, []float32{194, 194}, r.Widths(), "beside the scroll bar")
	w.Resize(fyne.NewSize(612, 200))
	assert.Equal(t, []float32{300, 300}, r.Widths())
	assert.False(t, r.WidthsChosen())
	drag(r, 300, 10, 200, 10)
	w.Resize(fyne.NewSize(412, 200))
	assert.Equal(t, []float32{200, 300}, r.Widths())
	assert.True(t, r.WidthsChosen())
	r.SetColumns(columns...)
	assert.Equal(t, []float32{200, 200}, r.Widths(), "other columns are shared out anew")
	r.SetWidths([]float32{90, 40})
	w.Resize(fyne.NewSize(612, 200))
	assert.Equal(t, []float32{90, 40}, r.Widths())
}

func TestAColumnWithoutWidthIsHidden(t *testing.T) {
	share := func(width float32) []float32 {
		if width < 400 {
			return []float32{width, 0}
		}
		return []float32{width - 100, 100}
	}
	r, _, w := show(t, 100, rows.Options{Header: true, ColumnWidths: share})
	r.SetColumns(rows.Column{Title: "a"}, rows.Column{Title: "b"})
	assert.Equal(t, []float32{388, 0}, r.Widths())
	w.Resize(fyne.NewSize(612, 200))
	assert.Equal(t, []float32{500, 100}, r.Widths())
	w.Resize(fyne.NewSize(400, 200))
	assert.Equal(t, []float32{388, 0}, r.Widths())
	drag(r, 388, 10, 200, 10)
	assert.Equal(t, []float32{200, 64}, r.Widths(), "what has no room made for it any more is shown")
}

func TestColumnsFillTheSpaceOfAMissingBar(t *testing.T) {
	share := func(width float32) []float32 { return []float32{width - 100, 100, 0, 80, 50} }
	r, source, _ := show(t, 3, rows.Options{Header: true, ColumnWidths: share})
	r.SetColumns(make([]rows.Column, 5)...)
	assert.Equal(t, []float32{288, 112, 0, 80, 50}, r.Widths(), "to the edge of the widget")
	source.n = 100
	r.Refresh()
	assert.Equal(t, []float32{288, 100, 0, 80, 50}, r.Widths(), "beside the scroll bar")
}

func TestDivideWidthSharesTheRest(t *testing.T) {
	shares := []float32{0.5, 0.25, 0.25}
	for _, tt := range []struct{ wants, got []float32 }{
		{[]float32{100, 50, 50}, []float32{200, 100, 100}},   // the rest is divided
		{[]float32{500, 500, 500}, []float32{200, 100, 100}}, // all need too much
		{[]float32{50, 500, 500}, []float32{50, 175, 175}},   // one leaves space to the others
		{[]float32{50, 500, 120}, []float32{50, 230, 120}},
		{[]float32{0, 0, 0}, []float32{199.5, 100.25, 100.25}},
	} {
		assert.InDeltaSlice(t, tt.got, rows.DivideWidth(400, tt.wants, shares), 0.01, "%v", tt.wants)
	}
}

func TestScrollToMovesOnlyAsFarAsNeeded(t *testing.T) {
	r, _, _ := show(t, 10_000_000_000, rows.Options{})
	for _, tt := range []struct{ row, first int64 }{
		{5, 0}, {9, 0}, {10, 1}, {9_999_999_999, 9_999_999_990}, {9_999_999_980, 9_999_999_980},
		{5_000_000_000, 4_999_999_995}, {0, 0}, {-5, 0},
	} {
		r.ScrollTo(tt.row)
		assert.Equal(t, tt.first, r.First(), "to %d", tt.row)
	}
}

func TestIntervalsStaySortedAndDisjoint(t *testing.T) {
	var s rows.Intervals
	s.Add(10, 20)
	s.Add(30, 40)
	s.Add(20, 25)
	assert.Equal(t, []rows.Interval{{From: 10, To: 25}, {From: 30, To: 40}}, s.All())
	s.Add(0, 35)
	assert.Equal(t, []rows.Interval{{From: 0, To: 40}}, s.All())
	s.Remove(5, 6)
	s.Remove(38, 100)
	assert.Equal(t, []rows.Interval{{From: 0, To: 5}, {From: 6, To: 38}}, s.All())
	assert.EqualValues(t, 37, s.Count())
	assert.False(t, s.Has(5) || s.Has(38) || s.Has(-1))
	s.InsertRows(10, 5)
	assert.Equal(t, []rows.Interval{{From: 0, To: 5}, {From: 6, To: 10}, {From: 15, To: 43}}, s.All())
	s.RemoveRows(3, 10)
	assert.Equal(t, []rows.Interval{{From: 0, To: 3}, {From: 5, To: 33}}, s.All())
	s.Add(7, 7)
	s.Remove(9, 2)
	assert.EqualValues(t, 31, s.Count())
}

func TestPressResultDecidesWhatFollows(t *testing.T) {
	r, _, _ := show(t, 100, rows.Options{Header: true})
	r.SetColumns(rows.Column{Title: "a", Width: 100}, rows.Column{Title: "b"})
	claim := rows.Handled
	var log []string
	r.OnPress = func(p rows.Pointer) rows.PressResult {
		log = append(log, fmt.Sprint("press", p.Row, " ", p.Column, " ", p.X-p.Cell.Min.X))
		return claim
	}
	r.OnPull = func(p rows.Pointer) { log = append(log, fmt.Sprint("pull", p.Row)) }
	r.OnRelease = func() { log = append(log, "release") }
	r.OnActivate = func(row int64) { log = append(log, fmt.Sprint("activate", row)) }
	r.OnCurrent = func(row int64) { log = append(log, fmt.Sprint("current", row)) }
	twice := func() {
		press(r, 10, 50, desktop.MouseButtonPrimary, 0)
		press(r, 10, 50, desktop.MouseButtonPrimary, 0)
		r.DoubleTapped(&fyne.PointEvent{})
	}
	twice()
	assert.Equal(t, []string{"press1 0 4", "press1 0 4"}, log)
	claim, log = rows.Pull, nil
	drag(r, 120, 50, 120, 90)
	twice()
	assert.Equal(t, []string{"press1 1 14", "pull2", "pull3", "release", "press1 0 4", "release", "press1 0 4",
		"release", "activate1"}, log)
	claim, log = rows.Pass, nil
	twice()
	assert.Equal(t, []string{"press1 0 4", "current1", "press1 0 4", "activate1"}, log)
}

func TestRowsHaveScreenPixelsOnAScaledCanvas(t *testing.T) {
	r, source, w := show(t, 1000, rows.Options{Header: true})
	w.Canvas().(interface{ SetScale(float32) }).SetScale(2)
	w.Resize(fyne.NewSize(400, 23+10*rowHeight))
	painted := frame(w, source)
	assert.Len(t, painted, 10)
	assert.Equal(t, 2*rowHeight, source.bounds[0].Dy(), "pixels of the screen")
	press(r, 50, 23+3*rowHeight+2, desktop.MouseButtonPrimary, 0)
	assert.EqualValues(t, 3, r.Current())
	assert.Equal(t, fyne.NewPos(0, 23+4*rowHeight), r.RowPosition(3))
}

func TestPageKeysKeepTheRowInTheView(t *testing.T) {
	r, _, _ := show(t, 10_000_000, rows.Options{})
	r.SetFirst(5_000_000)
	r.SetCurrent(5_000_004)
	key(r, fyne.KeyPageDown)
	assert.Equal(t, []int64{5_000_009, 5_000_013}, []int64{r.First(), r.Current()})
	key(r, fyne.KeyPageUp, fyne.KeyPageUp)
	assert.Equal(t, []int64{4_999_991, 4_999_995}, []int64{r.First(), r.Current()})
}

// desk is an application on a driver that reports the modifier keys.
type desk struct {
	fyne.App
	driver desktopDriver
}

func (d desk) Driver() fyne.Driver { return d.driver }

type desktopDriver struct {
	fyne.Driver
	modifiers *fyne.KeyModifier
}

func (d desktopDriver) CreateSplashWindow() fyne.Window { return nil }

func (d desktopDriver) HasSecondaryDisplay() bool { return false }

func (d desktopDriver) CurrentKeyModifiers() fyne.KeyModifier { return *d.modifiers }

var _ desktop.Driver = desktopDriver{}

func TestShiftReleasedElsewhereIsNotHeld(t *testing.T) {
	r, _, _ := show(t, 100, rows.Options{Multi: true})
	app, modifiers := fyne.CurrentApp(), fyne.KeyModifierShift
	fyne.SetCurrentApp(desk{app, desktopDriver{app.Driver(), &modifiers}})
	defer fyne.SetCurrentApp(app)

	var shifts []bool
	r.BeforeKey = func(_ *fyne.KeyEvent, shift bool) bool {
		shifts = append(shifts, shift)
		return true
	}
	r.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	r.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF12})
	modifiers = 0 // no KeyUp: the list that Shift+F12 opened received it
	r.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF1})
	assert.Equal(t, []bool{true, false}, shifts)
}

func TestTheMenuOfTheHeaderChoosesColumns(t *testing.T) {
	r, source, w := show(t, 100, rows.Options{Header: true})
	r.SetColumns(rows.Column{Title: "Name", Width: 100}, rows.Column{Title: "Type", Width: 80},
		rows.Column{Title: "Value", Width: 50})
	r.StoreColumns("columns.test")
	choose := func(label string) {
		press(r, 120, 10, desktop.MouseButtonSecondary, 0)
		menu := source.log.Popped
		require.NotNil(t, menu)
		for _, item := range menu.Items {
			if item.Label == label {
				require.False(t, item.Disabled)
				item.Action()
			}
		}
	}
	choose("Type")
	choose("Value")
	frame(w, source)
	assert.Equal(t, []float32{100, 0, 0}, r.Widths())
	assert.Equal(t, 400-12-6, source.states[0].Cell(source.bounds[0], 0).Max.X, "the last one in view takes the rest")
	r.SetColumns(rows.Column{Title: "Name", Width: 100}, rows.Column{Title: "Type", Width: 80})
	assert.Equal(t, []float32{100, 0}, r.Widths(), "other columns of that name are hidden as well")
	choose("Type")
	assert.Equal(t, []float32{100, 80}, r.Widths())
	choose("Type")
	choose("Reset Columns")
	assert.Equal(t, []float32{100, 80}, r.Widths())
}

func TestTheMenuOfTheHeaderSorts(t *testing.T) {
	r, source, _ := show(t, 100, rows.Options{Header: true})
	r.SetColumns(rows.Column{Title: "Name", Width: 100, Sortable: true}, rows.Column{Title: "Type", Width: 80},
		rows.Column{Title: "Size", Width: 50, Sortable: true})
	var sorted []rows.Order
	r.OnSort = func(column int, order rows.Order) {
		assert.Equal(t, 2, column)
		sorted = append(sorted, order)
		r.SetSort(column, order)
	}
	menu := func() []*fyne.MenuItem {
		r.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyS,
			Modifier: fyne.KeyModifierControl | fyne.KeyModifierAlt})
		require.NotNil(t, source.log.Popped)
		require.Equal(t, "Sort By", source.log.Popped.Items[0].Label)
		return source.log.Popped.Items[0].ChildMenu.Items
	}
	require.Len(t, menu(), 2, "Type cannot be sorted by")
	menu()[1].Action()
	assert.True(t, menu()[1].Checked)
	menu()[1].Action()
	assert.Equal(t, "Size (descending)", menu()[1].Label)
	menu()[1].Action()
	assert.False(t, menu()[1].Checked)
	assert.Equal(t, []rows.Order{rows.Ascending, rows.Descending, rows.Unsorted}, sorted)
}

func TestTheCurrentRowStaysInViewOfALowerList(t *testing.T) {
	r, _, w := show(t, 100, rows.Options{})
	resize := func(height float32) int64 {
		w.Resize(fyne.NewSize(400, height*rowHeight))
		return r.First()
	}
	r.SetCurrent(8)
	assert.EqualValues(t, 0, resize(9), "the row is still in view")
	assert.EqualValues(t, 5, resize(4))
	assert.EqualValues(t, 5, resize(10))
	r.SetFirst(50)
	assert.EqualValues(t, 50, resize(4), "the row was out of view before")
}

func TestListWithoutSpaceBeginsWithItsFirstRow(t *testing.T) {
	r, _, _ := show(t, 100, rows.Options{})
	for _, height := range []float32{0, 0.5} {
		r.Resize(fyne.NewSize(400, height*rowHeight))
		r.SetCurrent(0)
		r.ScrollTo(0)
		r.Resize(fyne.NewSize(400, 10*rowHeight))
		assert.Zero(t, r.First())
		assert.EqualValues(t, rowHeight, r.RowPosition(0).Y, "below a whole first row")
	}
}

func TestTheStarExpandsAll(t *testing.T) {
	r, _, _ := show(t, 10, rows.Options{})
	var opened []int64
	r.OnExpandAll = func(row int64) { opened = append(opened, row) }
	r.OnTypeAhead = func(string) { t.Fail() }
	r.SetCurrent(3)
	r.TypedRune('*')
	assert.Equal(t, []int64{3}, opened)
}

func TestNoRowsHaveAText(t *testing.T) {
	text := ""
	options := rows.Options{Empty: func() string { return text }}
	lit := func(n int64) (count int) {
		_, _, w := show(t, n, options)
		img := w.Canvas().Capture()
		ground := img.At(img.Bounds().Dx()-1, img.Bounds().Dy()-1)
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				if img.At(x, y) != ground {
					count++
				}
			}
		}
		return count
	}
	none := lit(0)
	text = "No rows"
	assert.Greater(t, lit(0), none)
}

func TestNumbersStayBesideTheOtherColumns(t *testing.T) {
	for _, align := range []paint.Align{paint.AlignLeft, paint.AlignRight} {
		r, source, w := show(t, 100, rows.Options{Header: true, Grow: 300})
		r.SetColumns(rows.Column{Title: "Name", Width: 100}, rows.Column{Title: "Size", Width: 60, Align: align})
		frame(w, source)
		end := source.states[0].Cell(source.bounds[0], 1).Max.X
		if align == paint.AlignRight {
			assert.Less(t, end, 200)
		} else {
			assert.Equal(t, 400-12-6, end)
		}
	}
}
