package write

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Output collects the bytes of a file in a layout.
type Output struct {
	bytes.Buffer
	Layout Layout
}

// U16 appends a number of 16 bits.
func (o *Output) U16(v uint16) { o.Write(binary.BigEndian.AppendUint16(o.AvailableBuffer(), v)) }

// U32 appends a number of 32 bits.
func (o *Output) U32(v uint32) { o.Write(binary.BigEndian.AppendUint32(o.AvailableBuffer(), v)) }

// U64 appends a number of 64 bits.
func (o *Output) U64(v uint64) { o.Write(binary.BigEndian.AppendUint64(o.AvailableBuffer(), v)) }

func (o *Output) sized(v uint64, width int64) {
	if width == 8 {
		o.U64(v)
	} else {
		o.U32(uint32(v))
	}
}

// Size appends a size in the width of the layout.
func (o *Output) Size(v uint64) { o.sized(v, o.Layout.SizeWidth) }

// Position appends an offset in the width of the layout.
func (o *Output) Position(v uint64) { o.sized(v, o.Layout.PositionWidth) }

// Guard appends the four bytes that end a section in the later revision.
func (o *Output) Guard(g string) {
	if o.Layout.Later {
		o.WriteString(g)
	}
}

// TPU appends the identity of an asset.
func (o *Output) TPU(t TPU) {
	o.U16(t.Type)
	o.U16(t.Purpose)
	o.U32(t.Unique)
}

// Pairs appends METADATA ENTRY for each entry: both lengths come before the texts.
func (o *Output) Pairs(entries []MetadataEntry) error {
	for _, m := range entries {
		if len(m.Key) > 255 || len(m.Value) > 255 {
			return fmt.Errorf("ppac: metadata have keys and values of at most 255 bytes, not %d and %d: %.60q = %.60q",
				len(m.Key), len(m.Value), m.Key, m.Value)
		}
		o.WriteByte(byte(len(m.Key)))
		o.WriteByte(byte(len(m.Value)))
		o.WriteString(m.Key)
		o.WriteString(m.Value)
	}
	return nil
}

// DataHead appends what stands before the data of DATA ENTRY.
func (o *Output) DataHead(created, modified, size int64) {
	o.U64(uint64(created))
	o.U64(uint64(modified))
	o.Size(uint64(size))
}

// Tail returns what stands after the data of DATA ENTRY.
func (s *Asset) Tail() ([]byte, error) {
	if s.Encoded != nil {
		return s.Encoded, nil
	}
	if len(s.Metadata) > 255 {
		return nil, fmt.Errorf("ppac: %v has %d metadata entries; at most 255 are possible", s.TPU, len(s.Metadata))
	}
	var o Output
	o.Write([]byte{0, 0, 0, byte(len(s.Metadata))})
	if err := o.Pairs(s.Metadata); err != nil {
		return nil, err
	}
	b, size := o.Bytes(), o.Len()
	b[0], b[1], b[2] = byte(size>>16), byte(size>>8), byte(size)
	return b, nil
}

// block returns the metadata block of an asset in the later revision; none if it has no metadata.
func block(s *Asset) ([]byte, error) {
	if s.Encoded != nil {
		return s.Encoded, nil
	}
	if len(s.Metadata) == 0 {
		return nil, nil
	}
	if len(s.Metadata) > 0xFFFF {
		return nil, fmt.Errorf("ppac: %v has %d metadata entries; at most 65,535 are possible", s.TPU, len(s.Metadata))
	}
	var pairs, o Output
	if err := pairs.Pairs(s.Metadata); err != nil {
		return nil, err
	}
	o.TPU(s.TPU)
	o.U16(uint16(len(s.Metadata)))
	o.U16(blockSize(pairs.Len(), len(s.Metadata)))
	o.Write(pairs.Bytes())
	return o.Bytes(), nil
}

// blockSize is the size that the library states for a block: with the 12 bytes before the pairs, without the two
// lengths of each. It may wrap.
func blockSize(bytes, pairs int) uint16 { return uint16(12 + bytes - 2*pairs) }
