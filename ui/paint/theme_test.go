package paint_test

import (
	"fmt"
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"

	"assay/ui/paint"
	"assay/ui/uitest"
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

// legible is the minimum contrast of a text by WCAG 2.
const legible = 4.5

func inBothModes(t *testing.T, do func(t *testing.T)) {
	for name, mode := range map[string]paint.Mode{"dark": paint.Dark, "light": paint.Light} {
		t.Run(name, func(t *testing.T) {
			test.NewTempApp(t).Settings().SetTheme(paint.NewTheme(mode, paint.DefaultTextSize))
			do(t)
		})
	}
}

// TestWidgetsAreLegible measures the contrast of the texts of the toolkit's widgets on all of their backgrounds, also
// of disabled ones: labels of low importance have that color.
func TestWidgetsAreLegible(t *testing.T) {
	inBothModes(t, func(t *testing.T) {
		planes := []fyne.ThemeColorName{theme.ColorNameBackground, theme.ColorNameHeaderBackground,
			theme.ColorNameOverlayBackground, theme.ColorNameMenuBackground}
		type text struct {
			name    fyne.ThemeColorName
			grounds []fyne.ThemeColorName
			over    []fyne.ThemeColorName // translucent, over any of the backgrounds
		}
		for _, text := range []text{
			{theme.ColorNameForeground, append(planes, theme.ColorNameButton, theme.ColorNameInputBackground),
				[]fyne.ThemeColorName{theme.ColorNameHover, theme.ColorNamePressed, theme.ColorNameFocus,
					theme.ColorNameSelection}},
			{theme.ColorNamePlaceHolder, []fyne.ThemeColorName{theme.ColorNameInputBackground},
				[]fyne.ThemeColorName{theme.ColorNameHover}},
			{theme.ColorNameDisabled, planes, nil},
			{theme.ColorNamePrimary, planes, nil},
			{theme.ColorNameHyperlink, planes, []fyne.ThemeColorName{theme.ColorNameHover}},
			{theme.ColorNameError, planes, nil},
			{theme.ColorNameWarning, planes, nil},
			{theme.ColorNameSuccess, planes, nil},
			{theme.ColorNameForegroundOnPrimary, []fyne.ThemeColorName{theme.ColorNamePrimary},
				[]fyne.ThemeColorName{theme.ColorNameHover, theme.ColorNamePressed, theme.ColorNameFocus}},
			{theme.ColorNameForegroundOnError, []fyne.ThemeColorName{theme.ColorNameError},
				[]fyne.ThemeColorName{theme.ColorNameHover, theme.ColorNameFocus}},
		} {
			for _, ground := range text.grounds {
				below := theme.Color(ground)
				measure(t, theme.Color(text.name), below, "%s on %s", text.name, ground)
				for _, over := range text.over {
					measure(t, theme.Color(text.name), uitest.Over(theme.Color(over), below), "%s on %s over %s",
						text.name, over, ground)
				}
			}
		}
	})
}

func measure(t *testing.T, text, ground color.Color, format string, args ...any) {
	t.Helper()
	assert.GreaterOrEqual(t, uitest.Contrast(text, ground), legible, fmt.Sprintf(format, args...))
}

// TestRowsAreLegible measures the contrast of every tone of text in rows, tabs and lines that Assay paints, and of
// bytes.
func TestRowsAreLegible(t *testing.T) {
	inBothModes(t, func(t *testing.T) {
		c := paint.ThemeColors(widget.NewLabel(""))
		type ground struct {
			name  string
			color paint.Color
		}
		plain := []ground{{"background", c.Background}, {"alternate", c.Alternate}, {"hover", c.Hover},
			{"header", c.Header}, {"bar", c.Bar}}
		tones := func(c paint.Colors, on []ground) {
			for tone := paint.Normal; tone <= paint.Green; tone++ {
				for _, g := range on {
					measure(t, c.ForTone(tone), g.color, "tone %d on %s", tone, g.name)
				}
			}
		}
		tones(c, plain)
		tones(c.ForSelected(), []ground{{"selection", c.Selection}, {"inactive", c.Inactive}})
		for tone := paint.Normal; tone <= paint.Green; tone++ {
			under := c.HighlightOf(tone)
			tones(c.OnBackground(under), []ground{{fmt.Sprintf("a piece lit in tone %d", tone), under}})
		}
		for _, g := range []ground{{"hit", c.Hit}, {"current hit", c.CurrentHit}, {"lit", c.Highlight}, {"range", c.Range},
			{"changed", c.Changed}} {
			tones(c.OnBackground(g.color), []ground{g})
		}
		for i, tint := range c.Tints {
			tones(c.OnBackground(tint), []ground{{fmt.Sprint("tint ", i), tint}})
		}
		measure(t, c.OnPrimary, c.Primary, "caret")
	})
}
