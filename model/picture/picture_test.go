package picture_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/fyne-io/image/ico"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"assay/model"
	"assay/model/picture"
)

func source(name string, b []byte) *model.Source {
	return model.NewSource(name, bytes.NewReader(b), int64(len(b)))
}

func open(t *testing.T, name string, b []byte) model.Picture {
	t.Helper()
	p, err := picture.Open(t.Context(), source(name, b))
	require.NoError(t, err, name)
	return p
}

func pixelAt(p image.Image, x, y int) color.NRGBA {
	return color.NRGBAModel.Convert(p.At(x, y)).(color.NRGBA)
}

// dds returns the header of a DDS and the bytes after it.
func dds(width, height, levels int, fourCC string, caps2 uint32, rest ...byte) []byte {
	b := make([]byte, 128)
	copy(b, "DDS \x7c")
	le := binary.LittleEndian
	le.PutUint32(b[12:], uint32(height))
	le.PutUint32(b[16:], uint32(width))
	le.PutUint32(b[28:], uint32(levels))
	if fourCC != "" {
		le.PutUint32(b[80:], 4)
		copy(b[84:], fourCC)
	}
	le.PutUint32(b[112:], caps2)
	return append(b, rest...)
}

func TestDDSHasItsLevelsAndSides(t *testing.T) {
	red := []byte{0x00, 0xf8, 0x00, 0xf8, 0, 0, 0, 0} // a block of BC1
	p := open(t, "a.dds", dds(8, 8, 4, "DXT1", 0, bytes.Repeat(red, 4+1+1+1)...))
	assert.Equal(t, "DDS BC1", p.Format)
	assert.Equal(t, color.NRGBA{R: 255, A: 255}, pixelAt(p, 3, 3))
	require.Len(t, p.Parts, 4)
	assert.Equal(t, "level 3, 1 × 1", p.Parts[3].Name)
	small, err := p.Parts[3].Load(t.Context())
	require.NoError(t, err)
	assert.Equal(t, image.Rect(0, 0, 1, 1), small.Bounds())

	cube := open(t, "a.dds", dds(4, 4, 1, "DXT1", 0xfe00, bytes.Repeat(red, 6)...))
	require.Len(t, cube.Parts, 6)
	assert.Equal(t, "side -Z, level 0, 4 × 4", cube.Parts[5].Name)

	_, err = picture.Open(t.Context(), source("a.dds", dds(4, 4, 1, "NONE", 0, red...)))
	assert.ErrorContains(t, err, `pixel format "NONE" is not supported`)
	_, err = picture.Open(t.Context(), source("a.dds", dds(1<<20, 1<<20, 1, "DXT1", 0, red...)))
	assert.ErrorContains(t, err, "too large")
	_, err = picture.Open(t.Context(), source("a.dds", dds(64, 64, 1, "DXT1", 0, red...)))
	assert.ErrorContains(t, err, "need 2048 bytes, but there are 8")

	explicit := append([]byte{0x35, 0, 0, 0, 0, 0, 0, 0}, 0xff, 0xff, 0, 0, 0, 0, 0, 0)
	p = open(t, "a.dds", dds(4, 4, 1, "DXT3", 0, explicit...))
	assert.Equal(t, color.NRGBA{R: 255, G: 255, B: 255, A: 0x55}, pixelAt(p, 0, 0), "alpha has four bits for each pixel")
	assert.Equal(t, "DDS BC2", p.Format)

	masks := dds(1, 1, 1, "", 0, 1, 2, 3, 0)
	for i, v := range []uint32{32, 0xff0000, 0xff00, 0xff} {
		binary.LittleEndian.PutUint32(masks[88+4*i:], v)
	}
	assert.Equal(t, color.NRGBA{R: 3, G: 2, B: 1, A: 255}, pixelAt(open(t, "a.dds", masks), 0, 0),
		"the fourth byte is not alpha")
}

// tga returns a TGA of 2 × 2 pixels.
func tga(kind, bits, flags byte, rest ...byte) []byte {
	b := make([]byte, 18)
	b[2], b[12], b[14], b[16], b[17] = kind, 2, 2, bits, flags
	return append(b, rest...)
}

func TestTGAIsReadInEachLayout(t *testing.T) {
	rows := []byte{255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9} // blue, green; red, gray
	below := open(t, "a.tga", tga(2, 24, 0, rows...))
	assert.Equal(t, color.NRGBA{B: 255, A: 255}, pixelAt(below, 0, 1), "the bottom row is first")
	above := open(t, "a.TGA", tga(2, 24, 0x20, rows...))
	assert.Equal(t, color.NRGBA{B: 255, A: 255}, pixelAt(above, 0, 0))
	packed := open(t, "a.tga", tga(11, 8, 0x20, 0x82, 7, 0x00, 9))
	assert.Equal(t, color.NRGBA{R: 7, G: 7, B: 7, A: 255}, pixelAt(packed, 0, 1))
	assert.Equal(t, color.NRGBA{R: 9, G: 9, B: 9, A: 255}, pixelAt(packed, 1, 1))
	palette := tga(1, 8, 0x20, 0, 0, 255, 0, 255, 0, 1, 0, 0, 9)
	palette[1], palette[5], palette[7] = 1, 2, 24
	p := open(t, "a.tga", palette)
	assert.Equal(t, color.NRGBA{G: 255, A: 255}, pixelAt(p, 0, 0))
	assert.Equal(t, color.NRGBA{A: 255}, pixelAt(p, 1, 1), "a color that the palette does not have")
	assert.Equal(t, uint8(255), pixelAt(open(t, "a.tga", tga(10, 32, 0x20, 0x83, 1, 2, 3, 4)), 0, 0).A, "the header declares no alpha bits")
	assert.Equal(t, uint8(4), pixelAt(open(t, "a.tga", tga(10, 32, 0x28, 0x83, 1, 2, 3, 4)), 0, 0).A)
	assert.Equal(t, uint8(0), pixelAt(open(t, "a.tga", tga(10, 16, 0x21, 0x83, 0xff, 0x7f)), 0, 0).A)
	assert.Equal(t, uint8(255), pixelAt(open(t, "a.tga", tga(10, 16, 0x20, 0x83, 0xff, 0x7f)), 0, 0).A)
	_, err := picture.Open(t.Context(), source("a.tga", tga(2, 24, 0, 1, 2)))
	assert.ErrorContains(t, err, "the pixels end after 0 of 4")
}

func TestTGAIsRecognizedByItsHeaderFooterOrName(t *testing.T) {
	odd := tga(2, 24, 0x10, make([]byte, 12)...) // from the right
	assert.Empty(t, picture.Recognize(source("a", odd)))
	assert.Equal(t, "TGA", picture.Recognize(source("a.tga", odd)))
	assert.Equal(t, "TGA", picture.Recognize(source("a", append(odd, "\x00\x00\x00\x00\x00\x00\x00\x00TRUEVISION-XFILE.\x00"...))))
	assert.Equal(t, "TGA", picture.Recognize(source("a", tga(2, 24, 0x20, make([]byte, 12)...))))
	assert.Equal(t, "TGA", picture.Recognize(source("a.ico", tga(10, 32, 8, 0x83, 1, 2, 3, 4))))
	for name, unlike := range map[string][]byte{
		"alpha of 24 bits":  tga(2, 24, 8, make([]byte, 12)...),
		"palette of colors": func() []byte { b := tga(2, 24, 0); b[5] = 1; return b }(),
		"too wide":          func() []byte { b := tga(2, 24, 0); b[13] = 0xff; return b }(),
		"zeros":             make([]byte, 64),
	} {
		assert.Empty(t, picture.Recognize(source("a", unlike)), name)
	}
}

// cwebp and ImageMagick wrote the files and read these colors from them.
func TestWebPHasTheColorsOfOtherPrograms(t *testing.T) {
	for name, test := range map[string]struct{ file, colors string }{
		"white": {"52494646240000005745425056503820180000003001009d012a0800080002003425a400037000fefb940000",
			strings.Repeat("ffffffff", 64)},
		"odd sides": {"5249464642000000574542505650382036000000f001009d012a03000500020034259402ec7f001814def50000feca0f" +
			"fbc9851ccbbc753fdb4e8ea08aef653e6f03cd36a5531a800000",
			"eff5e3ffffffeefffaffd9ffe4e7dfffd2d7caffd7dec2ff585866ff60616aff7b7d7fff090919ff3e3f4cff4b4c57ff" +
				"020403ff181a1aff000000ff"},
		"alpha": {"524946468000000057454250565038580a00000010000000030000030000414c504811000000000000000055555555aa" +
			"aaaaaaffffffff005650382048000000f002009d012a0400040002003425a802746b80fe018401ebff76000c0d2cbce0" +
			"00fefaffb503c143ffb4cb3f191a7fff65983e3234fffef60bfe2879301a42179327a42005000000",
			"950049009500490095004900940048008d0f85558d0f85558d0f85558c0e84554206c1aa4206c1aa4206c1aa4105c0aa" +
				"1700d9ff1700d9ff1700d9ff1600d8ff"},
	} {
		file, err := hex.DecodeString(test.file)
		require.NoError(t, err)
		got := open(t, "a.webp", file).Image.(*image.NRGBA)
		assert.Equal(t, test.colors, hex.EncodeToString(got.Pix), name)
	}
	moving, err := hex.DecodeString("524946461600000057454250" + "565038580a00000002" + "000000000000000000")
	require.NoError(t, err)
	_, err = picture.Open(t.Context(), source("a.webp", moving))
	assert.EqualError(t, err, "WebP: animated WebP images are not supported")
}

func TestFramesOfAGIFAreDrawnOverEarlierOnes(t *testing.T) {
	pal := color.Palette{color.Transparent, color.NRGBA{R: 255, A: 255}, color.NRGBA{B: 255, A: 255}}
	whole, part := image.NewPaletted(image.Rect(0, 0, 2, 2), pal), image.NewPaletted(image.Rect(1, 1, 2, 2), pal)
	for i := range whole.Pix {
		whole.Pix[i] = 1
	}
	part.Pix[0] = 2
	var out bytes.Buffer
	require.NoError(t, gif.EncodeAll(&out, &gif.GIF{Image: []*image.Paletted{whole, part, part}, Delay: []int{10, 0, 5},
		Disposal: []byte{gif.DisposalNone, gif.DisposalBackground, gif.DisposalNone},
		Config:   image.Config{Width: 2, Height: 2, ColorModel: pal}}))
	p := open(t, "a.gif", out.Bytes())
	require.Len(t, p.Parts, 3)
	assert.Equal(t, 100, int(p.Parts[0].Delay.Milliseconds()))
	second, err := p.Parts[1].Load(t.Context())
	require.NoError(t, err)
	assert.Equal(t, color.NRGBA{R: 255, A: 255}, pixelAt(second, 0, 0), "the pixel of the previous frame")
	assert.Equal(t, color.NRGBA{B: 255, A: 255}, pixelAt(second, 1, 1))
	first, err := p.Parts[0].Load(t.Context())
	require.NoError(t, err)
	assert.Equal(t, color.NRGBA{R: 255, A: 255}, pixelAt(first, 1, 1), "the first frame after the second")
}

func TestGIFOfOneFrameIsOnItsCanvas(t *testing.T) {
	part := image.NewPaletted(image.Rect(1, 1, 2, 2), color.Palette{color.NRGBA{R: 255, A: 255}})
	var out bytes.Buffer
	require.NoError(t, gif.EncodeAll(&out, &gif.GIF{Image: []*image.Paletted{part}, Delay: []int{0},
		Config: image.Config{Width: 3, Height: 4, ColorModel: part.Palette}}))
	p := open(t, "a.gif", out.Bytes())
	assert.Equal(t, image.Rect(0, 0, 3, 4), p.Image.Bounds())
	assert.Equal(t, color.NRGBA{R: 255, A: 255}, pixelAt(p, 1, 1))
	assert.Equal(t, color.NRGBA{}, pixelAt(p, 0, 0))
}

func TestICOIsReadAndACutOneIsAnError(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 16, 16))
	img.SetNRGBA(3, 4, color.NRGBA{R: 1, G: 2, B: 3, A: 255})
	var out bytes.Buffer
	require.NoError(t, ico.Encode(&out, img))
	p := open(t, "a.ico", out.Bytes())
	assert.Equal(t, color.NRGBA{R: 1, G: 2, B: 3, A: 255}, pixelAt(p, 3, 4))
	_, err := picture.Open(t.Context(), source("a.ico", out.Bytes()[:30]))
	assert.Error(t, err)
}

func TestGrayPNGHas16Bits(t *testing.T) {
	assert.Equal(t, "PNG gray, 16 bits", open(t, "a.png", grayPNG(t)).Format)
}

func TestSVGIsDrawnAtAFixedSize(t *testing.T) {
	svg := open(t, "a.svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 5"><rect width="10" height="5" fill="#ff0000"/></svg>`))
	assert.Equal(t, image.Rect(0, 0, 1024, 512), svg.Bounds())
	assert.Equal(t, color.NRGBA{R: 255, A: 255}, pixelAt(svg, 500, 200))
	assert.True(t, svg.Drawn)
}

func TestHeaderOfAGigapixelIsRefused(t *testing.T) {
	huge := grayPNG(t)
	binary.BigEndian.PutUint32(huge[16:], 1<<30)
	binary.BigEndian.PutUint32(huge[20:], 1<<30)
	_, err := picture.Open(t.Context(), source("a.png", huge))
	assert.Error(t, err)
}

func TestTextIsNotATGA(t *testing.T) {
	assert.Empty(t, picture.Recognize(source("a.tga", []byte("text"))))
}

func TestCanceledOpenReturnsAnError(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := picture.Open(canceled, source("a.gif", []byte("GIF89a")))
	assert.Error(t, err)
}

// grayPNG returns a PNG of 3 × 2 pixels with 16 bits of gray.
func grayPNG(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, image.NewGray16(image.Rect(0, 0, 3, 2))))
	return out.Bytes()
}

// FuzzOpen opens bytes as a picture and loads its parts.
func FuzzOpen(f *testing.F) {
	f.Add("a.tga", tga(11, 8, 0x20, 0x82, 7, 0x00, 9))
	f.Add("a.dds", dds(8, 8, 4, "DXT1", 0xfe00, make([]byte, 300)...))
	f.Add("a.gif", []byte("GIF89a\x02\x00\x02\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,"))
	f.Add("a.ico", []byte("\x00\x00\x01\x00\x01\x00\x10\x10\x00\x00\x01\x00\x20\x00\x40\x00\x00\x00\x16\x00\x00\x00\x28\x00\x00\x00"))
	f.Add("a.svg", []byte(`<svg viewBox="0 0 1 1"><path d="M0 0L1 1"/></svg>`))
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		p, err := picture.Open(t.Context(), source(name, b))
		if err != nil {
			return
		}
		for _, part := range p.Parts[:min(len(p.Parts), 8)] {
			_, _ = part.Load(t.Context())
		}
	})
}

func TestPVROfUnsupportedFormatIsAnError(t *testing.T) {
	file := make([]byte, 52)
	file[16], file[4], file[8] = 0x12, 1, 2 // RGBA of 8 bits, 1 high, 2 wide
	copy(file[44:], "PVR!")
	file = append(file, 1, 2, 3, 4, 5, 6, 7, 8)
	p, err := picture.Open(t.Context(), model.NewSource("a", bytes.NewReader(file), int64(len(file))))
	require.NoError(t, err)
	assert.Equal(t, "PVR RGBA8", p.Format)
	assert.Equal(t, color.NRGBA{5, 6, 7, 8}, p.Image.At(1, 0))
	file[16] = 0x36
	_, err = picture.Open(t.Context(), model.NewSource("a", bytes.NewReader(file), int64(len(file))))
	assert.ErrorContains(t, err, "ETC1")
}

func TestInterlacedPNGNeedsMoreMemory(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, image.NewNRGBA(image.Rect(0, 0, 1, 1))))
	for passes, message := range []string{"not enough pixel data", "an interlaced image needs 1.5 times the memory"} {
		b := bytes.Clone(out.Bytes())
		binary.BigEndian.PutUint32(b[16:], 8192)
		binary.BigEndian.PutUint32(b[20:], 7000)
		b[28] = byte(passes)
		binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
		_, err := picture.Open(t.Context(), source("a.png", b))
		assert.ErrorContains(t, err, message)
	}
}

// No format decodes a picture beyond the limits of memory; the error has its size.
func TestPicturesAreRefusedByTheirDeclaredSize(t *testing.T) {
	small := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	encoded := func(encode func(b *bytes.Buffer) error) []byte {
		var b bytes.Buffer
		require.NoError(t, encode(&b))
		return b.Bytes()
	}
	be, le := binary.BigEndian, binary.LittleEndian
	// Each function returns a picture of 1 × 1 pixels whose header declares w × h.
	declared := map[string]func(w, h int) []byte{
		"png": func(w, h int) []byte {
			b := encoded(func(b *bytes.Buffer) error { return png.Encode(b, small) })
			be.PutUint32(b[16:], uint32(w))
			be.PutUint32(b[20:], uint32(h))
			be.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
			return b
		},
		"gif": func(w, h int) []byte {
			b := encoded(func(b *bytes.Buffer) error { return gif.Encode(b, small, nil) })
			le.PutUint16(b[6:], uint16(w))
			le.PutUint16(b[8:], uint16(h))
			return b
		},
		"jpg": func(w, h int) []byte {
			b := encoded(func(b *bytes.Buffer) error { return jpeg.Encode(b, small, nil) })
			frame := bytes.Index(b, []byte{0xff, 0xc0})
			be.PutUint16(b[frame+5:], uint16(h))
			be.PutUint16(b[frame+7:], uint16(w))
			return b
		},
		"bmp": func(w, h int) []byte {
			b := encoded(func(b *bytes.Buffer) error { return bmp.Encode(b, small) })
			le.PutUint32(b[18:], uint32(w))
			le.PutUint32(b[22:], uint32(h))
			return b
		},
		"tif": func(w, h int) []byte {
			b := encoded(func(b *bytes.Buffer) error { return tiff.Encode(b, small, nil) })
			for at := int(le.Uint32(b[4:])) + 2; at+12 < len(b); at += 12 {
				switch le.Uint16(b[at:]) {
				case 256:
					le.PutUint16(b[at+8:], uint16(w))
				case 257:
					le.PutUint16(b[at+8:], uint16(h))
				}
			}
			return b
		},
		"tga": func(w, h int) []byte {
			b := tga(2, 32, 0x20, 1, 2, 3, 4)
			le.PutUint16(b[12:], uint16(w))
			le.PutUint16(b[14:], uint16(h))
			return b
		},
		"dds": func(w, h int) []byte { return dds(w, h, 1, "DXT1", 0, make([]byte, 8)...) },
		"hdr": func(w, h int) []byte {
			return fmt.Appendf(nil, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n", h, w)
		},
	}
	for extension, file := range declared {
		for _, side := range []int{65535, 13450} {
			_, err := picture.Open(t.Context(), source("a."+extension, file(side, side)))
			assert.ErrorContains(t, err, "too large", "%s of %d × %d", extension, side, side)
		}
	}
	_, err := picture.Open(t.Context(), source("a.tif", declared["tif"](8190, 8190)))
	assert.ErrorContains(t, err, "too large", "a strip of a TIFF takes memory besides the picture")
}

func TestHasExtensionIgnoresCase(t *testing.T) {
	for _, name := range []string{"a.png", "a/b.JPG", "a.jpeg", "a.tif", "a.tiff", "a.webp", "a.tga"} {
		assert.True(t, picture.HasExtension(name), name)
	}
	for _, name := range []string{"", "png", "a.", "a.txt", "a.png.txt"} {
		assert.False(t, picture.HasExtension(name), name)
	}
}

func TestPNGHasTheBitsOfThePicture(t *testing.T) {
	size := image.Rect(0, 0, 2, 2)
	gray16 := image.NewGray16(size)
	for _, test := range []struct {
		img  image.Image
		bits byte
	}{{image.NewYCbCr(size, image.YCbCrSubsampleRatio420), 8}, {image.NewCMYK(size), 8}, {image.NewNRGBA(size), 8},
		{image.NewNYCbCrA(size, image.YCbCrSubsampleRatio444), 8}, {gray16, 16}, {image.NewNRGBA64(size), 16}} {
		var out bytes.Buffer
		require.NoError(t, picture.EncodePNG(&out, test.img))
		assert.Equal(t, test.bits, out.Bytes()[24], "%T", test.img)
		got, err := png.Decode(&out)
		require.NoError(t, err)
		r, g, b, a := got.At(1, 1).RGBA()
		wr, wg, wb, wa := color.NRGBA64Model.Convert(test.img.At(1, 1)).RGBA()
		assert.Equal(t, [4]uint32{wr >> 8, wg >> 8, wb >> 8, wa >> 8}, [4]uint32{r >> 8, g >> 8, b >> 8, a >> 8},
			"%T", test.img)
	}
}
