package ppac

import (
	"context"
	"encoding/binary"
	"io"

	"github.com/zeebo/xxh3"

	"assay/model"
)

// What a comparison of two archives needs of a million entries, without a node for each. A key is the TPU's eight
// bytes.

// entrySummaries describe the index entries by what they record but TPU and location.
func (f *file) entrySummaries() *model.Summaries {
	return &model.Summaries{Keyed: true, Distinct: true, Fill: func(first int, out []model.Summary) error {
		return f.fill(first, len(out), func(i int, ent *Entry) error {
			out[i-first] = model.Summary{Key: ent.bits(), Digest: f.layout.digest(ent), Span: f.record(i)}
			return nil
		})
	}}
}

// digest is the same for entries of one asset, wherever in the file that is and whatever its TPU is.
func (l Layout) digest(ent *Entry) uint64 {
	var b [64]byte
	order.PutUint64(b[:], ent.Size-l.least())
	order.PutUint32(b[8:], ent.Compression)
	order.PutUint64(b[12:], ent.MemorySize)
	order.PutUint32(b[20:], ent.Adler32)
	copy(b[24:], ent.SHA256[:])
	return xxh3.Hash(b[:])
}

// fill calls visit with n index entries from first on. Unlike each it fails if the file was cut.
func (f *file) fill(first, n int, visit func(i int, ent *Entry) error) error {
	var failed error
	end := first
	err := f.each(context.Background(), first, first+n, func(i int, ent *Entry) bool {
		failed = visit(i, ent)
		end++
		return failed == nil
	})
	if err == nil {
		err = failed
	}
	if err == nil && end < first+n {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// assetSummaries describe the assets by what the index records of their content.
func (f *file) assetSummaries() *model.Summaries {
	return &model.Summaries{Keyed: true, Distinct: true, Recorded: true,
		Fill: func(first int, out []model.Summary) error {
			if f.assets.order == nil {
				return f.fill(first, len(out), func(i int, ent *Entry) error { return f.summarize(ent, &out[i-first]) })
			}
			look := f.c.Quiet(model.Span{})
			for k := range out {
				ent := f.entryAt(look, f.assets.at(first+k))
				if err := look.Err(); err != nil {
					return err
				}
				if err := f.summarize(&ent, &out[k]); err != nil {
					return err
				}
			}
			return nil
		}}
}

func (f *file) summarize(ent *Entry, s *model.Summary) error {
	s.Key = ent.bits()
	s.Span, _ = f.locate(ent.Location, ent.Size)
	s.Digest = f.layout.digest(ent)
	if f.layout.Later && ent.SHA256 == ([32]byte{}) {
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
		span := f.metadata.elements.Spans()
		for i := range out {
			s := span(first + i)
			b, err := f.src.Bytes(s)
			if err != nil {
				return err
			}
			if len(b) < 12 {
				return io.ErrUnexpectedEOF
			}
			out[i] = model.Summary{Key: binary.BigEndian.Uint64(b), Digest: xxh3.Hash(b[12:]), Span: s}
		}
		return nil
	}}
}
