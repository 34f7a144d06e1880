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
	case r.lay.sized || !t.leaf():
		c.Struct(name, t.String(), func() { r.headed(c, t, true) })
	case t.kind == kArray:
		r.array3(c, name, t)
	default:
		r.plain(c, name, t.kind)
	}
	r.visit.pop()
	r.depth--
}

// headed reads the header of a value, if its generation has one, and the value into the open node. named says that the
// header of 2.0 has a name.
func (r *reader) headed(c *decode.Cursor, t Type, named bool) {
	start, size := c.Pos(), int64(0)
	switch {
	case r.lay.generation == 1:
		t, size = r.fieldHeader1(c)
		c.Type(t.String())
	case r.lay.generation == 2:
		t = r.fieldHeader2(c, named)
		c.Type(t.String())
		r.value(c, t)
		return
	case !r.lay.sized:
		r.value(c, t)
		return
	default:
		size = r.fieldHeader3(c, t)
	}
	c.Frame(size, func() {
		if r.lay.generation == 1 {
			t = r.infer(c, t)
		}
		if r.value(c, t); c.Left() > 0 {
			c.Remark(model.Error, model.Span{Offset: start}, "the value ends at %#x, its size leads to %#x", c.Pos(),
				c.End())
		}
	})
}

// fieldHeader2 reads what 2.0 has before a value: the name if the value is in a map, and the type.
func (r *reader) fieldHeader2(c *decode.Cursor, named bool) (t Type) {
	n := c.Node()
	c.Struct("header", "FieldHeader", func() {
		if named {
			r.fieldName(c, n)
		}
		b := c.U8("type")
		if t = mapTypes[b]; t.kind == kUnknown {
			c.Fail("type byte %#02x is not one of 2.0", b)
			return
		}
		c.Symbol(t.String())
	})
	return t
}

// fieldHeader3 reads what 3.0 has before a value, except as the engine writes it now: its size, itself included.
func (r *reader) fieldHeader3(c *decode.Cursor, t Type) (size int64) {
	left := c.Left()
	c.Struct("header", "FieldHeader", func() {
		n := c.Size("size", r.lay.sizeForm)
		own := r.lay.sizeForm.Size()
		width, fixed := t.kind.fixed()
		fits, ok := fit(n, left)
		switch {
		case fixed && n != uint64(width+own):
			c.Wrong("the size of a %s is %d here, not %d", t, width+own, n)
			size = width
		case !ok || fits < own:
			c.Fail("a value of %d bytes does not fit in the %d that are left", n, left)
		default:
			size = fits - own
		}
	})
	return size
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
	case kBinary:
		r.blob(c, t)
	case kObject, kStored, kFunction:
		r.reference(c, t)
	case kStruct, kMap:
		r.members(c, t)
	case kArray, kObjectMap, kStore:
		r.array(c, t)
	case kNone:
		nameValue(c, "null")
	case kEmpty:
		nameValue(c, "no bytes")
	case kUnknown:
		c.Fail("a value of unknown type cannot be read")
	default:
		if r.plain(c, "value", t.kind); !t.either {
			c.CopyValueUp()
		}
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
	switch {
	case r.lay.generation == 2:
		t = mapTypes[c.U8("type")]
	case r.lay.sized:
		size = c.Number("size", r.lay.sizeForm)
	}
	v := r.plainItem(c, t)
	if took := c.Pos() - start; r.lay.sized && size != uint64(took) {
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
func (r *reader) blob(c *decode.Cursor, t Type) {
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
	if r.lay.generation > 1 || t.flags {
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

// reference reads the tables "Object Reference" and "Function Binding", and links the open node to the object. A null
// one is only a UUID of 0, but in 2.0 it has all fields. It returns the name of the package, which only 1.x has.
func (r *reader) reference(c *decode.Cursor, t Type) (name string) {
	generation := r.lay.generation
	object := r.uuid(c, "object")
	if object.null() && generation != 2 && t.kind != kStored {
		nameValue(c, "null")
		return ""
	}
	var bundle id
	if generation == 1 {
		c.Terminated("class")
	}
	if generation > 1 || t.uuids {
		bundle = r.uuid(c, "bundle")
	}
	if generation == 1 {
		if name = c.Terminated("package"); name == "" {
			bundle = id{}
		}
		c.Terminated("path")
	}
	if t.kind == kFunction {
		c.Terminated("name")
	}
	if generation == 2 && object.null() {
		nameValue(c, "null")
	} else if n := c.Node(); n != nil && c.Err() == nil {
		n.Link = r.link(object, bundle, name)
	}
	return name
}

// members reads the fields of a struct or a class, or the entries of a map.
func (r *reader) members(c *decode.Cursor, t Type) {
	switch r.lay.generation {
	case 1:
		r.fields1(c, t.fields)
	case 2:
		r.sized(c, t, func() {
			n := c.U32("count")
			c.Role(model.RoleCount)
			r.entries(c, int64(n))
		})
	case 3:
		r.schemaFields(c, t.index)
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

// entries reads the n entries of a map, which must end with it.
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

// schemaFields reads the fields of a struct or a class in the order of its schema entry.
func (r *reader) schemaFields(c *decode.Cursor, index uint32) {
	e := r.schema.entry(c, index)
	switch {
	case e == nil:
		return
	case e.sizes.cyclic:
		c.Fail("the struct %s contains itself", e.name)
	case !r.lay.sized && e.sizes.fields > fieldsFree+4*e.sizes.least:
		c.Fail("more than %d fields in one object; the rest is not shown", fieldsFree+4*e.sizes.least)
	}
	for i := range e.fields {
		f := &e.fields[i]
		if r.field(c, f.Name, f.Type); c.Err() != nil {
			return
		}
	}
}

// array reads an array: its count and its elements.
func (r *reader) array(c *decode.Cursor, t Type) {
	switch r.lay.generation {
	case 1:
		r.array1(c)
	case 2:
		r.sized(c, t, func() { r.array2(c) })
	case 3:
		if r.array3(c, "value", t); t.leaf() {
			c.CopyValueUp()
		}
	}
}

// elements reads elements that are not plain. least is the fewest bytes of one, fixed says that all have as many, and
// bare that nothing comes before each.
func (r *reader) elements(c *decode.Cursor, elem Type, n, least int64, fixed, bare bool) {
	depth := r.depth
	each := func(e *decode.Cursor, i int) {
		in := r
		if elem.kind == kStruct || elem.kind == kUnknown { // others have no fields to count
			in = &reader{file: r.file, depth: depth, visit: r.visit}
		}
		if r.visit != nil {
			r.visit.push(model.IndexName(i))
		}
		switch {
		case bare:
			in.value(e, elem)
		case elem.kind != kUnknown || in.enter(e):
			in.headed(e, elem, false)
		}
		r.visit.pop()
	}
	if fixed && least > 0 {
		c.Records(elem.String(), n, least, each)
	} else {
		c.Indexed(elem.String(), n, least, each)
	}
}

// array2 reads the elements of an array of 2.0, each with its type before it: as one leaf if all of them are plain.
func (r *reader) array2(c *decode.Cursor) {
	b := c.Peek(4)
	if b == nil {
		c.Fail("the count of an array needs 4 bytes, %d are left", c.Left())
		return
	}
	n := int64(little.Uint32(b))
	if n > c.Left()-4 {
		c.Fail("%d elements do not fit in the %d bytes that are left", n, c.Left()-4)
		return
	}
	if n > 0 && c.Recording() && r.allPlain(c, n) {
		r.row(c, "value", Type{}, 4, n, 0)
		c.CopyValueUp()
	} else {
		c.U32("count")
		c.Role(model.RoleCount)
		if node := c.Node(); node != nil && n == 0 {
			node.Value = model.Scalars{}
		}
		r.elements(c, Type{}, n, 1, false, false)
	}
	if c.Left() > 0 {
		c.Fail("the array ends at %#x, its size leads to %#x", c.Pos(), c.End())
	}
}

// allPlain reports whether all elements of an array of 2.0 are plain.
func (r *reader) allPlain(c *decode.Cursor, n int64) bool {
	quiet := reader{file: r.file}
	q := ahead(c, c.Pos()+4, c.End())
	for ; n > 0 && q.Err() == nil; n-- {
		t := mapTypes[q.U8("type")]
		if !t.kind.plain() {
			return false
		}
		quiet.plain(q, "value", t.kind)
	}
	return true
}

// array3 reads an array of 3.0: as one leaf of that name if its elements are plain.
func (r *reader) array3(c *decode.Cursor, name string, t Type) {
	elem, n, left := *t.elem, int64(0), c.Left()
	if b := c.Peek(4); !t.leaf() {
		n = int64(c.U32("count"))
		c.Role(model.RoleCount)
	} else if b != nil {
		n = int64(little.Uint32(b))
	} else {
		c.Fail("the count of an array needs 4 bytes, %d are left", left)
	}
	bare := !r.lay.sized || t.kind == kStore || elem.kind == kFunction && r.lay.bareFunctions
	least, fixed := r.schema.size(elem, 0)
	if !bare {
		least += r.lay.sizeForm.Size()
		fixed = fixed && elem.kind != kStruct
	}
	n, ok := r.countOf(c, elem, n, least, left-4)
	switch {
	case !ok || c.Err() != nil:
	case !t.leaf():
		if n > 0 {
			r.elements(c, elem, n, least, fixed, bare)
		}
	case bare && kinds[elem.kind].n == 1:
		c.Counted(name, "array", model.U32, kinds[elem.kind].form)
	case !bare || !fixed:
		r.row(c, name, elem, 4, n, 0)
	default:
		r.row(c, name, elem, 4, n, least)
	}
}

// countOf compares the count of an array with the bytes after it. Elements without bytes are shown up to a bound.
func (r *reader) countOf(c *decode.Cursor, elem Type, n, least, left int64) (int64, bool) {
	switch {
	case elem.kind == kStruct && r.schema.entry(c, elem.index) == nil:
		return 0, false
	case least > 0 && n > left/least:
		c.Fail("%d elements do not fit in the %d bytes that are left", n, left)
		return 0, false
	case least == 0 && n > emptyMost:
		c.Wrong("%d elements take no bytes at all; the first %d are shown", n, emptyMost)
		return emptyMost, true
	}
	return n, true
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
