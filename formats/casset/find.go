package casset

import (
	"bytes"
	"math"

	"assay/formats/decode"
	"assay/model"
)

// findObjects finds the objects, and reads the schema that those of 3.0 need.
func (f *file) findObjects() {
	q := f.cursor.Skim(model.Span{})
	switch f.lay.generation {
	case 1, 2:
		f.findMarked(q)
	case 3:
		f.readSchema(f.quiet())
		f.placeData(q)
		f.findSized(q)
	}
}

// walk runs next, which finds one object, until there are no more.
func (f *file) walk(next func() bool) {
	for len(f.objects.entries) < math.MaxInt32 && next() {
		if len(f.objects.entries)&0xFFFF == 0 && f.ctx.Err() != nil {
			return
		}
	}
}

// findMarked finds the objects of packages and of Bundle 2.0, which begin with a magic and say where they end: from the
// data offset on, or else from the first magic after the header.
func (f *file) findMarked(q *decode.Cursor) {
	x := &f.objects
	f.tryHeader(q)
	header, given := q.Pos(), f.header.data
	start, ok := fit(given, f.src.Size())
	if !ok || start < header || !f.markAt(q, start) && !f.markAt(q, f.objectEnd(q, start)) {
		at(q, header)
		q.Find(objectMagic)
		if start = q.Pos(); start < f.src.Size() {
			x.wrong(start, "no object begins at the data offset %#x; the first one is at %#x", given, start)
		}
	}
	x.start, x.end = start, start
	f.walk(func() bool { return f.nextMarked(q, x.end) })
}

// nextMarked finds the object at pos; false at the end of the list.
func (f *file) nextMarked(q *decode.Cursor, pos int64) bool {
	x := &f.objects
	at(q, pos)
	magic := q.Peek(8)
	if magic == nil || null(magic) {
		return false
	}
	marked := bytes.Equal(magic, objectMagic)
	if end := f.objectEnd(q, pos); f.markAt(q, end) {
		x.add(pos, end-pos)
		return true
	}
	at(q, pos+1)
	found := q.Find(objectMagic)
	next := q.Pos()
	switch {
	case marked && found:
		x.wrong(pos, "the object does not end where it says; the next one begins at %#x", next)
		x.add(pos, next-pos)
	case marked:
		x.wrong(pos, "the object does not end where it says; it is the last one")
		at(q, max(pos+8, next-8))
		if q.Left() == 8 && q.U64("end") == 0 {
			next -= 8
		}
		x.add(pos, next-pos)
	case found:
		x.wrong(pos, "no object begins here; the next one is at %#x", next)
		x.end = next
	default:
		x.wrong(pos, "no object begins here and none follows")
	}
	return marked || found
}

// markAt reports whether an object or the end of the list begins at pos; 0 is no such place.
func (f *file) markAt(q *decode.Cursor, pos int64) bool {
	at(q, pos)
	b := q.Peek(8)
	return pos > 0 && b != nil && (bytes.Equal(b, objectMagic) || null(b))
}

func null(b []byte) bool { return len(bytes.Trim(b, "\x00")) == 0 }

// placeData decides where the data table is: where the header says, or after the schema as the engine's reader does.
func (f *file) placeData(q *decode.Cursor) {
	x, t, after := &f.objects, &f.tables, f.schema.end+4
	_, given := f.entryAt(q, t.data+12)
	_, follows := f.entryAt(q, after+12)
	switch {
	case t.dataGiven && (given || t.data == after || !follows):
		x.start = t.data
	case t.schema == 0 && !t.dataGiven: // the file ends in its header
	case after <= f.src.Size()-12 && f.schema.problem == "":
		x.start = after
		x.wrong(after, "the data begin after the schema, at %#x", after)
	case t.dataGiven:
		x.start = t.data
	}
}

// entryLeast is the fewest bytes that an entry of the data table takes.
func (f *file) entryLeast() int64 {
	least := f.lay.objects.size.Size() + 4 + 16 + 1 + 4 + 1 + 1
	if f.lay.objects.fieldsSize {
		least += 8
	}
	return least
}

// entryAt returns the size of the entry of the data table at pos and whether an object may be there.
func (f *file) entryAt(q *decode.Cursor, pos int64) (size int64, ok bool) {
	least := f.entryLeast()
	if pos < 0 || pos > f.src.Size()-least {
		return 0, false
	}
	at(q, pos)
	n, _, fields := f.entrySize(q)
	size, ok = fit(n, q.End()-pos)
	return size, ok && q.Err() == nil && size >= least && fields-pos <= size && fields-q.Pos() >= 16+1+4+1+1
}

// findSized finds the objects of a Bundle 3.0, which begin with their sizes. After one whose size is broken it goes on
// where its values end by the schema, or where those of the one after it end, if the next object or the end of the list
// is there.
func (f *file) findSized(q *decode.Cursor) {
	x := &f.objects
	stuck := false
	if x.start > 0 {
		at(q, x.start+8)
		x.announced = q.U32("count")
		x.end = x.start + 12
		stuck = f.walkSized(q)
	}
	f.chooseValues(q)
	for tries := 0; stuck && tries < 64; tries++ {
		last := len(x.entries) - 1
		if (last < 0 || !f.resize(q, last, x.entries[last].off)) && !f.resize(q, last+1, x.end) {
			break
		}
		stuck = f.walkSized(q)
	}
	if stuck || int64(len(x.entries)) < int64(x.announced) {
		x.wrong(x.end, "the list of objects ends after %d of %d", len(x.entries), x.announced)
		f.keepTruncated(q)
	}
}

// walkSized goes on from the end of the objects that are known, also where the count says that there are no more. It
// reports whether no object begins where the list goes on.
func (f *file) walkSized(q *decode.Cursor) (stuck bool) {
	x := &f.objects
	f.walk(func() bool {
		size, ok := f.entryAt(q, x.end)
		if ok {
			x.add(x.end, size)
		}
		return ok
	})
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
	if _, ok := f.entryAt(q, end); !ok {
		at(q, end)
		if q.U32("end") != 0 || q.Err() != nil || q.Left() > 8 {
			return false
		}
	}
	x.entries = x.entries[:i]
	x.add(off, end-off)
	return true
}

// naturalEnd reads an object of 3.0 by the schema alone and returns where its values end.
func (f *file) naturalEnd(q *decode.Cursor, e entry) (int64, bool) {
	q.Reset(model.Span{Offset: e.off, Size: e.size})
	h := f.object(q, nil)
	if q.Err() != nil {
		return 0, false
	}
	// What is odd in the head does not count; a value that does not end where its size says does.
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
	if q.Err() == nil && left >= f.entryLeast() && size > uint64(left) && size < 1<<40 {
		x.add(x.end, left)
	}
}
