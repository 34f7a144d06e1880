package casset

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"

	"assay/model"
)

// Texture is what an object of a texture class says of its picture.
type Texture struct {
	Width, Height int
	Format        PixelFormat
	Blob          model.Blob // the pixels, rows from the top
}

// PixelFormat is how a texture's pixels are stored.
type PixelFormat uint8

// The formats that can be drawn. OtherPixels stands for all that cannot.
const (
	OtherPixels PixelFormat = iota
	RGBA8
	BGRA8
	RGB8
	BGR8
	R8
	RG8
	BC1
	BC3
)

// String is the format's name as the engine has it.
func (p PixelFormat) String() string {
	return [...]string{"other", "RGBA8", "BGRA8", "RGB8", "BGR8", "R8", "RG8", "BC1", "BC3"}[p]
}

var (
	// formats2024 is the engine's numbering since February 2024, formats2023 the one before, formatsRPI that of its
	// rendering assets.
	formats2024 = map[int64]PixelFormat{1: RGBA8, 2: BGRA8, 3: RGB8, 4: BGR8, 6: R8, 8: RG8, 16: BC1, 17: BC3}
	formats2023 = map[int64]PixelFormat{1: RGBA8, 2: BGRA8, 4: RGB8, 7: R8, 17: BC1, 18: BC3}
	formatsRPI  = map[int64]PixelFormat{1: R8, 3: R8, 4: RG8, 6: RGBA8, 7: RGBA8, 9: BGRA8, 10: BGRA8, 12: RGB8, 15: BGR8,
		41: BC1, 42: BC1, 43: BC1, 44: BC1, 45: BC3, 46: BC3}
	// compressed is the numbering of sourceCompressionFormat: 1 to 4 are whole picture files.
	compressed = map[int64]PixelFormat{0: OtherPixels, 5: BC1, 6: BC3}
)

// texturePixels bounds a picture that is drawn.
const texturePixels = 64 << 20

// textureOf reads the description of a texture whose pixels are at span. The engine finds fields by name, and so does
// this.
func textureOf(object *model.Node, span model.Span) (t Texture, ok bool) {
	if object == nil {
		return t, false
	}
	fields := object.Named("fields")
	if fields == nil {
		return t, false
	}
	number := func(in *model.Node, name string) (int64, bool) {
		n := in.Named(name)
		if n == nil {
			return 0, false
		}
		switch v := n.Value.(type) {
		case uint64:
			return int64(v), v < 1<<62
		case int64:
			return v, true
		}
		return 0, false
	}
	w, okW := number(fields, "width")
	h, okH := number(fields, "height")
	source := fields.Named("source")
	if !okW || !okH || source == nil || w < 1 || h < 1 || w > texturePixels || h > texturePixels/w {
		return t, false
	}
	names, table, packing := "pixelFormat", formats2024, "sourceCompressionFormat"
	at := fields
	switch {
	case source.Type == kStruct.String() || source.Type == kMap.String():
		at, names, table, packing = source, "sourcePixelFormat", formats2023, "sourceCompression"
		source = source.Named("rawData")
	case fields.Named("pixelFormat") == nil:
		names, table = "format", formatsRPI
	}
	if source == nil {
		return t, false
	}
	b, isBlob := source.Value.(model.Blob)
	if !isBlob || b.Span != span {
		return t, false
	}
	t = Texture{Width: int(w), Height: int(h), Blob: b}
	if p, there := number(at, packing); there && p != 0 {
		t.Format = compressed[p]
		return t, t.Format != OtherPixels
	}
	f, there := number(at, names)
	t.Format = table[f]
	if t.Format == RGBA8 && b.Span.Size == 3*w*h {
		t.Format = RGB8 // three channels under the name of four: the importer's
	}
	return t, there
}

// size is the number of bytes of the first level of the picture; 0 if the format cannot be drawn.
func (t Texture) size() int64 {
	pixels := int64(t.Width) * int64(t.Height)
	blocks := int64((t.Width+3)/4) * int64((t.Height+3)/4)
	switch t.Format {
	case RGBA8, BGRA8:
		return 4 * pixels
	case RGB8, BGR8:
		return 3 * pixels
	case RG8:
		return 2 * pixels
	case R8:
		return pixels
	case BC1:
		return 8 * blocks
	case BC3:
		return 16 * blocks
	}
	return 0
}

// Drawable reports whether the format is one that can be drawn and all pixels are there.
func (t Texture) Drawable() bool { return t.size() > 0 && t.size() <= t.Blob.Span.Size }

// Image reads the pixels.
func (t Texture) Image() (*image.NRGBA, error) {
	if !t.Drawable() {
		return nil, fmt.Errorf("casset: a texture of %d × %d pixels in format %s cannot be drawn from %d bytes", t.Width, t.Height, t.Format, t.Blob.Span.Size)
	}
	b, err := t.Blob.Source.Bytes(model.Span{Offset: t.Blob.Span.Offset, Size: t.size()})
	if err != nil {
		return nil, err
	}
	img := image.NewNRGBA(image.Rect(0, 0, t.Width, t.Height))
	if t.Format == BC1 || t.Format == BC3 {
		t.blocks(img, b)
		return img, nil
	}
	n := len(b) / (t.Width * t.Height)
	for i := 0; i < len(img.Pix); i += 4 {
		p := img.Pix[i : i+4]
		p[3] = 0xFF
		switch t.Format {
		case R8:
			p[0], p[1], p[2] = b[0], b[0], b[0]
		case RG8:
			p[0], p[1] = b[0], b[1]
		case BGR8, BGRA8:
			p[0], p[1], p[2] = b[2], b[1], b[0]
		default:
			copy(p, b[:n])
		}
		if n == 4 {
			p[3] = b[3]
		}
		b = b[n:]
	}
	return img, nil
}

// blocks decodes BC1 and BC3: blocks of 4 × 4 pixels.
func (t Texture) blocks(img *image.NRGBA, b []byte) {
	for y := 0; y < t.Height; y += 4 {
		for x := 0; x < t.Width; x += 4 {
			alpha := [16]uint8{}
			opaque := t.Format == BC1
			if !opaque {
				alpha = alphaBlock(b)
				b = b[8:]
			}
			for i, c := range colorBlock(b, opaque) {
				if !opaque {
					c.A = alpha[i]
				}
				if px, py := x+i%4, y+i/4; px < t.Width && py < t.Height {
					img.SetNRGBA(px, py, c)
				}
			}
			b = b[8:]
		}
	}
}

func colorBlock(b []byte, bc1 bool) (out [16]color.NRGBA) {
	c0, c1 := little.Uint16(b), little.Uint16(b[2:])
	p := [4]color.NRGBA{rgb565(c0), rgb565(c1)}
	mix := func(x, y uint8, a, b, n int) uint8 { return uint8((a*int(x) + b*int(y)) / n) }
	blend := func(a, b, n int) color.NRGBA {
		return color.NRGBA{mix(p[0].R, p[1].R, a, b, n), mix(p[0].G, p[1].G, a, b, n), mix(p[0].B, p[1].B, a, b, n), 0xFF}
	}
	if !bc1 || c0 > c1 {
		p[2], p[3] = blend(2, 1, 3), blend(1, 2, 3)
	} else {
		p[2] = blend(1, 1, 2) // and the fourth is transparent black
	}
	bits := little.Uint32(b[4:])
	for i := range out {
		out[i] = p[bits>>(2*i)&3]
	}
	return out
}

func rgb565(v uint16) color.NRGBA {
	r, g, b := uint8(v>>11), uint8(v>>5&0x3F), uint8(v&0x1F)
	return color.NRGBA{r<<3 | r>>2, g<<2 | g>>4, b<<3 | b>>2, 0xFF}
}

func alphaBlock(b []byte) (out [16]uint8) {
	a := [8]int{int(b[0]), int(b[1])}
	for i := 2; i < 8; i++ {
		switch {
		case a[0] > a[1]:
			a[i] = ((8-i)*a[0] + (i-1)*a[1]) / 7
		case i < 6:
			a[i] = ((6-i)*a[0] + (i-1)*a[1]) / 5
		case i == 7:
			a[i] = 0xFF
		}
	}
	bits := little.Uint64(b) >> 16
	for i := range out {
		out[i] = uint8(a[bits>>(3*i)&7])
	}
	return out
}

// WritePNG writes the picture as PNG.
func (t Texture) WritePNG(w io.Writer) error {
	img, err := t.Image()
	if err != nil {
		return err
	}
	return png.Encode(w, img)
}
