package decode

import (
	"math"
	"sort"
	"sync/atomic"

	"assay/model"
)

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
