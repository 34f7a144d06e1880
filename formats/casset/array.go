package casset

import (
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// elements is what is known of the elements of an array before they are read.
type elements struct {
	elem  Type // the zero Type if each has its type before it (2.0)
	n     int64
	least int64 // the fewest bytes of an element, with what comes before it
	bare  bool  // nothing comes before an element
	row   bool  // they are plain: the array is one leaf
	sized bool  // their size comes after their count (1.x)
}

// array reads the table "Array" of 3.0, whose elements have the type that the schema says: as a leaf of that name if
// they are plain.
func (r *reader) array(c *decode.Cursor, name string, t Type) {
	v := &r.lay.values
	l := elements{elem: *t.elem, row: t.leaf(), least: t.elem.kind.least()}
	if l.elem.kind == kStruct {
		l.least = r.schema.sizesOf(l.elem.index, 0).least
	}
	l.bare = v.before == nothing || t.kind == kStore || l.elem.kind == kFunction && v.bareFunctions
	if !l.bare {
		l.least += v.size.Size()
	}
	if r.countElements(c, &l) {
		r.elements(c, name, l)
	}
}

// sized reads the size of a map or an array of 2.0, and then its fields within that size.
func (r *reader) sized(c *decode.Cursor, t Type, fields func()) {
	size := c.Size("size", model.U64)
	n, ok := fit(size, c.Left())
	if !ok || n < 4 {
		c.Fail("a %s of %d bytes does not fit in the %d that are left", t, size, c.Left())
	}
	c.Frame(n, fields)
}

// typedArray reads the table "Array" of 2.0, whose elements have their types before them.
func (r *reader) typedArray(c *decode.Cursor) {
	l := elements{least: 1, row: c.Recording() && r.allPlain(c)}
	if !r.countElements(c, &l) {
		return
	}
	r.elements(c, "value", l)
	if node := c.Node(); node != nil && l.n == 0 {
		node.Value = model.Scalars{}
	}
	if c.Left() > 0 {
		c.Fail("the array ends at %#x, its size leads to %#x", c.Pos(), c.End())
	}
}

// allPlain reports whether an array of 2.0 has elements and all of them are plain.
func (r *reader) allPlain(c *decode.Cursor) bool {
	quiet := reader{file: r.file}
	q := ahead(c, c.Pos(), c.End())
	count := q.U32("count")
	for n := count; n > 0 && q.Err() == nil; n-- {
		t := mapTypes[q.U8("type")]
		if !t.kind.plain() {
			return false
		}
		quiet.plain(q, "value", t.kind)
	}
	return count > 0
}

// countElements reads the count, or only looks at it if it is in the leaf that the array is, and compares it with the
// bytes after it. Elements without bytes are shown up to a bound.
func (r *reader) countElements(c *decode.Cursor, l *elements) bool {
	b := c.Peek(4)
	if b == nil {
		c.Fail("the count of an array needs 4 bytes, %d are left", c.Left())
		return false
	}
	l.n = int64(little.Uint32(b))
	left := c.Left() - 4
	if !l.row {
		c.U32("count")
		c.Role(model.RoleCount)
	}
	switch {
	case l.elem.kind == kStruct && r.schema.entry(c, l.elem.index) == nil:
		return false
	case l.least > 0 && l.n > left/l.least:
		c.Fail("%d elements do not fit in the %d bytes that are left", l.n, left)
		return false
	case l.least == 0 && l.n > emptyMost:
		c.Wrong("%d elements take no bytes at all; the first %d are shown", l.n, emptyMost)
		l.n = emptyMost
	}
	return true
}

// elements reads the elements of an array: as one leaf of that name, with the count, if they are plain.
func (r *reader) elements(c *decode.Cursor, name string, l elements) {
	switch form := &kinds[l.elem.kind]; {
	case !l.row:
		r.list(c, l)
		return
	case l.bare && !l.sized && form.n == 1:
		c.Counted(name, "array", model.U32, form.form)
	default:
		r.row(c, name, l)
	}
	if name == "value" { // of a struct that has what comes before it too
		c.CopyValueUp()
	}
}

// list reads elements that are not plain into the open node.
func (r *reader) list(c *decode.Cursor, l elements) {
	depth := r.depth
	c.Indexed(l.elem.String(), l.n, l.least, func(e *decode.Cursor, i int) {
		in := r
		switch l.elem.kind {
		case kStruct, kFieldList, kUnknown: // others have no fields to count
			in = &reader{file: r.file, depth: depth, visit: r.visit}
		}
		if r.visit != nil {
			r.visit.push(model.IndexName(i))
		}
		switch {
		case l.bare:
			in.value(e, l.elem)
		case l.elem.kind != kUnknown || in.enter(e):
			in.headed(e, l.elem, false)
		}
		r.visit.pop()
	})
}

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
func (r *reader) row(c *decode.Cursor, name string, l elements) {
	head := int64(4)
	if l.sized {
		head += 4
	}
	v := &row{r: r, elem: l.elem, n: l.n, span: model.Span{Offset: c.Pos() + head}}
	var err error
	switch width, fixed := l.elem.kind.fixed(); {
	case fixed && l.bare:
		v.width, v.span.Size = width, width*l.n
		c.Bytes(name, "array", head+v.span.Size)
	case !c.Recording():
		c.Bytes(name, "array", head)
		for n := l.n; n > 0 && c.Err() == nil; n-- {
			r.item(c, l.elem)
		}
	default:
		err = v.mark(c)
		c.Bytes(name, "array", head+v.span.Size)
	}
	if leaf := c.Last(); leaf != nil {
		leaf.Value = v
	}
	if err != nil {
		c.Fail("element %d of %d: %v", v.n, l.n, err)
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
