package kaitai

import (
	"math"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
)

// list reads a repeated attribute.
func (r *reading) list(o *object, a *Attribute) expression.Value {
	n, ok := int64(math.MaxInt64), true
	if a.Repeat == Times {
		if n, ok = r.whole(r.scope(o, 0), a, "repeat-expr", a.RepeatBy); !ok {
			return expression.Value{}
		}
	}
	if a.isPlainNumber() && a.Repeat != Until {
		return r.numbers(o, a, n)
	}
	if a.Switch.On == nil && a.Type.Kind == Bits {
		return r.bitFields(o, a, n)
	}
	l := &elements{machine: r.machine, around: r.around, s: r.s, o: o, a: a}
	if a.used && !a.isInstance() {
		o.set(a, expression.ListValue(l)) // elements may ask how many there are before them
	}
	r.c.Struct(a.ID, a.elementType()+"[]", func() { r.elements(o, a, n, l) })
	return expression.ListValue(l)
}

// elementType names the type of the elements of a list.
func (a *Attribute) elementType() string {
	switch {
	case a.Switch.On != nil:
		return "switch"
	case a.Type.Kind == User:
		return a.Type.User.Name
	case a.Type.Name == "":
		return "bytes"
	}
	return a.Type.Name
}

// isPlainNumber reports whether the attribute is a number of which nothing more is said: a list of such is one leaf.
func (a *Attribute) isPlainNumber() bool {
	return a.Switch.On == nil && a.Enum == nil && a.Valid == nil && forms[a.Type.Kind] != nil
}

// numbers reads a list of numbers as one leaf.
func (r *reading) numbers(o *object, a *Attribute, n int64) expression.Value {
	r.align()
	order, ok := r.order(o, a, &a.Type)
	if !ok {
		return expression.Value{}
	}
	form := a.Type.form
	rest := int64(0)
	if a.Repeat == ToTheEnd {
		n, rest = r.c.Left()/form.Size(), r.c.Left()%form.Size()
	}
	name := a.Type.ordered(order)
	r.c.SetOrder(order)
	array := r.c.Array(a.ID, name+"[]", form, n)
	if rest > 0 {
		r.c.Fail("%s: %d bytes are left, a %s has %d", a.ID, rest, name, form.Size())
	}
	return expression.ListValue(numbers{array})
}

// more reports whether another element follows one that has this value.
func (r *reading) more(o *object, a *Attribute, i int, v expression.Value) bool {
	s := r.scope(o, i)
	s.this = &v
	end, ok := r.eval(s, a, "repeat-until", a.RepeatBy)
	if !ok {
		return false
	}
	is, err := end.Truth()
	if err != nil {
		r.fail(a, "repeat-until", err)
	}
	return err == nil && !is
}

// elements reads the elements of a list into the open struct: those of one size as records, others one after the other.
func (r *reading) elements(o *object, a *Attribute, n int64, l *elements) {
	size := int64(0) // of elements that differ in size
	if a.each > 0 && a.each%8 == 0 {
		size = a.each / 8
	}
	if size > 0 && r.bits.left == 0 && a.Repeat != Until && (a.Repeat == ToTheEnd || n <= r.c.Left()/size) {
		r.records(o, a, n, size, l)
		return
	}
	p := &pass{r: r, o: o, a: a, n: n, l: l, keeps: r.keeps(a), bits: r.bits}
	l.count = r.c.IndexedUntil(a.elementType(), p.more, p.element)
	p.c, r.bits = nil, p.bits
	if p.err != nil {
		r.c.Fail("%v", p.err)
	}
	l.starts = l.starts[:min(len(l.starts), l.count)]
	l.end = r.c.Pos()
}

// records reads n elements of one size, or as many as there are up to the end.
func (r *reading) records(o *object, a *Attribute, n, size int64, l *elements) {
	if a.Repeat == ToTheEnd {
		n = r.c.Left() / size
	}
	l.start, l.size, l.count = r.c.Pos(), size, int(min(n, math.MaxInt32))
	r.c.Records(a.elementType(), n, size, func(e *decode.Cursor, i int) { r.with(e).element(o, a, i) })
	if a.Repeat == ToTheEnd && r.c.Left() > 0 && r.c.Err() == nil {
		r.c.Fail("%s: %d bytes are left, a %s has %d", a.ID, r.c.Left(), a.elementType(), size)
	}
}

// pass goes once through a list of elements of differing sizes, and finds them. An element that is read again later
// must not change it.
type pass struct {
	r     *reading // of the list
	o     *object
	a     *Attribute
	n     int64 // of elements, if the attribute says it
	l     *elements
	keeps bool // the beginnings of the elements

	c    *decode.Cursor // of the pass; nil after it
	err  error          // why there may not be more elements
	last expression.Value
	bits bitField // what the last element left of its last byte
}

// more reports whether the i-th element follows.
func (p *pass) more(c *decode.Cursor, i int) bool {
	if i == 0 {
		p.c = c
	}
	if p.keeps {
		p.l.starts = append(p.l.starts, c.Pos())
	}
	switch p.a.Repeat {
	case ToTheEnd:
		return c.Left() > 0 || p.bits.left > 0
	case Until:
		more := i == 0 || p.r.with(c).more(p.o, p.a, i-1, p.last)
		p.err = c.Err()
		return more
	}
	return int64(i) < p.n
}

// element reads the i-th element.
func (p *pass) element(c *decode.Cursor, i int) {
	in := p.r.with(c)
	if c != p.c {
		in.bits = p.l.carry.at(i)
		in.element(p.o, p.a, i)
		return
	}
	in.bits = p.bits
	p.l.carry.set(i, in.bits)
	in.needsValue = p.a.Repeat == Until
	p.last = in.element(p.o, p.a, i)
	p.bits = in.bits
}

// element reads an element of a list into the open struct.
func (r *reading) element(o *object, a *Attribute, i int) expression.Value {
	if a.used {
		r.active = r.active.with(o, a, i)
	}
	ref, ok := r.choose(o, a, i)
	if !ok {
		return expression.Value{}
	}
	if ref.Kind == User {
		if a.Switch.On != nil {
			r.c.Type(ref.User.Name)
		}
		return r.checked(o, a, r.user(o, a, ref, i), i)
	}
	v := r.checked(o, a, r.leaf(o, a, ref, i), i)
	if n := r.c.Last(); n != nil && r.c.Err() == nil {
		r.c.Type(n.Type)
	}
	r.c.CollapseStruct()
	return v
}
