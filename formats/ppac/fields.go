package ppac

import (
	_ "embed"

	"assay/model"
	"assay/model/glossary"
)

//go:embed fields.md
var fieldsText string

// fields says what the fields of a container mean.
var fields = &glossary.Glossary{Name: "ppac", Text: fieldsText, Values: map[string]model.Choices{
	"IndexEntry.type":           typeNames,
	"IndexEntry.compression_id": compressionNames,
	"IndexEntry.compression":    compressionNames,
}}
