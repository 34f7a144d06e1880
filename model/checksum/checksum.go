// Package checksum computes the usual checksums and digests of bytes, all in one reading.
package checksum

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"hash/crc32"
	"io"

	"assay/model"
)

// Sum is one of them.
type Sum struct {
	Name string
	Hex  string // the most significant byte first
}

// Of reads a span of a source and returns its checksums. progress may be nil.
func Of(ctx context.Context, src *model.Source, span model.Span, progress model.Progress) ([]Sum, error) {
	all := []struct {
		name string
		hash hash.Hash
	}{
		{"CRC-32", crc32.NewIEEE()}, {"CRC-32C", crc32.New(crc32.MakeTable(crc32.Castagnoli))},
		{"Adler-32", NewAdler32()},
		{"MD5", md5.New()}, {"SHA-1", sha1.New()}, {"SHA-256", sha256.New()},
	}
	r, buf, done := src.Reader(span), make([]byte, 256<<10), int64(0)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := r.Read(buf)
		for _, h := range all {
			h.hash.Write(buf[:n])
		}
		if done += int64(n); progress != nil {
			progress(done, span.Size)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	sums := make([]Sum, len(all))
	for i, h := range all {
		sums[i] = Sum{h.name, hex.EncodeToString(h.hash.Sum(nil))}
	}
	return sums, nil
}
