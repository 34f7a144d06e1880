package rows_test

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/query"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/uitest"
)

// grid is a source of n rows. It records the requested cells.
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

func showTable(t *testing.T, n int, o rows.Options, shares ...float32) (*rows.Table, *rows.Rows, *grid, fyne.Window) {
	test.NewTempApp(t)
	g := &grid{style: paint.NewStyle(), n: n, asked: map[[2]int]bool{}}
	columns := []rows.Column{{Title: "One", Width: 100}, {Title: "Two", Width: 60}}
	for i, share := range shares {
		columns[i].Share = share
	}
	b := rows.NewTable(&g.log, g.style, g, o, columns...)
	w := test.NewTempWindow(t, b)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(412, 200))
	uitest.Lines(t, g.style, b)
	return b, test.WidgetRenderer(b).Objects()[0].(*rows.Rows), g, w
}

func TestOnlyCellsInViewAreRequested(t *testing.T) {
	b, _, g, _ := showTable(t, 1_000_000, rows.Options{Header: true})
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

func TestKeysCallTheEvents(t *testing.T) {
	b, r, g, _ := showTable(t, 5, rows.Options{})
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

func TestEventsMayBeNil(t *testing.T) {
	b, r, _, _ := showTable(t, 5, rows.Options{})
	for _, k := range []fyne.KeyName{fyne.KeyHome, fyne.KeyReturn, desktop.KeyMenu, fyne.KeyF2} {
		b.Key(&fyne.KeyEvent{Name: k})
	}
	r.TypedShortcut(&fyne.ShortcutCopy{})
	assert.Equal(t, 0, b.Current())
}

func TestOtherDataBeginsAtTheTop(t *testing.T) {
	b, r, g, _ := showTable(t, 500, rows.Options{})
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
	_, r, _, w := showTable(t, 5, rows.Options{}, 0.25, 0.75)
	assert.Equal(t, []float32{100, 300}, r.Widths())
	w.Resize(fyne.NewSize(812, 200))
	assert.Equal(t, []float32{200, 600}, r.Widths())
	_, r, _, w = showTable(t, 5, rows.Options{})
	w.Resize(fyne.NewSize(812, 200))
	assert.Equal(t, []float32{100, 60}, r.Widths(), "without shares they stay")
}

func TestFocusGoesToTheRows(t *testing.T) {
	b, r, _, w := showTable(t, 5, rows.Options{})
	b.Focus()
	assert.Same(t, r, w.Canvas().Focused())
}

func TestColumnsFitWhatIsInView(t *testing.T) {
	b, r, g, _ := showTable(t, 5, rows.Options{Fit: true}, 0.98, 0.02)
	assert.Contains(t, uitest.Lines(t, g.style, b)[0], "0 1", "the second is not cut")
	assert.Equal(t, float32(400), r.Widths()[0]+r.Widths()[1])
	assert.GreaterOrEqual(t, r.Widths()[1], r.WidthInView(1))
}

func TestAColumnWithoutAShareKeepsItsWidth(t *testing.T) {
	_, r, _, w := showTable(t, 5, rows.Options{}, 1)
	assert.Equal(t, []float32{340, 60}, r.Widths())
	w.Resize(fyne.NewSize(112, 200))
	assert.Equal(t, []float32{68, 32}, r.Widths(), "at most the fixed share of a narrow list")
}

func TestAListHasTheColumnsOfItsItems(t *testing.T) {
	test.NewTempApp(t)
	l := rows.NewList(new(uitest.Log), paint.NewStyle(), rows.Options{}, rows.ListColumn[string]{Share: 1,
		Filter: query.Column{Name: "name"}, Value: func(s string) any { return s },
		Cell: func(s string) rows.Cell { return rows.Cell{Text: s} }},
		rows.ListColumn[string]{Width: 60, MinRowsWidth: 400, Filter: query.Column{Name: "parts"},
			Value: func(s string) any { return strings.Split(s, "/") }})
	l.TitleOf = func(s string) (string, bool) { return "titled", s == "" }
	l.Set([]string{"a/b", ""})
	assert.Equal(t, "a/b", l.Cell(0, 0).Text)
	assert.Equal(t, rows.Cell{Text: "titled", IsTitle: true, Span: 1}, l.Cell(1, 1))
	item, ok := l.Item(0)
	assert.True(t, ok && item == "a/b")
	for _, row := range []int{-1, 1, 2} {
		_, ok = l.Item(row)
		assert.False(t, ok, row)
	}
	for text, want := range map[string]bool{"": true, "B": true, "c": false, "name = a/b": true, "parts = b": true,
		"parts = c": false} {
		f, err := query.Parse(text, l.Fields.List())
		require.NoError(t, err)
		assert.Equal(t, want, l.Fields.Match(f, "a/b"), text)
	}
}
