package pixels

import (
	"bytes"
	"context"
	"fmt"
	"image"
)

// ddsHead is the size of the header of a DDS file, its magic included; dx10Head of what may follow it.
const (
	ddsHead  = 128
	dx10Head = 20
)

// IsDDS reports whether a file begins as a DDS file does.
func IsDDS(head []byte) bool { return bytes.HasPrefix(head, []byte("DDS \x7c\x00\x00\x00")) }

// fourCC are the formats that a DDS file names by four characters. In DXT2 and DXT4 the colors are multiplied by alpha,
// which is not undone.
var fourCC = map[string]Format{"DXT1": BC1, "DXT2": BC2, "DXT3": BC2, "DXT4": BC3, "DXT5": BC3, "ATI1": BC4,
	"BC4U": BC4, "ATI2": BC5, "BC5U": BC5}

// dxgi are the formats that a DDS file numbers since Direct3D 10: the plain ones and their sRGB twins.
var dxgi = map[uint32]Format{2: RGBAFloat, 10: RGBAHalf, 28: RGBA8, 29: RGBA8, 61: R8, 71: BC1, 72: BC1, 74: BC2,
	75: BC2, 77: BC3, 78: BC3, 80: BC4, 83: BC5,
	87: BGRA8, 91: BGRA8, 95: BC6H, 96: BC6HSigned, 98: BC7, 99: BC7}

// masks are the formats that a DDS file describes by where the bits of red, green, blue and alpha are.
var masks = map[[4]uint32]Format{
	{0xff0000, 0xff00, 0xff, 0xff000000}: BGRA8, {0xff, 0xff00, 0xff0000, 0xff000000}: RGBA8,
	{0xff0000, 0xff00, 0xff}: BGR8, {0xff, 0xff00, 0xff0000}: RGB8, {0xf800, 0x7e0, 0x1f}: RGB565,
	{0xf00, 0xf0, 0xf, 0xf000}: ARGB4444,
}

// DDS describes a DDS file: the size and the format of its largest picture, and where its pixels begin.
type DDS struct {
	Width, Height int
	Format        Format
	Offset        int
}

// ReadDDS reads the header of a DDS file. head has the first 148 bytes, or all there are.
func ReadDDS(head []byte) (d DDS, err error) {
	if !IsDDS(head) || len(head) < ddsHead {
		return d, fmt.Errorf("it does not begin as a DDS file does")
	}
	d = DDS{Height: int(little.Uint32(head[12:])), Width: int(little.Uint32(head[16:])), Offset: ddsHead}
	flags, name := little.Uint32(head[80:]), string(head[84:88])
	what := fmt.Sprintf("%q", name)
	switch {
	case flags&4 == 0:
		var m [4]uint32
		for i := range m {
			m[i] = little.Uint32(head[92+4*i:])
		}
		if flags&1 == 0 {
			m[3] = 0
		}
		d.Format = masks[m]
		if bits := int(little.Uint32(head[88:])); d.Format.layout().bytes*8 != bits {
			d.Format = Unknown
			what = fmt.Sprintf("of %d bits a pixel", bits)
		}
	case name == "DX10" && len(head) >= ddsHead+dx10Head:
		number := little.Uint32(head[ddsHead:])
		d.Format, d.Offset = dxgi[number], ddsHead+dx10Head
		what = fmt.Sprintf("number %d", number)
	default:
		d.Format = fourCC[name]
	}
	if d.Format == Unknown {
		return d, fmt.Errorf("its pixel format %s is not one that can be drawn", what)
	}
	return d, nil
}

// DecodeDDS returns the largest picture of a DDS file.
func DecodeDDS(ctx context.Context, b []byte, most int) (image.Image, error) {
	d, err := ReadDDS(b)
	if err != nil {
		return nil, err
	}
	if d.Width < 1 || d.Height < 1 || d.Width > most || d.Height > most/d.Width {
		return nil, fmt.Errorf("its picture of %d × %d pixels is larger than can be drawn", d.Width, d.Height)
	}
	return Decode(ctx, d.Format, d.Width, d.Height, b[d.Offset:])
}
