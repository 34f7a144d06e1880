package control

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"

	"assay/ui/command"
	"assay/ui/host"
)

func TestNoticesAreVisibleOverAMaximizedPart(t *testing.T) {
	test.NewTempApp(t)
	part := widget.NewEntry()
	c := NewMaximizer(part, command.Default())
	w := test.NewTempWindow(t, c.Content())
	assert.False(t, NotifyMaximized(w.Canvas(), host.Notice{Text: "unseen"}), "nothing covers the window")
	w.Canvas().Focus(part)
	c.Toggle()
	assert.True(t, c.IsMaximized())
	assert.Same(t, part, w.Canvas().Focused(), "the part keeps the keys")
	assert.True(t, NotifyMaximized(w.Canvas(), host.Notice{Text: "said", Owner: part}))
	assert.Equal(t, []string{"said"}, c.maximized.notices.Texts())
	escape := &fyne.KeyEvent{Name: fyne.KeyEscape}
	assert.True(t, c.Key(escape))
	assert.Empty(t, c.maximized.notices.Texts())
	assert.True(t, c.IsMaximized(), "Escape closed the notice only")
	assert.True(t, c.Key(escape))
	assert.False(t, c.IsMaximized())
	assert.Same(t, part, w.Canvas().Focused(), "the part has the keys again")
	assert.False(t, c.Key(escape))
}
