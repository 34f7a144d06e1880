package control

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
)

func TestACutCaptionIsToldWhole(t *testing.T) {
	test.NewTempApp(t)
	var said []string
	c := NewCaption(func(text string) { said = append(said, text) })
	c.SetText("12,345 bytes (678 analyzed)")
	c.Resize(fyne.NewSize(1000, 30))
	c.MouseIn(nil)
	c.MouseOut()
	assert.Empty(t, said, "there is room for it")
	c.Resize(fyne.NewSize(60, 30))
	c.MouseIn(nil)
	c.MouseOut()
	assert.Equal(t, []string{"12,345 bytes (678 analyzed)", ""}, said)
}
