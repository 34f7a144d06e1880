package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	mathbits "math/bits"

	"assay/model"
)

// DirectDraw Surface, as Microsoft's programming guide for DDS describes it: a header of 128 bytes, one of 20 more for
// formats of DXGI, then for each layer and side all mip levels, the largest first.

const (
	ddsHead        = 128 // bytes of the header with its magic
	dx10Head       = 20  // bytes of its optional extension
	maxDDSPictures = 4096

	ddsCubemap = 0x200
	ddsVolume  = 0x200000
)

var ddsSides = [6]string{"+X", "-X", "+Y", "-Y", "+Z", "-Z"}

// ddsFile is the header of a DDS file.
type ddsFile struct {
	DDS
	depth, levels, layers int
	sides                 []string // of a cube
}

func openDDS(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	head := make([]byte, min(src.Size(), ddsHead+dx10Head))
	if n, _ := src.ReadAt(head, 0); n < ddsHead {
		return p, fmt.Errorf("the header needs %d bytes, but there are %d", ddsHead, n)
	}
	s, err := parseDDS(head)
	if err != nil {
		return p, err
	}
	if err := checkSize(s.Width, s.Height, 8); err != nil {
		return p, err
	}
	p = model.Picture{Format: s.Format.String(), Parts: s.listParts(src)}
	if len(p.Parts) == 0 {
		return p, fmt.Errorf("%d × %d pixels of %s need %d bytes, but there are %d", s.Width, s.Height, s.Format,
			s.Format.Size(s.Width, s.Height), src.Size()-int64(s.Offset))
	}
	if p.Image, err = p.Parts[0].Load(ctx); len(p.Parts) == 1 {
		p.Parts = nil
	}
	return p, err
}

func parseDDS(head []byte) (s ddsFile, err error) {
	word := func(offset int) uint32 { return little.Uint32(head[offset:]) }
	s = ddsFile{depth: 1, layers: 1, levels: int(min(max(word(28), 1), 32))}
	if s.DDS, err = ReadDDS(head); err != nil {
		return s, err
	}
	if caps := word(112); caps&ddsCubemap != 0 {
		for i, side := range ddsSides {
			if caps&(0x400<<i) != 0 {
				s.sides = append(s.sides, side)
			}
		}
	} else if caps&ddsVolume != 0 {
		s.depth = int(min(max(word(24), 1), 1<<12))
	}
	if s.Extended {
		s.layers = int(min(max(word(140), 1), maxDDSPictures))
		if word(136)&4 != 0 {
			s.sides = ddsSides[:]
		}
	}
	return s, nil
}

// listParts lists the pictures whose pixels are in the file, in its order: of each layer and side all levels, the
// largest first.
func (f *ddsFile) listParts(src *model.Source) (parts []model.Part) {
	offset := int64(f.Offset)
	sides := f.sides
	if sides == nil {
		sides = []string{""}
	}
	for layer := range f.layers {
		for _, side := range sides {
			for level := range f.levels {
				w, h, d := max(1, f.Width>>level), max(1, f.Height>>level), max(1, f.depth>>level)
				for slice := range d {
					size := f.Format.Size(w, h)
					span := model.Span{Offset: offset, Size: size}
					if offset += size; !span.Within(src.Size()) || len(parts) == maxDDSPictures {
						return parts
					}
					parts = append(parts, model.Part{Name: f.partName(layer, side, level, slice, w, h),
						Load: func(ctx context.Context) (image.Image, error) { return f.load(ctx, src, span, w, h) }})
				}
			}
		}
	}
	return parts
}

func (f *ddsFile) partName(layer int, side string, level, slice, w, h int) string {
	name := fmt.Sprintf("level %d, %d × %d", level, w, h)
	if side != "" {
		name = "side " + side + ", " + name
	}
	if f.layers > 1 {
		name = fmt.Sprintf("layer %d, %s", layer, name)
	}
	if f.depth > 1 {
		name += fmt.Sprintf(", slice %d", slice)
	}
	return name
}

func (f *ddsFile) load(ctx context.Context, src *model.Source, span model.Span, w, h int) (image.Image, error) {
	b, err := src.Bytes(span)
	if err != nil {
		return nil, err
	}
	return f.Decode(ctx, w, h, b)
}

// IsDDS reports whether a file begins as a DDS file does.
func IsDDS(head []byte) bool { return bytes.HasPrefix(head, []byte("DDS \x7c\x00\x00\x00")) }

// formatsByFourCC are the formats that a DDS file names by four characters, or by a number of Direct3D 9. In DXT2 and
// DXT4 the colors are multiplied by alpha, which is not undone.
var formatsByFourCC = map[string]Format{"DXT1": BC1, "DXT2": BC2, "DXT3": BC2, "DXT4": BC3, "DXT5": BC3, "ATI1": BC4,
	"BC4U": BC4, "ATI2": BC5, "BC5U": BC5, "ATC ": ATC, "ATCA": ATCExplicit, "ATCI": ATCInterpolated,
	"o\x00\x00\x00": RHalf, "p\x00\x00\x00": RGHalf, "q\x00\x00\x00": RGBAHalf, "$\x00\x00\x00": RGBA16,
	"r\x00\x00\x00": RFloat, "s\x00\x00\x00": RGFloat, "t\x00\x00\x00": RGBAFloat}

// formatsByDXGI are the formats that a DDS file numbers since Direct3D 10: the plain ones and their sRGB twins.
var formatsByDXGI = map[uint32]Format{2: RGBAFloat, 6: RGBFloat, 10: RGBAHalf, 16: RGFloat, 28: RGBA8, 29: RGBA8,
	34: RGHalf, 35: RG16, 41: RFloat, 49: RG8, 54: RHalf, 56: R16, 61: R8, 71: BC1, 72: BC1, 74: BC2, 75: BC2, 77: BC3,
	78: BC3, 11: RGBA16, 80: BC4, 83: BC5, 85: RGB565, 87: BGRA8, 88: BGRA8, 91: BGRA8, 93: BGRA8, 95: BC6H,
	96: BC6HSigned, 98: BC7, 99: BC7}

// dxgiMasks are the formats since Direct3D 10 that have several channels in a byte, and alpha alone.
var dxgiMasks = map[uint32]struct {
	bits  uint32
	masks Masks
}{24: {32, Masks{0x3ff, 0xffc00, 0x3ff00000, 0xc0000000}}, 65: {8, Masks{3: 0xff}},
	86: {16, Masks{0x7c00, 0x3e0, 0x1f, 0x8000}}, 115: {16, Masks{0xf00, 0xf0, 0xf, 0xf000}}}

// dxgiOpaque is the mode in which alpha has no meaning.
const dxgiOpaque = 3

// The flags of a pixel format, as ddraw.h numbers them.
const (
	ddsHasAlpha  = 0x1
	ddsOnlyAlpha = 0x2
	ddsNamed     = 0x4
	ddsPalette   = 0x8 | 0x20
	ddsYUV       = 0x200
	ddsGray      = 0x20000
)

// formatOfMasks returns the format that a DDS file describes by the bits of red, green, blue and alpha: a named one, or
// Masked with the masks.
func formatOfMasks(flags, bits uint32, m Masks) (f Format, _ Masks) {
	if flags&(ddsHasAlpha|ddsOnlyAlpha) == 0 {
		m[3] = 0
	}
	if flags&ddsGray != 0 {
		m[1], m[2] = m[0], m[0]
	}
	mask := m[0] | m[1] | m[2] | m[3]
	if bits == 0 { // some writers leave it out
		bits = uint32(mathbits.Len32(mask)+7) &^ 7
	}
	if mask == 0 || bits > 32 || bits < 8 || bits%8 != 0 || uint32(mathbits.Len32(mask)) > bits ||
		flags&(ddsPalette|ddsYUV) != 0 {
		return Unknown, m
	}
	for _, named := range namedMasks {
		if named.bits == bits && named.masks == m {
			return named.format, m
		}
	}
	return Masked8 + Format(bits/8-1), m
}

// namedMasks are the masks of the formats that have a name. One channel alone is gray.
var namedMasks = []struct {
	format Format
	bits   uint32
	masks  Masks
}{{R8, 8, Masks{0xff}}, {R8, 8, Masks{0xff, 0xff, 0xff}}, {R16, 16, Masks{0xffff}},
	{R16, 16, Masks{0xffff, 0xffff, 0xffff}},
	{RG8, 16, Masks{0xff, 0xff00}}, {RG16, 32, Masks{0xffff, 0xffff0000}}, {RGB565, 16, Masks{0xf800, 0x7e0, 0x1f}},
	{ARGB4444, 16, Masks{0xf00, 0xf0, 0xf, 0xf000}}, {BGR8, 24, Masks{0xff0000, 0xff00, 0xff}},
	{RGB8, 24, Masks{0xff, 0xff00, 0xff0000}}, {RGBA8, 32, Masks{0xff, 0xff00, 0xff0000, 0xff000000}},
	{BGRA8, 32, Masks{0xff0000, 0xff00, 0xff, 0xff000000}}}

// Masks are the bits of red, green, blue and alpha in a pixel of up to four bytes. Without alpha all is opaque; another
// channel without bits is 0.
type Masks [4]uint32

// decodePixel writes the four channels of the pixel b into p, each scaled to 8 bits.
func (m *Masks) decodePixel(p, b []byte) {
	v := uint32(0)
	for i, c := range b {
		v |= uint32(c) << (8 * i)
	}
	for i, mask := range m {
		switch {
		case mask != 0:
			low := mathbits.TrailingZeros32(mask)
			value, limit := uint64(v&mask)>>low, uint64(mask)>>low
			p[i] = uint8((value*255 + limit/2) / limit)
		case i == 3:
			p[i] = 255
		default:
			p[i] = 0
		}
	}
}

// DDS describes a DDS file: the size and the format of its largest picture, and where its pixels begin.
type DDS struct {
	Width, Height int
	Format        Format
	Offset        int
	Masks         Masks // of a Masked format
	Opaque        bool  // alpha has no meaning
	Extended      bool  // the header has the extension of Direct3D 10
}

// ReadDDS reads the header of a DDS file. head has the first 148 bytes, or all there are.
func ReadDDS(head []byte) (d DDS, err error) {
	if !IsDDS(head) || len(head) < ddsHead {
		return d, fmt.Errorf("not a valid DDS header")
	}
	d = DDS{Height: int(little.Uint32(head[12:])), Width: int(little.Uint32(head[16:])), Offset: ddsHead}
	flags, name := little.Uint32(head[80:]), string(head[84:88])
	format := fmt.Sprintf("%q", name)
	switch {
	case flags&ddsNamed == 0:
		var m Masks
		for i := range m {
			m[i] = little.Uint32(head[92+4*i:])
		}
		bits := little.Uint32(head[88:])
		d.Format, d.Masks = formatOfMasks(flags, bits, m)
		format = fmt.Sprintf("of %d bits per pixel with the masks %#x", bits, m)
	case name == "DX10" && len(head) >= ddsHead+dx10Head:
		number := little.Uint32(head[ddsHead:])
		d.Format, d.Offset, d.Extended = formatsByDXGI[number], ddsHead+dx10Head, true
		if packed, ok := dxgiMasks[number]; ok {
			d.Format, d.Masks = formatOfMasks(ddsHasAlpha, packed.bits, packed.masks)
		}
		d.Opaque = number == 88 || number == 93 || little.Uint32(head[ddsHead+16:])&7 == dxgiOpaque
		format = fmt.Sprintf("number %d", number)
	default:
		d.Format = formatsByFourCC[name]
	}
	if d.Format == Unknown {
		return d, fmt.Errorf("the pixel format %s is not supported", format)
	}
	return d, nil
}

// Decode returns a picture of the file, of width × height pixels.
func (d *DDS) Decode(ctx context.Context, width, height int, b []byte) (image.Image, error) {
	if size := d.Format.Size(width, height); d.Format.isMasked() && size > 0 && size <= int64(len(b)) {
		l := *d.Format.layout()
		l.pixel = d.Masks.decodePixel
		return decodePixels(ctx, width, height, b[:size], &l)
	}
	img, err := Decode(ctx, d.Format, width, height, b)
	if n, ok := img.(*image.NRGBA); ok && d.Opaque {
		for i := 3; i < len(n.Pix); i += 4 {
			n.Pix[i] = 255
		}
	}
	return img, err
}

// Surface describes pixels that have no header of their own: all levels of a side, then the next side, then the next
// layer, as in a DDS file.
type Surface struct {
	Width, Height         int
	Levels, Sides, Layers int // 0 is 1; six sides are a cube
	Format                Format
	Masks                 Masks // of Masked8 to Masked32
}

// MaskedFormat returns the format of pixels with a number of bits, 8 to 32, and masks.
func MaskedFormat(bits int, m Masks) (Format, error) {
	if bits < 8 || bits > 32 || bits%8 != 0 || mathbits.Len32(m[0]|m[1]|m[2]|m[3]) > bits {
		return Unknown, fmt.Errorf("the masks %#x do not fit in pixels of %d bits", m, bits)
	}
	return Masked8 + Format(bits/8-1), nil
}

// Size returns the number of bytes of all pictures of the surface.
func (s Surface) Size() (n int64) {
	for level := range max(s.Levels, 1) {
		n += s.Format.Size(max(1, s.Width>>level), max(1, s.Height>>level))
	}
	return n * int64(max(s.Sides, 1)) * int64(max(s.Layers, 1))
}

// DDSHeader returns the bytes that make a DDS file of the pixels that follow them.
func (s Surface) DDSHeader() ([]byte, error) {
	if err := checkSize(s.Width, s.Height, 8); err != nil {
		return nil, err
	}
	if s.Levels > 32 || s.Layers > maxDDSPictures || s.Sides > 1 && s.Sides != 6 {
		return nil, fmt.Errorf("%d levels, %d sides, and %d layers are not possible", s.Levels, s.Sides, s.Layers)
	}
	b := make([]byte, ddsHead, ddsHead+dx10Head)
	put32 := func(offset int, v uint32) { little.PutUint32(b[offset:], v) }
	copy(b, "DDS ")
	put32(4, 124)
	put32(8, 0x1007) // caps, height, width, and pixel format are there
	put32(12, uint32(s.Height))
	put32(16, uint32(s.Width))
	put32(28, uint32(max(s.Levels, 1)))
	put32(76, 32)
	put32(108, 0x1000)
	m, bits := s.channelMasks()
	switch number, ok := s.dxgiNumber(); {
	case ok:
		put32(80, ddsNamed)
		copy(b[84:], "DX10")
		b = b[:ddsHead+dx10Head]
		put32(128, number)
		put32(132, 3) // a texture of two dimensions
		put32(140, uint32(max(s.Layers, 1)))
		if s.Sides == 6 {
			put32(136, 4)
			put32(112, ddsCubemap|0xfc00)
		}
	case bits == 0:
		return nil, fmt.Errorf("pixels in the format %s have no DDS form", s.Format)
	case s.Layers > 1:
		return nil, fmt.Errorf("layers of pixels in the format %s have no DDS form", s.Format)
	default:
		put32(80, 0x40|ddsHasAlpha)
		put32(88, bits)
		for i := range m {
			put32(92+4*i, m[i])
		}
		if s.Sides == 6 {
			put32(112, ddsCubemap|0xfc00)
		}
	}
	return b, nil
}

// dxgiNumber returns the number of the format since Direct3D 10.
func (s Surface) dxgiNumber() (number uint32, ok bool) {
	for n, f := range formatsByDXGI {
		if f == s.Format && (!ok || n < number) {
			number, ok = n, true
		}
	}
	return number, ok
}

// channelMasks returns the masks of the format, and the bits of a pixel; 0 if it has none.
func (s Surface) channelMasks() (Masks, uint32) {
	if s.Format.isMasked() {
		return s.Masks, uint32(8 * s.Format.layout().bytes)
	}
	if s.Format == ARGB8 {
		return Masks{0xff00, 0xff0000, 0xff000000, 0xff}, 32
	}
	for _, named := range namedMasks {
		if named.format == s.Format {
			return named.masks, named.bits
		}
	}
	return Masks{}, 0
}
