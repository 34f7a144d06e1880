package paint

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// drawn draws a texture of n pixels between two positions of a window as the toolkit and the graphics card do, and
// returns how often each of its pixels is visible.
func drawn(g grid, from, to, window float32, n int) []int {
	pixel := g.scale * g.texture
	across := float64(int(float32(int(math.Ceil(float64(window*g.scale)))) * g.texture))
	place := func(v float32) float64 {
		return math.Round(float64(v*pixel)) / float64(pixel) / float64(window) * across
	}
	seen := make([]int, n)
	begin, end := place(from), place(to)
	for p := math.Floor(begin) - 1; p <= end; p++ {
		if middle := p + 0.5; middle >= begin && middle < end {
			seen[min(int((middle-begin)/(end-begin)*float64(n)), n-1)]++
		}
	}
	return seen
}

func TestEachPixelIsOnScreenOnceAtAnyScale(t *testing.T) {
	for _, scale := range []float32{1, 1.25, 1.5, 1.75, 2} {
		for name, g := range map[string]grid{"X11": {scale, 1}, "Wayland": {1, scale}} {
			for _, window := range []float32{1360, 1361, 1367, 907} {
				if name == "X11" {
					window /= scale // a whole number of pixels
				}
				for _, from := range []float32{0, 10.4, 133.7, 201} {
					for _, to := range []float32{window - 203.3, window - 10, window} {
						n := g.pixels(from, to, window)
						once := make([]int, n)
						for i := range once {
							once[i] = 1
						}
						assert.Equal(t, once, drawn(g, from, to, window, n),
							fmt.Sprint(name, " ", scale, " ", window, ": ", from, " to ", to))
					}
				}
			}
		}
	}
}
