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
// the start of the Scene. repair.go handles damaged tables.
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

// sort sorts ascending positions with compare, keeps the order of equal ones, and marks all but the first of
// those as duplicates.
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
