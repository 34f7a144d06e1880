package casset

import (
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// array1 is where the elements of an array of 1.x are.
type array1 struct {
	declared        string
	count, from, to int64
}

// array: the elements' type, their count, the bytes they take, and the elements without anything between them.
func (g *fields1) array(v *reader, c *decode.Cursor, _ Type) {
	typ := c.Terminated("element_type")
	b := c.Peek(8)
	if b == nil {
		c.Fail("the count and the size of an array need 8 bytes, %d are left", c.Left())
		return
	}
	count, size := int64(little.Uint32(b)), int64(little.Uint32(b[4:]))
	if size > c.Left()-8 {
		c.Fail("elements of %d bytes do not fit in the %d that are left", size, c.Left()-8)
		return
	}
	a := array1{typ, count, c.Pos() + 8, c.Pos() + 8 + size}
	if size == 0 || count == 0 {
		c.Bytes("value", "array", 8)
		c.Value(func() any { return model.Scalars{} })
		if count > 0 {
			c.Value(func() any { return nil })
			c.StructSymbol(fmt.Sprintf("%d elements without bytes", count))
			return
		}
		c.Lift()
		if size != 0 {
			c.Fail("no elements take %d bytes", size)
		}
		return
	}
	k := declaredKind(typ)
	if k == kBad {
		k = g.guessElements(c, a)
	}
	if k == kF64 && size == 4*count {
		k = kF32
	}
	if width, fixed := k.fixed(); fixed && width*count != size {
		c.Fail("%d elements of %d bytes do not take %d", count, width, size)
		return
	}
	g.elements(v, c, a, k)
}

func (g *fields1) elements(v *reader, c *decode.Cursor, a array1, k kind) {
	switch {
	case k == kNullOrZero:
		g.row(c, a, kU64)
	case k.plain():
		g.row(c, a, k)
	case k == kObject:
		g.objects(c, a)
	case k == kStruct:
		g.structs(v, c, a)
	case k == kBinary && g.blobs(v, c, a):
	default:
		b := c.Bytes("value", "array", a.to-c.Pos())
		b.Span = model.Span{Offset: a.from, Size: a.to - a.from}
		c.Value(func() any { return b })
		c.Wrong("elements of type %q cannot be told apart", a.declared)
	}
}

// row reads plain elements as one leaf.
func (g *fields1) row(c *decode.Cursor, a array1, k kind) {
	width, _ := k.fixed()
	c.Row("value", "array", 8, a.count, width, func(e *decode.Cursor) any { return item(e, k) })
	c.Lift()
	g.filled(c, a)
}

// filled says what is wrong when the elements do not fill their bytes.
func (g *fields1) filled(c *decode.Cursor, a array1) {
	if c.Pos() != a.to {
		c.Fail("%d elements end at %#x, their size leads to %#x", a.count, c.Pos(), a.to)
	}
}

// counted reads the count and the size of elements.
func counted(c *decode.Cursor) {
	c.U32("count")
	c.Role(model.RoleCount)
	c.Size("size", model.U32)
}

func (g *fields1) objects(c *decode.Cursor, a array1) {
	counted(c)
	uuid, ok := g.references(c, a.from, a.to, a.count)
	if !ok {
		c.Fail("%d elements are not references that take %d bytes", a.count, a.to-a.from)
		return
	}
	c.Indexed("object", a.count, 8, func(e *decode.Cursor, _ int) { g.object(e, uuid) })
	g.filled(c, a)
}

// structs reads elements that are structs. Nothing is between them: each has as many fields as the others.
func (g *fields1) structs(v *reader, c *decode.Cursor, a array1) {
	counted(c)
	fields := g.fieldsIn(c, a.from, a.to)
	each := fields / a.count
	if each == 0 || each*a.count != fields {
		c.Fail("%d fields cannot be divided among %d elements", fields, a.count)
		return
	}
	depth := v.depth
	c.Indexed("struct", a.count, 6*each, func(e *decode.Cursor, _ int) {
		v := v.element(depth)
		for i := int64(0); i < each && e.Err() == nil; i++ {
			v.field(e, "field", Type{kind: kBad})
		}
	})
	g.filled(c, a)
}

// blobs reads an array of blobs, with flags or without, whichever fills the bytes. Empty ones take none: there may be
// fewer than the count says.
func (g *fields1) blobs(v *reader, c *decode.Cursor, a array1) bool {
	for _, flags := range []bool{true, false} {
		n := int64(0)
		q := ahead(c, a.from, a.to)
		for ; q.Left() > 0 && n < a.count && q.Err() == nil; n++ {
			v.block(q, flags)
		}
		if q.Err() != nil || q.Left() > 0 {
			continue
		}
		c.U32("count")
		c.Role(model.RoleCount)
		if n < a.count {
			c.Note("%d of the %d blobs are empty and take no bytes; the file does not say which", a.count-n, a.count)
		}
		c.Size("size", model.U32)
		c.Indexed("binary", n, 8, func(e *decode.Cursor, _ int) { v.block(e, flags) })
		return true
	}
	return false
}
