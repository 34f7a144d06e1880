package comparison

import (
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/ui/comparison/comparisontest"
)

func TestPicturesOfBothSides(t *testing.T) {
	c, _, _ := opened(t, comparisontest.Pictured("a", 10), comparisontest.Pictured("b", 30))
	assert.True(t, c.previews.Visible, "what can be drawn is drawn")
	assert.Equal(t, c.previews.Content, c.lower.Objects[0])

	test.Tap(c.header.previews.Button)
	assert.Equal(t, c.bytes.Content, c.lower.Objects[0])
	c.Reload()
	assert.Equal(t, c.bytes.Content, c.lower.Objects[0], "what the user chose stays")
}

func TestFilesWithoutPicturesShowTheirBytes(t *testing.T) {
	c, _, _ := opened(t, shelf("a", "1", box("a", 1, "one", "x")), shelf("b", "1", box("a", 2, "one", "x")))
	assert.Equal(t, c.bytes.Content, c.lower.Objects[0])
	assert.False(t, c.previews.Visible)
}
