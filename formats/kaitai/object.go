package kaitai

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
	"assay/model"
)

// stream is a part of a file, or bytes that a process made.
type stream struct {
	cursor  *decode.Cursor // creates cursors on the same bytes, and does not read itself
	src     *model.Source
	span    model.Span
	doc     *documentState // of the document
	stored  *model.Span    // of the stored bytes of a transformed stream; else nil
	readEnd atomic.Int64   // how far the object was read that the stream is of, relative to span
}

func newStream(c *decode.Cursor, doc *documentState) *stream {
	return &stream{cursor: c, src: c.Source(), span: model.Span{Size: c.Source().Size()}, doc: doc}
}

// documentState is the state that all decoders of a document share.
type documentState struct {
	recent   recentElements
	budget   *budget
	document *model.Document // nil until the object of the whole file is read
}

// part returns a stream of some bytes of a stream.
func (s *stream) part(span model.Span) *stream {
	return &stream{cursor: s.cursor, src: s.src, span: span, doc: s.doc, stored: s.stored}
}

// object is a decoded value of a user type. It is immutable after it is read, except for its instances, which are set
// once, so that decoders of one document can run concurrently. They share a cache of list elements, recentElements.
type object struct {
	typ       *objectType
	parent    *object // nil if it has none
	root      *object
	stream    *stream
	order     binary.ByteOrder // default byte order of numbers; nil if the description has none
	index     int              // its position in a list, or noIndex
	readCount int              // number of successfully read attributes of seq
	start     int64            // offset in the source of its stream
	end       int64
	attribute *attribute         // the attribute that read it; nil for the root
	holder    *object            // counts it in heldBytes: the enclosing element that is dropped once read, or the root
	heldBytes atomic.Int64       // bytes that the objects of the holder, and enclosing objects, hold
	values    []expression.Value // of used params and seq attributes; nil if none is set
	instances []atomic.Pointer[instance]
}

// newObject returns an object that is not read yet.
func newObject(t *objectType, parent, root *object, s *stream) *object {
	o := &object{typ: t, parent: parent, root: root, stream: s, index: noIndex}
	o.holder = o
	if root == nil {
		o.root = o
	}
	if len(t.Instances) > 0 {
		o.instances = make([]atomic.Pointer[instance], len(t.names.attributes))
	}
	return o
}

// copyUnread returns an unread object at the same position. isDropped means that it is dropped before o.
func (o *object) copyUnread(isDropped bool) *object {
	same := newObject(o.typ, o.parent, o.root, o.stream)
	if o.root == o {
		same.root = same
	}
	same.index, same.start, same.order, same.attribute = o.index, o.start, o.order, o.attribute
	same.setHolder(o, isDropped)
	for _, p := range o.typ.Params {
		if len(o.values) > 0 {
			same.set(p, o.values[p.plan.valueIndex])
		}
	}
	return same
}

// setHolder sets where the memory of an object is counted: at the holder of the object that reads it or, if it is
// dropped before that one, at itself, on top of the memory held there.
func (o *object) setHolder(reader *object, isDropped bool) {
	if isDropped {
		o.heldBytes.Store(reader.holder.heldBytes.Load())
		return
	}
	o.holder = reader.holder
}

func (o *object) set(a *attribute, v expression.Value) {
	if o.values == nil {
		o.values = make([]expression.Value, o.typ.plan.valueCount)
	}
	o.values[a.plan.valueIndex] = v
}

// isUnread reports whether an attribute of seq has not been read. In an unfinished list, earlier attributes have been.
func (o *object) isUnread(a *attribute) bool {
	return a.plan.slot >= len(o.typ.Params)+o.readCount &&
		(o.values == nil || o.values[a.plan.valueIndex].Kind == expression.None)
}

// isAt reports whether an object has the type and the position of another one.
func (o *object) isAt(other *object) bool {
	return o.typ == other.typ && o.start == other.start &&
		o.stream.src == other.stream.src && o.stream.span == other.stream.span
}

// field is an attribute of an object, or an element of it if it is a list.
type field struct {
	o *object
	a *attribute
	i int // the position of the element; noIndex of the attribute as a whole
}

// noIndex is the index of fields outside lists.
const noIndex = -1

// field returns an attribute of the object as a whole.
func (o *object) field(a *attribute) field { return field{o, a, noIndex} }

// element returns the i-th element of a list.
func (f field) element(i int) field { return field{f.o, f.a, i} }

// wholeStream reads the object that the stream is of into the open struct.
func (d *decoder) wholeStream(o *object) {
	d.withDeferred(func() {
		d.object(o)
		d.stream.readEnd.Store(o.end - d.stream.span.Offset)
	})
}

// object reads an object into the open struct.
func (d *decoder) object(o *object) {
	o.start = d.c.Pos()
	held := int64(8*len(o.instances) + heldOfValue*max(0, o.typ.plan.valueCount-fewValues))
	steps, size := stepsOfObject+held/bytesPerStep, heldOfObject+held
	if d.c.Recording() {
		nodes := int64(1 + len(o.typ.Seq) + len(o.typ.Params) + len(o.typ.Instances))
		steps, size = steps+stepsOfNode*nodes, size+heldOfNode*nodes
	}
	if d.stream.stored != nil {
		steps *= 2 // its nodes are made again as nodes of the stored bytes
	}
	if !d.spend(o.field(nil), steps) || !d.reserve(o.field(nil), size) {
		return
	}
	o.order = d.endian(o)
	d.withDeferred(func() {
		d.attributes(o)
		o.end = d.c.Pos()
		if d.c.Err() == nil {
			d.finish(o)
		}
	})
}

// endian returns the byte order of an object's numbers. If a type around its own chooses one, the object already has
// the order of the object that reads it.
func (d *decoder) endian(o *object) binary.ByteOrder {
	endian := &o.typ.Meta.Endian
	if endian.On != nil && o.typ.plan.inheritsEndian {
		return o.order
	}
	order, err := choose(d.scope(o.field(nil)), endian)
	if err == nil && order == nil {
		err = fmt.Errorf("no case fits %v", *d.currentScope.switchValue)
	}
	if err != nil {
		d.c.Fail("endian of %s: %v", o.typ.path(), err)
		return nil
	}
	return *order
}

// parameters records the parameters of an object, which have no bytes.
func (d *decoder) parameters(o *object) {
	if !d.c.Recording() || len(o.values) == 0 {
		return
	}
	for _, p := range o.typ.Params {
		n := &model.Node{Name: p.ID, Span: model.Span{Offset: d.c.Pos()}}
		if !d.spendRecording(o.field(p), stepsToShow(o.values[p.plan.valueIndex])) {
			return
		}
		d.path.setValue(n, p, o.values[p.plan.valueIndex])
		d.c.Add(n)
	}
}

// attributes reads the parameters and the attributes of an object.
func (d *decoder) attributes(o *object) {
	d.parameters(o)
	for o.readCount < len(o.typ.Seq) && d.c.Err() == nil {
		a := o.typ.Seq[o.readCount]
		if !d.spend(o.field(a), stepsOfField) {
			return
		}
		if d.skipRun(a.plan.skippable) {
			o.readCount += a.plan.skippable.attributes
			continue
		}
		if v := d.attribute(o.field(a)); a.plan.isUsed {
			o.set(a, v)
		}
		if d.c.Err() == nil {
			o.readCount++
		}
	}
}

// skipRun skips a run of unused attributes. It returns false if the cursor records, the run is empty, or too few bytes
// remain.
func (d *decoder) skipRun(run skippableRun) bool {
	if run.attributes == 0 || d.c.Recording() || d.c.Remaining() < run.bytes {
		return false
	}
	d.align()
	d.c.Bytes("", "", run.bytes)
	return true
}

// attribute reads an attribute of an object, which may be absent or repeated, and returns its value.
func (d *decoder) attribute(f field) expression.Value {
	if f.a.plan.isSingle {
		return d.linkedValue(f, &f.a.Type.Value)
	}
	if d.c.Err() != nil {
		return expression.Value{}
	}
	if f.a.plan.aligns {
		d.align()
	}
	if !d.active.evaluates(f.o, f.a) {
		present, err := d.scope(f).isPresent()
		if err != nil {
			d.fail(f.a, "if", err)
		}
		if !present {
			return expression.Value{}
		}
	}
	if f.a.Repeat.Kind != repeatOnce {
		return d.list(f)
	}
	ref := d.reference(f)
	switch {
	case ref == nil:
		return expression.Value{}
	case ref.Kind != userKind:
		return d.checkValue(f, d.linkedValue(f, ref), d.c.Last())
	}
	var v expression.Value
	isWithin := d.bits.remaining > 0
	n := d.c.Struct(f.a.ID, ref.User.Name, func() { v = d.nestedObject(f, ref) })
	if isWithin && n != nil && beginsBefore(n) {
		shareByte(n)
	}
	if f.a.Include && !f.a.Consume && f.a.Size == nil && !f.a.SizeEOS && d.c.Err() == nil {
		d.goBack(f.a.Terminator)
	}
	return d.checkValue(f, v, d.c.Last())
}

// beginsBefore reports whether the first field of a node that has bytes begins before the node.
func beginsBefore(n *model.Node) bool {
	for i := range n.Len() {
		if c := n.Child(i); c.Size > 0 {
			return c.Offset < n.Offset
		}
	}
	return false
}

// isPresent reports whether the condition of the attribute, if any, holds.
func (s *scope) isPresent() (bool, error) {
	if s.a.If == nil {
		return true, nil
	}
	v, err := s.a.If.Eval(s)
	if err != nil {
		return false, err
	}
	return v.Truth()
}

// reference returns the type of an attribute: its own, or the type of the matching case. Without a matching case, an
// attribute with a size is bytes, and one without is absent: nil, as after an error.
func (d *decoder) reference(f field) *typeReference {
	if f.a.Type.On == nil {
		return &f.a.Type.Value
	}
	if d.c.Err() != nil {
		return nil
	}
	ref, err := choose(d.scope(f), &f.a.Type)
	switch {
	case err != nil:
		d.fail(f.a, "switch-on", err)
	case ref == nil && (f.a.Size != nil || f.a.SizeEOS):
		return &bytesReference
	}
	return ref
}

// bytesReference is the type of an attribute without a matching case: all bytes of its size, ignoring terminators.
var bytesReference = typeReference{Kind: bytesKind, Name: "bytes"}

// choose returns the value of the matching case, or of the default case in any position, or nil.
func choose[T any](s *scope, c *switchable[T]) (*T, error) {
	if c.On == nil {
		return &c.Value, nil
	}
	on, err := c.On.Eval(s)
	if err != nil {
		return nil, err
	}
	s.switchValue = &on
	i, err := c.cases.find(s, on, len(c.Cases), func(i int) *expression.Expression { return c.Cases[i].On }, true)
	if err != nil || i < 0 {
		return nil, err
	}
	return &c.Cases[i].Value, nil
}

// nestedObject reads an object of a type of the description into the open struct.
func (d *decoder) nestedObject(f field, ref *typeReference) expression.Value {
	if n := d.c.Node(); n != nil {
		n.SetReadAs(ref.User)
	}
	if !f.a.hasEnd() {
		inner, ok := d.newNested(f, ref)
		if !ok {
			return expression.Value{}
		}
		d.announce(f, inner)
		d.object(inner)
		return expression.ObjectValue(inner)
	}
	e, ok := d.extent(f, ref)
	if !ok {
		return expression.Value{}
	}
	start := d.c.Pos()
	d.c.GoTo(start + e.size) // read the bytes before the parameters of the object are evaluated
	inner, ok := d.newNested(f, ref)
	d.c.GoTo(start)
	switch {
	case !ok:
		return expression.Value{}
	case f.a.Process != nil:
		d.announce(f, inner)
		d.processedObject(f, inner, e)
	default:
		d.announce(f, inner)
		d.framedObject(f, inner, e)
	}
	return expression.ObjectValue(inner)
}

// announce sets an attribute before its object is read: expressions within the object may refer to the part read so
// far.
func (d *decoder) announce(f field, inner *object) {
	if f.i == noIndex && f.a.plan.isUsed && !f.a.isInstance() {
		f.o.set(f.a, expression.ObjectValue(inner))
	}
}

// newNested returns the object that an attribute of o is read as, with its parent and its parameters; false after an
// error.
func (d *decoder) newNested(f field, ref *typeReference) (*object, bool) {
	root := f.o.root
	if ref.User.top() != f.o.typ.top() {
		root = nil // a type of another description has its own root
	}
	inner := newObject(ref.User, f.o, root, d.stream)
	inner.index, inner.attribute = f.i, f.a
	inner.setHolder(f.o, d.dropsElement && f.i != noIndex)
	if ref.User.plan.inheritsEndian {
		inner.order = f.o.order // for any parent
	}
	switch {
	case f.a.Parent.None:
		inner.parent = nil
	case f.a.Parent.Value != nil:
		v, ok := d.eval(f, "parent", f.a.Parent.Value)
		if parent, isObject := v.Pointer().(*object); ok && isObject {
			inner.parent = parent
		}
	}
	if n := len(ref.User.Params); n > 0 && !d.spend(f, int64(n)) {
		return nil, false
	}
	for i, p := range ref.User.Params[:min(len(ref.User.Params), len(ref.Args))] {
		v, ok := d.eval(f, "a parameter", ref.Args[i])
		if !ok {
			return nil, false
		}
		if p.plan.enum != nil && v.Kind == expression.Int {
			v.Enum = p.plan.enum
		}
		inner.set(p, v)
	}
	return inner, true
}

// framedObject reads an object of a given size, and records the bytes after its content.
func (d *decoder) framedObject(f field, inner *object, e extent) {
	inner.stream = d.stream.part(model.Span{Offset: d.c.Pos(), Size: e.content})
	end := d.c.Pos() + e.size
	isRead := false
	d.c.Frame(e.content, func() {
		d.withStream(inner.stream, d.c, end).wholeStream(inner)
		isRead = true
	})
	if !isRead && d.isNeeded(f) { // the cursor passes over frames
		d.withStream(inner.stream, d.c.Quiet(inner.stream.span), end).wholeStream(inner)
	}
	if d.c.Err() == nil && d.c.Pos() < end {
		d.c.Bytes("_padding", "bytes", end-d.c.Pos())
	}
}

// goBack moves back before the terminator that ends the object just read: the object includes it, but does not consume
// it.
func (d *decoder) goBack(terminator []byte) {
	size := int64(len(terminator))
	b, err := d.content(model.Span{Offset: d.c.Pos() - size, Size: size})
	if err == nil && bytes.Equal(b, terminator) {
		d.c.GoTo(d.c.Pos() - size)
	}
}

// finish adds a label and the instances to the node of an object.
func (d *decoder) finish(o *object) {
	n := d.c.Node()
	if n != nil && o.typ.plan.label != nil {
		n.SetLabel(o.label)
	}
	if n != nil && o.typ.plan.key != nil {
		n.Key = o.text(o.typ.plan.key)
	}
	isShown := d.path != nil && d.path.o == o
	switch {
	case len(o.typ.Instances) == 0:
	case !d.c.Recording():
		d.c.Notef("instances of %s are evaluated when it is displayed", o.typ.Name)
	case isShown || d.path.allows(n, o):
		path := d.path
		if !isShown {
			path = path.pathTo(o)
		}
		d.deferred.add(d.c, func() []*model.Node { return path.instances() })
	}
}
