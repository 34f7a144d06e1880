package contents

import (
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/model/text"
	"assay/ui/comparison/comparisontest"
)

func TestTextsAreComparedLineByLine(t *testing.T) {
	test.NewTempApp(t)
	w := comparisontest.NewWindow()
	view := NewTexts(w, w.Style, w.Deps().Group)
	var got string
	view.Show(&text.Text{Text: "one\ntwo words\nthree\n"}, &text.Text{Text: "one\ntwo sentences\nthree\nfour\n"},
		func(summary string) { got = summary })
	assert.EqualValues(t, 4, view.Len())
	assert.Equal(t, "1 of 4 lines changed, 1 line added", got)
	cell := view.Cell(1, newText)
	assert.Equal(t, "two sentences", cell.String())
	assert.True(t, cell.Pieces[len(cell.Pieces)-1].Highlighted)
	cell = view.Cell(3, oldText)
	assert.Empty(t, cell.String())
}

func TestTheLineOfAnOffsetIsShown(t *testing.T) {
	test.NewTempApp(t)
	w := comparisontest.NewWindow()
	view := NewTexts(w, w.Style, w.Deps().Group)
	view.Reveal(3, true) // without texts
	view.Show(&text.Text{Text: "one\ngone\n\n  three\n"}, &text.Text{Text: "one\n\n  three\nfour\n"}, func(string) {})
	for _, c := range []struct {
		offset int64
		ofNew  bool
		want   string
	}{{0, true, "one"}, {4, false, "gone"}, {8, false, "  three"}, {3, true, "  three"}, {14, true, "four"}} {
		view.Reveal(c.offset, c.ofNew)
		column := oldText
		if c.ofNew {
			column = newText
		}
		cell := view.Cell(view.rows.Current(), column)
		assert.Equal(t, c.want, cell.String())
	}
	before := view.rows.Current()
	view.Reveal(100, true)
	assert.Equal(t, before, view.rows.Current(), "after the last line")
}
