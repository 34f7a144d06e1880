package casset

import (
	"encoding/hex"

	"assay/formats/decode"
)

// id is a 128-bit UUID as the file has it.
type id [16]byte

func (u id) String() string { return hex.EncodeToString(u[:]) }

// uuid reads 16 bytes.
func uuid(c *decode.Cursor, name string) (u id) {
	copy(u[:], c.Peek(16))
	c.Bytes(name, "uuid", 16)
	c.Value(func() any { return u.String() })
	return u
}

// uuid64 reads a UUID of the generations before 3.0, a number.
func uuid64(c *decode.Cursor, name string) uint64 {
	v := c.U64(name)
	c.As("uuid")
	return v
}

// flag reads a byte that is true for every value but 0.
func flag(c *decode.Cursor, name string) bool {
	v := c.U8(name)
	if v > 1 {
		c.Note("%s is stored as %d", name, v)
	}
	return v != 0
}

// unrecorded reads a checksum that is 0: no writer ever computed one.
func unrecorded(c *decode.Cursor, name string, refused bool) {
	switch v := c.U32(name); {
	case v == 0:
		c.Symbol("not recorded")
	case refused:
		c.Warn("%s is %#x; no writer records one, and the engine refuses any but 0", name, v)
	default:
		c.Note("%s is %#x; no writer records one", name, v)
	}
}

// extension reads bytes that come after the fields which this layout knows.
func extension(c *decode.Cursor, size int64, what string) {
	if size > 0 {
		c.Bytes("extension", "bytes", size)
		c.Note("%d bytes after the %s that this layout knows", size, what)
	}
}

// fit returns v as an offset or size if it is within limit.
func fit(v uint64, limit int64) (int64, bool) {
	if limit < 0 || v > uint64(limit) {
		return 0, false
	}
	return int64(v), true
}

func null(b []byte) bool {
	for _, v := range b {
		if v != 0 {
			return false
		}
	}
	return true
}
