package kaitai

import (
	"errors"
	"fmt"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// instance is an instance that was evaluated or read, or could not be.
type instance struct {
	value      expression.Value
	violation  error   // the violated constraint of the value
	incomplete bool    // it is an object that could not be read to its end, or is not valid
	stream     *stream // the stream it was read from; nil for a value instance, and if unknown
	pos        int64   // offset in the source of the stream
	// ownPos is the position in the object's own stream when it was read, for its expressions.
	ownPos int64
	err    error // the reason for a missing or incomplete value; else nil
}

// maxInstanceDepth is the maximum nesting of instances that need one another.
const maxInstanceDepth = 1000

// instance returns an instance of o, which is evaluated or read on first use. A failure is not stored if it depends on
// the current reading, or on the field that needs the instance.
func (d *decoder) instance(o *object, a *attribute) *instance {
	if l := d.active.listInProgress(o, a); l != nil {
		return &instance{value: expression.ListValue(l)}
	}
	slot := &o.instances[a.plan.slot]
	if inst := slot.Load(); inst != nil {
		return inst
	}
	var first *activation
	for act := d.active; act != nil; act = act.outer {
		// An object that is read again at the same position needs the same instances again, endlessly.
		if act.evaluates(o, a) || act.evaluates(act.o, a) && act.o.isAt(o) && len(o.typ.Params) == 0 {
			d.active.dependOn(act)
			return &instance{err: fmt.Errorf("the instance %s depends on itself", a.ID)}
		}
		first = act
	}
	dec := d.forEvaluation(o, a)
	if dec.active.depth > maxInstanceDepth {
		d.active.dependOn(first)
		return &instance{err: fmt.Errorf("more than %d instances need one another", maxInstanceDepth)}
	}
	inst := new(instance)
	inst.err = dec.evaluate(inst, o, a)
	if d.stream.doc.budget.isStopped() {
		return inst // it may change when reading continues
	}
	if inst.err == nil || !dec.active.isDependent.Load() {
		slot.Store(inst)
	}
	return inst
}

// evaluate computes a value instance, or reads any other quietly. If reading fails, the instance keeps the value read
// so far and its position.
func (d *decoder) evaluate(inst *instance, o *object, a *attribute) error {
	// depth is the number of active ones, among which instance searches.
	if err := d.trySpend(o.field(a), stepsOfInstance+int64(d.active.depth)); err != nil {
		return err
	}
	s := d.scope(o.field(a))
	if present, err := s.isPresent(); !present {
		return err
	}
	if a.Value != nil {
		v, err := a.Value.Eval(s)
		if err != nil {
			return err
		}
		if a.plan.enum != nil && v.Kind == expression.Int {
			v.Enum = a.plan.enum
		}
		inst.value, inst.violation = v, a.validate(s, v)
		return nil
	}
	if err := d.trySpend(o.field(a), stepsOfPosition); err != nil {
		return err
	}
	st, pos, err := s.streamPosition()
	if err != nil {
		return err
	}
	inst.stream, inst.pos, inst.ownPos = st, st.span.Offset+min(pos, st.span.Size), d.position(o.stream)
	dec := d.forInstance(o, inst, st.cursor.Quiet(st.span))
	dec.target = o.field(a)
	dec.c.GoTo(inst.pos)
	inst.value = dec.attribute(o.field(a))
	if dec.c.Err() != nil && pos > st.span.Size {
		inst.stream, inst.value = nil, expression.Value{}
		return st.outsideError(pos)
	}
	if read, ok := inst.value.Pointer().(*object); ok {
		inst.incomplete = read.readCount < len(read.typ.Seq) || a.validate(dec.scope(o.field(a)), inst.value) != nil
	}
	return dec.c.Err()
}

// streamPosition returns the stream of an instance and its offset in the stream, which may be after the end, as in
// compiled programs, if no bytes are read there.
func (s *scope) streamPosition() (*stream, int64, error) {
	st := s.o.stream
	if s.a.IO != nil {
		v, err := s.a.IO.Eval(s)
		if err != nil {
			return nil, 0, err
		}
		var ok bool
		if st, ok = v.Pointer().(*stream); !ok {
			return nil, 0, fmt.Errorf("io: %v is not a stream", v.Kind)
		}
	}
	if s.a.Pos == nil {
		return st, s.r.position(st), nil
	}
	v, err := s.a.Pos.Eval(s)
	if err != nil {
		return nil, 0, err
	}
	pos, err := v.Size()
	if err == nil && pos < 0 {
		err = st.outsideError(pos)
	}
	return st, pos, err
}

func (s *stream) outsideError(pos int64) error {
	return fmt.Errorf("pos is %d, outside of the %d bytes of the stream", pos, s.span.Size)
}

// instances returns the nodes of the instances of the displayed object, which follow its attributes.
func (s *shownPath) instances() []*model.Node {
	o, r := s.o, s.instanceDecoder()
	var nodes []*model.Node
	for _, a := range o.typ.Instances {
		if r.stream.doc.budget.isStopped() {
			break
		}
		if n := r.instanceNode(o, a); n != nil {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// instanceNode returns the node of an instance, or nil if it is absent.
func (d *decoder) instanceNode(o *object, a *attribute) *model.Node {
	inst := d.instance(o, a)
	n := &model.Node{Name: a.ID, Span: model.Span{Offset: o.end}, Role: model.RoleElsewhere}
	switch {
	case inst.err != nil && inst.stream != nil:
		n = d.recordElsewhere(o, a, inst, n) // keep the values before the error
	case inst.err != nil && !errors.Is(inst.err, errSpent): // Document.Stopped reports the end of the budget once
		n.Type = a.typeName()
		n.Warnf(model.Error, n.Span, "%s: %v", a.ID, inst.err)
	case inst.value.Kind == expression.None && inst.stream == nil:
		return nil // its condition does not hold
	case inst.value.Kind == expression.Object && !inst.incomplete || a.Value != nil:
		if d.trySpend(o.field(a), stepsToShow(inst.value)) == nil {
			d.path.setValue(n, a, inst.value)
			inst.setStored(n)
		}
	default:
		n = d.recordElsewhere(o, a, inst, n)
	}
	if inst.violation != nil {
		n.Warnf(model.Error, n.Span, "%v", inst.violation)
	}
	return n
}

// setStored adds the stored bytes of an object that a process transformed as the first child of its node.
func (inst *instance) setStored(n *model.Node) {
	c, ok := n.Children().(*children)
	if !ok || c.stored == nil || inst.stream == nil || inst.stream.stored != nil {
		return
	}
	n.Span = *c.stored
	value := model.Blob{Source: inst.stream.src, Span: n.Span}
	c.first = &model.Node{Name: rawName, Type: "bytes", Span: n.Span, Value: value, Parent: n}
}

func (a *attribute) typeName() string {
	switch {
	case a.Value != nil:
		return "value"
	case a.Repeat.Kind != repeatOnce:
		return a.elementType() + "[]"
	}
	return a.elementType()
}

// recordElsewhere returns the node of an instance that is not an object, or of one with an error, read at the
// instance's position.
func (d *decoder) recordElsewhere(o *object, a *attribute, inst *instance, n *model.Node) *model.Node {
	span := model.Span{Offset: inst.pos, Size: inst.stream.span.End() - inst.pos}
	dec := d.forInstance(o, inst, inst.stream.cursor.Element("", span))
	dec.active = d.active.activate(o.field(a))
	dec.withDeferred(func() { dec.attribute(o.field(a)) })
	root := dec.c.Close()
	if root.Len() == 0 {
		n.Type = a.typeName()
		n.AddProblems(root.Problems()...)
		return n
	}
	read := root.Child(0)
	read.AddProblems(root.Problems()...)
	if inst.stream.stored != nil {
		read = relocate(read, *inst.stream.stored)
	}
	read.Role = model.RoleElsewhere
	return read
}
