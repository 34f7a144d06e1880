package write

import (
	"encoding/binary"
	"fmt"
	"math"
)

const (
	blockHead = 12 // bytes of a metadata block before its entries: TPU, count, size
	tailHead  = 4  // bytes after the data of DATA ENTRY before its entries: size, count
)

// pairsSize returns the number of bytes of METADATA ENTRY for each entry. The error tells which one has no room.
func pairsSize(entries []MetadataEntry) (size int64, err error) {
	for _, m := range entries {
		if max(len(m.Key), len(m.Value)) > math.MaxUint8 {
			return 0, fmt.Errorf("ppac: metadata have keys and values of at most 255 bytes, not %d and %d: %.60q = %.60q",
				len(m.Key), len(m.Value), m.Key, m.Value)
		}
		size += int64(2 + len(m.Key) + len(m.Value))
	}
	return size, nil
}

// pairs appends METADATA ENTRY for each entry: both lengths come before the texts.
func (o *output) pairs(entries []MetadataEntry) {
	for _, m := range entries {
		o.u8(uint8(len(m.Key)))
		o.u8(uint8(len(m.Value)))
		o.text(m.Key)
		o.text(m.Value)
	}
}

// tailSize returns the number of bytes that DATA ENTRY has after the data.
func (s *Asset) tailSize() (int64, error) {
	if s.Encoded != nil {
		return int64(len(s.Encoded)), nil
	}
	if n := len(s.Metadata); n > math.MaxUint8 {
		return 0, fmt.Errorf("ppac: %v has %d metadata entries; at most 255 are possible", s.TPU, n)
	}
	size, err := pairsSize(s.Metadata)
	return tailHead + size, err
}

// tail appends what DATA ENTRY has after the data. Its size is with the fields before the entries.
func (o *output) tail(s *Asset) {
	if s.Encoded != nil {
		o.write(s.Encoded)
		return
	}
	from := len(o.bytes)
	o.u32(uint32(len(s.Metadata))) // the size, of three bytes, and the count
	o.pairs(s.Metadata)
	size := len(o.bytes) - from
	o.bytes[from], o.bytes[from+1], o.bytes[from+2] = byte(size>>16), byte(size>>8), byte(size)
}

// blockSize returns the number of bytes, and of pairs, of an asset's metadata block in the later revision; none without
// metadata.
func (s *Asset) blockSize() (size, pairs int64, err error) {
	switch n := len(s.Metadata); {
	case len(s.Encoded) >= blockHead:
		return int64(len(s.Encoded)), int64(binary.BigEndian.Uint16(s.Encoded[8:])), nil
	case s.Encoded != nil || n == 0:
		return 0, 0, nil
	case n > math.MaxUint16:
		return 0, 0, fmt.Errorf("ppac: %v has %d metadata entries; at most 65,535 are possible", s.TPU, n)
	}
	size, err = pairsSize(s.Metadata)
	return blockHead + size, int64(len(s.Metadata)), err
}

// block appends an asset's metadata block. The library states a size with the bytes before the entries, and without the
// two lengths of each. It may wrap.
func (o *output) block(s *Asset) {
	if s.Encoded != nil || len(s.Metadata) == 0 {
		o.write(s.Encoded)
		return
	}
	from := len(o.bytes)
	o.tpu(s.TPU)
	o.u16(uint16(len(s.Metadata)))
	o.u16(0)
	o.pairs(s.Metadata)
	size := len(o.bytes) - from - 2*len(s.Metadata)
	o.bytes[from+10], o.bytes[from+11] = byte(size>>8), byte(size)
}
