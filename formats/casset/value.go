package casset

import (
	"strings"

	"assay/formats/decode"
	"assay/model"
)

const (
	nestMost  = 200     // levels of structs, maps and arrays in one value
	fieldMost = 100_000 // fields that are decoded at once: those of one object, or of one element of an array
	emptyMost = 4096    // elements without bytes that are shown
)

// reader reads the values of one object, or of one element of an array.
type reader struct {
	*file
	depth  int
	fields int      // that have been read
	visit  *visitor // may be nil
}

// visitor calls take with the numbers and the blobs of an object, and with the names of the fields and the elements
// that each is in, which are good until it returns. A nil visitor does nothing.
type visitor struct {
	names []string
	take  func(names []string, value any)
}

// visit reads the i-th object quietly and calls take with the numbers and the blobs in its fields.
func (f *file) visit(q *decode.Cursor, i int, take func(names []string, value any)) {
	q.Reset(f.objects.span(i))
	f.object(q, &reader{file: f, visit: &visitor{take: take}})
}

func (v *visitor) push(name string) {
	if v != nil {
		v.names = append(v.names, name)
	}
}

func (v *visitor) rename(name string) {
	if v != nil {
		v.names[len(v.names)-1] = name
	}
}

func (v *visitor) pop() {
	if v != nil {
		v.names = v.names[:len(v.names)-1]
	}
}

// field calls read, which reads a field, a member or an entry of a map, unless it is nested too deep or there are too
// many fields. The name is what a visitor is told.
func (r *reader) field(c *decode.Cursor, name string, read func()) {
	if !r.enter(c) {
		return
	}
	r.visit.push(name)
	read()
	r.visit.pop()
	r.depth--
}

// enter counts one field and one level; it fails when a value nests too deep or has too many fields.
func (r *reader) enter(c *decode.Cursor) bool {
	if r.fields++; r.fields > fieldMost {
		c.Fail("more than %d fields in one object; the rest is not shown", fieldMost)
	}
	if r.depth >= nestMost {
		c.Fail("values nest deeper than %d levels; what is below is not shown", nestMost)
	}
	if c.Err() != nil {
		return false
	}
	r.depth++
	return true
}

// fieldName reads the name of a field, which is in the field's header. n is the field's node, if it is recorded.
func (r *reader) fieldName(c *decode.Cursor, n *model.Node) {
	name := c.Terminated("name")
	if c.Err() != nil {
		return
	}
	r.visit.rename(name)
	if n != nil {
		n.Name = strings.ToValidUTF8(name, "\uFFFD")
	}
}

// framed reads a value that has size bytes, and began at start with what is before it.
func (r *reader) framed(c *decode.Cursor, start, size int64, value func()) {
	c.Frame(size, func() {
		if value(); c.Left() > 0 {
			c.Remark(model.Error, model.Span{Offset: start}, "the value ends at %#x, its size leads to %#x", c.Pos(),
				c.End())
		}
	})
}

// nameValue says in words what the value of the open struct is that has no bytes.
func nameValue(c *decode.Cursor, symbol string) {
	if n := c.Node(); n != nil && c.Err() == nil {
		n.Symbols = model.Symbol(symbol)
	}
}

// plainValue reads a plain value, which is that of the open struct too.
func (r *reader) plainValue(c *decode.Cursor, k kind) {
	r.plain(c, "value", k)
	c.CopyValueUp()
}

// plain reads a plain value as a leaf.
func (r *reader) plain(c *decode.Cursor, name string, k kind) {
	switch t := &kinds[k]; {
	case t.n == 1:
		bits := c.Number(name, t.form)
		c.As(t.name)
		if k == kBool && bits > 1 {
			c.Note("a bool is stored as another number than 0 or 1")
		}
		if r.visit != nil && c.Err() == nil {
			r.visit.take(r.visit.names, t.form.Value(bits))
		}
	case t.n > 1:
		c.Array(name, t.name, t.form, t.n)
	case k == kString:
		c.Terminated(name)
	case k == kUUID:
		r.uuid(c, name)
	default:
		c.Bytes(name, t.name, 0)
		if leaf := c.Last(); leaf != nil {
			leaf.Value, leaf.Symbols = nil, model.Symbol(t.name)
		}
	}
}

// blob reads the table "Binary": length, flags, bytes. Blobs from before August 2023 have no flags.
func (r *reader) blob(c *decode.Cursor, flags bool) {
	n := c.Size("length", model.U64)
	if flags {
		c.U64("flags")
	}
	if size, ok := fit(n, c.Left()); ok {
		r.bytes(c, size)
	} else {
		c.Fail("a blob of %d bytes does not fit in the %d that are left", n, c.Left())
	}
}

// bytes reads the bytes of a blob.
func (r *reader) bytes(c *decode.Cursor, size int64) {
	b := c.Bytes("data", "bytes", size)
	c.CopyValueUp()
	if r.visit != nil && c.Err() == nil {
		r.visit.take(r.visit.names, b)
	}
}

// linkTo links the open node to an object of a bundle, or of a package by its name.
func (f *file) linkTo(c *decode.Cursor, object, bundle id, name string) {
	if object.null() {
		nameValue(c, "null")
	} else if n := c.Node(); n != nil && c.Err() == nil {
		n.Link = f.link(object, bundle, name)
	}
}

// count reads the count of an array, or only looks at it if the array is one leaf, and compares it with the bytes after
// it, of which an element has at least least. Elements without bytes are shown up to a bound.
func (r *reader) count(c *decode.Cursor, leaf bool, least int64) (n int64, ok bool) {
	b := c.Peek(4)
	if b == nil {
		c.Fail("the count of an array needs 4 bytes, %d are left", c.Left())
		return 0, false
	}
	n = int64(little.Uint32(b))
	left := c.Left() - 4
	if !leaf {
		c.U32("count")
		c.Role(model.RoleCount)
	}
	switch {
	case least > 0 && n > left/least:
		c.Fail("%d elements do not fit in the %d bytes that are left", n, left)
		return 0, false
	case least == 0 && n > emptyMost:
		c.Wrong("%d elements take no bytes at all; the first %d are shown", n, emptyMost)
		n = emptyMost
	}
	return n, true
}

// list reads n elements that are not plain, of type elem and at least least bytes each, into the open node. one reads
// an element. If the elements have fields, own is set: each has a reader of its own, which counts them.
func (r *reader) list(c *decode.Cursor, elem string, n, least int64, own bool, one func(*reader, *decode.Cursor)) {
	shared := &reader{file: r.file, depth: r.depth, visit: r.visit}
	c.Indexed(elem, n, least, func(e *decode.Cursor, i int) {
		in := shared
		if own {
			in = &reader{file: shared.file, depth: shared.depth, visit: shared.visit}
		}
		if in.visit != nil {
			in.visit.push(model.IndexName(i))
		}
		one(in, e)
		in.visit.pop()
	})
}

// ahead returns a cursor for a look ahead at a part of the file.
func ahead(c *decode.Cursor, from, end int64) *decode.Cursor {
	return c.Aside(model.Span{Offset: from, Size: end - from})
}
