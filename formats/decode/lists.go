package decode

import (
	"github.com/zeebo/xxh3"

	"assay/model"
)

// digestBlock is how many bytes of records are read at a time to describe them; longer ones are looked at one by one.
const digestBlock = 128 << 10

// Records records n elements of size bytes each that are decoded when they are looked at. The present position is
// the first one's; first are nodes of the list that come before the elements (its count). solid says that each reads
// all of its bytes.
func (c *Cursor) Records(name, elem string, first model.List, n, size int64, solid bool, each func(e *Cursor, i int)) *model.Node {
	if c.err != nil {
		return nil
	}
	if size < 1 || n < 0 || n > c.Left()/size {
		c.Fail("%s: %d × %d bytes do not fit in the %d that are left", name, n, size, c.Left())
		return nil
	}
	start := c.pos
	list := c.record(name, elem+"[]", n*size)
	for _, f := range first {
		list.Span = list.Span.Join(f.Span)
	}
	list.Solid = solid && n > 0
	elements := &model.Elements{
		First: first,
		Count: int(n),
		Make: func(i int) *model.Node {
			e := c.Element(elem, model.Span{Offset: start + int64(i)*size, Size: size})
			each(e, i)
			node := e.Close()
			node.Parent = list
			return node
		},
		Lookup: func(off int64) (int, int) {
			if off < start || off >= start+n*size {
				return 0, 0
			}
			i := int((off - start) / size)
			return i, i + 1
		},
	}
	if size <= digestBlock {
		elements.Sums = &model.Summaries{Fill: func(from int, out []model.Summary) error {
			return digestRecords(c.src, start+int64(from)*size, size, out)
		}}
	}
	list.SetChildren(elements)
	c.pos += n * size
	return list
}

// digestRecords describes records without keys by their bytes.
func digestRecords(src *model.Source, at, size int64, out []model.Summary) error {
	per := int(max(1, digestBlock/size))
	for len(out) > 0 {
		k := min(per, len(out))
		b, err := src.Bytes(model.Span{Offset: at, Size: int64(k) * size})
		if err != nil {
			return err
		}
		for i := range k {
			s := model.Span{Offset: at + int64(i)*size, Size: size}
			out[i] = model.Summary{Digest: xxh3.Hash(b[int64(i)*size : int64(i+1)*size]), Span: s}
		}
		at += int64(k) * size
		out = out[k:]
	}
	return nil
}

// Behind puts nodes that were recorded detached behind the records of a list, and into its span.
func (c *Cursor) Behind(list *model.Node, last model.List) {
	if c.err != nil || list == nil {
		return
	}
	for _, n := range last {
		list.Span = list.Span.Join(n.Span)
	}
	list.Behind(last)
	c.last = list
}

// Detached runs fields as if in a struct of their own and gives the nodes they record, which belong to nothing yet:
// the count before Records.
func (c *Cursor) Detached(fields func()) model.List {
	if c.err != nil {
		return nil
	}
	from := len(c.kids)
	fields()
	l := append(model.List(nil), c.kids[from:]...)
	c.kids = c.kids[:from]
	return l
}
