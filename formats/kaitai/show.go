package kaitai

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// shown is an object whose instances are shown, within the instances of another one.
type shown struct {
	o     *object
	outer *shown
	depth int
	count *atomic.Int64 // how many objects the instances of the outermost one have shown
}

// Bounds on what the instances of one object show: how deep objects may lie in one another, and how many they are.
// Two instances that show each other's objects would have no end.
const (
	maxDepth = 500
	maxShown = 1 << 16
)

// has reports whether an object at the same place, read as the same type, is among those that are shown or around them.
func (s *shown) has(o *object) bool {
	if s == nil {
		return false
	}
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

// instances records the instances of an object, which stand after its attributes.
func (r *reading) instances(o *object) {
	if len(o.typ.Instances) == 0 {
		return
	}
	in := *r
	in.shown = &shown{o: o, outer: r.shown}
	in.active = nil // when instances are looked at, lists are whole
	if r.shown == nil {
		in.shown.count = new(atomic.Int64)
	} else {
		in.shown.depth, in.shown.count = r.shown.depth+1, r.shown.count
	}
	at := r.c.Pos()
	for _, a := range o.typ.Instances {
		in.recordInstance(o, a, at)
	}
}

// late is the instances of objects that need attributes which are read after them: of an object around theirs. They
// are recorded when the outermost object is read.
type late struct {
	unread bool // the instance that is recorded needs an attribute that is not read yet
	over   bool // all is read
	todo   []func()
}

// meet notes an error of an instance that may be no error when all is read.
func (l *late) meet(err error) {
	if l != nil && !l.over && errors.As(err, new(unread)) {
		l.unread = true
	}
}

// finish records the instances that had to wait.
func (l *late) finish() {
	l.over = true
	for _, record := range l.todo {
		record()
	}
	l.todo = nil
}

// recordInstance records one instance, or a node in its place until what it needs is read.
func (r *reading) recordInstance(o *object, a *Attribute, at int64) {
	if r.late.over {
		r.addInstance(r.instanceNode(o, a, at), at)
		return
	}
	r.late.unread = false
	n := r.instanceNode(o, a, at)
	if r.late.unread {
		n = &model.Node{Name: a.ID, Span: model.Span{Offset: at}, Role: model.RoleElsewhere}
		in := *r
		r.late.todo = append(r.late.todo, func() { replace(n, in.instanceNode(o, a, at)) })
	}
	r.addInstance(n, at)
}

// addInstance adds the node of an instance, if there is one; the cursor stays where it is.
func (r *reading) addInstance(n *model.Node, at int64) {
	if n != nil {
		r.c.Add(n)
		r.c.GoTo(at)
	}
}

// replace puts a node into the place of another one; nil leaves the place empty.
func replace(n, by *model.Node) {
	siblings, ok := n.Parent.Children().(model.List)
	switch {
	case !ok:
	case by != nil:
		by.Parent, by.Index = n.Parent, n.Index
		siblings[n.Index] = by
	default:
		left := slices.Delete(slices.Clone(siblings), n.Index, n.Index+1)
		n.Parent.SetChildren(left)
	}
}

// instanceNode returns the node of an instance; nil if it is absent.
func (r *reading) instanceNode(o *object, a *Attribute, at int64) *model.Node {
	i, err := r.scope(o.field(a)).instance(o, a)
	r.late.meet(err)
	n := &model.Node{Name: a.ID, Span: model.Span{Offset: at}, Role: model.RoleElsewhere}
	switch {
	case err != nil && i != nil:
		n = r.recordElsewhere(o, a, i, n) // what was read before the error stays
	case err != nil:
		n.Type = a.typeName()
		n.Warn(model.Error, n.Span, "%s: %v", a.ID, err)
	case i.value.Kind == expression.None && i.s == nil:
		return nil // its condition does not hold
	case i.value.Kind == expression.Object:
		r.recordObject(n, i.value)
	case a.Value == nil:
		n = r.recordElsewhere(o, a, i, n)
	default:
		r.recordValue(n, i.value)
	}
	if err == nil && i.wrong != nil {
		n.Warn(model.Error, n.Span, "%v", i.wrong)
	}
	return n
}

// typeName names what an instance is read as.
func (a *Attribute) typeName() string {
	switch {
	case a.Value != nil:
		return "value"
	case a.Repeat.Way != Once:
		return a.elementType() + "[]"
	}
	return a.elementType()
}

// recordObject gives a node the object that an instance shows: it is read again when somebody looks.
func (r *reading) recordObject(n *model.Node, v expression.Value) {
	o, ok := v.Of().(*object)
	if !ok {
		return
	}
	n.Type = o.typ.Name
	if o.s.at == nil {
		n.Span = model.Span{Offset: o.start, Size: o.end - o.start}
	}
	switch {
	case r.shown.has(o):
		n.Value = model.None{}
		n.Warn(model.Note, n.Span, "%s is the object that it stands in; it is shown there", n.Name)
	case r.shown != nil && r.shown.depth >= maxDepth:
		n.Warn(model.Warning, n.Span, "objects of instances lie deeper in one another than %d; %s is not shown", maxDepth, n.Name)
	case r.shown != nil && r.shown.count.Add(1) > maxShown:
		n.Warn(model.Warning, n.Span, "instances show more than %d objects; %s is not shown", maxShown, n.Name)
	default:
		n.SetChildren(&later{owner: n, read: func() *model.Node { return r.readAgain(o) }})
	}
}

// readAgain returns an object as nodes.
func (r *reading) readAgain(o *object) *model.Node {
	c := o.s.kind.Element(o.typ.Name, model.Span{Offset: o.start, Size: o.s.span.End() - o.start})
	in := &reading{machine: r.machine, c: c, s: o.s, around: around{shown: r.shown}}
	in.object(o.fresh())
	root := c.Close()
	root.Size = o.end - o.start
	if o.s.at != nil {
		return relocated(root, *o.s.at)
	}
	return root
}

// recordElsewhere returns the node of an instance that is a value or a list, read where the instance says.
func (r *reading) recordElsewhere(o *object, a *Attribute, i *instance, n *model.Node) *model.Node {
	c := i.s.kind.Element("", model.Span{Offset: i.pos, Size: i.s.span.End() - i.pos})
	s := r.scope(o.field(a))
	s.active = s.active.with(o, a, noIndex)
	in := i.reading(s, c)
	in.shown = r.shown
	in.attribute(o.field(a))
	root := c.Close()
	if root.Len() == 0 {
		n.Type = a.typeName()
		n.AddProblems(root.Problems()...)
		return n
	}
	read := root.Child(0)
	read.AddProblems(root.Problems()...)
	if i.s.at != nil {
		read = relocated(read, *i.s.at)
	}
	read.Role = model.RoleElsewhere
	return read
}

// recordValue gives a node the value of a value instance.
func (r *reading) recordValue(n *model.Node, v expression.Value) {
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
		b := v.Bytes()
		n.Type, n.Value = "bytes", blobOf(b)
	case expression.Object:
		r.recordObject(n, v)
	case expression.List:
		r.recordList(n, v)
	case expression.Stream:
		n.Type, n.Value = "io", model.None{}
	}
}

// maxListed is how many elements of a list that an expression passes on are shown.
const maxListed = 1 << 20

// recordList gives a node the elements of a list that an expression made or passed on.
func (r *reading) recordList(n *model.Node, v expression.Value) {
	l := v.Elements()
	n.Type = "list"
	if l.Len() > maxListed {
		n.Warn(model.Warning, n.Span, "%s has %d elements, which are not shown", n.Name, l.Len())
		return
	}
	n.SetChildren(&model.Elements{Count: l.Len(), Make: func(i int) *model.Node {
		e := &model.Node{Name: model.IndexName(i), Index: i, Parent: n, Span: model.Span{Offset: n.Offset}}
		v, err := l.At(i)
		if err != nil {
			e.Warn(model.Error, e.Span, "%v", err)
			return e
		}
		r.recordValue(e, v)
		return e
	}})
}

// later is the children of a node that are read when somebody looks.
type later struct {
	owner *model.Node
	read  func() *model.Node
	once  sync.Once
	made  *model.Node
}

func (l *later) node() *model.Node {
	l.once.Do(func() {
		l.made, l.read = l.read(), nil
		if list, ok := l.made.Children().(model.List); ok {
			for i, n := range list {
				n.Parent, n.Index = l.owner, i
			}
		}
	})
	return l.made
}

// Len is the number of children.
func (l *later) Len() int { return l.node().Len() }

// At returns the i-th child.
func (l *later) At(i int) *model.Node {
	n := l.node().Child(i)
	if n.Parent != l.owner { // it was made for this call
		n.Parent, n.Index = l.owner, i
	}
	return n
}

// Named returns the position of the first child with that name, -1 if there is none.
func (l *later) Named(name string) int { return positionOf(l.node(), name) }

// positionOf returns the position of the first child of a node with that name, -1 if there is none.
func positionOf(n *model.Node, name string) int {
	if child := n.Named(name); child != nil {
		return child.Index
	}
	return -1
}
