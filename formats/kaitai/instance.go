package kaitai

import (
	"fmt"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
)

// instance is an instance that was evaluated or read.
type instance struct {
	value expression.Value
	wrong error   // what is not valid about the value
	s     *stream // where it was read; nil of a value instance
	pos   int64   // offset in the source of s
	now   int64   // the position in the object's own stream when it was read, which its expressions may ask for
}

// maxNeeds is how many instances may need one another.
const maxNeeds = 1000

// instance returns an instance of o, which is evaluated or read when it is first needed. After an error in what was
// read it says where that is.
func (r *reading) instance(o *object, a *Attribute) (*instance, error) {
	if l := r.active.reads(o, a); l != nil {
		return &instance{value: expression.ListValue(l)}, nil
	}
	if i := o.instances[a.slot].Load(); i != nil {
		return i, nil
	}
	for in := r.active; in != nil; in = in.outer {
		if in.evaluates(o, a) {
			return nil, fmt.Errorf("the instance %s needs itself", a.ID)
		}
	}
	in := &reading{environment: r.environment, c: r.c, bits: r.bits}
	in.active = r.active.with(o.field(a))
	if in.active.needs > maxNeeds {
		return nil, fmt.Errorf("more than %d instances need one another", maxNeeds)
	}
	i, err := in.evaluate(o, a)
	if err == nil {
		o.instances[a.slot].Store(i)
	}
	return i, err
}

// evaluate computes a value instance, or reads another one quietly.
func (r *reading) evaluate(o *object, a *Attribute) (*instance, error) {
	s := r.scope(o.field(a))
	if is, err := s.isPresent(); !is {
		return &instance{}, err
	}
	if a.Value != nil {
		v, err := a.Value.Eval(s)
		if err != nil {
			return nil, err
		}
		if a.Enum != nil && v.Kind == expression.Int {
			v.Enum = a.Enum
		}
		return &instance{value: v, wrong: a.validate(s, v)}, nil
	}
	st, pos, err := s.place()
	if err != nil {
		return nil, err
	}
	i := &instance{s: st, pos: pos, now: r.position(o.s)}
	in := r.elsewhere(o, i, st.kind.Quiet(st.span))
	in.needsValue = true
	in.c.GoTo(pos)
	i.value = in.attribute(o.field(a))
	return i, in.c.Err()
}

// elsewhere returns what reads an instance of an object with a cursor.
func (r *reading) elsewhere(o *object, i *instance, c *decode.Cursor) *reading {
	in := r.with(c)
	in.s, in.interrupted = i.s, &interrupted{s: o.s, at: i.now}
	return in
}

// place returns the stream of an instance and the offset in the stream's source where it begins.
func (s *scope) place() (*stream, int64, error) {
	st := s.o.s
	if s.a.IO != nil {
		v, err := s.a.IO.Eval(s)
		if err != nil {
			return nil, 0, err
		}
		var ok bool
		if st, ok = v.Of().(*stream); !ok {
			return nil, 0, fmt.Errorf("io: %v is not a stream", v.Kind)
		}
	}
	if s.a.Pos == nil {
		return st, st.span.Offset + s.r.position(st), nil
	}
	v, err := s.a.Pos.Eval(s)
	if err != nil {
		return nil, 0, err
	}
	pos, err := v.Int()
	if err == nil && (pos < 0 || pos > st.span.Size) {
		err = fmt.Errorf("pos is %d, outside of the %d bytes of the stream", pos, st.span.Size)
	}
	return st, st.span.Offset + pos, err
}
