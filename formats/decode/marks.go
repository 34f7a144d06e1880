package decode

import (
	"sort"
	"sync/atomic"

	"assay/model"
)

// Marks tell where elements begin that follow one another. While all have one size nothing is kept; else the places of
// every few, from which the others are found.
type Marks struct {
	c          *Cursor // only its kind is used
	start, end int64
	n          int
	size       int64                  // of every element; 0: they differ
	pass       func(e *Cursor, i int) // reads an element, or goes to where it ends
	marks      []mark
	last       atomic.Pointer[mark] // where the element after the one looked at last begins
}

type mark struct {
	i   int
	off int64
}

// A mark is kept every so many elements or so many bytes.
const (
	markElements = 32
	markBytes    = 1024
)

// NewMarks returns the marks of elements that begin where a cursor is: whoever reads them adds one after the other.
// pass goes from the beginning of an element to its end.
func NewMarks(c *Cursor, pass func(e *Cursor, i int)) *Marks {
	return &Marks{c: c, start: c.Pos(), end: c.Pos(), pass: pass}
}

// Add adds an element that ends at an offset.
func (m *Marks) Add(end int64) {
	size := end - m.end
	if m.n == 0 {
		m.size = size
	}
	if size != m.size || size == 0 {
		m.differ()
	}
	m.n++
	m.end = end
}

// differ puts marks up to the next element, which has not the size of those before it.
func (m *Marks) differ() {
	if size := m.size; size > 0 {
		m.size = 0
		every := int(max(1, min(markElements, markBytes/size)))
		for i := 0; i < m.n; i += every {
			m.marks = append(m.marks, mark{i, m.start + int64(i)*size})
		}
	}
	if k := len(m.marks); k == 0 || m.n-m.marks[k-1].i >= markElements || m.end-m.marks[k-1].off >= markBytes {
		m.marks = append(m.marks, mark{m.n, m.end})
	}
}

// Record puts the elements into the open list of a cursor that is where they begin, and goes on after them.
func (m *Marks) Record(c *Cursor, elem string) {
	if c.rec == nil || c.err != nil {
		c.skipped = true
		return
	}
	c.Elements(elem, m.n, m.find, func(look *Cursor) (func(i int) model.Span, func(e *Cursor, i int)) {
		return func(i int) model.Span { return m.at(look, i) }, m.pass
	})
	c.rec.lazy.marks = m
	if m.n < shortList {
		c.rec.lazy.all = make([]atomic.Pointer[model.Node], m.n)
	}
	c.skip(m.end - c.Pos())
}

// Len is the number of elements.
func (m *Marks) Len() int { return m.n }

// Span is that of all elements.
func (m *Marks) Span() model.Span { return model.Span{Offset: m.start, Size: m.end - m.start} }

// cursor returns one that finds ends.
func (m *Marks) cursor(from, end int64) *Cursor {
	e := m.c.Quiet(model.Span{Offset: from, Size: end - from})
	e.endsOnly = true
	return e
}

// At returns the bytes of the i-th element.
func (m *Marks) At(i int) model.Span { return m.at(nil, i) }

// at is At with a quiet cursor to look with, if there is one.
func (m *Marks) at(look *Cursor, i int) model.Span {
	if m.size > 0 {
		return model.Span{Offset: m.start + int64(i)*m.size, Size: m.size}
	}
	last := mark{}
	if l := m.last.Load(); l != nil {
		last = *l
	}
	if look == nil {
		look = m.c.Quiet(model.Span{})
	}
	look.endsOnly = true
	s := m.walk(look, last, i)
	m.last.Store(&mark{i + 1, s.End()})
	return s
}

// Spans returns what tells the bytes of an element, for those who go through the elements in order and ask for each
// once or twice.
func (m *Marks) Spans() func(i int) model.Span {
	if m.size > 0 {
		return m.At
	}
	e, next, last := m.cursor(m.start, m.end), mark{}, model.Span{}
	return func(i int) model.Span {
		if i != next.i-1 {
			last = m.walk(e, next, i)
			next = mark{i + 1, last.End()}
		}
		return last
	}
}

// walk finds the i-th element from the nearest element that is known to begin before it.
func (m *Marks) walk(e *Cursor, known mark, i int) model.Span {
	at := m.marks[sort.Search(len(m.marks), func(k int) bool { return m.marks[k].i > i })-1]
	if known.i <= i && known.i > at.i {
		at = known
	}
	e.Reset(model.Span{Offset: at.off, Size: m.end - at.off})
	for ; at.i < i; at.i++ {
		m.pass(e, at.i)
	}
	start := e.Pos()
	m.pass(e, i)
	return model.Span{Offset: start, Size: e.Pos() - start}
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
	at := m.marks[sort.Search(len(m.marks), func(k int) bool { return m.marks[k].off > off })-1]
	e := m.cursor(at.off, m.end)
	for i := at.i; ; i++ {
		if m.pass(e, i); e.Pos() > off || e.err != nil {
			return i, i + 1
		}
	}
}
