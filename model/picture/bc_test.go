package picture

import (
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestATC has all four colors of a block in its first row.
func TestATC(t *testing.T) {
	row := byte(0b11100100)
	for name, test := range map[string]struct {
		block []byte
		want  [4]color.NRGBA
	}{
		"red to blue": {[]byte{0x00, 0x7c, 0x1f, 0x00, row, 0, 0, 0},
			[4]color.NRGBA{{255, 0, 0, 255}, {159, 0, 95, 255}, {95, 0, 159, 255}, {0, 0, 255, 255}}},
		"green of five and of six bits": {[]byte{0x20, 0x00, 0x20, 0x00, row, 0, 0, 0},
			[4]color.NRGBA{{0, 8, 0, 255}, {0, 6, 0, 255}, {0, 5, 0, 255}, {0, 4, 0, 255}}},
		"black, a difference, both": {[]byte{0x10, 0xfc, 0xff, 0x07, row, 0, 0, 0},
			[4]color.NRGBA{{0, 0, 0, 255}, {255, 0, 69, 255}, {255, 0, 132, 255}, {0, 255, 255, 255}}},
	} {
		img := decoded(t, ATC, 4, 4, test.block)
		for x, want := range test.want {
			assert.Equal(t, want, img.At(x, 0), "%s %d", name, x)
		}
	}
}
