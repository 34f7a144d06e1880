package look_test

import (
	"testing"

	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"

	"assay/ui/look"
	"assay/ui/look/looktest"
	"assay/ui/paint"
)

func TestTextsCanBeRead(t *testing.T) {
	for name, mode := range map[string]look.Mode{"dark": look.Dark, "light": look.Light} {
		app := test.NewTempApp(t)
		app.Settings().SetTheme(look.New(mode, look.DefaultText))
		c := paint.ThemeColors(widget.NewLabel(""))
		s := c.OnSelected()
		for what, pair := range map[string][2]paint.Color{
			"text": {c.Foreground, c.Background}, "dim text": {c.Dim, c.Background},
			"selected text":     {s.Foreground, c.Selection},
			"selected dim text": {s.Dim, c.Selection}, "dim text, selected without the keyboard": {s.Dim, c.Inactive},
			"selected error": {s.Error, c.Selection}, "selected warning": {s.Warning, c.Selection},
		} {
			assert.GreaterOrEqual(t, looktest.Contrast(pair[0], pair[1]), 4.5, "%s: %s", name, what)
		}
	}
}
