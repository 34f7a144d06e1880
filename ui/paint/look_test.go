package paint_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"github.com/stretchr/testify/assert"

	"assay/ui/paint"
)

func TestSystemFollowsTheVariant(t *testing.T) {
	th := paint.New(paint.System, 0)
	assert.NotEqual(t, th.Color(theme.ColorNameBackground, theme.VariantDark),
		th.Color(theme.ColorNameBackground, theme.VariantLight))
	for _, v := range []fyne.ThemeVariant{theme.VariantDark, theme.VariantLight} {
		assert.Equal(t, paint.New(paint.Dark, 0).Color(theme.ColorNameBackground, 0),
			paint.New(paint.Dark, 0).Color(theme.ColorNameBackground, v))
	}
}

func TestTextSizeIsBounded(t *testing.T) {
	assert.EqualValues(t, paint.DefaultText, paint.New(paint.Dark, 0).Size(theme.SizeNameText))
	assert.EqualValues(t, paint.SmallestText, paint.New(paint.Dark, 1).Size(theme.SizeNameText))
	assert.EqualValues(t, paint.LargestText, paint.New(paint.Dark, 1000).Size(theme.SizeNameText))
}
