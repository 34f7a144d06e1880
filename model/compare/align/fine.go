package align

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"sort"

	"assay/model"
)

const (
	gramSize = 8       // bytes that must be the same, and occur once, to align a small part by them
	maxTable = 1 << 20 // cells of the table that aligns the smallest parts exactly
	minRun   = 4       // bytes that must be the same to interrupt an edit, unless their index is the same
)

// alignInMemory aligns small spans in memory.
func (a *aligner) alignInMemory(l, r model.Span) {
	x := make([]byte, l.Size)
	y := make([]byte, r.Size)
	if a.fail(readFull(a.l, x, l.Offset)) || a.fail(readFull(a.r, y, r.Offset)) {
		return
	}
	f := &memoryAligner{a: a, x: x, y: y, l: l.Offset, r: r.Offset}
	f.align(0, len(x), 0, len(y))
}

// memoryAligner aligns bytes in memory; l and r are their offsets in the files.
type memoryAligner struct {
	a    *aligner
	x, y []byte
	l, r int64
}

func (f *memoryAligner) add(i, iEnd, j, jEnd int) {
	f.a.add(model.Span{Offset: f.l + int64(i), Size: int64(iEnd - i)},
		model.Span{Offset: f.r + int64(j), Size: int64(jEnd - j)})
}

// align finds the edits between x[i:iEnd] and y[j:jEnd].
func (f *memoryAligner) align(i, iEnd, j, jEnd int) {
	k := commonPrefix(f.x[i:iEnd], f.y[j:jEnd])
	i, j = i+k, j+k
	k = commonSuffix(f.x[i:iEnd], f.y[j:jEnd])
	iEnd, jEnd = iEnd-k, jEnd-k
	if i == iEnd || j == jEnd {
		f.add(i, iEnd, j, jEnd)
		return
	}
	if runs := f.grams(i, iEnd, j, jEnd); len(runs) > 0 {
		for _, m := range runs {
			f.align(i, int(m.l), j, int(m.r))
			i, j = int(m.l+m.n), int(m.r+m.n)
		}
		f.align(i, iEnd, j, jEnd)
		return
	}
	if iEnd-i == jEnd-j {
		f.inPlace(i, iEnd, j)
		return
	}
	if (iEnd-i)*(jEnd-j) <= maxTable {
		f.table(i, iEnd, j, jEnd)
		return
	}
	f.add(i, iEnd, j, jEnd)
}

// grams finds runs that begin with eight bytes which occur once on either side.
func (f *memoryAligner) grams(i, iEnd, j, jEnd int) []anchor {
	if iEnd-i < gramSize || jEnd-j < gramSize {
		return nil
	}
	gramAt := func(b []byte, from int) func(k int) uint64 {
		return func(k int) uint64 { return binary.LittleEndian.Uint64(b[from+k:]) }
	}
	var out []anchor
	endL, endR := i, j
	for _, u := range Uniques(iEnd-i-gramSize+1, jEnd-j-gramSize+1, gramAt(f.x, i), gramAt(f.y, j)) {
		l, r := i+int(u.A), j+int(u.B)
		if !u.InOrder || l < endL || r < endR {
			continue
		}
		n := commonPrefix(f.x[l:iEnd], f.y[r:jEnd])
		back := commonSuffix(f.x[endL:l], f.y[endR:r])
		l, r, n = l-back, r-back, n+back
		out = append(out, anchor{int64(l), int64(r), int64(n)})
		endL, endR = l+n, r+n
	}
	return out
}

// inPlace compares x[i:iEnd] with as many bytes of y from j on.
func (f *memoryAligner) inPlace(i, iEnd, j int) {
	for i < iEnd {
		k := commonPrefix(f.x[i:iEnd], f.y[j:j+iEnd-i])
		i, j = i+k, j+k
		fromL, fromR := i, j
		for i < iEnd && f.x[i] != f.y[j] {
			i++
			j++
		}
		f.add(fromL, i, fromR, j)
	}
}

// table aligns by the longest common subsequence; short runs count little.
func (f *memoryAligner) table(i, iEnd, j, jEnd int) {
	n, m := iEnd-i, jEnd-j
	best := make([]int32, (n+1)*(m+1))
	w := m + 1
	for p := n - 1; p >= 0; p-- {
		for q := m - 1; q >= 0; q-- {
			b := max(best[(p+1)*w+q], best[p*w+q+1])
			if f.x[i+p] == f.y[j+q] {
				b = max(b, best[(p+1)*w+q+1]+1)
			}
			best[p*w+q] = b
		}
	}
	fromL, fromR := i, j
	for p, q := 0, 0; p < n && q < m; {
		if f.x[i+p] != f.y[j+q] {
			if best[(p+1)*w+q] >= best[p*w+q+1] {
				p++
			} else {
				q++
			}
			continue
		}
		k := 0
		for p+k < n && q+k < m && f.x[i+p+k] == f.y[j+q+k] {
			k++
		}
		if k >= minRun {
			f.replace(fromL, i+p, fromR, j+q)
			fromL, fromR = i+p+k, j+q+k
		}
		p, q = p+k, q+k
	}
	f.replace(fromL, iEnd, fromR, jEnd)
}

// replace adds an edit, byte by byte if both sides have one length.
func (f *memoryAligner) replace(i, iEnd, j, jEnd int) {
	if iEnd-i == jEnd-j {
		f.inPlace(i, iEnd, j)
		return
	}
	f.add(i, iEnd, j, jEnd)
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
