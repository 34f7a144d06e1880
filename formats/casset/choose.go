package casset

import (
	"bytes"
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// layout is how a file is laid out, with the reason why it is read so.
type layout struct {
	bundle     bool // the magic is BUNDLE
	generation int  // 1, 2, 3; 0: none that is known
	variant    string
	why        string

	version uint32 // the minor version, as the file says it
	minor   uint32 // the minor version of 1.x that it is read as; 0.1 has old set
	old     bool

	packageUUIDs bool // references of 1.2 carry the package's UUID

	// The published document of 3.0 counts the sizes of two tables without themselves and has entries with 4-byte
	// sizes; all written files count everything and use 8.
	published     bool
	gap           bool         // four bytes between the version and the offsets, as the document's own offsets imply
	sizeForm      model.Number // of the sizes before values, which count themselves
	bareFunctions bool         // elements of function arrays have no size before them

	prefix prefix
}

// prefix is what is before every value.
type prefix uint8

const (
	noPrefix    prefix = iota // nothing: the schema tells what the values are (3.0 as the engine writes it)
	sizePrefix                // its size (3.0 as published, and as first written)
	typePrefix                // its name, unless it is an element, and its type (2.0)
	entryPrefix               // its name, type and size (1.x); elements have nothing
)

// first reports whether the layout is the first that the engine wrote of 3.0 (r1118), which does not end its data.
func (l *layout) first() bool { return l.prefix == sizePrefix && l.sizeForm == model.U64 }

// entryForm is the form of the size of an object's entry.
func (l *layout) entryForm() model.Number {
	if l.published {
		return model.U32
	}
	return model.U64
}

// uncounted is how much of itself the size of a table leaves out.
func (l *layout) uncounted() int64 {
	if l.published {
		return 8
	}
	return 0
}

// entryLeast is the fewest bytes an object's entry takes.
func (l *layout) entryLeast() int64 {
	if l.published {
		return 4 + 4 + 16 + 1 + 4 + 1 + 1
	}
	return 8 + 4 + 16 + 1 + 4 + 1 + 1 + 8
}

// tables is where the tables of a Bundle 3.0 are; 0 is unknown.
type tables struct {
	schema, data int64
	schemaGiven  bool // it is where the header says
	dataGiven    bool
}

// chooseLayout goes by the magic, the version numbers and, where they do not tell, by the structure.
func (f *file) chooseLayout() {
	q, l := f.quiet(), &f.lay
	at(q, 0)
	l.bundle = bytes.Equal(q.Peek(8), bundleMagic)
	q.U64("magic")
	a, b := q.U32("major"), q.U32("minor")
	if q.Err() != nil {
		l.variant, l.why = "cut off", fmt.Sprintf("the file ends after %d bytes, before its version", f.src.Size())
		return
	}
	what := "Package"
	if l.bundle {
		what = "Bundle"
	}
	switch {
	case a == 2:
		l.generation, l.version, l.prefix = 2, b, typePrefix
		l.variant = what + " 2.0"
		l.why = fmt.Sprintf("the magic says %s and the version at 0x8 is 2: objects are typed maps", what)
	case !l.bundle && a == 1:
		f.chooseMinor(q, b)
	case !l.bundle && a == 0x10000:
		l.generation, l.old, l.prefix = 1, true, entryPrefix
		l.variant = "Package 0.1"
		l.why = "the magic says package, and its version takes four bytes instead of eight"
	case l.bundle && b == 3:
		l.generation = 3
	case l.bundle && a == 3:
		l.variant, l.why = "unknown",
			"the version at 0x8 is 3, where Bundle 3.0 has its checksum: no such layout is known"
	default:
		l.variant, l.why = "unknown", fmt.Sprintf("the version numbers at 0x8 are %d and %d: no such %s is known", a, b,
			what)
	}
}

// chooseMinor sets the layout of a package of 1.x that says this minor version.
func (f *file) chooseMinor(q *decode.Cursor, minor uint32) {
	l := &f.lay
	l.generation, l.minor, l.version, l.prefix = 1, minor, minor, entryPrefix
	l.variant = fmt.Sprintf("Package 1.%d", minor)
	l.why = fmt.Sprintf("the magic says package and the version is 1.%d", minor)
	if minor > 2 {
		l.minor = f.nearest(q)
		l.variant = fmt.Sprintf("Package 1.%d, read as 1.%d", minor, l.minor)
		l.why += fmt.Sprintf(", which is not known; the bytes after its name are laid out as in 1.%d", l.minor)
	}
}

// nearest returns the minor version of 1.x whose layout a package of an unknown minor version has: 0 if it has no
// dependencies, 2 if there are markers before its fields, else 1.
func (f *file) nearest(q *decode.Cursor) uint32 {
	f.lay.minor = 1
	at(q, 0)
	h := f.readHeader(q)
	if q.Err() != nil {
		return 0
	}
	q.Reset(model.Span{Offset: int64(h.data), Size: 1 << 20})
	if q.Find(fieldMarker) {
		return 2
	}
	return 1
}

// chooseTables tries the layouts of a header of 3.0, uses the one with the highest score, and returns the reason.
func (f *file) chooseTables(q *decode.Cursor) (why string) {
	most, best, where := -1, f.lay, tables{}
	for _, try := range []layout{{}, {published: true}, {published: true, gap: true}} {
		f.lay.published, f.lay.gap = try.published, try.gap
		if score, reason := f.scoreTables(q); score > most {
			most, best, where, why = score, f.lay, f.tables, reason
		}
	}
	f.lay, f.tables = best, where
	return why
}

const tablesByEntries = "the sizes of the tables contradict each other; the objects' entries agree with it"

// scoreTables sets the places of the tables in the present layout. It returns the number of signs that the file has
// this layout, and the strongest one in words.
func (f *file) scoreTables(q *decode.Cursor) (score int, why string) {
	score = f.placeTables(q)
	why = tablesByEntries
	t, data := &f.tables, f.tables.data
	after, ok := f.afterSchema(q)
	switch {
	case !ok:
	case !t.dataGiven:
		data = after
	case data == after:
		score += 3
		why = f.lay.tablesBySize(t.schema)
	}
	if v, ok := sizeAt(q, data); ok && v > 0 && data+8+v == f.src.Size() {
		score += 2 // the published size leaves itself out, the written one the end of the file
	}
	return score + f.lay.entriesAt(q, data+12), why
}

// placeTables sets the places of the tables as the header says them in the present layout, and returns the number of
// signs that it has this layout.
func (f *file) placeTables(q *decode.Cursor) (score int) {
	t, last := &f.tables, f.src.Size()-12
	*t = tables{}
	at(q, 0)
	h := f.readHeader(q)
	if q.Err() != nil {
		h.end = 0
	}
	t.schema, t.schemaGiven = fit(h.schema, last)
	t.schemaGiven = t.schemaGiven && t.schema >= 0x38 && t.schema >= h.end
	t.data, t.dataGiven = fit(h.data, last)
	t.dataGiven = t.dataGiven && t.data > t.schema
	switch {
	case !t.schemaGiven:
		t.schema = h.end
	case t.schema == h.end:
		score = 4
	default:
		score = 1
	}
	if t.dataGiven {
		score++
	}
	return score
}

// afterSchema returns where the schema table ends by its size.
func (f *file) afterSchema(q *decode.Cursor) (end int64, ok bool) {
	n, ok := sizeAt(q, f.tables.schema)
	return f.tables.schema + f.lay.uncounted() + n, ok && f.tables.schema > 0
}

// tablesBySize says that the size of the schema table at an offset leads to the data.
func (l *layout) tablesBySize(schema int64) string {
	how := "with"
	if l.published {
		how = "without"
	}
	return fmt.Sprintf("the schema table's size at %#x, %s itself, leads to the data", schema, how)
}

// entriesAt returns how many objects may follow one another from pos on, up to four.
func (l *layout) entriesAt(q *decode.Cursor, pos int64) (n int) {
	for n < 4 {
		size, ok := l.entryAt(q, pos)
		if !ok {
			break
		}
		n++
		pos += size
	}
	return n
}

// sizeAt reads the 64-bit size at an offset.
func sizeAt(q *decode.Cursor, pos int64) (int64, bool) {
	at(q, pos)
	n, ok := fit(q.U64("size"), q.Source().Size())
	return n, ok && q.Err() == nil
}

// trials counts the objects whose values end where their entries end.
type trials struct {
	tried, count int  // of the layout that was chosen
	byEnd        bool // decided by what is after the last object
}

// chooseSizes reads up to two objects of each class with each of the sizes that may be before values, and uses those
// with which most objects end where their entries end.
func (f *file) chooseSizes(q *decode.Cursor) (v trials) {
	layouts := []layout{{}, {prefix: sizePrefix, sizeForm: model.U64, bareFunctions: true}}
	if f.lay.published {
		layouts = []layout{{prefix: sizePrefix, sizeForm: model.U32},
			{prefix: sizePrefix, sizeForm: model.U32, bareFunctions: true}}
	}
	use := func(l layout) {
		f.lay.prefix, f.lay.sizeForm, f.lay.bareFunctions = l.prefix, l.sizeForm, l.bareFunctions
	}
	tried := f.trialObjects(q)
	var count [2]int
	for k, l := range layouts {
		use(l)
		for _, e := range tried {
			if end, ok := f.naturalEnd(q, e); ok && end == e.off+e.size {
				count[k]++
			}
		}
	}
	best := 0
	if count[1] > count[0] {
		best = 1
	}
	if !f.lay.published && count[0] == count[1] && f.src.Size()-f.objects.end == 8 {
		best, v.byEnd = 1, true // no end of data before the end of the file
	}
	use(layouts[best])
	v.tried, v.count = len(tried), count[best]
	return v
}

// trialObjects returns up to two objects of each class, not too many in all.
func (f *file) trialObjects(q *decode.Cursor) (tried []entry) {
	const most, bytesMost = 256, 32 << 20
	seen, bytes := make(map[uint32]int), int64(0)
	for i, e := range f.objects.entries {
		h, ok := f.head(q, i)
		if !ok || int64(h.schema) >= int64(len(f.schema.entries)) || seen[h.schema] >= 2 {
			continue
		}
		if len(tried) == most || bytes > bytesMost {
			break
		}
		seen[h.schema]++
		bytes += e.size
		tried = append(tried, e)
	}
	return tried
}

// naturalEnd reads an object by the schema alone and returns where its values end.
func (f *file) naturalEnd(q *decode.Cursor, e entry) (int64, bool) {
	q.Reset(model.Span{Offset: e.off, Size: e.size})
	h := f.readHead(q)
	if q.Err() != nil {
		return 0, false
	}
	// What is odd in the head does not count; a value that does not end where its size says does.
	q.Reset(model.Span{Offset: q.Pos(), Size: q.Left()})
	if !f.lay.published {
		q.U64("fields_size")
	}
	(&reader{file: f}).schemaFields(q, h.schema)
	return q.Pos(), q.Outcome() != decode.Broken
}

// nameVariant says which layout a Bundle 3.0 has and why.
func (l *layout) nameVariant(tables string, v trials) {
	how := "without sizes before them"
	switch {
	case l.published:
		l.variant = "Bundle 3.0 as published"
		if l.gap {
			l.variant += ", four bytes more in the header"
		}
		how = "with a 4-byte size before each"
		if l.bareFunctions {
			l.variant += ", function lists without sizes"
			how += ", but none in function lists"
		}
	case l.first():
		l.variant = "Bundle 3.0 as the engine first wrote it (r1118)"
		how = "with an 8-byte size before each"
	default:
		l.variant = "Bundle 3.0 as the engine writes it"
	}
	l.why = fmt.Sprintf("%s, and the values of %d of %d objects tried end where their entries end when read %s",
		tables, v.count, v.tried, how)
	if v.byEnd {
		l.why += "; the file ends right after the last object"
	}
}
