package kaitai

import (
	"bytes"
	"encoding/binary"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
	"assay/model"
)

// user reads an object of a type of the description into the open struct.
func (r *reading) user(o *object, a *Attribute, ref *Reference, index int) expression.Value {
	inner, ok := r.inner(o, a, ref, index)
	if !ok {
		return expression.Value{}
	}
	value := expression.ObjectValue(inner)
	if a.Size == nil && !a.SizeEOS && a.Terminator == nil && a.Process == nil {
		r.object(inner)
		return value
	}
	e, ok := r.extent(o, a, ref, index)
	switch {
	case !ok:
	case a.Process != nil:
		r.processed(o, a, inner, e, index)
	default:
		inner.s = &stream{kind: r.s.kind, src: r.s.src, span: model.Span{Offset: r.c.Pos(), Size: e.content}}
		r.framed(a, inner, e)
	}
	return value
}

// inner returns the object that an attribute of o is read as, with its parent and its parameters; false after an error.
func (r *reading) inner(o *object, a *Attribute, ref *Reference, index int) (*object, bool) {
	root := o.root
	if ref.User.top() != o.typ.top() {
		root = nil // a type of another description begins a tree of its own
	}
	inner := newObject(ref.User, o, root, r.s)
	inner.index = index
	switch {
	case a.NoParent:
		inner.parent = nil
	case a.Parent != nil:
		v, ok := r.eval(r.scope(o, index), a, "parent", a.Parent)
		if parent, is := v.Of().(*object); ok && is {
			inner.parent = parent
		}
	}
	for i, p := range ref.User.Params[:min(len(ref.User.Params), len(ref.Args))] {
		v, ok := r.eval(r.scope(o, index), a, "a parameter", ref.Args[i])
		if !ok {
			return nil, false
		}
		if p.Enum != nil && v.Kind == expression.Int {
			v.Enum = p.Enum
		}
		inner.set(p, v)
	}
	return inner, true
}

// framed reads an object that has so many bytes, and records those after its content.
func (r *reading) framed(a *Attribute, inner *object, e extent) {
	start := r.c.Pos()
	r.at = start + e.take - r.s.span.Offset
	read := func(c *decode.Cursor) {
		in := r.with(c)
		in.s, in.outer = inner.s, r
		in.stream(inner)
	}
	switch {
	case r.c.Recording():
		r.c.Frame(e.content, func() { read(r.c) })
	case r.keeps(a):
		// A cursor that looks for ends passes over a frame, but what is in this one is needed.
		q := r.c.Quiet(inner.s.span)
		read(q)
		r.c.Bytes(a.ID, "", e.content)
		if q.Outcome() != decode.Clean {
			r.c.Remark(model.Note, model.Span{}, "") // or its element would not be looked at
		}
	default:
		r.c.Frame(e.content, func() { read(r.c) })
	}
	if r.c.Err() == nil && r.c.Pos() < start+e.take {
		r.c.Bytes("_padding", "bytes", start+e.take-r.c.Pos())
	}
}

// processed reads an object from what a process makes of its bytes. They are recorded first; what is read of them has
// no bytes of its own in the file.
func (r *reading) processed(o *object, a *Attribute, inner *object, e extent, index int) {
	span := model.Span{Offset: r.c.Pos(), Size: e.content}
	r.c.Bytes("_raw", "bytes", e.take)
	args, ok := r.arguments(o, a, index)
	if !ok {
		return
	}
	stored := span
	if r.s.at != nil {
		stored = *r.s.at
	}
	b, err := r.run(a, span, args)
	if err != nil {
		r.c.Wrong("%s: %v", a.about("process"), err)
		return
	}
	src := model.NewSource(r.s.src.Name(), bytes.NewReader(b), int64(len(b)))
	c := decode.New(r.ctx, src, inner.typ.Name, binary.LittleEndian, types)
	inner.s = &stream{kind: c, src: src, span: model.Span{Size: src.Size()}, at: &stored}
	if !r.c.Recording() {
		c = c.Quiet(inner.s.span)
	}
	in := r.with(c)
	r.at = span.End() - r.s.span.Offset
	in.s, in.outer, in.late = inner.s, r, nil // the nodes are copied below: no instance may wait
	in.stream(inner)
	if r.c.Recording() {
		root := c.Close()
		for i := range root.Len() {
			r.c.Add(relocated(root.Child(i), stored))
		}
		for _, p := range root.Problems() {
			r.c.Remark(p.Severity, stored, "%s (in the bytes that %s made)", p.Message, a.Process.Name)
		}
	} else if err := c.Err(); err != nil {
		r.c.Remark(model.Error, stored, "%v", err)
	}
}

// arguments evaluates the arguments of a process, where the attribute ends.
func (r *reading) arguments(o *object, a *Attribute, index int) ([]expression.Value, bool) {
	args := make([]expression.Value, len(a.Process.Args))
	for i, arg := range a.Process.Args {
		v, ok := r.eval(r.scope(o, index), a, "process", arg)
		if !ok {
			return nil, false
		}
		args[i] = v
	}
	return args, true
}

// run returns what the process of an attribute makes of the bytes of a span.
func (r *reading) run(a *Attribute, span model.Span, args []expression.Value) ([]byte, error) {
	b, err := r.content(span)
	if err != nil {
		return nil, err
	}
	return a.Process.run(b, args)
}
