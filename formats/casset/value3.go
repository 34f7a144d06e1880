package casset

import (
	"assay/formats/decode"
	"assay/model"
)

// values3 records the fields of one object of a Bundle 3.0, or of one element.
type values3 struct {
	*file
	pass
	c *decode.Cursor
	budget
}

func (f *file) values3(c *decode.Cursor) *values3 {
	return &values3{file: f, pass: pass{t: &f.schema, d: f.lay.dialect}, c: c}
}

// record records a field or a member.
func (v *values3) record(name string, f *schemaField) {
	c := v.c
	if !v.enter(c) {
		return
	}
	defer v.leave()
	switch {
	case v.d.prefix > 0:
		inside(c, name, f.kind.String(), func() finish { return v.sized(f) })
	case f.kind.scalar():
		leaf(c, name, f.kind)
	case f.kind == kArray && f.elem.scalar():
		v.array(name, f)
	default:
		inside(c, name, f.kind.String(), func() finish { return v.body(f) })
	}
}

// sized records the size that comes before a value, then the value, and goes where the size says.
func (v *values3) sized(f *schemaField) (last finish) {
	c, n := v.c, v.c.Node()
	start := c.Pos()
	end := start
	c.Struct("header", "FieldHeader", func() {
		form := model.U64
		if v.d.prefix == 4 {
			form = model.U32
		}
		size := c.Number("size", form)
		c.Role(model.RoleSize)
		width, fixed := f.kind.fixed()
		fits, ok := fit(size, c.End()-start)
		switch {
		case c.Err() != nil:
		case fixed && (!ok || fits != width+v.d.prefix):
			c.Wrong("the size of a %s is %d here, not %d", f.kind, width+v.d.prefix, size)
			end = start + width + v.d.prefix
		case !ok || fits < v.d.prefix:
			c.Fail("a value of %d bytes does not fit in the %d that are left", size, c.End()-start)
		default:
			end = start + fits
		}
	})
	if c.Err() != nil {
		return nil
	}
	restore := c.Limit(end)
	if c.Try(func() { last = v.body(f) }) && c.Pos() != end {
		n.Warn(model.Error, n.Span, "the value ends at %#x, its size leads to %#x", c.Pos(), end)
	}
	restore()
	c.GoTo(end)
	return last
}

// body records a value inside of the node that is open.
func (v *values3) body(f *schemaField) finish {
	c := v.c
	switch f.kind {
	case kBinary:
		block(c, true)
	case kObject, kFunction:
		v.reference(f.kind, true)
	case kStruct:
		v.structure(f.index)
	case kArray:
		if f.elem.scalar() {
			v.array("value", f)
			lift(c)
			return nil
		}
		return v.elements(f)
	case kObjects, kStructs, kFunctions, kStore:
		return v.elements(f)
	case kBad:
		c.Fail("a value of unknown type cannot be read")
	default:
		leaf(c, "value", f.kind)
		lift(c)
	}
	return nil
}

// reference records what leads to an object or a function.
func (v *values3) reference(k kind, nullable bool) {
	c, n := v.c, v.c.Node()
	if nullable && c.Left() >= 16 && null(c.Peek(16)) {
		uuid(c, "object")
		n.Symbol = "null"
		return
	}
	object := uuid(c, "object")
	bundle := uuid(c, "bundle")
	if k == kFunction {
		c.Terminated("name")
	}
	if c.Err() == nil {
		n.Link = v.link(object, bundle, "")
	}
}

func (v *values3) structure(index uint32) {
	c := v.c
	if int64(index) >= int64(len(v.t.entries)) {
		c.Fail("schema index %d is outside of the %d entries", index, len(v.t.entries))
		return
	}
	e := &v.t.entries[index]
	if e.plan.cyclic {
		c.Fail("the struct %s contains itself", e.name)
		return
	}
	for i := range e.fields {
		if c.Err() != nil {
			return
		}
		v.record(e.fields[i].name, &e.fields[i])
	}
}

// count compares a count with the bytes behind it. Elements without bytes are shown up to a bound.
func (v *values3) count(f *schemaField, n, left int64) (shown int64, ok bool) {
	least, _ := v.elementLeast(f)
	if f.kind == kStructs && int64(f.index) >= int64(len(v.t.entries)) {
		v.c.Fail("schema index %d is outside of the %d entries", f.index, len(v.t.entries))
		return 0, false
	}
	if least > 0 && n > left/least {
		v.c.Fail("%d elements do not fit in the %d bytes that are left", n, left)
		return 0, false
	}
	if least == 0 && n > emptyMost {
		v.c.Wrong("%d elements take no bytes at all; the first %d are shown", n, emptyMost)
		return emptyMost, true
	}
	return n, true
}

// array records an array of plain values as one leaf.
func (v *values3) array(name string, f *schemaField) {
	c := v.c
	b := c.Peek(4)
	if b == nil {
		c.Fail("the count of an array needs 4 bytes, %d are left", c.Left())
		return
	}
	n, ok := v.count(f, int64(little.Uint32(b)), c.Left()-4)
	if !ok {
		return
	}
	least, fixed := v.elementLeast(f)
	if kinds[f.elem].n == 1 && fixed {
		c.Counted(name, "array", model.U32, kinds[f.elem].form)
		return
	}
	if least == 0 {
		c.Bytes(name, "array", 4)
		c.Last().Value = model.Scalars(make([]any, n))
		return
	}
	within := v.pass
	within.strict = true // the values are read one after the other later
	q, err := newSequence(v.ctx, v.src, c.Pos()+4, c.End(), n, within.element(f, v.depth))
	if err != nil {
		c.Fail("element %d of %d: %v", q.n, n, err)
		return
	}
	c.Bytes(name, "array", q.end-c.Pos())
	prefix, elem := v.d.prefix, f.elem
	c.Last().Value = q.scalars(func(s *scanner) any {
		s.skip(prefix)
		return scalar(s, elem)
	})
}

// elements records the count of an array of other values; its elements are decoded when they are looked at.
func (v *values3) elements(f *schemaField) finish {
	c := v.c
	count := c.U32("count")
	c.Role(model.RoleCount)
	if c.Err() != nil {
		return nil
	}
	n, ok := v.count(f, int64(count), c.Left())
	if !ok {
		return nil
	}
	q, err := newSequence(v.ctx, v.src, c.Pos(), c.End(), n, v.element(f, v.depth))
	c.GoTo(q.end)
	if err != nil {
		c.Fail("element %d of %d: %v", q.n, n, err)
	}
	e := element(f)
	bare, depth := v.d.bare(f.kind), v.depth
	return func(list *model.Node) {
		q.under(list, v.proto, e.kind.String(), func(c *decode.Cursor) finish {
			in := v.values3(c)
			in.depth = depth
			switch {
			case f.kind == kStore:
				in.reference(kObject, false)
			case !bare:
				return in.sized(&e)
			case e.kind.scalar():
				return nil
			default:
				return in.body(&e)
			}
			return nil
		})
	}
}
