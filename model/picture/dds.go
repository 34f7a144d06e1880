package picture

import (
	"context"
	"encoding/binary"
	"fmt"
	"image"

	"assay/model"
	"assay/model/pixels"
)

// DirectDraw Surface, as Microsoft's programming guide for DDS describes it: a header of 128 bytes, one of 20 more for
// formats of DXGI, then for each layer and side all mip levels, the largest first.

var ddsMagic = []byte("DDS ")

const (
	ddsHead     = 128
	ddsExtended = 20
	ddsParts    = 4096

	ddsFourCC  = 0x4
	ddsCubemap = 0x200
	ddsVolume  = 0x200000
)

var ddsFourCCs = map[string]pixels.Format{"DXT1": pixels.BC1, "DXT2": pixels.BC3, "DXT3": pixels.Unknown,
	"DXT4": pixels.BC3, "DXT5": pixels.BC3,
	"ATI1": pixels.BC4, "BC4U": pixels.BC4, "ATI2": pixels.BC5, "BC5U": pixels.BC5,
	"o\x00\x00\x00": pixels.RHalf, "p\x00\x00\x00": pixels.RGHalf, "q\x00\x00\x00": pixels.RGBAHalf,
	"r\x00\x00\x00": pixels.RFloat, "s\x00\x00\x00": pixels.RGFloat, "t\x00\x00\x00": pixels.RGBAFloat}

var ddsDXGI = map[uint32]pixels.Format{2: pixels.RGBAFloat, 6: pixels.RGBFloat, 10: pixels.RGBAHalf, 16: pixels.RGFloat,
	28: pixels.RGBA8, 29: pixels.RGBA8,
	34: pixels.RGHalf, 35: pixels.RG16, 41: pixels.RFloat, 49: pixels.RG8, 54: pixels.RHalf, 56: pixels.R16,
	61: pixels.R8, 71: pixels.BC1, 72: pixels.BC1,
	77: pixels.BC3, 78: pixels.BC3, 80: pixels.BC4, 83: pixels.BC5, 85: pixels.RGB565, 87: pixels.BGRA8,
	91: pixels.BGRA8, 88: pixels.BGRA8,
	95: pixels.BC6H, 96: pixels.BC6HSigned, 98: pixels.BC7, 99: pixels.BC7}

var ddsSides = [6]string{"+X", "-X", "+Y", "-Y", "+Z", "-Z"}

// surface is what a DDS says of its pictures.
type surface struct {
	format               pixels.Format
	name                 string // of a format that cannot be drawn
	width, height, depth int
	levels, layers       int
	sides                []string // of a cube
	at                   int64    // where the pixels begin
	opaque               bool     // the fourth channel is nothing
}

func openDDS(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	head := make([]byte, min(src.Size(), ddsHead+ddsExtended))
	if n, _ := src.ReadAt(head, 0); n < ddsHead {
		return p, fmt.Errorf("the header needs %d bytes, there are %d", ddsHead, n)
	}
	s := parseDDS(head)
	if s.format == pixels.Unknown {
		return p, fmt.Errorf("pixels of the format %s cannot be drawn", s.name)
	}
	if err := bounded(s.width, s.height, 8); err != nil {
		return p, err
	}
	p = model.Picture{Format: s.format.String(), Parts: s.parts(src)}
	if len(p.Parts) == 0 {
		return p, fmt.Errorf("%d × %d pixels of %s need %d bytes, there are %d", s.width, s.height, s.format,
			s.format.Size(s.width, s.height), src.Size()-s.at)
	}
	if p.Image, err = p.Parts[0].Load(ctx); len(p.Parts) == 1 {
		p.Parts = nil
	}
	return p, err
}

func parseDDS(head []byte) (s surface) {
	le := binary.LittleEndian
	word := func(at int) uint32 { return le.Uint32(head[at:]) }
	s = surface{height: int(min(word(12), 1<<30)), width: int(min(word(16), 1<<30)), depth: 1, layers: 1, at: ddsHead}
	s.levels = int(min(max(word(28), 1), 32))
	if caps := word(112); caps&ddsCubemap != 0 {
		for i, side := range ddsSides {
			if caps&(0x400<<i) != 0 {
				s.sides = append(s.sides, side)
			}
		}
	} else if caps&ddsVolume != 0 {
		s.depth = int(min(max(word(24), 1), 1<<12))
	}
	fourCC := string(head[84:88])
	switch {
	case word(80)&ddsFourCC == 0:
		s.format, s.name = maskedDDS(word(80), word(88), word(92), word(96), word(100), word(104))
		s.opaque = word(88) == 32 && (word(80)&1 == 0 || word(104) == 0)
	case fourCC == "DX10" && len(head) >= ddsHead+ddsExtended:
		s.at += ddsExtended
		s.format, s.name = ddsDXGI[word(128)], fmt.Sprintf("DXGI %d", word(128))
		s.layers = int(min(max(word(140), 1), ddsParts))
		if word(136)&4 != 0 {
			s.sides = ddsSides[:]
		}
	default:
		s.format, s.name = ddsFourCCs[fourCC], fmt.Sprintf("%q", fourCC)
	}
	return s
}

// maskedDDS is a format that is described by the bits of its channels.
func maskedDDS(flags, bits, r, g, b, a uint32) (pixels.Format, string) {
	name := fmt.Sprintf("%d bits, masks %#x %#x %#x %#x", bits, r, g, b, a)
	if flags&1 == 0 {
		a = 0
	}
	switch {
	case bits == 32 && r == 0xff && b == 0xff0000:
		return pixels.RGBA8, name
	case bits == 32 && r == 0xff0000 && b == 0xff:
		return pixels.BGRA8, name
	case bits == 24 && r == 0xff0000:
		return pixels.BGR8, name
	case bits == 24 && r == 0xff:
		return pixels.RGB8, name
	case bits == 16 && r == 0xf800 && g == 0x7e0:
		return pixels.RGB565, name
	case bits == 16 && r == 0xf00 && a == 0xf000:
		return pixels.ARGB4444, name
	case bits == 16 && r == 0xffff:
		return pixels.R16, name
	case bits == 16 && r == 0xff:
		return pixels.RG8, name
	case bits == 8:
		return pixels.R8, name
	}
	return pixels.Unknown, name
}

// parts lists the pictures whose pixels are there, the first level of all before the smaller ones of the first.
func (s *surface) parts(src *model.Source) (parts []model.Part) {
	at := s.at
	sides := s.sides
	if sides == nil {
		sides = []string{""}
	}
	for layer := range s.layers {
		for _, side := range sides {
			for level := range s.levels {
				w, h, d := max(1, s.width>>level), max(1, s.height>>level), max(1, s.depth>>level)
				for slice := range d {
					size := s.format.Size(w, h)
					span := model.Span{Offset: at, Size: size}
					if at += size; !span.Within(src.Size()) || len(parts) == ddsParts {
						return parts
					}
					parts = append(parts, model.Part{Name: s.partName(layer, side, level, slice, w, h),
						Load: func(ctx context.Context) (image.Image, error) { return s.load(ctx, src, span, w, h) }})
				}
			}
		}
	}
	return parts
}

func (s *surface) partName(layer int, side string, level, slice, w, h int) string {
	name := fmt.Sprintf("level %d, %d × %d", level, w, h)
	if side != "" {
		name = "side " + side + ", " + name
	}
	if s.layers > 1 {
		name = fmt.Sprintf("layer %d, %s", layer, name)
	}
	if s.depth > 1 {
		name += fmt.Sprintf(", slice %d", slice)
	}
	return name
}

func (s *surface) load(ctx context.Context, src *model.Source, span model.Span, w, h int) (image.Image, error) {
	b, err := src.Bytes(span)
	if err != nil {
		return nil, err
	}
	img, err := pixels.Decode(ctx, s.format, w, h, b)
	if n, ok := img.(*image.NRGBA); ok && s.opaque {
		for i := 3; i < len(n.Pix); i += 4 {
			n.Pix[i] = 255
		}
	}
	return img, err
}
