package casset

import (
	"strconv"

	"assay/formats/decode"
	"assay/model"
)

// headerOf12 records what the headers of 1.x and 2.0 have in common up to the dependencies, and gives where the data
// should begin.
func (f *file) headerOf12(c *decode.Cursor) (data uint64) {
	f.magic(c)
	switch {
	case f.lay.old:
		c.U16("major")
		c.U16("minor")
	case f.lay.variant == "Package 1.0":
		c.U32("major")
		c.U16("minor")
		c.U16("patch")
	default:
		c.U32("major")
		v := c.U32("minor")
		if f.lay.generation == 1 && v > 2 {
			c.Warn("the version is 1.%d; the last that is known is 1.2, and the file is read as 1.%d", v, f.lay.minor)
		}
		if f.lay.generation == 2 && v > 0 {
			c.Warn("the version is 2.%d; only 2.0 is known, and the file is read as such", v)
		}
	}
	unrecorded(c, "checksum", false)
	data = c.U64("data_offset")
	c.Role(model.RoleOffset)
	f.uuid = strconv.FormatUint(c.U64("uuid"), 10)
	c.As("uuid")
	f.name = c.Terminated("name")
	if f.lay.generation == 2 || f.lay.minor >= 1 {
		f.listDependencies(c, kString)
	}
	return data
}

// headerRest records what is between the fields that are known and the data.
func (f *file) headerRest(c *decode.Cursor, given uint64) {
	if c.Err() != nil {
		return
	}
	data, ok := fit(given, c.End())
	if !ok || data < c.Pos() {
		c.Fail("data offset %#x is not behind the header, which ends at %#x", given, c.Pos())
		return
	}
	if n := data - c.Pos(); n > 0 {
		c.Bytes("extension", "bytes", n)
		c.Note("%d bytes behind the header's fields that this layout knows", n)
	}
}
