package kaitai

import (
	"cmp"
	"sync/atomic"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// setValue sets the value and the type of a node from the result of an attribute's expression.
func (s *shownPath) setValue(n *model.Node, a *attribute, v expression.Value) {
	if v.Enum != nil {
		n.Symbols = symbolOf(v.Enum)
	}
	switch v.Kind {
	case expression.Bool:
		truth, _ := v.Truth()
		n.Type, n.Value = "bool", truth
	case expression.Int:
		n.Type = "int"
		if integer, large := v.IntBits(); large {
			n.Value = uint64(integer)
		} else {
			n.Value = integer
		}
	case expression.Float:
		n.Type, n.Value = "float", v.Float()
	case expression.Text:
		n.Type, n.Value = "str", v.Text()
	case expression.Bytes:
		n.Type, n.Value = "bytes", blobOf(v.Bytes())
	case expression.Object:
		s.setObject(n, v.Pointer().(*object))
	case expression.List:
		s.setList(n, a, v.Elements())
	case expression.Stream:
		n.Type, n.Value = "io", model.None{}
	}
}

// setObject sets the object of an instance's node. It is read again on demand.
func (s *shownPath) setObject(n *model.Node, o *object) {
	n.Type = o.typ.Name
	n.SetReadAs(o.typ)
	if o.stream.stored == nil {
		n.Span = model.Span{Offset: o.start, Size: o.end - o.start}
	}
	if !s.allows(n, o) {
		n.Value = model.None{}
		return
	}
	n.SetChildren(&children{owner: n, stored: o.stream.stored, source: o.stream.doc.budget.onceNode(func() *model.Node {
		c := o.stream.cursor.Element(o.typ.Name, model.Span{Offset: o.start, Size: o.stream.span.End() - o.start})
		_ = o.stream.doc.budget.spend(o.field(nil), stepsOfDisplayed) // an error recurs when it is read
		copied := o.copyUnread(s != nil && s.isElement)
		s.pathTo(copied).decoder(c).object(copied)
		root := c.Close()
		if list, ok := root.Children().(model.List); ok {
			for _, child := range list {
				child.Parent = n
			}
		}
		return root
	})})
}

// maxListed is the maximum number of elements of a list that an expression returns. Of a longer one, none is displayed.
const maxListed = 1 << 20

// setList gives a node the elements of a list that an expression made or passed on.
func (s *shownPath) setList(n *model.Node, a *attribute, l expression.Elements) {
	n.Type = "list"
	n.SetReadAs(a)
	if l.Len() > maxListed {
		n.Warnf(model.Warning, n.Span, "%s has %d elements, too many to display", n.Name, l.Len())
		return
	}
	elements := &model.Elements{Count: l.Len(), Make: func(i int) *model.Node {
		e := &model.Node{Name: model.IndexName(i), Index: i, Parent: n, Span: model.Span{Offset: n.Offset}}
		if s != nil && s.o.stream.doc.budget.spend(s.o.field(a), stepsOfDisplayed) != nil {
			return e
		}
		v, err := l.At(i)
		if err == nil && s != nil {
			err = s.o.stream.doc.budget.spend(s.o.field(a), stepsToShow(v))
		}
		if err != nil {
			e.Warnf(model.Error, e.Span, "%v", err)
			return e
		}
		s.element(l.Len()).setValue(e, a, v)
		return e
	}}
	if s != nil { // a parameter's list is also displayed by the enclosing object
		elements.Stopped = s.o.stream.doc.budget.isStopped
	}
	n.SetChildren(elements)
}

// children presents the children of one node below another.
type children struct {
	owner  *model.Node
	first  *model.Node // precedes them; may be nil
	source func() *model.Node
	stored *model.Span // the stored bytes of the children if a process made theirs; else nil
}

// Stops implements model.Stopper.
func (c *children) Stops() func() bool {
	if s, ok := c.source().Children().(model.Stopper); ok {
		return s.Stops()
	}
	return nil
}

func (c *children) Len() int { return c.offset() + c.source().Len() }

// offset returns the number of children before the node's own.
func (c *children) offset() int {
	if c.first == nil {
		return 0
	}
	return 1
}

// At returns the i-th child.
func (c *children) At(i int) *model.Node {
	if i < c.offset() {
		return c.first
	}
	node := c.source()
	if i -= c.offset(); i >= node.Len() { // read again after a walk was canceled
		return &model.Node{Parent: c.owner, Index: c.offset() + i, Span: model.Span{Offset: c.owner.Offset}}
	}
	n := node.Child(i)
	if c.stored != nil {
		n = relocate(n, *c.stored)
	}
	if n.Parent != c.owner {
		n.Parent, n.Index = c.owner, c.offset()+i
	}
	return n
}

// Named returns the index of the first child with that name, or -1.
func (c *children) Named(name string) int {
	if c.first != nil && c.first.Name == name {
		return 0
	}
	child := c.source().ChildNamed(name)
	if child == nil {
		return -1
	}
	return c.offset() + child.Index
}

// relocate returns a copy of a node of transformed bytes without bytes of its own, at the position of the stored
// bytes.
func relocate(n *model.Node, stored model.Span) *model.Node {
	moved := &model.Node{Name: n.Name, Type: n.Type, Key: n.Key, Span: model.Span{Offset: stored.Offset},
		Value: n.Value, Symbols: n.Symbols, Role: n.Role}
	moved.SetRaw(n.Raw())
	moved.SetReadAs(n.ReadAs())
	if n.Label() != "" {
		moved.SetLabel(n.Label)
	}
	for _, p := range n.Problems() {
		moved.Warnf(p.Severity, stored, "%s (at %#x of the unpacked bytes)", p.Message, n.Offset)
	}
	if n.Children() != nil {
		moved.SetChildren(&children{owner: moved, source: func() *model.Node { return n }, stored: &stored})
	}
	return moved
}

// relocatedChildren returns the children of a node of bytes that a process made, and puts its problems on the node that
// has the stored ones.
func relocatedChildren(to, n *model.Node, stored model.Span) []*model.Node {
	for _, p := range n.Problems() {
		to.Warnf(p.Severity, stored, "%s (at %#x of the unpacked bytes)", p.Message, p.Span.Offset)
	}
	nodes := make([]*model.Node, n.Len())
	for i := range nodes {
		nodes[i] = relocate(n.Child(i), stored)
	}
	return nodes
}

// shownPath is an object with displayed instances, within the instances of another one.
type shownPath struct {
	o         *object
	outer     *shownPath
	depth     int
	isElement bool          // it is the element of a list that an instance shows, which is dropped before the object
	remaining *atomic.Int64 // number of objects that the outermost one, or an element of its lists, may still display
}

// Limits for the displayed instances of one object: the nesting depth, and the number of objects. Two instances that
// display each other's objects would not end. The elements of a list share a larger number, but each may display a few.
const (
	maxDepth     = 500
	maxDisplayed = 1 << 16
	maxShared    = 1 << 19
	minDisplayed = 16
)

// newRemaining returns the number of objects that each of n elements of a list may display.
func newRemaining(n int) *atomic.Int64 {
	remaining := new(atomic.Int64)
	remaining.Store(min(maxDisplayed, max(minDisplayed, maxShared/int64(max(n, 1)))))
	return remaining
}

// pathTo returns the path for the instances of an object, the innermost one.
func (s *shownPath) pathTo(o *object) *shownPath {
	if s == nil {
		return &shownPath{o: o, remaining: newRemaining(1)}
	}
	return &shownPath{o: o, outer: s, depth: s.depth + 1, remaining: s.remaining}
}

// element returns the path for one of n elements of a list. In the outermost object each element has its own count,
// each time it is displayed.
func (s *shownPath) element(n int) *shownPath {
	switch {
	case s == nil:
		return s
	case s.depth > 0:
		path := *s
		path.isElement = true
		return &path
	}
	return &shownPath{o: s.o, isElement: true, remaining: newRemaining(n)}
}

// contains reports whether an object with the same position and type is displayed, or encloses a displayed one.
func (s *shownPath) contains(o *object) bool {
	for enclosing := s.o.parent; enclosing != nil; enclosing = enclosing.parent {
		if enclosing.isAt(o) {
			return true
		}
	}
	for ; s != nil; s = s.outer {
		if s.o.isAt(o) {
			return true
		}
	}
	return false
}

// allows reports whether the instances of an object are displayed, too. If not, it adds the reason to the node.
func (s *shownPath) allows(n *model.Node, o *object) bool {
	name := cmp.Or(n.Name, o.typ.Name)
	switch {
	case s == nil:
	case s.contains(o):
		n.Warnf(model.Note, n.Span, "%s refers to its own parent; see there", name)
		return false
	case s.depth >= maxDepth:
		n.Warnf(model.Note, n.Span, "instances nested more than %d deep; %s is not displayed", maxDepth, name)
		return false
	case s.remaining.Add(-1) < 0:
		n.Warnf(model.Note, n.Span, "instances have too many objects; %s is not displayed", name)
		return false
	}
	return true
}
