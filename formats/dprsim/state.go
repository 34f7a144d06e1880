package dprsim

import (
	"context"
	"fmt"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

var magic = []byte("CLAY")

const (
	version = 1

	moduleChunk = 2
	bodyChunk   = 3

	// toEnd and toEndShort both stand for the length -1: the document prints it as 0xFFFFFF.
	toEnd      = 0xFFFFFFFF
	toEndShort = 0x00FFFFFF

	chunkHead    = 5
	leastListing = 8 // four empty strings and a version

	chunksMax  = 1 << 16
	modulesMax = 1 << 12
	bodiesMax  = 64 // the document knows of one
)

var chunkNames = decode.Names{1: "not used", moduleChunk: "MODULE", bodyChunk: "BODY"}

var types = &decode.Types{
	Numbers: [...]string{"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f32", "f64", "bool"},
	Text:    "string", Bytes: "bytes",
}

// SniffState judges the first bytes of a world or state. Version 1 says it itself; what calls itself another version
// must go on as version 1 does, because text may begin with the same letters.
func SniffState(head []byte, size int64) decode.Sure {
	if len(head) < 4 || string(head[:4]) != string(magic) {
		return decode.No
	}
	switch {
	case size == 4:
		return decode.Maybe
	case len(head) > 4 && head[4] == version:
		return decode.Yes
	case len(head) >= 10 && (head[5] == moduleChunk || head[5] == bodyChunk):
		n := bigEndian.Uint32(head[6:])
		if n == toEnd || int64(n) <= size-10 {
			return decode.Yes
		}
	}
	return decode.No
}

// options are what a state does not say of itself.
type options struct {
	bigEndian bool // native pack codes were written by a big-endian machine
}

// reader is the way through the chunks of a file.
type reader struct {
	c   *decode.Cursor
	o   options
	ctx context.Context

	known     []*Module // all modules of the file; nil in the first reading
	modules   []*Module // those that were listed up to here
	bodies    []*body
	inclusive bool // chunk lengths include the chunk's head
	stopped   bool
	canceled  error
}

func openState(ctx context.Context, src *model.Source, o options) (*model.Document, error) {
	r, err := readState(ctx, src, o)
	if err != nil {
		return nil, err
	}
	doc := model.NewDocument(src, format, r.variant(), r.c.Close())
	doc.Why = r.why()
	r.offer(doc)
	return doc, ctx.Err()
}

// readState reads a file twice with the same functions: first quietly, to know all modules and the sizes of their
// states, which decide what a listing's strings are, then to record it.
func readState(ctx context.Context, src *model.Source, o options) (*reader, error) {
	c := decode.New(ctx, src, "State", bigEndian, types)
	first := &reader{c: c.Quiet(model.Span{Size: src.Size()}), ctx: ctx}
	first.state()
	sizes := make([][]int64, len(first.modules))
	for _, b := range first.bodies {
		b.modules = first.modules
		b.firstSizes(sizes)
	}
	for i, m := range first.modules {
		m.settle(sizes[i])
	}
	r := &reader{c: c, o: o, ctx: ctx, known: first.modules}
	if r.state(); c.Err() == nil {
		r.validate()
	}
	r.doubtOrder()
	return r, r.canceled
}

// state: magic, version, chunks.
func (r *reader) state() {
	c := r.c
	c.Magic("magic", magic)
	if v := c.U8("version"); c.Err() == nil && v != version {
		c.Wrong("version %d of the state format is not known here; the file is read as version %d", v, version)
	}
	c.Struct("chunks", "Chunk[]", r.chunks)
}

func (r *reader) chunks() {
	for i := 0; r.c.Left() > 0 && !r.stopped; i++ {
		if i == chunksMax {
			r.c.Fail("there are more than %d chunks; the others are not read", chunksMax)
			return
		}
		r.c.Struct(model.IndexName(i), "Chunk", func() { r.chunk() })
	}
}

func (r *reader) chunk() {
	c := r.c
	id, known := c.Enum("id", "u8", model.U8, chunkNames)
	length := int64(c.U32("length"))
	c.Role(model.RoleSize)
	if c.Err() != nil {
		return
	}
	if r.inclusive && length != toEnd && (id != bodyChunk || length != toEndShort) {
		length -= chunkHead
	}
	switch {
	case id == bodyChunk:
		r.body(length)
	case id == moduleChunk:
		r.moduleChunk(length)
	case length == toEnd:
		c.Wrong("the chunk with id %d has the length -1, so what follows it cannot be found", id)
		r.stopped = true
	case length < 0 || length > c.Left():
		c.Wrong("the chunk with id %d has %d bytes, %d are left", id, length, c.Left())
		r.stopped = true
	default:
		c.Bytes("content", types.Bytes, length)
		if known {
			c.Note("chunk id %d is not used; its %d bytes are skipped", id, length)
		} else {
			c.Note("chunk id %d is not known here; its %d bytes are skipped", id, length)
		}
	}
}

// moduleChunk reads listings until the content ends. A listing says itself where it ends, so a chunk whose length
// cannot be right is read to the end of its listing if a chunk begins there.
func (r *reader) moduleChunk(length int64) {
	c := r.c
	start := c.Pos()
	end := start + length
	if length < leastListing || end > c.End() || length == toEnd {
		if at, err := r.listingEnd(start); err == nil && at != end && r.knownChunk(at) {
			c.Wrong("the chunk's length of %s does not hold its listing, which ends at %#x; reading goes on there",
				signed(length), at)
			end = at
		} else if length == toEnd || length < 0 {
			c.Wrong("a module chunk with the length %s cannot be left: what follows it cannot be found", signed(length))
			r.stopped = true
			return
		} else if end > c.End() && !r.endsInside(start, end) {
			c.Wrong("the module chunk has %d bytes, %d are left", length, c.Left())
		}
	} else if at, err := r.listingEnd(start); err == nil && at > end && r.knownChunk(at) {
		c.Wrong("the chunk's length of %s does not hold its listing, which ends at %#x; reading goes on there",
			signed(length), at)
		end = at
	}
	c.Struct("content", "MODULE", func() { r.listings(start, end) })
}

// endsInside reports whether the chunk passes the end of the file only because its length includes its head.
func (r *reader) endsInside(start, end int64) bool {
	at, err := r.listingEnd(start)
	return err == nil && end-at == chunkHead && at == r.c.End()
}

func signed(length int64) string {
	if length == toEnd {
		return "-1"
	}
	return fmt.Sprint(length)
}

func (r *reader) listings(start, end int64) {
	c := r.c
	last := min(end, c.End())
	stop, whole := start, true
	c.Frame(last-start, func() {
		whole = r.modulesTo(start, end)
		stop = c.Pos()
	})
	switch {
	case !whole:
		r.stopped = r.stopped || end > last
	case end-stop == chunkHead && stop > start && r.headEnds(stop):
		r.inclusive = true
		c.GoTo(stop)
	case last > stop:
		c.GoTo(stop)
		c.Bytes("surplus", types.Bytes, last-stop)
		c.Warn("%d bytes follow the last listing of the module chunk", last-stop)
	}
}

// modulesTo reads listings up to the end of their chunk, and reports whether all of them are whole.
func (r *reader) modulesTo(start, end int64) (whole bool) {
	c := r.c
	whole = true
	c.Struct("modules", "Module[]", func() {
		if end-start < leastListing {
			c.Remark(model.Error, model.Span{Offset: start}, "the module chunk lists no module")
		}
		for i := 0; end-c.Pos() >= leastListing && c.Left() > 0 && whole; i++ {
			if len(r.modules) >= modulesMax {
				c.Remark(model.Error, model.Span{Offset: c.Pos()},
					"there are more than %d modules; the others are not read", modulesMax)
				whole = false
				break
			}
			m := new(Module)
			if i := len(r.modules); i < len(r.known) {
				m = r.known[i]
			}
			whole = c.Try(func() { c.Struct(model.IndexName(i), "Module", func() { m.listing(c) }) })
			r.modules = append(r.modules, m)
		}
	})
	return whole
}

// headEnds decides whether the 5 bytes that a module chunk has too many are the next chunk's head, that is, whether
// lengths include the head.
func (r *reader) headEnds(at int64) bool {
	switch {
	case at == r.c.End() || r.knownChunk(at):
		return true
	case r.knownChunk(at + chunkHead):
		return false
	}
	q := r.look(at)
	q.U8("id")
	return int64(q.U32("length")) <= q.Left()+chunkHead && q.Err() == nil
}

// look returns a quiet cursor on what follows an offset.
func (r *reader) look(at int64) *decode.Cursor {
	return r.c.Quiet(model.Span{Offset: at, Size: r.c.End() - at})
}

// knownChunk reports whether a module or body chunk can begin at off.
func (r *reader) knownChunk(off int64) bool {
	q := r.look(off)
	id, n := q.U8("id"), int64(q.U32("length"))
	if q.Err() != nil {
		return false
	}
	switch most := q.Left() + chunkHead; id {
	case bodyChunk:
		return n == toEnd || n == toEndShort || n <= most
	case moduleChunk:
		return n >= leastListing && n <= most
	}
	return false
}

// body reads a body chunk. Its catoms are found in the second reading, when all modules are known.
func (r *reader) body(length int64) {
	c := r.c
	if len(r.bodies) == bodiesMax {
		c.Fail("there are more than %d bodies; the others are not read", bodiesMax)
		r.stopped = true
		return
	}
	end := c.End()
	if length == toEnd || length == toEndShort {
		c.Symbol("to the end of the file")
	} else {
		switch left := c.Left(); {
		case length >= 0 && length <= left:
			end = c.Pos() + length
			c.Note("the body has the length %d; the document says that it is -1 and the body the last chunk", length)
		case length-chunkHead == left:
			c.Note("the body has the length %d with its head; the document says that it is -1", length)
		default:
			c.Wrong("the body has %d bytes, %d are left; it is read to the end of the file", length, left)
		}
	}
	b := newBody(c, end, r.known, r.o)
	r.bodies = append(r.bodies, b)
	b.content = c.Struct("content", "BODY", func() {
		c.Frame(b.span.Size, func() {
			if !c.Recording() {
				c.Bytes("catoms", types.Bytes, b.span.Size)
			} else if err := b.record(r.ctx); err != nil {
				r.canceled = err
			}
		})
	})
}

func (r *reader) variant() string {
	v := "state 1"
	for _, m := range r.modules {
		if m.prose {
			v += ", strings as in the prose"
			break
		}
	}
	if r.inclusive {
		v += ", lengths with heads"
	}
	return v
}

func (r *reader) why() string {
	if len(r.modules) == 0 {
		return ""
	}
	var prose, example []string
	for _, m := range r.modules {
		switch {
		case m.prose:
			prose = append(prose, m.title())
		case m.whole:
			example = append(example, m.title())
		}
	}
	var parts []string
	if len(example) > 0 {
		parts = append(parts,
			"types, names and the third string are in the order of the document's example in "+few(example))
	}
	if len(prose) > 0 {
		parts = append(parts,
			"the strings are in the order of the document's prose (types in C, names in D) in "+few(prose))
	}
	if r.inclusive {
		parts = append(parts, "the module chunk's length is 5 more than its listings")
	}
	return strings.Join(parts, "; ")
}

func few(names []string) string {
	if len(names) > 6 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:6], ", "), len(names)-6)
	}
	return strings.Join(names, ", ")
}
