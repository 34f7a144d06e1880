package look_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"github.com/stretchr/testify/assert"

	"assay/ui/look"
)

func TestSystemFollowsTheVariant(t *testing.T) {
	th := look.New(look.System, 0)
	assert.NotEqual(t, th.Color(theme.ColorNameBackground, theme.VariantDark),
		th.Color(theme.ColorNameBackground, theme.VariantLight))
	for _, v := range []fyne.ThemeVariant{theme.VariantDark, theme.VariantLight} {
		assert.Equal(t, look.New(look.Dark, 0).Color(theme.ColorNameBackground, 0),
			look.New(look.Dark, 0).Color(theme.ColorNameBackground, v))
	}
}

func TestTextSizeIsBounded(t *testing.T) {
	assert.EqualValues(t, look.DefaultText, look.New(look.Dark, 0).Size(theme.SizeNameText))
	assert.EqualValues(t, look.SmallestText, look.New(look.Dark, 1).Size(theme.SizeNameText))
	assert.EqualValues(t, look.LargestText, look.New(look.Dark, 1000).Size(theme.SizeNameText))
}
