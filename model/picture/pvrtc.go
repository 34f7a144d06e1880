package picture

import (
	"context"
	"fmt"
	"image"
)

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
	if f == PVRTC2 {
		w = max(width, 16)
	}
	return w, h
}

func decodePVRTC(ctx context.Context, f Format, width, height int, b []byte) (image.Image, error) {
	p := &pvrtc{b: b, block: 4}
	if f == PVRTC2 {
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
	share, transparent := p.weight(x, y)
	a, b := p.enlarged(0, x, y), p.enlarged(1, x, y)
	for k := range out {
		out[k] = uint8((a[k]*(8-share) + b[k]*share) / 8)
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
		return p.weight2(x, y), false
	}
	word := p.blockAt(x/4, y/4)
	v := little.Uint32(word) >> (2 * (y%4*4 + x%4)) & 3
	if word[4]&1 == 0 {
		return [4]int{0, 3, 5, 8}[v], false
	}
	return [4]int{0, 4, 4, 8}[v], v == 2
}

// How a block with 2 bits a pixel has its shares: a bit for each, or two bits for every other one, and the others are
// between their neighbors on all sides, on the left and right, or above and below.
const (
	storedEach = iota
	meanOfFour
	meanOfSides
	meanOfVertical
)

// weight2 is the weight in a block with 2 bits a pixel.
func (p *pvrtc) weight2(x, y int) int {
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

// storedWeight returns the share of a pixel that is stored.
func (p *pvrtc) storedWeight(x, y int) int {
	mode, word := p.blockWeights(x/8, y/4)
	x, y = x%8, y%4
	if mode == storedEach {
		return int(word>>(8*y+x)&1) * 8
	}
	return [4]int{0, 3, 5, 8}[word>>(2*(4*y+x/2))&3]
}

// blockWeights returns the mode of a block and its shares. Two pixels have only one bit of their own where the other
// one is needed for the mode.
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
