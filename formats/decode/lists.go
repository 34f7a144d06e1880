package decode

import (
	"context"
	"math"
	"sort"
	"sync/atomic"

	"github.com/zeebo/xxh3"

	"assay/model"
)

// Records reads n elements of size bytes each into the open list. They are decoded on demand; a quiet cursor reads each
// at once, or skips all if it only finds ends. each may be called from any goroutine, and must read with the cursor it
// is given.
func (c *Cursor) Records(elem string, n, size int64, each func(e *Cursor, i int)) {
	if c.err != nil {
		return
	}
	if size < 1 || n < 0 || n > c.Remaining()/size {
		c.Fail("%d × %d bytes do not fit in the remaining %d bytes", n, size, c.Remaining())
		return
	}
	start := c.Pos()
	if c.rec == nil {
		if c.mode == findsEnds {
			c.skip(n * size)
			return
		}
		c.nestList(elem, func() {
			big := c.big
			for i := 0; int64(i) < n && c.err == nil && (i%1024 != 1023 || !c.stopIfCanceled()); i++ {
				c.Frame(size, func() { each(c, i) })
				c.big = big
			}
		})
		return
	}
	span := func(i int) model.Span { return model.Span{Offset: start + int64(i)*size, Size: size} }
	c.Elements(elem, int(n), func(off int64) (int, int) {
		if off < start || off >= start+n*size {
			return 0, 0
		}
		i := int((off - start) / size)
		return i, i + 1
	}, LocatedReading(span, each))
	if size <= digestBlock {
		c.rec.lazy.sums = &model.Summaries{Fill: func(_ context.Context, from int, out []model.Summary) error {
			return digestRecords(c.src, start+int64(from)*size, size, out)
		}}
	}
	c.skip(n * size)
}

// Reading returns the functions with which one goroutine reads the elements of a list, mostly in order: span returns
// the span of an element, and each reads the element that span was last called for. They may share state between the
// two calls.
type Reading func() (span func(i int) model.Span, each func(e *Cursor, i int))

// LocatedReading returns a Reading of elements whose spans are known. Both functions may be called from any goroutine.
func LocatedReading(span func(i int) model.Span, each func(e *Cursor, i int)) Reading {
	return func() (func(i int) model.Span, func(e *Cursor, i int)) { return span, each }
}

// Elements records count elements anywhere in the open struct's span, which are decoded on demand. find returns the
// range of elements that may contain a byte; it is nil if the elements are in order and do not overlap. The cursor does
// not move. A quiet one reads no element, and its outcome is at best Sound.
func (c *Cursor) Elements(elem string, count int, find func(off int64) (from, to int), reading Reading) {
	if c.rec == nil || c.err != nil {
		c.raise(Sound)
		return
	}
	if find == nil {
		find = c.inOrder(count, reading)
	}
	c.rec.lazy = &lazyList{settings: c.settings, elem: elem, count: count, find: find, reading: reading,
		first: len(c.rec.children) - c.rec.from}
}

// inOrder returns the search for the element that holds a byte, of elements that lie one after the other.
func (c *Cursor) inOrder(count int, reading Reading) func(off int64) (from, to int) {
	return func(off int64) (int, int) {
		span, _ := reading()
		i := sort.Search(count, func(i int) bool { return span(i).End() > off })
		if i < count && span(i).Contains(off) {
			return i, i + 1
		}
		return 0, 0
	}
}

// Summaries sets the summaries of the elements just read into the open list, for comparisons.
func (c *Cursor) Summaries(s *model.Summaries) {
	if c.rec != nil && c.rec.lazy != nil {
		c.rec.lazy.sums = s
	}
}

// Indexed reads n elements of differing sizes, one after the other, into the open list. One quiet pass finds their
// offsets. The elements are decoded when they are displayed. least is the minimum size of an element in bytes. An
// element that cannot be read is recorded up to the error, and the cursor stops there. each may be called from any
// goroutine, and must read with the cursor it is given.
func (c *Cursor) Indexed(elem string, n, least int64, each func(e *Cursor, i int)) {
	if c.err == nil && (n < 0 || least > 0 && n > c.Remaining()/least) {
		c.Fail("%d × %s need more than the remaining %d bytes", n, elem, c.Remaining())
		return
	}
	c.IndexedUntil(elem, func(_ *Cursor, i int) bool { return int64(i) < n }, each)
}

// IndexedUntil is Indexed with elements as long as hasNext, called at the end of the last element, returns true. It
// returns the number of complete elements.
func (c *Cursor) IndexedUntil(elem string, hasNext func(e *Cursor, i int) bool, each func(e *Cursor, i int)) int {
	if c.err != nil {
		return 0
	}
	var n int
	var endless bool
	c.nestList(elem, func() { n, endless = c.readList(elem, hasNext, each) })
	if endless {
		c.Fail("%s: more than %d empty elements; the rest is skipped", elem, maxEmpty)
	}
	return n
}

// readList reads a list in the mode of the cursor. It returns the results of readUntil.
func (c *Cursor) readList(elem string, hasNext func(e *Cursor, i int) bool, each func(e *Cursor, i int)) (int, bool) {
	switch {
	case c.rec == nil:
		return c.readUntil(hasNext, func(i int) { each(c, i) })
	case c.rec.isElement && c.Remaining() <= shortSpan:
		return c.readUntil(hasNext, func(i int) { c.Struct(model.IndexName(i), elem, func() { each(c, i) }) })
	}
	return c.recordMarked(elem, hasNext, each)
}

// A list in an element of which at most shortSpan bytes remain is recorded with it: finding the ends of its elements
// first, and of nested lists later, would read each byte once for each enclosing list.
const shortSpan = 1024

// maxEmpty is the maximum number of consecutive elements without bytes, also in nested lists: the remaining bytes do
// not bound them.
const maxEmpty = 1 << 16

// readUntil calls read for each element as long as hasNext returns true. It returns the number of complete elements,
// and whether it stopped because of too many empty elements.
func (c *Cursor) readUntil(hasNext func(e *Cursor, i int) bool, read func(i int)) (n int, endless bool) {
	for i := 0; hasNext(c, i); i++ {
		start, big := c.Pos(), c.big
		if i%1024 == 1023 && c.stopIfCanceled() {
			return i, false
		}
		read(i)
		if c.big = big; c.err != nil {
			return i, false
		}
		n = i + 1
		if c.Pos() > start {
			c.emptyRun = 0
		} else if c.emptyRun++; c.emptyRun > maxEmpty {
			return n, true
		}
	}
	return n, false
}

// recordMarked finds the ends of the elements that readUntil would read, and records them for decoding on demand. An
// element that cannot be read is recorded at once.
func (c *Cursor) recordMarked(elem string, hasNext func(e *Cursor, i int) bool, each func(e *Cursor, i int)) (int,
	bool) {
	m := NewMarks(c, each)
	e := c.Aside(model.Span{Offset: c.Pos(), Size: c.Remaining()})
	e.mode = findsEnds
	var failure error
	_, endless := e.readUntil(hasNext, func(i int) {
		if each(e, i); e.err == nil {
			m.Add(e.Pos())
		}
		failure = e.err // of the last one; recording it may read with e again
	})
	m.Record(c, elem)
	if failure != nil {
		c.Struct(model.IndexName(m.n), elem, func() { each(c, m.n) })
		if c.err == nil { // the file has changed since; the end of the element is still unknown
			c.Stop(failure)
		}
	}
	c.stopIfCanceled()
	return m.n, endless
}

// digestBlock is the maximum number of bytes of records that are read at a time for summaries. A list of longer records
// has none.
const digestBlock = 128 << 10

// digestRecords describes records without keys by their bytes. size is at most digestBlock.
func digestRecords(src *model.Source, offset, size int64, out []model.Summary) error {
	per := int(digestBlock / size)
	for len(out) > 0 {
		k := min(per, len(out))
		b, err := src.Bytes(model.Span{Offset: offset, Size: int64(k) * size})
		if err != nil {
			return err
		}
		for i := range k {
			s := model.Span{Offset: offset + int64(i)*size, Size: size}
			out[i] = model.Summary{Digest: xxh3.Hash(b[int64(i)*size : int64(i+1)*size]), Span: s}
		}
		offset += int64(k) * size
		out = out[k:]
	}
	return nil
}

// lazyList is the elements of a list that are decoded on demand.
type lazyList struct {
	settings // of the cursors that decode them
	elem     string
	count    int
	find     func(off int64) (from, to int)
	reading  Reading
	sums     *model.Summaries

	list  *model.Node
	first int                          // number of nodes of the list before the elements
	cache []atomic.Pointer[model.Node] // of a short list: the elements that were made
	large atomic.Pointer[largeElement]
	nodes atomic.Int32 // nodes of the last decoded element: the next one has about as many
}

// A list of fewer elements of differing sizes than shortList caches them: a comparison of documents keeps nodes, and a
// list of a few may contain a whole scene.
const shortList = 8

// children makes the children of a list: the nodes before the elements, the elements, and the nodes after them.
func (l *lazyList) children(list *model.Node, children []*model.Node) *model.Elements {
	l.list = list
	return &model.Elements{
		InMemory: l.cache != nil,
		Stopped:  l.stopped,
		First:    append(model.List(nil), children[:l.first]...), Last: append(model.List(nil), children[l.first:]...),
		Count: l.count, Lookup: l.find, Sums: l.sums,
		Make:   l.elementAt,
		Reader: l.reader,
	}
}

// minLarge is the minimum size of an element that is cached until the next large one is decoded: the window reads its
// fields again and again.
const minLarge = 4096

// largeElement is the large element that was made last.
type largeElement struct {
	i int
	n *model.Node
}

func (l *lazyList) elementAt(i int) *model.Node {
	if l.cache != nil {
		if l.cache[i].Load() == nil {
			l.cache[i].CompareAndSwap(nil, l.decode(i))
		}
		return l.cache[i].Load()
	}
	if k := l.large.Load(); k != nil && k.i == i {
		return k.n
	}
	n := l.decode(i)
	if n.Size >= minLarge {
		l.large.Store(&largeElement{i, n})
	}
	return n
}

func (l *lazyList) decode(i int) *model.Node {
	span, each := l.reading()
	e := l.element(l.elem, span(i), max(int(l.nodes.Load()), 1))
	each(e, i)
	l.nodes.Store(int32(min(e.rec.arena.used, maxArena)))
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
		c.mode, c.rec = records, &recorder{isElement: true, arena: arena{maxBlock: arenaReused}}
		r.recording = c
	}
	c.rec.restart(r.elem, span)
	r.each(c, i)
	n := c.Close()
	n.Parent = r.list
	return n
}

// CheckedSpan reads the i-th element without recording it and reports whether its fields have every byte of its span
// and no problems.
func (r *listReader) CheckedSpan(i int) (model.Span, bool) {
	span := r.span(i)
	r.read(i, span, nil)
	return span, r.quiet.Outcome() == Clean && r.quiet.Pos() == span.End()
}

// NodeAlone returns the i-th element without its descendants. The node is valid until the next call.
func (r *listReader) NodeAlone(i int) *model.Node {
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

// Marks stores where consecutive elements begin. If all have one size, it stores only that; otherwise the size of each
// element, and the offset of every markEach-th.
type Marks struct {
	start, end int64
	n          int
	size       int64                  // of every element; 0: they differ
	pass       func(e *Cursor, i int) // reads an element, or skips to its end
	sizes      []uint16
	large      map[int]int64 // the sizes that do not fit there
	marks      []int64       // where every markEach-th element begins
}

const (
	markEach  = 32
	largeSize = math.MaxUint16 // marks a size that does not fit
)

// NewMarks returns the marks of elements that begin at the offset of a cursor. The caller adds them in order. pass
// moves the cursor from the beginning of an element to its end.
func NewMarks(c *Cursor, pass func(e *Cursor, i int)) *Marks {
	return &Marks{start: c.Pos(), end: c.Pos(), pass: pass}
}

// Add adds an element that ends at an offset.
func (m *Marks) Add(end int64) {
	size := end - m.end
	switch {
	case m.n == 0 && size > 0:
		m.size = size
	case m.size > 0 && size != m.size:
		equalSize := m.size
		m.size = 0
		for i := range m.n {
			m.store(i, m.start+int64(i)*equalSize, equalSize)
		}
	}
	if m.size == 0 {
		m.store(m.n, m.end, size)
	}
	m.n++
	m.end = end
}

// store stores the offset and the size of the i-th element once sizes differ.
func (m *Marks) store(i int, off, size int64) {
	if i%markEach == 0 {
		m.marks = append(m.marks, off)
	}
	if size < 0 || size >= largeSize {
		if m.large == nil {
			m.large = make(map[int]int64)
		}
		m.large[i], size = size, largeSize
	}
	m.sizes = append(m.sizes, uint16(size))
}

// sizeOf returns the size of the i-th element, where they differ.
func (m *Marks) sizeOf(i int) int64 {
	if size := m.sizes[i]; size != largeSize {
		return int64(size)
	}
	return m.large[i]
}

// Record adds the elements to the open list of a cursor at their beginning, and moves the cursor to their end.
func (m *Marks) Record(c *Cursor, elem string) {
	if c.rec == nil || c.err != nil {
		c.raise(Sound)
		return
	}
	c.Elements(elem, m.n, m.find, LocatedReading(m.At, m.pass))
	if m.n < shortList {
		c.rec.lazy.cache = make([]atomic.Pointer[model.Node], m.n)
	}
	c.skip(m.end - c.Pos())
}

// Len returns the number of elements.
func (m *Marks) Len() int { return m.n }

// Span returns the span of all elements.
func (m *Marks) Span() model.Span { return model.Span{Offset: m.start, Size: m.end - m.start} }

// At returns the span of the i-th element.
func (m *Marks) At(i int) model.Span {
	if m.size > 0 {
		return model.Span{Offset: m.start + int64(i)*m.size, Size: m.size}
	}
	off := m.marks[i/markEach]
	for k := i - i%markEach; k < i; k++ {
		off += m.sizeOf(k)
	}
	return model.Span{Offset: off, Size: m.sizeOf(i)}
}

// find returns the element that holds the byte at off.
func (m *Marks) find(off int64) (int, int) {
	if off < m.start || off >= m.end {
		return 0, 0
	}
	if m.size > 0 {
		i := int((off - m.start) / m.size)
		return i, i + 1
	}
	i := markEach * (sort.Search(len(m.marks), func(k int) bool { return m.marks[k] > off }) - 1)
	for end := m.marks[i/markEach] + m.sizeOf(i); end <= off; end += m.sizeOf(i) {
		i++
	}
	return i, i + 1
}
