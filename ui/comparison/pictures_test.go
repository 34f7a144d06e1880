package comparison

import (
	"context"
	"image"
	"image/color"
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/model"
)

// pictured is a shelf of which every node looks like a grey picture.
func pictured(name string, grey uint8) *model.Document {
	d := shelf(name, "1", box{"a", uint32(grey), "one", "x"})
	d.View = func(context.Context, *model.Node) (model.View, error) {
		img := image.NewGray(image.Rect(0, 0, 4, 2))
		img.SetGray(1, 1, color.Gray{Y: grey})
		return model.Picture{Image: img}, nil
	}
	return d
}

func TestPicturesOfBothSides(t *testing.T) {
	c, _, _ := compared(t, pictured("a", 10), pictured("b", 30))
	assert.True(t, c.look.visible, "what can be drawn is drawn")
	assert.Equal(t, c.look.content, c.below.Objects[0])

	c.look.way.SetSelected(difference)
	assert.Equal(t, "1 of 8 pixels changed, largest difference 20 of 255, within 1 × 1 at (1, 1)", c.look.caption.Text)
	test.Tap(c.head.pictures)
	assert.Equal(t, c.bytes.content, c.below.Objects[0])
	c.Again()
	assert.Equal(t, c.bytes.content, c.below.Objects[0], "what the user chose stays")
}

func TestFilesWithoutPicturesShowTheirBytes(t *testing.T) {
	c, _, _ := compared(t, shelf("a", "1", box{"a", 1, "one", "x"}), shelf("b", "1", box{"a", 2, "one", "x"}))
	assert.Equal(t, c.bytes.content, c.below.Objects[0])
	assert.False(t, c.look.visible)
}
