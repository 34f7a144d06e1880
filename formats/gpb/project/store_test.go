package project_test

import (
	"encoding/binary"
	"image"
	"image/color"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestUnusedFourthChannelIsOpaque has a DDS picture of 32 bits a pixel without alpha, whose fourth byte is 0.
func TestUnusedFourthChannelIsOpaque(t *testing.T) {
	b := make([]byte, 128+4)
	copy(b, "DDS \x7c")
	for at, v := range map[int]uint32{12: 1, 16: 1, 80: 0x40, 88: 32, 92: 0xff0000, 96: 0xff00, 100: 0xff} {
		binary.LittleEndian.PutUint32(b[at:], v)
	}
	copy(b[128:], []byte{10, 20, 30, 0})
	p := projectOf(fstest.MapFS{"res/a.dds": textFile(string(b))})
	img, err := p.Texture("res/a.dds", ".").Image(t.Context())
	require.NoError(t, err)
	assert.Equal(t, image.Rect(0, 0, 1, 1), img.Bounds())
	assert.Equal(t, color.NRGBA{30, 20, 10, 255}, color.NRGBAModel.Convert(img.At(0, 0)))
}
