package casset

import (
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// array records an array of 1.x: the elements' type, their count, the bytes they take, and the elements without
// anything between them.
func (v *values1) array() finish {
	c, n := v.c, v.c.Node()
	typ := c.Terminated("element_type")
	b := c.Peek(8)
	if b == nil {
		c.Fail("the count and the size of an array need 8 bytes, %d are left", c.Left())
		return nil
	}
	count, size := int64(little.Uint32(b)), int64(little.Uint32(b[4:]))
	if size > c.Left()-8 {
		c.Fail("elements of %d bytes do not fit in the %d that are left", size, c.Left()-8)
		return nil
	}
	start, end := c.Pos()+8, c.Pos()+8+size
	k := kind1(typ)
	if size == 0 || count == 0 {
		c.Bytes("value", "array", 8)
		if count > 0 {
			c.Last().Value = nil
			n.Symbol = fmt.Sprintf("%d elements without bytes", count)
			return nil
		}
		c.Last().Value = model.Scalars{}
		lift(c)
		if size != 0 {
			c.Fail("no elements take %d bytes", size)
		}
		return nil
	}
	if k == kBad {
		k = v.guessElements(start, end, count)
	}
	if k == kF64 && size == 4*count {
		k = kF32
	}
	if width, fixed := k.fixed(); fixed && width*count != size {
		c.Fail("%d elements of %d bytes do not take %d", count, width, size)
		return nil
	}
	switch {
	case k == kNullOrZero, k.scalar():
		if k == kNullOrZero {
			k = kU64
		}
		q, err := newSequence(v.ctx, v.src, start, end, count, func(s *scanner) { skipScalar(s, k) })
		c.Bytes("value", "array", 8+size)
		c.Last().Value = q.scalars(func(s *scanner) any { return scalar(s, k) })
		lift(c)
		v.whole(q, end, count, err)
		return nil
	case k == kObject, k == kStruct:
		return v.elements(k, start, end, count)
	case k == kBinary:
		if last, ok := v.blobs(start, end, count); ok {
			return last
		}
	}
	c.Bytes("value", "array", 8+size)
	c.Last().Value = model.Blob{Source: v.src, Span: model.Span{Offset: start, Size: size}}
	c.Wrong("elements of type %q cannot be told apart", typ)
	return nil
}

// whole says what is wrong when the elements do not fill their bytes.
func (v *values1) whole(q *sequence, end, count int64, err error) {
	switch {
	case err != nil:
		v.c.Fail("element %d of %d: %v", q.n, count, err)
	case q.end != end:
		v.c.Fail("%d elements end at %#x, their size leads to %#x", count, q.end, end)
	}
}

// elements records references or structs, which are decoded when they are looked at.
func (v *values1) elements(k kind, start, end, count int64) finish {
	c := v.c
	c.U32("count")
	c.Role(model.RoleCount)
	c.U32("size")
	c.Role(model.RoleSize)
	var skip func(*scanner)
	uuid := false
	if k == kObject {
		ok := false
		if uuid, ok = v.references(v.s, start, end, count); !ok {
			c.Fail("%d elements are no references that take %d bytes", count, end-start)
			return nil
		}
		skip = func(s *scanner) { skipReference(s, uuid) }
	} else {
		fields := v.fieldsIn(start, end)
		each := fields / count
		if each == 0 || each*count != fields {
			c.Fail("%d fields cannot be divided among %d elements", fields, count)
			return nil
		}
		skip = func(s *scanner) {
			for i := int64(0); i < each && s.err == nil; i++ {
				v.skipField(s)
			}
		}
	}
	q, err := newSequence(v.ctx, v.src, start, end, count, skip)
	c.GoTo(q.end)
	v.whole(q, end, count, err)
	depth := v.depth
	return func(list *model.Node) {
		q.under(list, v.proto, k.String(), func(c *decode.Cursor) finish {
			in := &values1{file: v.file, c: c, s: newScanner(v.src, c.Pos(), c.End())}
			in.depth = depth
			if k == kObject {
				in.reference(uuid)
			} else {
				in.entries(c.End())
			}
			return nil
		})
	}
}

// fieldsIn counts the fields that fill start to end; 0 if they do not.
func (v *values1) fieldsIn(start, end int64) (n int64) {
	s := v.s
	s.pos, s.end, s.err = start, end, nil
	for s.err == nil && s.pos < end {
		v.skipField(s)
		n++
	}
	if s.err != nil {
		return 0
	}
	return n
}

// guessElements tells what the elements' type does not.
func (v *values1) guessElements(start, end, count int64) kind {
	if n := v.fieldsIn(start, end); n > 0 && n%count == 0 {
		return kStruct
	}
	if end-start == 8*count {
		s := v.s
		s.pos, s.end, s.err = start, end, nil
		for s.err == nil && s.pos < end {
			if !null(s.take(8)) {
				return kEnum
			}
		}
		return kNullOrZero
	}
	if _, ok := v.references(v.s, start, end, count); ok {
		return kObject
	}
	if v.lay.minor >= 2 {
		v.s.pos, v.s.end, v.s.err = start, end, nil
		if string(v.s.peek(4)) == string(fieldMarker) {
			return kStruct
		}
	}
	return kBad
}

// blobs records an array of blobs, with flags or without, whichever fills the bytes. Empty ones take none: there may
// be fewer than the count says.
func (v *values1) blobs(start, end, count int64) (last finish, ok bool) {
	c, s := v.c, v.s
	for _, flags := range []bool{true, false} {
		skip := func(s *scanner) { skipBlob(s, flags) }
		n := int64(0)
		for s.pos, s.end, s.err = start, end, nil; s.err == nil && s.pos < end && n < count; n++ {
			skip(s)
		}
		if s.err != nil || s.pos != end {
			continue
		}
		c.U32("count")
		c.Role(model.RoleCount)
		if n < count {
			c.Note("%d of the %d blobs are empty and take no bytes; the file does not say which", count-n, count)
		}
		c.U32("size")
		c.Role(model.RoleSize)
		q, err := newSequence(v.ctx, v.src, start, end, n, skip)
		c.GoTo(q.end)
		v.whole(q, end, n, err)
		return func(list *model.Node) {
			q.under(list, v.proto, kBinary.String(), func(c *decode.Cursor) finish {
				block(c, flags)
				return nil
			})
		}, true
	}
	return nil, false
}
