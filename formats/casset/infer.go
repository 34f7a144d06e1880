package casset

import (
	"bytes"
	"math"

	"assay/formats/decode"
	"assay/model"
)

// inferred is the type of values as their bytes tell.
type inferred struct {
	kind   kind   // kUnknown if they do not
	short  bool   // before August 2023: a blob without flags, a reference without the package's UUID
	fields uint32 // how many fields each struct has; 0 if they fill its bytes
}

// infer returns the type of n values that fill a part of the file, and reads nothing: that of a field, or the elements
// of an array. declared is what the file says of it.
func (r *reader) infer(c *decode.Cursor, declared kind, from, end, n int64) inferred {
	switch declared {
	case kF64:
		if end-from == 4*n { // narrowed by every writer of 1.x
			return inferred{kind: kF32}
		}
	case kBinary:
		for _, short := range []bool{false, true} {
			if r.blobsIn(c, from, end, n, short) >= 0 {
				return inferred{kind: kBinary, short: short}
			}
		}
		return inferred{}
	case kUnknown:
		if end-from == 8*n {
			return inferred{kind: kEnum}
		}
		// Structs follow each other without anything between them, and each has as many fields as the others.
		if fields := r.fieldsIn(c, from, end); fields > 0 && fields%n == 0 {
			return inferred{kind: kStruct, fields: uint32(fields / n)}
		}
		return r.references(c, from, end, n)
	case kObject:
		return r.references(c, from, end, n)
	}
	return inferred{kind: declared}
}

// references tries n references that must fill a part of the file, as the file's revision has them and as others do:
// with the package's UUID in them or without. Those whose packages have names that begin with a slash are better than
// others.
func (f *file) references(c *decode.Cursor, from, end, n int64) (t inferred) {
	usual := !f.lay.values.packageUUIDs
	for _, short := range []bool{usual, !usual} {
		try, likely := inferred{kind: kObject, short: short}, true
		found := fill(c, from, end, n, func(q *decode.Cursor) {
			name := f.namedReference(q, short)
			likely = likely && (name == "" || name[0] == '/')
		})
		if found == n && likely {
			return try
		}
		if found == n && t.kind == kUnknown {
			t = try
		}
	}
	return t
}

// fieldsIn counts the fields that fill a part of the file; -1 if they do not.
func (f *file) fieldsIn(c *decode.Cursor, from, end int64) int64 {
	look := f.lookahead()
	return fill(c, from, end, math.MaxInt64, func(q *decode.Cursor) {
		if !f.atField(q) {
			q.Fail("no field begins here")
		}
		_, size := look.entryHeader(q, nil)
		q.Bytes("data", "bytes", size)
	})
}

// blobsIn counts the blobs, up to n, that fill a part of the file; -1 if they do not.
func (f *file) blobsIn(c *decode.Cursor, from, end, n int64, short bool) int64 {
	look := f.lookahead()
	return fill(c, from, end, n, func(q *decode.Cursor) { look.blob(q, !short) })
}

// fill counts the values, up to most, that fill a part of the file; -1 if they do not. one reads one of them.
func fill(c *decode.Cursor, from, end, most int64, one func(q *decode.Cursor)) (n int64) {
	q := ahead(c, from, end)
	for ; q.Left() > 0 && n < most && q.Err() == nil; n++ {
		one(q)
	}
	if q.Err() != nil || q.Left() > 0 {
		return -1
	}
	return n
}

// lookahead returns a reader for trying to read values, which are not used.
func (f *file) lookahead() *reader { return &reader{file: f} }

// atField reports whether a field can begin here, as far as its marker tells.
func (f *file) atField(c *decode.Cursor) bool {
	return !f.lay.values.marker || bytes.Equal(c.Peek(4), fieldMarker)
}

// fieldAt reports whether a field begins at an offset, with a header of at most so many bytes.
func (f *file) fieldAt(c *decode.Cursor, pos, most int64) bool {
	q := ahead(c, pos, min(pos+most, c.End()))
	if !f.atField(q) {
		return false
	}
	typ, size := f.lookahead().entryHeader(q, nil)
	return q.Err() == nil && size <= c.End()-q.Pos() && typ != ""
}

// fieldOrEnd reports whether a field, or the end of the fields, is at an offset.
func (f *file) fieldOrEnd(c *decode.Cursor, pos int64) bool {
	return pos == c.End() || pos < c.End() && f.fieldAt(c, pos, math.MaxInt32)
}

// headerMost bounds the header of a field that is looked for after a broken one, because each marker is tried.
const headerMost = 1 << 10

// nextField returns where the next sound field begins, the end if there is none: only markers can be looked for.
func (f *file) nextField(c *decode.Cursor, from int64) (int64, bool) {
	if f.lay.values.marker {
		find := c.Quiet(model.Span{Offset: from, Size: c.End() - from})
		for ; find.Find(fieldMarker); find.GoTo(find.Pos() + 1) {
			if f.fieldAt(c, find.Pos(), headerMost) {
				return find.Pos(), true
			}
		}
	}
	return c.End(), false
}
