package kaitai

import (
	"bytes"
	"fmt"

	"assay/model"
)

// extent is the number of bytes that an attribute takes, and of those, from its first byte on, that are its content.
// The content is longer if it includes a terminator that is not consumed.
type extent struct{ take, content int64 }

// extent finds where an attribute ends that has a size, a terminator, or both.
func (r *reading) extent(f field, ref *Reference) (e extent, ok bool) {
	r.align()
	terminator := f.a.Terminator
	if terminator == nil && ref.Kind == Strz {
		terminator = make([]byte, f.a.plan.encoding.Unit())
	}
	switch {
	case f.a.Contents != nil:
		e.take = int64(len(f.a.Contents))
	case f.a.Size != nil && f.a.plan.each != dynamicSize:
		e.take = f.a.plan.each / 8
	case f.a.Size != nil:
		if e.take, ok = r.whole(f, "size", f.a.Size); !ok {
			return e, false
		}
		if e.take < 0 {
			r.fail(f.a, "size", fmt.Errorf("it is %d", e.take))
			return e, false
		}
	case f.a.SizeEOS:
		e.take = r.c.Left()
	default:
		e, ok = r.terminated(f.a, terminator)
		return e, r.spend(f, e.take/bytesPerStep) && ok
	}
	if e.take > r.c.Left() {
		r.c.Fail("%s needs %s, but only %d remain", f.a.ID, model.PlainCount(e.take, "byte"), r.c.Left())
		return e, false
	}
	e.content = e.take
	if f.a.PadRight == nil && terminator == nil || ref == &bytesReference {
		return e, true
	}
	if !r.spend(f, e.take/bytesPerStep) {
		return e, false
	}
	b, err := r.content(model.Span{Offset: r.c.Pos(), Size: e.take})
	if err != nil {
		r.fail(f.a, "", err)
		return e, false
	}
	e.content = int64(len(f.a.trimmed(b, terminator)))
	return e, true
}

// trimmed returns the content of an attribute that takes the bytes b: without padding, and up to the terminator.
func (a *Attribute) trimmed(b, terminator []byte) []byte {
	if a.PadRight != nil && !bytes.Equal(a.PadRight, terminator) {
		for len(b) > 0 && b[len(b)-1] == a.PadRight[0] {
			b = b[:len(b)-1]
		}
	}
	if terminator != nil {
		if i := indexUnit(b, terminator); i >= 0 {
			b = b[:i+len(terminator)]
			if !a.Include {
				b = b[:i]
			}
		}
	}
	return b
}

// indexUnit returns where a terminator stands at a multiple of its size; -1 if nowhere.
func indexUnit(b, terminator []byte) int {
	if len(terminator) == 1 {
		return bytes.IndexByte(b, terminator[0])
	}
	for i := 0; i+len(terminator) <= len(b); i += len(terminator) {
		if bytes.Equal(b[i:i+len(terminator)], terminator) {
			return i
		}
	}
	return -1
}

// find returns how many bytes come before a terminator, which stands at a multiple of its size.
func (r *reading) find(terminator []byte) (n int64, found bool) {
	near := min(256, r.c.Left())
	if i := indexUnit(r.c.Peek(near), terminator); i >= 0 {
		return int64(i), true
	}
	start, unit := r.c.Pos(), int64(len(terminator))
	for found = r.c.Find(terminator); found && (r.c.Pos()-start)%unit != 0; found = r.c.Find(terminator) {
		r.c.GoTo(r.c.Pos() + 1)
	}
	n = r.c.Pos() - start
	r.c.GoTo(start)
	return n, found
}

// terminated finds where bytes end that a terminator ends.
func (r *reading) terminated(a *Attribute, terminator []byte) (e extent, ok bool) {
	unit := int64(len(terminator))
	n, found := r.find(terminator)
	if r.c.Err() != nil {
		return e, false
	}
	if !found && !a.Consume {
		// An element of a list is read again within its own bytes; its terminator stands after them.
		next := model.Span{Offset: r.c.End(), Size: unit}
		b, err := r.stream.src.Bytes(next)
		found = err == nil && next.End() <= r.stream.span.End() && bytes.Equal(b, terminator)
	}
	if !found {
		n = r.c.Left()
		if a.EOSError {
			r.c.Fail("%s has no terminator % x in the %d bytes that are left", a.ID, terminator, n)
			return e, false
		}
		return extent{n, n}, true
	}
	e = extent{take: n, content: n}
	if a.Include {
		e.content += unit
	}
	if a.Consume {
		e.take += unit
	}
	return e, true
}
