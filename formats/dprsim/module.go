package dprsim

import (
	"fmt"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// simulator is the reserved name of the module that every world has.
const simulator = "_sim"

// simulatorNames are the fields of _sim version 1, for files that do not name them.
const simulatorNames = "x:y:z:r:g:b:a:bat"

// Module is one listing of a module chunk: what a module keeps for each catom.
type Module struct {
	Name    string
	Version uint32
	Types   string // pack codes of the values
	Names   string // of the values, parted by ":"
	Other   string // the string that the document never explains

	template template
	known    bool // the template is whole
	names    []string
	prose    bool // the strings are in the order of the document's prose

	node    *model.Node
	strings [3]string // B, C, D
	nodes   [3]*model.Node
	read    bool // the listing was read to its end
}

// listing reads one module. The strings get their names in settle, when the first catoms are known.
func (m *Module) listing(c *decode.Cursor) {
	m.node = c.Node()
	m.Name = c.Prefixed("name", model.U8)
	c.Role(model.RoleName)
	c.Key(strings.ToValidUTF8(m.Name, "\uFFFD"))
	if c.Err() == nil && len(m.Name) < 3 {
		c.Note("a module's name should be at least 3 characters long")
	}
	m.Version = c.U32("version")
	for i, name := range []string{"types", "names", "other"} {
		m.strings[i] = c.Prefixed(name, model.U8)
		if c.Err() == nil {
			m.nodes[i] = c.Last()
		}
	}
	m.read = c.Err() == nil
}

// settle decides which string is which, from the strings themselves and from the sizes of the module's states in the
// first catoms. The document's prose says that C holds the types and D the names; its only example has them in B and
// C. The example wins a tie.
func (m *Module) settle(sizes []int64) {
	if !m.read {
		return
	}
	if score(m.strings[1], m.strings[2], sizes) > score(m.strings[0], m.strings[1], sizes) {
		m.prose = true
		m.Other, m.Types, m.Names = m.strings[0], m.strings[1], m.strings[2]
		m.nodes[0].Name, m.nodes[1].Name, m.nodes[2].Name = "other", "types", "names"
	} else {
		m.Types, m.Names, m.Other = m.strings[0], m.strings[1], m.strings[2]
	}
	types, names := m.nodes[0], m.nodes[1]
	if m.prose {
		types, names = m.nodes[1], m.nodes[2]
	}
	var err error
	if m.template, err = parseTemplate(m.Types); err != nil {
		types.Warn(model.Warning, types.Span,
			"module %s: %v; what it and the codes after it describe is shown as bytes",
			m.title(), err)
	}
	m.known = err == nil
	from := m.Names
	if from == "" && m.Name == simulator && m.Version == 1 {
		from = simulatorNames
		names.Warn(model.Note, names.Span, "module _sim names no fields; those of its version 1 are used")
	}
	m.names = strings.Split(strings.ToValidUTF8(from, "\uFFFD"), ":")
	if m.template.fixed && m.known && m.Names != "" && int64(len(m.names)) > m.template.values {
		names.Warn(model.Note, names.Span, "module %s has %d names for %d values; the extra names are ignored",
			m.title(), len(m.names), m.template.values)
	}
}

// score says how well a pair of strings can be the types and the names of states of those sizes.
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
		if err == nil && t.suits(s) {
			fit++
		}
	}
	if fit > 0 && 2*fit > len(sizes) {
		n += 2
	}
	return n
}

// name is the name of the i-th value.
func (m *Module) name(i int64) string {
	if i < int64(len(m.names)) && m.names[i] != "" {
		return m.names[i]
	}
	return fmt.Sprintf("value_%d", i)
}

// title is the module's name in a sentence.
func (m *Module) title() string {
	if m.Name == "" {
		return "without a name"
	}
	return model.OneLine(strings.ToValidUTF8(m.Name, "\uFFFD"), 60)
}

// fills reports whether a state of n bytes holds all values of the module and nothing else, judged by its size alone.
func (m *Module) fills(n int64) bool {
	if !m.read {
		return true
	}
	return m.known && m.template.fills(n)
}

// value returns the index of the value with that name.
func (m *Module) value(name string) (int64, bool) {
	for i, n := range m.names {
		if n == name {
			return int64(i), true
		}
	}
	return 0, false
}

// listingEnd returns the end of the listing at an offset.
func (r *reader) listingEnd(off int64) (int64, error) {
	q := r.look(off)
	new(Module).listing(q)
	return q.Pos(), q.Err()
}
