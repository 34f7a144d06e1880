package model

import (
	"cmp"
	"fmt"
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
	Target  func() (Path, bool)
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
