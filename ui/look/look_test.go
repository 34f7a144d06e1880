package look_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"github.com/stretchr/testify/assert"

	"assay/ui/look"
	"assay/ui/look/looktest"
)

// contrast is the ratio of two colours' luminance as WCAG has it, roughly.
func TestTextCanBeReadInBothModes(t *testing.T) {
	for _, mode := range []look.Mode{look.Light, look.Dark} {
		th := look.New(mode, 0)
		for _, pair := range [][2]fyne.ThemeColorName{
			{theme.ColorNameForeground, theme.ColorNameBackground}, {theme.ColorNameForeground, theme.ColorNameButton},
			{theme.ColorNameForeground, theme.ColorNameMenuBackground},
			{theme.ColorNameForeground, theme.ColorNameInputBackground},
			{theme.ColorNameError, theme.ColorNameBackground}, {theme.ColorNameWarning, theme.ColorNameBackground},
			{theme.ColorNameForegroundOnPrimary, theme.ColorNamePrimary},
			{theme.ColorNameHyperlink, theme.ColorNameBackground},
		} {
			text, ground := th.Color(pair[0], theme.VariantDark), th.Color(pair[1], theme.VariantDark)
			assert.Greater(t, looktest.Contrast(text, ground), 3.5,
				"%s: %s on %s", mode, pair[0], pair[1])
		}
	}
}

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
