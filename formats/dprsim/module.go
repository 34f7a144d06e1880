package dprsim

import (
	"fmt"
	"slices"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

const (
	minListingSize = 8       // bytes of a listing: four empty strings and a version
	maxModules     = 1 << 12 // modules that are read
)

// moduleChunk reads a module chunk, and reports whether the next chunk can be found.
func (r *chunkReader) moduleChunk(length int64) (more bool) {
	if end, ok := moduleEnd(r.c, length); ok {
		r.c.Struct("content", "MODULE", func() { more = r.moduleContent(end) })
	}
	return more
}

// moduleEnd returns the end of a module chunk after its length was read, and reports a wrong length. A listing also has
// an end: if a chunk begins there, a length that points elsewhere is ignored. ok is false if neither gives the end of
// the chunk.
func moduleEnd(c *decode.Cursor, length int64) (end int64, ok bool) {
	end = c.Pos() + length
	unbounded := length == toEnd || end > c.End()
	q := c.Aside(model.Span{Offset: c.Pos(), Size: c.Remaining()})
	complete := readListing(q, nil).isComplete
	switch listed := q.Pos(); {
	case complete && headAt(c, listed).isKnown() && (unbounded || listed > end):
		c.Errorf("the chunk's length of %s is too short for its listing, which ends at %#x; continuing there",
			lengthText(length), listed)
		return listed, true
	case complete && headAt(c, listed).isKnown() && end-listed != chunkHead && !headAt(c, end).isKnown():
		c.Errorf("the chunk's length of %d reaches past the next chunk, which follows its listing at %#x", length, listed)
		return listed, true
	case length == toEnd:
		c.Errorf("module chunk with length -1: the next chunk cannot be located")
		return 0, false
	case unbounded && !(complete && listed == c.End() && end == listed+chunkHead): // a length with the head fits
		c.Errorf("the module chunk has %d bytes, but only %d remain", length, c.Remaining())
	}
	return end, true
}

// lengthText returns a length as the document has it: -1 for all bits set.
func lengthText(length int64) string {
	if length == toEnd {
		return "-1"
	}
	return fmt.Sprint(length)
}

// moduleContent reads the content of a module chunk that ends at offset end, which may be past the end of the file. It
// detects whether lengths include the chunk's head, and reports whether the next chunk can be found.
func (r *chunkReader) moduleContent(end int64) (ok bool) {
	c := r.c
	start, last := c.Pos(), min(end, c.End())
	listed, complete := start, true
	c.Frame(last-start, func() {
		complete = r.listings(end)
		listed = c.Pos()
	})
	switch {
	case !complete:
		return end <= last
	case end-listed == chunkHead && listed > start && lengthIncludesHead(c, listed):
		r.inclusive = true
		c.GoTo(listed)
	case last > listed:
		c.GoTo(listed)
		c.Bytes("surplus", types.Bytes, last-listed)
		c.Warnf("%d bytes follow the last listing of the module chunk", last-listed)
	}
	return true
}

// listings reads the listings up to the end of their chunk, and reports whether all of them are complete.
func (r *chunkReader) listings(end int64) (complete bool) {
	c := r.c
	complete = true
	c.Struct("modules", "Module[]", func() {
		if start := c.Pos(); end-start < minListingSize {
			c.Remark(model.Error, model.Span{Offset: start}, "the module chunk lists no module")
		}
		for i := 0; complete && end-c.Pos() >= minListingSize && c.Remaining() > 0; i++ {
			if len(r.listed) >= maxModules {
				c.Remark(model.Error, model.Span{Offset: c.Pos()},
					"more than %d modules; the rest is ignored", maxModules)
				complete = false
				return
			}
			complete = c.Try(func() { c.Struct(model.IndexName(i), "Module", r.module) })
		}
	})
	return complete
}

// module reads the next listing. In the second pass its module is known.
func (r *chunkReader) module() {
	var m *module
	if i := len(r.listed); i < len(r.modules) {
		m = r.modules[i]
	}
	r.listed = append(r.listed, readListing(r.c, m))
	r.listedNodes = append(r.listedNodes, r.c.Node())
}

type chunkHeader struct {
	id     uint8
	length int64
	fits   bool // the chunk is within the file, with its head included in the length or not
}

// headAt reads a chunk head at an offset, if there is one.
func headAt(c *decode.Cursor, offset int64) (h chunkHeader) {
	q := c.Aside(model.Span{Offset: offset, Size: c.End() - offset})
	h.id, h.length = q.U8("id"), int64(q.U32("length"))
	h.fits = q.Err() == nil && h.length <= q.Remaining()+chunkHead
	return h
}

// leadToModules reports whether chunks lead to a module chunk if their lengths include included bytes of their heads.
func leadToModules(c *decode.Cursor, included int64) bool {
	offset := c.Pos()
	for range maxChunks {
		h := headAt(c, offset)
		if h.id == moduleChunk || !h.fits || h.length < included {
			return h.id == moduleChunk && h.isKnown()
		}
		offset = min(offset+chunkHead+h.length-included, c.End())
	}
	return false
}

// isKnown reports whether a module or body chunk can begin with the head.
func (h chunkHeader) isKnown() bool {
	switch h.id {
	case bodyChunk:
		return h.fits || h.length == toEnd || h.length == toEndShort
	case moduleChunk:
		return h.fits && h.length >= minListingSize
	}
	return false
}

// lengthIncludesHead reports whether the length of a module chunk, which reaches chunkHead bytes past its listings,
// counts the head of the chunk: the file ends at offset, a module or body chunk can begin there, or a chunk that fits
// does, and no module or body chunk begins after its head.
func lengthIncludesHead(c *decode.Cursor, offset int64) bool {
	h := headAt(c, offset)
	return offset == c.End() || h.isKnown() || h.fits && !headAt(c, offset+chunkHead).isKnown()
}

// simulator is the reserved name of the module that every world has.
const simulator = "_sim"

// simulatorNames are the fields of _sim version 1, for files that do not name them.
const simulatorNames = "x:y:z:r:g:b:a:bat"

// The names of the strings of a listing, B, C and D, in the order of the document's only example and of its prose.
var exampleOrder, proseOrder = [3]string{"types", "names", "other"}, [3]string{"other", "types", "names"}

// listing is one listing of a module chunk, before the meaning of its strings is decided.
type listing struct {
	name       string
	version    uint32
	strings    [3]string // B, C, D
	isComplete bool      // it was read to its end
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
	if m != nil && m.isProse {
		order = proseOrder
	}
	for i, name := range order {
		l.strings[i] = c.Prefixed(name, model.U8)
		if m != nil && m.isComplete {
			m.remark(c, name)
		}
	}
	l.isComplete = c.Err() == nil
	return l
}

// module is a decoded listing: the values of a module in each catom.
type module struct {
	listing
	isProse     bool   // the strings are in the order of the document's prose
	key         string // of its nodes
	types       string // pack codes of the values
	template    template
	err         error    // the error of the template; nil if all codes are supported
	isUnnamed   bool     // it names no values
	names       []string // of the values; for _sim without any, the names of version 1
	coordinates []int64  // indices of the values x, y and z of _sim: where a catom is
}

// newModule returns the module of a listing, given the sizes of its states in the first catoms. The sizes and the
// strings decide which string holds the types and which the names: C and D in the document's prose, B and C in its only
// example. The example wins a tie.
func newModule(l listing, sizes []int64) *module {
	m := &module{listing: l, key: decode.ValidUTF8(l.name)}
	if !l.isComplete {
		return m
	}
	types, names, last := l.strings[0], l.strings[1], l.strings[2]
	if m.isProse = score(names, last, sizes) > score(types, names, sizes); m.isProse {
		types, names = names, last
	}
	m.types = types
	m.template, m.err = parseTemplate(types)
	names = strings.TrimRight(names, ":") // nothing is skipped where no name follows
	m.isUnnamed = names == ""
	if m.isUnnamed && m.isSim1() {
		names = simulatorNames
	}
	m.names = strings.Split(decode.ValidUTF8(names), ":")
	if m.name == simulator {
		for i, name := range m.names {
			if name == "x" || name == "y" || name == "z" {
				m.coordinates = append(m.coordinates, int64(i))
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
	case name == "names" && m.isUnnamed && m.isSim1():
		c.Notef("module _sim has no field names; using those of version 1")
	case name == "names" && !m.isUnnamed && m.template.isFixed && int64(len(m.names)) > m.template.values:
		c.Notef("module %s has %d names for %s; the extra names are ignored", m.title(), len(m.names),
			model.PlainCount(m.template.values, "value"))
	}
}

// isKnown reports whether the template describes all values of the module.
func (m *module) isKnown() bool { return m.isComplete && m.err == nil }

func (m *module) isSim1() bool { return m.name == simulator && m.version == 1 }

// fills reports whether a state of n bytes holds exactly the values of the module, by its size alone.
func (m *module) fills(n int64) bool {
	return !m.isComplete || m.err == nil && m.template.fills(n)
}

// isCoordinate reports whether the i-th value is a coordinate of the catom.
func (m *module) isCoordinate(i int64) bool { return slices.Contains(m.coordinates, i) }

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
