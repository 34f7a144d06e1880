package casset

import (
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// kind is the kind of a value. It defines the layout of a plain value, and the name of any other.
type kind uint8

const (
	kUnknown kind = iota // or no type that any revision has
	kNull
	kU8
	kU16
	kU32
	kU64
	kS8
	kS16
	kS32
	kS64
	kF32
	kF64
	kBool
	kString
	kVec2
	kVec3
	kVec4
	kVec2i
	kVec3i
	kVec4i
	kMatrix
	kUUID
	kUUID64 // a number, before 3.0
	kEnum   // s64
	kBinary
	kObject // a reference
	kFunction
	kStored // a reference in an object store
	kArray
	kObjectMap // an array of references (1.x)
	kStore     // another (3.0)
	kStruct
	kMap // named values (2.0)
	kindsEnd
)

var kinds = [kindsEnd]struct {
	name  string
	form  model.NumberForm
	count int64 // number of numbers of the form; 0 if the value has other parts
}{
	kUnknown: {name: "unknown"}, kNull: {name: "null"},
	kU8: {"u8", model.U8, 1}, kU16: {"u16", model.U16, 1}, kU32: {"u32", model.U32, 1}, kU64: {"u64", model.U64, 1},
	kS8: {"s8", model.S8, 1}, kS16: {"s16", model.S16, 1}, kS32: {"s32", model.S32, 1}, kS64: {"s64", model.S64, 1},
	kF32: {"f32", model.F32, 1}, kF64: {"f64", model.F64, 1}, kBool: {"bool", model.Bool, 1},
	kString: {name: "string"},
	kVec2:   {"vec2", model.F32, 2}, kVec3: {"vec3", model.F32, 3}, kVec4: {"vec4", model.F32, 4},
	kVec2i: {"vec2i", model.S32, 2}, kVec3i: {"vec3i", model.S32, 3}, kVec4i: {"vec4i", model.S32, 4},
	kMatrix: {"matrix4x4", model.F32, 16},
	kUUID:   {name: "uuid"}, kUUID64: {"uuid", model.U64, 1}, kEnum: {"enum", model.S64, 1},
	kBinary: {name: "binary"},
	kObject: {name: "object"}, kFunction: {name: "function"}, kStored: {name: "object"},
	kArray: {name: "array"}, kObjectMap: {name: "object_map"}, kStore: {name: "object_store"},
	kStruct: {name: "struct"}, kMap: {name: "map"},
}

// String returns the name of the kind, as the tree shows it for a type.
func (k kind) String() string { return kinds[k].name }

// fixedSize returns the number of bytes of every value of the kind, and false for kinds of variable length.
func (k kind) fixedSize() (int64, bool) {
	switch t := &kinds[k]; {
	case t.count > 0:
		return t.count * t.form.Size(), true
	case k == kUUID:
		return 16, true
	}
	return 0, k == kNull
}

// isPlain reports whether values of the kind are Plain Old Data, as the documents call numbers, vectors, strings and
// UUIDs. Arrays of them are one leaf.
func (k kind) isPlain() bool {
	_, fixed := k.fixedSize()
	return fixed || k == kString
}

const (
	maxNesting = 200     // levels of structs, maps and arrays in one value
	maxFields  = 100_000 // fields that are decoded at once, of an object or an element of an array
	maxEmpty   = 4096    // displayed elements without bytes
)

// valueReader reads the values of one object, or of one element of an array.
type valueReader struct {
	*file
	depth   int
	fields  int      // that have been read
	visitor *visitor // may be nil
}

// field calls read, which reads a field, a member or an entry of a map, unless it is nested too deep or there are too
// many fields. The visitor gets the name.
func (r *valueReader) field(c *decode.Cursor, name string, read func()) {
	if !r.enter(c) {
		return
	}
	r.visitor.push(name)
	read()
	r.visitor.pop()
	r.depth--
}

// enter counts one field and one level; it fails when a value nests too deep or has too many fields.
func (r *valueReader) enter(c *decode.Cursor) bool {
	if r.fields++; r.fields > maxFields {
		c.Fail("more than %d fields in one object; the rest is skipped", maxFields)
	}
	if r.depth >= maxNesting {
		c.Fail("values nest deeper than %d levels; deeper ones are skipped", maxNesting)
	}
	if c.Err() != nil {
		return false
	}
	r.depth++
	return true
}

// isFull reports whether no other field is read at this level.
func (r *valueReader) isFull() bool { return r.fields > maxFields || r.depth >= maxNesting }

// typeBytes has the types by their bytes. The element type of an array without one follows in the schema.
type typeBytes [256]schemaType

// withPlain adds the types that all tables have, also in 2.0: u8 is 1, and string is 0x0C.
func withPlain(types typeBytes) *typeBytes {
	for k := kU8; k <= kString; k++ {
		types[k-kU8+1] = schemaType{kind: k}
	}
	return &types
}

var _ model.Choices = (*typeBytes)(nil)

// nameLast gives the type byte that was just read the name of its type.
func (t *typeBytes) nameLast(c *decode.Cursor) {
	if n := c.Last(); n != nil {
		n.Symbols = t
	}
}

func (t *typeBytes) NameOf(value any) string {
	b, ok := value.(uint64)
	if !ok || b >= uint64(len(t)) {
		return ""
	}
	switch typ := t[b]; {
	case typ.kind == kArray && typ.elem != nil:
		return typ.elem.String() + " array"
	case typ.kind != kUnknown:
		return typ.String()
	}
	return ""
}

func (t *typeBytes) All() (numbers []model.NamedNumber) {
	for b := range t {
		if name := t.NameOf(uint64(b)); name != "" {
			numbers = append(numbers, model.NamedNumber{Number: int64(b), Name: name})
		}
	}
	return numbers
}

func (t *typeBytes) Has(value any, b int64) bool { return value == uint64(b) }

// readFramed reads a value of size bytes. start is the offset of the bytes before it that belong to it.
func readFramed(c *decode.Cursor, start, size int64, value func()) {
	c.Frame(size, func() {
		if value(); c.Remaining() > 0 {
			c.Remark(model.Error, model.Span{Offset: start}, "the value ends at %#x, but its size implies %#x", c.Pos(),
				c.End())
		}
	})
}

// nameValue shows a symbol as the value of the open struct, in place of a value from its bytes.
func nameValue(c *decode.Cursor, symbol string) {
	if n := c.Node(); n != nil && c.Err() == nil {
		n.Symbols = model.Symbol(symbol)
	}
}

// plainValue reads a plain value, which is also the value of the open struct.
func (r *valueReader) plainValue(c *decode.Cursor, k kind) {
	r.leaf(c, "value", k)
	c.CopyValueUp()
}

// leaf reads a plain value as a leaf.
func (r *valueReader) leaf(c *decode.Cursor, name string, k kind) {
	switch t := &kinds[k]; {
	case t.count == 1:
		bits := c.Number(name, t.form)
		c.As(t.name)
		if k == kBool && bits > 1 {
			c.Notef("a bool has a value other than 0 or 1")
		}
		if c.Err() == nil {
			r.visitor.visitNumber(t.form, bits)
		}
	case t.count > 1:
		c.Array(name, t.name, t.form, t.count)
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

// withFlags is the argument of blob for the layouts whose blobs always have flags.
const withFlags = true

// blob reads the table "Binary": length, flags, bytes. Blobs from before August 2023 have no flags.
func (r *valueReader) blob(c *decode.Cursor, hasFlags bool) {
	n := c.Size("length", model.U64)
	if hasFlags {
		c.U64("flags")
	}
	if size, ok := bounded(n, c.Remaining()); ok {
		r.bytes(c, size)
	} else {
		c.Fail("a blob of %d bytes does not fit in the remaining %d bytes", n, c.Remaining())
	}
}

// bytes reads the bytes of a blob.
func (r *valueReader) bytes(c *decode.Cursor, size int64) {
	b := c.Bytes("data", "bytes", size)
	c.CopyValueUp()
	if c.Err() == nil {
		r.visitor.visitBlob(b)
	}
}

// linkTo links the open node to an object of a bundle, or of a package by its name.
func (f *file) linkTo(c *decode.Cursor, object, bundle id, name string) {
	if object.isNull() {
		nameValue(c, "null")
	} else if n := c.Node(); n != nil && c.Err() == nil {
		n.Link = f.link(object, bundle, name)
	}
}

// count reads the count of an array, or only peeks at it if the array is one leaf, and compares it with the bytes after
// it, given the minimum size of an element.
func (r *valueReader) count(c *decode.Cursor, leaf bool, minSize int64) (n int64, ok bool) {
	b := c.Peek(4)
	if b == nil {
		c.Fail("the count of an array needs 4 bytes, but only %d remain", c.Remaining())
		return 0, false
	}
	n = int64(order.Uint32(b))
	left := c.Remaining() - 4
	if !leaf {
		c.Total("count", model.U32)
	}
	if minSize > 0 && n > left/minSize {
		c.Fail("%d elements do not fit in the remaining %d bytes", n, left)
		return 0, false
	}
	return n, true
}

// list reads n elements that are not plain, of type elem and at least minSize bytes each, into the open node.
// readElement reads an element with a reader of its own, which counts the element's fields.
func (r *valueReader) list(c *decode.Cursor, elem string, n, minSize int64,
	readElement func(*valueReader, *decode.Cursor)) {
	depth := r.depth // r continues, and the elements may be read later
	c.Indexed(elem, n, minSize, func(e *decode.Cursor, i int) {
		inner := &valueReader{file: r.file, depth: depth, visitor: r.visitor}
		if inner.visitor != nil { // the name takes time
			inner.visitor.push(model.IndexName(i))
		}
		readElement(inner, e)
		inner.visitor.pop()
	})
}

// lookaheadCursor returns a cursor for a look ahead at a part of the file.
func lookaheadCursor(c *decode.Cursor, from, end int64) *decode.Cursor {
	return c.Aside(model.Span{Offset: from, Size: end - from})
}

// bounded returns v as an offset or size if it is within limit.
func bounded(v uint64, limit int64) (int64, bool) {
	if limit < 0 || v > uint64(limit) {
		return 0, false
	}
	return int64(v), true
}

// visitor gets the numbers and the blobs of an object, with the names of their enclosing fields and elements, which are
// valid until the call returns. A nil visitor does nothing.
type visitor struct {
	names  []string
	number func(names []string, form model.NumberForm, bits uint64) // may be nil
	blob   func(names []string, b model.Blob)
}

// visit reads the i-th object quietly and calls the visitor for its fields.
func (f *file) visit(q *decode.Cursor, i int, v *visitor) {
	q.Reset(f.objects.span(i))
	f.object(q, &valueReader{file: f, visitor: v})
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

func (v *visitor) visitNumber(form model.NumberForm, bits uint64) {
	if v != nil && v.number != nil {
		v.number(v.names, form, bits)
	}
}

func (v *visitor) visitBlob(b model.Blob) {
	if v != nil {
		v.blob(v.names, b)
	}
}

// plainArray is the value of an array of plain elements that is one leaf. They are read on demand.
type plainArray struct {
	cursor *decode.Cursor // creates quiet cursors
	n      int64
	span   func(i int64) model.Span // of the i-th element
	item   func(c *decode.Cursor) any
}

func (a *plainArray) Len() int64 { return a.n }

// Slice reads up to n elements from the first on.
func (a *plainArray) Slice(first, n int64) ([]any, error) {
	first = min(max(first, 0), a.n)
	q, out := a.cursor.Quiet(model.Span{}), make([]any, min(max(n, 0), a.n-first))
	for i := range out {
		q.Reset(a.span(first + int64(i)))
		if out[i] = a.item(q); q.Err() != nil {
			return out[:i], q.Err()
		}
	}
	return out, nil
}

// plainArray reads n plain elements as one leaf, which begins prefix bytes before them, with their count.
func (r *valueReader) plainArray(c *decode.Cursor, name string, prefix, n int64, k kind) {
	item := func(c *decode.Cursor) any { return r.item(c, k) }
	if width, fixed := k.fixedSize(); fixed {
		from := c.Pos() + prefix
		span := func(i int64) model.Span { return model.Span{Offset: from + i*width, Size: width} }
		arrayLeaf(c, name, prefix+n*width, &plainArray{r.cursor, n, span, item})
		return
	}
	err := r.unevenArray(c, name, prefix, n, func(c *decode.Cursor) { skipPlain(c, k) }, item)
	if err != nil {
		c.Fail("%v", err)
	}
}

// unevenArray is plainArray for elements of differing sizes, or with a type or a size before them: skip skips an
// element, and item reads one. The leaf ends before the first element that cannot be read; unevenArray returns its
// error. A quiet cursor reads the elements itself: only the leaf needs their offsets, which costs a tenth of a check.
func (r *valueReader) unevenArray(c *decode.Cursor, name string, prefix, n int64, skip func(c *decode.Cursor),
	item func(c *decode.Cursor) any) error {
	q, marks := c, (*decode.Marks)(nil)
	if c.Recording() {
		q = lookaheadCursor(c, c.Pos()+prefix, c.End())
		marks = decode.NewMarks(q, nil)
	} else {
		c.Bytes(name, "array", prefix)
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
	arrayLeaf(c, name, prefix+marks.Span().Size, &plainArray{r.cursor, found, span, item})
	return err
}

// arrayLeaf reads an array of size bytes, including its count, as one value.
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
	if width, fixed := k.fixedSize(); fixed {
		c.Bytes("value", "", width)
	} else {
		c.Terminated("value")
	}
}
