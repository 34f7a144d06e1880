package casset

import (
	"bytes"
	"fmt"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// chooseLayout goes by the magic, the version numbers and, where they do not tell, by the structure. Of 3.0 it also
// sets where the tables are.
func (f *file) chooseLayout(q *decode.Cursor) {
	at(q, 0)
	bundle := bytes.Equal(q.Peek(8), bundleMagic)
	q.U64("magic")
	major, minor := q.U32("major"), q.U32("minor")
	what, l := "Package", package20
	if bundle {
		what, l = "Bundle", bundle20
	}
	unknown := layout{variant: "unknown", generation: ofUnknown, header: headerLayout{magic: l.header.magic}}
	switch {
	case q.Err() != nil:
		unknown.variant = "cut off"
		f.use(unknown, "the file ends after %d bytes, before its version", f.src.Size())
	case major == 2:
		f.use(l, "the magic says %s and the version at 0x8 is 2: objects are typed maps", what)
	case !bundle && major == 1:
		f.chooseMinor(q, minor)
	case !bundle && major == 0x10000:
		f.use(package01, "the magic says package, and its version takes four bytes instead of eight")
	case bundle && minor == 3:
		f.chooseTables(q)
	case bundle && major == 3:
		f.use(unknown, "the version at 0x8 is 3, where Bundle 3.0 has its checksum: no such layout is known")
	default:
		f.use(unknown, "the version numbers at 0x8 are %d and %d: no such %s is known", major, minor, what)
	}
}

// use makes a layout that of the file, and says why.
func (f *file) use(l layout, why string, args ...any) {
	f.lay = l
	f.lay.why = fmt.Sprintf(why, args...)
}

// tryHeader reads the header quietly in the present layout and reports whether it can be read.
func (f *file) tryHeader(q *decode.Cursor) bool {
	at(q, 0)
	f.header = f.readHeader(q)
	return q.Err() == nil
}

// chooseMinor chooses the layout of a package of 1.x that says this minor version.
func (f *file) chooseMinor(q *decode.Cursor, minor uint32) {
	known := []layout{package10, package11, package12}
	why := "the magic says package and the version is 1.%d"
	if int64(minor) < int64(len(known)) {
		f.use(known[minor], why, minor)
	} else {
		l := f.nearest(q)
		l.variant = fmt.Sprintf("Package 1.%d, read as 1.%d", minor, l.header.minor)
		l.header.version = longVersion
		f.use(l, why+", which is not known; the bytes after its name are laid out as in 1.%d", minor, l.header.minor)
	}
	if f.lay.header.minor == 2 && f.tryHeader(q) {
		f.chooseRevision(q)
	}
}

// nearest returns the layout that a package of an unknown minor version has: 1.0 if it has no dependencies, 1.2 if
// there are markers before its fields, else 1.1.
func (f *file) nearest(q *decode.Cursor) layout {
	f.lay = package11
	if !f.tryHeader(q) {
		return package10
	}
	q.Reset(model.Span{Offset: int64(f.header.data), Size: 1 << 20})
	if q.Find(fieldMarker) {
		return package12
	}
	return package11
}

// chooseRevision tells the revisions of 1.2 apart by what is between the dependencies and the data: nothing, one byte,
// or two strings.
func (f *file) chooseRevision(q *decode.Cursor) {
	l, n := &f.lay, int64(f.header.data)-f.header.end
	q.Reset(model.Span{Offset: f.header.end, Size: n})
	first := q.Peek(1)
	cooked := first != nil && first[0] <= 1
	q.Terminated("primary_name")
	typ := q.Terminated("primary_type")
	what := "nothing is"
	switch {
	case n == 0:
		l.variant += ", plain"
	case n >= 2 && q.Err() == nil && q.Left() == 0 &&
		(typ == "" || strings.Contains(typ, "/") || strings.Contains(typ, "::")):
		l.variant += ", with the primary object's name"
		what = "two strings are"
		l.header.primary = true
	case cooked:
		l.variant += ", with the cooked byte"
		what = "one byte is"
		l.header.cooked, l.values.packageUUIDs = true, true
	}
	l.why += "; " + what + " between the dependencies and the data"
}

// tables is where the tables of a Bundle 3.0 are; 0 is unknown.
type tables struct {
	schema, data int64
	schemaGiven  bool // it is where the header says
	dataGiven    bool
}

// chooseTables chooses among the layouts of a Bundle 3.0 that have different tables, by the number of signs that the
// file has for each, and sets where the tables are.
func (f *file) chooseTables(q *decode.Cursor) {
	most, lay, header, where := -1, layout{}, header{}, tables{}
	for _, l := range bundles30 {
		f.lay = l
		if score := f.scoreTables(q); score > most {
			most, lay, header, where = score, f.lay, f.header, f.tables
		}
	}
	f.lay, f.header, f.tables = lay, header, where
}

// scoreTables sets the places of the tables in the present layout, and the strongest sign of it in words. It returns
// the number of signs.
func (f *file) scoreTables(q *decode.Cursor) (score int) {
	score = f.placeTables(q)
	f.lay.why = "the sizes of the tables contradict each other; the objects' entries agree with it"
	t, uncounted := &f.tables, f.lay.tables.uncounted
	if size, ok := sizeAt(q, t.schema); ok && t.schema > 0 {
		switch after := t.schema + uncounted + size; {
		case !t.dataGiven:
			t.data = after
		case t.data == after:
			score += 3
			how := "with"
			if uncounted > 0 {
				how = "without"
			}
			f.lay.why = fmt.Sprintf("the schema table's size at %#x, %s itself, leads to the data", t.schema, how)
		}
	}
	if size, ok := sizeAt(q, t.data); ok && size > 0 && t.data+8+size == f.src.Size() {
		score += 2 // the published size leaves itself out, the written one the end of the file
	}
	pos := t.data + 12
	for range 4 {
		if size, ok := f.entryAt(q, pos); ok {
			score++
			pos += size
		}
	}
	return score
}

// placeTables sets the places of the tables as the header says them in the present layout, and returns the number of
// signs that it has this layout.
func (f *file) placeTables(q *decode.Cursor) (score int) {
	f.tables = tables{}
	if !f.tryHeader(q) {
		f.header.end = 0
	}
	t, h, last := &f.tables, &f.header, f.src.Size()-12
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

// sizeAt reads the 64-bit size at an offset.
func sizeAt(q *decode.Cursor, pos int64) (int64, bool) {
	at(q, pos)
	n, ok := fit(q.U64("size"), q.Source().Size())
	return n, ok && q.Err() == nil
}

// chooseValues reads up to two objects of each class in the present layout and in its rival, and uses the one with
// which more objects end where their entries end.
func (f *file) chooseValues(q *decode.Cursor) {
	tables, byEnd := f.lay.why, ""
	layouts := []layout{f.lay, *f.lay.rival}
	tried := f.trialObjects(q)
	var count [2]int
	for k, l := range layouts {
		f.lay = l
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
	if !layouts[1].tables.endOfData && count[0] == count[1] && f.src.Size()-f.objects.end == 8 {
		best, byEnd = 1, "; the file ends right after the last object"
	}
	f.use(layouts[best], "%s, and the values of %d of %d objects tried end where their entries end when read %s%s",
		tables, count[best], len(tried), layouts[best].values.tried, byEnd)
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

// unknown reads files of versions that are not known: the header as far as all have it.
type unknown struct{ map2 }

func ofUnknown(f *file) generation { return unknown{map2{marked{f}}} }

func (f unknown) headerFields(c *decode.Cursor) (h header) {
	c.U32("major")
	c.U32("minor")
	c.Fail("%s", f.lay.why)
	return h
}

func (unknown) findObjects(*decode.Cursor) {}
