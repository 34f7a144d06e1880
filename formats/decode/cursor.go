// Package decode provides Cursor, with which decoders read the fields of a file in the order of the published document.
// One function of a decoder serves three modes. The cursor decides what each call does:
//
//	              records        is quiet              finds ends
//
//	made by       New, Element   Quiet, Aside          NewProbe, and Indexed for its pass
//	fields        node, value    value                 value
//	Frame         read           read                  skipped
//	Records       later          each at once          skipped
//	Indexed       pass, later;   each at once          each at once
//	              or at once
//	Elements      later          skipped               skipped
//	Last          a node         nil                   nil
//	Node          a node         nil, or of a line     nil
//
// Later: an element is decoded as a whole when it is first displayed. The pass finds the ends of elements of differing
// sizes. A list within an element of which at most 1 KiB remains is recorded at once. A line is an element in a list,
// without its fields. Code after Frame or Records must not use values read in them: a cursor that finds ends skips it.
// A decoder must not depend on the mode, except to skip work for nodes only, by Recording, Last and Node.
//
// Count, Size and Offset read numbers with a role in the file. The first error becomes a Problem of the open struct:
// later calls return zero and record nothing. Try catches an error, Frame confines one to its bytes, and Errorf, Warnf,
// Notef and Remark report problems without an error. Counts are checked against the remaining bytes before allocation,
// and structs nest at most MaxDepth deep. Glossary reads the page of a format (fields.md), which explains its fields.
package decode

import (
	"context"
	"encoding/binary"

	"assay/model"
)

// MaxDepth limits the nesting of structs. Real files stay below 100; a chain of 50,000 nodes needs 100,000. Structs
// that a recursive function reads may nest maxCalls deep: the stack must not grow with the file. Lists may nest
// maxLists deep: to display a damaged list, its enclosing lists are read again.
const (
	MaxDepth = 1 << 20
	maxCalls = 1 << 15
	maxLists = 1 << 10
)

// The size of the window grows from windowFirst to maxWindow while reads are sequential.
const (
	windowFirst = 512 - spare
	// Reads of this size bypass the block cache: a long sequential read must not evict the blocks that the window
	// displays.
	maxWindow = 128 << 10
)

// spare is the number of bytes allocated past the end of a window: every number in it can be loaded as eight bytes.
const spare = 8

// Types are a format's own names for the binary forms of numbers, for a string and for bytes.
type Types struct {
	Numbers [model.Bool + 1]string
	Text    string
	Bytes   string
}

// PlainTypes are the type names for formats that do not define their own.
var PlainTypes = &Types{
	Numbers: [...]string{model.U8: "u8", model.U16: "u16", model.U32: "u32", model.U64: "u64", model.S8: "s8",
		model.S16: "s16", model.S32: "s32", model.S64: "s64", model.F32: "f32", model.F64: "f64", model.Bool: "bool"},
	Text: "string", Bytes: "bytes",
}

// settings holds the settings that a cursor shares with the cursors created from it.
type settings struct {
	src   *model.Source
	types *Types
	big   bool // the numbers that follow are big-endian
	// stopped reports whether elements are no longer decoded. It may be nil.
	stopped func() bool
}

// Cursor walks the bytes of a Source.
type Cursor struct {
	settings
	ctx context.Context

	// The window holds bytes of src from offset base on. index is the index of the next byte in it, and limitIndex the
	// index after the last byte that may be read: the end of the window or the limit. After an error they are equal.
	window            []byte
	base              int64
	index, limitIndex int
	nextWindow        int64 // the size of the next window

	end   int64 // the offset after the last byte that may be read
	depth int   // the structs that are open
	calls int   // open structs that a function reads
	lists int   // that are being read
	err   error

	mode     mode
	rec      *recorder   // of a recording cursor; else nil
	outcome  Outcome     // of unrecorded reads since the cursor was created or Reset; err has the first error
	line     *model.Node // of a quiet cursor that reads an element for its line: takes the key and the type; else nil
	emptyRun int         // consecutive elements without bytes
	aside    *Cursor     // the cursor that Aside returns, or nil before the first call
}

// mode is how a cursor reads. The package doc lists the effect of each call in each mode.
type mode uint8

const (
	quiet     mode = iota // values only
	records               // values, and their nodes
	findsEnds             // values outside of frames and records: only the ends of elements matter
)

// New returns a cursor at the beginning of src, with a root of type root open.
func New(ctx context.Context, src *model.Source, root string, order binary.ByteOrder, types *Types) *Cursor {
	c := NewProbe(ctx, src, order, types)
	c.mode, c.rec = records, newRecorder(root, model.Span{Size: src.Size()}, arenaFirst)
	return c
}

// NewProbe returns a cursor at the beginning of src that finds ends: a format tries with it which of its layouts a file
// has.
func NewProbe(ctx context.Context, src *model.Source, order binary.ByteOrder, types *Types) *Cursor {
	c := &Cursor{settings: settings{src: src, types: types}, ctx: ctx, end: src.Size(), mode: findsEnds}
	c.SetOrder(order)
	return c
}

// Element returns a cursor of the same kind on a span of the file, with an open struct of a type, for elements that are
// decoded on demand. It may be called from any goroutine.
func (c *Cursor) Element(typ string, span model.Span) *Cursor {
	return c.settings.element(typ, span, arenaFirst)
}

// element is Element with initial space for nodes.
func (s settings) element(typ string, span model.Span, nodes int) *Cursor {
	e := s.cursor(nil, span)
	e.mode, e.rec = records, newRecorder(typ, span, nodes)
	e.rec.isElement = true
	return e
}

// Quiet returns a quiet cursor of the same kind on a span of the file. It may be called from any goroutine.
func (c *Cursor) Quiet(span model.Span) *Cursor { return c.cursor(nil, span) }

// cursor starts a cursor with the settings on a span: c again, which reads the same file and keeps its window, or a
// quiet one if it is nil.
func (s settings) cursor(c *Cursor, span model.Span) *Cursor {
	if c == nil {
		c = &Cursor{settings: s, ctx: context.Background()}
	}
	c.big = s.big
	c.Reset(span)
	return c
}

// Aside returns a quiet cursor on another part of the file. It is the same one each time, so that its window moves
// along where one look aside follows another, as in the elements of a list that are read one after the other.
func (c *Cursor) Aside(span model.Span) *Cursor {
	c.aside = c.cursor(c.aside, span)
	c.aside.mode, c.aside.ctx = quiet, c.ctx
	c.aside.calls, c.aside.lists = c.calls, c.lists // of the same stack
	return c.aside
}

// Reset starts a cursor that Quiet returned again, on another span and in the byte order that it has. It keeps its
// window.
func (c *Cursor) Reset(span model.Span) {
	c.err, c.outcome, c.depth, c.calls, c.lists, c.emptyRun = nil, Clean, 1, 1, 0, 0
	c.end = max(0, min(span.End(), c.src.Size()))
	c.seek(min(max(span.Offset, 0), c.end))
}

// SetOrder sets the byte order of the following numbers. An element of a list starts with the order of its list, which
// also applies after the list.
func (c *Cursor) SetOrder(order binary.ByteOrder) {
	c.big = order == binary.ByteOrder(binary.BigEndian)
}

// StopLists has walks through the elements of lists that are recorded from now on end where stopped reports true.
func (c *Cursor) StopLists(stopped func() bool) { c.stopped = stopped }

// order returns the byte order of the numbers that follow.
func (s settings) order() binary.ByteOrder {
	if s.big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// Close ends the outermost struct and returns it. Its span is the one it was started with.
func (c *Cursor) Close() *model.Node {
	n := c.rec.node
	c.rec.setChildren(n)
	return n
}

// Source returns the file that the cursor reads.
func (c *Cursor) Source() *model.Source { return c.src }

// Recording reports whether the cursor builds nodes.
func (c *Cursor) Recording() bool { return c.mode == records }

// Pos returns the offset of the next byte.
func (c *Cursor) Pos() int64 { return c.base + int64(c.index) }

// End returns the offset after the last byte that may be read.
func (c *Cursor) End() int64 { return c.end }

// Remaining returns the number of bytes that may still be read.
func (c *Cursor) Remaining() int64 { return c.end - c.Pos() }

// GoTo moves to an offset. It fails if the offset is outside the readable bytes.
func (c *Cursor) GoTo(pos int64) {
	if c.err != nil {
		return
	}
	if pos < 0 || pos > c.end {
		c.Fail("offset %#x is past the end (%d bytes)", pos, c.end)
		return
	}
	if pos != c.Pos() {
		c.raise(Sound)
	}
	c.seek(pos)
}

func (c *Cursor) setEnd(end int64) {
	c.end = end
	c.updateLimit()
}

// seek moves to an offset within the limits.
func (c *Cursor) seek(pos int64) {
	if i := pos - c.base; i >= 0 && i <= int64(len(c.window)) {
		c.index = int(i)
	} else {
		if i < 0 || i > int64(len(c.window))+maxWindow {
			c.nextWindow = 0 // the window holds another part of the file
		}
		c.window, c.base, c.index = c.window[:0], pos, 0
	}
	c.updateLimit()
}

// updateLimit sets limitIndex from the window, the limit and the error.
func (c *Cursor) updateLimit() {
	if c.err != nil {
		c.limitIndex = c.index
		return
	}
	c.limitIndex = int(max(0, min(int64(len(c.window)), c.end-c.base)))
}

// Peek returns the next n bytes without moving, or nil if fewer remain, if n is above 128 KiB, or after an error. They
// are valid until the next call.
func (c *Cursor) Peek(n int64) []byte {
	if c.err != nil || n > c.Remaining() || n > maxWindow || n < 0 {
		return nil
	}
	return c.bytes(n)
}

// need returns the next n bytes, or fails with a sentence that names the field.
func (c *Cursor) need(name string, n int64) []byte {
	if n > 0 && n <= int64(c.limitIndex-c.index) {
		return c.window[c.index : c.index+int(n)]
	}
	if c.err != nil {
		return nil
	}
	if n > c.Remaining() {
		c.Fail("%s needs %s, but only %d remain", name, model.PlainCount(n, "byte"), max(c.Remaining(), 0))
		return nil
	}
	return c.bytes(n)
}

// bytes returns the n bytes at the current offset, which are within the limits, or nil if reading fails. It reads ahead
// past the limit, because the next element is usually read next.
func (c *Cursor) bytes(n int64) []byte {
	if n == 0 {
		return []byte{} // also before the first read, when there is no window
	}
	if n <= int64(len(c.window)-c.index) {
		return c.window[c.index : c.index+int(n)]
	}
	pos := c.Pos()
	c.nextWindow = min(max(windowFirst, 4*c.nextWindow), maxWindow)
	size := max(n, min(c.nextWindow, c.src.Size()-pos))
	if int64(cap(c.window)) < size+spare {
		c.window = make([]byte, size+spare)
	}
	c.window = c.window[:size]
	got, err := c.src.ReadAt(c.window, pos)
	c.window, c.base, c.index = c.window[:got], pos, 0
	c.updateLimit()
	if int64(got) < n {
		c.Fail("cannot be read: %v", err)
		return nil
	}
	return c.window[:n]
}

// skip advances by n bytes, which must be within the limits.
func (c *Cursor) skip(n int64) {
	if n <= int64(c.limitIndex-c.index) {
		c.index += int(n)
		return
	}
	c.seek(c.Pos() + n)
}

// stopIfCanceled stops the cursor if its context has ended.
func (c *Cursor) stopIfCanceled() bool {
	if err := c.ctx.Err(); err != nil {
		c.Stop(err)
	}
	return c.err != nil
}

// Struct records a struct with the fields that the function reads. It returns the node, or nil unless the cursor
// records.
func (c *Cursor) Struct(name, typ string, fields func()) *model.Node {
	if c.calls >= maxCalls {
		c.Fail("%s is nested deeper than %d levels", name, maxCalls)
	}
	if !c.Enter(name, typ) {
		return nil
	}
	c.calls++
	fields()
	c.calls--
	return c.endStruct()
}

// nestList runs read, which reads a list that may be nested, unless it is nested too deep.
func (c *Cursor) nestList(elem string, read func()) {
	if c.lists >= maxLists {
		c.Fail("lists of %s are nested deeper than %d levels", elem, maxLists)
		return
	}
	c.lists++
	read()
	c.lists--
}

// Enter opens a struct for the fields read until Leave. It returns false after an error. It is for structs that nest
// thousands of levels deep, which a recursive function must not read.
func (c *Cursor) Enter(name, typ string) bool {
	if c.err != nil {
		return false
	}
	if c.depth >= MaxDepth {
		c.Fail("%s is nested deeper than %d levels", name, MaxDepth)
		return false
	}
	c.depth++
	if c.rec != nil {
		c.rec.open(name, typ, c.Pos())
	}
	return true
}

// Leave closes the struct that Enter opened, after an error too.
func (c *Cursor) Leave() { c.endStruct() }

func (c *Cursor) endStruct() *model.Node {
	c.depth--
	if c.rec == nil {
		return nil
	}
	return c.rec.close(c.Pos())
}

// Frame runs fields on the next size bytes: they cannot read past them, an error ends only the frame, and the cursor
// moves to the end of the frame in any case. Bytes that fields leave unread are a gap unless fields ends with Rest.
// Frame fails if size exceeds the remaining bytes. A cursor that finds ends skips a frame: fields after it must not
// depend on its content.
func (c *Cursor) Frame(size int64, fields func()) {
	if c.err != nil {
		return
	}
	if size < 0 || size > c.Remaining() {
		c.Fail("%d bytes do not fit in the remaining %d bytes", size, c.Remaining())
		return
	}
	if c.mode == findsEnds {
		c.skip(size)
		return
	}
	end, outer := c.Pos()+size, c.end
	c.setEnd(end)
	c.Try(fields)
	c.setEnd(outer)
	c.GoTo(end)
}
