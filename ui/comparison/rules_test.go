package comparison

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/compare"
	"assay/ui/control"
	"assay/ui/host"
)

func TestRulesAreKept(t *testing.T) {
	test.NewTempApp(t)
	assert.Equal(t, compare.Options{}, keptRules())
	keepRules(compare.Options{Times: true, Names: []string{"label"}, Pairs: []compare.Match{{}}})
	assert.Equal(t, compare.Options{Times: true, Names: []string{"label"}}, keptRules())
}

func TestWhatRulesHideIsSaid(t *testing.T) {
	c, _, _ := opened(t, shelf("a", "1", box{"a", 1, "one", "x"}), shelf("b", "1", box{"a", 2, "two", "x"}))
	c.in.change(func(o *compare.Options) { o.Names = []string{"label"} })
	assert.Equal(t, []string{"left out: label", "1 difference hidden by the rules"}, c.head.remarks())
}

func TestEscapeClosesTheRules(t *testing.T) {
	c, _, w := opened(t, shelf("a", "1", box{"a", 1, "one", "x"}), shelf("b", "1", box{"a", 2, "two", "x"}))
	escape := func() { w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) }
	for tabs := range 13 { // each place that the keyboard can be at
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

func TestRulesAreSavedUnderAName(t *testing.T) {
	test.NewTempApp(t)
	o := compare.Options{Times: true, Tolerance: 0.5, Names: []string{"label"}}
	r := newRules(host.None{}, o)
	r.save()
	assert.True(t, r.error.Visible(), "they have no name")
	r.name.SetText("no dates")
	r.save()
	assert.False(t, r.error.Visible())

	r = newRules(host.None{}, compare.Options{})
	assert.Equal(t, []string{"no dates"}, r.sets.Options)
	r.sets.SetSelected("no dates")
	loaded, err := r.options(compare.Options{})
	assert.Empty(t, err)
	assert.Equal(t, o, loaded)
	r.remove()
	assert.Empty(t, newRules(host.None{}, o).sets.Options)
}
