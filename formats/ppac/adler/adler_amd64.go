package adler

import (
	"encoding/binary"
	"hash"
	"hash/adler32"

	"golang.org/x/sys/cpu"
)

const (
	modulus = 65521
	block   = 32          // bytes that are taken at a time
	longest = 173 * block // bytes whose sums fit 32 bits when they start below the modulus
)

func fast() hash.Hash32 {
	if !cpu.X86.HasAVX2 {
		return nil
	}
	return &digest{s1: 1}
}

func checksum(p []byte) uint32 {
	if !cpu.X86.HasAVX2 {
		return adler32.Checksum(p)
	}
	d := digest{s1: 1}
	_, _ = d.Write(p)
	return d.Sum32()
}

// digest is the two sums, each below the modulus.
type digest struct{ s1, s2 uint32 }

// Write adds p; it never fails.
func (d *digest) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		part := p[:min(len(p), longest)]
		p = p[len(part):]
		d.add(part)
	}
	return n, nil
}

// add adds at most longest bytes.
func (d *digest) add(p []byte) {
	if n := len(p) / block; n > 0 {
		s1, s2 := sums(&p[0], n)
		d.s2 += d.s1*uint32(n*block) + s2
		d.s1 += s1
		p = p[n*block:]
	}
	for _, c := range p {
		d.s1 += uint32(c)
		d.s2 += d.s1
	}
	d.s1 %= modulus
	d.s2 %= modulus
}

// sums returns the sum of blocks*block bytes at p, and the sum of each byte times the number of bytes from it to the
// end. It needs AVX2; blocks is at least 1, and at most longest/block.
//
//go:noescape
func sums(p *byte, blocks int) (s1, s2 uint32)

// Sum32 is the sum.
func (d *digest) Sum32() uint32 { return d.s2<<16 | d.s1 }

// Sum appends the sum in big-endian order.
func (d *digest) Sum(in []byte) []byte { return binary.BigEndian.AppendUint32(in, d.Sum32()) }

// Reset makes it the hash of nothing.
func (d *digest) Reset() { *d = digest{s1: 1} }

// Size is that of a sum in bytes.
func (d *digest) Size() int { return 4 }

// BlockSize is what hash/adler32 says.
func (d *digest) BlockSize() int { return 4 }
