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

// schemaFields reads the fields of a class or the members of a struct, in the order of their schema entry (3.0).
func (r *reader) schemaFields(c *decode.Cursor, index uint32) {
	e := r.schema.entry(c, index)
	switch {
	case e == nil:
		return
	case e.cyclic():
		c.Fail("the struct %s contains itself", e.name)
	case r.lay.values.before == nothing && e.sizes.fields > fieldsFree+4*e.sizes.least:
		c.Fail("more than %d fields in one object; the rest is not shown", fieldsFree+4*e.sizes.least)
	}
	for i := range e.fields {
		f := &e.fields[i]
		if r.field(c, f.Name, f.Type); c.Err() != nil {
			return
		}
	}
}

// entries reads the n entries of a map, which must end with it (2.0).
func (r *reader) entries(c *decode.Cursor, n int64) {
	if n > c.Left()/2 {
		c.Fail("%d entries do not fit in the %d bytes that are left", n, c.Left())
	}
	for ; n > 0 && c.Err() == nil; n-- {
		r.field(c, "entry", Type{})
	}
	if c.Left() > 0 {
		c.Fail("the map ends at %#x, its size leads to %#x", c.Pos(), c.End())
	}
}

// field reads a field, a member or an entry of a map. name and t are what is known of it: before 3.0 both come before
// the value.
func (r *reader) field(c *decode.Cursor, name string, t Type) {
	if !r.enter(c) {
		return
	}
	r.visit.push(name)
	switch {
	case r.lay.values.before != nothing || !t.leaf():
		c.Struct(name, t.String(), func() { r.headed(c, t, true) })
	case t.kind == kArray:
		r.array(c, name, t)
	default:
		r.plain(c, name, t.kind)
	}
	r.visit.pop()
	r.depth--
}

// headed reads what comes before a value in this layout, and the value, into the open node. named says that the value
// is in a map, where its name comes first.
func (r *reader) headed(c *decode.Cursor, t Type, named bool) {
	switch r.lay.values.before {
	case nothing:
		r.value(c, t)
	case itsSize:
		r.sizedValue(c, t)
	case itsType:
		r.typedValue(c, named)
	case itsEntry:
		r.fieldEntry(c)
	}
}

// sizedValue reads a value with its size before it, which counts itself (3.0).
func (r *reader) sizedValue(c *decode.Cursor, t Type) {
	start, left, own := c.Pos(), c.Left(), r.lay.values.size.Size()
	size := int64(0)
	c.Struct("header", "FieldHeader", func() {
		n := c.Size("size", r.lay.values.size)
		if width, fixed := t.kind.fixed(); fixed && n != uint64(width+own) {
			c.Wrong("the size of a %s is %d here, not %d", t, width+own, n)
			size = width + r.surplus(c, start, n, c.Pos()+width, 0)
			return
		}
		whole, ok := fit(n, left)
		if !ok || whole < own {
			c.Fail("a value of %d bytes does not fit in the %d that are left", n, left)
		}
		size = whole - own
	})
	r.framed(c, start, size, func() { r.value(c, t) })
}

// surplus returns how many bytes follow a value that began at start with its size, n, and ends at end by its type: none
// unless its size is more likely than its type to lead to the next value, whose size may be known.
func (r *reader) surplus(c *decode.Cursor, start int64, n uint64, end int64, next uint64) int64 {
	size, ok := fit(n, c.End()-start)
	if !ok || start+size <= end || r.sizesFollow(c, start+size, next) <= r.sizesFollow(c, end, next) {
		return 0
	}
	return start + size - end
}

// sizesFollow returns how likely it is that the next value, or the end, is at an offset: 2 if the size is there that is
// next, 1 if sizes lead from there to the end, or from one value to the next a few times; else 0.
func (r *reader) sizesFollow(c *decode.Cursor, pos int64, next uint64) int {
	const few = 4
	q, form := ahead(c, pos, c.End()), r.lay.values.size
	for i := 0; i < few && q.Left() > 0; i++ {
		at, left := q.Pos(), q.Left()
		stated := q.Number("size", form)
		size, ok := fit(stated, left)
		switch {
		case !ok || size < form.Size():
			return 0
		case i == 0 && stated == next:
			return 2
		}
		q.GoTo(at + size)
	}
	return 1
}

// typedValue reads a value with its type before it, and its name if it is in a map (2.0).
func (r *reader) typedValue(c *decode.Cursor, named bool) {
	var t Type
	n := c.Node()
	c.Struct("header", "FieldHeader", func() {
		if named {
			r.fieldName(c, n)
		}
		b := c.U8("type")
		if t = mapTypes[b]; t.kind == kUnknown {
			c.Fail("type byte %#02x is not one of 2.0", b)
		}
		c.Symbol(t.String())
	})
	c.Type(t.String())
	r.value(c, t)
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

// value reads the table "Field Value" into the open node.
func (r *reader) value(c *decode.Cursor, t Type) {
	switch t.kind {
	case kBinary:
		r.blob(c, t)
	case kObject, kFunction:
		r.reference(c, t)
	case kStruct:
		r.schemaFields(c, t.index)
	case kFieldList:
		if t.fields == 0 {
			r.fieldList(c)
		}
		for range t.fields {
			r.field(c, "field", Type{})
		}
	case kMap:
		r.sized(c, t, func() {
			n := c.U32("count")
			c.Role(model.RoleCount)
			r.entries(c, int64(n))
		})
	case kArray, kStore:
		r.array(c, "value", t)
	case kTypedArray:
		r.sized(c, t, func() { r.typedArray(c) })
	case kDeclaredArray, kObjectMap:
		r.declaredArray(c)
	case kUnknown:
		c.Fail("a value of unknown type cannot be read")
	case kNone:
		nameValue(c, "null")
	default:
		r.plain(c, "value", t.kind)
		c.CopyValueUp()
	}
}

// nameValue says in words what the value of the open struct is that has no bytes.
func nameValue(c *decode.Cursor, symbol string) {
	if n := c.Node(); n != nil && c.Err() == nil {
		n.Symbols = model.Symbol(symbol)
	}
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

// blob reads the table "Binary": length, flags, bytes.
func (r *reader) blob(c *decode.Cursor, t Type) {
	if r.lay.values.bareBlobs && bareBlob(c) {
		r.bytes(c, 0)
		c.Note("an empty blob without its length, as packages had before 2024")
		return
	}
	n := c.Size("length", model.U64)
	if !t.short {
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

// bareBlob reports whether a blob's length cannot be one, and the name of the next entry or the end of the map is there
// instead: early writers of 2.0 wrote nothing for an empty blob.
func bareBlob(c *decode.Cursor) bool {
	if c.Left() == 0 {
		return true
	}
	if b := c.Peek(8); b != nil {
		if _, ok := fit(little.Uint64(b), c.Left()-16); ok {
			return false
		}
	}
	const most = 128
	q := ahead(c, c.Pos(), c.Pos()+min(c.Left(), most))
	name := q.Terminated("name")
	for _, r := range name {
		if r < 0x20 || r > 0x7E {
			return false
		}
	}
	return name != "" && mapTypes[q.U8("type")].kind != kUnknown && q.Err() == nil
}

// ahead returns a cursor for a look ahead at a part of the file.
func ahead(c *decode.Cursor, from, end int64) *decode.Cursor {
	return c.Aside(model.Span{Offset: from, Size: end - from})
}

// reference reads the tables "Object Reference" and "Function Binding", and links the open node to the object. The
// references of 1.x have names.
func (f *file) reference(c *decode.Cursor, t Type) {
	if f.lay.values.before == itsEntry {
		f.namedReference(c, t)
		return
	}
	object := f.uuid(c, "object")
	if object.null() && !t.whole {
		nameValue(c, "null")
		return
	}
	bundle := f.uuid(c, "bundle")
	if t.kind == kFunction {
		c.Terminated("name")
	}
	f.linkTo(c, object, bundle, "")
}

// linkTo links the open node to an object of a bundle, or of a package by its name.
func (f *file) linkTo(c *decode.Cursor, object, bundle id, name string) {
	if object.null() {
		nameValue(c, "null")
	} else if n := c.Node(); n != nil && c.Err() == nil {
		n.Link = f.link(object, bundle, name)
	}
}

// arrayHead is what is known of an array before its elements are read.
type arrayHead struct {
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
	a := arrayHead{elem: *t.elem, row: t.leaf(), least: t.elem.least()}
	if a.elem.kind == kStruct {
		a.least = r.schema.sizesOf(a.elem.index, 0).least
	}
	a.bare = v.before == nothing || t.kind == kStore || a.elem.kind == kFunction && v.bareFunctions
	if !a.bare {
		a.least += v.size.Size()
	}
	if r.countElements(c, &a) {
		r.elements(c, name, a)
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
	a := arrayHead{least: 1, row: c.Recording() && r.allPlain(c)}
	if !r.countElements(c, &a) {
		return
	}
	r.elements(c, "value", a)
	if node := c.Node(); node != nil && a.n == 0 {
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
func (r *reader) countElements(c *decode.Cursor, a *arrayHead) bool {
	b := c.Peek(4)
	if b == nil {
		c.Fail("the count of an array needs 4 bytes, %d are left", c.Left())
		return false
	}
	a.n = int64(little.Uint32(b))
	left := c.Left() - 4
	if !a.row {
		c.U32("count")
		c.Role(model.RoleCount)
	}
	switch {
	case a.elem.kind == kStruct && r.schema.entry(c, a.elem.index) == nil:
		return false
	case a.least > 0 && a.n > left/a.least:
		c.Fail("%d elements do not fit in the %d bytes that are left", a.n, left)
		return false
	case a.least == 0 && a.n > emptyMost:
		c.Wrong("%d elements take no bytes at all; the first %d are shown", a.n, emptyMost)
		a.n = emptyMost
	}
	return true
}

// elements reads the elements of an array: as one leaf of that name, with the count, if they are plain.
func (r *reader) elements(c *decode.Cursor, name string, a arrayHead) {
	switch form := &kinds[a.elem.kind]; {
	case !a.row:
		r.list(c, a)
		return
	case a.bare && !a.sized && form.n == 1:
		c.Counted(name, "array", model.U32, form.form)
	default:
		r.row(c, name, a)
	}
	if name == "value" { // of a struct that has what comes before it too
		c.CopyValueUp()
	}
}

// list reads elements that are not plain into the open node.
func (r *reader) list(c *decode.Cursor, a arrayHead) {
	depth := r.depth
	c.Indexed(a.elem.String(), a.n, a.least, func(e *decode.Cursor, i int) {
		in := r
		switch a.elem.kind {
		case kStruct, kFieldList, kUnknown: // others have no fields to count
			in = &reader{file: r.file, depth: depth, visit: r.visit}
		}
		if r.visit != nil {
			r.visit.push(model.IndexName(i))
		}
		switch {
		case a.bare:
			in.value(e, a.elem)
		case a.elem.kind != kUnknown || in.enter(e):
			in.headed(e, a.elem, false)
		}
		r.visit.pop()
	})
}
