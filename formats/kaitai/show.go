package kaitai

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// setValue gives a node a value that an attribute has of an expression.
func (s *shownPath) setValue(n *model.Node, a *Attribute, v expression.Value) {
	if v.Enum != nil {
		n.Symbols = symbolOf(v.Enum)
	}
	switch v.Kind {
	case expression.Bool:
		is, _ := v.Truth()
		n.Type, n.Value = "bool", is
	case expression.Int:
		n.Type = "int"
		if whole, large := v.Whole(); large {
			n.Value = uint64(whole)
		} else {
			n.Value = whole
		}
	case expression.Float:
		n.Type, n.Value = "float", v.Float()
	case expression.Text:
		n.Type, n.Value = "str", v.Text()
	case expression.Bytes:
		n.Type, n.Value = "bytes", blobOf(v.Bytes())
	case expression.Object:
		s.setObject(n, v.Of().(*object))
	case expression.List:
		s.setList(n, a, v.Elements())
	case expression.Stream:
		n.Type, n.Value = "io", model.None{}
	}
}

// setObject gives a node the object that an instance shows: it is read again when somebody looks.
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
	n.SetChildren(&children{owner: n, stored: o.stream.stored, of: sync.OnceValue(func() *model.Node {
		c := o.stream.kind.Element(o.typ.Name, model.Span{Offset: o.start, Size: o.stream.span.End() - o.start})
		again := o.fresh(s != nil && s.isElement)
		s.with(again).reading(c).object(again)
		root := c.Close()
		if list, ok := root.Children().(model.List); ok {
			for _, child := range list {
				child.Parent = n
			}
		}
		return root
	})})
}

// maxListed is how many elements of a list that an expression passes on are shown.
const maxListed = 1 << 20

// setList gives a node the elements of a list that an expression made or passed on.
func (s *shownPath) setList(n *model.Node, a *Attribute, l expression.Elements) {
	n.Type = "list"
	n.SetReadAs(a)
	if l.Len() > maxListed {
		n.Warn(model.Warning, n.Span, "%s has %d elements, which are not shown", n.Name, l.Len())
		return
	}
	elements := &model.Elements{Count: l.Len(), Make: func(i int) *model.Node {
		e := &model.Node{Name: model.IndexName(i), Index: i, Parent: n, Span: model.Span{Offset: n.Offset}}
		if s != nil && s.o.stream.doc.budget.spend(context.Background(), s.o.field(a), stepsOfShown) != nil {
			return e
		}
		v, err := l.At(i)
		if err != nil {
			e.Warn(model.Error, e.Span, "%v", err)
			return e
		}
		s.element(l.Len()).setValue(e, a, v)
		return e
	}}
	if s != nil { // a parameter's list is one that the object around it shows, too
		elements.Stopped = s.o.stream.doc.budget.isSpent
	}
	n.SetChildren(elements)
}

// children are those of a node, as the children of another one.
type children struct {
	owner  *model.Node
	first  *model.Node // comes before them; nil if nothing does
	of     func() *model.Node
	stored *model.Span // where the children are in the file if they are of bytes that a process made; else nil
}

// Stops implements model.Stopper.
func (c *children) Stops() func() bool {
	if s, ok := c.of().Children().(model.Stopper); ok {
		return s.Stops()
	}
	return nil
}

// Len is the number of children.
func (c *children) Len() int { return c.before() + c.of().Len() }

// before is the number of children before those of the node.
func (c *children) before() int {
	if c.first == nil {
		return 0
	}
	return 1
}

// At returns the i-th child.
func (c *children) At(i int) *model.Node {
	if i < c.before() {
		return c.first
	}
	n := c.of().Child(i - c.before())
	if c.stored != nil {
		n = relocated(n, *c.stored)
	}
	if n.Parent != c.owner {
		n.Parent, n.Index = c.owner, i
	}
	return n
}

// Named returns the position of the first child with that name, -1 if there is none.
func (c *children) Named(name string) int {
	if c.first != nil && c.first.Name == name {
		return 0
	}
	child := c.of().Named(name)
	if child == nil {
		return -1
	}
	return c.before() + child.Index
}

// relocated returns a node of bytes that a process made as one without bytes of its own, where the stored ones are.
func relocated(n *model.Node, stored model.Span) *model.Node {
	moved := &model.Node{Name: n.Name, Type: n.Type, Key: n.Key, Span: model.Span{Offset: stored.Offset},
		Value: n.Value, Symbols: n.Symbols, Role: n.Role}
	moved.SetRaw(n.Raw())
	moved.SetReadAs(n.ReadAs())
	if n.Label() != "" {
		moved.SetLabel(n.Label)
	}
	for _, p := range n.Problems() {
		moved.Warn(p.Severity, stored, "%s (at %#x of the bytes that are unpacked)", p.Message, n.Offset)
	}
	if n.Children() != nil {
		moved.SetChildren(&children{owner: moved, of: func() *model.Node { return n }, stored: &stored})
	}
	return moved
}

// relocatedChildren returns the children of a node of bytes that a process made, and puts its problems on the node that
// has the stored ones.
func relocatedChildren(to, n *model.Node, stored model.Span) []*model.Node {
	for _, p := range n.Problems() {
		to.Warn(p.Severity, stored, "%s (at %#x of the bytes that are unpacked)", p.Message, p.Span.Offset)
	}
	nodes := make([]*model.Node, n.Len())
	for i := range nodes {
		nodes[i] = relocated(n.Child(i), stored)
	}
	return nodes
}

// shownPath is an object whose instances are shown, within the instances of another one.
type shownPath struct {
	o         *object
	outer     *shownPath
	depth     int
	isElement bool          // it is the element of a list that an instance shows, which is dropped before the object
	left      *atomic.Int64 // how many objects may still be shown in the outermost one, or in an element of its lists
}

// Bounds on what the instances of one object show: how deep objects may lie in one another, and how many they are.
// Two instances that show each other's objects would have no end. The elements of a list share a larger number, but
// each may show a few.
const (
	maxDepth   = 500
	maxShown   = 1 << 16
	maxShared  = 1 << 19
	leastShown = 16
)

// newLeft returns how many objects one of n elements of a list may show.
func newLeft(n int) *atomic.Int64 {
	left := new(atomic.Int64)
	left.Store(min(maxShown, max(leastShown, maxShared/int64(max(n, 1)))))
	return left
}

// with returns what is shown while the instances of an object are.
func (s *shownPath) with(o *object) *shownPath {
	if s == nil {
		return &shownPath{o: o, left: newLeft(1)}
	}
	return &shownPath{o: o, outer: s, depth: s.depth + 1, left: s.left}
}

// element returns what is shown while one of n elements of a list is: those of the outermost object count for
// themselves, each time that somebody looks.
func (s *shownPath) element(n int) *shownPath {
	switch {
	case s == nil:
		return s
	case s.depth > 0:
		in := *s
		in.isElement = true
		return &in
	}
	return &shownPath{o: s.o, isElement: true, left: newLeft(n)}
}

// has reports whether an object at the same place, read as the same type, is among those that are shown or around them.
func (s *shownPath) has(o *object) bool {
	for in := s.o.parent; in != nil; in = in.parent {
		if in.isAt(o) {
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

// allows reports whether the instances of an object are shown, too, and says on its node why they are not.
func (s *shownPath) allows(n *model.Node, o *object) bool {
	name := cmp.Or(n.Name, o.typ.Name)
	switch {
	case s == nil:
	case s.has(o):
		n.Warn(model.Note, n.Span, "%s refers to its own parent; shown there", name)
		return false
	case s.depth >= maxDepth:
		n.Warn(model.Warning, n.Span, "instances nested more than %d deep; %s is not shown", maxDepth, name)
		return false
	case s.left.Add(-1) < 0:
		n.Warn(model.Warning, n.Span, "instances show too many objects; %s is not shown", name)
		return false
	}
	return true
}
