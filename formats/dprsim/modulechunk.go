package dprsim

import (
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

const (
	leastListing = 8       // bytes of a listing: four empty strings and a version
	modulesMax   = 1 << 12 // modules that are read
)

// moduleChunk reads a module chunk.
func (r *reader) moduleChunk(length int64) {
	end, ok := moduleEnd(r.c, length)
	if !ok {
		r.stopped = true
		return
	}
	r.c.Struct("content", "MODULE", func() { r.listings(end) })
}

// moduleEnd returns where a module chunk ends whose length was just read, and remarks on a length that is wrong. A
// listing shows where it ends: if a chunk begins there, a length that leads elsewhere is ignored. ok is false if
// neither says where the chunk ends.
func moduleEnd(c *decode.Cursor, length int64) (end int64, ok bool) {
	end = c.Pos() + length
	unbounded := length == toEnd || end > c.End()
	q := cursorAt(c, c.Pos())
	new(Module).listing(q)
	switch listed := q.Pos(); {
	case q.Err() == nil && knownChunk(c, listed) && (unbounded || listed > end):
		c.Wrong("the chunk's length of %s does not hold its listing, which ends at %#x; reading goes on there",
			signed(length), listed)
		return listed, true
	case length == toEnd || length < 0:
		c.Wrong("a module chunk with the length %s cannot be left: what follows it cannot be found", signed(length))
		return 0, false
	case unbounded && (q.Err() != nil || listed != c.End() || end != listed+chunkHead):
		c.Wrong("the module chunk has %d bytes, %d are left", length, c.Left())
	}
	return end, true
}

// signed returns a length as the document has it: -1 for all bits set.
func signed(length int64) string {
	if length == toEnd {
		return "-1"
	}
	return fmt.Sprint(length)
}

// listings reads the content of a module chunk that ends at an offset, which may be past the end of the file. It finds
// out whether lengths include the chunk's head, and whether the next chunk can be found.
func (r *reader) listings(end int64) {
	c := r.c
	start, last := c.Pos(), min(end, c.End())
	stop, whole := start, true
	c.Frame(last-start, func() {
		whole = r.modulesTo(end)
		stop = c.Pos()
	})
	switch {
	case !whole:
		r.stopped = r.stopped || end > last
	case end-stop == chunkHead && stop > start && headEnds(c, stop):
		r.inclusive = true
		c.GoTo(stop)
	case last > stop:
		c.GoTo(stop)
		c.Bytes("surplus", types.Bytes, last-stop)
		c.Warn("%d bytes follow the last listing of the module chunk", last-stop)
	}
}

// modulesTo reads listings up to the end of their chunk, and reports whether all of them are whole.
func (r *reader) modulesTo(end int64) (whole bool) {
	c := r.c
	whole = true
	c.Struct("modules", "Module[]", func() {
		if start := c.Pos(); end-start < leastListing {
			c.Remark(model.Error, model.Span{Offset: start}, "the module chunk lists no module")
		}
		for i := 0; end-c.Pos() >= leastListing && c.Left() > 0 && whole; i++ {
			if len(r.modules) >= modulesMax {
				c.Remark(model.Error, model.Span{Offset: c.Pos()},
					"there are more than %d modules; the others are not read", modulesMax)
				whole = false
				break
			}
			m := new(Module)
			if i := len(r.modules); i < len(r.known) {
				m = r.known[i]
			}
			whole = c.Try(func() { c.Struct(model.IndexName(i), "Module", func() { m.listing(c) }) })
			r.modules = append(r.modules, m)
		}
	})
	return whole
}

// headEnds reports whether the 5 bytes that a module chunk has too many are the head of the next chunk, and not the
// chunk's own: then lengths include the head.
func headEnds(c *decode.Cursor, at int64) bool {
	if at == c.End() || knownChunk(c, at) {
		return true
	}
	_, _, fits := chunkAt(c, at)
	return fits && !knownChunk(c, at+chunkHead)
}

// knownChunk reports whether a module or body chunk can begin at an offset.
func knownChunk(c *decode.Cursor, at int64) bool {
	switch id, length, fits := chunkAt(c, at); id {
	case bodyChunk:
		return fits || length == toEnd || length == toEndShort
	case moduleChunk:
		return fits && length >= leastListing
	}
	return false
}

// chunkAt returns the id and the length of the chunk that an offset would begin, and whether it fits, with its head
// included in the length or not.
func chunkAt(c *decode.Cursor, at int64) (id uint8, length int64, fits bool) {
	q := cursorAt(c, at)
	id, length = q.U8("id"), int64(q.U32("length"))
	return id, length, q.Err() == nil && length <= q.Left()+chunkHead
}

// cursorAt returns a quiet cursor on what may be read from an offset on.
func cursorAt(c *decode.Cursor, at int64) *decode.Cursor {
	return c.Quiet(model.Span{Offset: at, Size: c.End() - at})
}
