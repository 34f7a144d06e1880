package gpb

import (
	"sort"

	"assay/formats/decode"
	"assay/model"
)

// An exporter of 2013, for Blender, wrote version 1.2 in layouts of its own. There are no counts: the objects follow
// the table, the Scene first, and the table ends where the Scene begins, regardless of its count. Other differences:
//
//   - the references are in the order of writing, and lights have no reference;
//   - in layout b a Scene has no activeCameraNode and no ambientColor, in layout c they are at the end of the file;
//   - in layout c the references of cameras have the type of a Mesh;
//   - an absent model is the xref "#" in most files, and a parent_id is empty, an id, or an xref;
//   - indices are 32 bits wide and count up from 0; of faces with more than three corners, some are not counted;
//   - the red, blue and green of a light are stored in this order, and bounds are not computed.
const exporterMinor = 2

// objectsBeforeTail reads the objects of layout c, whose last members of the Scene are at the end of the file.
func (r *reader) objectsBeforeTail(c *decode.Cursor, f *File) {
	if r.findings.tailAt == 0 { // as for the probe, at first
		r.objectList(c, f, int64(len(r.refs)))
		r.readTail(c, f)
		return
	}
	c.Elements("Object", len(r.findings.spans), func(off int64) (int, int) {
		i := sort.Search(len(r.findings.spans), func(i int) bool { return r.findings.spans[i].Offset > off }) - 1
		if i > 0 && off < r.findings.tailAt {
			return i, i + 1
		}
		return 0, min(1, len(r.findings.spans))
	}, decode.LocatedReading(func(i int) model.Span { return r.findings.spans[i] },
		func(e *decode.Cursor, _ int) { r.typedObject(e, r.typeAt(e.Pos())) }))
	c.GoTo(c.End())
}

// readTail reads the last members of the Scene, after the last object, if the probe has read the Scene into f.
func (r *reader) readTail(c *decode.Cursor, f *File) {
	if c.Err() != nil || len(f.Objects) == 0 {
		return
	}
	s, ok := f.Objects[0].(*Scene)
	if !ok {
		return
	}
	offset := c.Pos()
	if r.sceneTail(c, s); c.Err() == nil {
		r.findings.tailAt = offset
		s.Span.Size = c.Pos() - s.Span.Offset
		r.findings.spans[0] = s.Span
	}
}

// onlyTailLeft reports whether only the last members of a Scene remain: an xref or an empty string, and a color.
func (r *reader) onlyTailLeft(c *decode.Cursor) bool {
	const ambient = 12
	b := c.Peek(5)
	if r.layout.tail != tailAtEnd || b == nil {
		return false
	}
	n := int64(order.Uint32(b))
	return (n == 0 || b[4] == '#') && c.Pos()+4+n+ambient == r.src.Size()
}

// surplusIndices: uint[], which continue the numbering of the indices before them.
func (r *reader) surplusIndices(c *decode.Cursor, m *Mesh) {
	if len(m.Parts) == 0 || c.Err() != nil {
		return
	}
	const size = 4
	next, n := m.Parts[len(m.Parts)-1].Indices.Count, int64(0)
	q := c.Aside(model.Span{Offset: c.Pos(), Size: c.Remaining()})
	for q.Remaining() >= size && r.typeAt(q.Pos()) == 0 && !r.onlyTailLeft(q) && int64(q.U32("index")) == next+n {
		n++
	}
	if n > 0 {
		m.Surplus = c.Array("surplusIndices", "uint[]", model.U32, n)
	}
}
