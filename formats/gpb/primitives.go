package gpb

import (
	"math"
	"sort"

	"assay/formats/decode"
	"assay/model"
)

// float reads a 32-bit float.
func float(c *decode.Cursor, name string) float32 {
	return math.Float32frombits(uint32(c.Number(name, model.F32)))
}

// floats reads as many 32-bit floats as out has, as one leaf.
func floats(c *decode.Cursor, name, typ string, out []float32) {
	b := c.Peek(4 * int64(len(out)))
	if b == nil {
		c.Fail("%s needs %s, but only %d remain", name, model.PlainCount(int64(4*len(out)), "byte"), c.Left())
		return
	}
	for i := range out {
		out[i] = math.Float32frombits(order.Uint32(b[4*i:]))
	}
	c.Array(name, typ, model.F32, int64(len(out)))
}

// counted reads a list of numbers with their count. Of one that the end of the file cuts it reads those that are there,
// and fails.
func (r *reader) counted(c *decode.Cursor, name, typ string, form model.Number) model.Numbers {
	size, cut := r.isCut(c, form)
	if !cut {
		return c.Counted(name, typ, model.U32, form)
	}
	c.U32("count")
	c.Role(model.RoleCount)
	there := c.Left()
	n := c.Array(name, typ, form, there/form.Size())
	showBytes(c, n)
	if rest := there % form.Size(); rest > 0 {
		c.Bytes("surplus", "bytes", rest)
	}
	c.Fail("%s needs %d bytes, but only %d remain", name, size, there)
	return n
}

// byteArray records bytes and their number before them as one leaf, whose value is the bytes.
func (r *reader) byteArray(c *decode.Cursor, name string) model.Blob {
	return showBytes(c, r.counted(c, name, "byte[]", model.U8))
}

// showBytes makes bytes of the value of the last leaf, if its numbers are bytes, and returns them.
func showBytes(c *decode.Cursor, n model.Numbers) model.Blob {
	b := model.Blob{Source: n.Source, Span: model.Span{Offset: n.Offset, Size: n.Count}}
	if leaf := c.Last(); leaf != nil && n.Form == model.U8 {
		leaf.Value = b
	}
	return b
}

// isCut reports whether the file ends in the counted list that begins here, and returns the number of bytes that it
// would have. No object begins in them. For the probe it does not: in a wrong layout any number may be the count.
func (r *reader) isCut(c *decode.Cursor, form model.Number) (size int64, cut bool) {
	b := c.Peek(4)
	if b == nil {
		return 0, false
	}
	size = int64(order.Uint32(b)) * form.Size()
	from, to := c.Pos(), c.Pos()+4+size
	if r.probing(c) || to <= r.src.Size() {
		return size, false
	}
	offset := func(k int) int64 { return int64(r.refs[r.byOffset[k]].Offset) }
	next := sort.Search(len(r.byOffset), func(k int) bool { return offset(k) > from })
	return size, next == len(r.byOffset) || offset(next) >= to
}

// strings reads a list of strings with a count: one node with the strings as its value, and each as a child, of which
// link says where its leaf, the last that was recorded, leads.
func (r *reader) strings(c *decode.Cursor, name, elem string, link func(e *decode.Cursor, s string)) (all []string) {
	n := c.Struct(name, elem+"[]", func() {
		n := c.Count("count", model.U32, leastString, elem)
		r.spend(c, n)
		all = elements(c, elem, n, leastString, func(e *decode.Cursor) string {
			s := e.Prefixed(elem, model.U32)
			link(e, s)
			e.CollapseStruct()
			return s
		})
	})
	if n != nil {
		n.Value = stringArray(all)
	}
	return all
}

// stringArray is strings as the value of a node.
type stringArray []string

// Len is the number of strings.
func (a stringArray) Len() int64 { return int64(len(a)) }

// Slice returns up to n strings from the first on.
func (a stringArray) Slice(first, n int64) ([]any, error) {
	first = min(max(first, 0), a.Len())
	out := make([]any, min(max(n, 0), a.Len()-first))
	for i := range out {
		out[i] = a[first+int64(i)]
	}
	return out, nil
}
