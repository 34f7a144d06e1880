package properties

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The bounds of inheritance.
const (
	maxParents = 64  // namespaces in a chain of parents, including the heir
	maxLayers  = 256 // of one Space
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
	Name, ID  string
	layers    []*Namespace      // the nearest first
	enclosing *Space            // which has the namespace; nil for the text
	budget    *Budget           // of all spaces of the text, or of all texts around a scene
	values    map[string]values // of all layers; nil until needed
	spaces    []*Space          // children; nil until needed
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
	out := &Space{Name: spaces[0].Name, ID: spaces[0].ID, enclosing: s, budget: s.budget}
	for _, n := range spaces {
		chain := n.heritage()
		s.budget.spent += len(chain)
		out.layers = append(out.layers, chain[:min(len(chain), maxLayers-len(out.layers))]...)
	}
	return out
}

// heritage returns the namespace and its ancestors, the nearest first. They are on its level; the engine would also
// find ancestors below others of the level.
func (n *Namespace) heritage() (spaces []*Namespace) {
	for next := n; next != nil && len(spaces) < maxParents && !slices.Contains(spaces, next); next = next.inherited {
		spaces = append(spaces, next)
	}
	return spaces
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
		for space := s; space != nil; space = space.enclosing {
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

// names returns the values of all properties, by their names. The engine keeps the properties of the farthest layer as
// a list, which may have a name twice, and nearer layers replace the first with the name. A variable has one value.
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
	for _, inner := range s.Spaces() {
		if inner.Name == name {
			return inner
		}
	}
	return nil
}

// merge returns the layers of the spaces below.
func (s *Space) merge() (children []*merged) {
	byKey := make(map[[2]string][]*merged)
	for i, layer := range slices.Backward(s.layers) {
		for _, n := range layer.Children {
			if s.Exhausted() {
				return children
			}
			key := [2]string{n.Name, n.ID}
			same := byKey[key]
			if len(same) == 0 || i == len(s.layers)-1 {
				same = []*merged{{}}
				children, byKey[key] = append(children, same...), append(byKey[key], same...)
			}
			for _, m := range same {
				m.add(n)
				s.budget.spent++
			}
		}
	}
	return children
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

// Vector returns the first n numbers of a property; nil if it has fewer.
func (s *Space) Vector(name string, n int) []float32 {
	if v := Numbers(s.Get(name)); len(v) >= n {
		return v[:n]
	}
	return nil
}

// Number returns the number at the start of a property, or fallback if there is none.
func (s *Space) Number(name string, fallback float32) float32 {
	if v := s.Vector(name, 1); v != nil {
		return v[0]
	}
	return fallback
}

// The bounds of numbers.
const (
	maxNumbers    = 16   // in a value: the largest is a matrix
	largestNumber = 1e30 // with larger ones nothing can be drawn
)

// decimal matches the longest prefix that sscanf reads as a decimal float.
var decimal = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?`)

// Numbers returns the numbers at the start of a value, separated by commas. As in the engine, a comma must directly
// follow a number, and the text after the last number is ignored: it may be a unit, or a comment. Only decimal numbers
// are supported.
func Numbers(value string) []float32 {
	values, _ := numbers(value)
	return values
}

// numbers is Numbers, and returns the text after the last of them.
func numbers(value string) (values []float32, rest string) {
	for hasNext := true; hasNext && len(values) < maxNumbers; {
		value = strings.TrimLeft(value, lineBlanks)
		digits := decimal.FindString(value)
		f, err := strconv.ParseFloat(digits, 32)
		if err != nil || math.Abs(f) > largestNumber {
			break
		}
		values = append(values, float32(f))
		rest = value[len(digits):]
		value, hasNext = strings.CutPrefix(rest, ",")
	}
	return values, rest
}
