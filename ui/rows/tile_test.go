package rows

import (
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/ui/paint"
)

func TestLongNamesTakeTwoLines(t *testing.T) {
	test.NewTempApp(t)
	c := paint.NewStyle().NewCanvas(nil, 1, paint.Colors{})
	width := c.MeasureUpTo("rock_0000_al", paint.Regular, 1000)
	for name, want := range map[string]string{
		"icon.png":             "icon.png",
		"rock_0000_albedo.png": "rock_0000_",
	} {
		first, second := twoLines(c, name, width)
		assert.Equal(t, want, first)
		assert.Equal(t, name, first+second)
	}
	first, second := twoLines(c, "onelongwordwithoutanything", width)
	assert.NotEmpty(t, first)
	assert.Equal(t, "onelongwordwithoutanything", first+second)
}
