package casset

import (
	"assay/formats/decode"
	"assay/model"
)

// header is what the header of a file says.
type header struct {
	uuid         id
	name         string
	schema, data uint64 // offsets; only 3.0 has a schema
	end          int64  // after the last field that the layout has
}

// readHeader reads the header. Choosing a layout and looking for dependencies read it quietly, and it is recorded.
func (f *file) readHeader(c *decode.Cursor) (h header) {
	c.Struct("header", "Header", func() {
		c.Magic("magic", f.lay.header.magic)
		h = f.generation().headerFields(c)
	})
	return h
}

// version reads the version numbers. Another minor number than those that are known is a remark of that severity.
func (f *file) version(c *decode.Cursor, unknown model.Severity) {
	l := &f.lay.header
	major, minor := c.Number("major", l.version[0]), c.Number("minor", l.version[1])
	if minor != l.minor {
		c.Remark(unknown, c.Last(),
			"the version is %d.%d; the last that is known is %d.%d, and the file is read as %d.%d",
			major, minor, major, l.last, major, l.minor)
	}
	if len(l.version) > 2 {
		c.Number("patch", l.version[2])
	}
}
