package dprsim

import (
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

const (
	minListingSize = 8       // bytes of a listing: four empty strings and a version
	maxModules     = 1 << 12 // modules that are read
)

// moduleChunk reads a module chunk, and reports whether the next chunk can be found.
func (r *chunkReader) moduleChunk(length int64) (more bool) {
	if end, ok := moduleEnd(r.c, length); ok {
		r.c.Struct("content", "MODULE", func() { more = r.moduleContent(end) })
	}
	return more
}

// moduleEnd returns the end of a module chunk after its length was read, and reports a wrong length. A listing also has
// an end: if a chunk begins there, a length that points elsewhere is ignored. ok is false if neither gives the end of
// the chunk.
func moduleEnd(c *decode.Cursor, length int64) (end int64, ok bool) {
	end = c.Pos() + length
	unbounded := length == toEnd || end > c.End()
	q := c.Aside(model.Span{Offset: c.Pos(), Size: c.Remaining()})
	complete := readListing(q, nil).complete
	switch listed := q.Pos(); {
	case complete && headAt(c, listed).isKnown() && (unbounded || listed > end):
		c.Errorf("the chunk's length of %s is too short for its listing, which ends at %#x; continuing there",
			lengthText(length), listed)
		return listed, true
	case complete && headAt(c, listed).isKnown() && end-listed != chunkHead && !headAt(c, end).isKnown():
		c.Errorf("the chunk's length of %d reaches past the next chunk, which follows its listing at %#x", length, listed)
		return listed, true
	case length == toEnd:
		c.Errorf("module chunk with length -1: the next chunk cannot be located")
		return 0, false
	case unbounded && !(complete && listed == c.End() && end == listed+chunkHead): // a length with the head fits
		c.Errorf("the module chunk has %d bytes, but only %d remain", length, c.Remaining())
	}
	return end, true
}

// lengthText returns a length as the document has it: -1 for all bits set.
func lengthText(length int64) string {
	if length == toEnd {
		return "-1"
	}
	return fmt.Sprint(length)
}

// moduleContent reads the content of a module chunk that ends at offset end, which may be past the end of the file. It
// detects whether lengths include the chunk's head, and reports whether the next chunk can be found.
func (r *chunkReader) moduleContent(end int64) (ok bool) {
	c := r.c
	start, last := c.Pos(), min(end, c.End())
	listed, complete := start, true
	c.Frame(last-start, func() {
		complete = r.listings(end)
		listed = c.Pos()
	})
	switch {
	case !complete:
		return end <= last
	case end-listed == chunkHead && listed > start && isHead(c, listed):
		r.inclusive = true
		c.GoTo(listed)
	case last > listed:
		c.GoTo(listed)
		c.Bytes("surplus", types.Bytes, last-listed)
		c.Warnf("%d bytes follow the last listing of the module chunk", last-listed)
	}
	return true
}

// listings reads the listings up to the end of their chunk, and reports whether all of them are complete.
func (r *chunkReader) listings(end int64) (complete bool) {
	c := r.c
	complete = true
	c.Struct("modules", "Module[]", func() {
		if start := c.Pos(); end-start < minListingSize {
			c.Remark(model.Error, model.Span{Offset: start}, "the module chunk lists no module")
		}
		for i := 0; complete && end-c.Pos() >= minListingSize && c.Remaining() > 0; i++ {
			if len(r.listed) >= maxModules {
				c.Remark(model.Error, model.Span{Offset: c.Pos()},
					"more than %d modules; the rest is ignored", maxModules)
				complete = false
				return
			}
			complete = c.Try(func() { c.Struct(model.IndexName(i), "Module", r.module) })
		}
	})
	return complete
}

// module reads the next listing. In the second pass its module is known.
func (r *chunkReader) module() {
	var m *module
	if i := len(r.listed); i < len(r.modules) {
		m = r.modules[i]
	}
	r.listed = append(r.listed, readListing(r.c, m))
	r.nodes = append(r.nodes, r.c.Node())
}

type chunkHeader struct {
	id     uint8
	length int64
	fits   bool // the chunk is within the file, with its head included in the length or not
}

// headAt reads a chunk head at an offset, if there is one.
func headAt(c *decode.Cursor, offset int64) (h chunkHeader) {
	q := c.Aside(model.Span{Offset: offset, Size: c.End() - offset})
	h.id, h.length = q.U8("id"), int64(q.U32("length"))
	h.fits = q.Err() == nil && h.length <= q.Remaining()+chunkHead
	return h
}

// leadToModules reports whether chunks lead to a module chunk if their lengths include included bytes of their heads.
func leadToModules(c *decode.Cursor, included int64) bool {
	offset := c.Pos()
	for range maxChunks {
		h := headAt(c, offset)
		if h.id == moduleChunk || !h.fits || h.length < included {
			return h.id == moduleChunk && h.isKnown()
		}
		offset = min(offset+chunkHead+h.length-included, c.End())
	}
	return false
}

// isKnown reports whether a module or body chunk can begin with the head.
func (h chunkHeader) isKnown() bool {
	switch h.id {
	case bodyChunk:
		return h.fits || h.length == toEnd || h.length == toEndShort
	case moduleChunk:
		return h.fits && h.length >= minListingSize
	}
	return false
}

// isHead reports whether the 5 surplus bytes of a module chunk are the head of the next chunk, or empty, and not its
// own: then lengths include the head.
func isHead(c *decode.Cursor, offset int64) bool {
	h := headAt(c, offset)
	return offset == c.End() || h.isKnown() || h.fits && !headAt(c, offset+chunkHead).isKnown()
}
