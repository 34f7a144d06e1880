package casset

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// id is a UUID: 16 bytes in 3.0, a number of eight before.
type id struct {
	bytes [16]byte
	size  uint8
}

// String returns 32 hex digits in the order of the file, or a decimal number.
func (u id) String() string {
	if u.size == 16 {
		return hex.EncodeToString(u.bytes[:])
	}
	return strconv.FormatUint(little.Uint64(u.bytes[:]), 10)
}

func (u id) null() bool { return u.bytes == [16]byte{} }

// uuid reads a UUID; one that cannot be read has no size.
func (f *file) uuid(c *decode.Cursor, name string) (u id) {
	size := f.lay.objects.idSize
	if size == 8 {
		little.PutUint64(u.bytes[:], c.U64(name))
		c.As("uuid")
	} else {
		copy(u.bytes[:], c.Peek(16))
		c.Bytes(name, "uuid", 16)
	}
	if c.Err() == nil {
		u.size = size
	}
	if leaf := c.Last(); leaf != nil && size == 16 {
		leaf.Value = u.String()
	}
	return u
}

// groups are the hex digits between the dashes of a printed UUID, by its bytes.
var groups = map[uint8][]int{8: {4, 4, 4, 4}, 16: {8, 4, 4, 4, 12}}

// swapped returns the UUID with its numbers of 64 bits in the other byte order.
func (u id) swapped() id {
	slices.Reverse(u.bytes[:8])
	slices.Reverse(u.bytes[8:])
	return u
}

// printed returns the UUID as people read it: its numbers in hex, that of 3.0 in the engine's groups.
func (u id) printed() string {
	u = u.swapped()
	var parts []string
	digits := hex.EncodeToString(u.bytes[:])
	for _, n := range groups[u.size] {
		parts, digits = append(parts, digits[:n]), digits[n:]
	}
	return strings.Join(parts, "-")
}

// writtenUUID returns the value of a UUID's node as it is printed; empty for other nodes.
func writtenUUID(n *model.Node) string {
	if n.Type != "uuid" {
		return ""
	}
	var u id
	switch v := n.Value.(type) {
	case uint64:
		u.size = 8
		little.PutUint64(u.bytes[:], v)
	case string:
		b, err := hex.DecodeString(v)
		if err != nil || len(b) != len(u.bytes) {
			return ""
		}
		u.size = uint8(copy(u.bytes[:], b))
	}
	return u.printed()
}

// parseKey reads a UUID as the tree writes it or as it is printed.
func (f *file) parseKey(text string) (u id, ok bool) {
	u.size = f.lay.objects.idSize
	if n, err := strconv.ParseUint(text, 10, 64); err == nil && u.size == 8 {
		little.PutUint64(u.bytes[:], n)
		return u, true
	}
	b, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	if err != nil || len(b) != int(u.size) {
		return id{}, false
	}
	copy(u.bytes[:], b)
	if strings.Contains(text, "-") {
		u = u.swapped()
		return u, strings.EqualFold(text, u.printed())
	}
	return u, u.size == 16
}
