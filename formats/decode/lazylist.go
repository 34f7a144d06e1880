package decode

import (
	"sync/atomic"

	"assay/model"
)

// lazyList is the elements of a list that are decoded when they are looked at.
type lazyList struct {
	kind    // of the cursors that decode them
	elem    string
	count   int
	find    func(off int64) (from, to int)
	reading Reading
	sums    *model.Summaries

	list  *model.Node
	first int                          // how many nodes of the list come before the elements
	all   []atomic.Pointer[model.Node] // of a short list: the elements that were made
	large atomic.Pointer[largeElement]
	nodes atomic.Int32 // how many the element had that was made last: the next has as many, or nearly
}

// A list of fewer elements of differing sizes than shortList keeps them: a comparison of documents holds on to nodes,
// and a list of a few may have the whole of a scene in it.
const shortList = 8

// under makes the children of a list: the nodes that were recorded before the elements, those, and the nodes after
// them.
func (l *lazyList) under(list *model.Node, children []*model.Node) *model.Elements {
	l.list = list
	return &model.Elements{
		Kept:    l.all != nil,
		Stopped: l.stopped,
		First:   append(model.List(nil), children[:l.first]...), Last: append(model.List(nil), children[l.first:]...),
		Count: l.count, Lookup: l.find, Sums: l.sums,
		Make:   l.make,
		Reader: l.reader,
	}
}

// largeFrom is the size of an element that is kept until another such is made: a large one is looked at again and again
// for what is in it.
const largeFrom = 4096

// largeElement is the large element that was made last.
type largeElement struct {
	i int
	n *model.Node
}

func (l *lazyList) make(i int) *model.Node {
	if l.all != nil {
		if l.all[i].Load() == nil {
			l.all[i].CompareAndSwap(nil, l.decode(i))
		}
		return l.all[i].Load()
	}
	if k := l.large.Load(); k != nil && k.i == i {
		return k.n
	}
	n := l.decode(i)
	if n.Size >= largeFrom {
		l.large.Store(&largeElement{i, n})
	}
	return n
}

func (l *lazyList) decode(i int) *model.Node {
	span, each := l.reading()
	e := l.element(l.elem, span(i), max(int(l.nodes.Load()), 1))
	each(e, i)
	l.nodes.Store(int32(min(e.rec.arena.used, arenaMost)))
	n := e.Close()
	n.Name, n.Index, n.Parent = model.IndexName(i), l.first+i, l.list
	return n
}

func (l *lazyList) reader() model.Reader {
	r := &listReader{lazyList: l}
	r.span, r.each = l.reading()
	return r
}

// listReader reads the elements of a list one after the other and uses its cursors and nodes again.
type listReader struct {
	*lazyList
	span             func(i int) model.Span
	each             func(e *Cursor, i int)
	quiet, recording *Cursor
	line             model.Node
}

// Node decodes the i-th element. The node is good until the next call.
func (r *listReader) Node(i int) *model.Node {
	span := r.span(i)
	c := r.cursor(r.recording, span)
	if c != r.recording {
		c.mode, c.rec = records, &recorder{element: true, arena: arena{largest: arenaReused}}
		r.recording = c
	}
	c.rec.restart(r.elem, span)
	r.each(c, i)
	n := c.Close()
	n.Parent = r.list
	return n
}

// Clean reads the i-th element without recording it and reports whether its fields have every byte of its span and
// nothing is wrong with it.
func (r *listReader) Clean(i int) (model.Span, bool) {
	span := r.span(i)
	r.read(i, span, nil)
	return span, r.quiet.Outcome() == Clean && r.quiet.Pos() == span.End()
}

// Line returns the i-th element without what is below it. The node is good until the next call.
func (r *listReader) Line(i int) *model.Node {
	r.line = model.Node{Type: r.elem, Span: r.span(i), Parent: r.list}
	r.read(i, r.line.Span, &r.line)
	if r.quiet.Outcome() != Clean {
		return r.Node(i)
	}
	return &r.line
}

// read reads the i-th element quietly.
func (r *listReader) read(i int, span model.Span, line *model.Node) {
	r.quiet = r.cursor(r.quiet, span)
	r.quiet.line = line
	r.each(r.quiet, i)
}
