package comparisontest

import (
	"context"
	"image"
	"image/color"

	"assay/model"
)

// Pictured is a shelf of which every node looks like a grey picture.
func Pictured(name string, grey uint8) *model.Document {
	d := Shelf(name, "1", Box("a", uint32(grey), "one", "x"))
	d.View = func(context.Context, *model.Node) (model.View, error) {
		img := image.NewGray(image.Rect(0, 0, 4, 2))
		img.SetGray(1, 1, color.Gray{Y: grey})
		return model.Picture{Image: img}, nil
	}
	return d
}
