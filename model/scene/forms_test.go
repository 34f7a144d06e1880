package scene

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPlainPNGHasOnlyThePicture(t *testing.T) {
	img := image.NewPaletted(image.Rect(0, 0, 3, 2), color.Palette{color.NRGBA{1, 2, 3, 4}, color.White})
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, img))
	plain := file.Bytes()
	assert.Equal(t, plain, plainPNG(plain), "palette and transparency are kept")

	chunk := binary.BigEndian.AppendUint32(nil, 9)
	chunk = append(chunk, "pHYs\x00\x00\x00\x01\x00\x00\x00\x02\x00"...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	const head = len(pngSignature) + 25
	stretched := append(append(append([]byte(nil), plain[:head]...), chunk...), plain[head:]...)
	_, err := png.Decode(bytes.NewReader(stretched))
	require.NoError(t, err)
	assert.Equal(t, plain, plainPNG(stretched))

	for _, n := range []int{4, head + 3, len(stretched) - 5} {
		assert.Equal(t, stretched[:n], plainPNG(stretched[:n]), "cut after %d", n)
	}
	more := append(plain[:len(plain):len(plain)], 1, 2, 3)
	assert.Equal(t, plain, plainPNG(more), "bytes after the end are removed")
}
