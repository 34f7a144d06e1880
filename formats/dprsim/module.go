package dprsim

import (
	"fmt"
	"slices"
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
	Names   string // of the values, separated by ":"
	Other   string // the string that the document does not explain

	strings [3]string // B, C, D
	whole   bool      // the listing was read to its end
	prose   bool      // the strings are in the order of the document's prose

	key      string
	template template
	err      error // what is wrong with the template; nil if it is known to its end
	names    []string
	places   []int64 // indices of the values x, y and z of _sim: where a catom is

	node *model.Node
}

// listing reads one module. A first reading finds the strings; what they are is known in the second.
func (m *Module) listing(c *decode.Cursor) {
	m.node = c.Node()
	m.Name = c.Prefixed("name", model.U8)
	c.Role(model.RoleName)
	m.key = strings.ToValidUTF8(m.Name, "\uFFFD")
	c.Key(m.key)
	if c.Err() == nil && len(m.Name) < 3 {
		c.Note("a module's name should be at least 3 characters long")
	}
	m.Version = c.U32("version")
	order := []string{"types", "names", "other"}
	if m.prose {
		order = []string{"other", "types", "names"}
	}
	for i, name := range order {
		m.strings[i] = c.Prefixed(name, model.U8)
		if m.whole && c.Recording() {
			m.remark(c, name)
		}
	}
	m.whole = c.Err() == nil
}

// remark says what is wrong with the types or names that were just recorded.
func (m *Module) remark(c *decode.Cursor, name string) {
	switch {
	case name == "types" && m.err != nil:
		c.Warn("module %s: %v; what it and the codes after it describe is shown as bytes", m.title(), m.err)
	case name == "names" && m.Names == "" && m.isSimpleCubic():
		c.Note("module _sim names no fields; those of its version 1 are used")
	case name == "names" && m.Names != "" && m.template.fixed &&
		int64(len(m.names)) > m.template.values:
		c.Note("module %s has %d names for %d values; the extra names are ignored", m.title(), len(m.names),
			m.template.values)
	}
}

// known reports whether the template describes all values of the module.
func (m *Module) known() bool { return m.whole && m.err == nil }

func (m *Module) isSimpleCubic() bool { return m.Name == simulator && m.Version == 1 }

// chooseStrings decides which string holds the types and which the names, from the strings themselves and from the
// sizes of the module's states in the first catoms. The document's prose says C and D; its only example has them in B
// and C. The example wins a tie.
func (m *Module) chooseStrings(sizes []int64) {
	if !m.whole {
		return
	}
	b, c, d := m.strings[0], m.strings[1], m.strings[2]
	if m.prose = score(c, d, sizes) > score(b, c, sizes); m.prose {
		m.Other, m.Types, m.Names = b, c, d
	} else {
		m.Types, m.Names, m.Other = b, c, d
	}
	m.template, m.err = parseTemplate(m.Types)
	names := m.Names
	if names == "" && m.isSimpleCubic() {
		names = simulatorNames
	}
	m.names = strings.Split(strings.ToValidUTF8(names, "\uFFFD"), ":")
	if m.Name == simulator {
		for i, name := range m.names {
			if name == "x" || name == "y" || name == "z" {
				m.places = append(m.places, int64(i))
			}
		}
	}
}

// score returns a higher number the more likely two strings are the types and the names of states of those sizes.
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
	return !m.whole || m.err == nil && m.template.fills(n)
}

// isPlace reports whether the i-th value says where the catom is.
func (m *Module) isPlace(i int64) bool { return slices.Contains(m.places, i) }
