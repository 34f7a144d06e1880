package decode

import "assay/model"

// Struct records a struct whose fields are what the function reads. It returns its node, nil unless the cursor records.
func (c *Cursor) Struct(name, typ string, fields func()) *model.Node {
	if c.calls >= maxCalls {
		c.Fail("%s is nested deeper than %d levels", name, maxCalls)
	}
	if !c.Enter(name, typ) {
		return nil
	}
	c.calls++
	fields()
	c.calls--
	return c.leave()
}

// deeper runs read, which reads a list that may be in another one, unless it is nested too deep.
func (c *Cursor) deeper(elem string, read func()) {
	if c.lists >= maxLists {
		c.Fail("lists of %s are nested deeper than %d levels", elem, maxLists)
		return
	}
	c.lists++
	read()
	c.lists--
}

// Enter opens a struct, whose fields are what is read until Leave, and reports whether it did: not after an error. It
// is for structs of a kind that nests thousands of levels deep, which a function that calls itself must not read.
func (c *Cursor) Enter(name, typ string) bool {
	if c.err != nil {
		return false
	}
	if c.depth >= MaxDepth {
		c.Fail("%s is nested deeper than %d levels", name, MaxDepth)
		return false
	}
	c.depth++
	if c.rec != nil {
		c.rec.open(name, typ, c.Pos())
	}
	return true
}

// Leave closes the struct that Enter opened, after an error too.
func (c *Cursor) Leave() { c.leave() }

func (c *Cursor) leave() *model.Node {
	c.depth--
	if c.rec == nil {
		return nil
	}
	return c.rec.close(c.Pos())
}

// Frame runs fields on the next size bytes: they cannot read past them, an error ends only the frame, and the cursor
// goes on after them in any case. Bytes that fields leave are a gap unless they end with Rest. A size that does not fit
// in the bytes that are left fails. A cursor that looks for ends passes over a frame: what comes after it must not
// depend on what is in it.
func (c *Cursor) Frame(size int64, fields func()) {
	if c.err != nil {
		return
	}
	if size < 0 || size > c.Left() {
		c.Fail("%d bytes do not fit in the remaining %d bytes", size, c.Left())
		return
	}
	if c.mode == findsEnds {
		c.skip(size)
		return
	}
	end, outer := c.Pos()+size, c.end
	c.limit(end)
	c.Try(fields)
	c.limit(outer)
	c.GoTo(end)
}
