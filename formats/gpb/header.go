package gpb

import (
	"context"
	"fmt"
	"math"

	"assay/formats/decode"
	"assay/model"
)

// header is what all versions begin with: identifier, version, references. It is the same in every layout and read once.
type header struct {
	c        *decode.Cursor
	fields   model.List
	problems []model.Problem

	major, minor uint8
	versionNode  *model.Node // nil if there is no version to be read

	refs     []Reference
	refNodes []*model.Node
	at       map[uint32][]int32 // offset -> references that lead there
	ids      map[string]int     // id -> the first reference of that name
	table    bool               // the table was read to its end
	doubtful bool               // the table's count is not what the table has
	first    int64              // where the objects begin

	taken []*model.Node // for each reference, the object of the reading that was taken
}

func readHeader(ctx context.Context, src *model.Source) *header {
	h := &header{c: decode.New(ctx, src, "gpb", "Bundle", order, types), at: make(map[uint32][]int32), ids: make(map[string]int)}
	h.table = h.c.Try(h.read)
	h.first = h.c.Pos()
	root := h.c.Close()
	h.problems = root.Problems
	for i := range root.Len() {
		h.fields = append(h.fields, root.Child(i))
	}
	return h
}

func (h *header) read() {
	c := h.c
	c.Magic("identifier", magic)
	if b := c.Peek(2); b != nil {
		h.major, h.minor = b[0], b[1]
	}
	c.Array("version", "byte[2]", model.U8, 2)
	if c.Err() != nil {
		return
	}
	h.versionNode = c.Last()
	h.versionNode.Symbol = fmt.Sprintf("%d.%d", h.major, h.minor)
	if h.major != 1 || h.minor > 5 {
		c.Warn("version %d.%d is not one of the known 1.0 to 1.5; it is read as what its bytes look like", h.major, h.minor)
	}
	h.references()
}

const leastReference = 12

// references: Reference[]. A count that cannot be true does not hide the references that there are.
func (h *header) references() {
	c := h.c
	c.Struct("references", "Reference[]", func() {
		n := int64(c.U32("count"))
		if c.Err() != nil {
			return
		}
		c.Role(model.RoleCount)
		if n <= c.Left()/leastReference {
			c.Repeat("Reference", n, func(int) { h.reference() })
			return
		}
		h.doubtful = true
		c.Wrong("%d × Reference do not fit in the %d bytes that are left; those that are there are read", n, c.Left())
		for i := 0; h.referenceAhead(); i++ {
			c.Struct(model.IndexName(i), "Reference", h.reference)
		}
	})
}

// referenceAhead reports whether the next bytes look like a reference.
func (h *header) referenceAhead() bool {
	b := h.c.Peek(4)
	if b == nil {
		return false
	}
	n := int64(order.Uint32(b))
	if b = h.c.Peek(n + leastReference); b == nil {
		return false
	}
	return typeNames[uint64(order.Uint32(b[4+n:]))] != "" && int64(order.Uint32(b[8+n:])) < h.c.Source().Size()
}

func (h *header) reference() {
	c, i := h.c, len(h.refs)
	var ref Reference
	ref.ID = c.Prefixed("id", model.U32)
	c.Key(ref.ID)
	same, taken := h.ids[ref.ID]
	switch {
	case ref.ID == "":
		c.Warn("an empty id, with which the engine rejects the file")
	case taken:
		c.Warn("the id %q is that of reference %d, too", ref.ID, same)
	}
	typ, known := c.Enum("type", "uint", model.U32, typeNames)
	ref.Type = TypeID(typ)
	if !known {
		c.Warn("%d is not a type of object that the format has", typ)
	}
	ref.Offset = c.U32("offset")
	if c.Err() != nil {
		return
	}
	c.Role(model.RoleOffset)
	if ref.Offset == 0 {
		c.Last().Symbol = "not stored"
	} else {
		c.Last().Link = &model.Link{Key: ref.ID, Target: func() (model.Path, bool) { return h.object(i) }}
		if others := h.at[ref.Offset]; len(others) > 0 {
			c.Warn("reference %d leads to the same offset", others[0])
		}
		h.at[ref.Offset] = append(h.at[ref.Offset], int32(i))
	}
	h.refs = append(h.refs, ref)
	h.refNodes = append(h.refNodes, c.Node())
	if !taken {
		h.ids[ref.ID] = i
	}
}

// object gives the place of the object that the i-th reference leads to.
func (h *header) object(i int) (model.Path, bool) {
	if h.taken[i] == nil {
		return nil, false
	}
	return h.taken[i].Path(), true
}

// typeAt is the type that the table gives for the object at an offset, 0 if it gives none that is known.
func (h *header) typeAt(off int64) TypeID {
	for _, i := range h.refsAt(off) {
		if t := h.refs[i].Type; t.String() != "" {
			return t
		}
	}
	return 0
}

func (h *header) refsAt(off int64) []int32 {
	if off > math.MaxUint32 {
		return nil
	}
	return h.at[uint32(off)]
}
