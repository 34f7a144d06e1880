package casset

import (
	"assay/formats/decode"
	"assay/model"
)

// fields2 is the values of 2.0, which carry their types.
type fields2 struct{ *file }

// header: the name if the value is in a map, the type.
func (fields2) header(_ *reader, c *decode.Cursor, t Type) (Type, int64) {
	n := c.Node()
	c.Struct("header", "FieldHeader", func() {
		if t.kind == kNamed {
			fieldName(c, n)
		}
		b := c.U8("type")
		if t = mapTypes.of(b); t.kind == kBad {
			c.Fail("type byte %#02x is not one of 2.0", b)
			return
		}
		c.Symbol(t.String())
	})
	return t, -1
}

// mapTypes are the type bytes of 2.0.
var mapTypes = plainBytes(typeBytes{0x00: {kind: kNothing}, 0x0D: {kind: kBinary}, 0x0E: {kind: kObject},
	0x10: {kind: kMap},
	0x11: {kind: kArray}, 0x81: {kind: kVec2}, 0x82: {kind: kVec3}, 0x83: {kind: kVec4}, 0x84: {kind: kMatrix}})

func (fields2) infer(_ *reader, _ *decode.Cursor, t Type) Type { return t }

// binary: length, flags, bytes.
func (g fields2) binary(v *reader, c *decode.Cursor) {
	if g.lay.bundle || !bareBlob(c) {
		v.block(c, true)
		return
	}
	c.Bytes("data", "bytes", 0)
	c.Lift()
	c.Note("an empty blob without its length, as packages had before 2024")
}

// bareBlob reports whether a blob's length cannot be one, and the name of the next entry or the end of the map is there
// instead: early writers wrote nothing for an empty blob.
func bareBlob(c *decode.Cursor) bool {
	if c.Left() == 0 {
		return true
	}
	if b := c.Peek(8); b != nil {
		if _, ok := fit(little.Uint64(b), c.Left()-16); ok {
			return false
		}
	}
	const most = 128
	q := c.Aside(model.Span{Offset: c.Pos(), Size: min(c.Left(), most)})
	name := q.Terminated("name")
	for _, r := range name {
		if r < 0x20 || r > 0x7E {
			return false
		}
	}
	return name != "" && mapTypes.of(q.U8("type")).kind != kBad && q.Err() == nil
}

// reference: the object, the bundle or package that it is in.
func (g fields2) reference(v *reader, c *decode.Cursor, _ Type) {
	object := uuid64(c, "object")
	bundle := uuid64(c, "bundle")
	switch {
	case object == 0:
		c.StructSymbol("null")
	case c.Recording():
		v.lead(c, decimal(object), decimal(bundle), "")
	}
}

// members: a map.
func (g fields2) members(v *reader, c *decode.Cursor, t Type) {
	g.sized(c, t, func() {
		n := c.U32("count")
		c.Role(model.RoleCount)
		g.entries(v, c, int64(n))
	})
}

// sized reads the size of a map or an array, and what it holds.
func (fields2) sized(c *decode.Cursor, t Type, fields func()) {
	size := c.Size("size", model.U64)
	n, ok := fit(size, c.Left())
	if !ok || n < 4 {
		c.Fail("a %s of %d bytes does not fit in the %d that are left", t, size, c.Left())
	}
	c.Frame(n, fields)
}

// entries: those of a map, to its end.
func (g fields2) entries(v *reader, c *decode.Cursor, n int64) {
	if n > c.Left()/2 {
		c.Fail("%d entries do not fit in the %d bytes that are left", n, c.Left())
	}
	for ; n > 0 && c.Err() == nil; n-- {
		v.field(c, "entry", Type{kind: kNamed})
	}
	if c.Left() > 0 {
		c.Fail("the map ends at %#x, its size leads to %#x", c.Pos(), c.End())
	}
}

// array: one leaf if all elements are plain, else elements with types of their own.
func (g fields2) array(v *reader, c *decode.Cursor, t Type) {
	g.sized(c, t, func() {
		b := c.Peek(4)
		if b == nil {
			c.Fail("the count of an array needs 4 bytes, %d are left", c.Left())
			return
		}
		n := int64(little.Uint32(b))
		if n > c.Left()-4 {
			c.Fail("%d elements do not fit in the %d bytes that are left", n, c.Left()-4)
			return
		}
		if n > 0 && c.Recording() && g.allPlain(c, n) {
			c.Row("value", "array", 4, n, 0,
				func(e *decode.Cursor) any { return item(e, mapTypes.of(e.U8("type")).kind) })
			c.Lift()
		} else {
			g.elements(v, c)
		}
		if c.Left() > 0 {
			c.Fail("the array ends at %#x, its size leads to %#x", c.Pos(), c.End())
		}
	})
}

// allPlain reports whether all elements of an array are plain.
func (fields2) allPlain(c *decode.Cursor, n int64) bool {
	q := c.Aside(model.Span{Offset: c.Pos() + 4, Size: c.Left() - 4})
	for ; n > 0 && q.Err() == nil; n-- {
		k := mapTypes.of(q.U8("type")).kind
		if !k.plain() {
			return false
		}
		plain(q, "value", k)
	}
	return true
}

// elements: each has its type before it.
func (g fields2) elements(v *reader, c *decode.Cursor) {
	n := int64(c.U32("count"))
	c.Role(model.RoleCount)
	if n == 0 {
		c.StructValue(model.Scalars{})
	}
	depth := v.depth
	c.Indexed("", n, 1, func(e *decode.Cursor, _ int) {
		if v := v.element(depth); v.enter(e) {
			v.depth++
			v.headed(e, Type{kind: kCarried})
		}
	})
}
