package comparison

import (
	"context"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare/changes"
	"assay/model/content"
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
	c, _, _ := opened(t, pictured("a", 10), pictured("b", 30))
	assert.True(t, c.look.visible, "what can be drawn is drawn")
	assert.Equal(t, c.look.content, c.below.Objects[0])

	c.look.way.SetSelected(difference)
	assert.Equal(t, "1 of 8 pixels changed, largest difference 20 of 255, within 1 × 1 at (1, 1)", c.look.caption.Text)
	assert.True(t, c.look.caption.Visible())
	c.look.seen(1, model.Picture{Image: image.NewGray(image.Rect(0, 0, 1, 1)), Drawn: true})
	c.look.seen(0, nil)
	assert.Empty(t, c.look.caption.Text, "it is not about what is shown now")
	assert.False(t, c.look.caption.Visible(), "the line is left to the pictures")
	test.Tap(c.head.pictures.Button)
	assert.Equal(t, c.bytes.content, c.below.Objects[0])
	c.Again()
	assert.Equal(t, c.bytes.content, c.below.Objects[0], "what the user chose stays")
}

func TestFilesWithoutPicturesShowTheirBytes(t *testing.T) {
	c, _, _ := opened(t, shelf("a", "1", box{"a", 1, "one", "x"}), shelf("b", "1", box{"a", 2, "one", "x"}))
	assert.Equal(t, c.bytes.content, c.below.Objects[0])
	assert.False(t, c.look.visible)
}

func TestPicturesInOnePlace(t *testing.T) {
	c, _, _ := opened(t, pictured("a", 10), pictured("b", 30))
	assert.Equal(t, []string{sideBySide, swipe, overlay, blinking, difference}, c.look.way.Options)
	assert.Contains(t, c.look.caption.Text, "1 of 8 pixels changed")
	for _, way := range []string{swipe, overlay} {
		c.look.way.SetSelected(way)
		assert.Equal(t, c.look.images.between.Content(), c.look.stage.Objects[0], way)
		assert.True(t, c.look.mixer.room.Visible(), way)
		assert.False(t, c.look.mixer.gains.Visible(), way)
	}
	c.look.way.SetSelected(sideBySide)
	assert.NotEqual(t, c.look.images.between.Content(), c.look.stage.Objects[0])
}

// file is a document of a file of no known format.
func file(name, data string) *model.Document {
	src := model.NewSource(name, strings.NewReader(data), int64(len(data)))
	root := &model.Node{Type: "bytes", Span: model.Span{Size: int64(len(data))}}
	root.Value = model.Blob{Source: src, Span: root.Span}
	d := model.NewDocument(src, "bytes", "", root)
	d.View = func(ctx context.Context, _ *model.Node) (model.View, error) { return content.View(ctx, src) }
	return d
}

func TestTextsAreComparedLineByLine(t *testing.T) {
	c, _, _ := opened(t, file("a.txt", "one\ntwo words\nthree\n"), file("b.txt", "one\ntwo sentences\nthree\nfour\n"))
	assert.True(t, c.look.visible, "two texts open on their lines")
	rows := c.look.texts.(*textView)
	assert.EqualValues(t, 4, rows.Len())
	assert.Equal(t, "1 of 4 lines changed, 1 line added", c.look.caption.Text)
	cell := rows.Cell(1, newText)
	assert.Equal(t, "two sentences", cell.String())
	assert.True(t, cell.Pieces[len(cell.Pieces)-1].Lit)
	cell = rows.Cell(3, oldText)
	assert.Empty(t, cell.String())
}

// pngFile is a document of a file of a picture.
func pngFile(t *testing.T, name string, gray uint8) *model.Document {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 4, 2))
	img.SetGray(1, 1, color.Gray{Y: gray})
	var b strings.Builder
	require.NoError(t, png.Encode(&b, img))
	d := file(name, b.String())
	d.Content = true
	return d
}

func TestPNGFilesOpenOnTheirPictures(t *testing.T) {
	c, _, _ := opened(t, pngFile(t, "a.png", 10), pngFile(t, "b.png", 30))
	assert.True(t, c.look.visible)
	assert.Equal(t, "1 of 8 pixels changed, largest difference 20 of 255, within 1 × 1 at (1, 1)", c.look.caption.Text)
}

func TestAPictureInAPackageIsComparedWithAFile(t *testing.T) {
	d := pictured("shelf", 10)
	var payloads model.PayloadList
	for i, name := range []string{"other.png", "images/icon.dds"} {
		payloads = append(payloads, &model.Payload{Key: "a", Name: name, Node: d.Root().Child(i)})
	}
	d.Payloads = payloads
	c, _, _ := opened(t, d, pngFile(t, "Icon.png", 30))
	assert.True(t, c.look.visible)
	assert.Equal(t, "1 of 8 pixels changed, largest difference 20 of 255, within 1 × 1 at (1, 1)", c.look.caption.Text)
	o, err := changes.Collect(t.Context(), c.c)
	require.NoError(t, err)
	assert.True(t, o.Whole)
	old, new := changes.Representatives(c.c)
	assert.Equal(t, d.Root().Child(1), old, "the asset of the same name")
	assert.Equal(t, c.c.New.Root(), new)
	c.look.way.SetSelected(difference)
	assert.Equal(t, c.look.images.between.Content(), c.look.stage.Objects[0])
}

func TestAnAssetOfASheetLeadsToItsPair(t *testing.T) {
	old := shelf("a", "1", box{"a", 1, "one", "x"}, box{"b", 2, "two", "y"})
	new := shelf("b", "1", box{"a", 1, "one", "x"}, box{"b", 3, "two", "y"})
	c, _, _ := opened(t, old, new)
	for i, d := range []*model.Document{old, new} {
		c.goTo(nil)
		c.look.sides[i].OnAsset(d, d.Root().Child(1).Child(1))
		assert.Equal(t, "b", c.pair.New.Key)
		assert.Equal(t, "b", c.pair.Old.Key)
	}
}
