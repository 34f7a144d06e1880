package write

import "encoding/binary"

// output collects bytes of a file in a layout.
type output struct {
	layout Layout
	bytes  []byte
}

func (o *output) u8(v uint8)   { o.bytes = append(o.bytes, v) }
func (o *output) u16(v uint16) { o.bytes = binary.BigEndian.AppendUint16(o.bytes, v) }
func (o *output) u32(v uint32) { o.bytes = binary.BigEndian.AppendUint32(o.bytes, v) }
func (o *output) u64(v uint64) { o.bytes = binary.BigEndian.AppendUint64(o.bytes, v) }

// size appends a size, and position an offset, in the width of the layout.
func (o *output) size(v int64)     { o.wide(v, o.layout.SizeWidth) }
func (o *output) position(v int64) { o.wide(v, o.layout.PositionWidth) }

func (o *output) wide(v, width int64) {
	if width == 8 {
		o.u64(uint64(v))
	} else {
		o.u32(uint32(v))
	}
}

// write appends bytes as they are.
func (o *output) write(b []byte) { o.bytes = append(o.bytes, b...) }
func (o *output) text(s string)  { o.bytes = append(o.bytes, s...) }

// tpu appends the identity of an asset.
func (o *output) tpu(t TPU) {
	o.u16(t.Type)
	o.u16(t.Purpose)
	o.u32(t.Unique)
}
