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

// framing is the byte order of everything but the values of modules.
var framing = binary.BigEndian

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

// contents are the names of chunks, after what they contain.
var contents = map[int]string{moduleChunk: "modules", bodyChunk: "catoms"}

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
	c *decode.Cursor
	o options

	modules []*module     // of the whole file, in the order of their listings; nil in the first pass
	listed  []listing     // that were read up to here
	nodes   []*model.Node // of them
	bodies  []*body
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
	c := decode.New(ctx, src, "State", framing, types)
	first := &chunkReader{c: c.Aside(model.Span{Size: src.Size()})}
	first.state(ctx)
	r := &chunkReader{c: c, o: o, modules: first.knownModules()}
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
	if i < len(r.nodes) {
		return r.nodes[i]
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
	if n := c.Node(); n != nil && contents[int(id)] != "" {
		n.SetLabel(func() string { return contents[int(id)] })
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
	if slices.ContainsFunc(r.modules, func(m *module) bool { return m.prose }) {
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
		case m.prose:
			prose = append(prose, m.title())
		case m.complete:
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

// simulator is the reserved name of the module that every world has.
const simulator = "_sim"

// simulatorNames are the fields of _sim version 1, for files that do not name them.
const simulatorNames = "x:y:z:r:g:b:a:bat"

// The names of the strings of a listing, B, C and D, in the order of the document's only example and of its prose.
var exampleOrder, proseOrder = [3]string{"types", "names", "other"}, [3]string{"other", "types", "names"}

// listing is one listing of a module chunk, before the meaning of its strings is decided.
type listing struct {
	name     string
	version  uint32
	strings  [3]string // B, C, D
	complete bool      // it was read to its end
}

// readListing reads a listing. m is its module from the first pass, or nil. Problems of the module are reported on its
// types and names.
func readListing(c *decode.Cursor, m *module) (l listing) {
	l.name = c.Prefixed("name", model.U8)
	c.Role(model.RoleName)
	c.Key(decode.ValidUTF8(l.name))
	if c.Err() == nil && len(l.name) < 3 {
		c.Notef("a module's name should be at least 3 characters long")
	}
	l.version = c.U32("version")
	order := exampleOrder
	if m != nil && m.prose {
		order = proseOrder
	}
	for i, name := range order {
		l.strings[i] = c.Prefixed(name, model.U8)
		if m != nil && m.complete {
			m.remark(c, name)
		}
	}
	l.complete = c.Err() == nil
	return l
}

// module is a decoded listing: the values of a module in each catom.
type module struct {
	listing
	prose    bool   // the strings are in the order of the document's prose
	key      string // of its nodes
	types    string // pack codes of the values
	template template
	err      error    // the error of the template; nil if all codes are supported
	unnamed  bool     // it names no values
	names    []string // of the values; for _sim without any, the names of version 1
	places   []int64  // indices of the values x, y and z of _sim: where a catom is
}

// newModule returns the module of a listing, given the sizes of its states in the first catoms. The sizes and the
// strings decide which string holds the types and which the names: C and D in the document's prose, B and C in its only
// example. The example wins a tie.
func newModule(l listing, sizes []int64) *module {
	m := &module{listing: l, key: decode.ValidUTF8(l.name)}
	if !l.complete {
		return m
	}
	types, names, last := l.strings[0], l.strings[1], l.strings[2]
	if m.prose = score(names, last, sizes) > score(types, names, sizes); m.prose {
		types, names = names, last
	}
	m.types = types
	m.template, m.err = parseTemplate(types)
	names = strings.TrimRight(names, ":") // nothing is skipped where no name follows
	m.unnamed = names == ""
	if m.unnamed && m.isSim1() {
		names = simulatorNames
	}
	m.names = strings.Split(decode.ValidUTF8(names), ":")
	if m.name == simulator {
		for i, name := range m.names {
			if name == "x" || name == "y" || name == "z" {
				m.places = append(m.places, int64(i))
			}
		}
	}
	return m
}

// score returns how likely two strings are the types and the names of states with those sizes: 2 for readable types, 1
// for names with a ":" between them, 2 if most of the sizes are possible with the types.
func score(types, names string, sizes []int64) int {
	n := 0
	t, err := parseTemplate(types)
	if err == nil && types != "" {
		n += 2
	}
	if strings.Contains(names, ":") {
		n++
	}
	fit := 0
	for _, s := range sizes {
		if err == nil && t.allows(s) {
			fit++
		}
	}
	if fit > 0 && 2*fit > len(sizes) {
		n += 2
	}
	return n
}

// remark reports the problems of the last string, if it is the types or the names.
func (m *module) remark(c *decode.Cursor, name string) {
	switch {
	case name == "types" && m.err != nil:
		c.Warnf("module %s: %v; showing its values and those of the next codes as bytes", m.title(), m.err)
	case name == "names" && m.unnamed && m.isSim1():
		c.Notef("module _sim has no field names; using those of version 1")
	case name == "names" && !m.unnamed && m.template.fixed && int64(len(m.names)) > m.template.values:
		c.Notef("module %s has %d names for %s; the extra names are ignored", m.title(), len(m.names),
			model.PlainCount(m.template.values, "value"))
	}
}

// isKnown reports whether the template describes all values of the module.
func (m *module) isKnown() bool { return m.complete && m.err == nil }

func (m *module) isSim1() bool { return m.name == simulator && m.version == 1 }

// fills reports whether a state of n bytes holds exactly the values of the module, by its size alone.
func (m *module) fills(n int64) bool {
	return !m.complete || m.err == nil && m.template.fills(n)
}

// isPlace reports whether the i-th value is a coordinate of the catom.
func (m *module) isPlace(i int64) bool { return slices.Contains(m.places, i) }

// valueName returns the name of the i-th value.
func (m *module) valueName(i int64) string {
	if i < int64(len(m.names)) && m.names[i] != "" {
		return m.names[i]
	}
	return fmt.Sprintf("value_%d", i)
}

// title returns the module's name in a sentence.
func (m *module) title() string {
	if m.name == "" {
		return "without a name"
	}
	return model.OneLine(m.key, 60)
}
