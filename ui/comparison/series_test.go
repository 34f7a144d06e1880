package comparison

import (
	"context"
	"errors"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui/comparison/compared"
	"assay/ui/comparison/comparisontest"
	"assay/ui/comparison/tree"
	"assay/ui/uitest"
)

func TestSeriesStepsThroughStates(t *testing.T) {
	test.NewTempApp(t)
	var sides []compared.Side
	for i := range 4 {
		boxes := append([]comparisontest.Box(nil), comparisontest.OldBoxes...)
		boxes[0].Number = uint32(i / 2) // the states 0 and 1, 2 and 3 are the same
		sides = append(sides, comparisontest.Side(shelf(string(rune('a'+i)), "1", boxes...)))
	}
	window := comparisontest.NewWindow()
	s := NewSeries(window.Deps(), sides)
	defer s.Close()
	w := test.NewTempWindow(t, s.Content())
	w.Resize(fyne.NewSize(1000, 700))
	assert.Equal(t, []int64{0, 2, 0}, s.bars.numbers)
	assert.Equal(t, "Step 1 of 3:   a   →   b", s.label.String())
	s.slider.SetValue(1)
	s.slider.OnChangeEnded(1)
	assert.Equal(t, "Step 2 of 3:   b   →   c", s.label.String())
	require.False(t, s.Current().result.Same())
	s.Current().ToggleLayout()
	s.bars.Tapped(&fyne.PointEvent{Position: fyne.NewPos(s.bars.Size().Width-2, 5)})
	assert.Equal(t, 2, s.step)
	assert.Equal(t, tree.TwoTrees, s.Current().tree.Layout, "the layout stays")
	s.Show(1)
	s.Current().goTo(model.Path{1, 0, 1})
	s.Show(2)
	assert.Equal(t, model.Path{1, 0, 1}, s.Current().selected, "the selection stays")
	s.Current().StepPair(-1)
	assert.Equal(t, "Step 2 of 3:   b   →   c", s.label.String(), "as in a list of pairs")
	assert.EqualValues(t, 1, s.slider.Value)
	s.Current().StepPair(1)
	s.Show(99)
	assert.Equal(t, 2, s.step)
	uitest.Golden(t, "steps", window.Style, s.bars)
}

func TestAStepThatCannotBeComparedShowsNoOther(t *testing.T) {
	test.NewTempApp(t)
	sides := []compared.Side{comparisontest.Side(shelf("a", "1", box("a", 1, "", ""))),
		comparisontest.Side(shelf("b", "1", box("a", 2, "", ""))), {Title: "c",
			Open: func(context.Context) (*model.Document, error) { return nil, errors.New("it is gone") }}}
	s := NewSeries(comparisontest.NewWindow().Deps(), sides)
	defer s.Close()
	test.NewTempWindow(t, s.Content())
	require.NotEmpty(t, s.Current().body.Objects)
	s.Show(1)
	assert.Empty(t, s.Current().body.Objects)
	assert.Equal(t, []string{"It is gone."}, s.Current().notices.Texts())
	s.Show(0)
	assert.NotEmpty(t, s.Current().body.Objects)
	assert.Empty(t, s.Current().notices.Texts())
}
