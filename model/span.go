package model

import (
	"cmp"
	"slices"
	"strconv"
)

// Span is the half-open range [Offset, Offset+Size) of a Source, in bytes.
type Span struct {
	Offset, Size int64
}

// End returns the offset of the first byte after the span.
func (s Span) End() int64 { return s.Offset + s.Size }

// Contains reports whether the byte at off is in the span.
func (s Span) Contains(off int64) bool { return off >= s.Offset && off-s.Offset < s.Size }

// Within reports whether the span is in [0, size). It does not wrap for offsets or sizes near 2^63.
func (s Span) Within(size int64) bool {
	return s.Offset >= 0 && s.Size >= 0 && s.Offset <= size && s.Size <= size-s.Offset
}

// Overlaps reports whether the two spans share a byte.
func (s Span) Overlaps(o Span) bool {
	return s.Size > 0 && o.Size > 0 && s.Offset < o.End() && o.Offset < s.End()
}

// Join returns the smallest span that holds both; an empty span adds nothing.
func (s Span) Join(o Span) Span {
	switch {
	case o.Size <= 0:
		return s
	case s.Size <= 0:
		return o
	}
	start, end := min(s.Offset, o.Offset), max(s.End(), o.End())
	return Span{start, end - start}
}

// String returns the span as "0x1a4 +64".
func (s Span) String() string { return string(s.append(nil)) }

func (s Span) append(b []byte) []byte {
	b = strconv.AppendInt(append(b, "0x"...), s.Offset, 16)
	return strconv.AppendInt(append(b, " +"...), s.Size, 10)
}

// Bits are the bits of a span that a field takes which does not begin and end at whole bytes. The zero value is all of
// them.
type Bits struct {
	Before, After uint8 // numbers of bits of other fields in the first and last byte
	FromLow       bool  // the bits of a byte are counted from the least, not from the most significant one
}

// BitRange returns the first bit of a node, counted from 0 in its first byte, and the number of its bits. It returns
// false if the node takes whole bytes.
func (n *Node) BitRange() (first, count int64, ok bool) {
	b := n.Bits
	return int64(b.Before), 8*n.Size - int64(b.Before) - int64(b.After), b != Bits{}
}

// BitText returns the bits of a node as text, or "" if it takes whole bytes.
func (n *Node) BitText() string {
	first, count, ok := n.BitRange()
	switch {
	case !ok:
		return ""
	case count == 1:
		return "bit " + strconv.FormatInt(first, 10)
	}
	return "bits " + strconv.FormatInt(first, 10) + " to " + strconv.FormatInt(first+count-1, 10)
}

// ownedSpan returns the bytes that a leaf owns: a byte belongs to the first field that has bits of it.
func (n *Node) ownedSpan() Span {
	if n.Bits.Before == 0 {
		return n.Span
	}
	return Span{n.Offset + 1, n.Size - 1}
}

// spanSet collects spans, and finds the covered bytes and the overlaps. Adjacent spans are joined: a file that is
// walked in its own order takes no memory.
type spanSet struct {
	spans    []Span
	overlaps []Span
	joinAt   int // number of spans at which they are sorted and joined
}

const minJoin = 1 << 16

func (s *spanSet) add(v Span) {
	if v.Size <= 0 {
		return
	}
	if last := len(s.spans); last > 0 && s.spans[last-1].End() == v.Offset {
		s.spans[last-1].Size += v.Size
		return
	}
	if s.joinAt == 0 {
		s.joinAt = minJoin
	}
	if len(s.spans) >= s.joinAt {
		s.join()
		s.joinAt = max(minJoin, 2*len(s.spans))
	}
	s.spans = append(s.spans, v)
}

// join sorts the spans, joins touching ones, and records their overlaps.
func (s *spanSet) join() {
	slices.SortFunc(s.spans, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Size, b.Size))
	})
	out := s.spans[:0]
	for _, v := range s.spans {
		if k := len(out); k > 0 && v.Offset <= out[k-1].End() {
			last := &out[k-1]
			if v.Offset < last.End() {
				s.addOverlap(Span{v.Offset, min(v.End(), last.End()) - v.Offset})
			}
			last.Size = max(last.End(), v.End()) - last.Offset
			continue
		}
		out = append(out, v)
	}
	s.spans = out
}

func (s *spanSet) addOverlap(v Span) {
	if k := len(s.overlaps); k > 0 && v.Offset <= s.overlaps[k-1].End() && v.Offset >= s.overlaps[k-1].Offset {
		s.overlaps[k-1] = s.overlaps[k-1].Join(v)
		return
	}
	if len(s.overlaps) < maxProblems {
		s.overlaps = append(s.overlaps, v)
	}
}

// coverage returns the number of bytes of [0, size) that the set holds, the spans of the other bytes, and the spans
// that it holds more than once.
func (s *spanSet) coverage(size int64) (covered int64, gaps, twice []Span) {
	s.join()
	next := int64(0)
	for _, v := range s.spans {
		start, end := min(max(v.Offset, 0), size), min(v.End(), size)
		if start > next {
			gaps = append(gaps, Span{next, start - next})
		}
		if end > start {
			covered += end - start
			next = end
		}
	}
	if next < size {
		gaps = append(gaps, Span{next, size - next})
	}
	slices.SortFunc(s.overlaps, func(a, b Span) int { return cmp.Compare(a.Offset, b.Offset) })
	for _, v := range s.overlaps { // a span that was joined before may be shared again
		if k := len(twice); k > 0 && v.Offset < twice[k-1].End() {
			twice[k-1] = twice[k-1].Join(v)
			continue
		}
		twice = append(twice, v)
	}
	return covered, gaps, twice
}

// fill adds the bytes of other that s does not cover.
func (s *spanSet) fill(other *spanSet, size int64) {
	if len(other.spans) == 0 {
		return
	}
	other.join()
	_, gaps, _ := s.coverage(size)
	for _, v := range other.spans {
		for len(gaps) > 0 && gaps[0].End() <= v.Offset {
			gaps = gaps[1:]
		}
		for i := 0; i < len(gaps) && gaps[i].Offset < v.End(); i++ {
			start, end := max(v.Offset, gaps[i].Offset), min(v.End(), gaps[i].End())
			s.add(Span{start, end - start})
		}
	}
}
