package pixels

import (
	"context"
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dds is a file of one picture.
func dds(width, height uint32, name string, bits uint32, m [4]uint32, pixels []byte) []byte {
	b := make([]byte, ddsHead)
	copy(b, "DDS \x7c")
	little.PutUint32(b[12:], height)
	little.PutUint32(b[16:], width)
	little.PutUint32(b[80:], 4)
	if name == "" {
		little.PutUint32(b[80:], 0x41)
	}
	copy(b[84:], name)
	little.PutUint32(b[88:], bits)
	for i, v := range m {
		little.PutUint32(b[92+4*i:], v)
	}
	return append(b, pixels...)
}

// largest is the largest picture of a file.
func largest(ctx context.Context, b []byte) (image.Image, error) {
	d, err := ReadDDS(b)
	if err != nil {
		return nil, err
	}
	return Decode(ctx, d.Format, d.Width, d.Height, b[d.Offset:])
}

func TestDDS(t *testing.T) {
	white := []byte{0xff, 0xff, 0, 0, 0, 0, 0, 0} // color 0 everywhere
	atcWhite := []byte{0xff, 0x7f, 0, 0, 0, 0, 0, 0}
	for name, test := range map[string]struct {
		b    []byte
		want color.NRGBA
	}{
		"DXT1": {dds(4, 4, "DXT1", 0, [4]uint32{}, white), color.NRGBA{255, 255, 255, 255}},
		"DXT3": {dds(4, 4, "DXT3", 0, [4]uint32{}, append([]byte{0x35, 0, 0, 0, 0, 0, 0, 0}, white...)),
			color.NRGBA{255, 255, 255, 0x55}},
		"DXT5": {dds(4, 4, "DXT5", 0, [4]uint32{}, append([]byte{7, 0, 0, 0, 0, 0, 0, 0}, white...)),
			color.NRGBA{255, 255, 255, 7}},
		"ATC": {dds(4, 4, "ATC ", 0, [4]uint32{}, atcWhite), color.NRGBA{255, 255, 255, 255}},
		"ATCA": {dds(4, 4, "ATCA", 0, [4]uint32{}, append([]byte{0x35, 0, 0, 0, 0, 0, 0, 0}, atcWhite...)),
			color.NRGBA{255, 255, 255, 0x55}},
		"ATCI": {dds(4, 4, "ATCI", 0, [4]uint32{}, append([]byte{7, 0, 0, 0, 0, 0, 0, 0}, atcWhite...)),
			color.NRGBA{255, 255, 255, 7}},
		"BGRA": {dds(1, 1, "", 32, [4]uint32{0xff0000, 0xff00, 0xff, 0xff000000}, []byte{1, 2, 3, 4}),
			color.NRGBA{3, 2, 1, 4}},
		"DX10": {dds(1, 1, "DX10", 0, [4]uint32{}, append([]byte{28, 19: 0}, 1, 2, 3, 4)), color.NRGBA{1, 2, 3, 4}},
		"565":  {dds(1, 1, "", 16, [4]uint32{0xf800, 0x7e0, 0x1f}, []byte{0x1f, 0xf8}), color.NRGBA{255, 0, 255, 255}},
		"whole": {dds(5, 5, "DXT1", 0, [4]uint32{}, append(append(append(append([]byte{}, white...), white...),
			white...), white...)), color.NRGBA{255, 255, 255, 255}},
	} {
		t.Run(name, func(t *testing.T) {
			img, err := largest(t.Context(), test.b)
			require.NoError(t, err)
			at := image.Point{}
			if name == "DXT3" {
				assert.Equal(t, uint8(0x33), img.(*image.NRGBA).NRGBAAt(1, 0).A)
			}
			assert.Equal(t, test.want, img.(*image.NRGBA).NRGBAAt(at.X, at.Y))
		})
	}
	for name, b := range map[string][]byte{
		"cut":       dds(4, 4, "DXT1", 0, [4]uint32{}, white[:7]),
		"no header": []byte("DDS \x7c\x00\x00\x00"),
		"other":     dds(4, 4, "ABCD", 0, [4]uint32{}, white),
		"odd":       dds(4, 4, "", 24, [4]uint32{1, 2, 4}, white),
	} {
		_, err := largest(t.Context(), b)
		assert.Error(t, err, name)
	}
}
