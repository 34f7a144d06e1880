// Package find searches a document: its nodes by name, type, value and key, and its bytes for patterns. Searches
// stream, report their progress, and end when their context does; their memory is bounded.
package find

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"

	"assay/model"
)

// MaxContext is the maximum number of bytes in a Hit before and after the match.
const MaxContext = 96

// Hit is a match of a pattern, with the bytes around it. The bytes are valid until the function that is called with the
// hit returns.
type Hit struct {
	model.Span
	Before, Bytes, After []byte
}

// EachIn calls each for the hits that begin in a span, one after the other, until it returns false. A hit may extend
// past the end of the span. Bytes that cannot be read are skipped; the error is returned when all others are searched.
func (p *Pattern) EachIn(ctx context.Context, data Data, span model.Span, progress model.Progress,
	each func(Hit) bool) error {
	s := p.newScan(span.Offset, min(span.End(), data.Size()), each)
	defer s.close()
	last := min(s.to+int64(s.overlap), data.Size())
	var unread error
	for s.end() < last && s.from < s.to {
		if err := ctx.Err(); err != nil {
			return err
		}
		if progress != nil {
			progress(max(0, s.end()-span.Offset), span.Size)
		}
		b := s.nextBuffer(last - s.end())
		n, err := data.ReadAt(b, s.end())
		if n == len(b) {
			err = nil
		}
		if s.length += n; err == nil {
			if !s.search(s.end() == last) {
				return unread
			}
			continue
		}
		if !errors.Is(err, io.EOF) {
			unread = err
		}
		if !s.search(true) {
			return unread
		}
		s.skip(int64(len(b) - n))
	}
	return unread
}

// Stream calls each for the hits in the bytes of a stream, one after the other, until it returns false. The error is
// the stream's or the context's.
func (p *Pattern) Stream(ctx context.Context, r io.Reader, each func(Hit) bool) error {
	s := p.newScan(0, math.MaxInt64, each)
	defer s.close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := fill(r, s.nextBuffer(math.MaxInt64))
		s.length += n
		switch more := s.search(err != nil); {
		case !more, err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// fill reads until b is full. Unlike io.ReadFull it returns the errors of the reader as they are.
func fill(r io.Reader, b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var m int
		m, err = r.Read(b[n:])
		n += m
	}
	return n, err
}

// scan is the state of a search: it has a part of the bytes in memory.
type scan struct {
	p        *Pattern
	each     func(Hit) bool
	from, to int64 // where the next hit may begin

	buf     []byte
	base    int64 // the offset of its first byte
	length  int   // bytes in it
	overlap int   // bytes at its end that are searched with the next ones

	next []int        // of each anchor: its next index
	free []int        // of each sequence: where it may begin, as hits do not overlap
	hits []model.Span // in the buffer
}

func (p *Pattern) newScan(from, to int64, each func(Hit) bool) *scan {
	s := &scan{p: p, each: each, from: from, to: to, base: max(0, from), overlap: p.longest() - 1 + MaxContext}
	s.buf = *buffers.Get().(*[]byte)
	if need := MaxContext + s.overlap + chunkSize; cap(s.buf) < need {
		s.buf = make([]byte, need)
	} else {
		s.buf = s.buf[:need]
	}
	s.next, s.free = make([]int, len(p.anchors)), make([]int, len(p.needles))
	return s
}

// buffers are reused by later scans.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// close gives the buffer back.
func (s *scan) close() { buffers.Put(&s.buf) }

// end returns the offset after the bytes in memory.
func (s *scan) end() int64 { return s.base + int64(s.length) }

// nextBuffer returns the buffer for the next bytes, up to limit of them. It discards searched bytes.
func (s *scan) nextBuffer(limit int64) []byte {
	if excess := s.length - s.overlap - MaxContext; excess > 0 {
		copy(s.buf, s.buf[excess:s.length])
		s.base += int64(excess)
		s.length -= excess
	}
	return s.buf[s.length:][:min(int64(len(s.buf)-s.length), limit, chunkSize)]
}

// skip continues after bytes that cannot be read.
func (s *scan) skip(n int64) {
	s.base, s.length = s.end()+n, 0
	s.from = max(s.from, s.base)
}

// search calls each for the hits in memory. Unless these are the last bytes, it omits hits with an end, or following
// bytes, that may be missing. It returns false if each did.
func (s *scan) search(last bool) bool {
	to := s.length
	if !last {
		to -= s.overlap
	}
	to = int(min(int64(to), s.to-s.base))
	from := int(s.from - s.base)
	if to <= from {
		return true
	}
	b := s.buf[:s.length]
	s.collectHits(b, from, to)
	for _, h := range s.hits {
		if int(h.Offset) < from {
			continue // it begins in the one before
		}
		begin, end := int(h.Offset), int(h.End())
		from = end
		h.Offset += s.base
		if !s.each(Hit{h, b[max(0, begin-MaxContext):begin], b[begin:end], b[end:min(len(b), end+MaxContext)]}) {
			return false
		}
	}
	s.from = s.base + int64(max(from, to))
	return true
}

// collectHits collects the indexes in [from, to) where a sequence begins: in order, the longer one first.
func (s *scan) collectHits(b []byte, from, to int) {
	if s.hits = s.hits[:0]; s.p.regexp != nil {
		s.hits = s.p.appendMatches(s.hits, b, from, to)
		return
	}
	for i := range s.free {
		s.free[i] = from
	}
	for i := range s.next {
		s.next[i] = s.p.anchors[i].index(b, from)
	}
	for {
		a := -1
		for i, offset := range s.next {
			if offset >= 0 && (a < 0 || offset < s.next[a]) {
				a = i
			}
		}
		if a < 0 {
			break
		}
		offset := s.next[a]
		for _, p := range s.p.anchors[a].offsets {
			n, begin := &s.p.needles[p.needle], offset-p.offset
			if begin >= s.free[p.needle] && begin < to && begin+len(n.value) <= len(b) && n.matchesAt(b, begin) {
				s.hits = append(s.hits, model.Span{Offset: int64(begin), Size: int64(len(n.value))})
				s.free[p.needle] = begin + len(n.value)
			}
		}
		s.next[a] = s.p.anchors[a].index(b, offset+1)
	}
	if len(s.p.needles) > 1 {
		slices.SortFunc(s.hits, func(a, b model.Span) int {
			return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(b.Size, a.Size))
		})
	}
}

// anchor is a byte that is searched first, and its offsets in the sequences that contain it.
type anchor struct {
	value, mask byte // the bits of mask count
	offsets     []needleOffset
}

// needleOffset is an offset in one of the searched sequences.
type needleOffset struct{ needle, offset int }

// index returns the first index of the anchor in b at or after from, or -1.
func (a *anchor) index(b []byte, from int) int {
	if from >= len(b) {
		return -1
	}
	if a.mask == 0xff {
		if i := bytes.IndexByte(b[from:], a.value); i >= 0 {
			return from + i
		}
		return -1
	}
	for i, c := range b[from:] {
		if c&a.mask == a.value {
			return from + i
		}
	}
	return -1
}

// chooseAnchors chooses for each sequence the byte of it that is the rarest in files, the same one for several
// sequences where they share it: such as a letter in each of the encodings of a text. It returns the pattern.
func (p *Pattern) chooseAnchors() *Pattern {
	for i := range p.needles {
		n := &p.needles[i]
		best, least := 0, math.MaxInt
		for k, v := range n.value {
			if cost := p.anchorCost(v, n.maskAt(k)); cost < least {
				best, least = k, cost
			}
		}
		for _, v := range bytesOf(n.value[best], n.maskAt(best)) {
			k := slices.IndexFunc(p.anchors, func(a anchor) bool { return a.value == v.value && a.mask == v.mask })
			if k < 0 {
				k = len(p.anchors)
				p.anchors = append(p.anchors, v)
			}
			p.anchors[k].offsets = append(p.anchors[k].offsets, needleOffset{i, best})
		}
	}
	return p
}

// anchorCost returns the additional cost of searching a byte: 0 if it is an anchor already.
func (p *Pattern) anchorCost(value, mask byte) int {
	sum := 0
	for _, v := range bytesOf(value, mask) {
		if !slices.ContainsFunc(p.anchors, func(a anchor) bool { return a.value == v.value && a.mask == v.mask }) {
			sum += v.cost()
		}
	}
	return sum
}

// bytesOf returns the anchors for a byte: one, or for a letter of either case two. A byte with more bits that do not
// count is one slow anchor.
func bytesOf(value, mask byte) []anchor {
	switch bits.OnesCount8(mask) {
	case 8:
		return []anchor{{value: value, mask: mask}}
	case 7:
		return []anchor{{value: value, mask: 0xff}, {value: value | ^mask, mask: 0xff}}
	}
	return []anchor{{value: value, mask: mask}}
}

// cost ranks a byte by its frequency in the files of games: zeros most of all, then small numbers and the letters of
// words. A byte with bits that do not count is searched without bytes.IndexByte.
func (a anchor) cost() int {
	v := a.value
	switch {
	case a.mask != 0xff:
		return 1 << (20 - bits.OnesCount8(a.mask))
	case v == 0:
		return 1000
	case v == 0xff:
		return 250
	case v == ' ' || bytes.IndexByte([]byte("etaoinsr"), v) >= 0:
		return 100
	case v < 0x10 || v == 0x80 || v == 0x3f:
		return 80
	case v >= 'a' && v <= 'z' && bytes.IndexByte([]byte("jqxzkvw"), v) < 0, v >= '0' && v <= '9':
		return 50
	case v >= ' ' && v < 0x7f:
		return 30
	}
	return 20
}

// chunkSize is the number of bytes searched at a time: few enough to stay in the cache of a processor from the read on.
const chunkSize = 128 << 10

// Data is bytes to search.
type Data interface {
	io.ReaderAt
	Size() int64
}

// Next returns the first hit that begins at from or later; ok is false without a hit.
func (p *Pattern) Next(ctx context.Context, data Data, from int64, progress model.Progress) (hit model.Span, ok bool,
	err error) {
	from = max(from, 0)
	rest := model.Span{Offset: from, Size: max(0, data.Size()-from)}
	err = p.EachIn(ctx, data, rest, progress, func(h Hit) bool {
		hit, ok = h.Span, true
		return false
	})
	return hit, ok, err
}

// All returns every hit, at most limit of them; truncated reports whether there are others. Hits do not overlap.
func (p *Pattern) All(ctx context.Context, data Data, limit int, progress model.Progress) (hits []model.Span,
	truncated bool, err error) {
	err = p.EachIn(ctx, data, model.Span{Size: data.Size()}, progress, func(h Hit) bool {
		if len(hits) == limit {
			truncated = true
			return false
		}
		hits = append(hits, h.Span)
		return true
	})
	return hits, truncated, err
}

// Previous returns the last hit that begins before to; ok is false without a hit.
func (p *Pattern) Previous(ctx context.Context, data Data, to int64, progress model.Progress) (hit model.Span, ok bool,
	err error) {
	size := data.Size()
	overlap := int64(p.longest() - 1)
	total := min(to, size)
	buf := make([]byte, chunkSize+overlap)
	var unread error
	for end := total; end > 0; end -= chunkSize {
		if err := ctx.Err(); err != nil {
			return hit, false, err
		}
		if progress != nil {
			progress(total-end, total)
		}
		start := max(0, end-chunkSize)
		b := buf[:min(end+overlap, size)-start]
		n, err := data.ReadAt(b, start)
		b = b[:n]
		if err != nil && !errors.Is(err, io.EOF) {
			unread = err
		}
		best := -1
		if p.regexp != nil {
			if spans := p.appendMatches(nil, b, 0, int(end-start)); len(spans) > 0 {
				last := spans[len(spans)-1]
				return model.Span{Offset: start + last.Offset, Size: last.Size}, true, nil
			}
		}
		for _, s := range p.needles {
			k, size := s.lastIndex(b, int(end-start)), int64(len(s.value))
			if k >= 0 && (k > best || k == best && size > hit.Size) {
				best, hit = k, model.Span{Offset: start + int64(k), Size: size}
			}
		}
		if best >= 0 {
			return hit, true, nil
		}
	}
	return hit, false, unread
}

// ParseOffset parses an offset: "0x1a4" or "1a4h" in hex, "420" in decimal, "+16" and "-0x10" from the current offset,
// "end-16" from the end, "50%" of the size. The result is less than size.
func ParseOffset(text string, current, size int64) (int64, error) {
	s := strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(text), "_", ""), ",", ""))
	if s == "" {
		return 0, errors.New("enter an offset, such as 0x1a4, 420, +16, -16, end-16, or 50%")
	}
	if size == 0 {
		return 0, errors.New("the file is empty")
	}
	base := int64(0)
	sign := int64(1)
	relative := false
	switch {
	case s == "end":
		return size - 1, nil
	case strings.HasPrefix(s, "end"):
		base, s, relative = size, strings.TrimSpace(s[3:]), true
		if s[0] != '-' {
			return 0, fmt.Errorf("%q is past the end of the file; write, for example, end-16", text)
		}
	case s[0] == '+' || s[0] == '-':
		base, relative = current, true
	}
	if relative {
		if s[0] == '-' {
			sign = -1
		}
		s = strings.TrimSpace(s[1:])
	}
	if p, ok := strings.CutSuffix(s, "%"); ok && !relative {
		f, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil || !(f >= 0 && f <= 100) {
			return 0, fmt.Errorf("%q is not a percentage between 0%% and 100%%", text)
		}
		return min(size-1, int64(f/100*float64(size))), nil
	}
	v, err := parseDigits(s)
	if err != nil || v < 0 {
		return 0, fmt.Errorf("%q is not an offset; write 0x1a4, 420, +16, -16, end-16 or 50%%", text)
	}
	off := base + sign*v
	if off < 0 || sign > 0 && off < base {
		return 0, fmt.Errorf("%s is outside the file", text)
	}
	if off >= size {
		return 0, fmt.Errorf("%s is past the end: the file has %s (%#x)", text, model.Count(size, "byte"), size)
	}
	return off, nil
}

// parseDigits parses a number in decimal or, if it is written as one, in hex.
func parseDigits(s string) (int64, error) {
	radix := 10
	if digits, ok := strings.CutPrefix(s, "0x"); ok {
		s, radix = digits, 16
	} else if digits, ok := strings.CutSuffix(s, "h"); ok {
		s, radix = digits, 16
	} else if strings.ContainsAny(s, "abcdef") {
		radix = 16
	}
	return strconv.ParseInt(s, radix, 64)
}
