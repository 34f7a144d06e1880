package window

import (
	"context"
	"os"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats"
	"assay/ui"
	"assay/ui/command"
	"assay/ui/doc"
	"assay/ui/work"
)

func TestATextIsDisplayedOnce(t *testing.T) {
	w := newWindow(test.NewTempApp(t), work.Inline(context.Background()),
		ui.Options{Open: formats.Opener{}.OpenFile, OpenSource: formats.Opener{}.Open})
	t.Cleanup(w.group.Close)
	w.win.Resize(fyne.NewSize(1200, 800))
	path := write(t, t.TempDir(), "a.json", `{"ducks": [1, 2]}`)
	w.openFile(path)
	tab := w.tabs.current().(*docTab)
	assert.Equal(t, tab.pane.Text(), tab.pane.Center.Panel())
	assert.False(t, tab.hasPreview(), "the preview would be the same text")
	assert.Equal(t, "Inspector", tab.pane.Side.Panel().Title())
	assert.False(t, w.commands.Actions[command.LargePreview].Enabled(tab))
	w.commands.Run(command.FullWindow, tab)
	overlay := w.win.Canvas().Overlays().Top()
	require.NotNil(t, overlay, "the text is maximized")
	w.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	assert.Nil(t, w.win.Canvas().Overlays().Top())

	require.NoError(t, os.WriteFile(path, []byte{0, 1, 2, 3}, 0o600))
	tab.reload()
	assert.Equal(t, doc.Panel(tab.preview), tab.pane.Side.Panel(), "the file is no text any more")
	require.NoError(t, os.WriteFile(path, []byte("ducks"), 0o600))
	tab.reload()
	assert.False(t, tab.hasPreview())

	w.openFile(write(t, t.TempDir(), "a.svg", `<svg xmlns="http://www.w3.org/2000/svg"/>`))
	tab = w.tabs.current().(*docTab)
	assert.True(t, tab.pane.IsText())
	assert.True(t, tab.hasPreview(), "a picture that is written as text")
}
