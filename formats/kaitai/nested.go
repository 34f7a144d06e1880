package kaitai

import (
	"bytes"
	"encoding/binary"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
	"assay/model"
)

// user reads an object of a type of the description into the open struct.
func (r *reading) user(f field, ref *Reference) expression.Value {
	if n := r.c.Node(); n != nil && f.a.Type.On != nil {
		n.SetReadAs(ref.User)
	}
	inner, ok := r.inner(f, ref)
	if !ok {
		return expression.Value{}
	}
	value := expression.ObjectValue(inner)
	if f.a.Size == nil && !f.a.SizeEOS && f.a.Terminator == nil && f.a.Process == nil {
		r.object(inner)
		return value
	}
	e, ok := r.extent(f, ref)
	switch {
	case !ok:
	case f.a.Process != nil:
		r.processed(f, inner, e)
	default:
		inner.s = &stream{kind: r.s.kind, src: r.s.src, span: model.Span{Offset: r.c.Pos(), Size: e.content}}
		r.framed(f.a, inner, e)
	}
	return value
}

// inner returns the object that an attribute of o is read as, with its parent and its parameters; false after an error.
func (r *reading) inner(f field, ref *Reference) (*object, bool) {
	root := f.o.root
	if ref.User.top() != f.o.typ.top() {
		root = nil // a type of another description begins a tree of its own
	}
	inner := newObject(ref.User, f.o, root, r.s)
	inner.index = f.i
	if ref.User.inheritsEndian {
		inner.order = f.o.order // whatever its parent is
	}
	switch {
	case f.a.Parent.None:
		inner.parent = nil
	case f.a.Parent.Of != nil:
		v, ok := r.eval(f, "parent", f.a.Parent.Of)
		if parent, is := v.Of().(*object); ok && is {
			inner.parent = parent
		}
	}
	for i, p := range ref.User.Params[:min(len(ref.User.Params), len(ref.Args))] {
		v, ok := r.eval(f, "a parameter", ref.Args[i])
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
	read := func(c *decode.Cursor) { r.inside(inner, c, start+e.take).stream(inner) }
	if r.c.Recording() || !r.isNeeded(a) {
		r.c.Frame(e.content, func() { read(r.c) })
	} else {
		// A cursor that looks for ends passes over a frame, but what is in this one is needed.
		q := r.c.Quiet(inner.s.span)
		read(q)
		r.c.Bytes(a.ID, "", e.content)
		if q.Outcome() != decode.Clean {
			r.c.Note("what is in %s is told where it is shown", a.ID)
		}
	}
	if r.c.Err() == nil && r.c.Pos() < start+e.take {
		r.c.Bytes("_padding", "bytes", start+e.take-r.c.Pos())
	}
}

// inside returns what reads an object in a stream of its own, whose attribute ends at an offset of the stream around
// it.
func (r *reading) inside(inner *object, c *decode.Cursor, end int64) *reading {
	in := r.with(c)
	in.s, in.interrupted = inner.s, &interrupted{r.s, end - r.s.span.Offset, r.interrupted}
	return in
}

// processed reads an object from what a process makes of its bytes. They are recorded first; what is read of them has
// no bytes of its own in the file.
func (r *reading) processed(f field, inner *object, e extent) {
	span := model.Span{Offset: r.c.Pos(), Size: e.content}
	r.c.Bytes("_raw", "bytes", e.take)
	b, ok := r.made(f, span)
	if !ok {
		return
	}
	stored := span
	if r.s.at != nil {
		stored = *r.s.at
	}
	src := model.NewSource(r.s.src.Name(), bytes.NewReader(b), int64(len(b)))
	c := decode.New(r.ctx, src, inner.typ.Name, binary.LittleEndian, types)
	inner.s = &stream{kind: c, src: src, span: model.Span{Size: src.Size()}, at: &stored}
	if !r.c.Recording() {
		c = c.Quiet(inner.s.span)
	}
	in := r.inside(inner, c, span.End())
	in.deferred = r.deferred
	in.stream(inner)
	switch n := r.c.Node(); {
	case r.c.Recording():
		r.deferred.add(r.c, func() []*model.Node { return relocatedChildren(n, c.Close(), stored) })
	case c.Err() != nil:
		r.c.Remark(model.Error, stored, "%v", c.Err())
	}
}

// made returns what the process of an attribute makes of the bytes of a span; false if it makes nothing.
func (r *reading) made(f field, span model.Span) ([]byte, bool) {
	args := make([]expression.Value, len(f.a.Process.Args))
	for i, arg := range f.a.Process.Args {
		var ok bool
		if args[i], ok = r.eval(f, "process", arg); !ok {
			return nil, false
		}
	}
	b, err := r.content(span)
	if err == nil {
		b, err = f.a.Process.run(b, args)
	}
	if err != nil {
		r.c.Wrong("%s: %v", f.a.keyName("process"), err)
	}
	return b, err == nil
}
