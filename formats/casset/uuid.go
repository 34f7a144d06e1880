package casset

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
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

// writtenUUID returns a UUID in groups of hex digits: one of 128 bits as the engine prints it, as its two numbers.
func writtenUUID(n *model.Node) string {
	if n.Type != "uuid" {
		return ""
	}
	switch v := n.Value.(type) {
	case uint64:
		s := fmt.Sprintf("%016x", v)
		return strings.Join([]string{s[:4], s[4:8], s[8:12], s[12:]}, "-")
	case string:
		b, err := hex.DecodeString(v)
		if err != nil || len(b) != 16 {
			return ""
		}
		first, second := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
		return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", first>>32, first>>16&0xffff, first&0xffff,
			second>>48, second&(1<<48-1))
	}
	return ""
}

// parseKey reads a UUID as the tree writes it, or as the engine prints that of 3.0: two numbers in hex with dashes.
func (f *file) parseKey(text string) (u id, ok bool) {
	if u.size = f.lay.objects.idSize; u.size == 8 {
		v, err := strconv.ParseUint(text, 10, 64)
		little.PutUint64(u.bytes[:], v)
		return u, err == nil
	}
	b, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	dashes := strings.Count(text, "-")
	if err != nil || len(b) != len(u.bytes) || dashes != 0 && dashes != 4 {
		return id{}, false
	}
	if dashes == 4 {
		slices.Reverse(b[:8])
		slices.Reverse(b[8:])
	}
	copy(u.bytes[:], b)
	return u, true
}
