package find

import (
	"context"
	"errors"
	"io"

	"assay/model"
)

// chunk is how many bytes are searched at a time: few enough to stay in the cache of a processor from the read on.
const chunk = 128 << 10

// Data is bytes to search.
type Data interface {
	io.ReaderAt
	Size() int64
}

// Next returns the first hit that begins at from or later; ok is false if there is none.
func (p *Pattern) Next(ctx context.Context, data Data, from int64, progress model.Progress) (hit model.Span, ok bool,
	err error) {
	err = p.forward(ctx, data, max(from, 0), progress, func(s model.Span) bool {
		hit, ok = s, true
		return false
	})
	return hit, ok, err
}

// All returns every hit, at most limit of them; more says that there are others. Hits do not overlap.
func (p *Pattern) All(ctx context.Context, data Data, limit int, progress model.Progress) (hits []model.Span, more bool,
	err error) {
	err = p.forward(ctx, data, 0, progress, func(s model.Span) bool {
		if len(hits) == limit {
			more = true
			return false
		}
		hits = append(hits, s)
		return true
	})
	return hits, more, err
}

// forward calls each for one hit after the other until it returns false. Bytes that cannot be read are passed over;
// the error comes when all others are searched.
func (p *Pattern) forward(ctx context.Context, data Data, from int64, progress model.Progress,
	each func(model.Span) bool) error {
	return p.Within(ctx, data, model.Span{Offset: from, Size: max(0, data.Size()-from)}, progress,
		func(h Hit) bool { return each(h.Span) })
}

// Previous returns the last hit that begins before to; ok is false if there is none.
func (p *Pattern) Previous(ctx context.Context, data Data, to int64, progress model.Progress) (hit model.Span, ok bool,
	err error) {
	size := data.Size()
	keep := int64(p.longest() - 1)
	total := min(to, size)
	buf := make([]byte, chunk+keep)
	var unread error
	for end := total; end > 0; end -= chunk {
		if err := ctx.Err(); err != nil {
			return hit, false, err
		}
		if progress != nil {
			progress(total-end, total)
		}
		start := max(0, end-chunk)
		b := buf[:min(end+keep, size)-start]
		n, err := data.ReadAt(b, start)
		b = b[:n]
		if err != nil && !errors.Is(err, io.EOF) {
			unread = err
		}
		best := -1
		for _, s := range p.needles {
			if k := s.last(b, int(end-start)); k >= 0 && (k > best || k == best && int64(len(s.value)) > hit.Size) {
				best = k
				hit = model.Span{Offset: start + int64(k), Size: int64(len(s.value))}
			}
		}
		if best >= 0 {
			return hit, true, nil
		}
	}
	return hit, false, unread
}
