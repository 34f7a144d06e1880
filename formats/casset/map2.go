package casset

import (
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// Packages and bundles of 2.0 have objects that are maps of values, each after its type. The tables are in the last
// part of the document of bundles. From old writers, an array that ends at a null is read; an ID of 32 bits with the
// type of 64, and a char without its byte, are broken entries.

// map2Head reads the table "Object Entry" up to the fields.
func (f *file) map2Head(c *decode.Cursor) (h head) {
	asset := f.objectStart(c, &h)
	h.name = c.Terminated("name")
	c.Role(model.RoleName)
	if asset && !fieldsAreNext(c) {
		c.Terminated("source_path")
	}
	dataOffset := c.Offset("data_offset", model.U64)
	if data, ok := bounded(dataOffset, c.End()); ok && data >= c.Pos() {
		extension(c, data-c.Pos(), "entry's fields")
	} else {
		c.Errorf("data offset %#x is outside the object; reading the fields at %#x", dataOffset, c.Pos())
	}
	h.size = mapSize(c)
	return h
}

// fieldsAreNext reports whether the next value is the offset of the fields, which follow it: some writers have a source
// path only if is_asset is 1, others if it is not 0.
func fieldsAreNext(c *decode.Cursor) bool {
	b := c.Peek(8)
	return b != nil && order.Uint64(b) == uint64(c.Pos()+8)
}

// mapSize returns the size in bytes of the next map, with its type and its size, or -1 if there is none.
func mapSize(c *decode.Cursor) int64 {
	if b := c.Peek(9); b != nil && b[0] == 0x10 {
		if n, ok := bounded(order.Uint64(b[1:]), c.Remaining()-9); ok {
			return 9 + n
		}
	}
	return -1
}

// map2Fields reads the map of fields and the checksum.
func (r *valueReader) map2Fields(c *decode.Cursor) {
	if b, known := c.Enum("type", "u8", model.U8, decode.Names{0x10: "map"}); !known {
		c.Fail("the fields of an object must be a map (type 0x10), not of type %#02x", b)
		return
	}
	n, err := countedSize(c, "data_size", kMap)
	if err != nil {
		c.Errorf("%v", err)
		n = max(0, c.Remaining()-4)
	}
	c.Frame(n, func() {
		n := c.Total("field_count", model.U32)
		c.Struct("fields", "Field[]", func() { r.mapEntries(c, n) })
	})
	if c.Remaining() < 4 {
		c.Fail("the object ends without its checksum")
		return
	}
	zeroChecksum(c, "crc", false)
}

// mapTypes is the table "Field Type".
var mapTypes = withPlain(typeBytes{
	0x00: {kind: kNull}, 0x0D: {kind: kBinary}, 0x0E: {kind: kObject}, 0x10: {kind: kMap}, 0x11: {kind: kArray},
	0x81: {kind: kVec2}, 0x82: {kind: kVec3}, 0x83: {kind: kVec4}, 0x84: {kind: kMatrix},
})

// mapEntries reads the n entries of a map, which must end with it. After a broken entry it continues if another
// follows.
func (r *valueReader) mapEntries(c *decode.Cursor, n int64) {
	if n > c.Remaining()/2 {
		c.Fail("%d entries do not fit in the remaining %d bytes", n, c.Remaining())
	}
	for ; n > 0 && c.Err() == nil; n-- {
		complete := c.Try(func() {
			r.field(c, "entry", func() {
				c.Struct("entry", kUnknown.String(), func() { r.mapEntry(c) })
			})
		})
		if !complete && (r.isFull() || !isAtEntryOrEnd(c)) {
			return
		}
	}
	if c.Remaining() > 0 {
		c.Fail("the map ends at %#x, but its size implies %#x", c.Pos(), c.End())
	}
}

// mapEntry reads a name and the table "Field Value" into the open node.
func (r *valueReader) mapEntry(c *decode.Cursor) {
	var k kind
	n := c.Node()
	c.Struct("header", "FieldHeader", func() {
		r.fieldName(c, n)
		k = valueType(c)
	})
	r.typedData(c, k, isBareInMap)
}

// typedValue reads the table "Field Value", which an element of an array is, into the open node.
func (r *valueReader) typedValue(c *decode.Cursor) {
	var k kind
	c.Struct("header", "FieldHeader", func() { k = valueType(c) })
	r.typedData(c, k, isBareInArray)
}

// valueType reads the type byte of a value.
func valueType(c *decode.Cursor) kind {
	b := c.U8("type")
	k := mapTypes[b].kind
	if k == kUnknown {
		c.Fail("unknown type byte %#02x", b)
	}
	mapTypes.nameLast(c)
	return k
}

// typedData reads the table "Field Data" into the open node, which is an entry of a map or an element of an array.
// isBare reports whether a blob in it has no length.
func (r *valueReader) typedData(c *decode.Cursor, k kind, isBare func(c *decode.Cursor) bool) {
	c.Type(k.String())
	switch k {
	case kNull:
		nameValue(c, k.String())
	case kBinary:
		if r.layout.values.bareBlobs && isBare(c) {
			r.bytes(c, 0)
			c.Notef("an empty blob without its length, as packages had before 2024")
			return
		}
		r.blob(c, withFlags)
	case kObject:
		object, bundle := r.uuid(c, "object"), r.uuid(c, "bundle")
		r.linkTo(c, object, bundle, "")
	case kMap:
		readSized(c, k, func() {
			n := c.Total("count", model.U32)
			r.mapEntries(c, n)
		})
	case kArray:
		if n, ok := stoppedAtNull(c); ok {
			c.U64("size")
			count := c.Total("count", model.U32)
			c.Warnf("the array ends at a null reference: %d of %d references, no size", n, count)
			r.typedElements(c, n)
			return
		}
		readSized(c, k, func() { r.typedArray(c) })
	default:
		r.plainValue(c, k)
	}
}

// isBareInMap reports whether the blob of an entry has no length: early writers of 2.0 wrote no bytes for an empty one.
// The next bytes are then another entry, or the end of the map.
func isBareInMap(c *decode.Cursor) bool {
	_, fits := blobEnd(c)
	return !fits && isAtEntryOrEnd(c)
}

// isBareInArray is isBareInMap for an element of an array: the next bytes are then another blob, or the end of the
// array.
func isBareInArray(c *decode.Cursor) bool {
	end, fits := blobEnd(c)
	return !(fits && hasBlobOrEndAt(c, end)) && hasBlobOrEndAt(c, c.Pos())
}

// blobEnd returns the end of the next blob, if it begins with its length and fits in the remaining bytes.
func blobEnd(c *decode.Cursor) (end int64, fits bool) {
	b := c.Peek(8)
	if b == nil {
		return 0, false
	}
	size, fits := bounded(order.Uint64(b), c.Remaining()-16)
	return c.Pos() + 16 + size, fits
}

// hasBlobOrEndAt reports whether another blob of an array, or its end, can be at an offset.
func hasBlobOrEndAt(c *decode.Cursor, pos int64) bool {
	return pos == c.End() || mapTypes[lookaheadCursor(c, pos, c.End()).U8("type")].kind == kBinary
}

// isAtEntryOrEnd reports whether an entry of a map, or the end of the map, can come next.
func isAtEntryOrEnd(c *decode.Cursor) bool {
	const limit = 128
	q := lookaheadCursor(c, c.Pos(), c.Pos()+min(c.Remaining(), limit))
	name := q.Terminated("name")
	for _, r := range name {
		if r < 0x20 || r > 0x7E {
			return false
		}
	}
	return c.Remaining() == 0 || name != "" && mapTypes[q.U8("type")].kind != kUnknown && q.Err() == nil
}

// readSized reads the size of a map or an array, and then its content within that size.
func readSized(c *decode.Cursor, k kind, content func()) {
	n, err := countedSize(c, "size", k)
	if err != nil {
		c.Fail("%v", err)
	}
	c.Frame(n, content)
}

// countedSize reads the size of a map or an array, which begins with its count. It also returns the error of an invalid
// size.
func countedSize(c *decode.Cursor, name string, k kind) (n int64, err error) {
	size := c.Size(name, model.U64)
	n, ok := bounded(size, c.Remaining())
	switch {
	case !ok:
		err = fmt.Errorf("the size of the %s is %d, but only %d bytes remain", k, size, c.Remaining())
	case n < 4:
		err = fmt.Errorf("the size of the %s is %d, but its count alone takes 4 bytes", k, n)
	}
	return n, err
}

// typedArray reads the table "Array" after its size. Plain values, which may be of several types, are one leaf.
func (r *valueReader) typedArray(c *decode.Cursor) {
	leaf := c.Recording() && allPlain(c)
	n, ok := r.count(c, leaf, 1)
	if !ok {
		return
	}
	if leaf {
		nextKind := func(c *decode.Cursor) kind { return mapTypes[c.U8("type")].kind }
		err := r.unevenArray(c, "value", 4, n, func(c *decode.Cursor) { skipPlain(c, nextKind(c)) },
			func(c *decode.Cursor) any { return r.item(c, nextKind(c)) })
		if err != nil {
			c.Fail("%v", err)
		}
		c.CopyValueUp()
	} else {
		r.typedElements(c, n)
	}
	if node := c.Node(); node != nil && n == 0 {
		node.Value = model.Scalars{}
	}
	if c.Remaining() > 0 {
		c.Fail("the array ends at %#x, but its size implies %#x", c.Pos(), c.End())
	}
}

// typedElements reads n elements of an array, each with its type before it.
func (r *valueReader) typedElements(c *decode.Cursor, n int64) {
	r.list(c, kUnknown.String(), n, 1, func(r *valueReader, e *decode.Cursor) {
		if r.enter(e) {
			r.typedValue(e)
		}
	})
}

// stoppedAtNull reports whether an old writer ended the next array at a null in a map of objects, and returns the
// number of its references: its size is still 0, its count is the map's, and the next entry follows early.
func stoppedAtNull(c *decode.Cursor) (n int64, ok bool) {
	q := lookaheadCursor(c, c.Pos(), c.End())
	size, count := q.U64("size"), int64(q.U32("count"))
	for size == 0 && n < count && q.Err() == nil {
		if b := q.Peek(1); b == nil || mapTypes[b[0]].kind != kObject {
			return n, isAtEntryOrEnd(q)
		}
		q.GoTo(q.Pos() + 1 + 8 + 8)
		n++
	}
	return 0, false
}

// allPlain reports whether an array has elements and all of them are plain.
func allPlain(c *decode.Cursor) bool {
	q := lookaheadCursor(c, c.Pos(), c.End())
	count := q.U32("count")
	for n := count; n > 0 && q.Err() == nil; n-- {
		k := mapTypes[q.U8("type")].kind
		if !k.isPlain() {
			return false
		}
		skipPlain(q, k)
	}
	return count > 0
}
