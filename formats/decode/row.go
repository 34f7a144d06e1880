package decode

import (
	"math"

	"assay/model"
)

// Row records n plain values in a row, strings or vectors, as one leaf with an Array that reads them when they are
// asked for. The leaf begins with skip bytes that are not a value: its count. size is the number of bytes of every
// value; 0 if they differ, and then one quiet pass finds where they begin. value reads one value and returns it; it may
// be called from any goroutine. Values after one that cannot be read are not shown, and the cursor stops.
func (c *Cursor) Row(name, typ string, skip, n, size int64, value func(e *Cursor) any) {
	if c.err != nil {
		return
	}
	if left := c.Left() - skip; left < 0 || n < 0 || size > 0 && n > left/size {
		c.Fail("%s: %d values of %d bytes do not fit in the %d that are left", name, n, max(size, 0), max(left, 0))
		return
	}
	start := c.Pos() + skip
	if size > 0 {
		if c.rec == nil {
			c.skip(skip + n*size)
			return
		}
		c.field(name, typ, skip+n*size, &row{c: c, n: n, value: value, end: start + n*size,
			offset: func(i int64) int64 { return start + i*size }})
		return
	}
	each := func(e *Cursor, _ int) { value(e) }
	if c.rec == nil {
		c.skip(skip)
		for i := int64(0); i < n && c.err == nil && (i%1024 != 1023 || !c.canceled()); i++ {
			value(c)
		}
		return
	}
	m, err := c.mark(start, upTo(min(n, math.MaxInt32)), each)
	c.field(name, typ, m.end-c.Pos(), &row{c: c, n: int64(m.n), value: value, end: m.end,
		offset: func(i int64) int64 { return m.At(int(i)).Offset }})
	if err != nil {
		c.Fail("element %d of %d: %v", m.n, n, err)
	}
}

// row is the values of a Row.
type row struct {
	c      *Cursor // only its kind is used
	n, end int64
	offset func(i int64) int64
	value  func(e *Cursor) any
}

// Len is the number of values.
func (r *row) Len() int64 { return r.n }

// Slice reads up to n values from the first on.
func (r *row) Slice(first, n int64) ([]any, error) {
	first = min(max(first, 0), r.n)
	n = min(max(n, 0), r.n-first)
	if n == 0 {
		return nil, nil
	}
	start := r.offset(first)
	e := r.c.Quiet(model.Span{Offset: start, Size: r.end - start})
	out := make([]any, 0, n)
	for range n {
		v := r.value(e)
		if e.err != nil {
			return out, e.err
		}
		out = append(out, v)
	}
	return out, nil
}
