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

// The names of the strings of a listing, B, C and D, in the order of the document's only example and in that of its
// prose.
var exampleOrder, proseOrder = [3]string{"types", "names", "other"}, [3]string{"other", "types", "names"}

// listing is one listing of a module chunk: what it says, but not yet which of its strings is which.
type listing struct {
	name    string
	version uint32
	strings [3]string // B, C, D
	whole   bool      // it was read to its end
}

// readListing reads a listing. m is the module that an earlier reading made of it, nil if there was none; what is wrong
// with the module is remarked where its types and names are.
func readListing(c *decode.Cursor, m *module) (l listing) {
	l.name = c.Prefixed("name", model.U8)
	c.Role(model.RoleName)
	c.Key(decode.ValidUTF8(l.name))
	if c.Err() == nil && len(l.name) < 3 {
		c.Note("a module's name should be at least 3 characters long")
	}
	l.version = c.U32("version")
	order := exampleOrder
	if m != nil && m.prose {
		order = proseOrder
	}
	for i, name := range order {
		l.strings[i] = c.Prefixed(name, model.U8)
		if m != nil && m.whole {
			m.remark(c, name)
		}
	}
	l.whole = c.Err() == nil
	return l
}

// module is what a listing means: what each catom keeps for a module.
type module struct {
	listing
	prose    bool   // the strings are in the order of the document's prose
	key      string // of its nodes
	types    string // pack codes of the values
	template template
	err      error    // what is wrong with the template; nil if it is known to its end
	unnamed  bool     // it names no values
	names    []string // of the values, those of version 1 where _sim names none
	places   []int64  // indices of the values x, y and z of _sim: where a catom is
}

// newModule returns the module of a listing whose states have those sizes in the first catoms. The sizes and the
// strings themselves decide which string holds the types and which the names: the document's prose says C and D, its
// only example has them in B and C. The example wins a tie.
func newModule(l listing, sizes []int64) *module {
	m := &module{listing: l, key: decode.ValidUTF8(l.name)}
	if !l.whole {
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

// score returns a higher number the more likely two strings are the types and the names of states of those sizes: 2 for
// types that can be read, 1 for names with a ":" between them, 2 if most of the sizes are possible with the types.
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

// remark says what is wrong with the string that was just read, if it is the types or the names.
func (m *module) remark(c *decode.Cursor, name string) {
	switch {
	case name == "types" && m.err != nil:
		c.Warn("module %s: %v; what it and the codes after it describe is shown as bytes", m.title(), m.err)
	case name == "names" && m.unnamed && m.isSim1():
		c.Note("module _sim has no field names; using those of version 1")
	case name == "names" && !m.unnamed && m.template.fixed && int64(len(m.names)) > m.template.values:
		c.Note("module %s has %d names for %s; the extra names are ignored", m.title(), len(m.names),
			model.PlainCount(m.template.values, "value"))
	}
}

// isKnown reports whether the template describes all values of the module.
func (m *module) isKnown() bool { return m.whole && m.err == nil }

func (m *module) isSim1() bool { return m.name == simulator && m.version == 1 }

// fills reports whether a state of n bytes holds all values of the module and nothing else, judged by its size alone.
func (m *module) fills(n int64) bool {
	return !m.whole || m.err == nil && m.template.fills(n)
}

// isPlace reports whether the i-th value says where the catom is.
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
