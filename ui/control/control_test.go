package control

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEndStopsTheAnimation(t *testing.T) {
	var none *BusyIndicator
	none.End()

	cancelled := false
	w := NewBusyIndicator("Opening…", func() { cancelled = true })
	window := test.NewTempWindow(t, w.Content())
	assert.True(t, w.bar.Running())
	var button *Button
	for _, o := range test.LaidOutObjects(w.Content()) {
		if b, ok := o.(*Button); ok {
			button = b
		}
	}
	require.NotNil(t, button)
	test.Tap(button)
	assert.True(t, cancelled)

	window.SetContent(widget.NewLabel("it is open"))
	assert.True(t, w.bar.Running(), "what is not shown any more moves on")
	w.End()
	assert.False(t, w.bar.Running())
	assert.Equal(t, fyne.NewSize(320, 8), w.bar.Size())
}

func TestTruncatedCaptionHasAHint(t *testing.T) {
	test.NewTempApp(t)
	var said []string
	c := NewCaption(func(text string) { said = append(said, text) })
	c.SetText("12,345 bytes (678 analyzed)")
	c.Resize(fyne.NewSize(1000, 30))
	c.MouseIn(nil)
	c.MouseOut()
	assert.Empty(t, said, "there is room for it")
	c.Resize(fyne.NewSize(60, 30))
	c.MouseIn(nil)
	c.MouseOut()
	assert.Equal(t, []string{"12,345 bytes (678 analyzed)", ""}, said)
}

func TestAListBeginsAtTheCurrentChoice(t *testing.T) {
	w := test.NewTempWindow(t, nil)
	s := NewSelect(nil, []string{"a", "b", "c", "d"}, nil)
	w.SetContent(s)
	press := func(names ...fyne.KeyName) {
		for _, name := range names {
			w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: name})
		}
	}
	s.SetSelected("b")
	s.Tapped(nil)
	press(fyne.KeyDown, fyne.KeyReturn)
	assert.Equal(t, "c", s.Selected)
	w.Canvas().Focus(s)
	press(fyne.KeySpace, fyne.KeyUp, fyne.KeyReturn)
	assert.Equal(t, "b", s.Selected)
	s.ClearSelected()
	s.Tapped(nil)
	press(fyne.KeyDown, fyne.KeyReturn)
	assert.Equal(t, "a", s.Selected, "without a choice, the first one")
	s.Tapped(nil)
	press(fyne.KeyReturn)
	assert.Equal(t, "a", s.Selected)
}
