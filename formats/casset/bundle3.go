package casset

import (
	"assay/formats/decode"
	"assay/model"
)

// Bundles of 3.0 have a schema (schema.go) with the names and the types of the fields of each class. The tables are in
// the document of bundles, except for its last part.

// bundle3Head reads the beginning of an entry of the table "Serialized Data".
func (f *file) bundle3Head(c *decode.Cursor) (h head) {
	actual := c.Remaining()
	size, node, fields := f.entrySize(c)
	if size != uint64(actual) {
		c.Remark(model.Error, node, "the object's size is %d, but it has %d bytes", size, actual)
	}
	h.uuid = f.uuid(c, "uuid")
	flag(c, "is_asset")
	h.schemaIndex = f.schema.index(c)
	if int64(h.schemaIndex) < int64(len(f.schema.entries)) {
		h.class = f.schema.entries[h.schemaIndex].name
	}
	h.path = c.Terminated("path")
	c.Role(model.RoleName)
	h.name = c.Terminated("name")
	c.Role(model.RoleName)
	if n := fields - c.Pos(); n < 0 || n > c.Remaining() || n > 0 && f.fieldsFollow(c) {
		c.Errorf("the data offset is %#x, but the object's data begin at %#x", fields, c.Pos())
	} else {
		extension(c, n, "entry's fields")
	}
	return h
}

// fieldsFollow reports whether the next 8 bytes are the size of the fields, which end with the object.
func (f *file) fieldsFollow(c *decode.Cursor) bool {
	b := c.Peek(8)
	return f.layout.objects.fieldsSize && b != nil && order.Uint64(b) == uint64(c.Remaining())
}

// entrySize reads the first fields of an entry: its size, with its node if it is recorded, and the distance to its
// fields. fields is their offset.
func (f *file) entrySize(c *decode.Cursor) (size uint64, node *model.Node, fields int64) {
	size = c.Size("size", f.layout.objects.size)
	node = c.Last()
	distance := c.Offset("data_offset", model.U32)
	return size, node, c.Pos() + int64(distance)
}

// bundle3Fields reads the rest of an entry: its fields, as the schema has them.
func (r *valueReader) bundle3Fields(c *decode.Cursor, h head) {
	if r.layout.objects.fieldsSize {
		actual := c.Remaining()
		if size := c.Size("fields_size", model.U64); size != uint64(actual) {
			c.Errorf("the fields' size is %d, but the object ends after %d bytes", size, actual)
		}
	}
	c.Struct("fields", "Field[]", func() { r.schemaFields(c, h.schemaIndex) })
	if c.Remaining() > 0 {
		c.Fail("%d bytes remain after the last field of the schema", c.Remaining())
	}
}

// schemaFields reads the fields of a class or the members of a struct, in the order of their schema entry.
func (r *valueReader) schemaFields(c *decode.Cursor, index uint32) {
	e := r.schema.entryAt(c, index)
	switch {
	case e == nil:
		return
	case e.sizes.cyclic:
		c.Fail("the struct %s, or one in it, contains itself", e.name)
	case !r.layout.values.hasSizes && e.sizes.fields > maxFreeFields+4*e.sizes.minSize:
		c.Fail("more than %d fields in one object; the rest is skipped", maxFreeFields+4*e.sizes.minSize)
	}
	for i := range e.fields {
		f := &e.fields[i]
		if r.field(c, f.name, func() { r.schemaField(c, f) }); c.Err() != nil {
			return
		}
	}
}

// schemaField reads a field or a member: one leaf if nothing else is in it.
func (r *valueReader) schemaField(c *decode.Cursor, f *schemaField) {
	switch t := f.typ; {
	case r.layout.values.hasSizes || !t.isLeaf():
		c.Struct(f.name, t.String(), func() { r.fieldValue(c, t) })
	case t.kind == kArray:
		r.array(c, f.name, t)
	default:
		r.leaf(c, f.name, t.kind)
	}
}

// fieldValue reads a value into the open node, with its size before it if the layout has one, which counts itself.
func (r *valueReader) fieldValue(c *decode.Cursor, t schemaType) {
	if !r.layout.values.hasSizes {
		r.value(c, t)
		return
	}
	start, size := c.Pos(), int64(0)
	c.Struct("header", "FieldHeader", func() { size = r.valueSize(c, t) })
	readFramed(c, start, size, func() { r.value(c, t) })
}

// valueSize reads the size before a value and returns the size of the value alone. If the recorded size contradicts the
// type and the next value does not begin there, it returns the size of the type.
func (r *valueReader) valueSize(c *decode.Cursor, t schemaType) int64 {
	start, left, valueSize := c.Pos(), c.Remaining(), r.layout.values.size.Size()
	n := c.Size("size", r.layout.values.size)
	if width, fixed := t.kind.fixedSize(); fixed && n != uint64(width+valueSize) {
		c.Errorf("the size of a %s is %d here, not %d", t, width+valueSize, n)
		if !r.trustsSize(c, start, n, c.Pos()+width, 0) {
			return width
		}
	}
	size, ok := bounded(n, left)
	if !ok || size < valueSize {
		c.Fail("a value of %d bytes does not fit in the remaining %d bytes", n, left)
	}
	return size - valueSize
}

// value reads the table "Field Value" into the open node.
func (r *valueReader) value(c *decode.Cursor, t schemaType) {
	switch t.kind {
	case kBinary:
		r.blob(c, withFlags)
	case kObject, kFunction, kStored:
		r.reference(c, t.kind)
	case kStruct:
		r.schemaFields(c, t.index)
	case kArray, kStore:
		if r.array(c, "value", t); t.isLeaf() {
			c.CopyValueUp()
		}
	case kUnknown:
		c.Fail("a value of unknown type cannot be read")
	default:
		r.plainValue(c, t.kind)
	}
}

// reference reads the tables "Object Reference" and "Function Binding" and links the open node to the object. A null
// one has only the first UUID, but in an object store.
func (r *valueReader) reference(c *decode.Cursor, k kind) {
	object := r.uuid(c, "object")
	if object.isNull() && k != kStored {
		nameValue(c, "null")
		return
	}
	bundle := r.uuid(c, "bundle")
	if k == kFunction {
		c.Terminated("name")
	}
	r.linkTo(c, object, bundle, "")
}

// array reads the table "Array", as a leaf if its elements are plain.
func (r *valueReader) array(c *decode.Cursor, name string, t schemaType) {
	v, elem := &r.layout.values, *t.elem
	hasSizes := v.hasSizes && t.kind != kStore && !(elem.kind == kFunction && v.bareFunctions)
	minSize := r.schema.minSize(elem)
	if hasSizes { // the size decides, also where it is too small
		minSize = v.size.Size()
	}
	n, ok := r.count(c, t.isLeaf(), minSize)
	if !ok || elem.kind == kStruct && r.schema.entryAt(c, elem.index) == nil {
		return
	}
	if minSize == 0 && n > maxEmpty {
		c.Errorf("%d empty elements; only the first %d are decoded", n, maxEmpty)
		n = maxEmpty
	}
	switch form := &kinds[elem.kind]; {
	case !t.isLeaf():
		r.list(c, elem.String(), n, minSize, func(r *valueReader, e *decode.Cursor) {
			if hasSizes {
				r.fieldValue(e, elem)
			} else {
				r.value(e, elem)
			}
		})
	case hasSizes:
		r.sizedArray(c, name, n, elem.kind)
	case form.count == 1:
		c.Counted(name, "array", model.U32, form.form)
	default:
		r.plainArray(c, name, 4, n, elem.kind)
	}
}

// In Bundle 3.0 as published, and as first written, each value follows its size. Where a size contradicts the type in
// the schema, the functions in this file decide which of the two gives the end of the value.

// trustsSize reports whether the size n, rather than the type, gives the end of a value. The value with its size begins
// at start, and ends at end by its type. next is the size of the next value if that is known. A size that excludes
// itself is not accepted.
func (r *valueReader) trustsSize(c *decode.Cursor, start int64, n uint64, end int64, next uint64) bool {
	valueSize := r.layout.values.size.Size()
	size, ok := bounded(n, c.End()-start)
	return ok && size >= valueSize && start+size != end-valueSize &&
		r.rateSizesAt(c, start+size, next) > r.rateSizesAt(c, end, next)
}

// rateSizesAt rates whether the next value, or the end, is at an offset: 2 if the expected size is there, 1 if a chain
// of sizes reaches the end or continues for a few values, else 0.
func (r *valueReader) rateSizesAt(c *decode.Cursor, pos int64, next uint64) int {
	if pos > c.End() {
		return 0
	}
	const maxSizes = 4
	q, form := lookaheadCursor(c, pos, c.End()), r.layout.values.size
	for i := 0; i < maxSizes && q.Remaining() > 0; i++ {
		offset, left := q.Pos(), q.Remaining()
		stated := q.Number("size", form)
		size, ok := bounded(stated, left)
		switch {
		case !ok || size < form.Size():
			return 0
		case i == 0 && stated == next:
			return 2
		}
		q.GoTo(offset + size)
	}
	return 1
}

// mismatchedSizes counts the elements of an array, and the elements with a size that contradicts their type.
type mismatchedSizes struct {
	elements, count int64
	first           int64  // the position of the first of these
	stated          uint64 // the size before it
	size            int64  // the bytes that its type takes, with the size
}

// sizedArray reads n plain elements, each after its size, and the count before all as one leaf.
func (r *valueReader) sizedArray(c *decode.Cursor, name string, n int64, k kind) {
	mismatches := mismatchedSizes{}
	err := r.unevenArray(c, name, 4, n,
		func(c *decode.Cursor) { r.skipSized(c, k, &mismatches) },
		func(c *decode.Cursor) any { return r.sizedItem(c, k) })
	if mismatches.count > 0 {
		c.Errorf("the sizes of %d of %d elements contradict their type; the first is element %d: "+
			"the size of a %s is %d here, not %d", mismatches.count, n, mismatches.first, k, mismatches.size, mismatches.stated)
	}
	if err != nil {
		c.Fail("%v", err)
	}
}

// skipSized passes over a plain element and the size before it.
func (r *valueReader) skipSized(c *decode.Cursor, k kind, mismatches *mismatchedSizes) {
	start := c.Pos()
	size := c.Number("size", r.layout.values.size)
	width, fixed := k.fixedSize()
	end := c.Pos() + width
	if !fixed {
		skipPlain(c, k)
		end = c.Pos()
	}
	if took := end - start; c.Err() == nil && size != uint64(took) {
		if mismatches.count++; mismatches.count == 1 {
			mismatches.first, mismatches.stated, mismatches.size = mismatches.elements, size, took
		}
		// The next element of a fixed width has the same size; a size that ends within a string is not used.
		if fixed && r.trustsSize(c, start, size, end, size) ||
			!fixed && size > uint64(took) && r.trustsSize(c, start, size, end, 0) {
			end = start + int64(size)
		}
	}
	mismatches.elements++
	if fixed {
		c.Bytes("value", "", end-c.Pos())
	} else {
		c.GoTo(end)
	}
}

// sizedItem reads a plain element with the size before it, or returns nil if it has too few bytes.
func (r *valueReader) sizedItem(c *decode.Cursor, k kind) any {
	c.Number("size", r.layout.values.size)
	if width, fixed := k.fixedSize(); fixed && c.Remaining() < width {
		return nil
	}
	return r.item(c, k)
}
