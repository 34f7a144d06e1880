package control_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"github.com/stretchr/testify/assert"

	"assay/ui/control"
	"assay/ui/paint"
	"assay/ui/uitest"
)

func TestUnusedKeysReachTheHost(t *testing.T) {
	test.NewTempApp(t)
	var left []fyne.KeyName
	keys := func(ev *fyne.KeyEvent, _ bool) bool {
		left = append(left, ev.Name)
		return true
	}
	chosen, pressed := "", 0
	choices := control.NewSelect(keys, []string{"a", "b"}, func(s string) { chosen = s })
	slider := control.NewSlider(keys, 0, 9)
	button := control.NewButton(keys, "Do", nil, func() { pressed++ })
	for _, c := range []fyne.Focusable{choices, slider, button, control.NewCheck(keys, "On", nil)} {
		left = nil
		for _, name := range []fyne.KeyName{fyne.KeyRight, fyne.KeyEscape, fyne.KeyF11} {
			c.TypedKey(&fyne.KeyEvent{Name: name})
		}
		assert.Equal(t, []fyne.KeyName{fyne.KeyEscape, fyne.KeyF11}, left[len(left)-2:])
	}
	assert.Equal(t, "a", chosen)
	assert.InDelta(t, 1, slider.Value, 0)
	button.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	button.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	assert.Equal(t, 2, pressed)
}

// The unplayed part of a slider has enough contrast on the background of panes and of pictures, in both themes.
func TestTheWholeTrackOfASliderIsVisible(t *testing.T) {
	test.NewTempApp(t)
	slider := control.NewSlider(nil, 0, 9)
	for _, mode := range []paint.Mode{paint.Dark, paint.Light} {
		fyne.CurrentApp().Settings().SetTheme(paint.NewTheme(mode, paint.DefaultTextSize))
		slider.Refresh()
		track := test.WidgetRenderer(slider).Objects()[0].(*canvas.Rectangle)
		for _, ground := range []fyne.ThemeColorName{theme.ColorNameBackground, theme.ColorNameInputBackground} {
			assert.GreaterOrEqual(t, uitest.Contrast(track.FillColor, theme.Color(ground)), 2.5, "%s on %s", mode, ground)
		}
	}
}
