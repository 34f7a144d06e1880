package paint_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"

	"assay/ui/paint"
)

func TestSystemFollowsTheVariant(t *testing.T) {
	th := paint.NewTheme(paint.System, 0)
	assert.NotEqual(t, th.Color(theme.ColorNameBackground, theme.VariantDark),
		th.Color(theme.ColorNameBackground, theme.VariantLight))
	for _, v := range []fyne.ThemeVariant{theme.VariantDark, theme.VariantLight} {
		assert.Equal(t, paint.NewTheme(paint.Dark, 0).Color(theme.ColorNameBackground, 0),
			paint.NewTheme(paint.Dark, 0).Color(theme.ColorNameBackground, v))
	}
}

func TestTextSizeIsBounded(t *testing.T) {
	assert.EqualValues(t, paint.DefaultTextSize, paint.NewTheme(paint.Dark, 0).Size(theme.SizeNameText))
	assert.EqualValues(t, paint.SmallestText, paint.NewTheme(paint.Dark, 1).Size(theme.SizeNameText))
	assert.EqualValues(t, paint.LargestText, paint.NewTheme(paint.Dark, 1000).Size(theme.SizeNameText))
}

func TestStackMinSizeGetsTheMinimumSize(t *testing.T) {
	test.NewTempApp(t)
	a, b := widget.NewLabel("a"), widget.NewLabel("a longer text")
	c := container.New(paint.StackMinSize(func(least fyne.Size) fyne.Size { return least.AddWidthHeight(10, 0) }), a, b)
	assert.Equal(t, b.MinSize().AddWidthHeight(10, 0), c.MinSize())
	paint.SetVisible(b, false)
	assert.Equal(t, a.MinSize().AddWidthHeight(10, 0), c.MinSize())
	c.Resize(fyne.NewSize(200, 80))
	assert.Equal(t, fyne.NewSize(200, 80), a.Size())
	paint.SetVisible(b, true)
	assert.True(t, b.Visible())
}
