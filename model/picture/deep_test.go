package picture

import (
	"bytes"
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// floatsOf returns a picture of one row and one channel.
func floatsOf(t *testing.T, values ...float32) *Deep {
	t.Helper()
	var b []byte
	for _, v := range values {
		b = little.AppendUint32(b, math.Float32bits(v))
	}
	return decoded(t, RFloat, len(values), 1, b).(*Deep)
}

func TestToneAppliesExposureAndCurve(t *testing.T) {
	d := floatsOf(t, -1, 0, .001, .18, .5, 1, 4, float32(math.Inf(1)), float32(math.NaN()))
	for tone, want := range map[Tone][]uint8{
		{0, Values}:   {0, 0, 0, 46, 128, 255, 255, 255, 0},
		{1, Values}:   {0, 0, 1, 92, 255, 255, 255, 255, 0},
		{0, SRGB}:     {0, 0, 3, 118, 188, 255, 255, 255, 0},
		{-2, SRGB}:    {0, 0, 1, 60, 99, 137, 255, 255, 0},
		{0, Filmic}:   {0, 0, 1, 141, 206, 232, 252, 255, 0},
		{-12, Values}: {0, 0, 0, 0, 0, 0, 0, 255, 0},
	} {
		img, err := d.ApplyTone(t.Context(), tone)
		require.NoError(t, err)
		var got []uint8
		for x := range want {
			p := img.NRGBAAt(x, 0)
			assert.Equal(t, []uint8{p.R, 255}, []uint8{p.B, p.A})
			got = append(got, p.R)
		}
		assert.Equal(t, want, got, "%v", tone)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	_, err := d.ApplyTone(ended, Tone{})
	assert.ErrorIs(t, err, context.Canceled)
}

func TestExposureIsDeterminedByThePicture(t *testing.T) {
	assert.Equal(t, Tone{}, floatsOf(t, 0, .2, 1).AutoTone(), "values from 0 to 1 are unchanged")
	assert.Equal(t, Tone{0, SRGB}, floatsOf(t, 0, .2, 1).AsLinear().AutoTone())
	assert.Equal(t, Tone{-4.5, Filmic}, floatsOf(t, 4, 4, 4).AutoTone(), "4 becomes a middle gray")
	assert.Equal(t, Tone{-MaxStops, Filmic}, floatsOf(t, 1e30, 0, -5, float32(math.Inf(1))).AutoTone())
	assert.Equal(t, Tone{}, decoded(t, R16, 1, 1, []byte{1, 2}).(*Deep).AutoTone())
}

func TestHalfOfAFloatIsTheNearestBelow(t *testing.T) {
	for h := range 1 << 16 {
		v := FromHalf(uint16(h))
		if v != v {
			assert.NotEqual(t, toHalf(v), toHalf(0))
			continue
		}
		require.Equal(t, uint16(h), toHalf(v), "%x", h)
	}
	assert.EqualValues(t, 0x7c00, toHalf(1e9))
	assert.EqualValues(t, 0x3c00, toHalf(1.0004), "the lower half")
}

func TestRGBEHasASharedExponent(t *testing.T) {
	d := decoded(t, RGBE8, 2, 1, []byte{128, 64, 1, 129, 9, 9, 9, 0}).(*Deep)
	assert.Equal(t, []float32{1, .5, 1. / 128}, d.Values(0, 0))
	assert.Equal(t, []float32{0, 0, 0}, d.Values(1, 0))
	assert.True(t, d.HasFloats())
}

func BenchmarkToned(b *testing.B) {
	d := decoded(b, RGBE8, 2048, 1024, make([]byte, 4*2048*1024)).(*Deep)
	for b.Loop() {
		if _, err := d.ApplyTone(b.Context(), Tone{1, Filmic}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestEXRKeepsTheValues(t *testing.T) {
	const width, height = 3, 2
	for _, f := range []Format{RHalf, RGHalf, RGBHalf, RGBAHalf, RFloat, RGFloat, RGBFloat, RGBAFloat} {
		t.Run(f.String(), func(t *testing.T) {
			pix := make([]byte, f.Size(width, height))
			for i := range pix {
				pix[i] = byte(i)
			}
			img := decoded(t, f, width, height, pix).(*Deep)
			var out bytes.Buffer
			require.NoError(t, img.WriteEXR(context.Background(), &out))
			b := out.Bytes()
			assert.EqualValues(t, 0x01312f76, little.Uint32(b))

			size, channels := img.sample.bytes(), img.channels
			line := 8 + width*channels*size
			table := len(b) - height*line - 8*height
			for y := range height {
				at := int(little.Uint64(b[table+8*y:]))
				require.Equal(t, table+8*height+y*line, at)
				require.EqualValues(t, y, little.Uint32(b[at:]))
				require.EqualValues(t, line-8, little.Uint32(b[at+4:]))
				for c := range channels {
					for x := range width {
						in := at + 8 + ((channels-1-c)*width+x)*size // the channels are in alphabetical order: ABGR
						require.Equal(t, img.bytesAt(x, y, c)[:size], b[in:in+size])
					}
				}
			}
			assert.Equal(t, byte(0), b[table-1], "the end of the header")
		})
	}
}

func TestWriteEXRReturnsErrors(t *testing.T) {
	img := decoded(t, RHalf, 2, 2, make([]byte, 8)).(*Deep)
	full := errors.New("full")
	assert.ErrorIs(t, img.WriteEXR(context.Background(), failing{full}), full)
	over, cancel := context.WithCancel(context.Background())
	cancel()
	assert.ErrorIs(t, img.WriteEXR(over, &bytes.Buffer{}), context.Canceled)
	assert.Error(t, decoded(t, R16, 2, 2, make([]byte, 8)).(*Deep).WriteEXR(context.Background(), &bytes.Buffer{}))
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
