package dprsim

import (
	"fmt"

	"github.com/zeebo/xxh3"

	"assay/model"
)

// digestPart is how many bytes of one catom are in memory at a time.
const digestPart = 1 << 20

// summaries describes catoms from first on for a comparison: by their ids, and by the bytes of their states. What
// those bytes mean is decided by the modules, which are a part of the digest.
func (b *body) summaries(first int, out []model.Summary) error {
	if len(out) == 0 {
		return nil
	}
	w := b.window(scanBlock)
	at := b.at(int64(first))
	h := xxh3.NewSeed(b.meaning())
	for i := range out {
		id, ok := w.u32(at)
		size := b.size(w, at)
		if !ok || size < catomHead {
			return fmt.Errorf("catom %d at %#x: %w", first+i, at, model.ErrChanged)
		}
		h.Reset()
		for from := at + catomHead; from < at+size; from += digestPart {
			p := w.get(from, min(digestPart, at+size-from))
			if p == nil {
				return fmt.Errorf("catom %d at %#x: %w", first+i, at, model.ErrChanged)
			}
			h.Write(p)
		}
		out[i].Digest = h.Sum64()
		out[i].Key = uint64(id)
		out[i].Span = model.Span{Offset: at, Size: size}
		at += size
	}
	return nil
}

// meaning is a digest of all that decides how the bytes of a state become values.
func (b *body) meaning() uint64 {
	h := xxh3.New()
	for _, m := range b.modules {
		fmt.Fprintf(h, "%q %d %q %q %v;", m.Name, m.Version, m.Types, m.names, b.bigEndian && m.template.native())
	}
	return h.Sum64()
}
