package kaitai

import (
	"encoding/binary"
	"fmt"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
	"assay/model"
)

// environment is what a reading shares with the readings of parts of what it reads.
type environment struct {
	*machine
	s           *stream
	active      *activation  // what is evaluated or read now
	shown       *shownPath   // the objects whose instances are shown
	interrupted *interrupted // the streams that are read no further meanwhile
}

// interrupted is a stream that is read no further while another one is.
type interrupted struct {
	s     *stream
	at    int64 // how far it is read, relative to its span
	outer *interrupted
}

// reading reads objects of a stream with a cursor, in any of the cursor's ways. It is of one goroutine.
type reading struct {
	environment
	c          *decode.Cursor
	bits       bitsLeft
	needsValue bool      // the value of the attribute is needed, whether or not expressions mention it
	deferred   *deferred // nil while nothing is recorded
	current    scope     // of the expression that is evaluated
}

// with returns a reading of the same stream with another cursor.
func (r *reading) with(c *decode.Cursor) *reading {
	in := &reading{environment: r.environment, c: c}
	if c == r.c {
		in.deferred = r.deferred
	}
	return in
}

// isNeeded reports whether the value of an attribute is of use.
func (r *reading) isNeeded(a *Attribute) bool { return r.needsValue || a.used || a.Valid != nil }

// fail stops the cursor with what is wrong with a key of an attribute.
func (r *reading) fail(a *Attribute, key string, err error) {
	if r.c.Err() == nil {
		r.c.Fail("%s: %v", a.keyName(key), err)
	}
}

// keyName names an attribute, or one of its keys, in a sentence.
func (a *Attribute) keyName(key string) string {
	if key == "" {
		return a.ID
	}
	return key + " of " + a.ID
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

// whole evaluates an expression that must be a whole number.
func (r *reading) whole(f field, key string, e *expression.Expression) (int64, bool) {
	v, ok := r.eval(f, key, e)
	if !ok {
		return 0, false
	}
	n, err := v.Int()
	if err != nil {
		r.fail(f.a, key, err)
	}
	return n, err == nil
}

// stream reads the object that the stream is of into the open struct.
func (r *reading) stream(o *object) {
	r.outermost(func() {
		r.object(o)
		r.s.ended.Store(o.end - r.s.span.Offset)
	})
}

// object reads an object into the open struct.
func (r *reading) object(o *object) {
	o.start = r.c.Pos()
	o.order = r.endian(o)
	r.outermost(func() {
		r.attributes(o)
		o.end = r.c.Pos()
		if r.c.Err() == nil {
			r.finish(o)
		}
	})
}

// attributes reads the parameters and the attributes of an object.
func (r *reading) attributes(o *object) {
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
}

// finish says what the node of an object has besides its attributes: a label and instances.
func (r *reading) finish(o *object) {
	n := r.c.Node()
	if n != nil && o.typ.label != nil {
		n.SetLabel(func() string { return r.machine.label(o) })
	}
	isShown := r.shown != nil && r.shown.o == o
	switch {
	case len(o.typ.Instances) == 0:
	case !r.c.Recording():
		r.c.Note("the instances of %s are read where it is shown", o.typ.Name)
	case isShown || r.shown.allows(n, o):
		r.deferred.add(r.c, func() []*model.Node { return r.instances(o) })
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
		r.setValue(n, o.values[p.kept])
		r.c.Add(n)
	}
}

// endian returns the byte order of an object's numbers: where the type around its own chooses one, that of the object
// which reads this one, which it has already.
func (r *reading) endian(o *object) binary.ByteOrder {
	endian := &o.typ.Meta.Endian
	if endian.On != nil && o.typ.inheritsEndian {
		return o.order
	}
	order, err := choose(r.scope(o.field(nil)), endian)
	if err == nil && order == nil {
		err = fmt.Errorf("no case fits %v", *r.current.on)
	}
	if err != nil {
		r.c.Fail("endian of %s: %v", o.typ.path(), err)
		return nil
	}
	return *order
}

// attribute reads an attribute of an object, which may be absent or repeated, and returns its value.
func (r *reading) attribute(f field) expression.Value {
	if f.a.isLeaf {
		return r.leaf(f, &f.a.Type.Value)
	}
	if r.c.Err() != nil {
		return expression.Value{}
	}
	if !r.active.evaluates(f.o, f.a) {
		is, err := r.scope(f).isPresent()
		if err != nil {
			r.fail(f.a, "if", err)
		}
		if !is {
			return expression.Value{}
		}
	}
	if f.a.Repeat.Way != Once {
		return r.list(f)
	}
	ref := r.reference(f)
	switch {
	case ref == nil:
		return expression.Value{}
	case ref.Kind != User:
		return r.checked(f, r.leaf(f, ref), r.c.Last())
	}
	var v expression.Value
	r.c.Struct(f.a.ID, ref.User.Name, func() { v = r.user(f, ref) })
	return r.checked(f, v, r.c.Last())
}

// reference returns the type of an attribute: its own, or that of the case that fits. Where none fits, what has a size
// is bytes, and what has none is absent: nil, as after an error.
func (r *reading) reference(f field) *Reference {
	if f.a.Type.On == nil {
		return &f.a.Type.Value
	}
	if r.c.Err() != nil {
		return nil
	}
	ref, err := choose(r.scope(f), &f.a.Type)
	switch {
	case err != nil:
		r.fail(f.a, "switch-on", err)
	case ref == nil && (f.a.Size != nil || f.a.SizeEOS || f.a.Terminator != nil):
		return &bytesReference
	}
	return ref
}

// bytesReference is the type of an attribute without one.
var bytesReference = Reference{Kind: Bytes, Name: "bytes"}
