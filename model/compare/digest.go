package compare

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/zeebo/xxh3"

	"assay/model"
	"assay/model/compare/align"
)

func mixHash(h, v uint64) uint64 {
	h ^= v
	h *= 0x9e3779b97f4a7c15
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>29
}

// digest returns a hash of the values of a node and below it, except for values of the layout and repetitions of its
// key. Names of elements are not content.
func (e *engine) digest(n *model.Node, side int) uint64 {
	var stack []digestFrame
	done, d := e.beginDigest(&stack, n, n.Key, side, true)
	for !done && e.err == nil {
		top := &stack[len(stack)-1]
		if top.next == top.from {
			top.next = top.to
		}
		if top.next < top.n.Len() {
			c := top.n.Child(top.next)
			top.next++
			if !c.IsElement() {
				top.sum = mixHash(top.sum, xxh3.HashString(c.Name))
			}
			key := top.key
			if c.Key != "" {
				top.sum = mixHash(top.sum, xxh3.HashString(c.Key))
				key = c.Key
			}
			if known, d := e.beginDigest(&stack, c, key, side, c.Key != ""); known {
				top.sum = mixHash(top.sum, d)
			}
			continue
		}
		d = top.sum | 1
		e.storeDigest(top.n, d, side, top.keep)
		stack = stack[:len(stack)-1]
		if done = len(stack) == 0; !done {
			up := &stack[len(stack)-1]
			up.sum = mixHash(up.sum, d)
		}
	}
	return d
}

// digestFrame is a node with children that are being hashed.
type digestFrame struct {
	n        *model.Node
	key      string // of the node, or of the one around it that has one
	sum      uint64
	next     int
	from, to int // the children that are hashed already
	keep     bool
}

// beginDigest returns the digest of a leaf or a cached digest; any other node is pushed on the stack.
func (e *engine) beginDigest(stack *[]digestFrame, n *model.Node, key string, side int, keep bool) (done bool,
	d uint64) {
	if keep {
		if d, ok := e.digests[side][n]; ok {
			return true, d
		}
	}
	if e.isStopped() {
		return true, 0
	}
	h := xxh3.HashString(n.Type)
	if n.Leaf() {
		if !n.Role.IsLayout() && (key == "" || keyText(n) != key) {
			h = mixHash(h, e.digestValue(n, side))
		}
		e.storeDigest(n, h, side, keep)
		return true, h
	}
	from, to := e.digestElements(n, &h)
	*stack = append(*stack, digestFrame{n: n, key: key, sum: h, from: from, to: to, keep: keep})
	return false, 0
}

// storeDigest stores the digest of a node that may be needed again.
func (e *engine) storeDigest(n *model.Node, d uint64, side int, keep bool) {
	if stored := e.digests[side]; keep && e.err == nil && n.Size >= minContent && len(stored) < maxDigests {
		stored[n] = d
	}
}

// digestElements adds the elements of a long list that describes them in bulk; they are the children [from, to).
func (e *engine) digestElements(n *model.Node, h *uint64) (from, to int) {
	f, ok := n.Children().(*model.Elements)
	if !ok || f.Sums == nil || f.Count == 0 {
		return 0, 0
	}
	from, to = len(f.First), len(f.First)+f.Count
	first := n.Child(from)
	if f.Sums.Recorded || f.Sums.Keyed != (first.Key != "") {
		return 0, 0
	}
	*h = mixHash(*h, shape(first, 0))
	e.eachSummary(f.Sums, f.Count, func(_ int, s *model.Summary) {
		if f.Sums.Keyed {
			*h = mixHash(*h, s.Key)
		}
		*h = mixHash(*h, s.Digest)
	})
	return from, to
}

// shape returns a hash of the names and types at and below a node.
func shape(n *model.Node, depth int) uint64 {
	h := xxh3.HashString(n.Type)
	if depth > 0 {
		h = mixHash(h, xxh3.HashString(n.Name))
	}
	if depth == shapeDepth || IsList(n) {
		return h
	}
	for i := range n.Len() {
		h = mixHash(h, shape(n.Child(i), depth+1))
	}
	return h
}

func (e *engine) digestValue(n *model.Node, side int) uint64 {
	if n.Raw() != nil {
		return xxh3.Hash(n.Raw())
	}
	switch v := n.Value.(type) {
	case model.Blob:
		return e.digestSpan(v.Source, v.Span)
	case model.Numbers:
		return e.digestSpan(v.Source, numberSpan(v))
	case model.Array:
		return e.digestArray(v)
	case nil:
		return e.digestSpan(e.docs[side].Source, n.Span)
	default:
		return digestScalar(v, e.sameVariant)
	}
}

// digestScalar hashes a scalar; with exact, floats that are equal in 32 bits have different hashes.
func digestScalar(v any, exact bool) uint64 {
	switch v := v.(type) {
	case bool:
		if v {
			return 1
		}
		return 2
	case uint64:
		return mixHash(3, v)
	case int64:
		return mixHash(3, uint64(v))
	case float32:
		return mixHash(4, uint64(math.Float32bits(v)))
	case float64:
		if exact {
			return mixHash(6, math.Float64bits(v))
		}
		return mixHash(4, uint64(math.Float32bits(float32(v))))
	case string:
		return xxh3.HashString(v)
	}
	return 5
}

func (e *engine) digestArray(a model.Array) uint64 {
	h := uint64(a.Len())
	for index := int64(0); index < a.Len() && !e.fail(e.ctx.Err()); index += arrayChunk {
		part, err := a.Slice(index, arrayChunk)
		if e.fail(err) {
			return 0
		}
		for _, v := range part {
			h = mixHash(h, digestScalar(v, e.sameVariant))
		}
	}
	return h
}

// readSize is the number of bytes of a file that are hashed at a time.
const readSize = 1 << 20

func (e *engine) digestSpan(src *model.Source, s model.Span) uint64 {
	h := xxh3.New()
	var size [8]byte
	binary.LittleEndian.PutUint64(size[:], uint64(s.Size))
	h.Write(size[:])
	if !s.Within(src.Size()) {
		return h.Sum64()
	}
	if s.Size <= windowSize {
		h.Write(e.read(e.windowOf(src), s))
		return h.Sum64()
	}
	buf := make([]byte, readSize)
	for offset := s.Offset; offset < s.End() && !e.fail(e.ctx.Err()); {
		n, err := src.ReadAt(buf[:min(readSize, s.End()-offset)], offset)
		if n == 0 {
			e.fail(cmp.Or(err, io.ErrUnexpectedEOF))
		}
		h.Write(buf[:n])
		offset += int64(n)
	}
	return h.Sum64()
}

// windowOf returns the window of a document, or a new one for another source.
func (e *engine) windowOf(src *model.Source) *window {
	for _, w := range e.windows {
		if w.src == src {
			return w
		}
	}
	return &window{src: src}
}

const (
	windowSize   = 256 << 10
	maxWindowGap = 64 << 10
)

// window reads one document's bytes, mostly forward, without the cost of a read for each value.
type window struct {
	src  *model.Source
	buf  []byte
	base int64
}

// bytes returns the bytes of a short span; they are valid until the next call.
func (w *window) bytes(s model.Span) ([]byte, error) {
	if from := s.Offset - w.base; from >= 0 && from+s.Size <= int64(len(w.buf)) {
		return w.buf[from : from+s.Size], nil
	}
	if !s.Within(w.src.Size()) {
		return nil, fmt.Errorf("%s: %d bytes at %#x are not in the file", w.src.Name(), s.Size, s.Offset)
	}
	size := max(s.Size, 4<<10)
	if end := w.base + int64(len(w.buf)); s.Offset >= w.base && s.Offset <= end+maxWindowGap {
		size = max(s.Size, windowSize)
	}
	size = min(size, w.src.Size()-s.Offset)
	if int64(cap(w.buf)) < size {
		w.buf = make([]byte, max(size, windowSize))
	}
	w.buf, w.base = w.buf[:size], s.Offset
	n, err := w.src.ReadAt(w.buf, w.base)
	if int64(n) < size {
		w.buf = w.buf[:n]
		if int64(n) < s.Size {
			return nil, err
		}
	}
	return w.buf[:s.Size], nil
}

// read returns the bytes of a short span of a window; they are valid until it is called again.
func (e *engine) read(w *window, s model.Span) []byte {
	b, err := w.bytes(s)
	e.fail(err)
	return b
}

// sameBytes compares a span of each document.
func (e *engine) sameBytes(l, r model.Span) bool {
	if l.Size != r.Size || !l.Within(e.docs[0].Source.Size()) || !r.Within(e.docs[1].Source.Size()) {
		return false
	}
	if l.Size <= windowSize {
		return bytes.Equal(e.read(e.windows[0], l), e.read(e.windows[1], r))
	}
	return e.sameStreams(e.docs[0].Source, l, e.docs[1].Source, r)
}

func (e *engine) sameStreams(ls *model.Source, l model.Span, rs *model.Source, r model.Span) bool {
	if l.Size != r.Size {
		return false
	}
	offset, err := align.FirstDifference(e.ctx, ls, l.Offset, rs, r.Offset, l.Size, nil)
	e.fail(err)
	return offset == l.Size
}
