package kaitai

import (
	"math"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
)

// list reads a repeated attribute.
func (r *reading) list(f field) expression.Value {
	n, ok := int64(math.MaxInt64), true
	if f.a.Repeat.Way == Times {
		if n, ok = r.whole(f, "repeat-expr", f.a.Repeat.By); !ok {
			return expression.Value{}
		}
	}
	switch {
	case !f.a.isPlain():
	case f.a.isBits():
		return r.bitFields(f, n)
	case f.a.Type.Value.Kind == Number:
		return r.numbers(f, n)
	}
	l := &elements{machine: r.machine, around: r.around, s: r.s, f: f}
	if f.a.used && !f.a.isInstance() {
		f.o.set(f.a, expression.ListValue(l)) // elements may ask how many there are before them
	}
	r.c.Struct(f.a.ID, f.a.elementType()+"[]", func() { r.elements(f, n, l) })
	return expression.ListValue(l)
}

// elementType names the type of the elements of a list.
func (a *Attribute) elementType() string {
	switch {
	case a.Type.On != nil:
		return "switch"
	case a.Type.Value.Kind == User:
		return a.Type.Value.User.Name
	case a.Type.Value.Name == "":
		return "bytes"
	}
	return a.Type.Value.Name
}

// isPlain reports whether nothing is said of single elements: a list of numbers or of bit fields is one leaf then.
func (a *Attribute) isPlain() bool {
	return a.Repeat.Way != Until && a.Type.On == nil && a.Enum == nil && a.Valid == nil
}

// numbers reads a list of numbers as one leaf.
func (r *reading) numbers(f field, n int64) expression.Value {
	r.align()
	order, ok := r.order(f, &f.a.Type.Value)
	if !ok {
		return expression.Value{}
	}
	form := f.a.Type.Value.form
	rest := int64(0)
	if f.a.Repeat.Way == ToTheEnd {
		n, rest = r.c.Left()/form.Size(), r.c.Left()%form.Size()
	}
	name := f.a.Type.Value.ordered(order)
	r.c.SetOrder(order)
	array := r.c.Array(f.a.ID, name+"[]", form, n)
	if rest > 0 {
		r.c.Fail("%s: %d bytes are left, a %s has %d", f.a.ID, rest, name, form.Size())
	}
	return expression.ListValue(numbers{array})
}

// more reports whether another element follows one that has this value.
func (r *reading) more(f field, v expression.Value) bool {
	if r.c.Err() != nil {
		return false
	}
	s := r.scope(f)
	s.this = &v
	is := false
	end, err := f.a.Repeat.By.Eval(s)
	if err == nil {
		is, err = end.Truth()
	}
	if err != nil {
		r.fail(f.a, "repeat-until", err)
	}
	return err == nil && !is
}

// elements reads the elements of a list into the open struct: those of one size as records, others one after the other.
func (r *reading) elements(f field, n int64, l *elements) {
	size := int64(0) // of elements that differ in size
	if f.a.each > 0 && f.a.each%8 == 0 {
		size = f.a.each / 8
	}
	if size > 0 && r.bits.left == 0 && f.a.Repeat.Way != Until && (f.a.Repeat.Way == ToTheEnd || n <= r.c.Left()/size) {
		r.records(f, n, size, l)
		return
	}
	p := &pass{r: r, f: f, n: n, l: l, keeps: r.keeps(f.a), bits: r.bits}
	l.count = r.c.IndexedUntil(f.a.elementType(), p.more, p.element)
	p.c, r.bits = nil, p.bits
	if p.err != nil {
		r.c.Fail("%v", p.err)
	}
	l.starts = l.starts[:min(len(l.starts), l.count)]
}

// records reads n elements of one size, or as many as there are up to the end.
func (r *reading) records(f field, n, size int64, l *elements) {
	if f.a.Repeat.Way == ToTheEnd {
		n = r.c.Left() / size
	}
	l.start, l.size, l.count = r.c.Pos(), size, int(min(n, math.MaxInt32))
	r.c.Records(f.a.elementType(), n, size, func(e *decode.Cursor, i int) { r.with(e).element(f.at(i)) })
	if f.a.Repeat.Way == ToTheEnd && r.c.Left() > 0 && r.c.Err() == nil {
		r.c.Fail("%s: %d bytes are left, a %s has %d", f.a.ID, r.c.Left(), f.a.elementType(), size)
	}
}

// pass goes once through a list of elements of differing sizes, and finds them. An element that is read again later
// must not change it.
type pass struct {
	r     *reading // of the list
	f     field
	n     int64 // of elements, if the attribute says it
	l     *elements
	keeps bool // the beginnings of the elements

	c    *decode.Cursor // of the pass; nil after it
	in   *reading       // of the elements of a quiet pass, one after the other
	err  error          // why there may not be more elements
	last expression.Value
	bits bitField // what the last element left of its last byte
}

// more reports whether the i-th element follows.
func (p *pass) more(c *decode.Cursor, i int) bool {
	if i == 0 {
		p.c = c
	}
	more := int64(i) < p.n
	switch p.f.a.Repeat.Way {
	case ToTheEnd:
		more = c.Left() > 0 || p.bits.left > 0
	case Until:
		more = i == 0 || p.r.with(c).more(p.f.at(i-1), p.last) // which may ask how many there are
		p.err = c.Err()
	}
	if p.keeps && more {
		p.l.starts = append(p.l.starts, c.Pos())
	}
	return more
}

// element reads the i-th element.
func (p *pass) element(c *decode.Cursor, i int) {
	if c != p.c {
		in := p.r.with(c)
		in.bits = p.l.carry.at(i)
		in.element(p.f.at(i))
		return
	}
	in := p.in
	if in == nil || c.Recording() { // an instance that waits keeps the reading that records it
		in = p.r.with(c)
		p.in = in
	} else {
		*in = *p.r.with(c)
	}
	in.bits = p.bits
	p.l.carry.set(i, in.bits)
	in.needsValue = p.f.a.Repeat.Way == Until
	p.last = in.element(p.f.at(i))
	p.bits = in.bits
}

// element reads an element of a list into the open struct.
func (r *reading) element(f field) expression.Value {
	if f.a.used {
		r.active = r.active.with(f.o, f.a, f.i)
	}
	ref, ok := r.choose(f)
	if !ok {
		return expression.Value{}
	}
	if ref.Kind == User {
		if f.a.Type.On != nil {
			r.c.Type(ref.User.Name)
		}
		return r.checked(f, r.user(f, ref), r.c.Node())
	}
	v := r.checked(f, r.leaf(f, ref), r.c.Last())
	if n := r.c.Last(); n != nil && r.c.Err() == nil {
		r.c.Type(n.Type)
	}
	r.c.CollapseStruct()
	return v
}
