package casset

import (
	"assay/formats/decode"
	"assay/model"
)

// row is the plain elements of an array that is one leaf. They are read when they are asked for.
type row struct {
	r     *reader
	elem  Type
	n     int64
	size  int64         // of every element; 0: they differ
	marks *decode.Marks // of elements that differ
	span  model.Span    // of the elements
}

// row records n plain elements as one leaf, which begins with skip bytes that are not an element: the count. size is
// the number of bytes of every element; 0 if they differ, and then one pass finds where they begin. Elements after one
// that cannot be read are not shown.
func (r *reader) row(c *decode.Cursor, name string, elem Type, skip, n, size int64) {
	v := &row{r: r, elem: elem, n: n, size: size, span: model.Span{Offset: c.Pos() + skip, Size: n * size}}
	var err error
	switch {
	case size > 0:
		c.Bytes(name, "array", skip+v.span.Size)
	case !c.Recording():
		c.Bytes(name, "array", skip)
		for ; n > 0 && c.Err() == nil; n-- {
			r.item(c, elem)
		}
	default:
		err = v.mark(c)
		c.Bytes(name, "array", skip+v.span.Size)
	}
	if leaf := c.Last(); leaf != nil {
		leaf.Value = v
	}
	if err != nil {
		c.Fail("element %d of %d: %v", v.n, n, err)
	}
}

// mark finds where the elements begin, up to one that cannot be read.
func (v *row) mark(c *decode.Cursor) error {
	q := ahead(c, v.span.Offset, c.End())
	v.marks = decode.NewMarks(q, func(e *decode.Cursor, _ int) { v.r.item(e, v.elem) })
	for int64(v.marks.Len()) < v.n && q.Err() == nil {
		if v.r.item(q, v.elem); q.Err() == nil {
			v.marks.Add(q.Pos())
		}
	}
	v.n, v.span = int64(v.marks.Len()), v.marks.Span()
	return q.Err()
}

// Len is the number of elements.
func (v *row) Len() int64 { return v.n }

// Slice reads up to n elements from the first on.
func (v *row) Slice(first, n int64) ([]any, error) {
	first = min(max(first, 0), v.n)
	n = min(max(n, 0), v.n-first)
	if n == 0 {
		return nil, nil
	}
	from := v.span.Offset + first*v.size
	if v.marks != nil {
		from = v.marks.At(int(first)).Offset
	}
	q := v.r.cursor.Quiet(model.Span{Offset: from, Size: v.span.End() - from})
	out := make([]any, 0, n)
	for range n {
		e := v.r.item(q, v.elem)
		if err := q.Err(); err != nil {
			return out, err
		}
		out = append(out, e)
	}
	return out, nil
}
