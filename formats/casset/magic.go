package casset

import (
	"bytes"
	"context"

	"assay/formats/decode"
	"assay/model"
)

// objectStart reads the beginning that the objects of 1.x and 2.0 have in common. An object without its magic is read
// all the same: the one before it ends here.
func (f *file) objectStart(c *decode.Cursor, h *head) (asset bool) {
	hasMagic := bytes.Equal(c.Peek(8), objectMagic)
	c.Text("magic", 8)
	c.As("bytes")
	if !hasMagic {
		c.Errorf("an object begins with % x", objectMagic)
	}
	h.uuid = f.uuid(c, "uuid")
	asset = flag(c, "is_asset")
	h.path = c.Terminated("path")
	c.Role(model.RoleName)
	h.class = c.Terminated("class")
	return asset
}

// fieldName reads the name of a field, which is in the field's header. n is the field's node, if it is recorded.
func (r *valueReader) fieldName(c *decode.Cursor, n *model.Node) {
	name := c.Terminated("name")
	if c.Err() != nil {
		return
	}
	r.visitor.rename(name)
	if n != nil {
		n.Name = decode.ValidUTF8(name)
	}
}

// findByMagic finds the objects, which record their ends: from the data offset on, or else from the first magic after
// the beginning of the header.
func (f *file) findByMagic(ctx context.Context, q *decode.Cursor) {
	x := &f.objects
	h, _ := f.quietHeader(q)
	start, ok := bounded(h.data, f.src.Size())
	ok = ok && start >= minObjectsStart && (f.hasMagicOrEndAt(q, start) || f.hasMagicOrEndAt(q, f.objectEnd(q, start)))
	until := f.src.Size()
	if ok {
		until = start + int64(len(objectMagic))
	}
	q.Reset(model.Span{Offset: minObjectsStart, Size: until - minObjectsStart})
	q.Find(objectMagic)
	if first := q.Pos(); !ok || first < start && f.hasMagicOrEndAt(q, f.objectEnd(q, first)) {
		if start = first; start < f.src.Size() {
			x.addProblem(start, "the first object begins at %#x, not at the data offset %#x", start, h.data)
		}
	}
	x.start, x.end = start, start
	f.walk(ctx, func() bool { return f.nextByMagic(q, x.end) })
}

// minObjectsStart is the bytes before the data offset of Package 0.1, the first of all: no object begins in them.
const minObjectsStart = 0x10

// step is the next step through the list from an offset. For objects of 80 bytes, the first at 0x20:
//
//	an end of 0x70, with the next magic there       undamaged
//	an end of 0x71, with the next magic at 0x70     damaged, up to 0x70
//	a damaged magic, and an end of 0x70             undamaged: an object begins there nevertheless
//	other bytes before the magic of the next one    unknownBytes, up to that
//	zeros, and no valid object after them           listEnd
type step uint8

const (
	listEnd      step = iota
	undamaged         // an object with a correct end
	damaged           // an object with a wrong end: it extends to the next one, or to the end of the list
	unknownBytes      // bytes before the next object, or the end of the list, that are not an object
)

// nextByMagic adds the object or the bytes at pos to the list. It returns false at the end of the list.
func (f *file) nextByMagic(q *decode.Cursor, pos int64) bool {
	x := &f.objects
	s, to, found := f.stepAt(q, pos)
	switch {
	case s == damaged && found:
		x.addProblem(pos, "the object's size is wrong; the next object is at %#x", to)
	case s == damaged:
		x.addProblem(pos, "the recorded end of the last object is wrong")
	case s == unknownBytes && found:
		x.addProblem(pos, "no object begins here; the next one is at %#x", to)
	case s == unknownBytes:
		x.addProblem(pos, "no object found here or after this")
	}
	switch s {
	case undamaged, damaged:
		x.add(pos, to-pos)
		return true
	case unknownBytes:
		x.end = to
	}
	return found
}

// stepAt returns the step at pos, and its end. found means that an object follows a damaged one or unknown bytes.
func (f *file) stepAt(q *decode.Cursor, pos int64) (s step, to int64, found bool) {
	restartAt(q, pos)
	magic := q.Peek(8)
	hasMagic, zeros := bytes.Equal(magic, objectMagic), isZero(magic)
	if magic == nil || !hasMagic && q.Remaining() == endSize {
		return listEnd, pos, false
	}
	end := f.objectEnd(q, pos)
	if hasMagic && (f.hasMagicOrEndAt(q, end) || f.isCutAfter(q, end)) {
		return undamaged, end, false
	}
	next := f.objects.magicAfter(q, pos)
	found = next < f.src.Size()
	if zeros && !(found && f.hasMagicOrEndAt(q, f.objectEnd(q, next))) {
		return listEnd, pos, false
	}
	if !found { // up to the end of the list, which may still be there
		restartAt(q, max(pos+8, next-endSize))
		if q.Remaining() == endSize && q.U64("end") == 0 {
			next -= endSize
		}
	}
	switch {
	case end == next,
		end < next && hasMagic && f.isClosedBefore(q, end, next),       // the object after it is damaged
		end < next && !hasMagic && !zeros && f.hasMagicOrEndAt(q, end): // its magic is
		return undamaged, end, false
	case hasMagic:
		return damaged, next, found
	}
	return unknownBytes, next, found
}

// magicAfter returns the offset of the next magic after pos, or the end of the file.
func (l *objectList) magicAfter(q *decode.Cursor, pos int64) int64 {
	if l.magic <= pos {
		restartAt(q, pos+1)
		q.Find(objectMagic)
		l.magic = q.Pos()
	}
	return l.magic
}

// hasMagicOrEndAt reports whether an object or the end of the list begins at pos. It is false for 0.
func (f *file) hasMagicOrEndAt(q *decode.Cursor, pos int64) bool {
	restartAt(q, pos)
	b := q.Peek(8)
	return pos > 0 && b != nil && (bytes.Equal(b, objectMagic) || isZero(b))
}

// isClosedBefore reports whether an object ends at end, where the zeros are that close it, rather than a few bytes
// later at next.
func (f *file) isClosedBefore(q *decode.Cursor, end, next int64) bool {
	return f.isClosedAt(q, end) && (next-end >= endSize || !f.isClosedAt(q, next))
}

// isCutAfter reports whether the file is cut off in the 8 bytes that should follow an object that ends at end.
func (f *file) isCutAfter(q *decode.Cursor, end int64) bool {
	size := f.src.Size()
	complete := end > size-endSize && end <= size && f.isClosedAt(q, end)
	return complete && (end == size || !f.isClosedAt(q, size-endSize))
}

// isClosedAt reports whether the zeros that close an object are before an offset.
func (f *file) isClosedAt(q *decode.Cursor, end int64) bool {
	restartAt(q, end-f.layout.objects.tail)
	b := q.Peek(f.layout.objects.tail)
	return end > 0 && b != nil && isZero(b)
}

func isZero(b []byte) bool { return len(bytes.Trim(b, "\x00")) == 0 }

// objectEnd returns the recorded end of the object at pos, or 0 if that is invalid.
func (f *file) objectEnd(q *decode.Cursor, pos int64) int64 {
	restartAt(q, pos)
	size := f.objectHead(q).size
	if q.Err() != nil || size < 0 || size > q.Remaining()-f.layout.objects.tail {
		return 0
	}
	return q.Pos() + size + f.layout.objects.tail
}
