package decode

import "assay/model"

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
	list.SetChildren(&model.Elements{
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
	})
	c.pos += n * size
	return list
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
