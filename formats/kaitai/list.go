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
	if plain(a) && a.Repeat != Until {
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

// plain reports whether the elements are numbers of which nothing more is said: they are one leaf.
func plain(a *Attribute) bool {
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
	w := &walk{r: r, o: o, a: a, n: n, l: l, keeps: r.keeps(a), bits: r.bits}
	l.count = r.c.IndexedUntil(a.elementType(), w.more, w.element)
	w.c, r.bits = nil, w.bits
	if w.err != nil {
		r.c.Fail("%v", w.err)
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

// walk is the pass through a list of elements of differing sizes, which finds them. An element that is read again later
// must not change it.
type walk struct {
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
func (w *walk) more(c *decode.Cursor, i int) bool {
	if i == 0 {
		w.c = c
	}
	if w.keeps {
		w.l.starts = append(w.l.starts, c.Pos())
	}
	switch w.a.Repeat {
	case ToTheEnd:
		return c.Left() > 0 || w.bits.left > 0
	case Until:
		more := i == 0 || w.r.with(c).more(w.o, w.a, i-1, w.last)
		w.err = c.Err()
		return more
	}
	return int64(i) < w.n
}

// element reads the i-th element.
func (w *walk) element(c *decode.Cursor, i int) {
	in := w.r.with(c)
	if c != w.c {
		in.bits = w.l.carry.at(i)
		in.element(w.o, w.a, i)
		return
	}
	in.bits = w.bits
	w.l.carry.set(i, in.bits)
	in.needsValue = w.a.Repeat == Until
	w.last = in.element(w.o, w.a, i)
	w.bits = in.bits
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
	v := r.checked(o, a, r.leaf(o, a, ref, a.ID, i), i)
	if n := r.c.Last(); n != nil && r.c.Err() == nil {
		r.c.Type(n.Type)
	}
	r.c.CollapseStruct()
	return v
}
