package gpb

import (
	_ "embed"

	"assay/formats/decode"
	"assay/model"
)

//go:embed fields.md
var fieldsText string

// Fields says what the fields of a bundle mean.
var Fields = &decode.Glossary{Name: "gpb", Text: fieldsText, Values: map[string]model.Choices{
	"Reference.type":                   typeNames,
	"Node.type":                        nodeTypes,
	"Camera.cameraType":                cameraTypes,
	"Light.lightType":                  lightTypes,
	"VertexElement.usage":              vertexUsages,
	"MeshPart.primitiveType":           primitiveTypes,
	"MeshPart.indexFormat":             indexFormats,
	"AnimationChannel.targetAttribute": targetAttributes,
	"AnimationChannel.interpolation":   interpolations,
	"Font.style":                       fontStyles,
	"Font.format":                      fontFormats,
	"FontSize.format":                  fontFormats,
}}
