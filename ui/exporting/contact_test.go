package exporting

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/thumbnail"
)

func TestContactSheetOfTheSelectionOrOfAll(t *testing.T) {
	r := newRig(t)
	d := sample()
	size := func(paths ...string) image.Point {
		r.saved = nil
		r.SaveSheet(d, nodes(t, d, paths...), thumbnail.Options{})
		require.Contains(t, r.saved, "made contact sheet.png")
		img, err := png.Decode(bytes.NewReader(r.saved["made contact sheet.png"]))
		require.NoError(t, err)
		return img.Bounds().Size()
	}
	two, all := size("/items/0", "/items/1"), size("/items/0")
	assert.Less(t, two.Y, all.Y)
	assert.Equal(t, all, size("/items/0", "/items/1", "/items/2", "/items/3"))
	assert.Equal(t, "4 pictures on the contact sheet.", r.lastHint())
	empty := document("empty.bin")
	r.SaveSheet(empty, nodes(t, empty), thumbnail.Options{})
	assert.Equal(t, []string{"There is nothing for a contact sheet."}, r.notices)
}

func TestNamesAreCopied(t *testing.T) {
	r := newRig(t)
	d := sample()
	r.CopyNames(d, nodes(t, d, "/items/0", "/items/2"))
	assert.Equal(t, "dir/a.txt\nm.mesh", r.copied)
}
