package checksum

import (
	"bytes"
	"hash/adler32"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

const piece = 5536 // bytes that the assembly sums at once

func TestAdler32IsThatOfTheStandardLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := make([]byte, 3*piece+77)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	most := bytes.Repeat([]byte{0xff}, len(random)) // the largest possible sums
	for _, content := range [][]byte{random, most, make([]byte, len(random))} {
		for _, n := range []int{0, 1, 31, 32, 33, 63, 64, 65, 1000, piece - 1, piece, piece + 1, 2*piece + 31,
			len(content)} {
			for _, from := range []int{0, 1, 13} { // blocks need not be aligned
				part := content[min(from, n):n]
				h := NewAdler32()
				_, err := h.Write(part)
				assert.NoError(t, err)
				assert.Equal(t, adler32.Checksum(part), h.Sum32(), "%d bytes from %d", n, from)
			}
		}
	}
}

func TestAdler32OfSeveralWritesIsThatOfAllBytes(t *testing.T) {
	h, want := NewAdler32(), adler32.New()
	piece := bytes.Repeat([]byte{0xff, 0xfe, 1}, 5000)
	for n := range 200 {
		_, _ = h.Write(piece[:n*n%len(piece)])
		_, _ = want.Write(piece[:n*n%len(piece)])
	}
	assert.Equal(t, want.Sum([]byte{7}), h.Sum([]byte{7}))
	h.Reset()
	assert.EqualValues(t, 1, h.Sum32())
	assert.Equal(t, want.Size(), h.Size())
}

func FuzzAdler32(f *testing.F) {
	f.Add([]byte("Wikipedia"), 3)
	f.Add(bytes.Repeat([]byte{0xff}, 100), 50)
	f.Fuzz(func(t *testing.T, p []byte, cut int) {
		cut = min(max(cut, 0), len(p))
		h := NewAdler32()
		_, _ = h.Write(p[:cut])
		_, _ = h.Write(p[cut:])
		assert.Equal(t, adler32.Checksum(p), h.Sum32())
	})
}

func BenchmarkAdler32(b *testing.B) {
	p := make([]byte, 256<<10)
	b.SetBytes(int64(len(p)))
	h := NewAdler32()
	for b.Loop() {
		_, _ = h.Write(p)
	}
}
