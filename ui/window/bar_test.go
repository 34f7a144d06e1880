package window

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/query"
	"assay/ui"
	"assay/ui/work"
)

func TestFiltersAreExplained(t *testing.T) {
	w := newWindow(test.NewTempApp(t), work.Inline(t.Context()), ui.Options{})
	w.commands.Run("help.filters", nil)
	top := w.win.Canvas().Overlays().Top()
	require.NotNil(t, top)
	var text strings.Builder
	for _, o := range test.LaidOutObjects(top) {
		if page, ok := o.(*widget.RichText); ok {
			text.WriteString(page.String())
		}
	}
	for _, r := range query.Rules {
		assert.Contains(t, text.String(), r.Written)
	}
}
