package picture

import (
	"image"
	"image/color"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDecoderThatPanics(t *testing.T) {
	image.RegisterFormat("panics", "PANICS", func(io.Reader) (image.Image, error) { panic("index out of range") },
		func(io.Reader) (image.Config, error) {
			return image.Config{Width: 1, Height: 1, ColorModel: color.GrayModel}, nil
		})
	img, err := Decode(func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("PANICS")), nil })
	assert.Nil(t, img)
	assert.ErrorContains(t, err, "cannot be decoded: index out of range")
}
