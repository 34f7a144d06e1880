package model

import "strconv"

// Span is the half-open range [Offset, Offset+Size) of a Source, in bytes.
type Span struct {
	Offset, Size int64
}

// End is the offset of the first byte after the span.
func (s Span) End() int64 { return s.Offset + s.Size }

// Contains reports whether the byte at off is in the span.
func (s Span) Contains(off int64) bool { return off >= s.Offset && off-s.Offset < s.Size }

// Within reports whether the span lies in [0, size). It does not wrap for offsets or sizes near 2^63.
func (s Span) Within(size int64) bool {
	return s.Offset >= 0 && s.Size >= 0 && s.Offset <= size && s.Size <= size-s.Offset
}

// Overlaps reports whether the two spans share a byte.
func (s Span) Overlaps(o Span) bool {
	return s.Size > 0 && o.Size > 0 && s.Offset < o.End() && o.Offset < s.End()
}

// Join is the smallest span that holds both; an empty span adds nothing.
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

// String is the span as "0x1a4 +64".
func (s Span) String() string { return string(s.append(nil)) }

func (s Span) append(b []byte) []byte {
	b = strconv.AppendInt(append(b, "0x"...), s.Offset, 16)
	return strconv.AppendInt(append(b, " +"...), s.Size, 10)
}
