package decode

import (
	"sort"
	"sync/atomic"

	"github.com/zeebo/xxh3"

	"assay/model"
)

// lazyList is the elements of a list that are decoded when they are looked at.
type lazyList struct {
	c     *Cursor // only its kind is used
	elem  string
	count int
	span  func(look *Cursor, i int) model.Span
	find  func(off int64) (from, to int)
	each  func(c *Cursor, i int)
	open  func() ElementReader // instead of span and each
	sums  *model.Summaries
	// spans returns a span for a reader, which goes through the elements in order; nil: span is as good.
	spans func() func(i int) model.Span
	marks *Marks // of elements that follow one another; nil of others

	list  *model.Node
	first int                          // how many nodes of the list come before the elements
	all   []atomic.Pointer[model.Node] // of a short list: the elements that were made
	kept  atomic.Pointer[kept]
	nodes atomic.Int32 // how many the element had that was made last: the next has as many, or nearly
}

// A list of fewer elements of differing sizes than shortList keeps them: whoever compares documents holds on to nodes,
// and a list of a few may have the whole of a scene in it.
const shortList = 8

// under makes the children of a list: the nodes that were recorded before the elements, those, and the nodes after
// them.
func (l *lazyList) under(list *model.Node, children []*model.Node) *model.Elements {
	l.list = list
	return &model.Elements{
		Kept:  l.all != nil,
		First: append(model.List(nil), children[:l.first]...), Last: append(model.List(nil), children[l.first:]...),
		Count: l.count, Lookup: l.find, Sums: l.sums,
		Make:   l.make,
		Reader: l.reader,
	}
}

// keptFrom is the size of an element that is kept until another such is made: a large one is looked at again and again
// for what is in it.
const keptFrom = 4096

// kept is the large element that was made last.
type kept struct {
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
	if k := l.kept.Load(); k != nil && k.i == i {
		return k.n
	}
	n := l.decode(i)
	if n.Size >= keptFrom {
		l.kept.Store(&kept{i, n})
	}
	return n
}

func (l *lazyList) decode(i int) *model.Node {
	look := l.c.Quiet(model.Span{})
	span, each := l.reading(look)
	e := l.c.element(l.elem, span(i), max(int(l.nodes.Load()), 1))
	e.aside = look
	each(e, i)
	l.nodes.Store(int32(min(e.rec.arena.used, arenaMost)))
	n := e.Close()
	n.Name, n.Index, n.Parent = model.IndexName(i), l.first+i, l.list
	return n
}

// reading returns the functions that one goroutine reads the elements with.
func (l *lazyList) reading(look *Cursor) (span func(i int) model.Span, each func(e *Cursor, i int)) {
	if l.open != nil {
		r := l.open()
		return r.Span, r.Read
	}
	return func(i int) model.Span { return l.span(look, i) }, l.each
}

func (l *lazyList) reader() model.Reader {
	r := &reader{lazyList: l, look: l.c.Quiet(model.Span{})}
	if r.span, r.each = l.reading(r.look); l.spans != nil {
		r.span = l.spans()
	}
	if l.marks != nil {
		r.next.off = l.marks.start
	}
	return r
}

// reader reads the elements of a list one after the other and uses its cursors and nodes again.
type reader struct {
	*lazyList
	span             func(i int) model.Span
	each             func(e *Cursor, i int)
	quiet, recording *Cursor
	line             model.Node
	look             *Cursor // what span and Aside read with
	next             mark    // the element after the one that was read last
}

// Node decodes the i-th element. The node is good until the next call.
func (r *reader) Node(i int) *model.Node {
	span := r.span(i)
	c := r.recording
	if c == nil {
		c = r.c.Quiet(span)
		c.aside = r.look
		c.rec = &recorder{element: true, arena: arena{largest: arenaReused}}
		r.recording = c
	}
	c.Reset(span)
	c.rec.restart(r.elem, span)
	r.each(c, i)
	n := c.Close()
	n.Parent = r.list
	return n
}

// Clean reads the i-th element without recording it and reports whether its fields have every byte of its span and
// nothing is wrong with it.
func (r *reader) Clean(i int) (model.Span, bool) {
	if m := r.marks; m != nil && m.size == 0 && i == r.next.i {
		// The element begins where the last one ended: it need not be read once more to find where it ends.
		r.read(i, model.Span{Offset: r.next.off, Size: m.end - r.next.off}, nil)
		span, clean := model.Span{Offset: r.next.off, Size: r.quiet.Pos() - r.next.off}, r.quiet.Outcome() == Clean
		if r.quiet.err != nil {
			span = r.span(i)
		}
		r.next = mark{i + 1, span.End()}
		return span, clean
	}
	span := r.span(i)
	r.next = mark{i + 1, span.End()}
	r.read(i, span, nil)
	return span, r.quiet.Outcome() == Clean && r.quiet.Pos() == span.End()
}

// Line returns the i-th element without what is below it. The node is good until the next call.
func (r *reader) Line(i int) *model.Node {
	r.line = model.Node{Type: r.elem, Span: r.span(i), Parent: r.list}
	r.read(i, r.line.Span, &r.line)
	if r.quiet.err != nil || r.quiet.remarked {
		return r.Node(i)
	}
	return &r.line
}

// read reads the i-th element quietly.
func (r *reader) read(i int, span model.Span, line *model.Node) {
	if r.quiet == nil {
		r.quiet = r.c.Quiet(span)
		r.quiet.aside = r.look
	} else {
		r.quiet.Reset(span)
	}
	r.quiet.lineNode = line
	r.each(r.quiet, i)
}

// Records reads n elements of size bytes each into the open list. They are decoded when they are looked at; a quiet
// cursor reads each at once. The elements' function may be called from any goroutine, and must read with the cursor
// that it is given.
func (c *Cursor) Records(elem string, n, size int64, each func(e *Cursor, i int)) {
	if c.err != nil {
		return
	}
	if size < 1 || n < 0 || n > c.Left()/size {
		c.Fail("%d × %d bytes do not fit in the %d that are left", n, size, c.Left())
		return
	}
	start := c.Pos()
	if c.rec == nil {
		if c.endsOnly {
			c.skip(n * size)
			return
		}
		for i := 0; int64(i) < n && c.err == nil && (i%1024 != 1023 || !c.canceled()); i++ {
			c.Frame(size, func() { each(c, i) })
		}
		return
	}
	c.rec.lazy = &lazyList{c: c, elem: elem, count: int(n), each: each, first: len(c.rec.children) - c.rec.from,
		span: func(_ *Cursor, i int) model.Span { return model.Span{Offset: start + int64(i)*size, Size: size} },
		find: func(off int64) (int, int) {
			if off < start || off >= start+n*size {
				return 0, 0
			}
			i := int((off - start) / size)
			return i, i + 1
		}}
	if size <= digestBlock {
		c.rec.lazy.sums = &model.Summaries{Fill: func(from int, out []model.Summary) error {
			return digestRecords(c.src, start+int64(from)*size, size, out)
		}}
	}
	c.skip(n * size)
}

// Elements records count elements that lie anywhere in the open struct's part of the file and are decoded when they
// are looked at: span returns the place of one, find the elements that may hold a byte; nil if the elements lie in
// their order and no two have the same byte. span may read with the cursor that it is given, which is what Aside
// returns in each. The cursor stays where it is; a quiet one does not look at them.
func (c *Cursor) Elements(elem string, count int, span func(look *Cursor, i int) model.Span,
	find func(off int64) (from, to int), each func(e *Cursor, i int)) {
	if c.rec == nil || c.err != nil {
		c.skipped = true
		return
	}
	if find == nil {
		find = c.inOrder(count, span)
	}
	c.rec.lazy = &lazyList{c: c, elem: elem, count: count, each: each, span: span, find: find,
		first: len(c.rec.children) - c.rec.from}
}

// ElementReader reads the elements of a list for one goroutine, which mostly goes through them in order.
type ElementReader interface {
	// Span returns the place of an element.
	Span(i int) model.Span
	// Read reads the element of which Span was called last.
	Read(e *Cursor, i int)
}

// Described are elements that lie anywhere and that something else describes, such as the entries of an index. A reader
// may keep what it has read of that from Span to Read, or read it for many elements at a time.
type Described struct {
	Count int
	Find  func(off int64) (from, to int) // the elements that may hold a byte
	Open  func() ElementReader
}

// Record puts the elements into the open list of a cursor, which stays where it is.
func (d Described) Record(c *Cursor, elem string) {
	c.Elements(elem, d.Count, nil, d.Find, nil)
	if c.rec != nil && c.err == nil {
		c.rec.lazy.open = d.Open
	}
}

// inOrder returns the search for the element that holds a byte, of elements that lie one after the other.
func (c *Cursor) inOrder(count int, span func(look *Cursor, i int) model.Span) func(off int64) (from, to int) {
	return func(off int64) (int, int) {
		look := c.Quiet(model.Span{})
		i := sort.Search(count, func(i int) bool { return span(look, i).End() > off })
		if i < count && span(look, i).Contains(off) {
			return i, i + 1
		}
		return 0, 0
	}
}

// Summaries sets what a comparison needs of the elements that were just read into the open list.
func (c *Cursor) Summaries(s *model.Summaries) {
	if c.rec != nil && c.rec.lazy != nil {
		c.rec.lazy.sums = s
	}
}

// Indexed reads n elements of differing sizes, one after the other, into the open list. One quiet pass finds where they
// begin, after which they are decoded when they are looked at. least is the fewest bytes an element can have. One that
// cannot be read is recorded as far as it goes, and the cursor stops there. The elements' function may be called from
// any goroutine, and must read with the cursor that it is given.
func (c *Cursor) Indexed(elem string, n, least int64, each func(e *Cursor, i int)) {
	if c.err == nil && (n < 0 || least > 0 && n > c.Left()/least) {
		c.Fail("%d × %s do not fit in the %d bytes that are left", n, elem, c.Left())
		return
	}
	c.IndexedUntil(elem, upTo(n), each)
}

func upTo(n int64) func(*Cursor, int) bool {
	return func(_ *Cursor, i int) bool { return int64(i) < n }
}

// IndexedUntil is Indexed for as long as more says, of the offset where the last element ended, that there is another.
// It returns the number of elements that were read whole.
func (c *Cursor) IndexedUntil(elem string, more func(e *Cursor, i int) bool, each func(e *Cursor, i int)) int {
	if c.err != nil {
		return 0
	}
	var n int
	var endless bool
	switch {
	case c.rec == nil:
		n, endless = c.readUntil(more, func(i int) { each(c, i) })
	case c.rec.element && c.Left() <= shortSpan:
		n, endless = c.readUntil(more, func(i int) { c.Struct(model.IndexName(i), elem, func() { each(c, i) }) })
	default:
		n, endless = c.recordMarked(elem, more, each)
	}
	if endless {
		c.Fail("%s: more than %d elements of no bytes; the list is not read on", elem, emptyMost)
	}
	return n
}

// A list in an element of so many bytes is recorded with it: to find the ends of its elements first, and those of the
// lists in them when they are looked at, would read each byte once for each list that it is in.
const shortSpan = 1024

// emptyMost is how many elements of no bytes may follow one another, also those of lists in lists: the bytes that are
// left do not bound them.
const emptyMost = 1 << 16

// readUntil calls read for each element for as long as more says that there is another. It returns how many were read
// whole, and whether it stopped because there is no end of elements without bytes.
func (c *Cursor) readUntil(more func(e *Cursor, i int) bool, read func(i int)) (n int, endless bool) {
	for i := 0; more(c, i); i++ {
		start := c.Pos()
		if i%1024 == 1023 && c.canceled() {
			return i, false
		}
		if read(i); c.err != nil {
			return i, false
		}
		n = i + 1
		if c.Pos() > start {
			c.empty = 0
		} else if c.empty++; c.empty > emptyMost {
			return n, true
		}
	}
	return n, false
}

// recordMarked finds the ends of the elements that readUntil would read, and records them to be decoded when they are
// looked at; one that cannot be read, at once.
func (c *Cursor) recordMarked(elem string, more func(e *Cursor, i int) bool, each func(e *Cursor, i int)) (int, bool) {
	m := NewMarks(c, each)
	e := c.Aside(model.Span{Offset: c.Pos(), Size: c.Left()})
	e.ctx, e.endsOnly = c.ctx, true
	broken := false
	_, endless := e.readUntil(more, func(i int) {
		if each(e, i); e.err == nil {
			m.Add(e.Pos())
		}
		broken = e.err != nil
	})
	m.Record(c, elem)
	if broken {
		c.Struct(model.IndexName(m.n), elem, func() { each(c, m.n) })
		if c.err == nil {
			c.stop(e.err)
		}
	}
	c.canceled()
	return m.n, endless
}

// digestBlock is how many bytes of records are read at a time to describe them; longer ones are looked at one by one.
const digestBlock = 128 << 10

// digestRecords describes records without keys by their bytes.
func digestRecords(src *model.Source, at, size int64, out []model.Summary) error {
	per := int(max(1, digestBlock/size))
	for len(out) > 0 {
		k := min(per, len(out))
		b, err := src.Bytes(model.Span{Offset: at, Size: int64(k) * size})
		if err != nil {
			return err
		}
		for i := range k {
			s := model.Span{Offset: at + int64(i)*size, Size: size}
			out[i] = model.Summary{Digest: xxh3.Hash(b[int64(i)*size : int64(i+1)*size]), Span: s}
		}
		at += int64(k) * size
		out = out[k:]
	}
	return nil
}
