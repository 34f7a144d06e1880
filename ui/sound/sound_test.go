package sound

import (
	"bytes"
	"context"
	"os"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/sound"
	"assay/ui/paint"
	"assay/ui/play"
	"assay/ui/work"
)

func TestSoundIsShown(t *testing.T) {
	test.NewTempApp(t)
	b, err := os.ReadFile("../../model/sound/testdata/tone.flac")
	require.NoError(t, err)
	s, err := sound.Open(t.Context(), model.NewSource("tone.flac", bytes.NewReader(b), int64(len(b))))
	require.NoError(t, err)
	said := ""
	v := New(paint.NewStyle(), work.Inline(context.Background()), func(s string) { said = s })
	w := test.NewTempWindow(t, v.Content())
	w.Resize(fyne.NewSize(300, 200))
	v.Show(s)
	assert.Equal(t, "FLAC, 16 bits · 0:00.25 · 22,050 Hz · mono", said)
	assert.Equal(t, parts, v.wave.wave.Parts)
	assert.Contains(t, v.tags.Text, "Title: Tone")
	assert.Equal(t, play.Ready() != nil, v.button.Disabled(), "without a device the button says so")
	w.Canvas().Capture()
	v.wave.Tapped(&fyne.PointEvent{Position: fyne.NewPos(v.wave.Size().Width/2, 5)})
	assert.InDelta(t, s.Frames/2, v.from, 20)
	assert.Equal(t, "0:00.12 of 0:00.25", v.time.Text)
	v.Clear()
	w.Canvas().Capture()
}
