package picture

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The digests are of the pixels that a port of the published decompressor decodes from the same random bytes.
func TestPVRTCDecodesAsThePublishedDecompressor(t *testing.T) {
	for _, c := range []struct {
		format        Format
		width, height int
		want          string
	}{
		{PVRTC4Bits, 32, 16, "23378069f93ffa7670ad28aeaa7c1cc4d4f262e66c8d91a92cae596f8c4848a5"},
		{PVRTC4Bits, 8, 64, "d96c828f01c6e761a2db153b6d22e5ced11c053a6fbaac15fa75f37dce219ea7"},
		{PVRTC2Bits, 64, 16, "040793d4c42201a27f215670c2829d459b7a864d97fb3db18de72128fc9aa4b2"},
		{PVRTC2Bits, 16, 32, "a69fe9799aad2368cf9e5107b7d12fd04a5e67cc882b6f638303c73e1da220c1"},
	} {
		t.Run(fmt.Sprint(c.format, c.width, c.height), func(t *testing.T) {
			b := make([]byte, c.format.Size(c.width, c.height))
			seed := uint32(1)
			for i := range b {
				seed = seed*1664525 + 1013904223
				b[i] = byte(seed >> 24)
			}
			img, err := Decode(t.Context(), c.format, c.width, c.height, b)
			require.NoError(t, err)
			sum := sha256.Sum256(img.(*image.NRGBA).Pix)
			assert.Equal(t, c.want, hex.EncodeToString(sum[:]))
			_, err = Decode(t.Context(), c.format, c.width, c.height, b[1:])
			assert.Error(t, err)
		})
	}
	_, err := Decode(t.Context(), PVRTC4Bits, 12, 8, make([]byte, 1000))
	assert.ErrorContains(t, err, "powers of two")
}

// Color A of the blocks is red, B is blue, and all pixels have three eighths of B.
func TestPVRTCBlendsTheColorsOfABlock(t *testing.T) {
	b := make([]byte, PVRTC4Bits.Size(2, 2))
	for i := 0; i < len(b); i += 8 {
		copy(b[i:], []byte{0x55, 0x55, 0x55, 0x55, 0x00, 0xFC, 0x1F, 0x80})
	}
	img, err := Decode(t.Context(), PVRTC4Bits, 2, 2, b)
	require.NoError(t, err)
	assert.Equal(t, image.Pt(2, 2), img.Bounds().Size())
	assert.Equal(t, color.NRGBA{255 * 5 / 8, 0, 255 * 3 / 8, 255}, img.At(1, 1))
}

// pvrFile returns a PVR file of version 2 or 3.
func pvrFile(version int, format uint64, width, height int, pixels []byte) []byte {
	head := make([]byte, pvrHead)
	if version == 3 {
		copy(head, "PVR\x03")
		little.PutUint64(head[8:], format)
		little.PutUint32(head[24:], uint32(height))
		little.PutUint32(head[28:], uint32(width))
		little.PutUint32(head[48:], 4)
		return append(append(head, "more"...), pixels...)
	}
	little.PutUint32(head, pvrHead)
	little.PutUint32(head[4:], uint32(height))
	little.PutUint32(head[8:], uint32(width))
	head[16] = byte(format)
	copy(head[44:], "PVR!")
	return append(head, pixels...)
}

func decodePVR(t *testing.T, file []byte) (image.Image, error) {
	p, err := ReadPVR(file)
	if err != nil {
		return nil, err
	}
	return p.Decode(t.Context(), file)
}

func TestPVRIsReadInBothVersions(t *testing.T) {
	pixel := []byte{1, 2, 3, 4}
	spelled := little.Uint64([]byte("rgba\x08\x08\x08\x08"))
	files := map[string][]byte{"2": pvrFile(2, 0x12, 1, 1, pixel), "3": pvrFile(3, spelled, 1, 1, pixel)}
	for name, file := range files {
		require.True(t, IsPVR(file), name)
		img, err := decodePVR(t, file)
		require.NoError(t, err, name)
		assert.Equal(t, color.NRGBA{1, 2, 3, 4}, img.At(0, 0), name)
		for n := range file {
			_, err := decodePVR(t, file[:n])
			assert.Error(t, err, "%s cut after %d", name, n)
		}
	}
	for want, file := range map[string][]byte{
		"ETC1":              pvrFile(3, 6, 4, 4, make([]byte, 8)),
		"ETC1 is":           pvrFile(2, 0x36, 4, 4, make([]byte, 8)),
		"PVRTC-II with 4":   pvrFile(3, 5, 4, 4, make([]byte, 8)),
		"number 0x99":       pvrFile(2, 0x99, 4, 4, nil),
		"1073741824 pixels": pvrFile(3, 2, 1<<30, 1<<30, nil),
		"from 3 bytes":      pvrFile(2, 0x19, 8, 8, make([]byte, 3)),
		"0 × 8 pixels":      pvrFile(2, 0x19, 0, 8, make([]byte, 3)),
		"past its end at ":  append(pvrFile(3, 2, 8, 8, nil)[:48], 255, 255, 255, 127),
	} {
		_, err := decodePVR(t, file)
		assert.ErrorContains(t, err, want)
	}
	assert.False(t, IsPVR([]byte("PVR")))
}
