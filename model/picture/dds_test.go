package picture

import (
	"context"
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dds returns a file of one picture.
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

// largest decodes the largest picture of a file.
func largest(ctx context.Context, b []byte) (image.Image, error) {
	d, err := ReadDDS(b)
	if err != nil {
		return nil, err
	}
	return d.Decode(ctx, d.Width, d.Height, b[d.Offset:])
}

func TestDDSOfEachPixelFormatIsDecoded(t *testing.T) {
	white := []byte{0xff, 0xff, 0, 0, 0, 0, 0, 0} // all of color 0
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
		"12 bits":   dds(1, 1, "", 12, [4]uint32{1, 2, 4}, white),
		"too wide":  dds(1, 1, "", 8, [4]uint32{0xfff, 0, 0}, white),
		"no masks":  dds(1, 1, "", 32, [4]uint32{}, white),
	} {
		_, err := largest(t.Context(), b)
		assert.Error(t, err, name)
	}
}

func TestDDSWithMasksIsDecoded(t *testing.T) {
	old := func(flags, bits uint32, m [4]uint32, pixel ...byte) []byte {
		b := dds(1, 1, "", bits, m, pixel)
		little.PutUint32(b[80:], flags)
		return b
	}
	dx10 := func(number, alpha byte, pixel ...byte) []byte {
		return dds(1, 1, "DX10", 0, [4]uint32{}, append([]byte{0: number, 16: alpha, 19: 0}, pixel...))
	}
	for name, test := range map[string]struct {
		b    []byte
		want color.NRGBA
	}{
		"A8":              {old(2, 8, [4]uint32{3: 0xff}, 40), color.NRGBA{A: 40}},
		"A8 without bits": {old(2, 0, [4]uint32{3: 0xff}, 40), color.NRGBA{A: 40}},
		"L8":              {old(0x20000, 8, [4]uint32{0xff}, 40), color.NRGBA{40, 40, 40, 255}},
		"A8L8":            {old(0x20001, 16, [4]uint32{0xff, 0, 0, 0xff00}, 40, 7), color.NRGBA{40, 40, 40, 7}},
		"A4L4":            {old(0x20001, 8, [4]uint32{0xf, 0, 0, 0xf0}, 0x24), color.NRGBA{68, 68, 68, 34}},
		"R3G3B2":          {old(0x40, 8, [4]uint32{0xe0, 0x1c, 3}, 0xe1), color.NRGBA{255, 0, 85, 255}},
		"A1R5G5B5":        {old(0x41, 16, [4]uint32{0x7c00, 0x3e0, 0x1f, 0x8000}, 0x1f, 0), color.NRGBA{B: 255}},
		"X1R5G5B5":        {old(0x40, 16, [4]uint32{0x7c00, 0x3e0, 0x1f}, 0x1f, 0), color.NRGBA{B: 255, A: 255}},
		"A2R10G10B10": {old(0x41, 32, [4]uint32{0x3ff00000, 0xffc00, 0x3ff, 0xc0000000}, 0xff, 3, 0, 0x40),
			color.NRGBA{B: 255, A: 85}},
		"X8R8G8B8":          {old(0x40, 32, [4]uint32{0xff0000, 0xff00, 0xff}, 1, 2, 3, 0), color.NRGBA{3, 2, 1, 255}},
		"odd order":         {old(0x40, 24, [4]uint32{0xff00, 0xff, 0xff0000}, 1, 2, 3), color.NRGBA{2, 1, 3, 255}},
		"DXGI 88":           {dx10(88, 0, 1, 2, 3, 0), color.NRGBA{3, 2, 1, 255}},
		"DXGI 28 is opaque": {dx10(28, 3, 1, 2, 3, 0), color.NRGBA{1, 2, 3, 255}},
		"DXGI 65":           {dx10(65, 0, 40), color.NRGBA{A: 40}},
		"DXGI 86":           {dx10(86, 0, 0x1f, 0x80), color.NRGBA{B: 255, A: 255}},
		"DXGI 115":          {dx10(115, 0, 0x1f, 0xf0), color.NRGBA{0, 17, 255, 255}},
	} {
		t.Run(name, func(t *testing.T) {
			img, err := largest(t.Context(), test.b)
			require.NoError(t, err)
			assert.Equal(t, test.want, img.(*image.NRGBA).NRGBAAt(0, 0))
		})
	}
}

func FuzzDDS(f *testing.F) {
	f.Add(dds(1, 1, "", 16, [4]uint32{0x7c00, 0x3e0, 0x1f, 0x8000}, []byte{1, 2}))
	f.Add(dds(1, 1, "DX10", 0, [4]uint32{}, append([]byte{24, 19: 0}, 1, 2, 3, 4)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if d, err := ReadDDS(b); err == nil && d.Width < 64 && d.Height < 64 {
			_, _ = d.Decode(t.Context(), d.Width, d.Height, b[min(len(b), d.Offset):])
		}
	})
}
