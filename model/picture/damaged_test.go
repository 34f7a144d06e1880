package picture_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/picture"
)

// noise fills a picture with random colors, which cannot be compressed, and returns its PNG.
func noise(t *testing.T, img interface {
	image.Image
	Set(x, y int, c color.Color)
}) []byte {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			img.Set(x, y, color.NRGBA{uint8(random.Uint32()), uint8(random.Uint32()), uint8(random.Uint32()), 255})
		}
	}
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, img))
	return out.Bytes()
}

func openDamaged(t *testing.T, file []byte) (model.Picture, error) {
	t.Helper()
	src := source("a.png", file)
	_, err := picture.Open(t.Context(), src)
	require.Error(t, err)
	return picture.OpenDamaged(t.Context(), src, err)
}

func TestTheRowsOfACutPNGAreRead(t *testing.T) {
	whole := image.NewNRGBA(image.Rect(0, 0, 100, 60))
	file := noise(t, whole)
	p, err := openDamaged(t, file[:len(file)/2])
	require.NoError(t, err)
	assert.EqualError(t, p.Broken, "damaged: 29 of 60 rows could be read")
	assert.Equal(t, "PNG RGB, 8 bits", p.Format)
	require.Equal(t, whole.Rect, p.Bounds())
	for _, y := range []int{0, 28} {
		for x := range 100 {
			require.Equal(t, whole.NRGBAAt(x, y), color.NRGBAModel.Convert(p.At(x, y)), "%d, %d", x, y)
		}
	}
	palette := image.NewPaletted(whole.Rect, color.Palette{color.Black, color.White, color.NRGBA{1, 2, 3, 255}})
	file = noise(t, palette)
	p, err = openDamaged(t, file[:len(file)*2/3])
	require.NoError(t, err)
	assert.Contains(t, p.Broken.Error(), "of 60 rows could be read")
	assert.Equal(t, "PNG 3 colors", p.Format)
	assert.Equal(t, palette.ColorIndexAt(99, 10), p.Image.(*image.Paletted).ColorIndexAt(99, 10))
}

func TestAWrongChecksumOfAPNGLosesNoRow(t *testing.T) {
	whole := image.NewNRGBA(image.Rect(0, 0, 100, 60))
	file := noise(t, whole)
	file[len(file)-13]++ // of the last IDAT
	p, err := openDamaged(t, file)
	require.NoError(t, err)
	assert.ErrorContains(t, p.Broken, "invalid checksum")
	assert.Equal(t, whole.NRGBAAt(99, 59), color.NRGBAModel.Convert(p.At(99, 59)))
}

func TestTheRestOfAnInterlacedPNGIsBlank(t *testing.T) {
	var rows bytes.Buffer
	packing := zlib.NewWriter(&rows)
	for _, columns := range []int{1, 1, 2, 2, 2, 4, 4, 4, 4, 4, 4} { // without the last pass, of 4 rows of 9 bytes
		_, err := packing.Write(append([]byte{0}, bytes.Repeat([]byte{200}, columns)...))
		require.NoError(t, err)
	}
	require.NoError(t, packing.Close())
	file := []byte("\x89PNG\r\n\x1a\n")
	header := "IHDR\x00\x00\x00\x08\x00\x00\x00\x08\x08\x00\x00\x00\x01"
	for _, chunk := range []string{header, "IDAT" + rows.String(), "IEND"} {
		file = binary.BigEndian.AppendUint32(file, uint32(len(chunk)-4))
		file = append(file, chunk...)
		file = binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE([]byte(chunk)))
	}
	p, err := openDamaged(t, file)
	require.NoError(t, err)
	assert.EqualError(t, p.Broken, "damaged: 54% of the pixels could be read")
	assert.Equal(t, color.Gray{200}, p.At(6, 6))
	assert.Equal(t, color.Gray{}, p.At(6, 7))
}

func TestPNGsWithoutIntactRowsAreNotRead(t *testing.T) {
	file := noise(t, image.NewNRGBA(image.Rect(0, 0, 100, 60)))
	huge := bytes.Clone(file)
	binary.BigEndian.PutUint32(huge[16:], 1<<31-1)
	noColor := bytes.Clone(file)
	noColor[25] = 7
	for name, b := range map[string][]byte{"no row": file[:60], "no data": file[:40], "no header": file[:20],
		"huge": huge, "no color": noColor, "magic": file[:8]} {
		_, err := openDamaged(t, b)
		assert.Error(t, err, name)
	}
	cause := errors.New("cause")
	_, err := picture.OpenDamaged(t.Context(), source("a.gif", []byte("GIF89a")), cause)
	assert.Equal(t, cause, err)
}
