package casset

import (
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// row is the plain elements of an array that is one leaf. They are read when they are asked for.
type row struct {
	r     *reader
	elem  Type
	n     int64
	width int64         // of every element; 0: they differ
	marks *decode.Marks // of elements that differ
	span  model.Span    // of the elements
}

// row records plain elements as one leaf of that name, their count included. Those of one width stay in the file; of
// others one pass finds where they begin, and elements after one that cannot be read are not shown.
func (r *reader) row(c *decode.Cursor, name string, a arrayHead) {
	head := int64(4)
	if a.sized {
		head += 4
	}
	v := &row{r: r, elem: a.elem, n: a.n, span: model.Span{Offset: c.Pos() + head}}
	var err error
	switch width, fixed := a.elem.kind.fixed(); {
	case fixed && a.bare:
		v.width, v.span.Size = width, width*a.n
		c.Bytes(name, "array", head+v.span.Size)
	case !c.Recording():
		c.Bytes(name, "array", head)
		for n := a.n; n > 0 && c.Err() == nil; n-- {
			r.item(c, a.elem)
		}
	default:
		err = v.mark(c)
		c.Bytes(name, "array", head+v.span.Size)
	}
	if leaf := c.Last(); leaf != nil {
		leaf.Value = v
	}
	if err != nil {
		c.Fail("element %d of %d: %v", v.n, a.n, err)
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
	from := v.span.Offset + first*v.width
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

// item reads a plain element, with what comes before it, and returns its value.
func (r *reader) item(c *decode.Cursor, t Type) (v any) {
	start, size := c.Pos(), uint64(0)
	switch r.lay.values.before {
	case itsType:
		t = mapTypes[c.U8("type")]
	case itsSize:
		size = c.Number("size", r.lay.values.size)
	}
	switch k := &kinds[t.kind]; {
	case k.n == 1:
		v = k.form.Value(c.Number("value", k.form))
	case k.n > 1:
		vector := make(model.Scalars, k.n)
		for i := range vector {
			vector[i] = k.form.Value(c.Number("value", k.form))
		}
		v = vector
	case t.kind == kString:
		v = strings.ToValidUTF8(c.Terminated("value"), "\uFFFD")
	case t.kind == kUUID:
		v = r.uuid(c, "value").String()
	}
	if took := c.Pos() - start; r.lay.values.before == itsSize && size != uint64(took) {
		c.Fail("the size of a %s is %d here, not %d", t, took, size)
	}
	return v
}
