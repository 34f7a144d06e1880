package casset

import (
	"assay/formats/decode"
	"assay/model"
)

// dialect is what the layouts of Bundle 3.0 differ in inside of the values.
type dialect struct {
	prefix        int64 // bytes of the size before every field, member and element: 0, 4 or 8
	bareFunctions bool  // elements of function arrays have none
}

// fields3 is the values of Bundle 3.0: their types are in the schema.
type fields3 struct {
	t *schema
	dialect
}

func (f *file) values3(d dialect) *reader {
	g := &fields3{&f.schema, d}
	v := &reader{file: f, generation: g}
	if d.prefix == 0 {
		v.bare = g
	}
	return v
}

// header: the size of the field, itself included.
func (g *fields3) header(_ *reader, c *decode.Cursor, t Type) (_ Type, size int64) {
	form := model.U64
	if g.prefix == 4 {
		form = model.U32
	}
	left := c.Left()
	c.Struct("header", "FieldHeader", func() {
		n := c.Size("size", form)
		width, fixed := t.kind.fixed()
		fits, ok := fit(n, left)
		switch {
		case fixed && n != uint64(width+g.prefix):
			c.Wrong("the size of a %s is %d here, not %d", t, width+g.prefix, n)
			size = width
		case !ok || fits < g.prefix:
			c.Fail("a value of %d bytes does not fit in the %d that are left", n, left)
		default:
			size = fits - g.prefix
		}
	})
	return t, size
}

func (*fields3) binary(v *reader, c *decode.Cursor) { v.block(c, true) }

// reference: Object Reference, Function Binding.
func (*fields3) reference(v *reader, c *decode.Cursor, t Type) {
	if b := c.Peek(16); t.kind != kStored && b != nil && null(b) {
		uuid(c, "object")
		c.StructSymbol("null")
		return
	}
	object := uuid(c, "object")
	bundle := uuid(c, "bundle")
	if t.kind == kFunction {
		c.Terminated("name")
	}
	if c.Recording() {
		v.lead(c, object.String(), bundle.String(), "")
	}
}

// members: the fields of a struct or a class in the order of its schema entry.
func (g *fields3) members(v *reader, c *decode.Cursor, t Type) {
	e := g.t.entry(c, t.index)
	switch {
	case e == nil:
		return
	case e.plan.cyclic:
		c.Fail("the struct %s contains itself", e.name)
	case g.prefix == 0 && e.plan.fields > fieldsFree+4*e.plan.least:
		c.Fail("more than %d fields in one object; the rest is not shown", fieldsFree+4*e.plan.least)
	}
	for i := range e.fields {
		if c.Err() != nil {
			return
		}
		v.field(c, e.fields[i].Name, e.fields[i].Type)
	}
}

// array: the count, and the elements.
func (g *fields3) array(v *reader, c *decode.Cursor, t Type) {
	if t.plain() {
		g.row(c, "value", t)
		c.Lift()
		return
	}
	n := int64(c.U32("count"))
	c.Role(model.RoleCount)
	n, ok := g.shown(c, t, n, c.Left())
	if c.Err() != nil || !ok || n == 0 {
		return
	}
	depth, elem, bare := v.depth, *t.elem, g.bareElements(t)
	each := func(e *decode.Cursor, _ int) {
		in := v
		if elem.kind == kStruct { // others have no fields to count
			in = v.element(depth)
		}
		if bare {
			in.value(e, elem)
		} else {
			in.headed(e, elem)
		}
	}
	if size, fixed := g.size(t); fixed && size > 0 {
		c.Records(elem.String(), n, size, each)
	} else {
		c.Indexed(elem.String(), n, size, each)
	}
}

// row reads an array of plain values as one leaf.
func (g *fields3) row(c *decode.Cursor, name string, t Type) {
	b := c.Peek(4)
	if b == nil {
		c.Fail("the count of an array needs 4 bytes, %d are left", c.Left())
		return
	}
	n, ok := g.shown(c, t, int64(little.Uint32(b)), c.Left()-4)
	size, fixed := g.size(t)
	k := t.elem.kind
	switch {
	case !ok:
	case size == 0:
		c.Bytes(name, "array", 4)
		c.Value(func() any { return model.Scalars(make([]any, n)) })
	case g.prefix == 0 && kinds[k].n == 1:
		c.Counted(name, "array", model.U32, kinds[k].form)
	case g.prefix == 0 && fixed:
		c.Row(name, "array", 4, n, size, func(e *decode.Cursor) any { return item(e, k) })
	default:
		c.Row(name, "array", 4, n, 0, func(e *decode.Cursor) any { return g.sizedItem(e, k) })
	}
}

// sizedItem reads one plain value of a row, with its size before it if the dialect has one.
func (g *fields3) sizedItem(c *decode.Cursor, k kind) any {
	start, size := c.Pos(), uint64(0)
	switch g.prefix {
	case 4:
		size = uint64(c.U32("size"))
	case 8:
		size = c.U64("size")
	}
	v := item(c, k)
	if took := c.Pos() - start; g.prefix > 0 && size != uint64(took) {
		c.Fail("the size of a %s is %d here, not %d", kinds[k].name, took, size)
	}
	return v
}

// size returns the fewest bytes of an element of an array, and whether every element has as many.
func (g *fields3) size(t Type) (n int64, fixed bool) {
	n, fixed = g.t.size(*t.elem, 0)
	if g.bareElements(t) {
		return n, fixed
	}
	return n + g.prefix, fixed && t.elem.kind != kStruct
}

// bareElements reports whether the elements of an array have no sizes before them.
func (g *fields3) bareElements(t Type) bool {
	return g.prefix == 0 || t.kind == kStore || t.elem.kind == kFunction && g.bareFunctions
}

// shown compares the count of an array with the bytes after it. Elements without bytes are shown up to a bound.
func (g *fields3) shown(c *decode.Cursor, t Type, n, left int64) (int64, bool) {
	if t.elem.kind == kStruct && g.t.entry(c, t.elem.index) == nil {
		return 0, false
	}
	least, _ := g.size(t)
	if least > 0 && n > left/least {
		c.Fail("%d elements do not fit in the %d bytes that are left", n, left)
		return 0, false
	}
	if least == 0 && n > emptyMost {
		c.Wrong("%d elements take no bytes at all; the first %d are shown", n, emptyMost)
		return emptyMost, true
	}
	return n, true
}

func (*fields3) infer(_ *reader, _ *decode.Cursor, t Type) Type { return t }
