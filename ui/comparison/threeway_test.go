package comparison

import (
	"context"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/model/compare"
	"assay/ui/paint"
	"assay/ui/work"
)

func TestThreeVersions(t *testing.T) {
	test.NewTempApp(t)
	s := &said{style: paint.NewStyle()}
	base := shelf("base", "1", box{"a", 1, "one", "x"}, box{"b", 2, "two", "y"})
	mine := shelf("mine", "1", box{"a", 10, "one", "x"}, box{"b", 3, "two", "y"})
	theirs := shelf("theirs", "1", box{"a", 1, "one", "x"}, box{"b", 4, "two", "y"})
	w := NewThreeWay(Deps{Host: s, Style: s.style, Group: work.Inline(context.Background())}, sideOf(base),
		sideOf(mine), sideOf(theirs))
	defer w.Close()
	assert.Equal(t, [5]int64{compare.OnlyMine: 1, compare.Conflict: 1}, w.counts)
	assert.Equal(t, "~ 1 -> 10 (+9)", (*mergeRows)(w).Cell(0, 2).Text)
	assert.Equal(t, "unchanged", (*mergeRows)(w).Cell(0, 3).Text)
	w.rows.SetCurrent(0)
	w.Key(&fyne.KeyEvent{Name: fyne.KeyF8}, false)
	assert.EqualValues(t, 1, w.rows.Current())
	w.only.SetChecked(true)
	assert.EqualValues(t, 1, (*mergeRows)(w).Len())
}
