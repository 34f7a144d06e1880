package picture

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model"
)

func TestDecoderThatPanics(t *testing.T) {
	all := kinds
	t.Cleanup(func() { kinds = all })
	kinds = append([]kind{{"panics", func(head []byte,
		_ string) bool {
		return bytes.HasPrefix(head, []byte("PANICS"))
	},
		func(context.Context, *model.Source) (model.Picture, error) { panic("index out of range") }}}, kinds...)
	p, err := Open(t.Context(), model.NewSource("t", bytes.NewReader([]byte("PANICS")), 6))
	assert.Nil(t, p.Image)
	assert.ErrorContains(t, err, "cannot be decoded: index out of range")
}
