package ppac

import (
	"encoding/binary"
	"io"

	"github.com/zeebo/xxh3"

	"assay/model"
)

// What a comparison of two archives needs of a million entries, without a node for each. A key is the TPU's eight bytes.

// entrySummaries describe the index entries by their bytes without TPU and location.
func (f *file) entrySummaries() *model.Summaries {
	return &model.Summaries{Keyed: true, Distinct: true, Fill: func(first int, out []model.Summary) error {
		return f.records(first, len(out), func(i int, record []byte) {
			out[i-first] = model.Summary{Key: binary.BigEndian.Uint64(record), Digest: f.layout.recordDigest(record), Span: f.record(i)}
		})
	}}
}

// recordDigest is the same for entries of one asset, wherever in the file that is and whatever it is called.
func (l Layout) recordDigest(record []byte) uint64 {
	if l.Later {
		return xxh3.Hash(record[8+l.PositionWidth:])
	}
	_, size := l.place(record)
	var b [32]byte
	binary.BigEndian.PutUint64(b[:], size-l.least())
	rest := record[8+l.SizeWidth+l.PositionWidth:]
	copy(b[8:], rest[:4])
	if l.MemorySize {
		binary.BigEndian.PutUint64(b[16:], number(rest[4:], l.SizeWidth))
	}
	copy(b[24:], rest[len(rest)-4:])
	return xxh3.Hash(b[:])
}

// assetSummaries describe the assets by what the index records of their content.
func (f *file) assetSummaries() *model.Summaries {
	return &model.Summaries{Keyed: true, Distinct: true, Recorded: true, Fill: func(first int, out []model.Summary) error {
		if f.assets.order == nil {
			var failed error
			err := f.records(first, len(out), func(i int, record []byte) {
				if err := f.summarize(record, &out[i-first]); err != nil {
					failed = err
				}
			})
			if err == nil {
				err = failed
			}
			return err
		}
		for k := range out {
			record, err := f.src.Bytes(f.record(f.assets.at(first + k)))
			if err != nil {
				return err
			}
			if err := f.summarize(record, &out[k]); err != nil {
				return err
			}
		}
		return nil
	}}
}

func (f *file) summarize(record []byte, s *model.Summary) error {
	s.Key = binary.BigEndian.Uint64(record)
	s.Span, _ = f.locate(f.layout.place(record))
	s.Digest = f.layout.recordDigest(record)
	if f.layout.Later && [32]byte(record[len(record)-32:]) == ([32]byte{}) {
		// No checksum is recorded: the stored bytes speak for themselves.
		h := xxh3.New()
		if _, err := io.Copy(h, f.src.Reader(s.Span)); err != nil {
			return err
		}
		s.Digest ^= h.Sum64()
	}
	return nil
}

// records calls fn with the bytes of n index entries from first on.
func (f *file) records(first, n int, fn func(i int, record []byte)) error {
	stride := f.layout.stride()
	piece := max(1, int((256<<10)/stride))
	for n > 0 {
		k := min(piece, n)
		b, err := f.src.Bytes(model.Span{Offset: f.record(first).Offset, Size: int64(k) * stride})
		if err != nil {
			return err
		}
		for i := range k {
			fn(first+i, b[int64(i)*stride:int64(i+1)*stride])
		}
		first, n = first+k, n-k
	}
	return nil
}

// blockSummaries describe the metadata of assets in the later revision: TPU, and all behind count and size.
func (f *file) blockSummaries() *model.Summaries {
	return &model.Summaries{Keyed: true, Fill: func(first int, out []model.Summary) error {
		for i := range out {
			s := f.metadata.elements.at(first + i)
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
