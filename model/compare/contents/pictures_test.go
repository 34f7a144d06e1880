package contents

import (
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRegionsContainTheDifferences(t *testing.T) {
	old, new := image.NewNRGBA(image.Rect(0, 0, 100, 60)), image.NewNRGBA(image.Rect(0, 0, 100, 60))
	assert.Empty(t, Regions(old, new))
	for _, p := range []image.Point{{70, 5}, {3, 50}, {4, 51}, {12, 50}} {
		new.Set(p.X, p.Y, color.White)
	}
	assert.Equal(t, []image.Rectangle{image.Rect(70, 5, 71, 6), image.Rect(3, 50, 13, 52)}, Regions(old, new))
	larger := image.NewNRGBA(image.Rect(0, 0, 100, 70))
	for i := range larger.Pix {
		larger.Pix[i] = 255
	}
	assert.Len(t, Regions(old, larger), 1)
}
