package ppac

import (
	_ "embed"

	"assay/formats/decode"
	"assay/model"
)

//go:embed fields.md
var fieldsText string

// fields says what the fields of a container mean.
var fields = &decode.Glossary{Name: "ppac", Text: fieldsText, Values: map[string]model.Choices{
	"IndexEntry.type":           typeNames,
	"IndexEntry.compression_id": compressionNames,
	"IndexEntry.compression":    compressionNames,
}}
