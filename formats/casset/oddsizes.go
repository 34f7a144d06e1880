package casset

import "assay/formats/decode"

// In Bundle 3.0 as published, and as first written, each value has its size before it. Where that contradicts the type
// that the schema says, the functions here decide which of the two leads to the next value.

// surplus returns how many bytes follow a value that began at start with its size, n, and ends at end by its type: none
// unless its size is more likely than its type to lead to the next value, whose size may be known.
func (r *reader) surplus(c *decode.Cursor, start int64, n uint64, end int64, next uint64) int64 {
	size, ok := fit(n, c.End()-start)
	if !ok || start+size <= end || r.sizesFollow(c, start+size, next) <= r.sizesFollow(c, end, next) {
		return 0
	}
	return start + size - end
}

// sizesFollow returns how likely it is that the next value, or the end, is at an offset: 2 if the size is there that is
// next, 1 if sizes lead from there to the end, or from one value to the next a few times; else 0.
func (r *reader) sizesFollow(c *decode.Cursor, pos int64, next uint64) int {
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
	form, odd := r.lay.values.size, oddSizes{}
	err := r.unevenRow(c, name, 4, n,
		func(c *decode.Cursor) { r.skipSized(c, k, &odd) },
		func(c *decode.Cursor) any {
			c.Number("size", form)
			return r.item(c, k)
		})
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
	skipPlain(c, k)
	if took := c.Pos() - start; c.Err() == nil && size != uint64(took) {
		if odd.count++; odd.count == 1 {
			odd.first, odd.size, odd.took = odd.elements, size, took
		}
		next := size
		if k == kString { // its sizes differ
			next = 0
		}
		c.GoTo(c.Pos() + r.surplus(c, start, size, c.Pos(), next))
	}
	odd.elements++
}
