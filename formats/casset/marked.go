package casset

import (
	"bytes"

	"assay/formats/decode"
	"assay/model"
)

// objectStart reads the beginning that the objects of 1.x and 2.0 have in common.
func (f *file) objectStart(c *decode.Cursor, h *head) (asset bool) {
	objectMark(c)
	h.uuid = f.uuid(c, "uuid")
	asset = flag(c, "is_asset")
	h.path = c.Terminated("path")
	c.Role(model.RoleName)
	h.class = c.Terminated("class")
	return asset
}

// objectMark reads the magic of an object. An object without it is read all the same: the one before it ends here.
func objectMark(c *decode.Cursor) {
	marked := bytes.Equal(c.Peek(8), objectMagic)
	c.Text("magic", 8)
	c.As("bytes")
	if !marked {
		c.Wrong("an object begins with % x", objectMagic)
	}
}

// fieldName reads the name of a field, which is in the field's header. n is the field's node, if it is recorded.
func (r *reader) fieldName(c *decode.Cursor, n *model.Node) {
	name := c.Terminated("name")
	if c.Err() != nil {
		return
	}
	r.visitor.rename(name)
	if n != nil {
		n.Name = decode.ValidUTF8(name)
	}
}
