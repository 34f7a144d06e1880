package casset

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// choose returns the file in its layout, with the reason. Each layout is tried with a copy of f, which stays unchanged.
// For 3.0 the schema is read, and the objects are listed as far as their sizes are valid.
func (f *file) choose(ctx context.Context) *file {
	chosen, rivals := f.chooseByHeader(ctx, f.quiet())
	if len(rivals) == 0 {
		return chosen
	}
	q := chosen.quiet()
	chosen.listBySize(ctx, q)
	for _, l := range rivals {
		if len(chosen.objects.entries) < 2 { // a damaged size may precede the others
			resized := chosen.withLayout(l)
			resized.listResized(ctx, q)
			chosen.objects = resized.objects
		}
	}
	return chosen.withLayout(chosen.chooseByValues(ctx, q, rivals))
}

// withLayout returns a copy of f that is read in layout l.
func (f *file) withLayout(l layout) *file {
	return &file{src: f.src, cursor: f.cursor, layout: l,
		header: f.header, offsets: f.offsets, schema: f.schema, objects: f.objects}
}

// chooseByHeader returns the file in the layout of its magic and version numbers or, where they are ambiguous, of its
// structure. For a Bundle 3.0 it sets the offsets of the tables, and returns the layouts with these offsets: the values
// decide between those.
func (f *file) chooseByHeader(ctx context.Context, q *decode.Cursor) (chosen *file, rivals []layout) {
	restartAt(q, 0)
	isBundle := bytes.Equal(q.Peek(8), bundleMagic)
	q.U64("magic")
	major, minor := q.U32("major"), q.U32("minor")
	kind, found := "Package", package20
	if isBundle {
		kind, found = "Bundle", bundle20
	}
	unsupported := layout{variant: "unknown", header: headerLayout{magic: found.header.magic}}
	switch {
	case q.Err() != nil:
		unsupported.variant = "cut off"
		found = unsupported.because("the file ends after %d bytes, before its version", f.src.Size())
	case major == 2:
		found = found.because("the magic is that of a %s and the version at 0x8 is 2: objects are typed maps", kind)
	case !isBundle && major == 1:
		found = f.chooseMinor(q, uint16(minor)) // the other half is the patch number
	case !isBundle && major == 0x10000:
		found = package01.because("the magic is that of a package, and its version takes four bytes instead of eight")
	case isBundle && minor == 3:
		return f.chooseByTables(ctx, q)
	case isBundle && major == 3:
		found = unsupported.because("unknown Bundle version: 3 at 0x8, where Bundle 3.0 has its checksum")
	case isBundle && major == 0:
		unsupported.header.checksum = true
		found = unsupported.because("unknown Bundle version: %d at 0xc, after a checksum of 0", minor)
	default:
		found = unsupported.because("unknown %s version: %d and %d at 0x8", kind, major, minor)
	}
	return f.withLayout(found), nil
}

// quietHeader reads the header quietly and reports whether it can be read.
func (f *file) quietHeader(q *decode.Cursor) (header, bool) {
	restartAt(q, 0)
	h := f.readHeader(q)
	return h, q.Err() == nil && h.end > 0
}

// chooseMinor returns the layout of a package 1.x with a minor version.
func (f *file) chooseMinor(q *decode.Cursor, minor uint16) layout {
	layouts := []layout{package10, package11, package12}
	why := "package version 1.%d, from the header"
	var best layout
	if int(minor) < len(layouts) && f.withLayout(layouts[minor]).fieldsAgree(q) {
		best = layouts[minor]
	} else {
		best = f.nearest(q)
	}
	if best.header.minor == uint64(minor) {
		best = best.because(why, minor)
	} else {
		best.variant = fmt.Sprintf("Package 1.%d, read as 1.%d", minor, best.header.minor)
		best = best.because(why+", but the bytes after its name are laid out as in 1.%d", minor, best.header.minor)
	}
	if best.header.minor == 2 {
		if head, ok := f.withLayout(best).quietHeader(q); ok {
			return best.revision(q, head)
		}
	}
	return best
}

// fieldsAgree reports whether the first object has or lacks the marker before its first field as the layout requires.
// An object that cannot be read, or has no fields, contradicts no layout.
func (f *file) fieldsAgree(q *decode.Cursor) bool {
	head, _ := f.quietHeader(q)
	start, ok := bounded(head.data, f.src.Size())
	restartAt(q, start)
	object := f.objectHead(q)
	return !ok || q.Err() != nil || object.size < int64(len(fieldMarker)) || object.size > q.Remaining() ||
		f.layout.values.marker == bytes.Equal(q.Peek(int64(len(fieldMarker))), fieldMarker)
}

// nearest returns the layout of a package with an unknown or wrong minor version: 1.0 without dependencies, 1.2 with
// markers before its fields, else 1.1.
func (f *file) nearest(q *decode.Cursor) layout {
	h, ok := f.withLayout(package11).quietHeader(q)
	if !ok {
		return package10
	}
	q.Reset(model.Span{Offset: int64(h.data), Size: 1 << 20})
	if q.Find(fieldMarker) {
		return package12
	}
	return package11
}

// revision returns the layout of a revision of 1.2, by the bytes between the dependencies and the data of a file with
// this header: zero bytes, one byte, or two strings.
func (l layout) revision(q *decode.Cursor, h header) layout {
	gap := int64(h.data) - h.end
	q.Reset(model.Span{Offset: h.end, Size: gap})
	first := q.Peek(1)
	cooked := gap == 1 || first != nil && first[0] <= 1
	q.Terminated("primary_name")
	primaryType := q.Terminated("primary_type")
	var between string
	switch {
	case gap == 0:
		l.variant += ", plain"
		between = "nothing is"
	case q.Err() == nil && (primaryType == "" && q.Remaining() == 0 || strings.Contains(primaryType, "/") ||
		strings.Contains(primaryType, "::")):
		l.variant += ", with the primary object's name"
		between = "two strings are"
		if q.Remaining() > 0 { // header fields of a later version follow
			between = fmt.Sprintf("two strings and %d bytes after them are", q.Remaining())
		}
		l.header.primary = true
	case cooked:
		l.variant += ", with the cooked byte"
		between = "one byte is"
		if gap > 1 {
			between = fmt.Sprintf("%d bytes, the first of them the cooked byte, are", gap)
		}
		l.header.cooked, l.values.packageUUIDs = true, true
	default:
		between = fmt.Sprintf("%d unknown bytes are", gap)
	}
	l.why += "; " + between + " between the dependencies and the data"
	return l
}

// tableOffsets has the offsets of the tables of a Bundle 3.0; 0 is unknown.
type tableOffsets struct {
	schema, data int64
	schemaGiven  bool // it is at the offset in the header
	dataGiven    bool
}

// chooseByTables returns the Bundle 3.0 with the most plausible offsets of the tables, and the layouts with these
// offsets.
func (f *file) chooseByTables(ctx context.Context, q *decode.Cursor) (best *file, rivals []layout) {
	choice := decode.Choose(ctx, bundles30, func(row []layout) (*file, decode.Score) {
		return f.placeTables(q, row[0])
	})
	i := slices.IndexFunc(bundles30, func(row []layout) bool { return row[0].variant == choice.Best.layout.variant })
	return choice.Best, bundles30[i]
}

// maxTrialEntries is the number of entries at the beginning of the data that count as signs of their offset.
const maxTrialEntries = 4

// placeTables returns the file in a layout, with the offsets of its tables, and the signs that they are right.
func (f *file) placeTables(q *decode.Cursor, l layout) (trial *file, score decode.Score) {
	h, ok := f.withLayout(l).quietHeader(q)
	if !ok {
		h.end = 0
	}
	offsets := f.offsetsOf(q, &h)
	for _, sign := range []bool{offsets.schemaGiven, offsets.schemaGiven && offsets.schema == h.end,
		offsets.dataGiven} {
		if sign {
			score.Signs++
		}
	}
	restartAt(q, offsets.schema)
	after := uint64(offsets.schema+l.tables.uncounted) + q.U64("size")
	sized := q.Err() == nil && offsets.schema > 0
	pointsToData := sized && after == h.data // also where the file is cut off before the data
	trial = f.withLayout(l)
	if pointsToData {
		score.Signs++
	} else if end, ok := bounded(after, f.src.Size()); ok && sized &&
		(!offsets.dataGiven || trial.entriesFrom(q, end) > trial.entriesFrom(q, offsets.data)) {
		offsets.data, offsets.dataGiven = end, false
	}
	restartAt(q, offsets.data)
	size, ok := bounded(q.U64("size"), f.src.Size())
	if ok && q.Err() == nil && size > 0 && offsets.data+8+size == f.src.Size() {
		score.Signs++ // the published size excludes its own 8 bytes; the written one, the end of the file
	}
	trial.header, trial.offsets = h, offsets
	entries := trial.entriesFrom(q, offsets.data)
	score.Signs += entries
	trial.layout = l.becauseOfTables(offsets.schema, pointsToData, entries > 0)
	return trial, score
}

// entriesFrom returns the number of valid entries among the first ones of a data table at pos.
func (f *file) entriesFrom(q *decode.Cursor, pos int64) (entries int) {
	pos += tableHead
	for ; entries < maxTrialEntries; entries++ {
		size, ok := f.entryAt(q, pos)
		if !ok {
			break
		}
		pos += size
	}
	return entries
}

// becauseOfTables returns the layout with the strongest reason for it: the size of the schema gives the offset of the
// data, or entries of objects are there.
func (l layout) becauseOfTables(schema int64, pointsToData, entries bool) layout {
	counted := "with"
	if l.tables.uncounted > 0 {
		counted = "without"
	}
	switch {
	case pointsToData:
		return l.because("the schema table's size at %#x, %s itself, points to the data", schema, counted)
	case entries:
		return l.because("the offsets and the sizes of the tables contradict each other; " +
			"the objects' entries agree with it")
	}
	return l.because("the layout cannot be determined from the tables or objects")
}

// minSchemaOffset is the minimum offset of the schema: the size of the header's fields up to the name.
const minSchemaOffset = 0x38

// offsetsOf returns the offsets of the tables in a header. If the offset of the schema is impossible, the schema is
// searched for after the header.
func (f *file) offsetsOf(q *decode.Cursor, h *header) (offsets tableOffsets) {
	last := f.src.Size() - tableHead
	offsets.schema, offsets.schemaGiven = bounded(h.schema, last)
	present, follows := f.hasSchemaAt(q, offsets.schema), f.hasSchemaAt(q, h.end)
	offsets.schemaGiven = offsets.schemaGiven && offsets.schema >= minSchemaOffset &&
		(present || offsets.schema >= h.end && !follows)
	offsets.data, offsets.dataGiven = bounded(h.data, last)
	if !offsets.schemaGiven {
		offsets.schema = h.end
	}
	offsets.dataGiven = offsets.dataGiven && offsets.data > offsets.schema
	return offsets
}

// hasSchemaAt reports whether a schema table can be at an offset: its first entry ends at another one or at the end of
// the table, or the table is empty.
func (f *file) hasSchemaAt(q *decode.Cursor, pos int64) bool {
	restartAt(q, pos)
	q.U64("size")
	table := schema{recordedCount: q.U32("count")}
	_, ok := table.nextEntrySize(q)
	if pos < minSchemaOffset || q.Err() != nil {
		return false
	}
	return ok || table.recordedCount == 0 && q.U32("end") == 0 && q.Err() == nil
}

// chooseByValues reads two objects of each class in two layouts, or more objects if these do not decide, and returns
// the layout with more objects that end where their entries end.
func (f *file) chooseByValues(ctx context.Context, q *decode.Cursor, rivals []layout) layout {
	trials := f.trialObjects(q, 2)
	choice := f.tryValues(ctx, q, rivals, trials)
	if choice.Score.Complete == choice.Next.Complete {
		trials = f.trialObjects(q, maxTrials)
		choice = f.tryValues(ctx, q, rivals, trials)
	}
	best, byEnd := *choice.Best, ""
	if choice.Score.Complete == choice.Next.Complete && choice.Score.Signs > 0 {
		byEnd = "; the file ends right after the last object"
	}
	if len(trials) == 0 {
		return best.because("%s, and no object could be tried%s", f.layout.why, byEnd)
	}
	return best.because("%s, and the values of %d of %d objects tried end where their entries end when read %s%s",
		f.layout.why, choice.Score.Complete, len(trials), best.values.readAs, byEnd)
}

// tryValues chooses between layouts by the number of objects that end where their entries end, and else by the end of
// the file.
func (f *file) tryValues(ctx context.Context, q *decode.Cursor, rivals []layout, tried []entry) decode.Choice[layout] {
	return decode.Choose(ctx, rivals, func(l layout) (*layout, decode.Score) {
		var score decode.Score
		if !l.tables.endOfData && f.src.Size()-f.objects.end == endSize {
			score.Signs = 1
		}
		trial := f.withLayout(l)
		for _, object := range tried {
			if end, ok := trial.naturalEnd(q, object); ok && end == object.off+object.size {
				score.Complete++
			}
		}
		return &l, score
	})
}

const (
	maxTrials = 256     // objects that are tried
	maxHeads  = 1 << 14 // objects whose heads are read to find them
)

// trialObjects returns up to ofClass of the first objects of each class, limited in all.
func (f *file) trialObjects(q *decode.Cursor, ofClass int) (tried []entry) {
	const maxBytes = 32 << 20
	visited, bytes := make(map[uint32]int), int64(0)
	for i, object := range f.objects.entries[:min(maxHeads, len(f.objects.entries))] {
		head, ok := f.head(q, i)
		if !ok || int64(head.schemaIndex) >= int64(len(f.schema.entries)) || visited[head.schemaIndex] >= ofClass {
			continue
		}
		if len(tried) == maxTrials || bytes > maxBytes {
			break
		}
		visited[head.schemaIndex]++
		bytes += object.size
		tried = append(tried, object)
	}
	return tried
}
