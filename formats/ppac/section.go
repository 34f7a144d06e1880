package ppac

import (
	"assay/formats/decode"
	"assay/model"
)

// section is a part of the file that the header leads to: index, metadata or trash index.
type section struct {
	name   string
	at     int64 // the offset that the header has
	shown  bool
	proven bool   // its bytes alone prove that it is one
	fault  string // why it is not shown
	span   model.Span
	node   *model.Node
}

// begin takes the offset from the header. least is the fewest bytes that the section can have.
func (s *section) begin(f *file, offset uint64, least int64) {
	switch {
	case offset == 0 && s.name != "index":
		return
	case offset > uint64(f.src.Size()) || f.src.Size()-int64(offset) < least:
		s.fault = "is not in the file"
	case int64(offset) < f.layout.headerSize():
		s.fault = "lies in the header"
	default:
		s.at, s.shown = int64(offset), true
		s.span = model.Span{Offset: s.at, Size: least}
	}
}

// drop hides a section, and says why.
func (s *section) drop(why string) {
	s.shown, s.proven, s.fault, s.span, s.node = false, false, why, model.Span{}, nil
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
