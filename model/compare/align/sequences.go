package align

import (
	"bytes"
	"context"
	"io"
	"sort"

	"assay/model"
)

// Unique is an element that occurs once on either side.
type Unique struct {
	A, B    int32 // its index on each side
	InOrder bool  // it belongs to a longest run in the same order on both sides
}

const (
	noElement int32 = -1 // there is no such element
	repeated  int32 = -2 // there is more than one
)

// Uniques returns the elements that occur once in na elements and once in nb, in the order of b. The functions return
// a hash of each element.
func Uniques(na, nb int, a, b func(i int) uint64) []Unique {
	type occurrence struct{ a, b int32 }
	occurrences := make(map[uint64]occurrence, na)
	for i := range na {
		p := occurrence{int32(i), noElement}
		if _, twice := occurrences[a(i)]; twice {
			p.a = repeated
		}
		occurrences[a(i)] = p
	}
	for i := range nb {
		if p, ok := occurrences[b(i)]; ok && p.a != repeated && p.b != repeated {
			if p.b == noElement {
				p.b = int32(i)
			} else {
				p.b = repeated
			}
			occurrences[b(i)] = p
		}
	}
	var found []Unique
	var seq []int32
	for i := range nb {
		if p, ok := occurrences[b(i)]; ok && p.a != repeated && p.b == int32(i) {
			found, seq = append(found, Unique{A: p.a, B: p.b}), append(seq, p.a)
		}
	}
	for k, rises := range LongestRising(seq) {
		found[k].InOrder = rises
	}
	return found
}

// LongestRising marks the members of a longest rising subsequence.
func LongestRising(seq []int32) []bool {
	tails := make([]int32, 0, len(seq)) // index in seq of the smallest end of a run of each length
	before := make([]int32, len(seq))
	for k, v := range seq {
		n := sort.Search(len(tails), func(t int) bool { return seq[tails[t]] >= v })
		before[k] = noElement
		if n > 0 {
			before[k] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, int32(k))
		} else {
			tails[n] = int32(k)
		}
	}
	keep := make([]bool, len(seq))
	if len(tails) > 0 {
		for k := tails[len(tails)-1]; k != noElement; k = before[k] {
			keep[k] = true
		}
	}
	return keep
}

// streamSize is the number of bytes of a file that are read at a time.
const streamSize = 1 << 20

// FirstDifference returns the number of bytes that a from aOffset and b from bOffset have in common, at most n.
func FirstDifference(ctx context.Context, a io.ReaderAt, aOffset int64, b io.ReaderAt, bOffset, n int64,
	progress model.Progress) (int64, error) {
	size := min(n, streamSize)
	x, y := make([]byte, size), make([]byte, size)
	for offset := int64(0); offset < n; offset += size {
		if err := ctx.Err(); err != nil {
			return offset, err
		}
		if progress != nil {
			progress(offset, n)
		}
		k := min(size, n-offset)
		if err := readFull(a, x[:k], aOffset+offset); err != nil {
			return offset, err
		}
		if err := readFull(b, y[:k], bOffset+offset); err != nil {
			return offset, err
		}
		if !bytes.Equal(x[:k], y[:k]) {
			return offset + int64(commonPrefix(x[:k], y[:k])), nil
		}
	}
	return n, nil
}

// IsFlipped reports whether new, instead of old, is the left one of two files that first differ at an offset.
// Exchanging the files inverts the result.
func IsFlipped(old io.ReaderAt, oldSize int64, new io.ReaderAt, newSize, offset int64) (bool, error) {
	if oldSize != newSize || offset >= oldSize {
		return oldSize > newSize, nil
	}
	var x, y [1]byte
	if err := readFull(old, x[:], offset); err != nil {
		return false, err
	}
	err := readFull(new, y[:], offset)
	return x[0] > y[0], err
}

func readFull(r io.ReaderAt, p []byte, off int64) error {
	n, err := r.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// commonPrefix returns the number of bytes that both begin with.
func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	lo := 0
	for step := 4096; step > 0; step /= 16 {
		for lo+step <= n && bytes.Equal(a[lo:lo+step], b[lo:lo+step]) {
			lo += step
		}
	}
	return lo
}

// commonSuffix returns the number of bytes that both end with.
func commonSuffix(a, b []byte) int {
	n := min(len(a), len(b))
	k := 0
	for step := 4096; step > 0; step /= 16 {
		for k+step <= n && bytes.Equal(a[len(a)-k-step:len(a)-k], b[len(b)-k-step:len(b)-k]) {
			k += step
		}
	}
	return k
}

// CommonEnds returns the numbers of equal elements at the beginning of two lists and, of the rest, at the end.
func CommonEnds[T comparable](a, b []T) (head, tail int) {
	limit := min(len(a), len(b))
	for head < limit && a[head] == b[head] {
		head++
	}
	for tail < limit-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}
