// Package adler computes Adler-32 (RFC 1950, section 8.2) as hash/adler32 does, many times faster where the processor
// has AVX2: a package of a gigabyte is verified while it is copied, and the sum took longer than the copy. Once the
// standard library does the same without an experiment, this package can go.
package adler

import (
	"hash"
	"hash/adler32"
)

// New returns a hash of nothing, whose sum is 1. Sum appends the four bytes in big-endian order.
func New() hash.Hash32 {
	if h := fast(); h != nil {
		return h
	}
	return adler32.New()
}

// Checksum returns the sum of p.
func Checksum(p []byte) uint32 { return checksum(p) }
