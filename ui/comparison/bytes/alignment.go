package bytes

import (
	"context"
	"io"
	"iter"
	"sort"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/align"
	"assay/model/notes"
	"assay/ui/hex"
	"assay/ui/noted"
)

// segment is a range of bytes of both files side by side: the same on both sides, or the old and the new bytes of an
// edit.
type segment struct {
	position, length int64         // position and length in the view; length is the longer side's
	spans            [2]model.Span // spans in the old and the new file
	equal            bool
}

// Alignment aligns two spans of bytes, with gaps where one side has no bytes.
type Alignment struct {
	Old, New       model.Span
	segments       []segment
	Size           int64
	Edits          int
	differentBytes int64 // bytes that differ, of the longer side
}

// alignBytes aligns a span of each file. An empty span means that a side has no bytes.
func alignBytes(
	ctx context.Context, c *compare.Comparison, old, new model.Span, progress model.Progress,
) (*Alignment, error) {
	var edits []align.Edit
	switch {
	case old.Size == 0 && new.Size == 0:
	case old.Size == 0 || new.Size == 0:
		edits = []align.Edit{{Old: model.Span{Size: old.Size}, New: model.Span{Size: new.Size}}}
	default:
		var err error
		x := io.NewSectionReader(c.Old.Source, old.Offset, old.Size)
		y := io.NewSectionReader(c.New.Source, new.Offset, new.Size)
		if edits, err = align.Bytes(ctx, x, old.Size, y, new.Size, progress); err != nil {
			return nil, err
		}
	}
	return newAlignment(old, new, edits), nil
}

// newAlignment returns the alignment of spans with these edits. Offsets in edits are relative to the spans.
func newAlignment(old, new model.Span, edits []align.Edit) *Alignment {
	a := &Alignment{Old: old, New: new, Edits: len(edits)}
	a.segments = make([]segment, 0, 2*len(edits)+1)
	oldOffset, newOffset := old.Offset, new.Offset
	add := func(oldSize, newSize int64, equal bool) {
		if oldSize == 0 && newSize == 0 {
			return
		}
		s := segment{position: a.Size, length: max(oldSize, newSize), equal: equal}
		s.spans = [2]model.Span{{Offset: oldOffset, Size: oldSize}, {Offset: newOffset, Size: newSize}}
		a.segments = append(a.segments, s)
		a.Size += s.length
		oldOffset += oldSize
		newOffset += newSize
		if !equal {
			a.differentBytes += s.length
		}
	}
	for _, e := range edits {
		gap := old.Offset + e.Old.Offset - oldOffset
		add(gap, gap, true)
		add(e.Old.Size, e.New.Size, false)
	}
	add(old.End()-oldOffset, new.End()-newOffset, true)
	return a
}

// Differences yields the ranges that differ: the position in the view, and the spans in both files.
func (a *Alignment) Differences() iter.Seq2[int64, [2]model.Span] {
	return func(yield func(at int64, sides [2]model.Span) bool) {
		for _, s := range a.segments {
			if !s.equal && !yield(s.position, s.spans) {
				return
			}
		}
	}
}

// segmentAt returns the index of the segment at a position of the view.
func (a *Alignment) segmentAt(position int64) int {
	return sort.Search(len(a.segments), func(i int) bool {
		return a.segments[i].position+a.segments[i].length > position
	})
}

// ViewOffset returns the position of a file's byte in the view.
func (a *Alignment) ViewOffset(side int, offset int64) int64 {
	i := sort.Search(len(a.segments), func(i int) bool { return a.segments[i].spans[side].End() > offset })
	if i == len(a.segments) {
		return max(0, a.Size-1)
	}
	s := a.segments[i]
	return s.position + max(0, offset-s.spans[side].Offset)
}

// sideReader is one side of an alignment as the source of a hex view.
type sideReader struct {
	a    *Alignment
	src  *model.Source
	side int
}

var _ hex.Mapped = sideReader{}

// Size returns the length of the view.
func (r sideReader) Size() int64 { return r.a.Size }

// End returns the larger end of the two spans in their files.
func (r sideReader) End() int64 { return max(r.a.Old.End(), r.a.New.End()) }

// InMemory reports whether the bytes are in memory, so that reads do not block.
func (r sideReader) InMemory() bool { return r.src.InMemory() }

// FileOffset returns the offset in the file of the byte at a position of the view.
func (r sideReader) FileOffset(position int64) (offset, length int64, exists bool) {
	i := r.a.segmentAt(position)
	if position < 0 || i == len(r.a.segments) {
		return 0, 1, false
	}
	s := &r.a.segments[i]
	span, skip := s.spans[r.side], position-s.position
	if skip < span.Size {
		return span.Offset + skip, span.Size - skip, true
	}
	return 0, s.length - skip, false
}

// ReadAt reads the bytes at positions of the view; gaps are zeros.
func (r sideReader) ReadAt(p []byte, position int64) (int, error) {
	aligned := 0
	for aligned < len(p) {
		if position+int64(aligned) >= r.a.Size {
			return aligned, io.EOF
		}
		offset, n, exists := r.FileOffset(position + int64(aligned))
		part := p[aligned:min(int64(len(p)), int64(aligned)+n)]
		if !exists {
			clear(part)
		} else if n, err := r.src.ReadAt(part, offset); n < len(part) {
			return aligned + n, err
		}
		aligned += len(part)
	}
	return aligned, nil
}

// overlapping yields the segments that overlap positions of the view.
func (r sideReader) overlapping(position, length int64) iter.Seq[*segment] {
	return func(yield func(s *segment) bool) {
		for i := r.a.segmentAt(position); i < len(r.a.segments) && r.a.segments[i].position < position+length; i++ {
			if !yield(&r.a.segments[i]) {
				return
			}
		}
	}
}

// notes returns the marks of the notes at positions of the view; gaps have no notes.
func (r sideReader) notes(placed *notes.Placement, position, length int64) []hex.Mark {
	var out []hex.Mark
	for s := range r.overlapping(position, length) {
		span, skip := s.spans[r.side], max(0, position-s.position)
		part := model.Span{Offset: span.Offset + skip, Size: min(span.Size-skip, position+length-s.position-skip)}
		for _, m := range noted.Marks(placed, r.src.Size(), part) {
			from, to := max(m.Offset, part.Offset), min(m.Offset+m.Length, part.End())
			m.Offset, m.Length = s.position+from-span.Offset, to-from
			out = append(out, m)
		}
	}
	return out
}

// marks returns the marks at positions of the view.
func (r sideReader) marks(position, length int64) []hex.Mark {
	var out []hex.Mark
	for s := range r.overlapping(position, length) {
		if s.equal {
			continue
		}
		common := min(s.spans[0].Size, s.spans[1].Size)
		if common > 0 {
			out = append(out, hex.Mark{Offset: s.position, Length: common, Kind: hex.Changed})
		}
		if size := s.spans[r.side].Size; size > common {
			kind := [2]hex.MarkKind{hex.Removed, hex.Added}[r.side]
			out = append(out, hex.Mark{Offset: s.position + common, Length: size - common, Kind: kind})
		}
	}
	return out
}
