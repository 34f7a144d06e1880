package kaitai

import (
	"fmt"

	"assay/formats/kaitai/expression"
)

// scope is the environment of an expression: a field, and the decoder that evaluates it.
type scope struct {
	r *decoder
	field
	this        *expression.Value // _
	switchValue *expression.Value // _on
}

// scope returns the environment for the expressions of a field. It is valid until the next call: a decoder evaluates
// one expression at a time, and the values that an expression needs have decoders of their own. A new scope for each
// expression would add half as many allocations when a list of records is opened (BenchmarkRecords/open: 669,122
// instead of 449,118).
func (d *decoder) scope(f field) *scope {
	d.currentScope = scope{r: d, field: f}
	return &d.currentScope
}

// Spend spends steps of the document's budget, and holds the bytes that an expression creates.
func (s *scope) Spend(steps, bytes int64) error {
	if bytes > 0 {
		if err := s.r.stream.doc.budget.reserve(s.field, bytes); err != nil {
			return err
		}
	}
	return s.r.trySpend(s.field, steps+bytes/bytesPerStep)
}

// Name returns an attribute, an instance, a parameter, or a special name.
func (s *scope) Name(id string) (expression.Value, error) {
	switch {
	case id == "_index" && s.i != noIndex:
		return expression.IntValue(int64(s.i)), nil
	case id == "_" && s.this != nil:
		return *s.this, nil
	case id == "_on" && s.switchValue != nil:
		return *s.switchValue, nil
	case id == "_" || id == "_on":
		return expression.Value{}, fmt.Errorf("%s has no value here", id)
	}
	return s.fieldOf(s.o, id)
}

// Field returns the field of an object or a stream with an ID.
func (s *scope) Field(owner expression.Value, id string) (expression.Value, error) {
	switch o := owner.Pointer().(type) {
	case *object:
		return s.fieldOf(o, id)
	case *stream:
		return s.streamField(o, id)
	}
	return expression.Value{}, fmt.Errorf("%v has no %q", owner.Kind, id)
}

func (s *scope) fieldOf(o *object, id string) (expression.Value, error) {
	switch id {
	case "_root":
		return objectValue(o.root), nil
	case "_parent":
		return objectValue(o.parent), nil
	case "_io":
		return expression.StreamValue(o.stream), nil
	case "_index":
		if o.index == noIndex {
			return expression.Value{}, fmt.Errorf("_index has no value here: %s is not an element of a list", o.typ.path())
		}
		return expression.IntValue(int64(o.index)), nil
	case "_sizeof":
		if o.readCount < len(o.typ.Seq) {
			s.r.active.dependOn(nil)
		}
		return o.size()
	}
	a := o.typ.names.attributes[id]
	switch {
	case a == nil:
		return expression.Value{}, fmt.Errorf("unable to access %q in %s context", id, o.typ.path())
	case a.isInstance():
		inst := s.r.instance(o, a)
		if inst.err != nil {
			return expression.Value{}, inst.err
		}
		return s.r.active.visibleList(o, a, inst.value), nil
	case o == s.o && a == s.a && s.i == noIndex && s.this != nil:
		return *s.this, nil // valid names its own attribute, which is set after it
	case o.isUnread(a):
		if o.end <= o.start {
			s.r.active.dependOn(nil) // it is still read
		}
		return expression.Value{}, fmt.Errorf("%s was not read", id)
	case len(o.values) > 0:
		return s.r.active.visibleList(o, a, o.values[a.plan.valueIndex]), nil
	}
	return expression.Value{}, nil
}

// size returns the size of an object in bytes: the size of its type, or the bytes read.
func (o *object) size() (expression.Value, error) {
	switch {
	case o.typ.plan.bits != dynamicSize:
		return expression.IntValue((o.typ.plan.bits + 7) / 8), nil
	case o.readCount < len(o.typ.Seq):
		return expression.Value{}, fmt.Errorf("_sizeof of %s is unknown until it is read", o.typ.path())
	}
	return expression.IntValue(o.end - o.start), nil
}

// objectValue returns an object as a value, or the zero Value for nil.
func objectValue(o *object) expression.Value {
	if o == nil {
		return expression.Value{}
	}
	return expression.ObjectValue(o)
}

// visibleList returns the value of a list as visible to an element that is being read: without the elements after it.
// Other values are returned unchanged.
func (act *activation) visibleList(o *object, a *attribute, v expression.Value) expression.Value {
	if a.Repeat.Kind == repeatOnce {
		return v
	}
	if l, ok := v.Elements().(*elements); ok && !l.complete {
		act.dependOn(nil)
	}
	for outer := act; outer != nil; outer = outer.outer {
		if outer.i != noIndex && outer.field == o.field(a).element(outer.i) {
			act.dependOn(outer)
			return expression.ListValue(firstElements{v.Elements(), outer.i, outer.read})
		}
	}
	return v
}

// firstElements are the first elements of a list, and the next one if it is read already.
type firstElements struct {
	expression.Elements
	n    int
	read *expression.Value // nil if it is not
}

func (f firstElements) Len() int {
	if f.read != nil {
		return f.n + 1
	}
	return f.n
}

func (f firstElements) At(i int) (expression.Value, error) {
	if i == f.n {
		return *f.read, nil
	}
	return f.Elements.At(i)
}

func (s *scope) streamField(st *stream, id string) (expression.Value, error) {
	switch id {
	case "size":
		return expression.IntValue(st.span.Size), nil
	case "pos":
		return expression.IntValue(s.r.position(st)), nil
	case "eof":
		atBits := s.r.stream == st && s.r.bits.remaining > 0
		return expression.BoolValue(!atBits && s.r.position(st) >= st.span.Size), nil
	}
	return expression.Value{}, fmt.Errorf("%v has no %q", expression.Stream, id)
}

func (s *scope) Member(path []string) (expression.Value, error) {
	v, ok := s.o.typ.member(path)
	if !ok {
		return v, fmt.Errorf("unable to find the enum member %v", path)
	}
	return v, nil
}

// SizeOf returns the number of bits of a type.
func (s *scope) SizeOf(typ string) (int64, error) { return s.o.typ.sizeOf(typ) }

// AttributeSize returns the size in bits of an attribute of an object, or of the field of the expression. It returns
// false if the size varies.
func (s *scope) AttributeSize(owner expression.Value, id string) (int64, bool) {
	o := s.o
	if owner.Kind == expression.Object {
		o = owner.Pointer().(*object)
	}
	a := o.typ.names.attributes[id]
	if a == nil || a.plan.bits == dynamicSize {
		return 0, false
	}
	return a.plan.bits, true
}
