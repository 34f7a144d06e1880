package kaitai

import (
	"fmt"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// instance is an instance that was evaluated or read.
type instance struct {
	value  expression.Value
	wrong  error   // what is not valid about the value
	broken bool    // it is an object that could not be read to its end, or is not valid
	stream *stream // where it was read; nil of a value instance
	pos    int64   // offset in the source of the stream
	// ownPos is the position in the object's own stream when it was read, which its expressions may ask for.
	ownPos int64
}

// maxNeeds is how many instances may need one another.
const maxNeeds = 1000

// instance returns an instance of o, which is evaluated or read when it is first needed. After an error in what was
// read it says where that is.
func (r *reading) instance(o *object, a *Attribute) (*instance, error) {
	if l := r.active.reads(o, a); l != nil {
		return &instance{value: expression.ListValue(l)}, nil
	}
	if i := o.instances[a.plan.slot].Load(); i != nil {
		return i, nil
	}
	for in := r.active; in != nil; in = in.outer {
		if in.evaluates(o, a) {
			return nil, fmt.Errorf("the instance %s needs itself", a.ID)
		}
	}
	in := r.evaluating(o, a)
	if in.active.needs > maxNeeds {
		return nil, fmt.Errorf("more than %d instances need one another", maxNeeds)
	}
	i, err := in.evaluate(o, a)
	if err == nil {
		o.instances[a.plan.slot].Store(i)
	}
	return i, err
}

// evaluate computes a value instance, or reads another one quietly.
func (r *reading) evaluate(o *object, a *Attribute) (*instance, error) {
	s := r.scope(o.field(a))
	is, err := s.isPresent()
	switch {
	case err != nil:
		return nil, err
	case !is:
		return &instance{}, nil
	}
	if a.Value != nil {
		v, err := a.Value.Eval(s)
		if err != nil {
			return nil, err
		}
		if a.plan.enum != nil && v.Kind == expression.Int {
			v.Enum = a.plan.enum
		}
		return &instance{value: v, wrong: a.validate(s, v)}, nil
	}
	st, pos, err := s.place()
	if err != nil {
		return nil, err
	}
	i := &instance{stream: st, pos: pos, ownPos: r.position(o.stream)}
	in := r.elsewhere(o, i, st.kind.Quiet(st.span))
	in.wanted = o.field(a)
	in.c.GoTo(pos)
	i.value = in.attribute(o.field(a))
	if read, is := i.value.Of().(*object); is {
		i.broken = read.read < len(read.typ.Seq) || a.validate(in.scope(o.field(a)), i.value) != nil
	}
	return i, in.c.Err()
}

// place returns the stream of an instance and the offset in the stream's source where it begins.
func (s *scope) place() (*stream, int64, error) {
	st := s.o.stream
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

// instances returns the nodes of the instances of the object that is shown, which stand after its attributes.
func (s *shownPath) instances() []*model.Node {
	o, r := s.o, s.instanceReading()
	var nodes []*model.Node
	for _, a := range o.typ.Instances {
		if n := r.instanceNode(o, a); n != nil {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// instanceNode returns the node of an instance; nil if it is absent.
func (r *reading) instanceNode(o *object, a *Attribute) *model.Node {
	i, err := r.instance(o, a)
	n := &model.Node{Name: a.ID, Span: model.Span{Offset: o.end}, Role: model.RoleElsewhere}
	switch {
	case err != nil && i != nil:
		n = r.recordElsewhere(o, a, i, n) // what was read before the error stays
	case err != nil:
		n.Type = a.typeName()
		n.Warn(model.Error, n.Span, "%s: %v", a.ID, err)
	case i.value.Kind == expression.None && i.stream == nil:
		return nil // its condition does not hold
	case i.value.Kind == expression.Object && !i.broken || a.Value != nil:
		r.shown.setValue(n, a, i.value)
		i.setStored(n)
	default:
		n = r.recordElsewhere(o, a, i, n)
	}
	if err == nil && i.wrong != nil {
		n.Warn(model.Error, n.Span, "%v", i.wrong)
	}
	return n
}

// setStored gives the node of an object that a process made of its bytes those bytes, as its first child.
func (i *instance) setStored(n *model.Node) {
	c, ok := n.Children().(*children)
	if !ok || c.stored == nil || i.stream == nil || i.stream.stored != nil {
		return
	}
	n.Span = *c.stored
	value := model.Blob{Source: i.stream.src, Span: n.Span}
	c.first = &model.Node{Name: "_raw", Type: "bytes", Span: n.Span, Value: value, Parent: n}
}

// typeName names what an instance is read as.
func (a *Attribute) typeName() string {
	switch {
	case a.Value != nil:
		return "value"
	case a.Repeat.Way != Once:
		return a.elementType() + "[]"
	}
	return a.elementType()
}

// recordElsewhere returns the node of an instance that is not an object, or of one with which something is wrong, read
// where the instance says.
func (r *reading) recordElsewhere(o *object, a *Attribute, i *instance, n *model.Node) *model.Node {
	in := r.elsewhere(o, i, i.stream.kind.Element("", model.Span{Offset: i.pos, Size: i.stream.span.End() - i.pos}))
	in.active = r.active.with(o.field(a))
	in.outermost(func() { in.attribute(o.field(a)) })
	root := in.c.Close()
	if root.Len() == 0 {
		n.Type = a.typeName()
		n.AddProblems(root.Problems()...)
		return n
	}
	read := root.Child(0)
	read.AddProblems(root.Problems()...)
	if i.stream.stored != nil {
		read = relocated(read, *i.stream.stored)
	}
	read.Role = model.RoleElsewhere
	return read
}
