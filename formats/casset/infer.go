package casset

import (
	"slices"

	"assay/formats/decode"
	"assay/model"
)

// begins reports whether a field or the end of the fields is at an offset.
func (f *file) begins(c *decode.Cursor, pos int64) bool {
	if pos >= c.End() {
		return pos == c.End()
	}
	q := ahead(c, pos, c.End())
	if !f.atField(q) {
		return false
	}
	h := f.lookahead().readField1(q, nil)
	return q.Err() == nil && h.size <= q.Left() && h.typ != ""
}

// lookahead returns a reader for trying to read values, which are not used.
func (f *file) lookahead() *reader { return &reader{file: f} }

// headerMost bounds the header of a field that is looked for after a broken one, because each marker is tried.
const headerMost = 1 << 10

// nextField returns where the next sound field begins, the end if there is none: only markers can be looked for.
func (f *file) nextField(c *decode.Cursor, from int64) (int64, bool) {
	end := c.End()
	if !f.marked() {
		return end, false
	}
	find := c.Quiet(model.Span{Offset: from, Size: end - from})
	for find.Find(fieldMarker) {
		at := find.Pos()
		q := ahead(c, at, min(end, at+headerMost))
		if h := f.lookahead().readField1(q, nil); q.Err() == nil && h.size <= end-q.Pos() {
			return at, true
		}
		find.GoTo(at + 1)
	}
	return end, false
}

// fieldsIn counts the fields that fill a part of the file; 0 if they do not.
func (f *file) fieldsIn(c *decode.Cursor, from, end int64) (n int64) {
	look := f.lookahead()
	for q := ahead(c, from, end); q.Left() > 0; n++ {
		if !f.atField(q) {
			return 0
		}
		q.Bytes("data", "bytes", look.readField1(q, nil).size)
		if q.Err() != nil {
			return 0
		}
	}
	return n
}

// infer returns the type of a field's value, all bytes that are left, and reads nothing: t is what the field declares.
func (r *reader) infer(c *decode.Cursor, t Type) Type {
	from, end := c.Pos(), c.End()
	switch {
	case t.kind == kF64 && c.Left() == 4: // narrowed by every writer of 1.x
		return Type{kind: kF32}
	case t.kind == kBinary && c.Left() >= 8:
		if peekU64(c)+8 == uint64(c.Left()) {
			t.kind = kBinaryNoFlags
		}
		return t
	case t.kind == kNamedObject:
		t.kind, _ = r.references(c, from, end, 1)
		return t
	case t.kind != kUnknown:
		return t
	case c.Left() == 8 && peekU64(c) == 0:
		t.kind = kNullOrEnum
	case c.Left() == 8:
		t.kind = kEnum
	case r.marked() && r.atField(c):
		t.kind = kFieldList
	default:
		if k, ok := r.references(c, from, end, 1); ok {
			t.kind = k
		} else if !r.marked() && r.fieldsIn(c, from, end) > 0 {
			t.kind = kFieldList
		}
	}
	return t
}

// peekU64 returns the next eight bytes as a number, without going on; 0 if they cannot be read.
func peekU64(c *decode.Cursor) uint64 {
	if b := c.Peek(8); b != nil {
		return little.Uint64(b)
	}
	return 0
}

// references tries n references that must fill a part of the file, with the package's UUID in them or without,
// whichever fits; where both do, as the file's revision has it.
func (f *file) references(c *decode.Cursor, from, end, n int64) (k kind, ok bool) {
	best, look := -1, f.lookahead()
	tries := []kind{kNamedObject, kNamedUUIDs}
	if f.lay.packageUUIDs {
		slices.Reverse(tries)
	}
	k = kNamedObject
	for _, try := range tries {
		q := ahead(c, from, end)
		score := 1
		for i := int64(0); i < n && q.Err() == nil; i++ {
			if name := look.namedReference(q, try); name != "" && name[0] != '/' {
				score = 0
			}
		}
		if q.Err() == nil && q.Left() == 0 && score > best {
			best, k, ok = score, try, true
		}
	}
	return k, ok
}

// inferElements returns the type of n elements that fill a part of the file. Structs follow each other without anything
// between them, and each has as many fields as the others.
func (r *reader) inferElements(c *decode.Cursor, t Type, from, end, n int64) Type {
	size := end - from
	switch {
	case size == 0 || n == 0:
		return Type{kind: kU8}
	case t.kind == kF64 && size == 4*n:
		return Type{kind: kF32}
	case t.kind == kBinary:
		for _, k := range []kind{kBinary, kBinaryNoFlags} {
			if r.blobsIn(c, from, end, n, k) >= 0 {
				return Type{kind: k}
			}
		}
		return Type{}
	case t.kind == kDeclaredArray || t.kind == kObjectMap:
		return Type{}
	case t.kind != kUnknown && t.kind != kNamedObject:
		return t
	}
	if t.kind == kUnknown {
		if fields := r.fieldsIn(c, from, end); fields > 0 && fields%n == 0 {
			return Type{kind: kFieldList, fields: uint32(fields / n)}
		}
		if size == 8*n {
			return inferNumbers(ahead(c, from, end))
		}
	}
	if k, ok := r.references(c, from, end, n); ok {
		return Type{kind: k}
	}
	return Type{}
}

// inferNumbers returns the type of elements of eight bytes: if all are 0 they are null references or enums.
func inferNumbers(q *decode.Cursor) Type {
	for q.Left() > 0 && q.Err() == nil {
		if q.U64("value") != 0 {
			return Type{kind: kEnum}
		}
	}
	return Type{kind: kU64}
}

// blobsIn counts the blobs, up to n, that fill a part of the file; -1 if they do not.
func (f *file) blobsIn(c *decode.Cursor, from, end, n int64, k kind) (count int64) {
	look, q := f.lookahead(), ahead(c, from, end)
	for ; q.Left() > 0 && count < n && q.Err() == nil; count++ {
		look.blob(q, k)
	}
	if q.Err() != nil || q.Left() > 0 {
		return -1
	}
	return count
}
