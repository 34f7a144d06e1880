package kaitai

import (
	"context"
	"encoding/binary"
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
	recent      recent
}

// stream is a part of a file, or bytes that a process made.
type stream struct {
	kind  *decode.Cursor // only its kind is used: cursors on the same bytes are made of it
	src   *model.Source
	span  model.Span
	at    *model.Span  // of the stored bytes, in a stream of which a process made the bytes; else nil
	ended atomic.Int64 // how far the object was read that the stream is of, relative to span
}

// object is what a type was read as.
type object struct {
	typ       *Type
	parent    *object // nil if it has none
	root      *object
	s         *stream
	order     binary.ByteOrder // of numbers whose type does not name one; nil if the description names none
	index     int              // its position in a list; noIndex if it is not an element of one
	read      int              // how many attributes of seq were read
	start     int64            // offset in the source of its stream
	end       int64
	values    []expression.Value // of params and seq that are used; nil if none was set
	instances []atomic.Pointer[instance]
}

// newObject returns an object that is not read yet.
func newObject(t *Type, parent, root *object, s *stream) *object {
	o := &object{typ: t, parent: parent, root: root, s: s, index: noIndex}
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
	same := newObject(o.typ, o.parent, o.root, o.s)
	if o.root == o {
		same.root = same
	}
	same.index, same.start, same.order = o.index, o.start, o.order
	for _, p := range o.typ.Params {
		if len(o.values) > 0 {
			same.set(p, o.values[p.kept])
		}
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

// isUnread reports whether an attribute of seq has not been read. A list that is being read has those before its end.
func (o *object) isUnread(a *Attribute) bool {
	return a.slot >= len(o.typ.Params)+o.read && (o.values == nil || o.values[a.kept].Kind == expression.None)
}

// isAt reports whether an object was read at the place of another one, as the same type.
func (o *object) isAt(other *object) bool {
	return o.typ == other.typ && o.s.src == other.s.src && o.start == other.start && o.s.span == other.s.span
}

// field is an attribute of an object, or an element of it if it is a list.
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
