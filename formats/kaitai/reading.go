package kaitai

import (
	"encoding/binary"
	"fmt"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
	"assay/model"
)

// reading reads objects of a stream with a cursor, in any of the cursor's ways. It is of one goroutine.
type reading struct {
	*machine
	around
	c          *decode.Cursor
	s          *stream
	bits       bitField
	needsValue bool  // the value of the attribute is needed, whether or not expressions mention it
	at         int64 // the position in the stream while a reading reads for which this one was interrupted
	current    scope // of the expression that is evaluated
}

// around is what is read, evaluated or shown around that which a reading reads; readings of its parts have it, too.
type around struct {
	active *active
	shown  *shown   // the object whose instances are shown, and those that show it
	late   *late    // instances that have to wait
	outer  *reading // which was interrupted for this one; only its stream and position are used
}

// with returns a reading of the same stream with another cursor.
func (r *reading) with(c *decode.Cursor) *reading {
	return &reading{machine: r.machine, around: r.around, c: c, s: r.s}
}

// keeps reports whether the value of an attribute is of use.
func (r *reading) keeps(a *Attribute) bool { return r.needsValue || a.used || a.Valid != nil }

// fail stops the cursor with what is wrong with a key of an attribute.
func (r *reading) fail(a *Attribute, key string, err error) {
	r.late.meet(err)
	if r.c.Err() == nil {
		r.c.Fail("%s: %v", a.about(key), err)
	}
}

// about names an attribute, or one of its keys, in a sentence.
func (a *Attribute) about(key string) string {
	if key == "" {
		return a.ID
	}
	return key + " of " + a.ID
}

// field is an attribute of an object that is read, or an element of it if it is a list.
type field struct {
	o *object
	a *Attribute
	i int // the position of the element; noIndex of the attribute as a whole
}

// noIndex is the position of what is not an element of a list.
const noIndex = -1

// field returns an attribute of the object as a whole.
func (o *object) field(a *Attribute) field { return field{o, a, noIndex} }

// at returns the i-th element of a list.
func (f field) at(i int) field { return field{f.o, f.a, i} }

// scope returns where the expressions of a field are evaluated while it is read. It is good until the next call: a
// reading evaluates one expression at a time.
func (r *reading) scope(f field) *scope {
	r.current = scope{m: r.machine, o: f.o, r: r, active: r.active, index: f.i}
	return &r.current
}

// eval evaluates an expression of a field; false after an error, which stops the cursor.
func (r *reading) eval(f field, key string, e *expression.Expression) (expression.Value, bool) {
	if r.c.Err() != nil {
		return expression.Value{}, false
	}
	v, err := e.Eval(r.scope(f))
	if err != nil {
		r.fail(f.a, key, err)
	}
	return v, err == nil
}

// whole evaluates an expression that must be a whole number from 0 on.
func (r *reading) whole(f field, key string, e *expression.Expression) (int64, bool) {
	v, ok := r.eval(f, key, e)
	if !ok {
		return 0, false
	}
	n, err := v.Int()
	if err == nil && n < 0 {
		err = fmt.Errorf("it is %d", n)
	}
	if err != nil {
		r.fail(f.a, key, err)
	}
	return n, err == nil
}

// stream reads the object that the stream is of into the open struct.
func (r *reading) stream(o *object) {
	r.object(o)
	r.s.ended.Store(o.end - r.s.span.Offset)
}

// object reads the attributes of an object into the open struct.
func (r *reading) object(o *object) {
	outermost := r.c.Recording() && (r.late == nil || r.late.over)
	if outermost {
		r.late = new(late)
	}
	o.start = r.c.Pos()
	o.order = r.endian(o)
	needsValue := r.needsValue
	r.needsValue = false
	r.parameters(o)
	for o.read < len(o.typ.Seq) && r.c.Err() == nil {
		a := o.typ.Seq[o.read]
		if a.aligns {
			r.align()
		}
		if r.passOver(a.run) {
			o.read += a.run.attributes
			continue
		}
		if v := r.attribute(o.field(a)); a.used {
			o.set(a, v)
		}
		o.read++
	}
	r.needsValue = needsValue
	o.end = r.c.Pos()
	if outermost {
		r.late.finish()
	}
	switch {
	case len(o.typ.Instances) == 0 || r.c.Err() != nil:
	case r.c.Recording():
		r.instances(o)
	default:
		// A quiet reading does not look at instances: it must not call the object sound that has some.
		r.c.Remark(model.Note, model.Span{}, "")
	}
	if o.typ.label != nil && r.c.Recording() && r.c.Err() == nil {
		r.c.Node().SetLabel(func() string { return r.machine.label(o) })
	}
}

// passOver goes past attributes of which nothing is needed; false if there are none, or not as many bytes.
func (r *reading) passOver(idle run) bool {
	if idle.attributes == 0 || r.c.Recording() || r.c.Left() < idle.bytes {
		return false
	}
	r.align()
	r.c.Bytes("", "", idle.bytes)
	return true
}

// parameters records what an object was given, which has no bytes.
func (r *reading) parameters(o *object) {
	if !r.c.Recording() || len(o.values) == 0 {
		return
	}
	for _, p := range o.typ.Params {
		n := &model.Node{Name: p.ID, Span: model.Span{Offset: r.c.Pos()}}
		r.recordValue(n, o.values[p.kept])
		r.c.Add(n)
	}
}

// endian returns the byte order of an object's numbers.
func (r *reading) endian(o *object) binary.ByteOrder {
	endian := o.typ.endian()
	switch {
	case endian == nil:
		return nil
	case endian.Value != nil:
		return endian.Value
	case o.typ.ownEndian() == nil && o.parent != nil:
		return o.parent.order // the type around it chose
	}
	s := r.scope(o.field(nil))
	on, err := endian.On.Eval(s)
	if err != nil {
		r.c.Fail("endian of %s: %v", o.typ.path(), err)
		return nil
	}
	for _, c := range endian.Cases {
		if is, err := s.matches(on, c.On); err != nil {
			r.c.Fail("endian of %s: %v", o.typ.path(), err)
			return nil
		} else if is {
			return c.Value
		}
	}
	r.c.Fail("endian of %s: no case fits %v", o.typ.path(), on)
	return nil
}

// matches reports whether a value is that of a case; nil is the last resort.
func (s *scope) matches(on expression.Value, c *expression.Expression) (bool, error) {
	if c == nil {
		return true, nil
	}
	v, err := c.Eval(s)
	if err != nil {
		return false, err
	}
	return expression.Equal(on, v)
}

// attribute reads an attribute of o, which may be absent or repeated, and returns its value.
func (r *reading) attribute(f field) expression.Value {
	if f.a.isLeaf {
		return r.leaf(f, &f.a.Type.Value)
	}
	if f.a.If != nil && !r.active.evaluates(f.o, f.a) {
		v, ok := r.eval(f, "if", f.a.If)
		if !ok {
			return expression.Value{}
		}
		is, err := v.Truth()
		if err != nil {
			r.fail(f.a, "if", err)
		}
		if !is || err != nil {
			return expression.Value{}
		}
	}
	if f.a.Repeat.Way != Once {
		return r.list(f)
	}
	ref, ok := r.choose(f)
	if !ok {
		return expression.Value{}
	}
	if ref.Kind != User {
		return r.checked(f, r.leaf(f, ref), r.c.Last())
	}
	var v expression.Value
	r.c.Struct(f.a.ID, ref.User.Name, func() { v = r.user(f, ref) })
	return r.checked(f, v, r.c.Last())
}

// choose returns the type of an attribute: its own, or that of the case that fits. Where none fits, what has a size is
// bytes, and what has none is absent.
func (r *reading) choose(f field) (*Reference, bool) {
	if f.a.Type.On == nil {
		return &f.a.Type.Value, true
	}
	on, ok := r.eval(f, "switch-on", f.a.Type.On)
	if !ok {
		return nil, false
	}
	s := r.scope(f)
	s.on = &on
	for i := range f.a.Type.Cases {
		c := &f.a.Type.Cases[i]
		is, err := s.matches(on, c.On)
		if err != nil {
			r.fail(f.a, "switch-on", err)
			return nil, false
		}
		if is {
			return &c.Value, true
		}
	}
	return &bytesReference, f.a.Size != nil || f.a.SizeEOS || f.a.Terminator != nil
}

// bytesReference is the type of an attribute without one.
var bytesReference = Reference{Kind: Bytes, Name: "bytes"}
