package align

import (
	"bytes"
	"context"
	"io"

	"assay/model"
)

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
