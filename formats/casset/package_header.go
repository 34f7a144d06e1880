package casset

import (
	"strconv"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// open12 reads Package 0.1 to 2.0 and Bundle 2.0: the header, the objects, 0.
func (f *file) open12(c *decode.Cursor) {
	var given uint64
	c.Try(func() { given = f.header12(c) })
	found := &found12{file: f, q: c.Skim(model.Span{})}
	start := found.findAll(c.Pos(), given)
	if f.ctx.Err() != nil {
		return
	}
	c.Try(func() { c.GoTo(start) })
	f.list(c, func() { found.report(c) }, func() {})
	c.Try(func() {
		if end := c.U64("end"); end != 0 {
			c.Wrong("the list of objects should end with 0, not with %#x", end)
		}
	})
}

// header12: magic, version, checksum, data offset, UUID, name, dependencies, and what the revision adds. It returns
// where the data should begin.
func (f *file) header12(c *decode.Cursor) (data uint64) {
	c.Struct("header", "Header", func() {
		f.magic(c)
		f.version12(c)
		unrecorded(c, "checksum", false)
		data = c.Offset("data_offset", model.U64)
		f.uuid = strconv.FormatUint(uuid64(c, "uuid"), 10)
		f.name = c.Terminated("name")
		if f.lay.generation == 2 || f.lay.minor >= 1 {
			f.listDependencies(c, kString)
		}
		switch {
		case f.lay.generation == 2:
			flag(c, "cooked")
		case f.lay.minor >= 2:
			f.revision12(c, data)
		}
		if data < uint64(c.Pos()) || data > uint64(c.End()) {
			c.Fail("data offset %#x is not after the header, which ends at %#x", data, c.Pos())
			return
		}
		extension(c, int64(data)-c.Pos(), "header's fields")
	})
	return data
}

// version12: the first layouts have 16-bit minor and patch numbers.
func (f *file) version12(c *decode.Cursor) {
	l := f.lay
	switch {
	case l.old:
		c.U16("major")
		c.U16("minor")
	case l.generation == 1 && l.version == 0:
		c.U32("major")
		c.U16("minor")
		c.U16("patch")
	default:
		c.U32("major")
		c.U32("minor")
		if l.generation == 1 && l.version > 2 {
			c.Warn("the version is 1.%d; the last that is known is 1.2, and the file is read as 1.%d", l.version,
				l.minor)
		}
		if l.generation == 2 && l.version > 0 {
			c.Warn("the version is 2.%d; only 2.0 is known, and the file is read as such", l.version)
		}
	}
}

// revision12 tells the revisions of 1.2 apart by what is between the dependencies and the data: nothing, one byte, or
// two strings.
func (f *file) revision12(c *decode.Cursor, data uint64) {
	n := int64(data) - c.Pos()
	if c.Err() != nil || data > uint64(c.End()) || n < 0 {
		return
	}
	q := c.Quiet(model.Span{Offset: c.Pos(), Size: n})
	first := q.Peek(1)
	cooked := first != nil && first[0] <= 1
	q.Terminated("primary_name")
	typ := q.Terminated("primary_type")
	what := "nothing is"
	switch {
	case n == 0:
		f.lay.variant += ", plain"
	case n >= 2 && q.Err() == nil && q.Left() == 0 &&
		(typ == "" || strings.Contains(typ, "/") || strings.Contains(typ, "::")):
		f.lay.variant += ", with the primary object's name"
		what = "two strings are"
		c.Terminated("primary_name")
		c.Terminated("primary_type")
	case cooked:
		f.lay.variant += ", with the cooked byte"
		what = "one byte is"
		f.lay.packageUUIDs = true
		c.U8("cooked")
	}
	f.lay.why += "; " + what + " between the dependencies and the data"
}
