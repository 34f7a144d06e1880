package casset

import (
	"context"

	"assay/formats/decode"
	"assay/model"
)

// tableHead is the bytes of the size of a table and of the number of its entries.
const tableHead = 8 + 4

// placeData decides where the data table is: where the header says, or after the schema as the engine's reader does.
func (f *file) placeData(q *decode.Cursor) {
	x, p, after := &f.objects, &f.places, f.schema.end+4
	_, given := f.entryAt(q, p.data+tableHead)
	_, follows := f.entryAt(q, after+tableHead)
	switch {
	case p.dataGiven && (given || p.data == after || !follows):
		x.start = p.data
	case p.schema == 0 && !p.dataGiven: // the file ends in its header
	case after <= f.src.Size()-tableHead && f.schema.problem == "":
		x.start = after
		x.wrong(after, "the data begin after the schema, at %#x", after)
	case p.dataGiven:
		x.start = p.data
	}
}

// entryHeadLeast is the fewest bytes of an entry between its data offset and its fields: a UUID, whether it is an
// asset, a schema index, and two empty strings.
const entryHeadLeast = 16 + 1 + 4 + 1 + 1

// entryLeast is the fewest bytes that an entry of the data table takes.
func (f *file) entryLeast() int64 {
	least := f.lay.objects.size.Size() + 4 + entryHeadLeast
	if f.lay.objects.fieldsSize {
		least += 8
	}
	return least
}

// entryAt returns the size of the entry of the data table at pos and whether an object may be there: its fields begin
// in it, or else what must follow it does.
func (f *file) entryAt(q *decode.Cursor, pos int64) (size int64, ok bool) {
	size, begins, ok := f.entryBegins(q, pos)
	return size, ok && (begins || f.entryOrEnd(q, pos+size))
}

// entryBegins returns the size of the entry at pos, whether it leads to the fields in it, and whether the size can be
// one.
func (f *file) entryBegins(q *decode.Cursor, pos int64) (size int64, begins, ok bool) {
	least := f.entryLeast()
	if pos < 0 || pos > f.src.Size()-least {
		return 0, false, false
	}
	at(q, pos)
	n, _, fields := f.entrySize(q)
	size, ok = fit(n, q.End()-pos)
	return size, fields-pos <= size && fields-q.Pos() >= entryHeadLeast, ok && q.Err() == nil && size >= least
}

// entryOrEnd reports whether another entry, or the end of the list and of the file, is at an offset.
func (f *file) entryOrEnd(q *decode.Cursor, pos int64) bool {
	if _, begins, ok := f.entryBegins(q, pos); begins && ok {
		return true
	}
	at(q, pos)
	return q.U32("end") == 0 && q.Err() == nil && q.Left() <= endOfFile
}

// listSized reads the schema and lists the objects of 3.0, which begin with their sizes, up to one whose size is
// broken.
func (f *file) listSized(ctx context.Context, q *decode.Cursor) {
	f.readSchema(f.quiet())
	f.placeData(q)
	x := &f.objects
	if x.start > 0 {
		at(q, x.start+8)
		x.announced = q.U32("count")
		x.end = x.start + tableHead
		f.walkSized(ctx, q)
	}
}

// resizedMost bounds the objects whose sizes are broken and that are read by their values: each takes a search.
const resizedMost = 64

// findSized finds the objects after those that are listed, of which the size of one is broken. Of an object that takes
// 80 bytes
//
//	a size of 3 or of 2^40 can be none: entryAt lists no object there, and x.end is where it begins
//	a size of 70 or of 100 can be one: the object is listed, and no other one begins at x.end
//
// In both cases the list is stuck at x.end. resize lets the last listed object, or else the one at x.end, end where its
// values end by the schema, if the next object or the end of the list is there.
func (f *file) findSized(ctx context.Context, q *decode.Cursor) {
	x := &f.objects
	for tries := 0; tries < resizedMost && f.listResized(ctx, q); {
		tries++
	}
	if f.stuck(q) || int64(len(x.entries)) < int64(x.announced) {
		x.wrong(x.end, "the list of objects ends after %d of %d", len(x.entries), x.announced)
		f.keepTruncated(q)
	}
}

// listResized lists the objects after one whose size is broken, if the list is stuck there and the values of that
// object lead on.
func (f *file) listResized(ctx context.Context, q *decode.Cursor) bool {
	x := &f.objects
	last := len(x.entries) - 1
	if !f.stuck(q) || (last < 0 || !f.resize(q, last, x.entries[last].off)) && !f.resize(q, last+1, x.end) {
		return false
	}
	f.walkSized(ctx, q)
	return true
}

// walkSized goes on from the end of the objects that are known, also where the count says that there are no more.
func (f *file) walkSized(ctx context.Context, q *decode.Cursor) {
	x := &f.objects
	f.walk(ctx, func() bool {
		size, ok := f.entryAt(q, x.end)
		if ok {
			x.add(x.end, size)
		}
		return ok
	})
}

// stuck reports whether no object begins where the list goes on.
func (f *file) stuck(q *decode.Cursor) bool {
	x := &f.objects
	if x.start == 0 {
		return false
	}
	at(q, x.end)
	end, more := q.U32("end"), int64(x.announced) > int64(len(x.entries))
	return q.Err() == nil && (end != 0 || more && q.Left() > f.entryLeast())
}

// resize makes the object at off, which is the i-th and last, end where its values end, if an object or the end of the
// list follows there. It reports whether one does.
func (f *file) resize(q *decode.Cursor, i int, off int64) bool {
	x := &f.objects
	end, ok := f.naturalEnd(q, entry{off, f.src.Size() - off})
	if !ok || i < len(x.entries) && end == x.end {
		return false
	}
	if !f.entryOrEnd(q, end) {
		return false
	}
	x.entries = x.entries[:i]
	x.add(off, end-off)
	return true
}

// naturalEnd reads an object of 3.0 by the schema alone and returns where its values end.
func (f *file) naturalEnd(q *decode.Cursor, e entry) (int64, bool) {
	q.Reset(model.Span{Offset: e.off, Size: e.size})
	h := f.objectHead(q)
	if q.Err() != nil {
		return 0, false
	}
	// A head with another size than it should have is no reason to give up, which Reset forgets; a value that does not
	// end where its size says is.
	q.Reset(model.Span{Offset: q.Pos(), Size: q.Left()})
	if f.lay.objects.fieldsSize {
		q.U64("fields_size")
	}
	(&reader{file: f}).schemaFields(q, h.schema)
	return q.Pos(), q.Outcome() != decode.Broken
}

// keepTruncated keeps the beginning of an object that the end of the file cuts off.
func (f *file) keepTruncated(q *decode.Cursor) {
	x, left := &f.objects, f.src.Size()-f.objects.end
	at(q, x.end)
	size := q.Number("size", f.lay.objects.size)
	const sane = 1 << 40 // more is no size but something else
	if q.Err() == nil && left >= f.entryLeast() && size > uint64(left) && size < sane {
		x.add(x.end, left)
	}
}
