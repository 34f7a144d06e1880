package kaitai

import (
	"fmt"

	"assay/formats/kaitai/expression"
)

// scope is where an expression is evaluated: in an object, at a time.
type scope struct {
	m      *machine
	o      *object
	r      *reading          // what reads now; nil afterwards
	active *active           // what is evaluated or read now
	index  int               // _index in a repeated attribute; elsewhere noIndex, and the object has its own
	this   *expression.Value // _
	on     *expression.Value // _on
}

// active is an instance that is evaluated, or an element of a list that is read.
type active struct {
	o       *object
	a       *Attribute
	element int     // its position in the list; noIndex of an instance
	outer   *active // what needs the instance, or has the list
	needs   int     // how many instances need one another
}

// with returns what is active while an instance (element noIndex) or an element of a list is, within what is already.
func (in *active) with(o *object, a *Attribute, element int) *active {
	now := &active{o: o, a: a, element: element, outer: in}
	if in != nil {
		now.needs = in.needs
	}
	if element < 0 {
		now.needs++
	}
	return now
}

// evaluates reports whether an instance is what is evaluated or read.
func (in *active) evaluates(o *object, a *Attribute) bool {
	return in != nil && in.o == o && in.a == a && in.element < 0
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
		if s.index != noIndex {
			return expression.IntValue(int64(s.index)), nil
		}
		return s.of(s.o, id)
	default:
		return s.of(s.o, id)
	}
	return expression.Value{}, fmt.Errorf("%s has no value here", id)
}

// Field returns what an object or a stream has under an id.
func (s *scope) Field(of expression.Value, id string) (expression.Value, error) {
	switch of := of.Of().(type) {
	case *object:
		return s.of(of, id)
	case *stream:
		return s.ofStream(of, id)
	}
	return expression.Value{}, fmt.Errorf("%v has no %q", of.Kind, id)
}

// of returns what an object has under an id.
func (s *scope) of(o *object, id string) (expression.Value, error) {
	switch id {
	case "_root":
		return objectValue(o.root), nil
	case "_parent":
		return objectValue(o.parent), nil
	case "_io":
		return expression.StreamValue(o.s), nil
	case "_index":
		if o.index == noIndex {
			return expression.Value{}, fmt.Errorf("_index has no value here: %s is not an element of a list", o.typ.path())
		}
		return expression.IntValue(int64(o.index)), nil
	case "_sizeof":
		if o.typ.bits != dynamicSize {
			return expression.IntValue((o.typ.bits + 7) / 8), nil
		}
		return expression.IntValue(o.end - o.start), nil
	}
	a := o.typ.slots[id]
	switch {
	case a == nil:
		return expression.Value{}, fmt.Errorf("unable to access %q in %s context", id, o.typ.path())
	case o.instances != nil && a.isInstance():
		i, err := s.instance(o, a)
		if err != nil {
			return expression.Value{}, err
		}
		return i.value, nil
	case o.isUnread(a):
		return expression.Value{}, unread(id)
	case len(o.values) > 0:
		v := s.listBefore(o, a, o.values[a.kept])
		v.Bits = max(a.bits, 0)
		return v, nil
	}
	return expression.Value{}, nil
}

// objectValue returns an object as a value; nil is none.
func objectValue(o *object) expression.Value {
	if o == nil {
		return expression.Value{}
	}
	return expression.ObjectValue(o)
}

// unread is the error of an attribute that is needed before it is read.
type unread string

// Error returns the sentence.
func (id unread) Error() string { return string(id) + " is not read yet" }

// listBefore returns the value of a list as an element of it that is read sees it, without those after it; other values
// as they are.
func (s *scope) listBefore(o *object, a *Attribute, v expression.Value) expression.Value {
	if a.Repeat.Way == Once {
		return v
	}
	for in := s.active; in != nil; in = in.outer {
		if in.o == o && in.a == a && in.element >= 0 {
			return expression.ListValue(before{v.Elements(), in.element})
		}
	}
	return v
}

// before are the first elements of a list.
type before struct {
	expression.Elements
	n int
}

// Len is the number of elements.
func (b before) Len() int { return b.n }

// ofStream returns what a stream has under an id.
func (s *scope) ofStream(st *stream, id string) (expression.Value, error) {
	switch id {
	case "size":
		return expression.IntValue(st.span.Size), nil
	case "pos":
		return expression.IntValue(s.r.position(st)), nil
	case "eof":
		atBits := s.r != nil && s.r.s == st && s.r.bits.left > 0
		return expression.BoolValue(!atBits && s.r.position(st) >= st.span.Size), nil
	}
	return expression.Value{}, fmt.Errorf("%v has no %q", expression.Stream, id)
}

// position returns how far a stream is read: by what reads now or was interrupted for it, else in all.
func (r *reading) position(s *stream) int64 {
	for in := r; in != nil; in = in.outer {
		switch {
		case in.s != s:
		case in == r:
			return r.c.Pos() - s.span.Offset
		default:
			return in.at
		}
	}
	return s.ended.Load()
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
