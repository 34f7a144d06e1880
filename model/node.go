package model

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
)

// Node is one element of a file's structure. A file may have millions of them, so rarely used attributes are stored
// apart.
type Node struct {
	Name string // the published document's own name of the field; an element's name is its index
	Type string // the published document's own name of the type
	Key  string // identifies it among its siblings across versions of a file; may be empty
	Span
	Value   any     // see value.go; may be nil
	Symbols Symbols // names the value, of an enum, a flag or a time; may be nil
	Link    *Link   // the target of the value, or nil
	Role    Role    // the meaning of the value to the file as a whole
	Bits    Bits    // the bits of the span that the value takes

	Parent *Node
	Index  int // position among the parent's children

	children Children
	extra    *extra // nil for most nodes
}

// extra holds the rarely used attributes of a node.
type extra struct {
	label    func() string
	readAs   any
	raw      []byte
	problems []Problem
}

// noExtra is the extra of most nodes.
var noExtra extra

// readExtra returns the rarely used attributes, to be read only.
func (n *Node) readExtra() *extra {
	if n.extra == nil {
		return &noExtra
	}
	return n.extra
}

func (n *Node) addExtra() *extra {
	if n.extra == nil {
		n.extra = new(extra)
	}
	return n.extra
}

// Label returns the display name of the node if that is not its key: the file name of an asset, the path of an object,
// the character of a glyph. It is empty if the key is the display name.
func (n *Node) Label() string {
	if label := n.readExtra().label; label != nil {
		return label()
	}
	return ""
}

// SetLabel sets the function that Label calls, each time the node is displayed.
func (n *Node) SetLabel(label func() string) { n.addExtra().label = label }

// ReadAs returns the value of SetReadAs, or nil. It identifies the decoder's type of the node.
func (n *Node) ReadAs() any { return n.readExtra().readAs }

// SetReadAs sets the result of ReadAs, for decoders whose types may share a name; nil leaves the node unchanged.
func (n *Node) SetReadAs(as any) {
	if as != nil {
		n.addExtra().readAs = as
	}
}

// Raw returns the bytes of a string that is not UTF-8; nil for every other value.
func (n *Node) Raw() []byte { return n.readExtra().raw }

// SetRaw sets the bytes of a string that is not UTF-8; nil leaves the node as it is.
func (n *Node) SetRaw(raw []byte) {
	if raw != nil {
		n.addExtra().raw = raw
	}
}

// Problems returns the problems of the node itself, without those below it.
func (n *Node) Problems() []Problem { return n.readExtra().problems }

// AddProblems adds problems to the node; for decoders, before the node is handed out.
func (n *Node) AddProblems(problems ...Problem) {
	if len(problems) > 0 {
		n.addExtra().problems = append(n.addExtra().problems, problems...)
	}
}

// Gap is the type of leaves of unexplained bytes. They own nothing.
const Gap = "gap"

// Link is the target of a value: a node of this document or of another file.
type Link struct {
	File string // a file named relative to this one's folder; empty for this document
	// Resolve finds the file if its name is not exact; nil uses File beside this one.
	Resolve func(folder string) (path string, ok bool)
	Key     string // the key of the node that is meant; empty for the file as a whole
	// Target returns the path of the target node in this document. It is nil if only Key identifies the node.
	Target func() (Path, bool)
	// Optional reports whether the file may be absent: its name is not written in the file but is the usual one, or it
	// is part of the program that reads the file.
	Optional bool
	// Name returns the display name of the target node, if it is available at once; it is called when the link is
	// displayed. nil: the key is the display name.
	Name func() string
}

// Title returns the title of the link's target; empty if only Target finds it.
func (l *Link) Title() string {
	name := l.Key
	if l.Name != nil {
		name = cmp.Or(l.Name(), l.Key)
	}
	switch {
	case l.File != "" && name != "":
		return name + " in " + l.File
	case l.File != "":
		return l.File
	}
	return name
}

// Children are the nodes below a node. At creates elements of long lists on each call.
type Children interface {
	Len() int
	At(i int) *Node
}

// Finder is a Children that knows which of its nodes may hold a byte.
type Finder interface {
	// Find returns the range [from, to) of the children that may hold the byte at off.
	Find(off int64) (from, to int)
}

// Namer is a Children that finds its nodes by name itself.
type Namer interface {
	// Named returns the index of the first node with that name, or -1.
	Named(name string) int
}

// List is Children in memory.
type List []*Node

// Len returns the number of nodes.
func (l List) Len() int { return len(l) }

// At returns the i-th node.
func (l List) At(i int) *Node { return l[i] }

// SetChildren puts nodes below n; for decoders, before the node is handed out.
func (n *Node) SetChildren(c Children) {
	n.children = c
	switch c := c.(type) {
	case List:
		n.adopt(c, 0)
	case *Elements:
		n.adopt(c.First, 0)
		n.adopt(c.Last, len(c.First)+c.Count)
	}
}

func (n *Node) adopt(l List, from int) {
	for i, k := range l {
		k.Parent, k.Index = n, from+i
	}
}

// Children returns the children of the node; nil for a leaf.
func (n *Node) Children() Children { return n.children }

// Len returns the number of children.
func (n *Node) Len() int {
	if n.children == nil {
		return 0
	}
	return n.children.Len()
}

// Child returns the i-th child, with its Parent and Index set.
func (n *Node) Child(i int) *Node {
	c := n.children.At(i)
	if c.Parent == nil {
		c.Parent, c.Index = n, i
	}
	return c
}

// ElementCount returns the number of elements of a list: its children without the fields before and after them, such as
// the count.
func (n *Node) ElementCount() int {
	if e, ok := n.children.(*Elements); ok {
		count := e.Count
		for _, k := range e.Last { // an incomplete element comes first
			if k.IsElement() {
				count++
			}
		}
		return count
	}
	from, to := n.elementRange()
	return to - from
}

// FirstElementIndex returns the index of the first element of a list: the number of fields before the elements.
func (n *Node) FirstElementIndex() int {
	if e, ok := n.children.(*Elements); ok {
		return len(e.First)
	}
	from, _ := n.elementRange()
	return from
}

// elementRange returns the range of the children that are elements: those named by an index or, if there are no such
// children, all except a count.
func (n *Node) elementRange() (from, to int) {
	to = n.Len()
	for from < to && !n.Child(from).IsElement() {
		if from++; from == maxFieldsBefore {
			break
		}
	}
	if from == to || from == maxFieldsBefore {
		from = 0
		if to > 0 && n.Child(0).Role == RoleCount {
			from = 1
		}
		return from, to
	}
	for to > from && !n.Child(to-1).IsElement() {
		to--
	}
	return from, to
}

// maxFieldsBefore is more than the fields that stand before the elements of any list.
const maxFieldsBefore = 8

// Leaf reports whether the node has no children: only such nodes own bytes.
func (n *Node) Leaf() bool { return n.Len() == 0 }

// maxFieldsTried is the number of children that ChildNamed tries from an index on: the fields before the elements.
const maxFieldsTried = 4

// ChildNamed returns the first child with that name, or nil. It asks a Namer, and searches a list in memory. In other
// lists it tries the index that the name is, or 0, and the next ones up to maxFieldsTried.
func (n *Node) ChildNamed(name string) *Node {
	switch c := n.children.(type) {
	case nil, List, *withLast:
	case Namer:
		if i := c.Named(name); i >= 0 {
			return n.Child(i)
		}
		return nil
	default:
		from, err := strconv.Atoi(name)
		if err != nil || from < 0 { // a part before the elements: the count
			from = 0
		}
		for i := from; i < n.Len() && i-from < maxFieldsTried; i++ {
			if c := n.Child(i); c.Name == name {
				return c
			}
		}
		return nil
	}
	for i := range n.Len() {
		if c := n.Child(i); c.Name == name {
			return c
		}
	}
	return nil
}

// Warnf adds a problem to the node; for decoders, before the node is handed out. The message names neither the node nor
// the format: each view adds them.
func (n *Node) Warnf(s Severity, span Span, format string, args ...any) {
	n.AddProblems(Problem{Severity: s, Span: span, Message: fmt.Sprintf(format, args...)})
}

// Role is the meaning of a node's value to the file as a whole. The decoder sets it; it is never guessed from a name.
type Role uint8

// A node has at most one role.
const (
	RoleNone      Role = iota
	RoleSize           // a number of bytes
	RoleCount          // a number of elements
	RoleOffset         // where something begins
	RoleIndex          // which element of a list is meant
	RoleName           // a part of the name or path of the item itself
	RoleTime           // when something happened
	RolePlace          // a coordinate of an item, along one axis
	RoleElsewhere      // its children are elsewhere in the file: it owns only bytes that no other node owns
	RoleColor          // red, green, blue and perhaps alpha, from 0 to 1
	RoleSum            // a checksum or a digest of bytes elsewhere in the file
	RoleComment        // a comment in a text
	RoleSpacing        // spaces, line ends and signs between the fields of a text, which do not change its meaning
	RoleBrace          // a sign where a part of a text begins or ends
)

// IsLayout reports whether values of the role follow from the file's own layout: such a value changes when something
// else grows, and a comparison does not count that as a change.
func (r Role) IsLayout() bool { return RoleSize <= r && r <= RoleIndex }

// IsSyntax reports whether a node is only a sign or space around the fields of a text.
func (r Role) IsSyntax() bool { return r == RoleSpacing || r == RoleBrace }

var smallIndexes = func() (s [256]string) {
	for i := range s {
		s[i] = strconv.Itoa(i)
	}
	return s
}()

// IndexName returns the name of the i-th element of a list.
func IndexName(i int) string {
	if i >= 0 && i < len(smallIndexes) {
		return smallIndexes[i]
	}
	return strconv.Itoa(i)
}

// Elements is the Children of a long list: a few nodes that come first (the count), then Count elements which are
// created on access, then optional nodes (surplus bytes, a guard).
type Elements struct {
	First List
	Last  List
	Count int
	// Solid promises that the leaves below own every byte of the elements once and no other byte, so that a million
	// records need no check.
	Solid    bool
	InMemory bool              // Make returns the same node each time
	Make     func(i int) *Node // i from 0 to Count-1; the node's name is set by Elements
	// Lookup returns the range of the elements, from 0, that may contain the byte at off; nil: any of them may.
	Lookup func(off int64) (from, to int)
	Sums   *Summaries // optional: the summaries for comparing long lists without creating nodes
	// Reader returns a Reader for reading all elements; nil if there is no faster way than Make.
	Reader func() Reader
	// Stopped reports whether reading stopped, after which the elements are empty; nil if it never stops.
	Stopped func() bool
}

// Reader reads the elements of a long list, in any order, and reuses its memory. It is not safe for use from several
// goroutines at once.
type Reader interface {
	// Node decodes the i-th element as Make does. The node and all below it are good until the next call.
	Node(i int) *Node
	// NodeAlone is Node for callers that do not read its children.
	NodeAlone(i int) *Node
	// CheckedSpan reads the i-th element without nodes and returns its span. It reports whether its leaves own every
	// byte of its span once, no byte outside of it, and nothing is wrong with it.
	CheckedSpan(i int) (Span, bool)
}

// Len returns the number of nodes, the first ones included.
func (e *Elements) Len() int { return len(e.First) + e.Count + len(e.Last) }

// At returns the i-th node.
func (e *Elements) At(i int) *Node {
	if i < len(e.First) {
		return e.First[i]
	}
	if i >= len(e.First)+e.Count {
		return e.Last[i-len(e.First)-e.Count]
	}
	n := e.Make(i - len(e.First))
	if name := IndexName(i - len(e.First)); n.Name != name || n.Index != i {
		n.Name, n.Index = name, i
	}
	return n
}

// Named implements Namer: a number is the name of an element, and other names are searched in the fields.
func (e *Elements) Named(name string) int {
	isNamed := func(k *Node) bool { return k.Name == name }
	if i := slices.IndexFunc(e.First, isNamed); i >= 0 {
		return i
	}
	if i := slices.IndexFunc(e.Last, isNamed); i >= 0 {
		return len(e.First) + e.Count + i
	}
	if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < e.Count && IndexName(i) == name {
		return len(e.First) + i
	}
	return -1
}

// NodesInMemory returns the nodes that are in memory.
func (e *Elements) NodesInMemory() List {
	nodes := append(List(nil), e.First...)
	for i := 0; e.InMemory && i < e.Count; i++ {
		nodes = append(nodes, e.At(len(e.First)+i))
	}
	return append(nodes, e.Last...)
}

// Find returns the nodes that may contain the byte at off. Nodes of First and Last come before the elements.
func (e *Elements) Find(off int64) (int, int) {
	for i, n := range e.First {
		if n.Contains(off) {
			return i, i + 1
		}
	}
	for i, n := range e.Last {
		if n.Contains(off) {
			return len(e.First) + e.Count + i, len(e.First) + e.Count + i + 1
		}
	}
	if e.Lookup == nil {
		return len(e.First), e.Len()
	}
	from, to := e.Lookup(off)
	return from + len(e.First), to + len(e.First)
}

// Stopper is a Children whose reading may stop before all nodes have been read.
type Stopper interface {
	// Stops returns a function that reports whether reading stopped, or nil if it never does.
	Stops() func() bool
}

// Stops implements Stopper.
func (e *Elements) Stops() func() bool { return e.Stopped }

// Summary holds the data of one element of a long list for a comparison.
type Summary struct {
	Key    uint64 // equal exactly where the nodes' keys are equal
	Digest uint64 // of all values except the key and those whose Role follows from the layout
	Span   Span   // the element's bytes
}

// Summaries describes the elements of a long list in bulk, so that two versions of a million elements compare without
// a million nodes. Element 0 is the first one after the list's First nodes.
type Summaries struct {
	// Keyed reports whether Summary.Key is set; without it the elements must have no keys.
	Keyed bool
	// Recorded reports whether Digest is made of the checksums and sizes which the file records for a content, without
	// reading the content itself.
	Recorded bool
	// Distinct reports whether elements with equal digests are the same item, under any key.
	Distinct bool
	// Fill describes len(out) elements from first on, until ctx ends. It may be called from any goroutine.
	Fill func(ctx context.Context, first int, out []Summary) error
}
