package notes

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"assay/model"
)

// What is read of bytes for their digest: all of them up to a number; of more, two ends, and pieces between them that
// are as far from each other as there is room.
const (
	wholeMost  = 1 << 20
	endSize    = 64 << 10
	pieceSize  = 4 << 10
	pieces     = 62
	digestSize = 20 // bytes of SHA-256 that are kept
)

// digest returns the digest of a span of a source, in hex.
func digest(ctx context.Context, src *model.Source, span model.Span) (string, error) {
	h := sha256.New()
	_ = binary.Write(h, binary.LittleEndian, span.Size)
	buf := make([]byte, min(span.Size, endSize))
	for _, part := range sample(span) {
		for part.Size > 0 {
			if err := ctx.Err(); err != nil {
				return "", err
			}
			b := buf[:min(part.Size, int64(len(buf)))]
			if n, err := src.ReadAt(b, part.Offset); n < len(b) {
				return "", err
			}
			h.Write(b)
			part.Offset += int64(len(b))
			part.Size -= int64(len(b))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:digestSize]), nil
}

// sample returns the parts of a span that count for its digest.
func sample(span model.Span) []model.Span {
	if span.Size <= wholeMost {
		return []model.Span{span}
	}
	parts := []model.Span{{Offset: span.Offset, Size: endSize}}
	step := (span.Size - 2*endSize) / (pieces + 1)
	for i := range int64(pieces) {
		parts = append(parts, model.Span{Offset: span.Offset + endSize + (i+1)*step, Size: pieceSize})
	}
	return append(parts, model.Span{Offset: span.End() - endSize, Size: endSize})
}

// contentOf returns what a span of a source is as content.
func contentOf(ctx context.Context, src *model.Source, span model.Span) (Content, error) {
	sum, err := digest(ctx, src, span)
	return Content{span.Size, sum}, err
}
