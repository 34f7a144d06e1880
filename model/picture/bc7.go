package picture

import mathbits "math/bits"

// bc7Mode is what the bits of a block of BC7 are.
type bc7Mode struct {
	parts, partition int // how many parts, and bits that say which pixels are in them
	rotation, choice int // bits that say which channel is swapped with alpha, and which index is for the colors
	color, alpha     int // bits of a channel of a color
	own, shared      int // lowest bits of all channels of a color: one for each color, one for each part
	index, second    int // bits of an index of a pixel, and of its second one
}

var bc7Modes = [8]bc7Mode{
	{parts: 3, partition: 4, color: 4, own: 1, index: 3},
	{parts: 2, partition: 6, color: 6, shared: 1, index: 3},
	{parts: 3, partition: 6, color: 5, index: 2},
	{parts: 2, partition: 6, color: 7, own: 1, index: 2},
	{parts: 1, rotation: 2, choice: 1, color: 5, alpha: 6, index: 2, second: 3},
	{parts: 1, rotation: 2, color: 7, alpha: 8, index: 2, second: 2},
	{parts: 1, color: 7, alpha: 7, own: 1, index: 4},
	{parts: 2, partition: 6, color: 5, alpha: 5, own: 1, index: 2},
}

// bc7 reads a block. One of the mode that there is not is transparent black, as the processors have it.
func bc7(out *block, b []byte) {
	*out = block{}
	s := bitsOf(b)
	number := mathbits.TrailingZeros8(b[0])
	if number == 8 {
		return
	}
	s.take(number + 1)
	m := &bc7Modes[number]
	part, short := partition(m.parts, s.take(m.partition))
	rotation, choice := s.take(m.rotation), s.take(m.choice)
	ends := m.ends(&s)

	first := indices(&s, m.index, &short)
	colorIndex, colorBits, alphaIndex, alphaBits := first, m.index, first, m.index
	if m.second > 0 {
		second := indices(&s, m.second, &short)
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

// ends reads the two colors of each part, 8 bits a channel.
func (m *bc7Mode) ends(s *bits) (ends [6][4]int) {
	n := 2 * m.parts
	size := [4]int{m.color, m.color, m.color, m.alpha}
	for c, bits := range size {
		for e := range n {
			ends[e][c] = s.take(bits)
		}
	}
	if m.own+m.shared > 0 {
		low := 0
		for e := range n {
			if m.own > 0 || e%2 == 0 {
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

// indices reads an index for each pixel, of a bit less where short says so.
func indices(s *bits, size int, short *[16]bool) (out [16]int) {
	for i := range out {
		if short[i] {
			out[i] = s.take(size - 1)
		} else {
			out[i] = s.take(size)
		}
	}
	return out
}
