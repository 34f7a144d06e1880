package contents_test

import (
	"image"
	"testing"

	"assay/model/compare/contents"
)

// BenchmarkDifference compares two textures of 4096 × 4096 of which every pixel differs.
func BenchmarkDifference(b *testing.B) {
	old, new := image.NewNRGBA(image.Rect(0, 0, 4096, 4096)), image.NewNRGBA(image.Rect(0, 0, 4096, 4096))
	for i := range old.Pix {
		old.Pix[i], new.Pix[i] = byte(7*i), byte(7*i+1+i%3)
	}
	b.Run("image", func(b *testing.B) {
		for b.Loop() {
			contents.Difference(old, new, 4)
		}
	})
	b.Run("count", func(b *testing.B) {
		for b.Loop() {
			contents.ComparePictures(old, new)
		}
	})
}
