package picture

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

func TestPanicOfADecoderIsAnError(t *testing.T) {
	all := kinds
	t.Cleanup(func() { kinds = all })
	kinds = append([]kind{{"panics", "", "", false, begins("PANICS"),
		func(context.Context, *model.Source) (model.Picture, error) { panic("index out of range") }}}, kinds...)
	p, err := Open(t.Context(), model.NewSource("t", bytes.NewReader([]byte("PANICS")), 6))
	assert.Nil(t, p.Image)
	assert.ErrorContains(t, err, "cannot be decoded: index out of range")
}

func TestErrorsNameTheFormatOnce(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 100, 100))))
	cut := b.Bytes()[:b.Len()-40]
	_, err := Open(t.Context(), model.NewSource("a.png", bytes.NewReader(cut), int64(len(cut))))
	require.Error(t, err)
	assert.Regexp(t, `^PNG: [^p]`, err.Error())
	assert.NotContains(t, err.Error(), "png:")
}
