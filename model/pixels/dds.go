package pixels

import (
	"bytes"
	"fmt"
)

// ddsHead is the size of the header of a DDS file, its magic included; dx10Head of what may follow it.
const (
	ddsHead  = 128
	dx10Head = 20
)

// IsDDS reports whether a file begins as a DDS file does.
func IsDDS(head []byte) bool { return bytes.HasPrefix(head, []byte("DDS \x7c\x00\x00\x00")) }

// fourCC are the formats that a DDS file names by four characters, or by a number of Direct3D 9. In DXT2 and DXT4 the
// colors are multiplied by alpha, which is not undone.
var fourCC = map[string]Format{"DXT1": BC1, "DXT2": BC2, "DXT3": BC2, "DXT4": BC3, "DXT5": BC3, "ATI1": BC4,
	"BC4U": BC4, "ATI2": BC5, "BC5U": BC5, "ATC ": ATC, "ATCA": ATCExplicit, "ATCI": ATCInterpolated,
	"o\x00\x00\x00": RHalf, "p\x00\x00\x00": RGHalf, "q\x00\x00\x00": RGBAHalf,
	"r\x00\x00\x00": RFloat, "s\x00\x00\x00": RGFloat, "t\x00\x00\x00": RGBAFloat}

// dxgi are the formats that a DDS file numbers since Direct3D 10: the plain ones and their sRGB twins.
var dxgi = map[uint32]Format{2: RGBAFloat, 6: RGBFloat, 10: RGBAHalf, 16: RGFloat, 28: RGBA8, 29: RGBA8, 34: RGHalf,
	35: RG16, 41: RFloat, 49: RG8, 54: RHalf, 56: R16, 61: R8, 71: BC1, 72: BC1, 74: BC2, 75: BC2, 77: BC3, 78: BC3,
	80: BC4, 83: BC5, 85: RGB565, 87: BGRA8, 88: BGRA8, 91: BGRA8, 95: BC6H, 96: BC6HSigned, 98: BC7, 99: BC7}

// masked returns the format that a DDS file describes by where the bits of red, green, blue and alpha are, and whether
// it has a fourth channel that says nothing.
func masked(flags, bits uint32, masks [4]uint32) (f Format, opaque bool) {
	r, g, b, a := masks[0], masks[1], masks[2], masks[3]
	if flags&1 == 0 {
		a = 0
	}
	switch {
	case bits == 32 && r == 0xff && b == 0xff0000:
		return RGBA8, a == 0
	case bits == 32 && r == 0xff0000 && b == 0xff:
		return BGRA8, a == 0
	case bits == 24 && r == 0xff0000:
		return BGR8, false
	case bits == 24 && r == 0xff:
		return RGB8, false
	case bits == 16 && r == 0xf800 && g == 0x7e0:
		return RGB565, false
	case bits == 16 && r == 0xf00 && a == 0xf000:
		return ARGB4444, false
	case bits == 16 && r == 0xffff:
		return R16, false
	case bits == 16 && r == 0xff:
		return RG8, false
	case bits == 8:
		return R8, false
	}
	return Unknown, false
}

// DDS describes a DDS file: the size and the format of its largest picture, and where its pixels begin.
type DDS struct {
	Width, Height int
	Format        Format
	Offset        int
	Opaque        bool // the fourth channel is nothing
	Extended      bool // the header has what Direct3D 10 added
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
		bits := little.Uint32(head[88:])
		d.Format, d.Opaque = masked(flags, bits, m)
		what = fmt.Sprintf("of %d bits a pixel with the masks %#x", bits, m)
	case name == "DX10" && len(head) >= ddsHead+dx10Head:
		number := little.Uint32(head[ddsHead:])
		d.Format, d.Offset, d.Extended = dxgi[number], ddsHead+dx10Head, true
		what = fmt.Sprintf("number %d", number)
	default:
		d.Format = fourCC[name]
	}
	if d.Format == Unknown {
		return d, fmt.Errorf("its pixel format %s is not one that can be drawn", what)
	}
	return d, nil
}
