package sound

import (
	"errors"
	"math/bits"
)

// The decoder allocates what the codebooks of a Vorbis stream claim before it looks whether they are there. So their
// claims are read first (Vorbis I specification, section 3.2.1).

const (
	entriesMost = 1 << 20 // of a codebook
	valuesMost  = 1 << 22 // of all
)

var errCodebooks = errors.New("invalid Vorbis codebooks")

// bitReader reads numbers of any width, the lowest bit first. Past the end it reads zeros.
type bitReader struct {
	b  []byte
	at int
}

func (r *bitReader) read(n int) (v uint32) {
	for i := range n {
		if k := r.at / 8; k < len(r.b) {
			v |= uint32(r.b[k]>>(r.at%8)&1) << i
		}
		r.at++
	}
	return v
}

func (r *bitReader) ended() bool { return r.at > 8*len(r.b) }

// checkCodebooks looks at the codebooks of a setup header.
func checkCodebooks(setup []byte) error {
	const head = 7 // "\x05vorbis"
	if len(setup) < head+1 {
		return errCodebooks
	}
	r := &bitReader{b: setup[head:]}
	total := 0
	for range int(r.read(8)) + 1 {
		n, ok := checkCodebook(r)
		if total += n; !ok || total > valuesMost || r.ended() {
			return errCodebooks
		}
	}
	return nil
}

// checkCodebook reads a codebook and returns how many values it claims.
func checkCodebook(r *bitReader) (values int, ok bool) {
	if r.read(24) != 0x564342 {
		return 0, false
	}
	dimensions, entries := int(r.read(16)), int(r.read(24))
	if entries == 0 || entries > entriesMost || dimensions*entries > valuesMost {
		return 0, false
	}
	if r.read(1) == 1 { // ordered
		r.read(5)
		for n := 0; n < entries; {
			k := int(r.read(bits.Len(uint(entries - n))))
			if n += k; n > entries || r.ended() {
				return 0, false
			}
		}
	} else {
		sparse := r.read(1) == 1
		for range entries {
			if !sparse || r.read(1) == 1 {
				r.read(5)
			}
			if r.ended() {
				return 0, false
			}
		}
	}
	lookup := r.read(4)
	if lookup == 0 {
		return entries, true
	}
	if lookup > 2 || dimensions == 0 {
		return 0, false
	}
	r.read(32)
	r.read(32)
	width := int(r.read(4)) + 1
	r.read(1)
	count := dimensions * entries
	if lookup == 1 {
		count = root(entries, dimensions)
	}
	r.at += count * width
	return dimensions*entries + entries, !r.ended()
}

// root is the largest number whose power of dimensions is at most entries.
func root(entries, dimensions int) int {
	fits := func(v int) bool {
		power := 1
		for range dimensions {
			if power *= v; power > entries {
				return false
			}
			if v == 1 {
				break
			}
		}
		return true
	}
	n := 1
	for fits(n + 1) {
		n++
	}
	return n
}
