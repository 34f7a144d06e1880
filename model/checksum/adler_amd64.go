package checksum

import (
	"encoding/binary"
	"hash"
	"hash/adler32"

	"golang.org/x/sys/cpu"
)

const (
	adlerModulus = 65521
	adlerBlock   = 32               // bytes that are taken at a time
	adlerLongest = 173 * adlerBlock // bytes whose sums fit 32 bits when they start below the modulus
)

func fastAdler32() hash.Hash32 {
	if !cpu.X86.HasAVX2 {
		return nil
	}
	return &adlerDigest{s1: 1}
}

func adlerOf(p []byte) uint32 {
	if !cpu.X86.HasAVX2 {
		return adler32.Checksum(p)
	}
	d := adlerDigest{s1: 1}
	_, _ = d.Write(p)
	return d.Sum32()
}

// adlerDigest is the two sums, each below the modulus.
type adlerDigest struct{ s1, s2 uint32 }

// Write adds p; it never fails.
func (d *adlerDigest) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		part := p[:min(len(p), adlerLongest)]
		p = p[len(part):]
		d.add(part)
	}
	return n, nil
}

// add adds at most adlerLongest bytes.
func (d *adlerDigest) add(p []byte) {
	if n := len(p) / adlerBlock; n > 0 {
		s1, s2 := adlerSums(&p[0], n)
		d.s2 += d.s1*uint32(n*adlerBlock) + s2
		d.s1 += s1
		p = p[n*adlerBlock:]
	}
	for _, c := range p {
		d.s1 += uint32(c)
		d.s2 += d.s1
	}
	d.s1 %= adlerModulus
	d.s2 %= adlerModulus
}

// adlerSums returns the sum of the bytes of some blocks at p, and the sum of each byte times the number of bytes from
// it to the end. It needs AVX2; blocks is at least 1, and at most adlerLongest/adlerBlock.
//
//go:noescape
func adlerSums(p *byte, blocks int) (s1, s2 uint32)

func (d *adlerDigest) Sum32() uint32 { return d.s2<<16 | d.s1 }

// Sum appends the sum in big-endian order.
func (d *adlerDigest) Sum(b []byte) []byte { return binary.BigEndian.AppendUint32(b, d.Sum32()) }

// Reset makes it the hash of nothing.
func (d *adlerDigest) Reset() { *d = adlerDigest{s1: 1} }

func (d *adlerDigest) Size() int { return 4 }

// BlockSize returns the same as in hash/adler32.
func (d *adlerDigest) BlockSize() int { return 4 }
