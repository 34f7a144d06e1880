package dprsim

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/zeebo/xxh3"

	"assay/formats/decode"
	"assay/model"
)

// each calls visit with a quiet cursor on each catom from one to another.
func (b *body) each(ctx context.Context, from, to int, visit func(c *decode.Cursor, i int) error) error {
	c := b.c.Quiet(model.Span{})
	for i := from; i < to; i++ {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s := b.starts.At(i)
		c.Reset(s)
		if err := visit(c, i); err != nil {
			return err
		}
		if c.Err() != nil || s.Size < catomHead {
			return fmt.Errorf("catom %d at %#x: %w", i, s.Offset, model.ErrChanged)
		}
	}
	return nil
}

// visitFirst calls visit with a quiet cursor on each of the first catoms.
func (b *body) visitFirst(ctx context.Context, n int, visit visitor) {
	_ = b.each(ctx, 0, min(n, b.count()), func(c *decode.Cursor, _ int) error {
		b.catom(c, visit)
		return nil
	})
}

// digestPart is how many bytes of one catom are in memory at a time.
const digestPart = 64 << 10

// summaries describes catoms from first on for a comparison: by their ids, and by a digest of the bytes of their states
// and of what decides how these bytes become values.
func (b *body) summaries(ctx context.Context, first int, out []model.Summary) error {
	h := xxh3.New()
	for _, m := range b.modules {
		fmt.Fprintf(h, "%q %d %q %q %v;", m.name, m.version, m.types, m.names, b.bigEndian && m.template.native())
	}
	h = xxh3.NewSeed(h.Sum64())
	return b.each(ctx, first, first+len(out), func(c *decode.Cursor, i int) error {
		span := model.Span{Offset: c.Pos(), Size: c.Left()}
		id, _ := b.catom(c, nil)
		c.GoTo(span.Offset + catomHead)
		h.Reset()
		for c.Left() > 0 && c.Err() == nil {
			n := min(digestPart, c.Left())
			_, _ = h.Write(c.Peek(n))
			c.Bytes("states", types.Bytes, n)
		}
		out[i-first] = model.Summary{Span: span, Key: uint64(id), Digest: h.Sum64()}
		return nil
	})
}

var errFound = errors.New("found")

// findCatom returns the path of the first catom with an id. It is a model.Document's FindKey, which has no context.
func (r *reader) findCatom(key string) (model.Path, bool) {
	want, err := strconv.ParseUint(key, 10, 32)
	if err != nil {
		return nil, false
	}
	var path model.Path
	for _, b := range r.bodies {
		_ = b.each(context.Background(), 0, b.count(), func(c *decode.Cursor, i int) error {
			if id, _ := b.catom(c, nil); uint64(id) != want {
				return nil
			}
			path = append(b.list.Path(), i)
			return errFound
		})
		if path != nil {
			return path, true
		}
	}
	return nil, false
}
