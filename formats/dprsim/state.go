package dprsim

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

var magic = []byte("CLAY")

// framingOrder is the byte order of everything but the values of modules.
var framingOrder = binary.BigEndian

const (
	version = 1

	moduleChunk = 2
	bodyChunk   = 3

	// toEnd and toEndShort both mean the length -1: the document prints it as 0xFFFFFF.
	toEnd      = 0xFFFFFFFF
	toEndShort = 0x00FFFFFF

	chunkHead = 5       // bytes of a chunk's ID and length
	maxChunks = 1 << 16 // chunks that are read
)

// chunkLabels are the labels of chunks, after what they contain.
var chunkLabels = map[int]string{moduleChunk: "modules", bodyChunk: "catoms"}

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
		n := framingOrder.Uint32(head[6:])
		if n == toEnd || n == toEndShort && head[5] == bodyChunk || int64(n) <= size-10 {
			return decode.Yes
		}
	}
	return decode.No
}

// options are the properties of a state that it does not record.
type options struct {
	bigEndian bool // native pack codes were written by a big-endian machine
}

// chunkReader reads the chunks of a file: first quietly, to find all modules and the bodies, then to record them.
type chunkReader struct {
	c       *decode.Cursor
	options options

	modules     []*module     // of the whole file, in the order of their listings; nil in the first pass
	listed      []listing     // that were read up to here
	listedNodes []*model.Node // the nodes of the listings
	bodies      []*body
	// inclusive means that chunk lengths include the chunk's head. leadToModules decides it for the chunks before the
	// first module chunk, and moduleContent, by the ends of its listings, for later ones. moduleEnd accepts either
	// length.
	inclusive bool
}

func openState(ctx context.Context, src *model.Source, o options) (*model.Document, error) {
	r, err := readState(ctx, src, o)
	if err != nil {
		return nil, err
	}
	doc := model.NewDocument(src, format, r.variant(), r.c.Close())
	doc.Why, doc.Meaning, doc.Item = r.why(), fields.Meaning, describe
	doc.FindKey = r.findCatom
	doc.Switches = r.switches(src)
	doc.Tables = r.tables()
	doc.Payloads = r.payloads(src)
	doc.View = r.view()
	return doc, nil
}

// readState reads a file in two passes of the same functions. The quiet one collects all listings and the sizes of the
// module states, which decide the meaning of a listing's strings. The other records the file. An error is from ctx.
func readState(ctx context.Context, src *model.Source, o options) (*chunkReader, error) {
	c := decode.New(ctx, src, "State", framingOrder, types)
	first := &chunkReader{c: c.Aside(model.Span{Size: src.Size()})}
	first.state(ctx)
	r := &chunkReader{c: c, options: o, modules: first.knownModules()}
	if r.state(ctx); c.Err() == nil {
		r.validate()
	}
	r.checkByteOrder(ctx)
	return r, ctx.Err()
}

// knownModules returns the modules of the listings of the first pass.
func (r *chunkReader) knownModules() []*module {
	modules, sizes := make([]*module, len(r.listed)), make([][]int64, len(r.listed))
	for i, l := range r.listed {
		modules[i] = &module{listing: l}
	}
	for _, b := range r.bodies {
		b.firstSizes(modules, sizes)
	}
	for i, l := range r.listed {
		modules[i] = newModule(l, sizes[i])
	}
	return modules
}

// listingOf returns the node of the listing of the i-th module, or the root if the file changed after the first pass.
func (r *chunkReader) listingOf(i int) *model.Node {
	if i < len(r.listedNodes) {
		return r.listedNodes[i]
	}
	return r.c.Node()
}

// state reads magic, version, chunks.
func (r *chunkReader) state(ctx context.Context) {
	c := r.c
	c.Magic("magic", magic)
	if v := c.U8("version"); c.Err() == nil && v != version {
		c.Errorf("unknown version %d of the state format; reading the file as version %d", v, version)
	}
	c.Struct("chunks", "Chunk[]", func() { r.chunks(ctx) })
}

// chunks reads chunks to the end of the file, or to one after which nothing can be found.
func (r *chunkReader) chunks(ctx context.Context) {
	r.inclusive = !leadToModules(r.c, 0) && leadToModules(r.c, chunkHead)
	ok := true
	for i := 0; ok && r.c.Remaining() > 0 && r.c.Err() == nil; i++ {
		if i == maxChunks {
			r.c.Fail("more than %d chunks; the rest is ignored", maxChunks)
			return
		}
		r.c.Struct(model.IndexName(i), "Chunk", func() { ok = r.chunk(ctx) })
	}
}

// chunk reads id, length and content, and reports whether the next chunk can be found.
func (r *chunkReader) chunk(ctx context.Context) (ok bool) {
	c := r.c
	id, known := c.Enum("id", "u8", model.U8, chunkNames)
	if n := c.Node(); n != nil && chunkLabels[int(id)] != "" {
		n.SetLabel(func() string { return chunkLabels[int(id)] })
	}
	length := int64(c.U32("length"))
	c.Role(model.RoleSize)
	if c.Err() != nil {
		return false
	}
	switch {
	case !r.inclusive || length == toEnd || id == bodyChunk && length == toEndShort:
	case length < chunkHead:
		c.Errorf("the length of %d does not include the %d bytes of the chunk's ID and length, unlike earlier lengths",
			length, chunkHead)
	default:
		length -= chunkHead
	}
	switch {
	case id == bodyChunk:
		return r.body(ctx, length)
	case id == moduleChunk:
		return r.moduleChunk(length)
	case length == toEnd:
		c.Errorf("the chunk with ID %d has the length -1, so the next chunk cannot be found", id)
		return false
	case length > c.Remaining():
		c.Errorf("the chunk with ID %d has %d bytes, but only %d remain", id, length, c.Remaining())
		return false
	}
	c.Bytes("content", types.Bytes, length)
	if known {
		c.Notef("unused chunk ID %d; its %d bytes are skipped", id, length)
	} else {
		c.Notef("unknown chunk ID %d; its %d bytes are skipped", id, length)
	}
	return true
}

// variant names the layout of the file.
func (r *chunkReader) variant() string {
	v := "state 1"
	if slices.ContainsFunc(r.modules, func(m *module) bool { return m.isProse }) {
		v += ", strings as in the prose"
	}
	if r.inclusive {
		v += ", lengths with heads"
	}
	return v
}

// why explains the decision for the layout of the file.
func (r *chunkReader) why() string {
	var prose, example, parts []string
	for _, m := range r.modules {
		switch {
		case m.isProse:
			prose = append(prose, m.title())
		case m.isComplete:
			example = append(example, m.title())
		}
	}
	if len(example) > 0 {
		parts = append(parts,
			"types, names and the third string are in the order of the document's example in "+firstNames(example))
	}
	if len(prose) > 0 {
		parts = append(parts,
			"the strings are in the order of the document's prose (types in C, names in D) in "+firstNames(prose))
	}
	if r.inclusive {
		parts = append(parts, "the lengths of chunks are 5 more than their contents")
	}
	return strings.Join(parts, "; ")
}

// firstNames returns the first names of a list, and the number of the others.
func firstNames(names []string) string {
	if len(names) > 6 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:6], ", "), len(names)-6)
	}
	return strings.Join(names, ", ")
}

// validate reports missing required parts of a state, and undocumented parts with the assumption made.
func (r *chunkReader) validate() {
	root, span := r.c.Node(), model.Span{Offset: r.c.Pos()}
	if len(r.bodies) == 0 {
		root.Warnf(model.Error, span, "the file has no body chunk, so there are no catoms")
	}
	if len(r.modules) == 0 {
		root.Warnf(model.Error, span, "no module list, so catom values cannot be decoded")
		return
	}
	r.validateBodies()
	r.validateSimulator()
}

// validateBodies remarks on bodies after the first and before a module: the document has one, after all modules.
func (r *chunkReader) validateBodies() {
	for i, b := range r.bodies {
		span := model.Span{Offset: b.span.Offset}
		if i > 0 {
			b.content.Warnf(model.Warning, span,
				"body %d of %d: the specification allows one; reading the catoms of all with the same modules", i+1,
				len(r.bodies))
		}
		for k, m := range r.modules {
			if r.listingOf(k).Offset > b.span.Offset {
				b.content.Warnf(model.Warning, span,
					"the body precedes the listing of module %s; reading its catoms with all modules of the file",
					m.title())
				break
			}
		}
	}
}

// validateSimulator remarks unless there is one module _sim, of version 1.
func (r *chunkReader) validateSimulator() {
	found, complete := 0, true
	for i, m := range r.modules {
		complete = complete && m.isComplete
		if m.name != simulator {
			continue
		}
		if found++; found > 1 {
			n := r.listingOf(i)
			n.Warnf(model.Warning, n.Span, "module _sim is listed %d times; positions are taken from the first",
				found)
		}
		if m.isComplete && m.version != 1 {
			n := r.listingOf(i)
			n.Warnf(model.Warning, n.Span,
				"unknown version %d of module _sim; decoded using its own types and names", m.version)
		}
	}
	if found == 0 && complete {
		r.c.Node().Warnf(model.Warning, model.Span{Offset: r.c.Pos()},
			"no module _sim, so catom positions are unknown; catoms are listed but not drawn")
	}
}

// switches returns the switch between byte orders of native codes, which a file does not record, or nil if the file has
// no native codes.
func (r *chunkReader) switches(src *model.Source) []model.ReadOption {
	native := false
	for _, m := range r.modules {
		native = native || m.template.isNative()
	}
	if !native {
		return nil
	}
	s := model.ReadOption{Name: "Native byte order", Choices: []string{"little-endian", "big-endian"}}
	if r.options.bigEndian {
		s.Current = 1
	}
	s.Reopen = func(ctx context.Context, choice int) (*model.Document, error) {
		return openState(ctx, src, options{bigEndian: choice == 1})
	}
	return []model.ReadOption{s}
}

// The number of catoms, and of values of a code in each, that checkByteOrder examines.
const checkedCatoms, checkedValues = 64, 16

// checkByteOrder adds a note to a module if most of its native values are plausible only in the other byte order.
func (r *chunkReader) checkByteOrder(ctx context.Context) {
	read, swapped := make([]plausibility, len(r.modules)), make([]plausibility, len(r.modules))
	for _, b := range r.bodies {
		b.visitFirst(ctx, checkedCatoms, func(c *decode.Cursor, i int) {
			r.modules[i].template.runs(c, func(run run) {
				read[i].add(c, run, r.options.bigEndian)
				swapped[i].add(c, run, !r.options.bigEndian)
			})
		})
	}
	for i, m := range r.modules {
		asRead, other := read[i], swapped[i]
		if asRead.values > 0 && 2*asRead.plausible < asRead.values && 10*other.plausible >= 9*other.values {
			order := "big-endian"
			if r.options.bigEndian {
				order = "little-endian"
			}
			n := r.listingOf(i)
			n.Warnf(model.Note, n.Span,
				"module %s looks %s; you can switch its native byte order",
				m.title(), order)
		}
	}
}

// plausibility counts the values of native codes, and the values that are plausible sizes in a simulation.
type plausibility struct {
	values, plausible int
}

func (p *plausibility) add(c *decode.Cursor, r run, bigEndian bool) {
	if r.code.kind != number || !r.code.isNative || r.code.form.Size() < 4 {
		return
	}
	for k := range min(r.count, checkedValues) {
		v, _ := r.value(c, k, bigEndian)
		f, _ := model.Float(v)
		switch v.(type) {
		case int64, uint64:
			f /= 64 // integers count and address: they are larger
		}
		if f == 0 {
			continue // the same in both
		}
		p.values++
		if a := math.Abs(f); a > 1e-9 && a < 1<<20 {
			p.plausible++
		}
	}
}
