package dprsim

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

var magic = []byte("CLAY")

// framing is the byte order of all that is not a value of a module.
var framing = binary.BigEndian

const (
	version = 1

	moduleChunk = 2
	bodyChunk   = 3

	// toEnd and toEndShort both stand for the length -1: the document prints it as 0xFFFFFF.
	toEnd      = 0xFFFFFFFF
	toEndShort = 0x00FFFFFF

	chunkHead = 5       // bytes of a chunk's id and length
	chunksMax = 1 << 16 // chunks that are read
)

var chunkNames = decode.Names{1: "not used", moduleChunk: "MODULE", bodyChunk: "BODY"}

var types = decode.PlainTypes

// SniffState reports whether head begins a world or state. After another version than 1 the first chunk must be one of
// version 1, because text may begin with the same letters.
func SniffState(head []byte, size int64) decode.Confidence {
	if len(head) < 4 || string(head[:4]) != string(magic) {
		return decode.No
	}
	switch {
	case size == 4:
		return decode.Maybe
	case len(head) > 4 && head[4] == version:
		return decode.Yes
	case len(head) >= 10 && (head[5] == moduleChunk || head[5] == bodyChunk):
		n := framing.Uint32(head[6:])
		if n == toEnd || int64(n) <= size-10 {
			return decode.Yes
		}
	}
	return decode.No
}

// options are the properties of a state that it does not record.
type options struct {
	bigEndian bool // native pack codes were written by a big-endian machine
}

// reader reads the chunks of a file.
type reader struct {
	c   *decode.Cursor
	o   options
	ctx context.Context

	known     []*Module // all modules of the file; nil in the first reading
	modules   []*Module // those that were listed up to here
	bodies    []*body
	inclusive bool  // chunk lengths include the chunk's head
	stopped   bool  // the next chunk cannot be found
	canceled  error // of the context
}

func openState(ctx context.Context, src *model.Source, o options) (*model.Document, error) {
	r, err := readState(ctx, src, o)
	if err != nil {
		return nil, err
	}
	doc := model.NewDocument(src, format, r.variant(), r.c.Close())
	doc.Why, doc.Meaning = r.why(), fields.Meaning
	r.complete(doc)
	return doc, ctx.Err()
}

// complete adds to the document what is made of its bodies: tables, payloads, views, the search for a catom by its id.
func (r *reader) complete(doc *model.Document) {
	doc.Switches = r.switches(doc.Source)
	for i, b := range r.bodies {
		name := "Catoms"
		if len(r.bodies) > 1 {
			name = fmt.Sprintf("Catoms of body %d", i+1)
		}
		doc.Tables = append(doc.Tables, model.TableSource{Name: name,
			Open: func(ctx context.Context) (*model.Table, error) {
				return b.table(-1), ctx.Err()
			}})
	}
	doc.Thing = describe
	doc.FindKey = r.findCatom
	doc.Payloads = r.payloads(doc.Source)
	doc.View = r.view()
}

// readState reads a file twice with the same functions: first quietly, to know all modules and the sizes of their
// states, which decide what a listing's strings are, then to record it.
func readState(ctx context.Context, src *model.Source, o options) (*reader, error) {
	c := decode.New(ctx, src, "State", framing, types)
	first := &reader{c: c.Quiet(model.Span{Size: src.Size()}), ctx: ctx}
	first.state()
	sizes := make([][]int64, len(first.modules))
	for _, b := range first.bodies {
		b.modules = first.modules
		b.firstSizes(sizes)
	}
	for i, m := range first.modules {
		m.chooseStrings(sizes[i])
	}
	r := &reader{c: c, o: o, ctx: ctx, known: first.modules}
	if r.state(); c.Err() == nil {
		r.validate()
	}
	r.checkByteOrder()
	return r, r.canceled
}

// state reads magic, version, chunks.
func (r *reader) state() {
	c := r.c
	c.Magic("magic", magic)
	if v := c.U8("version"); c.Err() == nil && v != version {
		c.Wrong("version %d of the state format is not known here; the file is read as version %d", v, version)
	}
	c.Struct("chunks", "Chunk[]", r.chunks)
}

// chunks reads chunks to the end of the file, or to one after which nothing can be found.
func (r *reader) chunks() {
	for i := 0; r.c.Left() > 0 && !r.stopped; i++ {
		if i == chunksMax {
			r.c.Fail("there are more than %d chunks; the others are not read", chunksMax)
			return
		}
		r.c.Struct(model.IndexName(i), "Chunk", func() { r.chunk() })
	}
}

// chunk reads id, length, content.
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

// variant names the layout of the file.
func (r *reader) variant() string {
	v := "state 1"
	if slices.ContainsFunc(r.modules, func(m *Module) bool { return m.prose }) {
		v += ", strings as in the prose"
	}
	if r.inclusive {
		v += ", lengths with heads"
	}
	return v
}

// why says what decided the layout of the file.
func (r *reader) why() string {
	var prose, example, parts []string
	for _, m := range r.modules {
		switch {
		case m.prose:
			prose = append(prose, m.title())
		case m.whole:
			example = append(example, m.title())
		}
	}
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

// few returns the first names of a list, and how many more there are.
func few(names []string) string {
	if len(names) > 6 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:6], ", "), len(names)-6)
	}
	return strings.Join(names, ", ")
}
