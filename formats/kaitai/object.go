package kaitai

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
	"assay/model"
)

// machine reads one file with one description. It may be used from several goroutines: what it keeps does not change
// once an object is read, and what is found later is set once.
type machine struct {
	ctx         context.Context
	description *Description
	exported    exported
}

// Bounds on what instances do.
const (
	maxNeeds = 100 // instances that need one another
	maxBytes = 64 << 20
)

// stream is a part of a file, or bytes that a process made.
type stream struct {
	kind  *decode.Cursor // only its kind is used: cursors on the same bytes are made of it
	src   *model.Source
	span  model.Span
	at    *model.Span  // of the stored bytes, in a stream of which a process made the bytes; else nil
	ended atomic.Int64 // how far it was read, relative to span
}

// object is what a type was read as.
type object struct {
	typ       *Type
	parent    *object // nil if it has none
	root      *object
	s         *stream
	order     binary.ByteOrder // of numbers whose type does not name one; nil if the description names none
	index     int              // its position in a list
	read      int              // how many attributes of seq were read
	start     int64            // offset in the source of its stream
	end       int64
	values    []expression.Value // of params and seq that are used; nil if none was set
	instances []atomic.Pointer[instance]
}

// instance is an instance that was evaluated or read.
type instance struct {
	value expression.Value
	wrong error   // what is not valid about the value
	s     *stream // where it was read; nil of a value instance
	pos   int64   // offset in the source of s
	now   int64   // the position in the object's own stream when it was read, which its expressions may ask for
}

// newObject returns an object that is not read yet.
func (m *machine) newObject(t *Type, parent, root *object, s *stream) *object {
	o := &object{typ: t, parent: parent, root: root, s: s}
	if root == nil {
		o.root = o
	}
	if len(t.Instances) > 0 {
		o.instances = make([]atomic.Pointer[instance], len(t.slots))
	}
	return o
}

// fresh returns an object at the same place that is not read yet.
func (o *object) fresh() *object {
	same := &object{typ: o.typ, parent: o.parent, root: o.root, s: o.s, index: o.index, start: o.start}
	for _, p := range o.typ.Params {
		if len(o.values) > 0 {
			same.set(p, o.values[p.kept])
		}
	}
	if o.root == o {
		same.root = same
	}
	if o.instances != nil {
		same.instances = make([]atomic.Pointer[instance], len(o.instances))
	}
	return same
}

// set keeps the value of an attribute.
func (o *object) set(a *Attribute, v expression.Value) {
	if o.values == nil {
		o.values = make([]expression.Value, o.typ.kept)
	}
	o.values[a.kept] = v
}

// scope is where an expression is evaluated.
type scope struct {
	m     *machine
	o     *object
	r     *reading          // what reads the object now; nil afterwards
	index int               // _index
	this  *expression.Value // _
	on    *expression.Value // _on
	needs *need
}

// need is an instance that is being evaluated; outer is the one that needs it.
type need struct {
	o     *object
	a     *Attribute
	outer *need
	depth int
}

// Name returns an attribute, an instance, a parameter, or a special name.
func (s *scope) Name(id string) (expression.Value, error) {
	switch id {
	case "_":
		if s.this != nil {
			return *s.this, nil
		}
	case "_on":
		if s.on != nil {
			return *s.on, nil
		}
	case "_index":
		return expression.IntValue(int64(max(s.index, 0))), nil
	case "_io":
		return expression.StreamValue(&bounds{s.o.s, s.r}), nil
	default:
		return s.of(s.o, id)
	}
	return expression.Value{}, fmt.Errorf("%s has no value here", id)
}

// of returns what an object has under an id.
func (s *scope) of(o *object, id string) (expression.Value, error) {
	switch id {
	case "_root":
		return s.object(o.root), nil
	case "_parent":
		return s.object(o.parent), nil
	case "_io":
		return expression.StreamValue(&bounds{o.s, s.r}), nil
	case "_index":
		return expression.IntValue(int64(o.index)), nil
	case "_sizeof":
		if o.typ.bits != dynamicSize {
			return expression.IntValue((o.typ.bits + 7) / 8), nil
		}
		return expression.IntValue(o.end - o.start), nil
	}
	a := o.typ.slot(id)
	switch {
	case a == nil:
		return expression.Value{}, fmt.Errorf("unable to access %q in %s context", id, o.typ.path())
	case o.instances != nil && a.isInstance():
		i, err := s.m.instance(o, a, s.r, s.needs)
		if err != nil {
			return expression.Value{}, err
		}
		return i.value, nil
	case o.isUnread(a):
		return expression.Value{}, unread(id)
	case len(o.values) > 0:
		v := s.r.listBefore(o, a, o.values[a.kept])
		v.Bits = max(a.bits, 0)
		return v, nil
	}
	return expression.Value{}, nil
}

// unread is the error of an attribute that is needed before it is read.
type unread string

// Error returns the sentence.
func (id unread) Error() string { return string(id) + " is not read yet" }

// isUnread reports whether an attribute of seq has not been read. A list that is being read has those before its end.
func (o *object) isUnread(a *Attribute) bool {
	return a.slot >= len(o.typ.Params)+o.read && (o.values == nil || o.values[a.kept].Kind == expression.None)
}

// object returns an object as a value; nil is none.
func (s *scope) object(o *object) expression.Value {
	if o == nil {
		return expression.Value{}
	}
	return expression.ObjectValue(fields{o, s.m, s.r})
}

// Member returns the value of a member of an enumeration.
func (s *scope) Member(path []string) (expression.Value, error) {
	v, ok := s.o.typ.member(path)
	if !ok {
		return v, fmt.Errorf("unable to find the enum member %v", path)
	}
	return v, nil
}

// SizeOf returns how many bits a type takes.
func (s *scope) SizeOf(typ string) (int64, error) { return s.o.typ.sizeOf(typ) }

// fields are what expressions of other objects see of an object.
type fields struct {
	o *object
	m *machine
	r *reading // what reads now, or nil
}

// Same reports whether others are those of the same object.
func (f fields) Same(other expression.Fields) bool {
	g, ok := other.(fields)
	return ok && f.o == g.o
}

// Field returns an attribute, an instance, or _io, _parent, _root, _sizeof.
func (f fields) Field(id string) (expression.Value, error) {
	return (&scope{m: f.m, o: f.o, r: f.r}).of(f.o, id)
}

// bounds are what expressions may ask of a stream.
type bounds struct {
	s *stream
	r *reading // what reads now; its position is that of the stream if it reads that one
}

// Size is the number of bytes of the stream.
func (b *bounds) Size() int64 { return b.s.span.Size }

// Pos is the position in the stream: of what is read, else where its reading ended.
func (b *bounds) Pos() int64 {
	for r := b.r; r != nil; r = r.outer {
		switch {
		case r.s != b.s:
		case r.c == nil:
			return r.at
		default:
			return r.c.Pos() - b.s.span.Offset
		}
	}
	return b.s.ended.Load()
}

// EOF reports whether nothing is left in the stream.
func (b *bounds) EOF() (bool, error) {
	return b.Pos() >= b.s.span.Size && (b.r == nil || b.r.s != b.s || b.r.bits.left == 0), nil
}

// isInstance reports whether the attribute is an instance of its type.
func (a *Attribute) isInstance() bool { return a.slot >= len(a.owner.Params)+len(a.owner.Seq) }

// errNeeds is the error of instances that need one another.
var errNeeds = errors.New("the instance needs itself")

// instance returns the value of an instance, which is evaluated or read when it is first needed. now is what reads a
// stream at that time, or nil: its position is what _io.pos says.
func (m *machine) instance(o *object, a *Attribute, now *reading, outer *need) (*instance, error) {
	if i := o.instances[a.slot].Load(); i != nil {
		return i, nil
	}
	depth := 0
	if outer != nil {
		depth = outer.depth + 1
	}
	for n := outer; n != nil; n = n.outer {
		if n.o == o && n.a == a {
			return nil, errNeeds
		}
	}
	if depth > maxNeeds {
		return nil, fmt.Errorf("more than %d instances need one another", maxNeeds)
	}
	i, err := m.evaluate(o, a, now, &need{o, a, outer, depth})
	if err != nil {
		return nil, err
	}
	o.instances[a.slot].Store(i)
	return i, nil
}

// evaluate computes a value instance, or reads another one quietly.
func (m *machine) evaluate(o *object, a *Attribute, now *reading, needs *need) (*instance, error) {
	s := &scope{m: m, o: o, r: now, needs: needs}
	if a.If != nil {
		v, err := a.If.Eval(s)
		if err != nil {
			return nil, err
		}
		if is, err := v.Truth(); !is || err != nil {
			return &instance{}, err
		}
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
	i := &instance{now: (&bounds{o.s, now}).Pos()}
	var err error
	if i.s, i.pos, err = m.position(s, a); err != nil {
		return nil, err
	}
	r := i.reading(m, o, i.s.kind.Quiet(i.s.span))
	r.needsValue, r.needs = true, needs
	if now != nil {
		r.late = now.late
	}
	r.c.GoTo(i.pos)
	i.value = r.attribute(o, a)
	return i, r.c.Err()
}

// reading returns what reads an instance of o with a cursor.
func (i *instance) reading(m *machine, o *object, c *decode.Cursor) *reading {
	return &reading{machine: m, c: c, s: i.s, around: around{outer: &reading{s: o.s, at: i.now}}}
}

// position returns the stream of an instance and the offset in the stream's source where it begins.
func (m *machine) position(s *scope, a *Attribute) (*stream, int64, error) {
	st := s.o.s
	if a.IO != nil {
		v, err := a.IO.Eval(s)
		if err != nil {
			return nil, 0, err
		}
		b, ok := v.Bounds().(*bounds)
		if !ok {
			return nil, 0, fmt.Errorf("io: %v is not a stream", v.Kind)
		}
		st = b.s
	}
	if a.Pos == nil {
		return st, st.span.Offset + (&bounds{st, s.r}).Pos(), nil
	}
	v, err := a.Pos.Eval(s)
	if err != nil {
		return nil, 0, err
	}
	pos, err := v.Int()
	if err == nil && (pos < 0 || pos > st.span.Size) {
		err = fmt.Errorf("pos is %d, outside of the %d bytes of the stream", pos, st.span.Size)
	}
	return st, st.span.Offset + pos, err
}
