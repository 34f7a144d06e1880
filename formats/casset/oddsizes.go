package casset

import "assay/formats/decode"

// In Bundle 3.0 as published, and as first written, each value has its size before it. Where that contradicts the type
// that the schema says, the functions here decide which of the two leads to the next value.

// sizeLeads reports whether the size n, rather than the type, leads from a value to the next one. The value began at
// start with its size, and ends at end by its type. The size of the next value may be known. A size that leaves itself
// out does not lead.
func (r *reader) sizeLeads(c *decode.Cursor, start int64, n uint64, end int64, next uint64) bool {
	own := r.lay.values.size.Size()
	size, ok := fit(n, c.End()-start)
	return ok && size >= own && start+size != end-own &&
		r.sizesFollow(c, start+size, next) > r.sizesFollow(c, end, next)
}

// sizesFollow returns how likely it is that the next value, or the end, is at an offset: 2 if the size is there that is
// next, 1 if sizes lead from there to the end, or from one value to the next a few times; else 0.
func (r *reader) sizesFollow(c *decode.Cursor, pos int64, next uint64) int {
	if pos > c.End() {
		return 0
	}
	const few = 4
	q, form := ahead(c, pos, c.End()), r.lay.values.size
	for i := 0; i < few && q.Left() > 0; i++ {
		at, left := q.Pos(), q.Left()
		stated := q.Number("size", form)
		size, ok := fit(stated, left)
		switch {
		case !ok || size < form.Size():
			return 0
		case i == 0 && stated == next:
			return 2
		}
		q.GoTo(at + size)
	}
	return 1
}

// oddSizes counts the elements of an array, and those with a size before them that is not that of their type, of which
// it has the first.
type oddSizes struct {
	elements, count, first int64
	size                   uint64 // as it says
	took                   int64
}

// sizedRow reads n plain elements, with their sizes before them, and the count before all as a leaf of that name.
func (r *reader) sizedRow(c *decode.Cursor, name string, n int64, k kind) {
	odd := oddSizes{}
	err := r.unevenRow(c, name, 4, n,
		func(c *decode.Cursor) { r.skipSized(c, k, &odd) },
		func(c *decode.Cursor) any { return r.sizedItem(c, k) })
	if odd.count > 0 {
		c.Wrong("the sizes of %d of %d elements contradict their type; the first is element %d: "+
			"the size of a %s is %d here, not %d", odd.count, n, odd.first, k, odd.took, odd.size)
	}
	if err != nil {
		c.Fail("%v", err)
	}
}

// skipSized passes over a plain element and the size before it.
func (r *reader) skipSized(c *decode.Cursor, k kind, odd *oddSizes) {
	start := c.Pos()
	size := c.Number("size", r.lay.values.size)
	width, fixed := k.fixed()
	end := c.Pos() + width
	if !fixed {
		skipPlain(c, k)
		end = c.Pos()
	}
	if took := end - start; c.Err() == nil && size != uint64(took) {
		if odd.count++; odd.count == 1 {
			odd.first, odd.size, odd.took = odd.elements, size, took
		}
		next := size
		if !fixed {
			next = 0
		}
		if r.sizeLeads(c, start, size, end, next) && (fixed || size > uint64(took)) {
			end = start + int64(size)
		}
	}
	odd.elements++
	if fixed {
		c.Bytes("value", "", end-c.Pos())
	} else {
		c.GoTo(end)
	}
}

// sizedItem reads a plain element with the size before it; nil if it has too few bytes.
func (r *reader) sizedItem(c *decode.Cursor, k kind) any {
	c.Number("size", r.lay.values.size)
	if width, fixed := k.fixed(); fixed && c.Left() < width {
		return nil
	}
	return r.item(c, k)
}
