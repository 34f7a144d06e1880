package ppac

import (
	"context"
	"io"

	"github.com/zeebo/xxh3"

	"assay/model"
)

// A comparison of two containers takes a summary of each element instead of a node. A key is the TPU's eight bytes.

// entrySummaries describe the index entries by what they record but TPU and location.
func (f *file) entrySummaries() *model.Summaries {
	return &model.Summaries{Keyed: true, Distinct: true, Fill: func(first int, out []model.Summary) error {
		return f.fill(first, len(out), func(i int, x *Entry) error {
			out[i-first] = model.Summary{Key: x.bits(), Digest: f.layout.digest(x), Span: f.entrySpan(i)}
			return nil
		})
	}}
}

// digest is the same for entries of one asset, wherever in the file that is and whatever its TPU is.
func (l Layout) digest(x *Entry) uint64 {
	var b [56]byte
	order.PutUint64(b[:], x.Size-l.leastAsset())
	order.PutUint32(b[8:], x.Compression)
	order.PutUint64(b[12:], x.MemorySize)
	order.PutUint32(b[20:], x.Adler32)
	copy(b[24:], x.SHA256[:])
	return xxh3.Hash(b[:])
}

// fill calls visit with n index entries from first on. Unlike each it fails if the file was cut.
func (f *file) fill(first, n int, visit func(i int, x *Entry) error) error {
	end := first
	err := f.scan(context.Background(), first, first+n, func(i int, x *Entry) error {
		end++
		return visit(i, x)
	})
	if err == nil && end < first+n {
		return io.ErrUnexpectedEOF
	}
	return err
}

// assetSummaries describe the assets by what the index records of their content.
func (f *file) assetSummaries() *model.Summaries {
	return &model.Summaries{Keyed: true, Distinct: true, Recorded: true,
		Fill: func(first int, out []model.Summary) error {
			if f.assets.order == nil {
				return f.fill(first, len(out), func(i int, x *Entry) error { return f.summarize(x, &out[i-first]) })
			}
			entries := orderedEntries{f: f, quiet: f.c.Quiet(model.Span{})}
			if err := entries.fill(first, len(out)); err != nil {
				return err
			}
			for k := range out {
				if err := f.summarize(entries.at(first+k), &out[k]); err != nil {
					return err
				}
			}
			return nil
		}}
}

func (f *file) summarize(x *Entry, s *model.Summary) error {
	s.Key = x.bits()
	s.Span, _ = f.locate(x)
	s.Digest = f.layout.digest(x)
	if f.layout.Later && x.SHA256 == [32]byte{} {
		// No checksum is recorded: the stored bytes speak for themselves.
		h := xxh3.New()
		if _, err := io.Copy(h, f.src.Reader(s.Span)); err != nil {
			return err
		}
		s.Digest ^= h.Sum64()
	}
	return nil
}

// blockSummaries describe the metadata of assets in the later revision: TPU, and all after count and size.
func (f *file) blockSummaries() *model.Summaries {
	return &model.Summaries{Keyed: true, Fill: func(first int, out []model.Summary) error {
		for i := range out {
			s := f.metadata.elements.At(first + i)
			b, err := f.src.Bytes(s)
			if err != nil {
				return err
			}
			if len(b) < 12 {
				return io.ErrUnexpectedEOF
			}
			out[i] = model.Summary{Key: order.Uint64(b), Digest: xxh3.Hash(b[12:]), Span: s}
		}
		return nil
	}}
}
