package model

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A path of more levels than maxWholePath is shortened to pathEnds levels at either end.
const (
	maxWholePath = 1000
	pathEnds     = 100
)

// Paths writes the paths of nodes as PathText does, or as NamePath does if Named is set, for callers that need many of
// them in the order of the structure: the common part of two successive paths is not computed again. A path of more
// than a thousand levels is shortened in the middle, as the paths of a chain of nodes would have the square of its
// size.
type Paths struct {
	Named bool
	names map[*Node]elementNames // of the lists on the way

	stack   []pathNode // from the child of the root down to the node of the last call
	ends    []int      // where the path of each of them ends in text
	indexes map[*Node]int
	text    []byte
}

// pathNode is a node on the way. A Scan reuses the memory of nodes, so the pointer alone does not identify one.
type pathNode struct {
	n     *Node
	index int
	span  Span
}

func (p pathNode) matches(n *Node) bool { return p == pathNode{n, n.Index, n.Span} }

// Text returns the path of a node.
func (p *Paths) Text(n *Node) string {
	if n.Parent == nil {
		return "/"
	}
	if p.indexes == nil {
		p.indexes = make(map[*Node]int)
	}
	var below []*Node // the nodes below the current way, from the bottom
	depth := 0
	for ; n.Parent != nil; n = n.Parent {
		if k, ok := p.indexes[n]; ok && p.stack[k].matches(n) {
			depth = k + 1
			break
		}
		below = append(below, n)
	}
	p.truncate(depth)
	for i := len(below) - 1; i >= 0; i-- {
		p.indexes[below[i]] = len(p.stack)
		p.stack = append(p.stack, pathNode{below[i], below[i].Index, below[i].Span})
		p.text = append(append(p.text, '/'), p.step(below[i])...)
		p.ends = append(p.ends, len(p.text))
	}
	k := len(p.stack)
	if k <= maxWholePath {
		return string(p.text)
	}
	var b strings.Builder
	b.Write(p.text[:p.ends[pathEnds-1]])
	fmt.Fprintf(&b, "/… %d levels …", k-2*pathEnds)
	b.Write(p.text[p.ends[k-pathEnds-1]:])
	return b.String()
}

// truncate shortens the path to depth nodes.
func (p *Paths) truncate(depth int) {
	for _, step := range p.stack[depth:] {
		delete(p.indexes, step.n)
		delete(p.names, step.n)
	}
	p.stack, p.ends = p.stack[:depth], p.ends[:depth]
	end := 0
	if depth > 0 {
		end = p.ends[depth-1]
	}
	p.text = p.text[:end]
}

func (p *Paths) step(n *Node) string {
	if !p.Named {
		return escapeName(n.Name)
	}
	list := n.Parent
	if _, known := p.names[list]; !known && isNamed(n) {
		if p.names == nil {
			p.names = make(map[*Node]elementNames)
		}
		p.names[list] = elementNamesOf(list)
	}
	return p.names[list].elementStep(n)
}

// maxNamed is the maximum number of elements of a list whose paths have names instead of numbers.
const maxNamed = 4096

// elementNames maps the display names in a list to the indexes of its elements; nil for a list without names.
type elementNames map[string][]int

func elementNamesOf(list *Node) elementNames {
	if list.Len() > maxNamed {
		return nil
	}
	s := make(elementNames)
	for i := range list.Len() {
		if c := list.Child(i); isNamed(c) {
			s[c.DisplayName()] = append(s[c.DisplayName()], i)
		}
	}
	return s
}

// isNamed reports whether n is an element with a name that paths may use: not a number.
func isNamed(n *Node) bool {
	if !n.IsElement() {
		return false
	}
	name := n.DisplayName()
	return name != "" && !isIndex(name)
}

// ordinalSeparator separates the name of an element from its number among elements of that name. An escaped name has no
// two adjacent tildes.
const ordinalSeparator = "~~"

// elementStep returns an element in a path. Of several with one name the first has the name alone.
func (e elementNames) elementStep(n *Node) string {
	if e == nil || !isNamed(n) {
		return escapeName(n.Name)
	}
	name := n.DisplayName()
	if same := slices.Index(e[name], n.Index); same > 0 {
		return escapeName(name) + ordinalSeparator + strconv.Itoa(same+1)
	}
	if n.Parent.ChildNamed(name) != nil { // a field of the list, such as its count
		return escapeName(n.Name)
	}
	return escapeName(name)
}

// NamePath returns the node's path as PathText does, but with the names of elements instead of their indexes:
// /meshes/boyShape for /meshes/8. The second of two elements with one name is boyShape~~2. Elements without a name, and
// elements of lists longer than 4,096, have their indexes.
func (n *Node) NamePath() string {
	p := Paths{Named: true}
	return p.Text(n)
}

// maxElementsTried is the number of elements of a list that are searched for a name.
const maxElementsTried = 1 << 21

// elementFor returns the element of a list with the name or the key in a step of a path, or nil.
func (n *Node) elementFor(step string) *Node {
	name, number, _ := strings.Cut(step, ordinalSeparator)
	name = unescapeName(name)
	if name == "" {
		return nil
	}
	remaining, err := strconv.Atoi(number)
	if err != nil {
		remaining = 1
	}
	for i := range min(n.Len(), maxElementsTried) {
		c := n.Child(i)
		displayName := c.DisplayName()
		if c.Key == name && c.Key != displayName && number == "" {
			return c
		}
		if isNamed(c) && displayName == name {
			if remaining--; remaining == 0 {
				return c
			}
		}
	}
	return nil
}

// childAt returns the child for a step of a path, or nil.
func (n *Node) childAt(step string) *Node {
	if c := n.ChildNamed(unescapeName(step)); c != nil {
		return c
	}
	return n.elementFor(step)
}

// PathPattern is a path whose parts are names, numbers, or globs.
type PathPattern struct {
	steps []string
	paths Paths
}

// NewPathPattern parses a pattern: the path of a node, with numbers or names. In a part, * stands for any
// characters, ? for one, and [a-f] for one of a set.
func NewPathPattern(pattern string) *PathPattern {
	p := &PathPattern{paths: Paths{Named: true}}
	if pattern = strings.Trim(pattern, "/"); pattern != "" {
		p.steps = strings.Split(pattern, "/")
	}
	return p
}

// Matches reports whether a node or one of its ancestors matches the pattern.
func (p *PathPattern) Matches(n *Node) bool {
	var nodes []*Node
	for ; n.Parent != nil; n = n.Parent {
		nodes = append(nodes, n)
	}
	if len(nodes) < len(p.steps) {
		return false
	}
	for i, step := range p.steps {
		if n := nodes[len(nodes)-1-i]; !p.matchesStep(step, n) {
			return false
		}
	}
	return true
}

// Find returns the nodes at the pattern, at most limit of them.
func (p *PathPattern) Find(root *Node, limit int) []*Node {
	nodes := []*Node{root}
	for _, step := range p.steps {
		var next []*Node
		for _, n := range nodes {
			if !strings.ContainsAny(step, `*?[`) {
				if c := n.childAt(step); c != nil {
					next = append(next, c)
				}
				continue
			}
			for i := range min(n.Len(), maxElementsTried) {
				if c := n.Child(i); len(next) < limit && p.matchesStep(step, c) {
					next = append(next, c)
				}
			}
		}
		nodes = next
	}
	return nodes
}

func (p *PathPattern) matchesStep(step string, n *Node) bool {
	key := n.Key
	if key == n.DisplayName() {
		key = "" // of several that are called so, it is the first one's
	}
	if step == escapeName(n.Name) || key != "" && step == escapeName(key) {
		return true
	}
	if !strings.ContainsAny(step, `*?[`) && !isNamed(n) {
		return false
	}
	named := p.paths.step(n)
	if step == named || step == escapeName(n.DisplayName()) && n.Parent.Len() > maxNamed {
		return true
	}
	for _, s := range []string{named, n.Name, unescapeName(named), key} {
		if ok, _ := path.Match(step, s); ok {
			return true
		}
	}
	return false
}

// Root returns the root of the tree that contains n.
func (n *Node) Root() *Node {
	for n.Parent != nil {
		n = n.Parent
	}
	return n
}

// NearestKey returns the key of a node or of its nearest ancestor with a key, or "".
func (n *Node) NearestKey() string {
	for ; n != nil; n = n.Parent {
		if n.Key != "" {
			return n.Key
		}
	}
	return ""
}

// Path returns the indexes of the children from the root down to the node; empty for the root.
func (n *Node) Path() Path {
	depth := 0
	for p := n; p.Parent != nil; p = p.Parent {
		depth++
	}
	path := make(Path, depth)
	for p := n; p.Parent != nil; p = p.Parent {
		depth--
		path[depth] = p.Index
	}
	return path
}

// PathText returns the path of the node as names from the root's children down, "/" for the root itself, with "~0" for
// "~" and "~1" for "/" in a name.
func (n *Node) PathText() string {
	var names []string
	for p := n; p.Parent != nil; p = p.Parent {
		names = append(names, escapeName(p.Name))
	}
	slices.Reverse(names)
	return "/" + strings.Join(names, "/")
}

func escapeName(s string) string {
	if !strings.ContainsAny(s, "~/") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}

func unescapeName(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
}

// Path locates a node in a document: the indexes of children from the root down. The empty Path is the root.
type Path []int

// Equal reports whether both are the same path.
func (p Path) Equal(q Path) bool { return slices.Equal(p, q) }
