package picture

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/picture"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

func shown(t *testing.T, p model.Picture) (v *View, said *string, pixels func() image.Image) {
	t.Helper()
	test.NewTempApp(t)
	said = new(string)
	v = New(host.None{}, paint.NewStyle(), work.Inline(context.Background()), func(s string) { *said = s })
	w := test.NewTempWindow(t, v.Content())
	w.SetPadded(false)
	w.Resize(fyne.NewSize(200, 240))
	r, err := Load(t.Context(), p)
	require.NoError(t, err)
	v.Show(r)
	return v, said, func() image.Image { return w.Canvas().Capture() }
}

func small() *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 4, 2))
	img.SetNRGBA(1, 1, color.NRGBA{R: 10, G: 20, B: 30, A: 255})
	return img
}

// pressedKeys is a host that records keys.
type pressedKeys struct {
	host.None
	keys []fyne.KeyName
}

func (p *pressedKeys) Key(ev *fyne.KeyEvent, _ bool) bool {
	p.keys = append(p.keys, ev.Name)
	return true
}

func TestAClickedPicturePassesItsKeysToTheHost(t *testing.T) {
	test.NewTempApp(t)
	h := &pressedKeys{}
	v := New(h, paint.NewStyle(), work.Inline(context.Background()), func(string) {})
	w := test.NewTempWindow(t, v.Content())
	v.board.MouseDown(&desktop.MouseEvent{})
	require.Equal(t, fyne.Focusable(v.board), w.Canvas().Focused())
	w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyF8})
	assert.Equal(t, []fyne.KeyName{fyne.KeyF8}, h.keys)
}

func TestPictureIsShownWhole(t *testing.T) {
	v, said, pixels := shown(t, model.Picture{Image: small(), Format: "PNG RGBA, 8 bits"})
	pixels()
	v.board.onChange()
	assert.Equal(t, "4 × 2 pixels · PNG RGBA, 8 bits", *said)
	assert.Equal(t, 0.0, v.board.zoom)
	assert.Equal(t, float64(int(v.board.scale())), v.board.scale(), "pixels of whole screen pixels")
	middle := v.board.Size()
	at := fyne.NewPos(middle.Width/2-float32(v.board.scale()/2), middle.Height/2+float32(v.board.scale()/2))
	v.board.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
	assert.Equal(t, "(1, 1) R 10 G 20 B 30 A 255 #0a141e", *said)
	v.board.MouseOut()
	assert.NotContains(t, *said, "(1, 1)")
}

func TestZoomKeepsThePixelUnderThePointer(t *testing.T) {
	v, _, pixels := shown(t, model.Picture{Image: image.NewGray(image.Rect(0, 0, 1000, 1000))})
	pixels()
	p := image.Pt(30, 40)
	x, y := v.board.pixelAt(p)
	v.board.zoomTo(3, p)
	a, b := v.board.pixelAt(p)
	assert.InDelta(t, x, a, 1e-6)
	assert.InDelta(t, y, b, 1e-6)
	v.board.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(-30, 0)})
	c, _ := v.board.pixelAt(p)
	assert.InDelta(t, a+10, c, 1e-6)
	v.board.step(1)
	assert.Equal(t, 8.0, v.board.zoom)
	v.board.DoubleTapped(&fyne.PointEvent{})
	assert.Zero(t, v.board.zoom, "back to the whole")
	pixels()
}

// carried counts its calls.
type carried struct{ moved, ended int }

func (c *carried) Dragged(fyne.Position) { c.moved++ }
func (c *carried) DragEnd()              { c.ended++ }

func TestWholePictureIsDraggedOut(t *testing.T) {
	v, _, pixels := shown(t, model.Picture{Image: image.NewGray(image.Rect(0, 0, 1000, 1000))})
	pixels()
	var c carried
	v.SetOnDrag(func() rows.Drag { return &c })
	drag := func() {
		v.board.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(-30, 0)})
		v.board.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(-30, 0)})
		v.board.DragEnd()
	}
	drag()
	assert.Equal(t, carried{2, 1}, c)
	assert.Zero(t, v.board.zoom)
	v.board.zoomTo(3, image.Point{})
	before := v.board.center
	drag()
	assert.Equal(t, carried{2, 1}, c, "one that is enlarged is moved")
	assert.Equal(t, before[0]+20, v.board.center[0])
	v.board.fit()
	v.SetOnDrag(func() rows.Drag { return nil })
	drag()
	assert.NotZero(t, v.board.zoom, "one that cannot leave is moved")
}

func TestChannelsAndPartsAreChosen(t *testing.T) {
	other := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	parts := []model.Part{{Name: "level 0", Load: func(context.Context) (image.Image, error) { return small(), nil }},
		{Name: "level 1", Load: func(context.Context) (image.Image, error) { return other, nil }}}
	v, said, pixels := shown(t, model.Picture{Image: small(), Parts: parts})
	assert.True(t, v.partBar.Visible())
	v.parts.SetSelectedIndex(1)
	assert.Same(t, image.Image(other), v.board.pyramid.source)
	assert.Contains(t, *said, "2 × 1 pixels · 2 pictures")
	for i := range channelNames {
		v.channel.SetSelectedIndex(i)
		assert.Equal(t, channel(i), v.board.channel)
		pixels()
	}
	v.Clear()
	pixels()
}

func TestFontTypesetsTheSampleText(t *testing.T) {
	var set []string
	p := model.Picture{Image: small(), Boxes: []model.Box{{Rectangle: image.Rect(0, 0, 2, 2), Name: "A"}},
		Lines: func(_ context.Context, text string) ([]model.Line, error) {
			set = append(set, text)
			return []model.Line{{Name: "8 px", Alpha: image.NewAlpha(image.Rect(0, 0, 10, 8))}}, nil
		}}
	v, _, pixels := shown(t, p)
	v.specimen.field.SetText("Duck")
	assert.Equal(t, []string{sample, "Duck"}, set)
	assert.Len(t, v.specimen.lines.Objects, 1)
	glyphs := v.main.Size().Height
	v.specimen.zoom.SetSelected("400%")
	assert.Less(t, v.main.Size().Height, glyphs, "larger text has more room")
	assert.True(t, v.boxes.Visible())
	v.boxes.SetChecked(true)
	pixels()
	r, err := Load(t.Context(), model.Picture{Image: small()})
	require.NoError(t, err)
	v.Show(r)
	assert.Equal(t, fyne.CanvasObject(v.main), v.content.Objects[0], "a picture has no text")
}

func TestMissingCharactersOfAFontAreNamed(t *testing.T) {
	without := func(missing ...string) (lines []model.Line) {
		for _, m := range missing {
			lines = append(lines, model.Line{Alpha: image.NewAlpha(image.Rect(0, 0, 1, 1)), Missing: []rune(m)})
		}
		return lines
	}
	for want, lines := range map[string][]model.Line{
		"":                                     without("", ""),
		"2 characters not in this font: ä ß":   without("äß", "äß"),
		"1 character not in this font: U+0301": without("\u0301"),
		"2 characters not in every size of this font: ä ß":          without("ä", "äß"),
		"14 characters not in this font: a b c d e f g h i j k l …": without("abcdefghijklmn"),
	} {
		assert.Equal(t, want, missing(lines))
	}
	v, said, _ := shown(t, model.Picture{Image: small(), Format: "PNG",
		Lines: func(_ context.Context, text string) ([]model.Line, error) { return without(text[:1]), nil }})
	assert.Equal(t, "1 character not in this font: T · 4 × 2 pixels · PNG", *said)
	v.specimen.field.SetText("Duck")
	assert.Equal(t, "1 character not in this font: D · 4 × 2 pixels · PNG", *said)
	r, err := Load(t.Context(), model.Picture{Image: small(), Format: "PNG"})
	require.NoError(t, err)
	v.Show(r)
	assert.Equal(t, "4 × 2 pixels · PNG", *said)
}

func TestGlyphsHaveAReadableSize(t *testing.T) {
	large := model.Picture{Image: image.NewGray(image.Rect(0, 0, 1000, 4000)),
		Boxes: []model.Box{{Rectangle: image.Rect(0, 0, 40, 40)}, {Rectangle: image.Rect(40, 0, 80, 60)}}}
	v, _, pixels := shown(t, large)
	pixels()
	fitted := v.board.scale()
	assert.Less(t, fitted, .1)
	large.Lines = func(context.Context, string) ([]model.Line, error) { return nil, nil }
	v, _, pixels = shown(t, large)
	pixels()
	assert.InDelta(t, glyphHeight/50.0, v.board.scale(), 1e-9)
	x, y := v.board.pixelAt(image.Point{})
	assert.InDelta(t, 0, x, 1)
	assert.InDelta(t, 0, y, 1, "the first glyphs are visible")
	v.board.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(0, -30)})
	_, down := v.board.pixelAt(image.Point{})
	assert.Greater(t, down, y+30, "the others are below")
	v.board.DoubleTapped(&fyne.PointEvent{})
	assert.Less(t, v.board.scale(), .1, "all of the sheet")
}

func TestBoxOfSelectedBytesIsOutlined(t *testing.T) {
	p := model.Picture{Image: small(), Boxes: []model.Box{
		{Rectangle: image.Rect(0, 0, 2, 2), Name: "A", Span: model.Span{Offset: 10, Size: 4}},
		{Rectangle: image.Rect(2, 0, 4, 2), Name: "B", Span: model.Span{Offset: 14, Size: 4}},
		{Rectangle: image.Rect(0, 0, 1, 1), Name: "of no bytes"}}}
	v, _, pixels := shown(t, p)
	plain := pixels()
	v.MarkBytes(model.Span{Offset: 14, Size: 4})
	second := pixels()
	assert.NotEqual(t, plain, second)
	v.MarkBytes(model.Span{Offset: 16, Size: 2})
	assert.Equal(t, second, pixels(), "a field of it")
	v.MarkBytes(model.Span{Offset: 10, Size: 4})
	assert.NotEqual(t, second, pixels())
	for _, none := range []model.Span{{}, {Offset: 10, Size: 8}, {Offset: 18, Size: 1}} {
		v.MarkBytes(none)
		assert.Equal(t, plain, pixels(), none)
	}
}

func TestHalvesAreMeans(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 200, 200))
	for i := 0; i < len(img.Pix); i += 8 { // every other pixel is white, the others are transparent
		copy(img.Pix[i:], []uint8{255, 255, 255, 255})
	}
	y, err := newPyramid(t.Context(), img, picture.Tone{})
	require.NoError(t, err)
	require.Len(t, y.levels, 3)
	assert.Equal(t, color.NRGBA{R: 255, G: 255, B: 255, A: 128}, at(y.levels[1], 5, 5))
	ended, end := context.WithCancel(t.Context())
	end()
	_, err = newPyramid(ended, image.NewPaletted(image.Rect(0, 0, 300, 300), color.Palette{color.Transparent}),
		picture.Tone{})
	assert.ErrorIs(t, err, context.Canceled)
}

func TestExposureChangesOnlyTheDisplayedColors(t *testing.T) {
	// pixels of the value 4; 0.18 is four and a half stops less
	img, err := picture.Decode(t.Context(), picture.RGBE8, 2, 2, bytes.Repeat([]byte{128, 128, 128, 131}, 4))
	require.NoError(t, err)
	v, said, pixelsOf := shown(t, model.Picture{Image: img, Format: "HDR"})
	assert.True(t, v.toner.content.Visible())
	assert.Equal(t, picture.Tone{Stops: -4.5, Curve: picture.Filmic}, v.toner.tone)
	assert.Equal(t, "-4.50 EV", v.toner.text.Text)
	grey := at(v.board.pyramid.levels[0], 0, 0)
	assert.InDelta(t, 140, int(grey.R), 3)
	pixelsOf()
	middle := v.board.Size()
	v.board.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(middle.Width/2-4,
		middle.Height/2-4)}})
	assert.Contains(t, *said, "R 4 G 4 B 4", "the values are those of the file")

	v.toner.stops.SetValue(0)
	assert.Equal(t, "+0.00 EV", v.toner.text.Text)
	assert.EqualValues(t, 252, at(v.board.pyramid.levels[0], 0, 0).R)
	v.toner.curve.SetSelectedIndex(int(picture.SRGB))
	assert.EqualValues(t, 255, at(v.board.pyramid.levels[0], 0, 0).R)
	v.toner.autoButton.OnTapped()
	assert.Equal(t, grey, at(v.board.pyramid.levels[0], 0, 0), "back to what suits the picture")

	r, err := Load(t.Context(), model.Picture{Image: small()})
	require.NoError(t, err)
	v.Show(r)
	assert.False(t, v.toner.content.Visible(), "a picture of bytes is not light")
}

func TestAnOpaquePictureHasNoAlpha(t *testing.T) {
	opaque, clear := image.NewGray(image.Rect(0, 0, 2, 2)), image.NewNRGBA(image.Rect(0, 0, 2, 2))
	v, _, _ := shown(t, model.Picture{Image: opaque})
	show := func(img image.Image) {
		r, err := Load(t.Context(), model.Picture{Image: img})
		require.NoError(t, err)
		v.Show(r)
	}
	assert.Equal(t, []string{"RGB", "Red", "Green", "Blue"}, v.channel.Options)
	assert.Equal(t, "RGB", v.channel.Selected)
	show(clear)
	assert.Equal(t, "RGBA", v.channel.Selected, "as before the opaque one")
	assert.Contains(t, v.channel.Options, "Alpha")
	v.channel.SetSelected("Red")
	show(opaque)
	assert.Equal(t, "Red", v.channel.Selected)
	assert.Equal(t, red, v.board.channel)
	v.channel.SetSelected("RGB")
	show(clear)
	assert.Equal(t, "RGB", v.channel.Selected, "the user chose it")
}
