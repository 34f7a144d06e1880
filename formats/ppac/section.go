package ppac

import (
	"assay/formats/decode"
	"assay/model"
)

// section is a part of the file that the header leads to: index, metadata or trash index.
type section struct {
	name  string
	at    int64 // the offset that the header has
	state sectionState
	fault string // why it is refused
	span  model.Span
	node  *model.Node
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

// prove sets whether the bytes of a section that is shown prove that it is one.
func (s *section) prove(proven bool) {
	s.state = sectionDoubtful
	if proven {
		s.state = sectionProven
	}
}

// begin takes the offset from the header. least is the fewest bytes that the section can have.
func (s *section) begin(f *file, offset uint64, least int64) {
	switch {
	case offset == 0 && s.name != "index":
		return
	case offset > uint64(f.src.Size()) || f.src.Size()-int64(offset) < least:
		s.refuse("is not in the file")
	case int64(offset) < f.layout.headerSize():
		s.refuse("lies in the header")
	default:
		s.at, s.state = int64(offset), sectionDoubtful
		s.span = model.Span{Offset: s.at, Size: least}
	}
}

// refuse hides a section, and says why.
func (s *section) refuse(why string) {
	s.state, s.fault, s.span, s.node = sectionRefused, why, model.Span{}, nil
}

// record keeps the node of what e read.
func (s *section) record(e *decode.Cursor, name string) {
	size := e.Pos() - s.at
	s.node = e.Close()
	s.node.Name, s.node.Size = name, size
}

// add puts the node that was kept into the open struct.
func (s *section) add(c *decode.Cursor) {
	if s.node != nil {
		c.Add(s.node)
	}
}

// sections are sections whose places are known for certain.
type sections []*section

// over returns a section that shares a byte with s, or nil.
func (l sections) over(s model.Span) *section {
	for _, o := range l {
		if o.span.Overlaps(s) {
			return o
		}
	}
	return nil
}

// findSections finds the places of the sections and the assets, those that are certain first: a doubtful section must
// not take their bytes.
func (f *file) findSections() error {
	f.occupied = sections{{name: "header", span: model.Span{Size: min(f.layout.headerSize(), f.src.Size())}}}
	f.index.begin(f, f.header.Index, 4)
	f.metadata.begin(f, f.header.Metadata, f.layout.metadataHead())
	f.trashIndex.begin(f, f.header.Trash, 4)
	f.readMetadata(f.src.Size())
	f.readTrashIndex(f.src.Size())
	if err := f.findIndex(); err != nil {
		return err
	}
	f.readBetweenAssets(&f.metadata.section, f.readMetadata)
	f.readBetweenAssets(&f.trashIndex.section, f.readTrashIndex)
	return f.findTrash()
}

// keepProven reserves the bytes of a section that proves itself: no asset may overlap them.
func (f *file) keepProven(s *section) {
	if s.state != sectionProven {
		return
	}
	if o := f.occupied.over(s.span); o != nil {
		s.prove(false) // readBetweenAssets finds the place that is left, if any
		if o.span.Contains(s.at) {
			s.refuse("lies in the " + o.name)
		}
		return
	}
	f.occupied = append(f.occupied, s)
}

// readBetweenAssets reads a section that does not prove itself again, within the space that the assets leave.
func (f *file) readBetweenAssets(s *section, read func(limit int64)) {
	if s.state != sectionDoubtful {
		return
	}
	head := model.Span{Offset: s.at, Size: 1}
	if o := f.occupied.over(head); o != nil {
		s.refuse("lies in the " + o.name)
		return
	}
	if f.assets.overlaps(head) {
		s.refuse("lies in an asset")
		return
	}
	limit := f.assets.next(s.at, f.src.Size())
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
	if read(limit); s.shown() {
		f.occupied = append(f.occupied, s)
	}
}
