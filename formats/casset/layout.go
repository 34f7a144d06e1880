package casset

import (
	"bytes"
	"fmt"

	"assay/model"
)

// layout is how a file is laid out, and how that was found out.
type layout struct {
	bundle     bool // the magic is BUNDLE
	generation int  // 1, 2, 3; 0: none that is known
	variant    string
	why        string

	minor uint32 // of 1.x; 0.1 has old set
	old   bool

	frame   frame // of 3.0
	dialect dialect
}

// chooseLayout goes by the magic, the version numbers and, where they do not tell, by the structure.
func chooseLayout(src *model.Source) layout {
	s := newScanner(src, 0, src.Size())
	l := layout{bundle: bytes.Equal(s.take(8), bundleMagic)}
	a, b := s.u32(), s.u32()
	if s.err != nil {
		l.variant, l.why = "cut off", fmt.Sprintf("the file ends after %d bytes, before its version", src.Size())
		return l
	}
	what := "Package"
	if l.bundle {
		what = "Bundle"
	}
	switch {
	case a == 2:
		l.generation = 2
		l.variant = what + " 2.0"
		l.why = fmt.Sprintf("the magic says %s and the version at 0x8 is 2: objects are typed maps", what)
	case !l.bundle && a == 1:
		l.generation, l.minor = 1, b
		l.variant = fmt.Sprintf("Package 1.%d", b)
		l.why = fmt.Sprintf("the magic says package and the version is 1.%d", b)
		if b > 2 {
			l.minor = nearest(src)
			l.variant = fmt.Sprintf("Package 1.%d, read as 1.%d", b, l.minor)
			l.why += fmt.Sprintf(", which is not known; the bytes behind its name are laid out as in 1.%d", l.minor)
		}
	case !l.bundle && a == 0x10000:
		l.generation, l.old = 1, true
		l.variant = "Package 0.1"
		l.why = "the magic says package, and its version takes four bytes instead of eight"
	case l.bundle && b == 3:
		l.generation = 3
	case l.bundle && a == 3:
		l.variant, l.why = "unknown", "the version at 0x8 is 3, where Bundle 3.0 has its checksum: no such layout is known"
	default:
		l.variant, l.why = "unknown", fmt.Sprintf("the version numbers at 0x8 are %d and %d: no such %s is known", a, b, what)
	}
	return l
}

// nearest tells which layout of 1.x a package of an unknown minor version has: with dependencies before the data or
// without, with markers before the fields or without.
func nearest(src *model.Source) uint32 {
	s := newScanner(src, 0x14, src.Size())
	data, ok := fit(s.u64(), src.Size())
	s.skip(8)
	s.text()
	name := s.pos
	for n := s.u32(); n > 0 && s.err == nil; n-- {
		s.text()
	}
	if !ok || s.err != nil || s.pos > data && data >= name {
		return 0
	}
	s.pos, s.end = max(data, name), min(src.Size(), data+1<<20)
	if s.find(fieldMarker) {
		return 2
	}
	return 1
}
