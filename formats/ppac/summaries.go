package ppac

import (
	"cmp"
	"context"
	"io"

	"github.com/zeebo/xxh3"

	"assay/model"
)

// A comparison of two containers takes a summary of each element instead of a node. A key is the TPU's eight bytes.

// entrySummaries summarizes the index entries by all recorded fields except TPU and location.
func (f *File) entrySummaries() *model.Summaries {
	return &model.Summaries{Keyed: true, Distinct: true,
		Fill: func(ctx context.Context, first int, out []model.Summary) error {
			for i, x := range f.entries.inRange(ctx, first, first+len(out)) {
				out[i-first] = model.Summary{Key: x.Bits(), Digest: f.Layout.digest(x), Span: f.entries.span(i)}
			}
			return cmp.Or(ctx.Err(), f.Source.Err())
		}}
}

// digest returns a hash that is equal for entries of the same asset at any location, with any TPU.
func (l Layout) digest(x *Entry) uint64 {
	var b [56]byte
	order.PutUint64(b[:], x.Size-l.minAssetSize())
	order.PutUint32(b[8:], x.Compression)
	order.PutUint64(b[12:], x.MemorySize)
	order.PutUint32(b[20:], x.Adler32)
	copy(b[24:], x.SHA256[:])
	return xxh3.Hash(b[:])
}

// assetSummaries summarizes the assets by the index's record of their content.
func (f *File) assetSummaries() *model.Summaries {
	return &model.Summaries{Keyed: true, Distinct: true, Recorded: true,
		Fill: func(ctx context.Context, first int, out []model.Summary) error {
			entries := f.EntriesInOrder(f.assets.order)
			if f.assets.order != nil {
				entries.read(first, len(out))
			}
			for k := range out {
				if err := f.summarize(ctx, entries.At(first+k), &out[k]); err != nil {
					return err
				}
			}
			return ctx.Err()
		}}
}

// summarize describes the asset of an index entry.
func (f *File) summarize(ctx context.Context, x *Entry, s *model.Summary) error {
	span, err := f.Locate(x)
	if err != nil {
		return io.ErrUnexpectedEOF // the file was cut since it was opened
	}
	s.Key, s.Span = x.Bits(), span
	s.Digest = f.Layout.digest(x)
	if f.Layout.Later && x.SHA256 == [32]byte{} {
		// No checksum is recorded, so the stored bytes are hashed.
		h := xxh3.New()
		if _, err := io.Copy(h, f.Part(ctx, span)); err != nil {
			return err
		}
		s.Digest ^= h.Sum64()
	}
	return nil
}

// blockSummaries describe the metadata of assets in the later revision: TPU, and all after count and size.
func (f *File) blockSummaries() *model.Summaries {
	return &model.Summaries{Keyed: true, Fill: func(_ context.Context, first int, out []model.Summary) error {
		quiet := f.cursor.Quiet(model.Span{})
		for i := range out {
			s := f.metadata.elements.At(first + i)
			quiet.Reset(s)
			tpu, _, _, _ := readBlockHead(quiet)
			if quiet.Err() != nil {
				return quiet.Err()
			}
			b, err := f.Source.Bytes(model.Span{Offset: quiet.Pos(), Size: quiet.Remaining()})
			if err != nil {
				return err
			}
			out[i] = model.Summary{Key: tpu.Bits(), Digest: xxh3.Hash(b), Span: s}
		}
		return nil
	}}
}
