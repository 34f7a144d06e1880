package contents

import (
	"context"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/content"
	"assay/model/text"
	"assay/ui/comparison/comparisontest"
	"assay/ui/control"
)

var (
	box   = comparisontest.NewBox
	shelf = comparisontest.Shelf
)

// noLines shows no texts.
type noLines struct{}

func (noLines) Step(int, bool) bool                       { return false }
func (noLines) Show(*text.Text, *text.Text, func(string)) {}
func (noLines) Clear()                                    {}
func (noLines) Content() fyne.CanvasObject                { return container.NewStack() }

// shown is a panel of previews in a window, and the pair that it shows.
type shown struct {
	*Previews
	found *compare.Comparison
	pair  *compare.Pair
}

// show displays two documents. A click selects a node.
func show(t *testing.T, old, new *model.Document) *shown {
	t.Helper()
	test.NewTempApp(t)
	w := comparisontest.NewWindow()
	deps := w.Deps()
	s := &shown{NewPreviews(w, w.Style, deps.Group, nil, noLines{}), comparisontest.Compare(t, old, new), nil}
	t.Cleanup(func() { deps.Group.CloseThen(s.Close) })
	s.OnKind = func() {}
	s.OnReveal = func(d *model.Document, n *model.Node) {
		s.pair = s.found.PairOf(n, d == s.found.Old)
		s.SelectPair(s.pair)
	}
	w.OnReveal = s.OnReveal
	window := test.NewTempWindow(t, s.Content)
	window.Resize(fyne.NewSize(500, 300))
	s.Set(s.found)
	s.SetVisible(true)
	s.SelectPair(s.found.Root())
	return s
}

const grayChange = "1 of 8 pixels changed, maximum difference 20 of 255, within 1 × 1 at (1, 1)"

func TestCaptionDescribesTheVisibleViews(t *testing.T) {
	s := show(t, comparisontest.Pictured("a", 10), comparisontest.Pictured("b", 30))
	s.mode.SetSelected(string(control.Difference))
	assert.Equal(t, grayChange, s.caption.Text)
	assert.True(t, s.caption.Visible())
	s.onView(1, model.Picture{Image: image.NewGray(image.Rect(0, 0, 1, 1)), Drawn: true})
	s.onView(0, nil)
	assert.Empty(t, s.caption.Text, "it does not describe the displayed views")
	assert.False(t, s.caption.Visible(), "the pictures use its line")
}

func TestAnAssetOfASheetSelectsItsPair(t *testing.T) {
	boxes := []comparisontest.Box{box("a", 1, "one", "x"), box("b", 2, "two", "y")}
	old := shelf("a", "1", boxes...)
	boxes[1].Number = 3
	new := shelf("b", "1", boxes...)
	s := show(t, old, new)
	for i, d := range []*model.Document{old, new} {
		s.pair = nil
		s.sides[i].OnAsset(d, d.Root().Child(1).Child(1))
		require.NotNil(t, s.pair)
		assert.Equal(t, "b", s.pair.New.Key)
		assert.Equal(t, "b", s.pair.Old.Key)
	}
}

// TestPackagesWithoutPicturesAreSheets has a package with an asset that cannot be drawn, in both versions.
func TestPackagesWithoutPicturesAreSheets(t *testing.T) {
	var docs [2]*model.Document
	for i := range docs {
		d := shelf("a", "1", box("a", uint32(i), "one", "x"))
		asset := d.Root().Child(1).Child(0)
		d.IsPackage, d.Payloads = true, model.PayloadList{{Key: asset.Key, Name: "a.txt", Node: asset}}
		docs[i] = d
	}
	for _, view := range show(t, docs[0], docs[1]).views {
		require.IsType(t, &content.Sheet{}, view)
		assert.Equal(t, "changed", view.(*content.Sheet).Marks[0].Word)
	}
}

func TestPicturesAreBlendedInOneView(t *testing.T) {
	s := show(t, comparisontest.Pictured("a", 10), comparisontest.Pictured("b", 30))
	assert.Equal(t, control.ViewModeNames(), s.mode.Options)
	assert.Contains(t, s.caption.Text, "1 of 8 pixels changed")
	for _, mode := range []control.ViewMode{control.Swipe, control.Overlay} {
		s.mode.SetSelected(string(mode))
		assert.Equal(t, s.images.combined.Content(), s.stage.Objects[0], mode)
		assert.True(t, s.mixer.sliderBox.Visible(), mode)
		assert.False(t, s.mixer.gains.Visible(), mode)
	}
	s.mode.SetSelected(string(control.SideBySide))
	assert.NotEqual(t, s.images.combined.Content(), s.stage.Objects[0])
}

// file returns a document of an unknown format.
func file(name, data string) *model.Document {
	src := model.NewSource(name, strings.NewReader(data), int64(len(data)))
	root := &model.Node{Type: "bytes", Span: model.Span{Size: int64(len(data))}}
	root.Value = model.Blob{Source: src, Span: root.Span}
	d := model.NewDocument(src, "bytes", "", root)
	d.View = func(ctx context.Context, _ *model.Node) (model.View, error) { return content.View(ctx, src) }
	return d
}

// pngFile returns the document of a picture.
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
	s := show(t, pngFile(t, "a.png", 10), pngFile(t, "b.png", 30))
	assert.True(t, HasViews(s.found))
	assert.Equal(t, grayChange, s.caption.Text)
}

func TestAPictureInAPackageIsComparedWithAFile(t *testing.T) {
	d := comparisontest.Pictured("shelf", 10)
	var payloads model.PayloadList
	for i, name := range []string{"other.png", "images/icon.dds"} {
		payloads = append(payloads, &model.Payload{Key: "a", Name: name, Node: d.Root().Child(i)})
	}
	d.Payloads = payloads
	s := show(t, d, pngFile(t, "Icon.png", 30))
	assert.True(t, HasViews(s.found))
	assert.Equal(t, grayChange, s.caption.Text)
	o, err := changes.Collect(t.Context(), s.found)
	require.NoError(t, err)
	assert.True(t, o.Whole)
	old, new := changes.Representatives(s.found)
	assert.Equal(t, d.Root().Child(1), old, "the asset of the same name")
	assert.Equal(t, s.found.New.Root(), new)
	s.mode.SetSelected(string(control.Difference))
	assert.Equal(t, s.images.combined.Content(), s.stage.Objects[0])
}
