package ppac

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"assay/formats/decode"
	"assay/model"
)

// order is the order of bytes in all numbers.
var order = binary.BigEndian

var magic = []byte("PPAC")

// The later revision has a guard after each section.
var (
	indexGuard    = []byte("INDX")
	metadataGuard = []byte("META")
	trashGuard    = []byte("TRSH")
	// Libraries before 17 January 2017 wrote this after the metadata.
	oldMetadataGuard = []byte{0xFF, 0xEE, 0xDD, 0xCC}
)

var types = decode.Types{
	Numbers: [model.Bool + 1]string{model.U8: "integer", model.U16: "integer", model.U32: "integer",
		model.U64: "integer",
		model.S64: "timestamp"},
	Text: "string", Bytes: "literal", Time: "timestamp", FormatTime: formatTime,
}

// Compression ids.
const (
	Stored  = 0
	Deflate = 1
)

var compressionNames = decode.Names{Stored: "stored", Deflate: "DEFLATE"}

// TPU identifies an asset: its type, its purpose, and a number that is unique among those.
type TPU struct {
	Type, Purpose uint16
	Unique        uint32
}

// String is the TPU as a key: TTTT-PPPP-UUUUUUUU.
func (t TPU) String() string {
	const digits = "0123456789ABCDEF"
	b := []byte("TTTT-PPPP-UUUUUUUU")
	v, at := t.bits(), len(b)-1
	for ; at >= 0; at-- {
		if b[at] != '-' {
			b[at] = digits[v&15]
			v >>= 4
		}
	}
	return string(b)
}

// ParseTPU reads what String writes.
func ParseTPU(s string) (TPU, bool) {
	if len(s) != 18 || s[4] != '-' || s[9] != '-' {
		return TPU{}, false
	}
	v, err := strconv.ParseUint(s[:4]+s[5:9]+s[10:], 16, 64)
	return TPU{uint16(v >> 48), uint16(v >> 32), uint32(v)}, err == nil
}

// bits is the TPU as the first eight bytes of an index entry.
func (t TPU) bits() uint64 {
	return uint64(t.Type)<<48 | uint64(t.Purpose)<<32 | uint64(t.Unique)
}

// readGuard reads the four bytes after a section of the later revision.
func readGuard(e *decode.Cursor, guards ...[]byte) {
	got := bytes.Clone(e.Peek(4))
	if len(got) < 4 {
		e.Fail("guard needs 4 bytes, %d are left", e.Left())
		return
	}
	for _, g := range guards {
		if bytes.Equal(got, g) {
			e.Text("guard", 4)
			e.As("literal")
			return
		}
	}
	// Bytes that are not a guard may be anything; they are left to be a gap.
	e.Fail("guard is % x, not %q", got, guards[0])
}
