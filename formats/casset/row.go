package casset

import (
	"fmt"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// row is the plain elements of an array that is one leaf. They are read when they are asked for.
type row struct {
	cursor *decode.Cursor // quiet cursors are made of it
	item   func(c *decode.Cursor) any
	n      int64
	width  int64         // of every element; 0: they differ
	marks  *decode.Marks // of elements that differ
	span   model.Span    // of the elements
}

// row reads n plain elements as one leaf of that name. The leaf begins head bytes before them, with their count.
func (r *reader) row(c *decode.Cursor, name string, head, n int64, k kind) {
	item := func(c *decode.Cursor) any { return r.item(c, k) }
	if width, fixed := k.fixed(); fixed {
		v := &row{cursor: r.cursor, item: item, n: n, width: width,
			span: model.Span{Offset: c.Pos() + head, Size: n * width}}
		v.record(c, name, head)
		return
	}
	err := r.unevenRow(c, name, head, n, func(c *decode.Cursor) { skipPlain(c, k) }, item)
	if err != nil {
		c.Fail("%v", err)
	}
}

// unevenRow is row for elements whose sizes differ, or that have a type or a size before them: skip passes over one,
// and item reads one. The leaf ends before the first element that cannot be read, whose error unevenRow returns; a
// cursor that does not record has the error itself.
func (r *reader) unevenRow(c *decode.Cursor, name string, head, n int64, skip func(c *decode.Cursor),
	item func(c *decode.Cursor) any) error {
	if !c.Recording() {
		c.Bytes(name, "array", head)
		for ; n > 0 && c.Err() == nil; n-- {
			skip(c)
		}
		return nil
	}
	q := ahead(c, c.Pos()+head, c.End())
	v := &row{cursor: r.cursor, item: item, marks: decode.NewMarks(q, nil)}
	var err error
	for ; v.n < n; v.n++ {
		if skip(q); q.Err() != nil {
			err = fmt.Errorf("element %d of %d: %w", v.n, n, q.Err())
			break
		}
		v.marks.Add(q.Pos())
	}
	v.span = v.marks.Span()
	v.record(c, name, head)
	return err
}

// record records the leaf.
func (v *row) record(c *decode.Cursor, name string, head int64) {
	c.Bytes(name, "array", head+v.span.Size)
	if leaf := c.Last(); leaf != nil {
		leaf.Value = v
	}
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
	from := v.span.Offset + first*v.width
	q := v.cursor.Quiet(model.Span{Offset: from, Size: v.span.End() - from})
	out := make([]any, 0, n)
	for i := range n {
		if v.marks != nil {
			q.Reset(v.marks.At(int(first + i)))
		}
		e := v.item(q)
		if err := q.Err(); err != nil {
			return out, err
		}
		out = append(out, e)
	}
	return out, nil
}

// item reads a plain value without a node.
func (f *file) item(c *decode.Cursor, k kind) any {
	switch t := &kinds[k]; {
	case t.n == 1:
		return t.form.Value(c.Number("value", t.form))
	case t.n > 1:
		vector := make(model.Scalars, t.n)
		for i := range vector {
			vector[i] = t.form.Value(c.Number("value", t.form))
		}
		return vector
	case k == kString:
		return strings.ToValidUTF8(c.Terminated("value"), "\uFFFD")
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
