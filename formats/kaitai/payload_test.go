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
