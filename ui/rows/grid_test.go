package rows_test

import (
	"strconv"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/uitest"
)

// gridNumbers is a number of tiles.
type gridNumbers int64

func (n gridNumbers) Len() int64           { return int64(n) }
func (gridNumbers) Tile(i int64) rows.Tile { return rows.Tile{Name: strconv.FormatInt(i, 10)} }

var style = paint.NewStyle()

func gridShow(t *testing.T, n int64, side float32) (*rows.Grid, *rows.Rows) {
	t.Helper()
	app := test.NewTempApp(t)
	g := rows.NewGrid(host.None{}, style, gridNumbers(n), side)
	w := app.NewWindow("t")
	t.Cleanup(w.Close)
	w.SetContent(g)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(452, 400)) // 440 beside the bar: four tiles of 96 and 2 * 6
	w.Canvas().Capture()
	return g, test.WidgetRenderer(g).Objects()[0].(*rows.Rows)
}

func click(r *rows.Rows, x, y float32, m fyne.KeyModifier) {
	ev := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary, Modifier: m}
	ev.Position = fyne.NewPos(x, y)
	r.MouseDown(ev)
	r.MouseUp(ev)
}

func selected(g *rows.Grid) (all []int64) {
	s := g.Selection()
	for _, part := range s.All() {
		for i := part.From; i < part.To; i++ {
			all = append(all, i)
		}
	}
	return all
}

func TestTilesAreSelected(t *testing.T) {
	g, r := gridShow(t, 1_000_000, 96)
	told := 0
	g.OnSelection = func() { told++ }
	click(r, 115, 20, 0)
	assert.Equal(t, []int64{1}, selected(g))
	click(r, 330, 20, fyne.KeyModifierShift)
	assert.Equal(t, []int64{1, 2, 3}, selected(g))
	click(r, 225, 20, fyne.KeyModifierControl)
	assert.Equal(t, []int64{1, 3}, selected(g))
	click(r, 10, 180, fyne.KeyModifierControl)
	assert.Equal(t, []int64{1, 3, 4}, selected(g))
	click(r, 115, 20, 0)
	assert.Equal(t, []int64{1}, selected(g), "a click without a drag selects one alone")
	assert.Positive(t, told)
	uitest.Legible(t, style, r)
}

func TestKeysMoveAmongTiles(t *testing.T) {
	g, r := gridShow(t, 10, 96)
	for _, step := range []struct {
		key fyne.KeyName
		to  int64
	}{{fyne.KeyDown, 0}, {fyne.KeyDown, 4}, {fyne.KeyRight, 5}, {fyne.KeyDown, 9}, {fyne.KeyLeft, 8}, {fyne.KeyUp, 4},
		{fyne.KeyEnd, 9}, {fyne.KeyHome, 0}, {fyne.KeyLeft, 0}} {
		r.TypedKey(&fyne.KeyEvent{Name: step.key})
		assert.Equal(t, step.to, g.Current(), "%s", step.key)
	}
	r.TypedShortcut(&fyne.ShortcutSelectAll{})
	assert.Len(t, selected(g), 10)
	opened := int64(-1)
	g.OnActivate = func(i int64) { opened = i }
	r.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.Equal(t, int64(0), opened)
}

func TestDragHasTheSelectedTiles(t *testing.T) {
	g, r := gridShow(t, 10, 96)
	g.OnDrag = func(int64, fyne.Position) rows.Drag { return nil }
	click(r, 10, 20, 0)
	click(r, 115, 20, fyne.KeyModifierControl)
	ev := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary}
	ev.Position = fyne.NewPos(10, 20)
	r.MouseDown(ev)
	r.Dragged(&fyne.DragEvent{PointEvent: ev.PointEvent, Dragged: fyne.NewDelta(9, 9)})
	r.MouseUp(ev)
	r.DragEnd()
	assert.Equal(t, []int64{0, 1}, selected(g))
}

func TestOnlyTilesInViewAreRequested(t *testing.T) {
	g, r := gridShow(t, 1_000_000, 96)
	var from, to int64
	g.OnVisible = func(f, t int64, _ float32) { from, to = f, t }
	r.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	r.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	fyne.CurrentApp().Driver().CanvasForObject(g).Capture()
	assert.Equal(t, int64(1_000_000), to)
	assert.Less(t, to-from, int64(40))
}

func TestTheCurrentTileStaysInView(t *testing.T) {
	app := test.NewTempApp(t)
	g := rows.NewGrid(host.None{}, style, gridNumbers(1000), 96)
	g.Select(30, rows.SingleRow(30)) // before it has a size
	w := app.NewWindow("t")
	t.Cleanup(w.Close)
	w.SetContent(g)
	w.SetPadded(false)
	r := test.WidgetRenderer(g).Objects()[0].(*rows.Rows)
	var from, to int64
	g.OnVisible = func(f, t int64, _ float32) { from, to = f, t }
	inView := func(i int64) {
		t.Helper()
		w.Canvas().Capture()
		assert.LessOrEqual(t, from, i)
		assert.Greater(t, to, i)
	}
	for _, width := range []float32{452, 1000, 300, 2000, 452} {
		w.Resize(fyne.NewSize(width, 400))
		inView(30)
	}
	r.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -20000)})
	w.Canvas().Capture()
	first := from
	assert.Greater(t, first, int64(100))
	w.Resize(fyne.NewSize(900, 400))
	inView(first)
}
