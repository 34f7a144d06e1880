package ppac

import (
	"encoding/binary"

	"assay/formats/decode"
	"assay/model"
)

// order is the order of bytes in all numbers.
var order = binary.BigEndian

var magic = []byte("PPAC")

var types = decode.Types{
	Numbers: [model.Bool + 1]string{model.U8: "integer", model.U16: "integer", model.U24: "integer",
		model.U32: "integer", model.U64: "integer", model.S64: "timestamp"},
	Text: "string", Bytes: "literal",
}
