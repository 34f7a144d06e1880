//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"image"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheCardStaysOnTheScreen(t *testing.T) {
	card := newCard(2, []Item{{Name: "duck"}})
	size, screen := image.Pt(200, 60), image.Pt(1400, 900)
	for pointer, want := range map[image.Point]image.Point{
		{100, 100}:  {128, 136},
		{1200, 100}: {972, 136},
		{1200, 890}: {972, 802},
		{100, 890}:  {128, 802},
	} {
		pos := card.place(pointer, size, screen)
		assert.Equal(t, want, pos)
		assert.False(t, pointer.In(image.Rectangle{pos, pos.Add(size)}), "the pointer is not covered")
	}
}

func TestTheCardNamesAFolder(t *testing.T) {
	for _, c := range []struct {
		names  []string
		label  string
		folder bool
	}{
		{[]string{"duck.glb"}, "duck.glb", false},
		{[]string{"duck/a.png"}, "duck", true},
		{[]string{"duck/a.png", "duck/b/c.png"}, "duck", true},
		{[]string{"duck/a.png", "ducks/c.png"}, "2 files", false},
		{[]string{"duck/a\U000e0001.png", "b"}, "2 files", false},
		{[]string{"\U000e0001/a.png"}, "1 folder", true},
	} {
		var items []Item
		for _, name := range c.names {
			items = append(items, Item{Name: name})
		}
		card := newCard(1, items)
		require.NotNil(t, card)
		assert.Equal(t, c.label, card.label)
		assert.Equal(t, c.folder, card.folder)
	}
	file, folder := newCard(1, []Item{{Name: "duck"}}), newCard(1, []Item{{Name: "duck/a"}})
	assert.NotEqual(t, file.draw().Pix, folder.draw().Pix, "with an icon of its own")
}
