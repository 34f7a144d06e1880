package gpb

import "assay/formats/decode"

// The bounds of the search for the end of a reference.
const (
	maxID      = 5000 // bytes of an id: the engine reads no more
	maxRepairs = 64   // references whose ends are searched
)

// hasMore reports whether a reference follows: by the count or, if the count does not fit in the file, by the next
// bytes.
func (t *table) hasMore(c *decode.Cursor) bool {
	if t.countTooLarge {
		return looksLikeReference(c)
	}
	return int64(len(t.refs)) < t.count
}

// nextReference reads a reference, even if the length of its id is damaged. It returns false, and leaves the cursor
// before it, if the reference would extend past the end of the file or into the objects; first is the offset of the
// first object.
func (h *header) nextReference(c *decode.Cursor, first int64) (ref Reference, ok bool) {
	start := c.Pos()
	read := func() { ref = h.reference(c, len(h.refs)) }
	complete := c.Try(read)
	if (!complete || ref.Type.String() == "") && h.repairID(c, start, first) {
		c.GoTo(start)
		complete = c.Try(read)
	}
	if complete && (c.Pos() <= first || overrulesEarlier(ref, start, c.Pos(), first, h.src.Size())) {
		return ref, true
	}
	c.GoTo(start)
	if h.overlapsObject = complete; !complete {
		c.Fail("the reference extends past the end of the file")
	}
	return ref, false
}

// endTable records how the table ends after its references were read, and reads the exporter's uncounted references.
func (h *header) endTable(c *decode.Cursor, scene int64) {
	t := &h.table
	t.listed = int64(len(t.refs))
	if c.Err() == nil && !t.overlapsObject && c.Pos() < scene {
		h.scanSurplus(c, scene)
	}
	t.endsAtScene = c.Pos() == scene
	if t.endsAtScene || t.overlapsObject {
		t.countTooLarge = false
	} else if !t.countTooLarge {
		t.listed = t.count
	}
}

// overrulesEarlier reports whether a reference from start to end is believed although, by an earlier one, an object
// begins at first, before the end. Objects begin right after the table, or after one or two counts.
func overrulesEarlier(ref Reference, start, end, first, size int64) bool {
	return !startsAfter(first, start) && ref.hasKnownType(end, size)
}

// scanSurplus reads bytes that look like references up to the Scene. If they do not end there, they are not references.
func (h *header) scanSurplus(c *decode.Cursor, scene int64) {
	start, listedCount := c.Pos(), len(h.refs)
	for c.Pos() < scene && looksLikeReference(c) {
		if ref := h.reference(c, len(h.refs)); c.Err() == nil {
			h.refs = append(h.refs, ref)
		}
	}
	if c.Pos() != scene {
		h.refs = h.refs[:listedCount]
		c.GoTo(start)
	}
}

// looksLikeReference reports whether the next bytes look like a reference, with an id.
func looksLikeReference(c *decode.Cursor) bool {
	n := idLength(c.Peek(4))
	ref, ok := referenceIn(c.Peek(n+minReferenceSize), n)
	return ok && n > 0 && ref.Type.String() != "" && int64(ref.Offset) < c.Source().Size()
}

// repairID finds the length of the id of the next reference, which begins at start, if its length is damaged, and
// reports whether it did. first is the offset of an object.
func (h *header) repairID(c *decode.Cursor, start, first int64) bool {
	if h.repairs++; h.repairs > maxRepairs {
		return false
	}
	defer c.GoTo(c.Pos())
	c.GoTo(start)
	b := c.Peek(min(first-start, 3*(maxID+minReferenceSize)))
	if h.tableContinues(b, idLength(b), start, first, Reference.mayBeOfAFork) {
		return false // only types are unknown
	}
	for n := range min(int64(maxID), int64(len(b))) {
		if h.tableContinues(b, n, start, first, Reference.hasKnownType) {
			if h.idLengths == nil {
				h.idLengths = make(map[int]int64)
			}
			h.idLengths[len(h.refs)] = n
			return true
		}
	}
	return false
}

// tableContinues reports whether the table continues after the reference at the start of b, which is at offset, if its
// id has n bytes: either this reference and the next, or the next two, are valid in a file of this size, or the table
// ends right before the objects.
func (h *header) tableContinues(b []byte, n, offset, first int64,
	isValid func(ref Reference, end, size int64) bool) bool {
	validCount, objects := 0, first
	for i := int64(len(h.refs)); i < h.count && validCount < 2; i++ {
		isFirst := i == int64(len(h.refs))
		if !isFirst {
			n = idLength(b)
		}
		ref, ok := referenceIn(b, n)
		if !ok || n == 0 {
			return false
		}
		b, offset = b[n+minReferenceSize:], offset+n+minReferenceSize
		switch {
		case isValid(ref, offset, h.src.Size()):
			validCount++
			if ref.Offset != 0 {
				objects = min(objects, int64(ref.Offset))
			}
		case !isFirst:
			return false
		}
	}
	return validCount == 2 || validCount == 1 && startsAfter(objects, offset)
}

// startsAfter reports whether the objects, which begin at first, follow a table directly, or after one or two counts.
func startsAfter(first, table int64) bool { return table <= first && first <= table+8 }

// hasKnownType reports whether a reference that ends at an offset has a known type and a valid offset.
func (r Reference) hasKnownType(end, size int64) bool {
	off := int64(r.Offset)
	return off == 0 && r.Type == TypeLight || end <= off && off < size && r.Type.String() != ""
}

// mayBeOfAFork reports whether a reference that ends at an offset has a valid offset, and a type that forks of the
// engine may have.
func (r Reference) mayBeOfAFork(end, size int64) bool {
	const maxType = 255
	off := int64(r.Offset)
	return r.Type <= maxType && (off == 0 || end <= off && off < size)
}
