package gpb

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// table is the reference table.
type table struct {
	refs           []Reference
	listed         int64 // number of refs in the counted list; the others are surplus
	count          int64 // as stored
	countTooLarge  bool  // count references do not fit in the file: the list is the bytes that look like references
	endsAtScene    bool  // the table ends where the Scene begins, as in the exporter's files
	overlapsObject bool  // it would extend past the start of an object: the list ends before that

	idLengths map[int]int64 // the true length of ids with a damaged length field
	repairs   int           // number of references examined for that

	byID       []int32     // positions in refs, in the order of their ids
	byOffset   []int32     // the references to stored objects, ordered by offset
	duplicates []duplicate // how each reference duplicates an earlier one
}

// duplicate is a set of values that a reference shares with an earlier one.
type duplicate uint8

const (
	sameID duplicate = 1 << iota
	sameOffset
)

// scan reads the table and finds where it ends: after as many references as it counts or, in files of the exporter, at
// the start of the Scene.
func (h *header) scan(c *decode.Cursor) {
	t, scene := &h.table, int64(0)
	t.count = int64(c.U32("count"))
	t.countTooLarge = t.count > c.Remaining()/minReferenceSize
	if !t.countTooLarge {
		t.refs = make([]Reference, 0, t.count)
	}
	first := c.Source().Size() // the first referenced object
	for c.Err() == nil && c.Pos() != scene && t.hasMore(c) {
		ref, ok := h.nextReference(c, first)
		if !ok {
			break
		}
		t.refs = append(t.refs, ref)
		if off := int64(ref.Offset); off >= c.Pos() {
			first = min(first, off)
		}
		if h.minor == exporterMinor && scene == 0 {
			scene = t.sceneOffset()
		}
	}
	h.endTable(c, scene)
}

// sceneOffset returns the offset of the last reference if its type is Scene, else 0.
func (t *table) sceneOffset() int64 {
	if k := len(t.refs); k > 0 && t.refs[k-1].Type == TypeScene {
		return int64(t.refs[k-1].Offset)
	}
	return 0
}

// idLength returns the length of the id of the reference at the start of b, or 0 if b is too short.
func idLength(b []byte) int64 {
	if len(b) < 4 {
		return 0
	}
	return int64(order.Uint32(b))
}

// referenceIn returns the type and the offset of the reference at the start of b with an id of n bytes. ok is false if
// b is too short.
func referenceIn(b []byte, n int64) (ref Reference, ok bool) {
	if int64(len(b)) < n+minReferenceSize {
		return ref, false
	}
	return Reference{Type: TypeID(order.Uint32(b[4+n:])), Offset: order.Uint32(b[8+n:])}, true
}

// index sorts the positions of the references, and finds duplicates.
func (t *table) index() {
	t.byID = make([]int32, len(t.refs))
	for i, ref := range t.refs {
		t.byID[i] = int32(i)
		if ref.Offset != 0 {
			t.byOffset = append(t.byOffset, int32(i))
		}
	}
	t.duplicates = make([]duplicate, len(t.refs))
	t.sort(t.byID, sameID, func(a, b int32) int { return strings.Compare(t.refs[a].ID, t.refs[b].ID) })
	t.sort(t.byOffset, sameOffset, func(a, b int32) int { return cmp.Compare(t.refs[a].Offset, t.refs[b].Offset) })
}

// sort sorts ascending positions with compare, keeps the order of equal ones, and marks all but the first of those as
// duplicates.
func (t *table) sort(positions []int32, equal duplicate, compare func(a, b int32) int) {
	if !slices.IsSortedFunc(positions, compare) {
		slices.SortFunc(positions, func(a, b int32) int { return cmp.Or(compare(a, b), cmp.Compare(a, b)) })
	}
	for k := 1; k < len(positions); k++ {
		if compare(positions[k-1], positions[k]) == 0 {
			t.duplicates[positions[k]] |= equal
		}
	}
}

// indexOf returns the position of the first reference with an id.
func (t *table) indexOf(id string) (int, bool) {
	k, ok := slices.BinarySearchFunc(t.byID, id,
		func(i int32, id string) int { return strings.Compare(t.refs[i].ID, id) })
	if !ok {
		return 0, false
	}
	return int(t.byID[k]), true
}

// refsAt returns the positions of the references to an offset.
func (t *table) refsAt(off int64) []int32 {
	if off > math.MaxUint32 {
		return nil
	}
	find := func(off int64) int {
		k, _ := slices.BinarySearchFunc(t.byOffset, off,
			func(i int32, off int64) int { return cmp.Compare(int64(t.refs[i].Offset), off) })
		return k
	}
	from := find(off)
	if from == len(t.byOffset) || int64(t.refs[t.byOffset[from]].Offset) != off {
		return nil
	}
	return t.byOffset[from:find(off+1)]
}

// typeAt returns the type that the table has for the object at an offset, or 0 if it has no valid one.
func (t *table) typeAt(off int64) TypeID {
	for _, i := range t.refsAt(off) {
		if typ := t.refs[i].Type; typ.String() != "" {
			return typ
		}
	}
	return 0
}

// isDuplicate reports whether a reference before the i-th has the same id or offset.
func (t *table) isDuplicate(i int, kind duplicate) bool {
	return i < len(t.duplicates) && t.duplicates[i]&kind != 0
}

// reference: id, type, offset. i is its position in the table, which has its duplicates after the scan.
func (t *table) reference(c *decode.Cursor, i int) (ref Reference) {
	if n, broken := t.idLengths[i]; broken {
		length := c.U32("length")
		c.Errorf("the id has %s, but its length field says %d (the reference ends at %#x)",
			model.PlainCount(n, "byte"), length, c.Pos()+n+8)
		ref.ID = c.Text("id", n)
	} else {
		ref.ID = c.Prefixed("id", model.U32)
	}
	c.Key(ref.ID)
	if ref.ID == "" {
		c.Warnf("an empty id, with which the engine rejects the file")
	} else if t.isDuplicate(i, sameID) {
		first, _ := t.indexOf(ref.ID)
		c.Warnf("duplicate id %q (also reference %d)", ref.ID, first)
	}
	typ, known := c.Enum("type", "uint", model.U32, typeNames)
	ref.Type = TypeID(typ)
	if !known {
		c.Warnf("unknown object type %d", typ)
	}
	ref.Offset = uint32(c.Offset("offset", model.U32))
	if ref.Offset == 0 {
		c.Symbol("not stored")
	}
	same := t.refsAt(int64(ref.Offset)) // empty if the file changed since the table was scanned
	if t.isDuplicate(i, sameOffset) && len(same) > 0 {
		c.Warnf("reference %d has the same offset", same[0])
	}
	return ref
}

// references: Reference[], and the exporter's references that are not counted.
func (r *reader) references(c *decode.Cursor) {
	from := func(first int) func(*decode.Cursor, int) {
		return func(e *decode.Cursor, i int) { r.recordReference(e, first+i) }
	}
	r.tree.lists.references = c.Struct("references", "Reference[]", func() {
		c.Total("count", model.U32)
		switch {
		case r.countTooLarge:
			c.Errorf("%d × Reference do not fit in the remaining %d bytes; reading the complete ones", r.count,
				c.Remaining())
		case r.overlapsObject && r.complete:
			c.Errorf("%d references are counted, but the objects begin after %d", r.count, r.listed)
		case r.listed != r.count || r.listed < int64(len(r.refs)):
			c.Warnf("the count is %d, but %d references come before the scene", r.count, len(r.refs))
		}
		c.Indexed("Reference", r.listed, minReferenceSize, from(0))
		if r.overlapsObject && !r.complete {
			c.Fail("reference %d overlaps an object: wrong count or length", r.listed)
		}
	})
	if surplus := int64(len(r.refs)) - r.listed; surplus > 0 {
		r.tree.lists.surplus = c.Struct("surplusReferences", "Reference[]",
			func() { c.Indexed("Reference", surplus, minReferenceSize, from(int(r.listed))) })
	}
}

// recordReference records the i-th reference with its link, and the fault of its offset.
func (r *reader) recordReference(c *decode.Cursor, i int) {
	ref := r.reference(c, i)
	if leaf := c.Last(); leaf != nil && ref.Offset != 0 {
		leaf.Link = &model.Link{Key: ref.ID, Target: func() (model.Path, bool) { return r.objectPath(i) }}
	}
	if c.Err() != nil || i >= len(r.faults) {
		return
	}
	switch n := c.Node(); r.faults[i] {
	case outside:
		c.Remark(model.Error, n, "%q is at %#x, past the end of the file (%d bytes)", ref.ID, ref.Offset,
			r.src.Size())
	case insideTable:
		c.Remark(model.Error, n, "%q is at %#x, inside the reference table", ref.ID, ref.Offset)
	case noObject:
		c.Remark(model.Warning, n, "%q should be at %#x, but no %s begins there", ref.ID, ref.Offset, ref.Type)
	case notRead:
		c.Remark(model.Error, n, "%q at %#x is not read: too many references lead into each other's objects", ref.ID,
			ref.Offset)
	}
}

// objectPath returns the path of the object of the i-th reference.
func (r *reader) objectPath(i int) (model.Path, bool) {
	if r.findings.targets[i].progress == notReached {
		return nil, false
	}
	n := r.tree.root.StructAt(int64(r.refs[i].Offset), TypeID(r.findings.targets[i].typ).String())
	if n == nil {
		return nil, false
	}
	return n.Path(), true
}

func (r *reader) referenceNode(i int) *model.Node {
	list := r.tree.lists.references
	if int64(i) >= r.listed {
		list, i = r.tree.lists.surplus, i-int(r.listed)
	}
	return r.elementNode(list, i)
}

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
	return !startsAfter(first, start) && ref.isPlausible(end, size)
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
	if h.tableContinues(b, idLength(b), start, first, Reference.isPlausibleInAFork) {
		return false // only types are unknown
	}
	for n := range min(int64(maxID), int64(len(b))) {
		if h.tableContinues(b, n, start, first, Reference.isPlausible) {
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

// startsAfter reports whether the objects, which begin at first, follow a table that ends at tableEnd directly, or
// after one or two counts.
func startsAfter(first, tableEnd int64) bool { return tableEnd <= first && first <= tableEnd+8 }

// isPlausible reports whether a reference that ends at an offset has a known type and a valid offset.
func (r Reference) isPlausible(end, size int64) bool {
	off := int64(r.Offset)
	return off == 0 && r.Type == TypeLight || end <= off && off < size && r.Type.String() != ""
}

// isPlausibleInAFork reports whether a reference that ends at an offset has a valid offset, and a type that forks of
// the engine may have.
func (r Reference) isPlausibleInAFork(end, size int64) bool {
	const maxType = 255
	off := int64(r.Offset)
	return r.Type <= maxType && (off == 0 || end <= off && off < size)
}
