package casset

import (
	"bytes"
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// layout is how a file is laid out, and how that was found out.
type layout struct {
	bundle     bool // the magic is BUNDLE
	generation int  // 1, 2, 3; 0: none that is known
	variant    string
	why        string

	version uint32 // the minor version, as the file says it
	minor   uint32 // the minor version of 1.x that it is read as; 0.1 has old set
	old     bool

	packageUUIDs bool // references of 1.2 carry the package's UUID

	frame   frame // of 3.0
	dialect dialect
}

// chooseLayout goes by the magic, the version numbers and, where they do not tell, by the structure.
func (f *file) chooseLayout() {
	q, l := f.quiet(), &f.lay
	f.at(q, 0)
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
		l.generation, l.version = 2, b
		l.variant = what + " 2.0"
		l.why = fmt.Sprintf("the magic says %s and the version at 0x8 is 2: objects are typed maps", what)
	case !l.bundle && a == 1:
		l.generation, l.minor, l.version = 1, b, b
		l.variant = fmt.Sprintf("Package 1.%d", b)
		l.why = fmt.Sprintf("the magic says package and the version is 1.%d", b)
		if b > 2 {
			l.minor = f.nearest(q)
			l.variant = fmt.Sprintf("Package 1.%d, read as 1.%d", b, l.minor)
			l.why += fmt.Sprintf(", which is not known; the bytes after its name are laid out as in 1.%d", l.minor)
		}
	case !l.bundle && a == 0x10000:
		l.generation, l.old = 1, true
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

// nearest tells which layout of 1.x a package of an unknown minor version has: with dependencies before the data or
// without, with markers before the fields or without.
func (f *file) nearest(q *decode.Cursor) uint32 {
	f.at(q, 0x14)
	data, ok := fit(q.U64("data_offset"), f.src.Size())
	q.U64("uuid")
	q.Terminated("name")
	name := q.Pos()
	for n := q.U32("count"); n > 0 && q.Err() == nil; n-- {
		q.Terminated("dependency")
	}
	if !ok || q.Err() != nil || q.Pos() > data && data >= name {
		return 0
	}
	start := max(data, name)
	q.Reset(model.Span{Offset: start, Size: data + 1<<20 - start})
	if q.Find(fieldMarker) {
		return 2
	}
	return 1
}
