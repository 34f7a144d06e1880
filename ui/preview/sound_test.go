package preview

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
	"assay/ui/work"
)

func TestSoundIsShown(t *testing.T) {
	test.NewTempApp(t)
	b, err := os.ReadFile("../../model/sound/testdata/tone.flac")
	require.NoError(t, err)
	s, err := sound.Open(t.Context(), model.NewSource("tone.flac", bytes.NewReader(b), int64(len(b))))
	require.NoError(t, err)
	said := ""
	v := NewSound(paint.NewStyle(), work.Inline(context.Background()), func(s string) { said = s })
	w := test.NewTempWindow(t, v.Content())
	w.Resize(fyne.NewSize(300, 200))
	v.Show(s)
	assert.Equal(t, "FLAC, 16 bits · 0:00.25 · 22,050 Hz · mono", said)
	assert.Equal(t, waveParts, v.wave.wave.Parts)
	assert.Contains(t, v.tags.Text, "Title: Tone")
	assert.Equal(t, soundReady() != nil, v.button.Disabled(), "without a device the button says so")
	w.Canvas().Capture()
	v.wave.Tapped(&fyne.PointEvent{Position: fyne.NewPos(v.wave.Size().Width/2, 5)})
	assert.InDelta(t, s.Frames/2, v.from, 20)
	assert.Equal(t, "0:00.12 of 0:00.25", v.time.Text)
	v.Clear()
	w.Canvas().Capture()
}

func TestSoundProblemIsAboveTheWave(t *testing.T) {
	test.NewTempApp(t)
	whole, err := os.ReadFile("../../model/sound/testdata/tone.flac")
	require.NoError(t, err)
	cut := whole[:len(whole)*19/20]
	broken := append([]byte(nil), whole...)
	for i := len(broken) * 19 / 20; i < len(broken); i++ {
		broken[i] = 0x55
	}
	deep := append([]byte(nil), whole...)
	deep[20], deep[21] = deep[20]|0x01, deep[21]|0xf0 // 32 bits a sample
	v := NewSound(paint.NewStyle(), work.Inline(context.Background()), func(string) {})
	test.NewTempWindow(t, v.Content()).Resize(fyne.NewSize(300, 200))
	for _, c := range []struct {
		name  string
		bytes []byte
		says  string
		plays bool
	}{
		{"whole", whole, "", true},
		{"cut", cut, "The sound ends after 0:00.", true},
		{"broken", broken, "The sound is damaged after 0:00.", true},
		{"deep", deep, "This sound cannot be decoded. Samples of 32 bits are not supported", false},
	} {
		s, err := sound.Open(t.Context(), model.NewSource("a.flac", bytes.NewReader(c.bytes), int64(len(c.bytes))))
		require.NoError(t, err, c.name)
		v.Show(s)
		assert.Equal(t, c.says != "", v.warning.Visible(), c.name)
		assert.Contains(t, v.problem.Text, c.says, c.name)
		assert.Equal(t, soundReady() == nil && c.plays, !v.button.Disabled(), c.name)
	}
	v.Clear()
	assert.False(t, v.warning.Visible())
}
