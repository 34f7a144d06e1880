package kaitai

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// -assay-export is about one attribute, not about all that have its id, and about each element of a list.
func TestExport(t *testing.T) {
	doc := open(t, `
seq:
  - {id: picture, type: picture}
  - {id: other, type: other}
  - {id: parts, size: 2, repeat: expr, repeat-expr: 2, -assay-export: {name: part.bin}}
types:
  picture: {seq: [{id: data, size: 3, -assay-export: {name: picture.png, media-type: image/png}}]}
  other: {seq: [{id: data, size: 3}]}`, "010203 040506 0708 090a")
	require.NotNil(t, doc.Payloads)
	var got []string
	for i := range doc.Payloads.Len() {
		p := doc.Payloads.At(i)
		got = append(got, p.Key+" "+p.Name)
	}
	assert.Equal(t, []string{"/picture/data picture.png", "/parts/0 part.bin", "/parts/1 part.bin"}, got)
}

// Assets are named by the labels of the objects that they are in.
func TestNamesOfAssets(t *testing.T) {
	doc := open(t, `
seq: [{id: files, type: file, repeat: eos}]
types:
  file:
    -webide-representation: '{name}'
    seq: [{id: name, type: strz}, {id: body, type: body}]
  body: {seq: [{id: data, size: 2, -assay-export: true}]}`, "612e706e6700 0102 62206300 0304 00 0506 632f642e7800 0708")
	var got []string
	for i := range doc.Payloads.Len() {
		got = append(got, doc.Payloads.At(i).Name)
	}
	assert.Equal(t, []string{"a.png", "b c-body-data.bin", "files-2-body-data.bin", "c/d.x"}, got)
	assert.Equal(t, "0 a.png", doc.Root().Child(0).Child(0).Title())
}
