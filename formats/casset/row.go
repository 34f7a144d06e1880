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
	var odd oddSizes
	var err error
	switch width, fixed := a.elem.kind.fixed(); {
	case fixed && a.bare:
		v.width, v.span.Size = width, width*a.n
		c.Bytes(name, "array", head+v.span.Size)
	case !c.Recording():
		c.Bytes(name, "array", head)
		odd = v.pass(c)
	default:
		q := ahead(c, v.span.Offset, c.End())
		v.marks = decode.NewMarks(q, nil)
		odd, err = v.pass(q), q.Err()
		v.n, v.span = int64(v.marks.Len()), v.marks.Span()
		c.Bytes(name, "array", head+v.span.Size)
	}
	if leaf := c.Last(); leaf != nil {
		leaf.Value = v
	}
	if odd.count > 0 {
		c.Wrong("the sizes of %d of %d elements contradict their type; the first is element %d: "+
			"the size of a %s is %d here, not %d", odd.count, a.n, odd.first, a.elem, odd.took, odd.size)
	}
	if err != nil {
		c.Fail("element %d of %d: %v", v.n, a.n, err)
	}
}

// oddSizes is how many elements have a size before them that is not that of their type, and the first of them.
type oddSizes struct {
	count, first int64
	size         uint64 // as it says
	took         int64
}

// pass reads the elements, up to one that cannot be read, and marks where each ends if there are marks.
func (v *row) pass(c *decode.Cursor) (odd oddSizes) {
	sized := v.r.lay.values.before == itsSize
	for i := range v.n {
		start := c.Pos()
		_, size := v.r.item(c, v.elem)
		if c.Err() != nil {
			break
		}
		if took := c.Pos() - start; sized && size != uint64(took) {
			if odd.count++; odd.count == 1 {
				odd.first, odd.size, odd.took = i, size, took
			}
			next := size
			if v.elem.kind == kString { // its sizes differ
				next = 0
			}
			c.GoTo(c.Pos() + v.r.surplus(c, start, size, c.Pos(), next))
		}
		if v.marks != nil {
			v.marks.Add(c.Pos())
		}
	}
	return odd
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
	for i := range n {
		e, _ := v.r.item(q, v.elem)
		if err := q.Err(); err != nil {
			return out, err
		}
		if out = append(out, e); v.marks != nil {
			q.GoTo(v.marks.At(int(first + i)).End())
		}
	}
	return out, nil
}

// item reads a plain element, with what comes before it, and returns its value and the size that it says, if it does.
func (r *reader) item(c *decode.Cursor, t Type) (v any, size uint64) {
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
	return v, size
}
