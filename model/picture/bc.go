package picture

import (
	"context"
	"encoding/binary"
	"image"
)

var little = binary.LittleEndian

// rgba is a pixel.
type rgba = [4]uint8

// block is 4 × 4 pixels, row by row.
type block = [16]rgba

func blocksOfBytes(ctx context.Context, width, height int, b []byte, l *layout) (image.Image, error) {
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

func bc1(out *block, b []byte) { colors(out, b, rgba{}, true) }

func bc1Opaque(out *block, b []byte) { colors(out, b, rgba{3: 0xff}, true) }

func bc2(out *block, b []byte) {
	colors(out, b[8:], rgba{}, false)
	nibbles(out, b)
}

// nibbles reads a block of alpha, four bits a pixel.
func nibbles(out *block, b []byte) {
	bits := little.Uint64(b)
	for i := range out {
		out[i][3] = uint8(bits>>(4*i)&15) * 17
	}
}

func bc3(out *block, b []byte) {
	colors(out, b[8:], rgba{}, false)
	for i, a := range ramp(b) {
		out[i][3] = a
	}
}

func bc4(out *block, b []byte) {
	for i, v := range ramp(b) {
		out[i] = rgba{v, v, v, 0xff}
	}
}

func bc5(out *block, b []byte) {
	r, g := ramp(b), ramp(b[8:])
	for i := range out {
		out[i] = rgba{r[i], g[i], 0, 0xff}
	}
}

// colors reads a block of colors: two of them, and for each pixel which of four mixtures it is. Where the first is not
// greater than the second and three says so, there are three mixtures, and the fourth is other.
func colors(out *block, b []byte, other rgba, three bool) {
	c0, c1 := little.Uint16(b), little.Uint16(b[2:])
	p := [4]rgba{expand565(c0), expand565(c1)}
	if three && c0 <= c1 {
		p[2], p[3] = mixed(p[0], p[1], 1, 1), other
	} else {
		p[2], p[3] = mixed(p[0], p[1], 2, 1), mixed(p[0], p[1], 1, 2)
	}
	bits := little.Uint32(b[4:])
	for i := range out {
		out[i] = p[bits>>(2*i)&3]
	}
}

func mixed(a, b rgba, m, n int) rgba {
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

// ramp reads a block of one channel: two values, and for each pixel which of eight between them it is.
func ramp(b []byte) (out [16]uint8) {
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
