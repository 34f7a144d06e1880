package compare

import (
	"encoding/binary"
	"math"

	"github.com/zeebo/xxh3"

	"assay/model"
)

func mix(h, v uint64) uint64 {
	h ^= v
	h *= 0x9e3779b97f4a7c15
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>29
}

// digest stands for the content of a node: all values below it but those of the layout, and but those that say the
// node's own key. Names of elements are no content.
func (e *engine) digest(n *model.Node, side int) (uint64, error) {
	kept := e.digests[side]
	if d, ok := kept[n]; ok {
		return d, nil
	}
	d, err := e.digestBelow(n, n.Key, side)
	if err == nil && n.Size >= contentLeast && len(kept) < digestsKept {
		kept[n] = d
	}
	return d, err
}

func (e *engine) digestBelow(n *model.Node, key string, side int) (uint64, error) {
	if err := e.tick(); err != nil {
		return 0, err
	}
	h := xxh3.HashString(n.Type)
	if n.Leaf() {
		if n.Role.Layout() || (key != "" && keyText(n) == key) {
			return h, nil
		}
		v, err := e.digestValue(n, side)
		return mix(h, v), err
	}
	from, to, err := e.digestElements(n, &h)
	if err != nil {
		return 0, err
	}
	for i := range n.Len() {
		if i >= from && i < to {
			continue
		}
		c := n.Child(i)
		if !isElement(c) {
			h = mix(h, xxh3.HashString(c.Name))
		}
		var d uint64
		var err error
		if c.Key != "" {
			h = mix(h, xxh3.HashString(c.Key))
			d, err = e.digest(c, side)
		} else {
			d, err = e.digestBelow(c, key, side)
		}
		if err != nil {
			return 0, err
		}
		h = mix(h, d)
	}
	return h | 1, nil
}

// digestElements adds the elements of a long list that describes them in bulk; they are the children [from, to).
func (e *engine) digestElements(n *model.Node, h *uint64) (from, to int, err error) {
	f, ok := n.Children().(*model.Elements)
	if !ok || f.Sums == nil || f.Count == 0 {
		return 0, 0, nil
	}
	from, to = len(f.First), len(f.First)+f.Count
	first := n.Child(from)
	if f.Sums.Recorded || f.Sums.Keyed != (first.Key != "") {
		return 0, 0, nil
	}
	*h = mix(*h, shape(first, 0))
	part := make([]model.Summary, min(summaryPart, f.Count))
	for at := 0; at < f.Count; at += summaryPart {
		if err := e.ctx.Err(); err != nil {
			return 0, 0, err
		}
		p := part[:min(summaryPart, f.Count-at)]
		if err := f.Sums.Fill(at, p); err != nil {
			return 0, 0, err
		}
		for _, s := range p {
			if f.Sums.Keyed {
				*h = mix(*h, s.Key)
			}
			*h = mix(*h, s.Digest)
		}
	}
	return from, to, nil
}

// shape stands for the names and types at and below a node.
func shape(n *model.Node, depth int) uint64 {
	h := xxh3.HashString(n.Type)
	if depth > 0 {
		h = mix(h, xxh3.HashString(n.Name))
	}
	if depth == shapeDepth || isList(n) {
		return h
	}
	for i := range n.Len() {
		h = mix(h, shape(n.Child(i), depth+1))
	}
	return h
}

func (e *engine) digestValue(n *model.Node, side int) (uint64, error) {
	if n.Raw != nil {
		return xxh3.Hash(n.Raw), nil
	}
	switch v := n.Value.(type) {
	case model.Blob:
		return e.digestSpan(v.Source, v.Span)
	case model.Numbers:
		return e.digestSpan(v.Source, numberSpan(v))
	case model.Array:
		return e.digestArray(v)
	case nil:
		return e.digestSpan(e.doc(side).Source, n.Span)
	default:
		return digestScalar(v, e.sameVariant), nil
	}
}

// digestScalar hashes a scalar; exact tells apart floats that are one in 32 bits.
func digestScalar(v any, exact bool) uint64 {
	switch v := v.(type) {
	case bool:
		if v {
			return 1
		}
		return 2
	case uint64:
		return mix(3, v)
	case int64:
		return mix(3, uint64(v))
	case float32:
		return mix(4, uint64(math.Float32bits(v)))
	case float64:
		if exact {
			return mix(6, math.Float64bits(v))
		}
		return mix(4, uint64(math.Float32bits(float32(v))))
	case string:
		return xxh3.HashString(v)
	}
	return 5
}

func (e *engine) digestArray(a model.Array) (uint64, error) {
	h := uint64(a.Len())
	for at := int64(0); at < a.Len(); at += arrayPart {
		if err := e.ctx.Err(); err != nil {
			return 0, err
		}
		part, err := a.Slice(at, arrayPart)
		if err != nil {
			return 0, err
		}
		for _, v := range part {
			h = mix(h, digestScalar(v, e.sameVariant))
		}
	}
	return h, nil
}

func (e *engine) digestSpan(src *model.Source, s model.Span) (uint64, error) {
	h := xxh3.New()
	var size [8]byte
	binary.LittleEndian.PutUint64(size[:], uint64(s.Size))
	h.Write(size[:])
	if !s.Within(src.Size()) {
		return h.Sum64(), nil
	}
	if s.Size <= windowSize {
		b, err := e.scratch(src).bytes(s)
		if err != nil {
			return 0, err
		}
		h.Write(b)
		return h.Sum64(), nil
	}
	buf := make([]byte, streamSize)
	for at := s.Offset; at < s.End(); {
		if err := e.ctx.Err(); err != nil {
			return 0, err
		}
		n, err := src.ReadAt(buf[:min(streamSize, s.End()-at)], at)
		if n == 0 {
			return 0, err
		}
		h.Write(buf[:n])
		at += int64(n)
	}
	return h.Sum64(), nil
}

// scratch is the window on a source: of the two documents, or one of its own for parts that are elsewhere.
func (e *engine) scratch(src *model.Source) *window {
	for _, w := range e.windows {
		if w.src == src {
			return w
		}
	}
	return &window{src: src}
}
