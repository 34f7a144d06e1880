package dprsim

import (
	"context"
	"fmt"

	"github.com/zeebo/xxh3"

	"assay/formats/decode"
	"assay/model"
)

// digestPart is how many bytes of one catom are in memory at a time.
const digestPart = 64 << 10

// summaries describes catoms from first on for a comparison: by their ids, and by the bytes of their states. What
// those bytes mean is decided by the modules, which are a part of the digest.
func (b *body) summaries(first int, out []model.Summary) error {
	h := xxh3.NewSeed(b.meaning())
	return b.each(context.Background(), first, first+len(out), func(c *decode.Cursor, row int) error {
		s := &out[row-first]
		s.Span = model.Span{Offset: c.Pos(), Size: c.Left()}
		s.Key = c.Record(catomStart).Number(0)
		h.Reset()
		for c.Left() > 0 && c.Err() == nil {
			n := min(digestPart, c.Left())
			_, _ = h.Write(c.Peek(n))
			c.Bytes("states", types.Bytes, n)
		}
		s.Digest = h.Sum64()
		return nil
	})
}

// meaning is a digest of all that decides how the bytes of a state become values.
func (b *body) meaning() uint64 {
	h := xxh3.New()
	for _, m := range b.modules {
		fmt.Fprintf(h, "%q %d %q %q %v;", m.Name, m.Version, m.Types, m.names, b.bigEndian && m.template.native())
	}
	return h.Sum64()
}
