package align

import (
	"bytes"
	"context"
	"io"

	"assay/model"
)

// streamSize is how many bytes of a file are read at a time.
const streamSize = 1 << 20

// FirstDifference returns the number of bytes that a from aAt and b from bAt have in common, at most n.
func FirstDifference(ctx context.Context, a io.ReaderAt, aAt int64, b io.ReaderAt, bAt, n int64,
	progress model.Progress) (int64, error) {
	size := min(n, streamSize)
	x, y := make([]byte, size), make([]byte, size)
	for at := int64(0); at < n; at += size {
		if err := ctx.Err(); err != nil {
			return at, err
		}
		if progress != nil {
			progress(at, n)
		}
		k := min(size, n-at)
		if err := readFull(a, x[:k], aAt+at); err != nil {
			return at, err
		}
		if err := readFull(b, y[:k], bAt+at); err != nil {
			return at, err
		}
		if !bytes.Equal(x[:k], y[:k]) {
			return at + int64(commonPrefix(x[:k], y[:k])), nil
		}
	}
	return n, nil
}

// Flipped decides which of two files that first differ at an offset is the left one: false for old. What is found in
// that direction for b and a mirrors what is found for a and b.
func Flipped(old io.ReaderAt, oldSize int64, new io.ReaderAt, newSize, at int64) (bool, error) {
	if oldSize != newSize || at >= oldSize {
		return oldSize > newSize, nil
	}
	var x, y [1]byte
	if err := readFull(old, x[:], at); err != nil {
		return false, err
	}
	err := readFull(new, y[:], at)
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

// commonPrefix is the number of bytes that both begin with.
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

// commonSuffix is the number of bytes that both end with.
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
