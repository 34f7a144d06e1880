package look_test

import (
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"github.com/stretchr/testify/assert"

	"assay/ui/look"
)

// contrast is the ratio of two colours' luminance as WCAG has it, roughly.
func contrast(a, b color.Color) float64 {
	lum := func(c color.Color) float64 {
		r, g, b, _ := c.RGBA()
		f := func(v uint32) float64 { x := float64(v) / 0xffff; return x * x }
		return 0.2126*f(r) + 0.7152*f(g) + 0.0722*f(b) + 0.05
	}
	x, y := lum(a), lum(b)
	return max(x, y) / min(x, y)
}

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
			assert.Greater(t, contrast(th.Color(pair[0], theme.VariantDark), th.Color(pair[1], theme.VariantDark)), 3.5,
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
