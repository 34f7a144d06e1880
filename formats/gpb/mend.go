package gpb

import "assay/formats/decode"

// The bounds of the search for the end of a reference.
const (
	idMost    = 5000 // bytes of an id: the engine reads no more
	mendsMost = 64   // references of which the end is looked for
)

// A count that cannot be true does not hide the references that there are, the length of an id that is wrong does not
// hide those after it, and a table that runs over the first object does not hide the object.

// hasMore reports whether the list goes on: as its count says or, if so many do not fit, with what looks like one.
func (t *table) hasMore(c *decode.Cursor) bool {
	if t.impossible {
		return looksLikeReference(c)
	}
	return int64(len(t.refs)) < t.count
}

// nextReference reads a reference, of which the length of the id may be broken; false if it is none: it would go past
// the end of the file or run over the objects, the first of which is at an offset. The cursor stays before it then.
func (h *header) nextReference(c *decode.Cursor, first int64) (ref Reference, is bool) {
	start := c.Pos()
	read := func() { ref = h.reference(c, len(h.refs)) }
	whole := c.Try(read)
	if (!whole || ref.Type.String() == "") && h.mend(c, start, first) {
		c.GoTo(start)
		whole = c.Try(read)
	}
	if whole && (c.Pos() <= first || isLikelier(ref, start, c.Pos(), first, h.src.Size())) {
		return ref, true
	}
	c.GoTo(start)
	if h.runsOver = whole; !whole {
		c.Fail("the reference goes past the end of the file")
	}
	return ref, false
}

// endTable says how the table ends whose references are read, and reads those that the exporter did not count.
func (h *header) endTable(c *decode.Cursor, scene int64) {
	t := &h.table
	t.listed = int64(len(t.refs))
	if c.Err() == nil && !t.runsOver && c.Pos() < scene {
		h.scanSurplus(c, scene)
	}
	t.endsAtScene = c.Pos() == scene
	if t.endsAtScene || t.runsOver {
		t.impossible = false
	} else if !t.impossible {
		t.listed = t.count
	}
}

// isLikelier reports whether a reference from start to end is likelier right than one before it, which says that an
// object begins at first, before the end. Objects begin right after the table, or after one or two counts.
func isLikelier(ref Reference, start, end, first, size int64) bool {
	return !startsAfter(first, start) && ref.isPlausible(end, size)
}

// scanSurplus reads what looks like references up to the Scene. If they do not end there, they are not references.
func (h *header) scanSurplus(c *decode.Cursor, scene int64) {
	start, listed := c.Pos(), len(h.refs)
	for c.Pos() < scene && looksLikeReference(c) {
		if ref := h.reference(c, len(h.refs)); c.Err() == nil {
			h.refs = append(h.refs, ref)
		}
	}
	if c.Pos() != scene {
		h.refs = h.refs[:listed]
		c.GoTo(start)
	}
}

// looksLikeReference reports whether the next bytes look like a reference, with an id.
func looksLikeReference(c *decode.Cursor) bool {
	n := idLength(c.Peek(4))
	ref, ok := referenceIn(c.Peek(n+leastReference), n)
	return ok && n > 0 && ref.Type.String() != "" && int64(ref.Offset) < c.Source().Size()
}

// mend finds how long the id of the next reference is, which begins at an offset, if its length is broken, and reports
// whether it did. first is where an object begins.
func (h *header) mend(c *decode.Cursor, start, first int64) bool {
	if h.mends++; h.mends > mendsMost {
		return false
	}
	defer c.GoTo(c.Pos())
	c.GoTo(start)
	b := c.Peek(min(first-start, 3*(idMost+leastReference)))
	if h.goesOn(b, idLength(b), start, first, Reference.isLikely) {
		return false // only types are unknown
	}
	for n := range min(int64(idMost), int64(len(b))) {
		if h.goesOn(b, n, start, first, Reference.isPlausible) {
			if h.mended == nil {
				h.mended = make(map[int]int64)
			}
			h.mended[len(h.refs)] = n
			return true
		}
	}
	return false
}

// goesOn reports whether the table goes on after the reference with which b begins, which is at an offset, if its id
// has n bytes: whether that and the next, or the two after it, can be references that end where they do in a file of a
// size, or the table ends right before the objects.
func (h *header) goesOn(b []byte, n, at, first int64, canBe func(ref Reference, end, size int64) bool) bool {
	sound, objects := 0, first
	for i := int64(len(h.refs)); i < h.count && sound < 2; i++ {
		own := i == int64(len(h.refs))
		if !own {
			n = idLength(b)
		}
		ref, ok := referenceIn(b, n)
		if !ok || n == 0 {
			return false
		}
		b, at = b[n+leastReference:], at+n+leastReference
		switch {
		case canBe(ref, at, h.src.Size()):
			sound++
			if ref.Offset != 0 {
				objects = min(objects, int64(ref.Offset))
			}
		case !own:
			return false
		}
	}
	return sound == 2 || sound == 1 && startsAfter(objects, at)
}

// startsAfter reports whether the objects, the first of which is at an offset, begin right after a table, or after one
// or two counts.
func startsAfter(first, table int64) bool { return table <= first && first <= table+8 }

// isPlausible reports whether a reference that ends at an offset has a type and a place as references have.
func (r Reference) isPlausible(end, size int64) bool {
	off := int64(r.Offset)
	return off == 0 && r.Type == TypeLight || end <= off && off < size && r.Type.String() != ""
}

// isLikely reports whether a reference that ends at an offset has a place as references have, and a type that forks of
// the engine may have.
func (r Reference) isLikely(end, size int64) bool {
	const typeMost = 255
	off := int64(r.Offset)
	return r.Type <= typeMost && (off == 0 || end <= off && off < size)
}
