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
	refs    []Reference
	rows    int64 // how many of them the counted list has
	count   int64 // how many it says it has
	guessed bool  // that cannot be true: the list has what looks like references
	toScene bool  // the table ends where the Scene begins, as that of the exporter does

	byID     []int32 // the references in the order of their ids
	byOffset []int32 // those that are stored, in the order of their offsets
	again    []again // what of each another had before it
}

// again is what of a reference another before it has.
type again uint8

const (
	sameID again = 1 << iota
	sameOffset
)

// fault is what is wrong with what a reference leads to.
type fault uint8

const (
	faultless   fault = iota
	outside           // the file is not as long
	insideTable       // it leads into the reference table
	notThere          // no object of the type begins there
	notRead           // hostile files only: it would take too long
)

const leastReference = 12

// scan reads the table and finds where it ends: after as many references as it counts or, in files of the exporter,
// where the Scene begins. A count that cannot be true does not hide the references that there are.
func (h *header) scan(c *decode.Cursor) {
	t, scene := &h.table, int64(0)
	t.count = int64(c.U32("count"))
	t.guessed = t.count > c.Left()/leastReference
	if !t.guessed {
		t.refs = make([]Reference, 0, t.count)
	}
	for c.Err() == nil && c.Pos() != scene && (t.guessed && t.ahead(c) || !t.guessed && int64(len(t.refs)) < t.count) {
		h.keep(h.reference(c, -1), c.Err())
		if h.minor == exporterMinor && scene == 0 {
			scene = t.scene()
		}
	}
	t.rows = int64(len(t.refs))
	if c.Err() == nil && c.Pos() < scene {
		h.scanSurplus(c, scene)
	}
	if t.toScene = c.Pos() == scene; t.toScene {
		t.guessed = false
	} else if !t.guessed {
		t.rows = t.count
	}
}

// scanSurplus reads what looks like references up to the Scene; if they do not end there, they are none.
func (h *header) scanSurplus(c *decode.Cursor, scene int64) {
	start, rows := c.Pos(), len(h.refs)
	for c.Pos() < scene && h.ahead(c) {
		h.keep(h.reference(c, -1), c.Err())
	}
	if c.Pos() != scene {
		h.refs = h.refs[:rows]
		c.GoTo(start)
	}
}

func (t *table) keep(ref Reference, err error) {
	if err == nil {
		t.refs = append(t.refs, ref)
	}
}

// scene is the offset of the Scene if the last reference is the first that leads to one; else 0.
func (t *table) scene() int64 {
	if k := len(t.refs); k > 0 && t.refs[k-1].Type == TypeScene {
		return int64(t.refs[k-1].Offset)
	}
	return 0
}

// ahead reports whether the next bytes look like a reference.
func (t *table) ahead(c *decode.Cursor) bool {
	b := c.Peek(4)
	if b == nil {
		return false
	}
	n := int64(order.Uint32(b))
	if b = c.Peek(n + leastReference); b == nil {
		return false
	}
	return typeNames[uint64(order.Uint32(b[4+n:]))] != "" && int64(order.Uint32(b[8+n:])) < c.Source().Size()
}

// index makes the orders in which references are looked up.
func (t *table) index() {
	t.byID = make([]int32, len(t.refs))
	for i, ref := range t.refs {
		t.byID[i] = int32(i)
		if ref.Offset != 0 {
			t.byOffset = append(t.byOffset, int32(i))
		}
	}
	sortUnlessSorted(t.byID, func(a, b int32) int { return strings.Compare(t.refs[a].ID, t.refs[b].ID) })
	sortUnlessSorted(t.byOffset, func(a, b int32) int { return cmp.Compare(t.refs[a].Offset, t.refs[b].Offset) })
	t.again = make([]again, len(t.refs))
	for k := 1; k < len(t.byID); k++ {
		if t.refs[t.byID[k]].ID == t.refs[t.byID[k-1]].ID {
			t.again[t.byID[k]] |= sameID
		}
	}
	for k := 1; k < len(t.byOffset); k++ {
		if t.refs[t.byOffset[k]].Offset == t.refs[t.byOffset[k-1]].Offset {
			t.again[t.byOffset[k]] |= sameOffset
		}
	}
}

// sortUnlessSorted sorts positions, which are in order, by what is there.
func sortUnlessSorted(positions []int32, compare func(a, b int32) int) {
	if !slices.IsSortedFunc(positions, compare) {
		slices.SortFunc(positions, func(a, b int32) int { return cmp.Or(compare(a, b), cmp.Compare(a, b)) })
	}
}

// named returns the position of the first reference with an id.
func (t *table) named(id string) (int, bool) {
	k, ok := slices.BinarySearchFunc(t.byID, id,
		func(i int32, id string) int { return strings.Compare(t.refs[i].ID, id) })
	if !ok {
		return 0, false
	}
	return int(t.byID[k]), true
}

// refsAt returns the positions of the references that lead to an offset.
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

// typeAt is the type that the table has for the object at an offset, 0 if it has none that is known.
func (t *table) typeAt(off int64) TypeID {
	for _, i := range t.refsAt(off) {
		if typ := t.refs[i].Type; typ.String() != "" {
			return typ
		}
	}
	return 0
}

// references: Reference[], and those of the exporter that are not counted.
func (h *header) references(c *decode.Cursor) {
	each := func(first int) func(*decode.Cursor, int) {
		return func(e *decode.Cursor, i int) { h.row(e, first+i) }
	}
	lists := &h.taken.lists
	lists.references = c.Struct("references", "Reference[]", func() {
		c.U32("count")
		c.Role(model.RoleCount)
		switch {
		case h.guessed:
			c.Wrong("%d × Reference do not fit in the %d bytes that are left; those that are there are read", h.count,
				c.Left())
		case h.rows != h.count || h.rows < int64(len(h.refs)):
			c.Warn("the count is %d, but %d references come before the scene", h.count, len(h.refs))
		}
		c.Indexed("Reference", h.rows, leastReference, each(0))
	})
	if surplus := int64(len(h.refs)) - h.rows; surplus > 0 {
		lists.surplus = c.Struct("surplusReferences", "Reference[]",
			func() { c.Indexed("Reference", surplus, leastReference, each(int(h.rows))) })
	}
}

// row is the i-th reference with what is wrong with it.
func (h *header) row(c *decode.Cursor, i int) {
	ref := h.reference(c, i)
	if c.Err() != nil || h.taken == nil || i >= len(h.taken.faults) {
		return
	}
	switch span := c.Span(); h.taken.faults[i] {
	case outside:
		c.Remark(model.Error, span, "%q should be at %#x, outside of the %d bytes of the file", ref.ID, ref.Offset,
			h.src.Size())
	case insideTable:
		c.Remark(model.Error, span, "%q should be at %#x, inside of the reference table", ref.ID, ref.Offset)
	case notThere:
		c.Remark(model.Warning, span, "%q should be at %#x, but no %s begins there", ref.ID, ref.Offset, ref.Type)
	case notRead:
		c.Remark(model.Error, span, "%q at %#x is not read: too many references lead into each other's objects", ref.ID,
			ref.Offset)
	}
}

// reference: id, type, offset. i is its position, -1 as long as the table is not known.
func (h *header) reference(c *decode.Cursor, i int) (ref Reference) {
	ref.ID = c.Prefixed("id", model.U32)
	c.Key(ref.ID)
	if ref.ID == "" {
		c.Warn("an empty id, with which the engine rejects the file")
	} else if h.has(i, sameID) {
		same, _ := h.named(ref.ID)
		c.Warn("the id %q is that of reference %d, too", ref.ID, same)
	}
	typ, known := c.Enum("type", "uint", model.U32, typeNames)
	ref.Type = TypeID(typ)
	if !known {
		c.Warn("%d is not a type of object that the format has", typ)
	}
	ref.Offset = uint32(c.Offset("offset", model.U32))
	if ref.Offset == 0 {
		c.Symbol("not stored")
	} else if c.Recording() {
		c.Link(&model.Link{Key: ref.ID, Target: func() (model.Path, bool) { return h.object(i) }})
	}
	if same := h.refsAt(int64(ref.Offset)); h.has(i, sameOffset) && len(same) > 0 { // none: it could not be read again
		c.Warn("reference %d leads to the same offset", same[0])
	}
	return ref
}

// has reports whether a reference before the i-th has the same.
func (t *table) has(i int, what again) bool {
	return i >= 0 && i < len(t.again) && t.again[i]&what != 0
}

// object returns the place of the object that the i-th reference leads to.
func (h *header) object(i int) (model.Path, bool) {
	if h.taken == nil || h.taken.found[i].state == unseen {
		return nil, false
	}
	n := h.taken.root.Beginning(int64(h.refs[i].Offset), TypeID(h.taken.found[i].typ).String())
	if n == nil {
		return nil, false
	}
	return n.Path(), true
}

// rowNode makes the node of the i-th reference.
func (h *header) rowNode(i int) *model.Node {
	list := h.taken.lists.references
	if int64(i) >= h.rows {
		list, i = h.taken.lists.surplus, i-int(h.rows)
	}
	return h.taken.element(list, i)
}
