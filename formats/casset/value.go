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

// reader reads the values of one object, or of one element of an array, in any generation.
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

// field reads a field, a member or an entry of a map. name and t are what is known of it: before 3.0 both come before
// the value.
func (r *reader) field(c *decode.Cursor, name string, t Type) {
	if !r.enter(c) {
		return
	}
	r.visit.push(name)
	switch {
	case r.lay.prefix != noPrefix || !t.leaf():
		c.Struct(name, t.String(), func() { r.headed(c, t) })
	case t.kind == kArray:
		r.array(c, name, t)
	default:
		r.plain(c, name, t.kind)
	}
	r.visit.pop()
	r.depth--
}

// headed reads what is before a value in this layout, and the value, into the open node.
func (r *reader) headed(c *decode.Cursor, t Type) {
	switch r.lay.prefix {
	case noPrefix:
		r.value(c, t)
	case sizePrefix:
		r.sizedValue(c, t)
	case typePrefix:
		r.typedValue(c, true)
	case entryPrefix:
		r.fieldEntry(c)
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

// value reads a value into the open node.
func (r *reader) value(c *decode.Cursor, t Type) {
	switch t.kind {
	case kBinary, kBinaryNoFlags:
		r.blob(c, t.kind)
	case kObject, kFullObject, kFunction:
		r.reference(c, t.kind)
	case kNamedObject, kNamedUUIDs:
		r.namedReference(c, t.kind)
	case kStruct:
		r.schemaFields(c, t.index)
	case kMap:
		r.nestedMap(c, t)
	case kFieldList:
		r.fieldList(c, t.fields)
	case kArray, kStore:
		if r.array(c, "value", t); t.leaf() {
			c.CopyValueUp()
		}
	case kTypedArray:
		r.typedArray(c, t)
	case kDeclaredArray, kObjectMap:
		r.declaredArray(c)
	case kNone:
		nameValue(c, "null")
	case kEmpty:
		nameValue(c, "no bytes")
	case kUnknown:
		c.Fail("a value of unknown type cannot be read")
	case kNullOrEnum:
		r.plain(c, "value", kU64)
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

// item reads a plain element of an array with its header and returns its value.
func (r *reader) item(c *decode.Cursor, t Type) any {
	start, size := c.Pos(), uint64(0)
	switch r.lay.prefix {
	case typePrefix:
		t = mapTypes[c.U8("type")]
	case sizePrefix:
		size = c.Number("size", r.lay.sizeForm)
	}
	v := r.plainItem(c, t)
	if took := c.Pos() - start; r.lay.prefix == sizePrefix && size != uint64(took) {
		c.Fail("the size of a %s is %d here, not %d", t, took, size)
	}
	return v
}

func (r *reader) plainItem(c *decode.Cursor, t Type) any {
	switch k := &kinds[t.kind]; {
	case k.n == 1:
		return k.form.Value(c.Number("value", k.form))
	case k.n > 1:
		v := make(model.Scalars, k.n)
		for i := range v {
			v[i] = k.form.Value(c.Number("value", k.form))
		}
		return v
	case t.kind == kString:
		return strings.ToValidUTF8(c.Terminated("value"), "\uFFFD")
	case t.kind == kUUID:
		return r.uuid(c, "value").String()
	}
	return nil
}

// blob reads the table "Binary": length, flags, bytes. Blobs of 1.x may have no flags, and an empty one no length.
func (r *reader) blob(c *decode.Cursor, k kind) {
	package20 := r.lay.generation == 2 && !r.lay.bundle
	if r.lay.generation == 1 && c.Left() == 0 || package20 && bareBlob(c) {
		r.visit.blob(c.Bytes("data", "bytes", 0))
		c.CopyValueUp()
		if package20 {
			c.Note("an empty blob without its length, as packages had before 2024")
		}
		return
	}
	n := c.Size("length", model.U64)
	if k != kBinaryNoFlags {
		c.U64("flags")
	}
	size, ok := fit(n, c.Left())
	if !ok {
		c.Fail("a blob of %d bytes does not fit in the %d that are left", n, c.Left())
		return
	}
	b := c.Bytes("data", "bytes", size)
	c.CopyValueUp()
	if c.Err() == nil {
		r.visit.blob(b)
	}
}

// ahead returns a cursor for a look ahead at a part of the file.
func ahead(c *decode.Cursor, from, end int64) *decode.Cursor {
	return c.Aside(model.Span{Offset: from, Size: end - from})
}

// reference reads the tables "Object Reference" and "Function Binding", and links the open node to the object.
func (r *reader) reference(c *decode.Cursor, k kind) {
	object := r.uuid(c, "object")
	if object.null() && k != kFullObject {
		nameValue(c, "null")
		return
	}
	bundle := r.uuid(c, "bundle")
	if k == kFunction {
		c.Terminated("name")
	}
	r.linkTo(c, object, bundle, "")
}

// linkTo links the open node to an object of a bundle, or of a package by its name.
func (r *reader) linkTo(c *decode.Cursor, object, bundle id, name string) {
	if object.null() {
		nameValue(c, "null")
	} else if n := c.Node(); n != nil && c.Err() == nil {
		n.Link = r.link(object, bundle, name)
	}
}

// elements reads elements that are not plain: read reads one. least is the fewest bytes of one, and fixed says that all
// have as many.
func (r *reader) elements(c *decode.Cursor, elem Type, n, least int64, fixed bool,
	read func(in *reader, e *decode.Cursor)) {
	depth := r.depth
	each := func(e *decode.Cursor, i int) {
		in := r
		switch elem.kind {
		case kStruct, kFieldList, kUnknown: // others have no fields to count
			in = &reader{file: r.file, depth: depth, visit: r.visit}
		}
		if r.visit != nil {
			r.visit.push(model.IndexName(i))
		}
		read(in, e)
		r.visit.pop()
	}
	if fixed && least > 0 {
		c.Records(elem.String(), n, least, each)
	} else {
		c.Indexed(elem.String(), n, least, each)
	}
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

func (v *visitor) blob(b model.Blob) {
	if v != nil {
		v.take(v.names, b)
	}
}
