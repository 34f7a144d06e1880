// Package kaitai reads files by Kaitai Struct descriptions (.ksy), published at
// https://doc.kaitai.io/ksy_reference.html and https://doc.kaitai.io/user_guide.html. Descriptions are interpreted, not
// compiled. The whole language is supported except custom processes, which leave the bytes unchanged with a problem; a
// duplicate key or ID is an error.
//
// Library loads a Description (library.go, yaml.go, keys.go, resolve.go, plan.go), and Description.Open reads a file. A
// decoder reads objects (object.go), values (leaf.go, bits.go), lists (list.go) and instances (instance.go).
// valid.go validates values, process.go transforms bytes, show.go creates the nodes of instances, payload.go lists the
// assets, and views.go has the views of objects. check.go checks a description without a file; sketch.go, insert.go and
// complete.go help to write one.
//
// Constants limit descriptions and files, and a budget (budget.go) limits the time and the memory for a document.
package kaitai

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"sync/atomic"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
	"assay/model"
)

// Names and keys beyond those of the language:
//
//   - An attribute without an ID is named _unnamed0 by its index.
//   - Transformed bytes have no bytes in the file: the stored ones are the leaf _raw.
//   - The bytes between the end of an object and its size are _padding.
//   - The span of a bit field is all bytes with its bits; it owns the bytes without an earlier field.
//   - -webide-representation sets labels, with whole numbers in hexadecimal unless dec is given, as in the language's
//     editor.
//   - -assay-export (true, false or {name, media-type}) selects the bytes that can be exported.
//   - -assay-view makes the objects of a type pictures, meshes, scenes, sounds or texts, by the nodes at the paths that
//     it names, and their fields links.
//
// Differences from the programs that the language's own compiler makes:
//
//   - An error in an attribute with a size, or in an element of a list of objects of one size, does not stop reading.
//   - An invalid value is an error, and reading continues.
//   - Bit fields of both orders may share a byte, with a warning. The remaining bits of a byte are dropped before a
//     number, bytes, a text or an object with a size, as from version 0.11 of the language on.
//   - A value instance that returns an enclosing object does not display it again.
//   - Instances that need one another more than 1000 deep are an error.
//   - An element of a list that includes a terminator without consuming it is not followed by that terminator again.
//   - A choice in a list without a matching case is an empty element.
//   - _index outside a repeated attribute, also in instances, is the index of the object in its list, and an error if
//     it is in no list. In repeat-until it is the index of the last element; some of the compiler's programs add one.
//   - _sizeof of an object of variable size is the number of bytes it took, once it is read.

// Open reads src by the description. An error in the file is a problem in the document.
func (d *Description) Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	c := decode.New(ctx, src, d.Root.Name, binary.LittleEndian, types)
	budget := newBudget(src.Size())
	c.StopLists(budget.isStopped)
	defer budget.Until(ctx)()
	fileStream := newStream(c, &documentState{budget: budget})
	newDecoder(fileStream, c).wholeStream(newObject(d.Root, nil, nil, fileStream))
	root := c.Close()
	root.SetReadAs(d.Root)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	doc := model.NewDocument(src, d.ID, "(from "+model.FileName(d.File)+")", root)
	doc.Budget = budget
	fileStream.doc.document = doc
	doc.Why = "by the description " + model.FileName(d.File)
	doc.Meaning = d.meaning
	doc.Description = &model.Description{Files: d.Files, Rule: d.rule,
		Text: func(file string) string { return d.texts[file] }}
	doc.View = func(ctx context.Context, n *model.Node) (model.View, error) { return view(ctx, src, n) }
	doc.Payloads = findPayloads(ctx, doc)
	return doc, ctx.Err()
}

// decoder reads objects of one stream with a cursor in any mode, and evaluates their expressions. It belongs to one
// goroutine. The functions below create other decoders from it.
type decoder struct {
	stream *stream
	c      *decode.Cursor // on the stream; nil if only expressions are evaluated
	bits   bitsLeft       // of the byte before the cursor

	evalContext

	deferred     *deferred // nodes that are added after everything is read; nil unless recording
	target       field     // a field to read for its value, used in expressions or not
	currentScope scope     // of the expression that is evaluated
	dropsElement bool      // the current element is dropped after it is read
}

// evalContext is the state that a decoder passes to each decoder it creates, with the changes made there.
type evalContext struct {
	active    *activation // the current instance or element
	suspended *suspended  // the streams that are read no further meanwhile
	path      *shownPath  // the objects with displayed instances
}

// newDecoder returns a decoder without an outer one.
func newDecoder(s *stream, c *decode.Cursor) *decoder {
	return &decoder{stream: s, c: c}
}

// decoder returns a decoder that records an object with a cursor and displays its instances.
func (s *shownPath) decoder(c *decode.Cursor) *decoder {
	r := newDecoder(s.o.stream, c)
	r.path = s
	return r
}

// instanceDecoder returns a decoder for the instances of a displayed object, which was read to its end.
func (s *shownPath) instanceDecoder() *decoder {
	r := s.decoder(nil)
	r.suspended = &suspended{stream: s.o.stream, position: s.o.end - s.o.stream.span.Offset}
	return r
}

// withCursor returns a decoder of the same stream with c. If c is another cursor, the decoder defers its own nodes.
func (d *decoder) withCursor(c *decode.Cursor) *decoder {
	dec := &decoder{stream: d.stream, c: c, evalContext: d.evalContext}
	if c == d.c {
		dec.deferred = d.deferred
	}
	return dec
}

// withStream returns a decoder of a stream within this one, which meanwhile counts as read up to end.
func (d *decoder) withStream(s *stream, c *decode.Cursor, end int64) *decoder {
	dec := d.withCursor(c)
	dec.stream, dec.suspended = s, &suspended{d.stream, end - d.stream.span.Offset, d.suspended}
	return dec
}

// forInstance returns a decoder of an instance of an object with a cursor on the stream of the instance. It depends on
// the object alone, not on the caller.
func (d *decoder) forInstance(o *object, inst *instance, c *decode.Cursor) *decoder {
	dec := d.withCursor(c)
	dec.stream, dec.suspended = inst.stream, &suspended{stream: o.stream, position: inst.ownPos}
	return dec
}

// forEvaluation returns a decoder that evaluates an instance of an object at the position of d.
func (d *decoder) forEvaluation(o *object, a *attribute) *decoder {
	dec := d.withCursor(d.c)
	dec.bits, dec.active = d.bits, d.active.activate(o.field(a))
	return dec
}

// activation is an instance under evaluation, or a list element being read, with the chain that needs it. Only list and
// isDependent change.
type activation struct {
	field                   // an element, or an instance as a whole
	read  *expression.Value // the element, once it is read
	list  *elements         // the part read so far of an instance that is a list
	outer *activation       // the field that needs the instance, or has the list
	depth int               // nesting of instances that need one another
	// isDependent means that the instance may differ, or not fail, after more is read or in another context.
	isDependent atomic.Bool
}

// activate returns the activation of an instance, or of an element of a list, within act, which may be nil.
func (act *activation) activate(f field) *activation {
	inner := &activation{field: f, outer: act}
	if act != nil {
		inner.depth = act.depth
	}
	if f.i == noIndex {
		inner.depth++
	}
	return inner
}

// dependOn marks all activations within outer as dependent on it. With nil, all depend on the decoder's position.
func (act *activation) dependOn(outer *activation) {
	for ; act != outer; act = act.outer {
		act.isDependent.Store(true)
	}
}

// evaluates reports whether an instance is the current activation.
func (act *activation) evaluates(o *object, a *attribute) bool {
	return act != nil && act.field == o.field(a)
}

// listInProgress returns the part read so far of an instance that is a list, or nil if it is not being read.
func (act *activation) listInProgress(o *object, a *attribute) *elements {
	if a.Repeat.Kind == repeatOnce {
		return nil
	}
	for outer := act; outer != nil; outer = outer.outer {
		if outer.evaluates(o, a) {
			act.dependOn(outer)
			return outer.list
		}
	}
	return nil
}

// suspended is a stream that waits while another one is read.
type suspended struct {
	stream   *stream
	position int64 // how far it is read, relative to its span
	outer    *suspended
}

// position returns how far a stream is read, relative to its span: the cursor, the position where the stream was
// suspended, or where its object ended.
func (d *decoder) position(s *stream) int64 {
	if d.stream == s && d.c != nil {
		return d.c.Pos() - s.span.Offset
	}
	for outer := d.suspended; outer != nil; outer = outer.outer {
		if outer.stream == s {
			return outer.position
		}
	}
	return s.readEnd.Load()
}

// deferred is nodes that are created after the outermost object is read: they may need attributes of any object.
type deferred struct{ todo []func() }

// add adds the nodes that a function returns to the struct that a cursor has open now.
func (d *deferred) add(c *decode.Cursor, nodes func() []*model.Node) {
	n := c.Node()
	d.todo = append(d.todo, func() {
		if n != c.Node() { // it is closed by now
			children, _ := n.Children().(model.List)
			n.SetChildren(append(slices.Clip(children), nodes()...))
			return
		}
		offset := c.Pos()
		for _, child := range nodes() {
			c.Add(child)
			c.GoTo(offset)
		}
	})
}

// withDeferred calls read, and adds the deferred nodes after the outermost record is complete.
func (d *decoder) withDeferred(read func()) {
	if !d.c.Recording() || d.deferred != nil {
		read()
		return
	}
	d.deferred = new(deferred)
	read()
	for _, add := range d.deferred.todo {
		add()
	}
	d.deferred = nil
}

// isNeeded reports whether the value of a field is of use.
func (d *decoder) isNeeded(f field) bool {
	return f.a.plan.isUsed || f.a.Valid != nil || f.a.Repeat.Kind == repeatUntil || f == d.target
}

// eval evaluates an expression of a field; false after an error, which stops the cursor.
func (d *decoder) eval(f field, key string, e *expression.Expression) (expression.Value, bool) {
	if d.c.Err() != nil {
		return expression.Value{}, false
	}
	v, err := e.Eval(d.scope(f))
	if err != nil {
		d.fail(f.a, key, err)
	}
	return v, err == nil
}

// evalSize evaluates an expression that must be a whole number, or absent.
func (d *decoder) evalSize(f field, key string, e *expression.Expression) (int64, bool) {
	v, ok := d.eval(f, key, e)
	if !ok {
		return 0, false
	}
	n, err := v.Size()
	if err != nil {
		d.fail(f.a, key, err)
	}
	return n, err == nil
}

// fail stops the cursor with the error of a key of an attribute.
func (d *decoder) fail(a *attribute, key string, err error) {
	switch {
	case d.c.Err() != nil:
	case errors.Is(err, errSpent):
		d.c.Stop(err)
	default:
		d.c.Fail("%s: %v", a.keyName(key), err)
	}
}

// keyName names an attribute, or one of its keys, in a sentence.
func (a *attribute) keyName(key string) string {
	if key == "" {
		return a.ID
	}
	return key + " of " + a.ID
}
