package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"io"

	"assay/model"
)

// pvrHead is the size of the header of a PVR file, in both of its versions. Version 3 has more of its own after it.
const pvrHead = 52

// pvr2Formats are the numbered formats of version 2 of PVR, for OpenGL and earlier libraries.
var pvr2Formats = map[uint8]Format{0x0C: PVRTC2Bits, 0x18: PVRTC2Bits, 0x0D: PVRTC4Bits, 0x19: PVRTC4Bits,
	0x12: RGBA8, 0x15: RGB8, 0x1A: BGRA8, 0x16: R8, 0x13: RGB565, 0x20: BC1, 0x21: BC2, 0x22: BC2, 0x23: BC3, 0x24: BC3}

// pvr3Formats are the numbered formats of version 3, and pvr3Channels the spelled ones: the channels, then the bits of
// each. pvr3Unsupported names the formats that are not supported.
var (
	pvr3Formats = map[uint64]Format{0: PVRTC2Bits, 1: PVRTC2Bits, 2: PVRTC4Bits, 3: PVRTC4Bits, 7: BC1, 8: BC2,
		9: BC2, 10: BC3, 11: BC3, 12: BC4, 13: BC5, 15: BC7}
	pvr3Channels = map[string]Format{"rgba\x08\x08\x08\x08": RGBA8, "bgra\x08\x08\x08\x08": BGRA8,
		"rgb\x00\x08\x08\x08\x00": RGB8, "rgb\x00\x05\x06\x05\x00": RGB565,
		"l\x00\x00\x00\x08\x00\x00\x00": R8, "r\x00\x00\x00\x08\x00\x00\x00": R8}
	pvr3Unsupported = map[uint64]string{4: "PVRTC-II with 2 bits per pixel", 5: "PVRTC-II with 4 bits per pixel", 6: "ETC1",
		22: "ETC2", 23: "ETC2 with alpha", 24: "ETC2 with punchthrough alpha"}
)

// IsPVR reports whether a file begins as a PVR file does.
func IsPVR(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PVR\x03")) || len(head) >= pvrHead && string(head[44:48]) == "PVR!"
}

// PVR describes a PVR file: the size and the format of its largest picture, and where its pixels begin.
type PVR struct {
	Width, Height int
	Format        Format
	Offset        int
}

// ReadPVR reads the header of a PVR file. head has the first 52 bytes, or all there are.
func ReadPVR(head []byte) (p PVR, err error) {
	if !IsPVR(head) || len(head) < pvrHead {
		return p, fmt.Errorf("it does not begin as a PVR file does")
	}
	var described string
	if string(head[:3]) == "PVR" {
		number := little.Uint64(head[8:])
		p = PVR{Height: int(little.Uint32(head[24:])), Width: int(little.Uint32(head[28:])),
			Format: pvr3Formats[number], Offset: pvrHead + int(little.Uint32(head[48:]))}
		if number>>32 != 0 {
			p.Format = pvr3Channels[string(head[8:16])]
		}
		if described = pvr3Unsupported[number]; described == "" {
			described = fmt.Sprintf("number %#x", number)
		}
	} else {
		number := head[16]
		p = PVR{Height: int(little.Uint32(head[4:])), Width: int(little.Uint32(head[8:])), Format: pvr2Formats[number],
			Offset: pvrHead}
		if described = fmt.Sprintf("number %#x", number); number == 0x36 {
			described = "ETC1"
		}
	}
	if p.Format == Unknown {
		return p, fmt.Errorf("the pixel format %s is not supported", described)
	}
	return p, nil
}

// Decode returns the largest picture of a file. The caller has checked its size.
func (p PVR) Decode(ctx context.Context, b []byte) (image.Image, error) {
	if p.Offset > len(b) {
		return nil, fmt.Errorf("its pixels begin at %d, past its end at %d", p.Offset, len(b))
	}
	return Decode(ctx, p.Format, p.Width, p.Height, b[p.Offset:])
}

func isPVR(f *fileHead) bool { return IsPVR(f.head) }

// openPVR reads the largest picture of a PVR file.
func openPVR(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	b, err := io.ReadAll(stream(ctx, src))
	if err != nil {
		return p, err
	}
	d, err := ReadPVR(b)
	if err != nil {
		return p, err
	}
	if err := checkSize(d.Width, d.Height, 4); err != nil {
		return p, err
	}
	if p.Image, err = d.Decode(ctx, b); err != nil {
		return p, fmt.Errorf("its pixels cannot be drawn: %w", err)
	}
	p.Format = d.Format.String()
	return p, nil
}

// PVRTC: two small pictures, A and B, of a color for each block of 4 × 4 pixels (8 × 4 with 2 bits a pixel), are
// enlarged, and each pixel has a weight of B, in eighths. Both wrap around at the edges. The blocks of 8 bytes, the
// weights first, are in the order in which the bits of their row and column alternate.

// pvrtc is a picture that is being decoded.
type pvrtc struct {
	b             []byte
	width, height int // in pixels, at least two blocks each
	block         int // the width of a block
	columns, rows int // blocks
	colors        [2][][4]int
}

// pvrtcSize returns the pixels that are stored for a picture.
func pvrtcSize(f Format, width, height int) (w, h int) {
	w, h = max(width, 8), max(height, 8)
	if f == PVRTC2Bits {
		w = max(width, 16)
	}
	return w, h
}

func decodePVRTC(ctx context.Context, f Format, width, height int, b []byte) (image.Image, error) {
	p := &pvrtc{b: b, block: 4}
	if f == PVRTC2Bits {
		p.block = 8
	}
	p.width, p.height = pvrtcSize(f, width, height)
	if p.width&(p.width-1) != 0 || p.height&(p.height-1) != 0 {
		return nil, fmt.Errorf("a picture of %d × %d pixels in format %s cannot be drawn: both must be powers of two",
			width, height, f)
	}
	p.columns, p.rows = p.width/p.block, p.height/4
	for i := range p.colors {
		p.colors[i] = make([][4]int, p.columns*p.rows)
	}
	for y := range p.rows {
		for x := range p.columns {
			word := little.Uint32(p.blockAt(x, y)[4:])
			p.colors[0][y*p.columns+x], p.colors[1][y*p.columns+x] = pvrtcColors(word)
		}
	}
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for x := range width {
			c := p.pixel(x, y)
			copy(img.Pix[y*img.Stride+4*x:], c[:])
		}
	}
	return img, nil
}

func (p *pvrtc) blockAt(x, y int) []byte {
	offset, bit, side := 0, 0, min(p.columns, p.rows)
	for ; 1<<bit < side; bit++ {
		offset |= (y>>bit&1)<<(2*bit) | (x>>bit&1)<<(2*bit+1)
	}
	high := x
	if p.rows > p.columns {
		high = y
	}
	offset |= high >> bit << (2 * bit)
	return p.b[8*offset:][:8]
}

// pvrtcColors returns the colors of A and B of a block: 5 bits of red, green and blue, and 4 of alpha.
func pvrtcColors(word uint32) (a, b [4]int) {
	channel := func(shift, size int) int {
		v := int(word >> shift & (1<<size - 1))
		v <<= 5 - size
		return v | v>>size
	}
	if word>>15&1 == 1 {
		a = [4]int{channel(10, 5), channel(5, 5), channel(1, 4), 15}
	} else {
		a = [4]int{channel(8, 4), channel(4, 4), channel(1, 3), int(word>>12&7) << 1}
	}
	if word>>31 == 1 {
		b = [4]int{channel(26, 5), channel(21, 5), channel(16, 5), 15}
	} else {
		b = [4]int{channel(24, 4), channel(20, 4), channel(16, 4), int(word>>28&7) << 1}
	}
	return a, b
}

func (p *pvrtc) pixel(x, y int) (out rgba) {
	weight, transparent := p.weight(x, y)
	a, b := p.enlarged(0, x, y), p.enlarged(1, x, y)
	for k := range out {
		out[k] = uint8((a[k]*(8-weight) + b[k]*weight) / 8)
	}
	if transparent {
		out[3] = 0
	}
	return out
}

// enlarged returns a pixel of A or B enlarged: the pixel in the middle of a block has the block's color.
func (p *pvrtc) enlarged(picture, x, y int) (out [4]int) {
	x, y = (x-p.block/2+p.width)%p.width, (y-2+p.height)%p.height
	left, top := x/p.block, y/4
	right, low := (left+1)%p.columns, (top+1)%p.rows
	fx, fy := x%p.block, y%4
	c := p.colors[picture]
	for k := range out {
		v := (c[top*p.columns+left][k]*(p.block-fx)+c[top*p.columns+right][k]*fx)*(4-fy) +
			(c[low*p.columns+left][k]*(p.block-fx)+c[low*p.columns+right][k]*fx)*fy
		v = v * 8 / p.block // 32 times the color
		if k < 3 {
			out[k] = v>>7 + v>>2
		} else {
			out[k] = v>>5 + v>>1
		}
	}
	return out
}

// weight returns the weight of B in a pixel, in eighths, and whether the pixel is transparent.
func (p *pvrtc) weight(x, y int) (n int, hole bool) {
	if p.block == 8 {
		return p.weightOf2Bits(x, y), false
	}
	word := p.blockAt(x/4, y/4)
	v := little.Uint32(word) >> (2 * (y%4*4 + x%4)) & 3
	if word[4]&1 == 0 {
		return [4]int{0, 3, 5, 8}[v], false
	}
	return [4]int{0, 4, 4, 8}[v], v == 2
}

// How a block with 2 bits a pixel has its weights: a bit for each, or two bits for every other one, and the others are
// between their neighbors on all sides, on the left and right, or above and below.
const (
	storedEach = iota
	meanOfFour
	meanOfSides
	meanOfVertical
)

// weightOf2Bits returns the weight of a pixel in a block with 2 bits a pixel.
func (p *pvrtc) weightOf2Bits(x, y int) int {
	storedAt := func(dx, dy int) int { return p.storedWeight((x+dx+p.width)%p.width, (y+dy+p.height)%p.height) }
	mode, _ := p.blockWeights(x/8, y/4)
	switch {
	case mode == storedEach || (x^y)&1 == 0:
		return storedAt(0, 0)
	case mode == meanOfFour:
		return (storedAt(0, -1) + storedAt(0, 1) + storedAt(-1, 0) + storedAt(1, 0) + 2) / 4
	case mode == meanOfSides:
		return (storedAt(-1, 0) + storedAt(1, 0) + 1) / 2
	}
	return (storedAt(0, -1) + storedAt(0, 1) + 1) / 2
}

// storedWeight returns the stored weight of a pixel.
func (p *pvrtc) storedWeight(x, y int) int {
	mode, word := p.blockWeights(x/8, y/4)
	x, y = x%8, y%4
	if mode == storedEach {
		return int(word>>(8*y+x)&1) * 8
	}
	return [4]int{0, 3, 5, 8}[word>>(2*(4*y+x/2))&3]
}

// blockWeights returns the mode of a block and its stored weights. Two pixels have only one bit of their own where the
// other one is needed for the mode.
func (p *pvrtc) blockWeights(x, y int) (mode int, word uint32) {
	b := p.blockAt(x, y)
	word = little.Uint32(b)
	if b[4]&1 == 0 {
		return storedEach, word
	}
	repeatBit := func(bit int) { word = word&^(1<<bit) | word>>(bit+1)&1<<bit }
	mode = meanOfFour
	if word&1 == 1 {
		mode = meanOfSides + int(word>>20&1)
		repeatBit(20)
	}
	repeatBit(0)
	return mode, word
}
