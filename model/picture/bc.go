package picture

import (
	"context"
	"encoding/binary"
	"image"
	mathbits "math/bits"
)

var little = binary.LittleEndian

// rgba is a pixel.
type rgba = [4]uint8

// block is 4 × 4 pixels, row by row.
type block = [16]rgba

func decodeBlocks(ctx context.Context, width, height int, b []byte, l *layout) (image.Image, error) {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	err := eachBlock(ctx, width, height, b, l.bytes, l.block, func(x, y int, row []rgba) {
		to := img.Pix[y*img.Stride+4*x:]
		for k := range row {
			copy(to[4*k:], row[k][:])
		}
	})
	return img, err
}

// eachBlock decodes blocks of some bytes, and calls put with the rows of pixels of each that are in the picture.
func eachBlock[P any](ctx context.Context, width, height int, b []byte, bytes int, decode func(out *[16]P, b []byte),
	put func(x, y int, row []P)) error {
	var px [16]P
	for y := 0; y < height; y += 4 {
		if err := ctx.Err(); err != nil {
			return err
		}
		for x := 0; x < width; x += 4 {
			decode(&px, b[:bytes])
			b = b[bytes:]
			for i := range min(4, height-y) {
				put(x, y+i, px[4*i:][:min(4, width-x)])
			}
		}
	}
	return nil
}

func bc1(out *block, b []byte) { readColors(out, b, rgba{}, true) }

func bc1Opaque(out *block, b []byte) { readColors(out, b, rgba{3: 0xff}, true) }

func bc2(out *block, b []byte) {
	readColors(out, b[8:], rgba{}, false)
	readAlpha4(out, b)
}

// readAlpha4 reads a block of alpha, four bits a pixel.
func readAlpha4(out *block, b []byte) {
	bits := little.Uint64(b)
	for i := range out {
		out[i][3] = uint8(bits>>(4*i)&15) * 17
	}
}

func bc3(out *block, b []byte) {
	readColors(out, b[8:], rgba{}, false)
	for i, a := range readChannel(b) {
		out[i][3] = a
	}
}

func bc4(out *block, b []byte) {
	for i, v := range readChannel(b) {
		out[i] = rgba{v, v, v, 0xff}
	}
}

func bc5(out *block, b []byte) {
	r, g := readChannel(b), readChannel(b[8:])
	for i := range out {
		out[i] = rgba{r[i], g[i], 0, 0xff}
	}
}

// readColors reads a block of colors: two of them, and for each pixel which of four mixtures it is. If the first is not
// greater than the second and hasThree is set, there are three mixtures, and the fourth color is fourth.
func readColors(out *block, b []byte, fourth rgba, hasThree bool) {
	c0, c1 := little.Uint16(b), little.Uint16(b[2:])
	palette := [4]rgba{expand565(c0), expand565(c1)}
	if hasThree && c0 <= c1 {
		palette[2], palette[3] = mixColors(palette[0], palette[1], 1, 1), fourth
	} else {
		palette[2], palette[3] = mixColors(palette[0], palette[1], 2, 1), mixColors(palette[0], palette[1], 1, 2)
	}
	bits := little.Uint32(b[4:])
	for i := range out {
		out[i] = palette[bits>>(2*i)&3]
	}
}

func mixColors(a, b rgba, m, n int) rgba {
	c := rgba{3: 0xff}
	for i := range 3 {
		c[i] = uint8((m*int(a[i]) + n*int(b[i])) / (m + n))
	}
	return c
}

func expand565(v uint16) rgba {
	r, g, b := uint8(v>>11), uint8(v>>5&0x3f), uint8(v&0x1f)
	return rgba{r<<3 | r>>2, g<<2 | g>>4, b<<3 | b>>2, 0xff}
}

// readChannel reads a block of one channel: two values, and for each pixel an index into eight values between them.
func readChannel(b []byte) (out [16]uint8) {
	v := [8]int{int(b[0]), int(b[1])}
	for i := 2; i < 8; i++ {
		switch {
		case v[0] > v[1]:
			v[i] = ((8-i)*v[0] + (i-1)*v[1]) / 7
		case i < 6:
			v[i] = ((6-i)*v[0] + (i-1)*v[1]) / 5
		case i == 7:
			v[i] = 0xff
		}
	}
	bits := little.Uint64(b) >> 16
	for i := range out {
		out[i] = uint8(v[bits>>(3*i)&7])
	}
	return out
}

// ATC, of AMD and later Qualcomm, has blocks like BC1 to BC3 with other colors. Its extension to OpenGL ES
// (GL_AMD_compressed_ATC_texture) does not specify how they are mixed; the weights here, 5 and 3 of 8, are as in public
// decoders of games' textures. Others use 2 and 1 of 3, which differs by up to 11 of 255.

func atc(out *block, b []byte) {
	first, last := little.Uint16(b), little.Uint16(b[2:])
	r, g, blue := uint8(first>>10&0x1f), uint8(first>>5&0x1f), uint8(first&0x1f)
	c := rgba{r<<3 | r>>2, g<<3 | g>>2, blue<<3 | blue>>2, 0xff}
	palette := [4]rgba{c, {}, {}, expand565(last)}
	if first&0x8000 == 0 {
		palette[1], palette[2] = mixColors(palette[0], palette[3], 5, 3), mixColors(palette[0], palette[3], 3, 5)
	} else {
		palette[0], palette[1], palette[2] = rgba{3: 0xff}, rgba{3: 0xff}, c
		for i := range 3 {
			palette[1][i] = uint8(max(0, int(c[i])-int(palette[3][i])/4))
		}
	}
	bits := little.Uint32(b[4:])
	for i := range out {
		out[i] = palette[bits>>(2*i)&3]
	}
}

// atcExplicit has four bits of alpha for each pixel.
func atcExplicit(out *block, b []byte) {
	atc(out, b[8:])
	readAlpha4(out, b)
}

// atcInterpolated has alpha between two values.
func atcInterpolated(out *block, b []byte) {
	atc(out, b[8:])
	for i, a := range readChannel(b) {
		out[i][3] = a
	}
}

// bc7Mode is the layout of the bits of a BC7 block.
type bc7Mode struct {
	parts, partition    int // the number of parts, and the bits that assign pixels to them
	rotation, choice    int // bits that choose the channel swapped with alpha, and the index for the colors
	color, alpha        int // bits of a channel of a color
	ownBits, sharedBits int // lowest bits of all channels of a color: one for each color, one for each part
	index, second       int // bits of an index of a pixel, and of its second one
}

var bc7Modes = [8]bc7Mode{
	{parts: 3, partition: 4, color: 4, ownBits: 1, index: 3},
	{parts: 2, partition: 6, color: 6, sharedBits: 1, index: 3},
	{parts: 3, partition: 6, color: 5, index: 2},
	{parts: 2, partition: 6, color: 7, ownBits: 1, index: 2},
	{parts: 1, rotation: 2, choice: 1, color: 5, alpha: 6, index: 2, second: 3},
	{parts: 1, rotation: 2, color: 7, alpha: 8, index: 2, second: 2},
	{parts: 1, color: 7, alpha: 7, ownBits: 1, index: 4},
	{parts: 2, partition: 6, color: 5, alpha: 5, ownBits: 1, index: 2},
}

// bc7 reads a block. A block of an undefined mode is transparent black, as on graphics processors.
func bc7(out *block, b []byte) {
	*out = block{}
	s := bitsOf(b)
	number := mathbits.TrailingZeros8(b[0])
	if number == 8 {
		return
	}
	s.take(number + 1)
	m := &bc7Modes[number]
	part, anchors := partitionOf(m.parts, s.take(m.partition))
	rotation, choice := s.take(m.rotation), s.take(m.choice)
	ends := m.readEnds(&s)

	first := readIndices(&s, m.index, &anchors)
	colorIndex, colorBits, alphaIndex, alphaBits := first, m.index, first, m.index
	if m.second > 0 {
		second := readIndices(&s, m.second, &anchors)
		alphaIndex, alphaBits = second, m.second
		if choice == 1 {
			colorIndex, colorBits, alphaIndex, alphaBits = second, m.second, first, m.index
		}
	}
	for i := range out {
		from, to := &ends[2*part[i]], &ends[2*part[i]+1]
		w := weights[colorBits][colorIndex[i]]
		p := rgba{}
		for c := range 3 {
			p[c] = uint8(blend(from[c], to[c], w))
		}
		p[3] = uint8(blend(from[3], to[3], weights[alphaBits][alphaIndex[i]]))
		if rotation > 0 {
			p[rotation-1], p[3] = p[3], p[rotation-1]
		}
		out[i] = p
	}
}

// readEnds reads the two colors of each part, 8 bits a channel.
func (m *bc7Mode) readEnds(s *bits) (ends [6][4]int) {
	n := 2 * m.parts
	size := [4]int{m.color, m.color, m.color, m.alpha}
	for c, bits := range size {
		for e := range n {
			ends[e][c] = s.take(bits)
		}
	}
	if m.ownBits+m.sharedBits > 0 {
		low := 0
		for e := range n {
			if m.ownBits > 0 || e%2 == 0 {
				low = s.take(1)
			}
			for c := range ends[e] {
				ends[e][c] = ends[e][c]<<1 | low
			}
		}
		for c := range size {
			if size[c] > 0 {
				size[c]++
			}
		}
	}
	for e := range n {
		for c, bits := range size {
			v := ends[e][c] << (8 - bits)
			ends[e][c] = v | v>>bits
		}
		if m.alpha == 0 {
			ends[e][3] = 0xff
		}
	}
	return ends
}

// readIndices reads an index for each pixel, with a bit less for the anchors.
func readIndices(s *bits, size int, anchors *[16]bool) (out [16]int) {
	for i := range out {
		if anchors[i] {
			out[i] = s.take(size - 1)
		} else {
			out[i] = s.take(size)
		}
	}
	return out
}

// The tables of this file are BPTC's in the Khronos Data Format Specification: how BC6H and BC7 part a block, and which
// pixel of each part omits the highest bit of its index because it is 0. In the first part it is the first pixel.

// twoParts has a bit for each pixel: the part it is in.
var twoParts = [64]uint16{
	0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80,
	0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000,
	0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce,
	0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c,
	0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a,
	0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660,
	0x0272, 0x04e4, 0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6, 0x639c,
	0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
}

// threeParts has two bits for each pixel.
var threeParts = [64]uint32{
	0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
	0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
	0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
	0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
	0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
	0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
	0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
	0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
}

var (
	// twoPartAnchors is the anchor pixel of the second of two parts.
	twoPartAnchors = [64]uint8{
		15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
		15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8, 8, 2, 2,
		15, 15, 6, 8, 2, 8, 15, 15, 2, 8, 2, 2, 2, 15, 15, 6,
		6, 2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15, 15, 2, 2, 15,
	}
	// threePartAnchors and lastThreePartAnchors are for the second and third of three.
	threePartAnchors = [64]uint8{
		3, 3, 15, 15, 8, 3, 15, 15, 8, 8, 6, 6, 6, 5, 3, 3,
		3, 3, 8, 15, 3, 3, 6, 10, 5, 8, 8, 6, 8, 5, 15, 15,
		8, 15, 3, 5, 6, 10, 8, 15, 15, 3, 15, 5, 15, 15, 15, 15,
		3, 15, 5, 5, 5, 8, 5, 10, 5, 10, 8, 13, 15, 12, 3, 3,
	}
	lastThreePartAnchors = [64]uint8{
		15, 8, 8, 3, 15, 15, 3, 8, 15, 15, 15, 15, 15, 15, 15, 8,
		15, 8, 15, 3, 15, 8, 15, 8, 3, 15, 6, 10, 15, 15, 10, 8,
		15, 3, 15, 10, 10, 8, 9, 10, 6, 15, 8, 15, 3, 6, 6, 8,
		15, 3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3, 15, 15, 8,
	}
)

// partitionOf returns the part of each pixel, and whether its index has a bit less.
func partitionOf(parts, number int) (part [16]uint8, anchors [16]bool) {
	anchors[0] = true
	switch parts {
	case 2:
		for i := range part {
			part[i] = uint8(twoParts[number] >> i & 1)
		}
		anchors[twoPartAnchors[number]] = true
	case 3:
		for i := range part {
			part[i] = uint8(threeParts[number] >> (2 * i) & 3)
		}
		anchors[threePartAnchors[number]], anchors[lastThreePartAnchors[number]] = true, true
	}
	return part, anchors
}

// weights are the shares, in 64ths, of the second color in the mixture, by the number of bits of an index.
var weights = [5][]int{
	2: {0, 21, 43, 64},
	3: {0, 9, 18, 27, 37, 46, 55, 64},
	4: {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64},
}

func blend(a, b, weight int) int { return (a*(64-weight) + b*weight + 32) >> 6 }
