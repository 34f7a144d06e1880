package decode

import (
	"fmt"
	"math"
	"sort"
	"sync/atomic"

	"assay/model"
)

// fault is the error that stopped a cursor. It is formatted on demand: quiet cursors often fail on purpose.
type fault struct {
	format string
	args   []any
}

func (f *fault) Error() string { return fmt.Sprintf(f.format, f.args...) }

// Err returns the first error, without its offset, or the error of the context. It is nil if there is none.
func (c *Cursor) Err() error { return c.err }

// Fail records an error on the open struct, at the current offset, and stops the cursor.
func (c *Cursor) Fail(format string, args ...any) {
	if c.err != nil {
		return
	}
	c.Stop(&fault{format, args})
	if c.rec != nil {
		n := c.rec.node
		n.Warnf(model.Error, model.Span{Offset: c.Pos()}, format, args...)
	}
}

// Stop stops the cursor without a problem. The caller reports the error.
func (c *Cursor) Stop(err error) {
	if c.err == nil {
		c.err = err
		c.allow()
	}
}

// Warnf adds a warning about the last recorded node. Decoding continues.
func (c *Cursor) Warnf(format string, args ...any) {
	c.Remark(model.Warning, c.Last(), format, args...)
}

// Notef adds a note about the last recorded node. Decoding continues.
func (c *Cursor) Notef(format string, args ...any) {
	c.Remark(model.Note, c.Last(), format, args...)
}

// Errorf adds an error about the last recorded node. Decoding continues.
func (c *Cursor) Errorf(format string, args ...any) {
	c.Remark(model.Error, c.Last(), format, args...)
}

// Outcome is the result of a quiet cursor from its start to its current offset.
type Outcome uint8

// The outcomes. Clean: no error, no remark, and every byte is a field's. Sound: no error. Broken: an error that stopped
// the cursor, that Try or Frame caught, or that was remarked.
const (
	Clean Outcome = iota
	Sound
	Broken
)

// Outcome returns the result of a quiet cursor so far.
func (c *Cursor) Outcome() Outcome {
	if c.err != nil {
		return Broken
	}
	return c.outcome
}

// raise sets the outcome to o if o is worse.
func (c *Cursor) raise(o Outcome) { c.outcome = max(c.outcome, o) }

// Subject is the target of a problem: a recorded node, which is nil if the cursor does not record, or a span within the
// open struct.
type Subject interface{ Contains(off int64) bool }

var (
	_ Subject = (*model.Node)(nil)
	_ Subject = model.Span{}
)

// Remark adds a problem about a node or about a part of the open struct. Decoding continues.
func (c *Cursor) Remark(s model.Severity, about Subject, format string, args ...any) {
	if c.err != nil {
		return
	}
	n, _ := about.(*model.Node)
	part, isPart := about.(model.Span)
	switch {
	case c.rec != nil && n == nil && !isPart:
	case c.rec == nil && s == model.Error:
		c.raise(Broken)
	case c.rec == nil:
		c.raise(Sound)
	case isPart:
		c.rec.node.Warnf(s, part, format, args...)
	case n == c.rec.node && n.Size == 0:
		n.Warnf(s, model.Span{Offset: n.Offset, Size: c.Pos() - n.Offset}, format, args...)
	default:
		n.Warnf(s, n.Span, format, args...)
	}
}

// Try runs fields and reports whether they were read without an error. After an error, which stays on the node where it
// happened, the cursor can continue: the decoder calls GoTo.
func (c *Cursor) Try(fields func()) bool {
	if c.err != nil {
		return false
	}
	fields()
	if c.err == nil {
		return true
	}
	c.raise(Broken)
	if c.ctx.Err() == nil {
		c.err = nil
		c.allow()
	}
	return false
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
		same := m.size
		m.size = 0
		for i := range m.n {
			m.keep(i, m.start+int64(i)*same, same)
		}
	}
	if m.size == 0 {
		m.keep(m.n, m.end, size)
	}
	m.n++
	m.end = end
}

// keep stores the offset and the size of the i-th element once sizes differ.
func (m *Marks) keep(i int, off, size int64) {
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

// At returns the bytes of the i-th element.
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
