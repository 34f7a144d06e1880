package picture

import (
	"context"
	"image"
	"strconv"
	"strings"
)

// bc6Mode is the layout of the bits of a BC6H block.
type bc6Mode struct {
	code, codeBits int
	parts          int
	bits           int    // of a channel of the first color
	delta          [3]int // bits of a channel of the others
	isRelative     bool   // the others are differences to the first
	fields         []bc6Field
}

// bc6Field is a run of bits of one channel, from low to high, or from high to low if isReversed is set.
type bc6Field struct {
	channel, end int
	low, high    int
	isReversed   bool
}

// bc6Modes are the modes with their bits as the specification of BPTC lists them: r, g and b are channels, w, x, y
// and z the colors: two of each part.
var bc6Modes = []bc6Mode{
	twoPartMode(0x00, 2, 10, [3]int{5, 5, 5}, true,
		"gy4 by4 bz4 rw9:0 gw9:0 bw9:0 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"),
	twoPartMode(0x01, 2, 7, [3]int{6, 6, 6}, true, "gy5 gz4 gz5 rw6:0 bz0 bz1 by4 gw6:0 by5 bz2 gy4 bw6:0 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 ry5:0 rz5:0"),
	twoPartMode(0x02, 5, 11, [3]int{5, 4, 4}, true,
		"rw9:0 gw9:0 bw9:0 rx4:0 rw10 gy3:0 gx3:0 gw10 bz0 gz3:0 bx3:0 bw10 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"),
	twoPartMode(0x06, 5, 11, [3]int{4, 5, 4}, true,
		"rw9:0 gw9:0 bw9:0 rx3:0 rw10 gz4 gy3:0 gx4:0 gw10 gz3:0 bx3:0 bw10 bz1 by3:0 ry3:0 bz0 bz2 rz3:0 gy4 bz3"),
	twoPartMode(0x0a, 5, 11, [3]int{4, 4, 5}, true,
		"rw9:0 gw9:0 bw9:0 rx3:0 rw10 by4 gy3:0 gx3:0 gw10 bz0 gz3:0 bx4:0 bw10 by3:0 ry3:0 bz1 bz2 rz3:0 bz4 bz3"),
	twoPartMode(0x0e, 5, 9, [3]int{5, 5, 5}, true,
		"rw8:0 by4 gw8:0 gy4 bw8:0 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"),
	twoPartMode(0x12, 5, 8, [3]int{6, 5, 5}, true,
		"rw7:0 gz4 by4 gw7:0 bz2 gy4 bw7:0 bz3 bz4 rx5:0 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry5:0 rz5:0"),
	twoPartMode(0x16, 5, 8, [3]int{5, 6, 5}, true,
		"rw7:0 bz0 by4 gw7:0 gy5 gy4 bw7:0 gz5 bz4 rx4:0 gz4 gy3:0 gx5:0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"),
	twoPartMode(0x1a, 5, 8, [3]int{5, 5, 6}, true,
		"rw7:0 bz1 by4 gw7:0 by5 gy4 bw7:0 bz5 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx5:0 by3:0 ry4:0 bz2 rz4:0 bz3"),
	twoPartMode(0x1e, 5, 6, [3]int{6, 6, 6}, false, "rw5:0 gz4 bz0 bz1 by4 gw5:0 gy5 by5 bz2 gy4 bw5:0 gz5 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 ry5:0 rz5:0"),
	onePartMode(0x03, 10, 10, false, "rw9:0 gw9:0 bw9:0 rx9:0 gx9:0 bx9:0"),
	onePartMode(0x07, 11, 9, true, "rw9:0 gw9:0 bw9:0 rx8:0 rw10 gx8:0 gw10 bx8:0 bw10"),
	onePartMode(0x0b, 12, 8, true, "rw9:0 gw9:0 bw9:0 rx7:0 rw10:11 gx7:0 gw10:11 bx7:0 bw10:11"),
	onePartMode(0x0f, 16, 4, true, "rw9:0 gw9:0 bw9:0 rx3:0 rw10:15 gx3:0 gw10:15 bx3:0 bw10:15"),
}

func twoPartMode(code, codeBits, bits int, delta [3]int, isRelative bool, fields string) bc6Mode {
	return bc6Mode{code: code, codeBits: codeBits, parts: 2, bits: bits, delta: delta, isRelative: isRelative,
		fields: bc6Fields(fields)}
}

func onePartMode(code, bits, delta int, isRelative bool, fields string) bc6Mode {
	return bc6Mode{code: code, codeBits: 5, parts: 1, bits: bits, delta: [3]int{delta, delta, delta},
		isRelative: isRelative, fields: bc6Fields(fields)}
}

func bc6Fields(list string) []bc6Field {
	var fields []bc6Field
	for s := range strings.FieldsSeq(list) {
		f := bc6Field{channel: strings.IndexByte("rgb", s[0]), end: strings.IndexByte("wxyz", s[1])}
		from, to, ranged := strings.Cut(s[2:], ":")
		f.high, _ = strconv.Atoi(from)
		f.low = f.high
		if ranged {
			f.low, _ = strconv.Atoi(to)
		}
		if f.low > f.high {
			f.low, f.high, f.isReversed = f.high, f.low, true
		}
		fields = append(fields, f)
	}
	return fields
}

// bc6ModeOf finds the mode of a block by its lowest bits, or nil.
func bc6ModeOf(s *bits) *bc6Mode {
	for i := range bc6Modes {
		m := &bc6Modes[i]
		if int(s.low)&(1<<m.codeBits-1) == m.code {
			s.take(m.codeBits)
			return m
		}
	}
	return nil
}

// halves is 4 × 4 pixels of three halves, row by row.
type halves = [16][3]uint16

// decodeHalves returns the picture that blocks of BC6H hold.
func decodeHalves(ctx context.Context, width, height int, b []byte, signed bool) (image.Image, error) {
	img := &Deep{width: width, height: height, channels: 3, sample: sampleHalf, pix: make([]byte, 6*width*height)}
	decode := func(out *halves, b []byte) { bc6h(out, b, signed) }
	err := eachBlock(ctx, width, height, b, 16, decode, func(x, y int, row [][3]uint16) {
		to := img.pix[6*(y*width+x):]
		for k, pixel := range row {
			for c, v := range pixel {
				little.PutUint16(to[6*k+2*c:], v)
			}
		}
	})
	return img, err
}

// bc6h reads a block. A block of an undefined mode is black, as on graphics processors.
func bc6h(out *halves, b []byte, signed bool) {
	*out = halves{}
	s := bitsOf(b)
	m := bc6ModeOf(&s)
	if m == nil {
		return
	}
	ends := m.readEnds(&s, signed)
	number, size := 0, 4
	if m.parts == 2 {
		number, size = s.take(5), 3
	}
	part, anchors := partitionOf(m.parts, number)
	for i, index := range readIndices(&s, size, &anchors) {
		from, to := &ends[2*part[i]], &ends[2*part[i]+1]
		for c := range 3 {
			out[i][c] = finishHalf(blend(from[c], to[c], weights[size][index]), signed)
		}
	}
}

// readEnds reads the two colors of each part and spreads them over 16 bits.
func (m *bc6Mode) readEnds(s *bits, signed bool) (ends [4][3]int) {
	for _, f := range m.fields {
		if !f.isReversed {
			ends[f.end][f.channel] |= s.take(f.high-f.low+1) << f.low
			continue
		}
		for bit := f.high; bit >= f.low; bit-- {
			ends[f.end][f.channel] |= s.take(1) << bit
		}
	}
	for c := range 3 {
		if signed {
			ends[0][c] = signExtend(ends[0][c], m.bits)
		}
		for e := 1; e < 2*m.parts; e++ {
			v := &ends[e][c]
			if m.isRelative || signed {
				*v = signExtend(*v, m.delta[c])
			}
			if m.isRelative {
				*v = (*v + ends[0][c]) & (1<<m.bits - 1)
				if signed {
					*v = signExtend(*v, m.bits)
				}
			}
		}
		for e := range 2 * m.parts {
			ends[e][c] = expandTo16(ends[e][c], m.bits, signed)
		}
	}
	return ends
}

// signExtend returns the value of a two's complement number with bits bits.
func signExtend(v, bits int) int {
	if v&(1<<(bits-1)) != 0 {
		v |= -1 << bits
	}
	return v
}

// expandTo16 scales the value of a channel to 16 bits, so that the ends of the ranges correspond.
func expandTo16(v, bits int, signed bool) int {
	if !signed {
		switch {
		case bits >= 15 || v == 0:
			return v
		case v == 1<<bits-1:
			return 0xffff
		}
		return (v<<16 + 0x8000) >> bits
	}
	if bits >= 16 {
		return v
	}
	size, sign := v, 1
	if v < 0 {
		size, sign = -v, -1
	}
	switch {
	case size == 0:
		return 0
	case size >= 1<<(bits-1)-1:
		return sign * 0x7fff
	}
	return sign * ((size<<15 + 0x4000) >> (bits - 1))
}

// finishHalf makes the bits of a half of a channel of 16 bits: the largest is just below infinity.
func finishHalf(v int, signed bool) uint16 {
	switch {
	case !signed:
		return uint16(v * 31 >> 6)
	case v < 0:
		return uint16(-v*31>>5) | 0x8000
	}
	return uint16(v * 31 >> 5)
}
