// Package decode is the vocabulary that all decoders are written in: a Cursor that walks the bytes of a file, whose
// calls both return a value and record the Node for it. A decoder is then a straight list of fields in the order of
// the published document, and the same pass gives typed values and the tree.
//
// The first thing that goes wrong sticks: it becomes a Problem on the struct where it happened, calls after it return
// zero and record nothing, and every open struct closes with what it has. Try lets a decoder go on behind it.
//
// Counts and sizes are compared with the bytes that are left before anything is allocated, and structs nest at most
// MaxDepth deep.
package decode

import (
	"context"
	"encoding/binary"
	"fmt"

	"assay/model"
)

// MaxDepth is how deep structs may nest. Real files stay below 100; a chain of 5,000 nodes needs 10,000.
const MaxDepth = 1 << 15

const windowSize = 64 << 10

// Types are a format's own names for the binary forms of numbers, and for a string.
type Types struct {
	Numbers [model.Bool + 1]string
	Text    string
	Bytes   string
}

// Cursor walks the bytes of a Source and records what it reads.
type Cursor struct {
	ctx    context.Context
	src    *model.Source
	system string // first word of every message: "gpb"
	order  binary.ByteOrder
	types  *Types

	pos, end int64

	window   []byte // bytes of src from windowAt on
	windowAt int64

	node  *model.Node   // the innermost open struct
	last  *model.Node   // what was recorded last
	kids  []*model.Node // children of all open structs, the innermost's at the end
	from  int           // where the innermost's children begin in kids
	depth int
	slab  []model.Node // room for the next nodes: one allocation for many
	err   error
}

// New starts a cursor at the beginning of src, with a root of that type open. system is the first word of messages.
func New(ctx context.Context, src *model.Source, system, root string, order binary.ByteOrder, types *Types) *Cursor {
	c := &Cursor{ctx: ctx, src: src, system: system, order: order, types: types, end: src.Size()}
	c.node = &model.Node{Type: root, Span: model.Span{Size: src.Size()}}
	return c
}

// Element starts a cursor of the same kind on a span of the file, with a struct of that type open: for elements that
// are decoded when they are looked at. It may be called from any goroutine.
func (c *Cursor) Element(typ string, span model.Span) *Cursor {
	e := &Cursor{ctx: context.Background(), src: c.src, system: c.system, order: c.order, types: c.types,
		pos: span.Offset, end: min(span.End(), c.src.Size()), depth: 1}
	e.node = &model.Node{Type: typ, Span: span}
	return e
}

// Close ends the outermost struct and gives it. Its span is the one it was started with.
func (c *Cursor) Close() *model.Node {
	c.node.SetChildren(model.List(append([]*model.Node(nil), c.kids...)))
	return c.node
}

// Source is what the cursor walks.
func (c *Cursor) Source() *model.Source { return c.src }

// Pos is the offset of the next byte.
func (c *Cursor) Pos() int64 { return c.pos }

// End is the offset behind the last byte that may be read.
func (c *Cursor) End() int64 { return c.end }

// Left is the number of bytes that may still be read.
func (c *Cursor) Left() int64 { return c.end - c.pos }

// GoTo goes to an offset. One outside of the bytes there are fails.
func (c *Cursor) GoTo(pos int64) {
	if c.err != nil {
		return
	}
	if pos < 0 || pos > c.end {
		c.Fail("offset %#x is outside of the %d bytes", pos, c.end)
		return
	}
	c.pos = pos
}

// Limit makes end the end of what may be read until the function it gives is called; an end beyond the present one
// stays as it is.
func (c *Cursor) Limit(end int64) (restore func()) {
	old := c.end
	c.end = max(c.pos, min(end, old))
	return func() { c.end = old }
}

// Err is what went wrong first, or nil.
func (c *Cursor) Err() error { return c.err }

// Node is the struct that is open.
func (c *Cursor) Node() *model.Node { return c.node }

// Last is the node that was recorded last, the open struct if there is none.
func (c *Cursor) Last() *model.Node {
	if c.last == nil {
		return c.node
	}
	return c.last
}

// Fail records what went wrong on the open struct, at the present offset, and stops the cursor.
func (c *Cursor) Fail(format string, args ...any) {
	if c.err != nil {
		return
	}
	c.err = fmt.Errorf("%s: %s: %s (at %#x)", c.system, c.node.Type, fmt.Sprintf(format, args...), c.pos)
	c.node.Warn(model.Error, model.Span{Offset: c.pos}, c.err.Error())
}

// Warn adds a warning about the node that was recorded last; decoding goes on.
func (c *Cursor) Warn(format string, args ...any) { c.remark(model.Warning, format, args...) }

// Note adds a remark about the node that was recorded last.
func (c *Cursor) Note(format string, args ...any) { c.remark(model.Note, format, args...) }

// Wrong adds an error about the node that was recorded last; decoding goes on.
func (c *Cursor) Wrong(format string, args ...any) { c.remark(model.Error, format, args...) }

func (c *Cursor) remark(s model.Severity, format string, args ...any) {
	if c.err != nil {
		return
	}
	n := c.Last()
	n.Warn(s, n.Span, fmt.Sprintf("%s: %s (at %#x)", c.system, fmt.Sprintf(format, args...), n.Offset))
}

// Try runs fields and reports whether they were read without an error. After an error, which stays on the node where
// it happened, the cursor can go on: the decoder says where with GoTo.
func (c *Cursor) Try(fields func()) bool {
	if c.err != nil {
		return false
	}
	fields()
	if c.err == nil {
		return true
	}
	if c.ctx.Err() == nil {
		c.err = nil
	}
	return false
}

// Struct records a struct whose fields are what the function reads.
func (c *Cursor) Struct(name, typ string, fields func()) *model.Node {
	if c.err != nil {
		return nil
	}
	if c.depth >= MaxDepth {
		c.Fail("%s is nested deeper than %d levels", name, MaxDepth)
		return nil
	}
	n := c.record(name, typ, 0)
	outer, outerFrom := c.node, c.from
	c.node, c.last, c.from = n, nil, len(c.kids)
	c.depth++
	fields()
	c.depth--
	if len(c.kids) > c.from {
		n.SetChildren(model.List(append([]*model.Node(nil), c.kids[c.from:]...)))
	}
	n.Size = c.pos - n.Offset
	c.kids = c.kids[:c.from]
	c.node, c.last, c.from = outer, n, outerFrom
	return n
}

// List records a counted list of structs: a count of the form given, then the elements. least is the fewest bytes an
// element can have, at least 1.
func (c *Cursor) List(name, elem string, count model.Number, least int64, each func(i int)) *model.Node {
	return c.Struct(name, elem+"[]", func() {
		n := c.Count("count", count, least, elem)
		c.Repeat(elem, n, each)
	})
}

// Repeat records n elements of the open list.
func (c *Cursor) Repeat(elem string, n int64, each func(i int)) {
	for i := 0; int64(i) < n && c.err == nil; i++ {
		if i%1024 == 1023 {
			if err := c.ctx.Err(); err != nil {
				c.err = err
				return
			}
		}
		c.Struct(model.IndexName(i), elem, func() { each(i) })
	}
}

// Count reads a count of things that have at least least bytes each and compares it with the bytes that are left.
func (c *Cursor) Count(name string, form model.Number, least int64, what string) int64 {
	n := c.unsigned(name, form)
	if c.err == nil && (n > 1<<62 || int64(n) > c.Left()/max(least, 1)) {
		c.Fail("%s: %d × %s do not fit in the %d bytes that are left", name, n, what, c.Left())
		return 0
	}
	if c.err == nil {
		c.last.Role = model.RoleCount
	}
	return int64(n)
}

// Role says what the value that was recorded last means to the file as a whole.
func (c *Cursor) Role(r model.Role) {
	if c.err == nil && c.last != nil {
		c.last.Role = r
	}
}

// Key is what identifies the open struct among its siblings.
func (c *Cursor) Key(key string) {
	if c.err == nil {
		c.node.Key = key
	}
}

// record adds a node at the present offset to the open struct.
func (c *Cursor) record(name, typ string, size int64) *model.Node {
	if len(c.slab) == 0 {
		c.slab = make([]model.Node, 8+min(2*len(c.kids), 248))
	}
	n := &c.slab[0]
	c.slab = c.slab[1:]
	n.Name, n.Type, n.Span = name, typ, model.Span{Offset: c.pos, Size: size}
	c.kids = append(c.kids, n)
	c.last = n
	return n
}

// Add puts a node that was made otherwise into the open struct, and goes behind it.
func (c *Cursor) Add(n *model.Node) {
	if c.err != nil {
		return
	}
	c.kids = append(c.kids, n)
	c.last = n
	if n.End() > c.pos && n.End() <= c.end {
		c.pos = n.End()
	}
}

// Peek gives the next n bytes without going on; nil if there are not as many. They are good until the next call.
func (c *Cursor) Peek(n int64) []byte {
	if c.err != nil || n > c.Left() || n > windowSize || n < 0 {
		return nil
	}
	return c.bytes(n)
}

// need gives the next n bytes, or fails with a sentence that names the field.
func (c *Cursor) need(name string, n int64) []byte {
	if c.err != nil {
		return nil
	}
	if n > c.Left() {
		c.Fail("%s needs %d bytes, %d are left", name, n, c.Left())
		return nil
	}
	return c.bytes(n)
}

// bytes gives the n bytes at the present offset, which are within the limits; nil after a failure to read.
func (c *Cursor) bytes(n int64) []byte {
	at := c.pos - c.windowAt
	if at >= 0 && at+n <= int64(len(c.window)) {
		return c.window[at : at+n]
	}
	size := max(n, min(windowSize, c.end-c.pos))
	if int64(cap(c.window)) < size {
		c.window = make([]byte, size)
	}
	c.window = c.window[:size]
	c.windowAt = c.pos
	got, err := c.src.ReadAt(c.window, c.pos)
	if int64(got) < size {
		c.window = c.window[:got]
		if int64(got) < n {
			c.Fail("cannot be read: %v", err)
			return nil
		}
	}
	return c.window[:n]
}
