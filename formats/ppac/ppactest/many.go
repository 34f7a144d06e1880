package ppactest

import (
	"encoding/binary"
	"hash/adler32"
	"slices"
)

// Many returns a published package of n small assets of one type, with the content that each is given, as quickly as
// a million of them need it.
func Many(n int, content func(i int) []byte) []byte {
	var body, index []byte
	be := binary.BigEndian
	for i := range n {
		content, at := content(i), len(body)
		body = be.AppendUint64(body, 1000)
		body = be.AppendUint64(body, 2000)
		body = be.AppendUint32(body, uint32(len(content)))
		body = append(append(body, content...), 0, 0, 4, 0)
		index = be.AppendUint32(index, 0x01000001)
		for _, v := range []uint32{uint32(i), uint32(len(body) - at), uint32(40 + at), 0, adler32.Checksum(content)} {
			index = be.AppendUint32(index, v)
		}
	}
	head := append([]byte("PPAC"), 0, 4, 0, 0)
	head = append(head, make([]byte, 16)...)
	for _, v := range []uint32{0, uint32(40 + len(body)), 0, 0} {
		head = be.AppendUint32(head, v)
	}
	return slices.Concat(head, body, be.AppendUint32(nil, uint32(n)), index)
}
