package scene_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model/scene"
)

func TestPlainColorsAreMuted(t *testing.T) {
	different := make(map[[3]uint8]bool)
	for i := range 1000 {
		c := scene.PlainColor(fmt.Sprint("part", i))
		low, high := min(c[0], c[1], c[2]), max(c[0], c[1], c[2])
		assert.GreaterOrEqual(t, low, uint8(130), "light")
		assert.LessOrEqual(t, high-low, uint8(48), "muted")
		different[c] = true
	}
	assert.Greater(t, len(different), 300)
	assert.Equal(t, scene.PlainColor("flag"), scene.PlainColor("flag"))
}
