package rows_test

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/uitest"
)

// grid is n rows; it remembers which cells were asked for.
type grid struct {
	log   uitest.Log
	style *paint.Style
	n     int
	asked map[[2]int]bool
}

func (g *grid) Len() int { return g.n }
func (g *grid) Cell(row, column int) rows.Cell {
	g.asked[[2]int{row, column}] = true
	tones := []paint.Tone{paint.Normal, paint.Dim, paint.Warning, paint.Error}
	return rows.Cell{Text: fmt.Sprint(row, " ", column), Tone: tones[row%len(tones)], Mono: column == 0,
		Bold: column == 1}
}

func showTable(t *testing.T, n int, o rows.TableOptions) (*rows.Table, *rows.Rows, *grid, fyne.Window) {
	test.NewTempApp(t)
	g := &grid{style: paint.NewStyle(), n: n, asked: map[[2]int]bool{}}
	b := rows.NewTable(&g.log, g.style, g, o, rows.Column{Title: "One", Width: 100}, rows.Column{Title: "Two", Width: 60})
	w := test.NewTempWindow(t, b)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(412, 200))
	uitest.Lines(t, g.style, b)
	return b, test.WidgetRenderer(b).Objects()[0].(*rows.Rows), g, w
}

func TestOnlyWhatIsInViewIsAskedFor(t *testing.T) {
	b, _, g, _ := showTable(t, 1_000_000, rows.TableOptions{Header: true})
	assert.Contains(t, g.asked, [2]int{0, 0})
	assert.Contains(t, g.asked, [2]int{0, 1})
	assert.NotContains(t, g.asked, [2]int{0, 2}, "there are two columns")
	assert.Less(t, len(g.asked), 60)
	clear(g.asked)
	b.SetCurrent(999_999)
	last := uitest.Lines(t, g.style, b)
	assert.Equal(t, "999999 0     999999 1", last[len(last)-1])
	assert.Contains(t, g.asked, [2]int{999_999, 0}, "it is brought into view")
	assert.NotContains(t, g.asked, [2]int{0, 0})
}

func TestKeysAreHeard(t *testing.T) {
	b, r, g, _ := showTable(t, 5, rows.TableOptions{})
	var heard []string
	b.OnCurrent = func(row int) { heard = append(heard, fmt.Sprint("current ", row)) }
	b.OnActivate = func(row int) { heard = append(heard, fmt.Sprint("activate ", row)) }
	b.OnMenu = func(row int, _ fyne.Position) { heard = append(heard, fmt.Sprint("menu ", row)) }
	assert.Equal(t, -1, b.Current())
	for _, k := range []fyne.KeyName{fyne.KeyHome, fyne.KeyDown, fyne.KeyReturn, desktop.KeyMenu, fyne.KeyF2} {
		b.Key(&fyne.KeyEvent{Name: k})
	}
	r.TypedShortcut(&fyne.ShortcutCopy{})
	assert.Equal(t, []string{"current 0", "current 1", "activate 1", "menu 1"}, heard)
	assert.Equal(t, []string{"key F2", "copy 1 0\t1 1"}, g.log.Take())
	assert.Equal(t, 1, b.Current())
}

func TestOwnersNeedNotListen(t *testing.T) {
	b, r, _, _ := showTable(t, 5, rows.TableOptions{})
	for _, k := range []fyne.KeyName{fyne.KeyHome, fyne.KeyReturn, desktop.KeyMenu, fyne.KeyF2} {
		b.Key(&fyne.KeyEvent{Name: k})
	}
	r.TypedShortcut(&fyne.ShortcutCopy{})
	assert.Equal(t, 0, b.Current())
}

func TestOtherDataBeginsAtTheTop(t *testing.T) {
	b, r, g, _ := showTable(t, 500, rows.TableOptions{})
	b.SetCurrent(400)
	b.SetData(&grid{n: 3, asked: map[[2]int]bool{}})
	assert.Equal(t, -1, b.Current())
	assert.EqualValues(t, 3, r.Len())
	assert.Zero(t, r.First())
	assert.Equal(t, []string{"0 0          0 1", "1 0          1 1", "2 0          2 1"},
		uitest.Lines(t, g.style, b))
	b.SetData(nil)
	assert.Zero(t, r.Len())
}

func TestColumnsShareTheWidth(t *testing.T) {
	_, r, _, w := showTable(t, 5, rows.TableOptions{Shares: []float32{0.25, 0.75}})
	assert.Equal(t, []float32{100, 300}, r.Widths())
	w.Resize(fyne.NewSize(812, 200))
	assert.Equal(t, []float32{200, 600}, r.Widths())
	_, r, _, w = showTable(t, 5, rows.TableOptions{})
	w.Resize(fyne.NewSize(812, 200))
	assert.Equal(t, []float32{100, 60}, r.Widths(), "without shares they stay")
}

func TestFocusGoesToTheRows(t *testing.T) {
	b, r, _, w := showTable(t, 5, rows.TableOptions{})
	b.Focus()
	assert.Same(t, r, w.Canvas().Focused())
}

func TestColumnsFitWhatIsInView(t *testing.T) {
	b, r, g, _ := showTable(t, 5, rows.TableOptions{Shares: []float32{0.98, 0.02}, Fit: true})
	assert.Contains(t, uitest.Lines(t, g.style, b)[0], "0 1", "the second is not cut")
	assert.Equal(t, float32(400), r.Widths()[0]+r.Widths()[1])
	assert.GreaterOrEqual(t, r.Widths()[1], r.InView(1))
}
