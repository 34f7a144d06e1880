package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// The picture has two colors and is dark at its top left.
func TestOrientationOfAJPEGIsASecondPart(t *testing.T) {
	img := image.NewGray(image.Rect(0, 0, 32, 16))
	for i := range img.Pix {
		if i%32 >= 16 || i/32 >= 8 {
			img.Pix[i] = 255
		}
	}
	var file bytes.Buffer
	require.NoError(t, jpeg.Encode(&file, img, nil))
	for n, dark := range map[byte]image.Point{1: {2, 2}, 2: {29, 2}, 3: {29, 13}, 4: {2, 13}, 5: {2, 2}, 6: {13, 2},
		7: {13, 29}, 8: {2, 29}, 9: {2, 2}} {
		exif := "\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00" +
			string([]byte{n}) + "\x00\x00\x00\x00\x00\x00"
		data := []byte("\xff\xd8" + exif + file.String()[2:])
		src := model.NewSource("a.jpg", bytes.NewReader(data), int64(len(data)))
		p, err := Open(t.Context(), src)
		require.NoError(t, err)
		assert.Less(t, color.GrayModel.Convert(p.Image.At(2, 2)).(color.Gray).Y, uint8(40), "as stored")
		if n == 1 || n == 9 {
			assert.Empty(t, p.Parts)
			continue
		}
		require.Len(t, p.Parts, 2)
		assert.Contains(t, p.Parts[1].Name, "displayed, EXIF orientation "+string('0'+rune(n)))
		oriented, err := p.Parts[1].Load(t.Context())
		require.NoError(t, err)
		if n > 4 {
			assert.Equal(t, image.Pt(16, 32), oriented.Bounds().Size())
		}
		assert.Less(t, color.GrayModel.Convert(oriented.At(dark.X, dark.Y)).(color.Gray).Y, uint8(40), "orientation %d", n)
		assert.NoError(t, WritePNG(t.Context(), &bytes.Buffer{}, src), "one picture")
	}
	for _, broken := range []string{"", "MM\x00*", "II*\x00\xff\xff\xff\xff", "\xff\xd8\xff\xe1\x00\x02", "\xff\xd8\xff\xe1\xff\xff",
		"\xff\xd8\xff\xe1\x00\x0cExif\x00\x00II*\x00", "MM\x00*\x00\x00\x00\x08\x00\x05\x01"} {
		assert.Zero(t, orientationOf([]byte(broken)), "%q", broken)
	}
}
