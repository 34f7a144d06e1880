package gpb

import (
	"math"

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
		c.Fail("%s needs %s, %d are left", name, model.PlainCount(int64(4*len(out)), "byte"), c.Left())
		return
	}
	for i := range out {
		out[i] = math.Float32frombits(order.Uint32(b[4*i:]))
	}
	c.Array(name, typ, model.F32, int64(len(out)))
}

// byteArray records bytes and their number before them as one leaf, whose value is the bytes.
func byteArray(c *decode.Cursor, name string) model.Blob {
	n := c.Counted(name, "byte[]", model.U32, model.U8)
	b := model.Blob{Source: n.Source, Span: model.Span{Offset: n.Offset, Size: n.Count}}
	if leaf := c.Last(); leaf != nil {
		leaf.Value = b
	}
	return b
}
