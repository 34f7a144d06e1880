package picture

import (
	"fmt"
	mathbits "math/bits"
)

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
	for _, named := range maskedFormats {
		if named.format == s.Format {
			return named.masks, named.bits
		}
	}
	return Masks{}, 0
}
