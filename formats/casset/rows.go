package casset

import (
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// row is the plain elements of an array that is one leaf. They are read when they are asked for.
type row struct {
	cursor *decode.Cursor // quiet cursors are made of it
	n      int64
	span   func(i int64) model.Span // of the i-th element
	item   func(c *decode.Cursor) any
}

// Len is the number of elements.
func (v *row) Len() int64 { return v.n }

// Slice reads up to n elements from the first on.
func (v *row) Slice(first, n int64) ([]any, error) {
	first = min(max(first, 0), v.n)
	q, out := v.cursor.Quiet(model.Span{}), make([]any, min(max(n, 0), v.n-first))
	for i := range out {
		q.Reset(v.span(first + int64(i)))
		if out[i] = v.item(q); q.Err() != nil {
			return out[:i], q.Err()
		}
	}
	return out, nil
}

// row reads n plain elements as one leaf of that name. The leaf begins head bytes before them, with their count.
func (r *reader) row(c *decode.Cursor, name string, head, n int64, k kind) {
	item := func(c *decode.Cursor) any { return r.item(c, k) }
	if width, fixed := k.fixed(); fixed {
		from := c.Pos() + head
		span := func(i int64) model.Span { return model.Span{Offset: from + i*width, Size: width} }
		arrayLeaf(c, name, head+n*width, &row{r.cursor, n, span, item})
		return
	}
	err := r.unevenRow(c, name, head, n, func(c *decode.Cursor) { skipPlain(c, k) }, item)
	if err != nil {
		c.Fail("%v", err)
	}
}

// unevenRow is row for elements whose sizes differ, or that have a type or a size before them: skip passes over one,
// and item reads one. The leaf ends before the first element that cannot be read, whose error unevenRow returns. A
// quiet cursor passes over them itself: only the leaf needs to know where each is, which costs a tenth of a check.
func (r *reader) unevenRow(c *decode.Cursor, name string, head, n int64, skip func(c *decode.Cursor),
	item func(c *decode.Cursor) any) error {
	q, marks := c, (*decode.Marks)(nil)
	if c.Recording() {
		q = ahead(c, c.Pos()+head, c.End())
		marks = decode.NewMarks(q, nil)
	} else {
		c.Bytes(name, "array", head)
	}
	var err error
	found := int64(0)
	for ; found < n; found++ {
		if skip(q); q.Err() != nil {
			err = fmt.Errorf("element %d of %d: %w", found, n, q.Err())
			break
		}
		if marks != nil {
			marks.Add(q.Pos())
		}
	}
	if marks == nil {
		return err
	}
	span := func(i int64) model.Span { return marks.At(int(i)) }
	arrayLeaf(c, name, head+marks.Span().Size, &row{r.cursor, found, span, item})
	return err
}

// arrayLeaf reads an array of size bytes, its count included, that is shown as one value.
func arrayLeaf(c *decode.Cursor, name string, size int64, value any) {
	c.Bytes(name, "array", size)
	if leaf := c.Last(); leaf != nil {
		leaf.Value = value
	}
}

// item reads a plain value without a node.
func (f *file) item(c *decode.Cursor, k kind) any {
	switch t := &kinds[k]; {
	case t.count == 1:
		return t.form.Value(c.Number("value", t.form))
	case t.count > 1:
		vector := make(model.Scalars, t.count)
		for i := range vector {
			vector[i] = t.form.Value(c.Number("value", t.form))
		}
		return vector
	case k == kString:
		return decode.ValidUTF8(c.Terminated("value"))
	case k == kUUID:
		return f.uuid(c, "value").String()
	}
	return nil
}

// skipPlain passes over a plain value.
func skipPlain(c *decode.Cursor, k kind) {
	if width, fixed := k.fixed(); fixed {
		c.Bytes("value", "", width)
	} else {
		c.Terminated("value")
	}
}
