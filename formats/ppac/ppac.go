package ppac

import (
	"bytes"
	"encoding/binary"

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
	Numbers: [model.Bool + 1]string{model.U8: "integer", model.U16: "integer", model.U24: "integer",
		model.U32: "integer", model.U64: "integer", model.S64: "timestamp"},
	Text: "string", Bytes: "literal",
}

// readGuard reads the four bytes after a section of the later revision.
func readGuard(e *decode.Cursor, guards ...[]byte) {
	got := bytes.Clone(e.Peek(4))
	if len(got) < 4 {
		e.Fail("guard needs 4 bytes, %d are left", e.Left())
		return
	}
	if !isGuard(got, guards...) { // bytes that are not a guard may be anything; they are left to be a gap
		e.Fail("guard is % x, not %q", got, guards[0])
		return
	}
	e.Text("guard", 4)
	e.As("literal")
}

func isGuard(got []byte, guards ...[]byte) bool {
	for _, g := range guards {
		if bytes.Equal(got, g) {
			return true
		}
	}
	return false
}
