package sound_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/sound"
)

func source(b []byte) *model.Source { return model.NewSource("a", bytes.NewReader(b), int64(len(b))) }

// wav returns a WAV of encoded samples; more are chunks before them.
func wav(format, channels, rate, bits int, samples []byte, more ...byte) []byte {
	le := binary.LittleEndian
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00")
	b = le.AppendUint16(b, uint16(format))
	b = le.AppendUint16(b, uint16(channels))
	b = le.AppendUint32(b, uint32(rate))
	b = le.AppendUint32(b, uint32(rate*channels*bits/8))
	b = le.AppendUint16(b, uint16(channels*bits/8))
	b = le.AppendUint16(b, uint16(bits))
	b = append(b, more...)
	b = append(b, "data"...)
	b = le.AppendUint32(b, uint32(len(samples)))
	return append(b, samples...)
}

// withDataSize sets the declared size of the samples, which are at the end of the file.
func withDataSize(b []byte, size uint32) []byte {
	binary.LittleEndian.PutUint32(b[bytes.Index(b, []byte("data"))+4:], size)
	return b
}

// rf64 returns a WAV with a size of 64 bits, and a chunk after the samples.
func rf64(samples []byte) []byte {
	b := withDataSize(wav(1, 1, 8000, 8, samples), 0xffffffff)
	long := []byte("RF64\xff\xff\xff\xffWAVEds64\x1c\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")
	long = binary.LittleEndian.AppendUint64(long, uint64(len(samples)))
	long = append(long, make([]byte, 12)...)
	return append(append(long, b[12:]...), "abcd\x00\x00\x00\x00"...)
}

func samples(t *testing.T, s *sound.Sound) (all []float32) {
	t.Helper()
	require.NoError(t, s.Samples(t.Context(), 0, func(p []float32) bool { all = append(all, p...); return true }))
	return all
}

func TestWAVIsReadInEachEncoding(t *testing.T) {
	float := binary.LittleEndian.AppendUint32(nil, math.Float32bits(-0.25))
	for name, c := range map[string]struct {
		file []byte
		want []float32
	}{
		"8 bits":  {wav(1, 1, 8000, 8, []byte{0, 128, 192}), []float32{-1, 0, .5}},
		"16 bits": {wav(1, 2, 44100, 16, []byte{0, 0x80, 0, 0x40}), []float32{-1, .5}},
		"24 bits": {wav(1, 1, 48000, 24, []byte{0, 0, 0xc0}), []float32{-.5}},
		"32 bits": {wav(1, 1, 48000, 32, []byte{0, 0, 0, 0x40}), []float32{.5}},
		"floats":  {wav(3, 1, 48000, 32, float), []float32{-.25}},
		"12 bits": {wav(1, 1, 48000, 12, nil), nil},
		"doubles": {wav(3, 1, 48000, 64, binary.LittleEndian.AppendUint64(nil, math.Float64bits(.5))), []float32{.5}},
		"A-law": {wav(6, 1, 8000, 8, []byte{0xd5, 0x55, 0xaa, 0x2a}),
			[]float32{1. / 4096, -1. / 4096, 4032. / 4096, -4032. / 4096}},
		"mu-law":       {wav(7, 1, 8000, 8, []byte{0xff, 0x80, 0}), []float32{0, 8031. / 8192, -8031. / 8192}},
		"stream":       {withDataSize(wav(1, 1, 8000, 8, []byte{128, 192}), 0xffffffff), []float32{0, .5}},
		"stream of 0":  {withDataSize(wav(1, 1, 8000, 8, []byte{128, 192}), 0), []float32{0, .5}},
		"cut":          {withDataSize(wav(1, 1, 8000, 8, []byte{128, 192}), 99), []float32{0, .5}},
		"no pad byte":  {wav(1, 1, 8000, 8, []byte{192}, []byte("abcd\x03\x00\x00\x00xyz")...), []float32{.5}},
		"pad byte":     {wav(1, 1, 8000, 8, []byte{192}, []byte("abcd\x03\x00\x00\x00xyz\x00")...), []float32{.5}},
		"RIFX":         {[]byte("RIFX\x00\x00\x00\x00WAVEfmt \x00\x00\x00\x10\x00\x01\x00\x01\x00\x00\x1f\x40\x00\x00\x3e\x80\x00\x02\x00\x10data\x00\x00\x00\x02\x40\x00"), []float32{.5}},
		"RIFX 24 bits": {[]byte("RIFX\x00\x00\x00\x00WAVEfmt \x00\x00\x00\x10\x00\x01\x00\x01\x00\x00\x1f\x40\x00\x00\x5d\xc0\x00\x03\x00\x18data\x00\x00\x00\x03\xc0\x00\x00"), []float32{-.5}},
		"RF64":         {rf64([]byte{128, 192}), []float32{0, .5}},
		"with LIST": {wav(1, 1, 8000, 8, []byte{128}, []byte("LIST\x10\x00\x00\x00INFOINAM\x04\x00\x00\x00Duck")...),
			[]float32{0}},
	} {
		s, err := sound.Open(t.Context(), source(c.file))
		require.NoError(t, err, name)
		assert.Equal(t, c.want, samples(t, s), name)
		assert.EqualValues(t, len(c.want)/s.Channels, s.Frames, name)
		if name == "with LIST" {
			assert.Equal(t, []sound.Tag{{Name: "Title", Value: "Duck"}}, s.Tags)
		}
	}
}

func TestOtherFormatsHaveTagsWaveformAndSamples(t *testing.T) {
	for _, name := range []string{"tone.ogg", "tone.mp3", "tone.flac"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		require.NoError(t, err)
		s, err := sound.Open(t.Context(), source(b))
		require.NoError(t, err, name)
		assert.Contains(t, []int{22050, 44100}, s.Rate, name)
		assert.InDelta(t, .25, s.Length().Seconds(), .2, name)
		assert.Contains(t, s.Tags, sound.Tag{Name: "Title", Value: "Tone"}, name)
		var last sound.Waveform
		require.NoError(t, s.ReadWaveform(t.Context(), 64, func(w sound.Waveform) { last = w }), name)
		assert.EqualValues(t, s.Frames, last.Frames, name)
		assert.InDelta(t, .5, last.Peak, .1, name)
		require.Len(t, last.Low, s.Channels, name)
		assert.Less(t, last.Low[0][32], float32(-.3), name)
		assert.Greater(t, last.High[0][32], float32(.3), name)
		skipped := 0
		require.NoError(t, s.Samples(t.Context(), 500, func(p []float32) bool { skipped += len(p); return true }))
		assert.Equal(t, (int(s.Frames)-500)*s.Channels, skipped, name)
	}
}

func TestMP3HasTheLengthOfTheEncodedSound(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "tone.mp3"))
	require.NoError(t, err)
	s, err := sound.Open(t.Context(), source(b))
	require.NoError(t, err)
	assert.EqualValues(t, 11025, s.Frames)
	assert.Len(t, samples(t, s), 2*11025)
	without := bytes.Replace(b, []byte("Info"), []byte("None"), 1)
	s, err = sound.Open(t.Context(), source(without))
	require.NoError(t, err)
	assert.EqualValues(t, 12*1152, s.Frames, "the padding of the encoder is not recorded")
}

func TestDamagedSoundsAreErrors(t *testing.T) {
	for name, b := range map[string][]byte{
		"nothing":        nil,
		"no samples":     wav(1, 1, 8000, 8, nil)[:40],
		"no channels":    wav(1, 0, 8000, 8, []byte{1}),
		"odd encoding":   wav(85, 1, 8000, 16, []byte{1, 2}),
		"ogg cut":        []byte("OggS\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x1e\x01vorbis"),
		"flac cut":       []byte("fLaC\x00\x00\x00\x22"),
		"mp3 of nothing": []byte("ID3\x03\x00\x00\x00\x00\x00\x00"),
	} {
		_, err := sound.Open(t.Context(), source(b))
		assert.Error(t, err, name)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	s, err := sound.Open(t.Context(), source(wav(1, 1, 8000, 8, make([]byte, 1000))))
	require.NoError(t, err)
	assert.ErrorIs(t, s.Samples(ended, 0, func([]float32) bool { return true }), context.Canceled)
	assert.Equal(t, 125*time.Millisecond, s.Length())
}

func TestWaveformOfUnknownLengthJoinsParts(t *testing.T) {
	const half, frames, parts = 100_000, 200_000, 16
	samples := make([]byte, frames) // the lowest values, then the highest
	for i := half; i < frames; i++ {
		samples[i] = 255
	}
	s, err := sound.Open(t.Context(), source(wav(1, 1, 8000, 8, samples)))
	require.NoError(t, err)
	s.Frames = -1
	var last sound.Waveform
	require.NoError(t, s.ReadWaveform(t.Context(), parts, func(w sound.Waveform) { last = w }))
	assert.EqualValues(t, frames, last.Frames)
	const framesPerPart = 1 << 18 / parts // the assumed length has been doubled twice
	require.Equal(t, (frames+framesPerPart-1)/framesPerPart, last.Parts)
	low, high, border := last.Low[0], last.High[0], half/framesPerPart
	for i := range last.Parts {
		assert.Equal(t, i > border, low[i] > 0, "the lowest sample of part %d", i)
		assert.Equal(t, i >= border, high[i] > 0, "the highest sample of part %d", i)
	}
}

// FuzzOpen opens bytes as a sound and reads some of its samples.
func FuzzOpen(f *testing.F) {
	for _, name := range []string{"tone.ogg", "tone.mp3", "tone.flac"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		require.NoError(f, err)
		f.Add(b[:1200])
	}
	f.Add(wav(1, 1, 8000, 8, []byte{0, 128, 192}))
	f.Add(rf64([]byte{0, 128, 192}))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := sound.Open(t.Context(), source(b))
		if err != nil {
			return
		}
		n := 0
		_ = s.Samples(t.Context(), 0, func(p []float32) bool { n += len(p); return n < 1<<20 })
	})
}

// compressed returns a WAV of blocks that declares a number of frames.
func compressed(format, channels, align int, frames uint32, blocks ...byte) []byte {
	b := wav(format, channels, 8000, 4, blocks, binary.LittleEndian.AppendUint32([]byte("fact\x04\x00\x00\x00"), frames)...)
	binary.LittleEndian.PutUint16(b[32:], uint16(align))
	return b
}

// The samples are those of sox.
func TestADPCMIsReadInBothVariants(t *testing.T) {
	for name, c := range map[string]struct {
		file []byte
		want []float32 // times 32768
	}{
		"IMA": {compressed(17, 1, 8, 0, 100, 0, 10, 0, 0x7f, 0x08, 0x71, 0x00),
			[]float32{100, 66, 142, 131, 141, 168, 291, 308, 324}},
		"IMA of two channels, of which the second is cut": {compressed(17, 2, 16, 0, 100, 0, 10, 0, 0, 0, 0, 0,
			0x7f, 0x08, 0x71, 0x00, 0, 0, 0, 0, 200, 0, 0, 0, 44, 1, 0, 0), []float32{100, 0, 66, 0, 142, 0, 131, 0,
			141, 0, 168, 0, 291, 0, 308, 0, 324, 0, 200, 300}},
		"IMA with an end": {compressed(17, 1, 8, 3, 100, 0, 10, 0, 0x7f, 0x08, 0x71, 0x00), []float32{100, 66, 142}},
		"MS": {compressed(2, 1, 9, 0, 1, 16, 0, 50, 0, 20, 0, 0x1f, 0x80),
			[]float32{20, 50, 96, 126, 28, -70}},
		"MS of two channels": {compressed(2, 2, 16, 0, 0, 2, 16, 0, 32, 0, 50, 0, 60, 0, 20, 0, 30, 0, 0x1f, 0x80),
			[]float32{20, 30, 50, 60, 66, -32, -62, 0}},
	} {
		s, err := sound.Open(t.Context(), source(c.file))
		require.NoError(t, err, name)
		got := samples(t, s)
		for i := range got {
			got[i] *= 1 << 15
		}
		assert.Equal(t, c.want, got, name)
		assert.EqualValues(t, len(c.want)/s.Channels, s.Frames, name)
	}
	for name, file := range map[string][]byte{"no block": compressed(17, 1, 3, 0, 1, 2, 3),
		"channels": compressed(2, 300, 65000, 0, 1, 2, 3), "bits": wav(17, 1, 8000, 3, []byte{1, 2, 3, 4})} {
		_, err := sound.Open(t.Context(), source(file))
		assert.ErrorContains(t, err, "are not possible", name)
	}
	s, err := sound.Open(t.Context(), source(compressed(2, 1, 8, 0, 7, 16, 0, 50, 0, 20, 0, 0)))
	require.NoError(t, err)
	assert.ErrorContains(t, s.Samples(t.Context(), 0, func([]float32) bool { return true }), "coefficients")
}
