package compared

import (
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/model/compare"
	"assay/ui/host"
)

func TestDefaultRulesAreSaved(t *testing.T) {
	test.NewTempApp(t)
	assert.Equal(t, compare.Options{}, DefaultRules())
	saveDefaultRules(compare.Options{Times: true, Names: []string{"label"}, Pairs: []compare.Match{{}}})
	assert.Equal(t, compare.Options{Times: true, Names: []string{"label"}}, DefaultRules())
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

func TestRulesAreValidated(t *testing.T) {
	test.NewTempApp(t)
	r := newRules(host.None{}, compare.Options{Tolerance: 0.5, Names: []string{"number", "label"}})
	r.tolerance.SetText("none")
	_, err := r.options(compare.Options{})
	assert.NotEmpty(t, err)
	r.tolerance.SetText("0,25")
	r.times.SetChecked(true)
	o, err := r.options(compare.Options{})
	assert.Empty(t, err)
	assert.Equal(t, compare.Options{Tolerance: .25, Times: true, Names: []string{"number", "label"}}, o)
}
