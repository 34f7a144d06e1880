package casset

import (
	"context"
	"fmt"
	"math"

	"assay/formats/decode"
	"assay/model"
)

// objectList has the offsets of the objects, which are decoded on demand.
type objectList struct {
	entries       []entry
	start         int64  // of the first object, in 3.0 of the data table; 0 if it is unknown
	end           int64  // after the last object
	magic         int64  // the offset of the last magic that magicAfter found (before 3.0)
	recordedCount uint32 // the number of objects that the data table of 3.0 records
	node          *model.Node

	problems     []listProblem
	problemCount int // number of problems, stored or not
}

type entry struct {
	off, size int64
}

type listProblem struct {
	offset int64
	text   string
}

// maxListProblems is the maximum number of problems of the list that are reported one by one.
const maxListProblems = 1000

func (l *objectList) add(off, size int64) {
	l.entries = append(l.entries, entry{off, size})
	l.end = off + size
}

// findObjects finds where the objects are that are not listed yet.
func (f *file) findObjects(ctx context.Context, q *decode.Cursor) {
	switch f.layout.generation {
	case package1, map2:
		f.findByMagic(ctx, q)
	case bundle3:
		f.findBySize(ctx, q)
	}
}

// walk runs next, which finds one object, to the last object, or until ctx ends.
func (f *file) walk(ctx context.Context, next func() bool) {
	for len(f.objects.entries) < math.MaxInt32 && next() {
		if len(f.objects.entries)&0xFFFF == 0 && ctx.Err() != nil {
			return
		}
	}
}

// addProblem adds a problem at an offset.
func (l *objectList) addProblem(offset int64, format string, args ...any) {
	if l.problemCount++; l.problemCount <= maxListProblems {
		l.problems = append(l.problems, listProblem{offset, fmt.Sprintf(format, args...)})
	}
}

func (l *objectList) span(i int) model.Span {
	return model.Span{Offset: l.entries[i].off, Size: l.entries[i].size}
}

// recordObjects records the list of objects, which is the table "Serialized Data" in 3.0. The objects are decoded on
// demand.
func (f *file) recordObjects(c *decode.Cursor) {
	objects := &f.objects
	objects.node = c.Struct("objects", "Object[]", func() {
		if f.layout.tables.counted {
			f.dataCount(c)
		}
		for _, p := range objects.problems {
			c.Remark(model.Error, model.Span{Offset: p.offset}, "%s", p.text)
		}
		if more := objects.problemCount - len(objects.problems); more > 0 {
			c.Remark(model.Error, model.Span{Offset: objects.start}, "%d more errors in the object list", more)
		}
		c.Elements("Object", len(objects.entries), nil,
			decode.LocatedReading(objects.span, func(e *decode.Cursor, _ int) { f.object(e, &valueReader{file: f}) }))
		if objects.end >= c.Pos() {
			c.GoTo(objects.end)
		}
		if !f.layout.tables.endOfData {
			return
		}
		if end := c.U32("end"); end != 0 {
			c.Errorf("the data should end with 0, not with %#x", end)
		}
	})
	if objects.elements() == nil { // the data end before the objects, and no path reaches the entries found so far
		objects.entries = nil
	}
}

// dataCount reads the bytes before the objects of 3.0: the size of the data table and the number of objects.
func (f *file) dataCount(c *decode.Cursor) {
	objects, tables := &f.objects, &f.layout.tables
	size, actual := c.Size("size", model.U64), objects.end-objects.start-tables.uncounted
	if tables.endOfData {
		actual += 4
	}
	switch {
	case size == uint64(actual):
	case size == 0 && !tables.endOfData: // as in the first file with that layout
		c.Symbol("not recorded")
	default:
		c.Errorf("the data's size is %d, but the objects and the end take %d bytes", size, actual)
	}
	c.Total("count", model.U32)
	if found := len(objects.entries); int64(objects.recordedCount) != int64(found) {
		c.Errorf("the data table records %s, but %d were found",
			model.PlainCount(int64(objects.recordedCount), "object"), found)
	}
}

// elements returns the elements of the list of objects, or nil if the list could not be recorded.
func (l *objectList) elements() *model.Elements {
	if l.node == nil {
		return nil
	}
	list, _ := l.node.Children().(*model.Elements)
	return list
}

// objectPath returns the path of the i-th object in the document.
func (f *file) objectPath(i int) model.Path {
	return append(f.objects.node.Path(), len(f.objects.elements().First)+i)
}

// objectOf returns the object that a node is or is a part of, or false.
func (f *file) objectOf(n *model.Node) (int, bool) {
	objects := &f.objects
	for n != nil && n.Parent != objects.node {
		n = n.Parent
	}
	list := objects.elements()
	if n == nil || list == nil {
		return 0, false
	}
	i := n.Index - len(list.First)
	return i, i >= 0 && i < list.Count && objects.span(i) == n.Span
}

// tableHead is the bytes of the size of a table and of the number of its entries.
const tableHead = 8 + 4

// placeData sets the offset of the data table: the one in the header, or the end of the schema as in the engine's
// reader.
func (f *file) placeData(q *decode.Cursor) {
	objects, offsets, after := &f.objects, &f.offsets, f.schema.end+4
	_, given := f.entryAt(q, offsets.data+tableHead)
	_, follows := f.entryAt(q, after+tableHead)
	switch {
	case offsets.dataGiven && (given || offsets.data == after || !follows):
		objects.start = offsets.data
	case offsets.schema == 0 && !offsets.dataGiven: // the file ends in its header
	case after <= f.src.Size()-tableHead && f.schema.problem == "":
		objects.start = after
		objects.addProblem(after, "the data begin after the schema, at %#x", after)
	case offsets.dataGiven:
		objects.start = offsets.data
	}
}

// minEntryHead is the fewest bytes of an entry between its data offset and its fields: a UUID, whether it is an
// asset, a schema index, and two empty strings.
const minEntryHead = 16 + 1 + 4 + 1 + 1

// minEntry returns the minimum size of an entry of the data table, in bytes.
func (f *file) minEntry() int64 {
	minSize := f.layout.objects.size.Size() + 4 + minEntryHead
	if f.layout.objects.fieldsSize {
		minSize += 8
	}
	return minSize
}

// entryAt returns the size of the entry of the data table at pos, and whether an object may be there: its fields begin
// in it, or else another entry or the end follows.
func (f *file) entryAt(q *decode.Cursor, pos int64) (size int64, ok bool) {
	size, hasFields, ok := f.entryHeadAt(q, pos)
	return size, ok && (hasFields || f.hasEntryOrEndAt(q, pos+size))
}

// entryHeadAt reads the entry at pos up to its fields. It returns its size, whether its fields begin in it, and whether
// the size is valid.
func (f *file) entryHeadAt(q *decode.Cursor, pos int64) (size int64, hasFields, ok bool) {
	minSize := f.minEntry()
	if pos < 0 || pos > f.src.Size()-minSize {
		return 0, false, false
	}
	restartAt(q, pos)
	recorded, _, fields := f.entrySize(q)
	size, ok = bounded(recorded, q.End()-pos)
	return size, fields-pos <= size && fields-q.Pos() >= minEntryHead, ok && q.Err() == nil && size >= minSize
}

// hasEntryOrEndAt reports whether another entry, or the end of the list and of the file, is at an offset.
func (f *file) hasEntryOrEndAt(q *decode.Cursor, pos int64) bool {
	if _, hasFields, ok := f.entryHeadAt(q, pos); hasFields && ok {
		return true
	}
	restartAt(q, pos)
	return q.U32("end") == 0 && q.Err() == nil && q.Remaining() <= endSize
}

// listBySize reads the schema and lists the objects of 3.0, which begin with their sizes, up to one with a damaged
// size.
func (f *file) listBySize(ctx context.Context, q *decode.Cursor) {
	f.readSchema(f.quiet())
	f.placeData(q)
	objects := &f.objects
	if objects.start > 0 {
		restartAt(q, objects.start+8)
		objects.recordedCount = q.U32("count")
		objects.end = objects.start + tableHead
		f.walkBySize(ctx, q)
	}
}

// maxResized limits the objects with damaged sizes that are read by their values: each takes a search.
const maxResized = 64

// findBySize finds the objects after the listed ones when the size of one is damaged. For an object of 80 bytes
//
//	a size of 3 or of 2^40 is invalid: entryAt lists no object there, and objects.end is its offset
//	a size of 70 or of 100 is possible: the object is listed, and no other object begins at objects.end
//
// In both cases the list is stuck at objects.end. resize ends the last listed object, or else the one at objects.end,
// after its values by the schema, if the next object or the end of the list is there.
func (f *file) findBySize(ctx context.Context, q *decode.Cursor) {
	objects := &f.objects
	for attempts := 0; attempts < maxResized && f.listResized(ctx, q); {
		attempts++
	}
	if f.isCutShort(q) || int64(len(objects.entries)) < int64(objects.recordedCount) {
		objects.addProblem(objects.end, "the list of objects ends after %d of %d", len(objects.entries), objects.recordedCount)
		f.addTruncated(q)
	}
}

// listResized lists the objects after one with a damaged size, if the list is stuck there and the object's values give
// its end.
func (f *file) listResized(ctx context.Context, q *decode.Cursor) bool {
	objects := &f.objects
	last := len(objects.entries) - 1
	if !f.isCutShort(q) || (last < 0 || !f.resize(q, last, objects.entries[last].off)) &&
		!f.resize(q, last+1, objects.end) {
		return false
	}
	f.walkBySize(ctx, q)
	return true
}

// walkBySize continues after the last listed object, even beyond the recorded count.
func (f *file) walkBySize(ctx context.Context, q *decode.Cursor) {
	objects := &f.objects
	f.walk(ctx, func() bool {
		size, ok := f.entryAt(q, objects.end)
		if ok {
			objects.add(objects.end, size)
		}
		return ok
	})
}

// isCutShort reports whether the list ends too early: after its last object come bytes other than the 0 of the end, or
// this 0 although the table counts more objects and more bytes remain.
func (f *file) isCutShort(q *decode.Cursor) bool {
	objects := &f.objects
	if objects.start == 0 {
		return false
	}
	restartAt(q, objects.end)
	end, hasMore := q.U32("end"), int64(objects.recordedCount) > int64(len(objects.entries))
	return q.Err() == nil && (end != 0 || hasMore && q.Remaining() > f.minEntry())
}

// resize makes the object at off, which is the i-th and last, end where its values end, if an object or the end of the
// list follows there. It reports whether one does.
func (f *file) resize(q *decode.Cursor, i int, off int64) bool {
	objects := &f.objects
	end, ok := f.naturalEnd(q, entry{off, f.src.Size() - off})
	if !ok || i < len(objects.entries) && end == objects.end {
		return false
	}
	if !f.hasEntryOrEndAt(q, end) {
		return false
	}
	objects.entries = objects.entries[:i]
	objects.add(off, end-off)
	return true
}

// naturalEnd reads an object of 3.0 by the schema alone and returns where its values end.
func (f *file) naturalEnd(q *decode.Cursor, e entry) (int64, bool) {
	q.Reset(model.Span{Offset: e.off, Size: e.size})
	head := f.objectHead(q)
	if q.Err() != nil {
		return 0, false
	}
	// A head with a wrong size does not end the search: Reset clears that error. A value that contradicts its size
	// does.
	q.Reset(model.Span{Offset: q.Pos(), Size: q.Remaining()})
	if f.layout.objects.fieldsSize {
		q.U64("fields_size")
	}
	(&valueReader{file: f}).schemaFields(q, head.schemaIndex)
	return q.Pos(), q.Outcome() != decode.Broken
}

// addTruncated adds the beginning of an object that the end of the file cuts off.
func (f *file) addTruncated(q *decode.Cursor) {
	objects, left := &f.objects, f.src.Size()-f.objects.end
	restartAt(q, objects.end)
	size := q.Number("size", f.layout.objects.size)
	const maxObjectSize = 1 << 40 // more is no size but something else
	if q.Err() == nil && left >= f.minEntry() && size > uint64(left) && size < maxObjectSize {
		objects.add(objects.end, left)
	}
}
