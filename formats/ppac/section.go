package ppac

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

// section is a part of the file that the header leads to: index, metadata or trash index.
type section struct {
	name     string
	optional bool  // the header may have 0 in place of its offset
	at       int64 // the offset that the header has
	state    sectionState
	fault    error // why it is refused
	span     model.Span
}

// sectionState is what is known of a section.
type sectionState uint8

const (
	sectionAbsent   sectionState = iota // the header leads to none
	sectionRefused                      // there can be none where the header leads to
	sectionDoubtful                     // it reads as one
	sectionProven                       // its bytes alone prove that it is one
)

// shown reports whether there is a section to show.
func (s *section) shown() bool { return s.state >= sectionDoubtful }

// setProven sets whether the bytes of a section that is shown prove that it is one.
func (s *section) setProven(proven bool) {
	s.state = sectionDoubtful
	if proven {
		s.state = sectionProven
	}
}

// proveByGuard sets whether a guard follows a section of the later revision that is whole. The guard is a part of it.
func (s *section) proveByGuard(quiet *decode.Cursor, whole bool, limit int64, guards ...[]byte) {
	quiet.Reset(model.Span{Offset: s.span.End(), Size: min(guardSize, limit-s.span.End())})
	if s.setProven(whole && isGuard(quiet.Peek(guardSize), guards...)); s.state == sectionProven {
		s.span.Size += guardSize
	}
}

// begin takes the offset from the header. least is the fewest bytes that the section can have.
func (s *section) begin(f *File, offset uint64, least int64) {
	switch {
	case offset == 0 && s.optional:
		return
	case offset > uint64(f.Source.Size()) || f.Source.Size()-int64(offset) < least:
		s.refuse("is not in the file")
	case int64(offset) < f.Layout.headerSize():
		s.refuse("overlaps the header")
	default:
		s.at, s.state = int64(offset), sectionDoubtful
		s.span = model.Span{Offset: s.at, Size: least}
	}
}

// refuse hides a section, and says why.
func (s *section) refuse(why string) {
	s.state, s.fault, s.span = sectionRefused, errors.New(why), model.Span{}
}

// record records a section, if it is shown, as a struct with those fields. An error ends the section alone.
func (s *section) record(c *decode.Cursor, name, typ string, fields func()) {
	if s.shown() {
		c.Try(func() {
			c.GoTo(s.at)
			c.Struct(name, typ, fields)
		})
	}
}

// sections are sections whose places are known for certain.
type sections []*section

// overlapping returns a section that shares a byte with s, or nil.
func (l sections) overlapping(s model.Span) *section {
	for _, o := range l {
		if o.span.Overlaps(s) {
			return o
		}
	}
	return nil
}

// findSections finds the places of the sections and the assets, those that are certain first: a doubtful section must
// not take their bytes.
//
//   - Each section begins where the header says, a lost index where it was found, and has the elements that its bytes
//     have, to the end of the file.
//   - The index has its bytes before all others, then what proves itself: no asset may overlap them.
//   - The assets have what the index names outside of these.
//   - A doubtful section ends before them, and before the next section.
//   - Trash is what its index lists of the rest.
func (f *File) findSections(ctx context.Context) error {
	f.occupied = sections{{name: "header", span: model.Span{Size: min(f.Layout.headerSize(), f.Source.Size())}}}
	f.index.begin(f, cmp.Or(f.indexAt, f.Header.Index), 4)
	f.metadata.begin(f, f.Header.Metadata, f.Layout.metadataHead())
	f.trashIndex.begin(f, f.Header.Trash, 4)
	f.findMetadata(ctx, f.Source.Size())
	f.findTrashIndex(ctx, f.Source.Size())
	if err := f.findIndex(ctx); err != nil {
		return err
	}
	f.occupy(&f.index.section)
	f.occupyProven(&f.metadata.section)
	f.occupyProven(&f.trashIndex.section)
	if err := f.findAssets(ctx); err != nil {
		return err
	}
	f.findBetweenAssets(ctx, &f.metadata.section, f.findMetadata)
	f.findBetweenAssets(ctx, &f.trashIndex.section, f.findTrashIndex)
	return f.findTrash(ctx)
}

// occupy keeps the bytes of a section that is shown.
func (f *File) occupy(s *section) {
	if s.shown() {
		f.occupied = append(f.occupied, s)
	}
}

// occupyProven keeps the bytes of a section that proves itself, unless others have some of them.
func (f *File) occupyProven(s *section) {
	if s.state != sectionProven {
		return
	}
	if o := f.occupied.overlapping(s.span); o != nil {
		s.setProven(false) // findBetweenAssets finds the place that is left, if any
		if o.span.Contains(s.at) {
			s.refuse("overlaps the " + o.name)
		}
		return
	}
	f.occupy(s)
}

// findBetweenAssets cuts a section that does not prove itself to the space that the assets and the other sections
// leave: find looks again for its elements if they reach further.
func (f *File) findBetweenAssets(ctx context.Context, s *section, find func(ctx context.Context, limit int64)) {
	if s.state != sectionDoubtful {
		return
	}
	head := model.Span{Offset: s.at, Size: 1}
	if o := f.occupied.overlapping(head); o != nil {
		s.refuse("lies in the " + o.name)
		return
	}
	if f.assets.overlaps(head) {
		s.refuse("overlaps an asset")
		return
	}
	limit := f.assets.next(s.at, f.Source.Size())
	for _, o := range f.occupied {
		if o.span.Offset > s.at {
			limit = min(limit, o.span.Offset)
		}
	}
	for _, o := range []*section{&f.index.section, &f.metadata.section, &f.trashIndex.section} {
		if o.shown() && o.at > s.at {
			limit = min(limit, o.at)
		}
	}
	if s.span.End() > limit {
		find(ctx, limit)
	}
	f.occupy(s)
}

// The later revision has a guard after each section.
var (
	indexGuard    = []byte("INDX")
	metadataGuard = []byte("META")
	trashGuard    = []byte("TRSH")
	// Libraries before 17 January 2017 wrote this after the metadata.
	oldMetadataGuard = []byte{0xFF, 0xEE, 0xDD, 0xCC}
)

// guardSize is the number of bytes of a guard.
const guardSize = 4

// isGuard reports whether bytes are one of some guards.
func isGuard(got []byte, guards ...[]byte) bool {
	return slices.ContainsFunc(guards, func(g []byte) bool { return bytes.Equal(got, g) })
}

// readGuard reads the guard after a section. Bytes that are not a guard may be anything; they are left to be a gap.
func readGuard(e *decode.Cursor, guards ...[]byte) {
	switch got := e.Peek(guardSize); {
	case len(got) < guardSize:
		e.Fail("guard needs 4 bytes, but only %d remain", e.Left())
	case !isGuard(got, guards...):
		e.Fail("guard is % x, not %q", bytes.Clone(got), guards[0])
	default:
		e.Text("guard", guardSize)
		e.As("literal")
	}
}
