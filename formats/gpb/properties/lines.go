package properties

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// filler reads a text that the engine ignores: a quiet reading does not allocate it.
func filler(c *decode.Cursor, name string, n int64) {
	if c.Recording() {
		c.Text(name, n)
	} else {
		c.Bytes(name, "", n)
	}
}

// separator reads blanks, line ends and signs between fields.
func separator(c *decode.Cursor, n int64) {
	if n > 0 {
		filler(c, "separator", n)
		c.As("separator")
		c.Role(model.RoleSpacing)
	}
}

// lineEnd reads the blanks at the end of a line, and its end.
func lineEnd(c *decode.Cursor) {
	n := span(c, 0, isLineBlank)
	rest := c.Peek(min(c.Remaining(), n+2))
	switch rest = rest[min(n, int64(len(rest))):]; {
	case bytes.HasPrefix(rest, []byte("\r\n")):
		n += 2
	case len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r'):
		n++
	}
	if n > 0 {
		filler(c, "line_end", n)
		c.As("line_end")
		c.Role(model.RoleSpacing)
	}
}

// blanks returns the number of blanks and line ends at the cursor, up to the limit of a line.
func blanks(c *decode.Cursor) int64 { return span(c, 0, isBlank) }

// span returns the number of bytes of a kind after the next skip ones, up to the limit of a line.
func span(c *decode.Cursor, skip int64, match func(b byte) bool) int64 {
	var n int64
	for look := int64(64); ; look *= 4 {
		b := c.Peek(min(skip+min(look, maxLine), c.Remaining()))
		for skip+n < int64(len(b)) {
			if !match(b[skip+n]) {
				return n
			}
			n++
		}
		if n < look || n >= maxLine {
			return n
		}
	}
}

// line returns the rest of the line without the blanks at its end, up to the limit of a line.
func line(c *decode.Cursor) []byte {
	for n := int64(256); ; n *= 4 {
		b := c.Peek(min(n, maxLine, c.Remaining()))
		if b == nil {
			return nil
		}
		k := bytes.IndexAny(b, "\r\n")
		if k < 0 && int64(len(b)) < min(maxLine, c.Remaining()) {
			continue
		}
		if k < 0 {
			k = len(b)
		}
		return trimRight(b[:k])
	}
}

// block is a comment that begins with /*.
type block struct {
	size   int64 // up to the end of its last line, or of the text
	open   int64 // offset of the first */ that does not end it, or 0
	closed bool
	rest   []byte // text after the */ that ends it, on the same line
}

// measureBlock finds the end of a comment that begins with /*. As in the engine, it is the first line after its first
// one that begins or ends with */.
func measureBlock(c *decode.Cursor) (b block) {
	start, mark := c.Pos(), []byte("*/")
	e := c.Aside(model.Span{Offset: start, Size: c.Remaining()})
	b.size = int64(len(mark))
	e.GoTo(start + b.size)
	for first := true; e.Remaining() > 0 && e.Err() == nil && !b.closed; first = false {
		text := line(e)
		inner := trimLeft(text)
		b.closed = !first && (bytes.HasPrefix(inner, mark) || bytes.HasSuffix(inner, mark))
		if k := bytes.Index(text, mark); k >= 0 && !b.closed && b.open == 0 {
			b.open = e.Pos() + int64(k)
		}
		if b.closed && !bytes.HasSuffix(inner, mark) {
			b.rest = slices.Clone(trimLeft(inner[len(mark):])) // text is only valid until the next Peek
		}
		e.GoTo(e.Pos() + int64(len(text)))
		b.size = e.Pos() - start
		lineEnd(e)
	}
	if e.Err() != nil {
		c.Fail("the comment cannot be read: %v", e.Err())
	}
	return b
}

const lineBlanks = " \t\v\f\x00"

func trimRight(b []byte) []byte { return bytes.TrimRight(b, lineBlanks) }
func trimLeft(b []byte) []byte  { return bytes.TrimLeft(b, lineBlanks) }

func isLineBlank(b byte) bool    { return b == ' ' || b >= '\t' && b <= '\f' && b != '\n' || b == 0 }
func isBlank(b byte) bool        { return isLineBlank(b) || b == '\n' || b == '\r' }
func trimBlanks(b []byte) []byte { return bytes.TrimLeft(b, lineBlanks+"\r\n") }

// isWord reports whether names of namespaces may contain a byte.
func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// The bounds of inheritance.
const (
	maxLayers = 256
	// properties and namespaces that one Budget allows: some seconds of work; real texts have thousands
	maxWork = 4 << 20
)

// Space is a namespace together with its parents: its own property replaces an inherited one of the same name, and a
// namespace in it is merged with the inherited one of the same name and id. In this text
//
//	material base         { a = 1    technique t { b = 1 } }
//	material heir : base  { a = 2    technique t { c = 1 } }
//
// the layers of the space heir are heir and base: a is 2. The space below it, technique t, has the layers technique t
// of heir and technique t of base, so c is 1 and b is 1. A layer adds its parents on its own level: if the technique t
// of heir had a parent, that would be the second of three layers, which the engine ignores.
type Space struct {
	Name, ID string
	layers   []*Namespace      // the nearest first
	up       *Space            // the parent; nil for the text
	budget   *Budget           // of all spaces of the text, or of all texts around a scene
	values   map[string]values // of all layers; nil until needed
	spaces   []*Space          // children; nil until needed
}

// Budget counts visited properties and namespaces, for one text or for several. Any number of heirs may inherit the
// same long text.
type Budget struct{ spent int }

// values are the first and the last value of a name. They differ if the farthest layer has the name twice.
type values struct{ first, last *string }

// Space returns a namespace of the top level merged with its parents.
func (n *Namespace) Space(s *Namespace) *Space { return n.SpaceWithin(s, new(Budget)) }

// SpaceWithin is Space with a budget that other spaces share.
func (n *Namespace) SpaceWithin(s *Namespace, budget *Budget) *Space {
	file := &Space{layers: []*Namespace{n}, budget: budget}
	return file.mergeSpaces([]*Namespace{s})
}

// mergeSpaces makes the space of namespaces with one name and id, the nearest first.
func (s *Space) mergeSpaces(spaces []*Namespace) *Space {
	out := &Space{Name: spaces[0].Name, ID: spaces[0].ID, up: s, budget: s.budget}
	for _, n := range spaces {
		chain := n.heritage()
		s.budget.spent += len(chain)
		out.layers = append(out.layers, chain[:min(len(chain), maxLayers-len(out.layers))]...)
	}
	return out
}

// Exhausted reports whether the budget is spent, so that some parts are omitted.
func (s *Space) Exhausted() bool { return s.budget.spent > maxWork }

// Get returns the value of a property, or "". It returns the first of several values, as the engine since 2014, which
// used the last before. A value that is exactly ${x} is replaced by the value of x.
func (s *Space) Get(name string) string { return s.resolve(s.names()[name].first) }

// Last is Get for properties over which the engine iterates instead of looking them up: the last of several values
// counts.
func (s *Space) Last(name string) string { return s.resolve(s.names()[name].last) }

// resolve returns a value, or the value of the variable it names, or "" if it is nil or the variable is not set.
func (s *Space) resolve(value *string) string {
	if value == nil {
		return ""
	}
	if isVariable(*value) {
		for space := s; space != nil; space = space.up {
			if set, ok := space.names()[*value]; ok {
				return *set.last
			}
		}
		return ""
	}
	return *value
}

// isVariable reports whether a text is a variable: a non-empty name in its braces.
func isVariable(text string) bool {
	return strings.HasPrefix(text, "${") && strings.HasSuffix(text, "}") && len(text) > len("${}")
}

// Names returns the names of all properties, in alphabetical order.
func (s *Space) Names() []string {
	return slices.Sorted(maps.Keys(s.names()))
}

// all returns the values of all properties. The engine keeps the properties of the farthest layer as a list, which may
// have a name twice, and nearer layers replace the first with the name. A variable has one value.
func (s *Space) names() map[string]values {
	if s.values == nil {
		s.values = make(map[string]values)
		for i, n := range slices.Backward(s.layers) {
			for _, p := range n.Properties {
				if s.budget.spent++; s.Exhausted() {
					return s.values
				}
				switch v := s.values[p.Name]; {
				case v.first == nil:
					s.values[p.Name] = values{&p.Value, &p.Value}
				case i == len(s.layers)-1 && !isVariable(p.Name):
					s.values[p.Name] = values{v.first, &p.Value}
				default:
					*v.first = p.Value // and so of the last, which is the same unless the farthest layer has two
				}
			}
		}
	}
	return s.values
}

// Spaces returns the namespaces below, inherited ones first. As in the engine (Properties::mergeWith), each is merged
// with every inherited one of the same name and id. Several that are not inherited are also merged with each other.
func (s *Space) Spaces() []*Space {
	if s.spaces == nil {
		merged := s.merge()
		s.spaces = make([]*Space, len(merged))
		for i, m := range merged {
			slices.Reverse(m.layers)
			s.spaces[i] = s.mergeSpaces(m.layers)
		}
	}
	return s.spaces
}

// First returns the first namespace below with a name, as the engine looks one up (Properties::getNamespace), or nil.
func (s *Space) First(name string) *Space {
	for _, below := range s.Spaces() {
		if below.Name == name {
			return below
		}
	}
	return nil
}

// merge returns the layers of the spaces below.
func (s *Space) merge() (all []*merged) {
	byKey := make(map[[2]string][]*merged)
	for i, layer := range slices.Backward(s.layers) {
		for _, n := range layer.Spaces {
			if s.Exhausted() {
				return all
			}
			key := [2]string{n.Name, n.ID}
			same := byKey[key]
			if len(same) == 0 || i == len(s.layers)-1 {
				same = []*merged{{}}
				all, byKey[key] = append(all, same...), append(byKey[key], same...)
			}
			for _, m := range same {
				m.add(n)
				s.budget.spent++
			}
		}
	}
	return all
}

// merged is the layers of a namespace, the nearest last.
type merged struct{ layers []*Namespace }

// add adds a nearer layer. If there are too many, the farthest are dropped.
func (m *merged) add(n *Namespace) {
	if len(m.layers) == 2*maxLayers {
		m.layers = append(m.layers[:0], m.layers[maxLayers:]...)
	}
	m.layers = append(m.layers, n)
}
