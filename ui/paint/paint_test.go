package paint_test

import (
	"image"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/paint"
)

// tile is a widget that paints itself.
type tile struct {
	paint.Surface
	painted []image.Point // sizes of its frames
}

func newTile() *tile {
	t := new(tile)
	t.InitSurface(t, paint.NewStyle(),
		func(c *paint.Canvas) { t.painted = append(t.painted, c.Img.Rect.Size()) })
	return t
}

func TestAFrameHasThePixelsThatAreOnTheScreen(t *testing.T) {
	test.NewTempApp(t)
	a := newTile()
	w := test.NewTempWindow(t, container.NewWithoutLayout(a))
	w.SetPadded(false)
	w.Resize(fyne.NewSize(300, 100))
	raster := test.WidgetRenderer(a).Objects()[0].(*canvas.Raster)
	for _, tt := range []struct {
		x, wide float32
		asked   int
		pixels  int
	}{
		{10, 100, 100, 100},
		{10.4, 100.3, 100, 101}, // from 10 to 111
		{10.6, 100.6, 101, 100}, // from 11 to 111
		{10, 100, 200, 200},     // a screen of twice as many pixels
	} {
		a.Move(fyne.NewPos(tt.x, 0))
		a.Resize(fyne.NewSize(tt.wide, 20))
		a.painted = nil
		raster.Generator(tt.asked, 20)
		assert.Equal(t, []image.Point{{X: tt.pixels, Y: 20}}, a.painted, tt)
	}
	raster.Generator(0, 20)
	assert.Len(t, a.painted, 1, "what has no size is not painted")
}

func TestPositionsArePixelsAtTheScaleOfTheLastFrame(t *testing.T) {
	test.NewTempApp(t)
	a := newTile()
	w := test.NewTempWindow(t, a)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(100, 20))
	test.WidgetRenderer(a).Objects()[0].(*canvas.Raster).Generator(200, 40)
	assert.EqualValues(t, 2, a.Scale())
	assert.Equal(t, image.Pt(21, 10), a.Pixel(fyne.NewPos(10.5, 5)))
}

var (
	white = paint.Color{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
	black = paint.Color{A: 0xff}
)

func newCanvas(t testing.TB, w, h int) *paint.Canvas {
	t.Helper()
	test.NewTempApp(t)
	c := paint.NewStyle().NewCanvas(image.NewRGBA(image.Rect(0, 0, w, h)), 1, paint.Colors{})
	c.Fill(c.Img.Rect, white)
	return c
}

// inked returns the bounds of the pixels that are not white.
func inked(img *image.RGBA) image.Rectangle {
	var r image.Rectangle
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			if img.RGBAAt(x, y).R != 0xff {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

func TestTextInksWhatItMeasures(t *testing.T) {
	for _, face := range []paint.Face{paint.Regular, paint.Bold, paint.Mono} {
		for _, s := range []string{"Hgjl", "identifier", "→ ✓", "Ωж", "日本"} {
			c := newCanvas(t, 300, 40)
			w := c.Text(10, 25, s, face, black, 0)
			assert.Equal(t, c.Measure(s, face), w, s)
			ink := inked(c.Img)
			require.False(t, ink.Empty(), s)
			assert.GreaterOrEqual(t, ink.Min.X, 8, s)
			assert.LessOrEqual(t, ink.Max.X, 10+w+2, s)
		}
	}
}

func TestTextIsCutWithEllipsis(t *testing.T) {
	c := newCanvas(t, 300, 40)
	long := strings.Repeat("wide name ", 1000)
	w := c.Text(5, 25, long, paint.Regular, black, 80)
	assert.LessOrEqual(t, w, 80)
	assert.Greater(t, w, 60)
	assert.LessOrEqual(t, inked(c.Img).Max.X, 85)
	assert.Equal(t, c.Measure("fits", paint.Regular),
		c.Text(5, 25, "fits", paint.Regular, black, c.Measure("fits", paint.Regular)))
}

func TestLongTextKeepsItsEnds(t *testing.T) {
	painted := func(s string, width int) (*image.RGBA, int) {
		c := newCanvas(t, 300, 40)
		w := c.LabelMiddle(image.Rect(5, 5, 5+width, 35), s, paint.Regular, black)
		assert.LessOrEqual(t, w, width+1)
		assert.LessOrEqual(t, inked(c.Img).Max.X, 5+width+1)
		return c.Img, w
	}
	begin := "HIKCharacterNode1_" + strings.Repeat("x", 5000)
	arm, w := painted(begin+"LeftArm", 100)
	leg, _ := painted(begin+"LeftLeg", 100)
	assert.Greater(t, w, 80)
	assert.NotEqual(t, arm.Pix, leg.Pix, "they differ at their ends only")
	again, _ := painted(begin+"and more"+"LeftArm", 100)
	assert.Equal(t, arm.Pix, again.Pix, "and in the middle it does not matter")
	unseen, _ := painted(begin+"Left"+strings.Repeat("\ufe0f", 100_000)+"Arm", 100) // each counts once
	assert.Equal(t, arm.Pix, unseen.Pix)
	short, w := painted("short", 100)
	c := newCanvas(t, 300, 40)
	assert.Equal(t, c.Label(image.Rect(5, 5, 105, 35), "short", paint.Regular, black, paint.AlignLeft), w)
	assert.Equal(t, c.Img.Pix, short.Pix)
	for width := 12; width < 60; width++ {
		painted(begin, width)
	}
	painted("", 50)
}

func TestControlAndBidiCharactersAreEscapes(t *testing.T) {
	c := newCanvas(t, 400, 40)
	for _, tt := range []struct{ raw, shown string }{
		{"a\nb", `a\nb`}, {"\x00", `\0`}, {"\x1b[31m", `\x1b[31m`}, {"\u202egpj.exe", `\u202egpj.exe`},
		{"\u200b", `\u200b`}, {"\xff\xfe", `\xff\xfe`}, {"\u2028", `\u2028`}, {"\ufeff", `\ufeff`},
		{"a\u2066b", `a\u2066b`},
	} {
		assert.Equal(t, c.Measure(tt.shown, paint.Mono), c.Measure(tt.raw, paint.Mono), "%q", tt.raw)
		assert.Equal(t, c.Measure(tt.shown, paint.Mono), c.Text(0, 20, tt.raw, paint.Mono, black, 0), "%q", tt.raw)
	}
}

func TestMonoCellsAreEqual(t *testing.T) {
	c := newCanvas(t, 10, 10)
	for _, r := range "0123456789abcdefWi." {
		assert.Equal(t, c.CellWidth(), c.Measure(string(r), paint.Mono))
	}
}

func TestLabelAligns(t *testing.T) {
	box := image.Rect(20, 0, 220, 30)
	for align, want := range map[paint.Align]func(image.Rectangle) int{
		paint.AlignLeft:   func(r image.Rectangle) int { return r.Min.X - 20 },
		paint.AlignRight:  func(r image.Rectangle) int { return 220 - r.Max.X },
		paint.AlignCenter: func(r image.Rectangle) int { return (r.Min.X - 20) - (220 - r.Max.X) },
	} {
		c := newCanvas(t, 300, 40)
		c.Label(box, "0x1a4", paint.Mono, black, align)
		assert.InDelta(t, 0, want(inked(c.Img)), 3, "align %d", align)
		ink := inked(c.Img)
		assert.InDelta(t, 15, (ink.Min.Y+ink.Max.Y)/2, 1)
	}
}

func TestNothingIsPaintedOutsideTheClip(t *testing.T) {
	c := newCanvas(t, 100, 40)
	box := image.Rect(30, 10, 60, 20)
	c.Clipped(box, func() {
		c.Text(0, 20, "MMMMMMMMMMMMMMMMMM", paint.Bold, black, 0)
		c.Fill(image.Rect(-5, -5, 500, 12), black)
		c.Triangle(image.Rect(50, 5, 90, 45), paint.PointRight, black)
		c.Round(image.Rect(20, 0, 80, 30), 6, paint.Color{A: 0x40})
	})
	assert.Equal(t, box, inked(c.Img))
}

func TestTranslucentFillStaysOpaque(t *testing.T) {
	c := newCanvas(t, 4, 4)
	for range 20 {
		c.Fill(c.Img.Rect, paint.Color{R: 10, G: 20, B: 30, A: 0x33})
	}
	assert.EqualValues(t, 0xff, c.Img.RGBAAt(2, 2).A)
	assert.InDelta(t, 10, int(c.Img.RGBAAt(2, 2).R), 6)
}

func TestShapesAreCachedByName(t *testing.T) {
	c := newCanvas(t, 40, 40)
	c.Triangle(image.Rect(0, 0, 12, 12), paint.PointDown, black)
	c.Triangle(image.Rect(20, 0, 32, 12), paint.PointRight, black)
	assert.False(t, inked(c.Img).Empty())
	assert.EqualValues(t, c.Img.RGBAAt(6, 6), black)
}

func TestCanvasWithoutImageMeasures(t *testing.T) {
	test.NewTempApp(t)
	c := paint.NewStyle().NewCanvas(nil, 2, paint.Colors{})
	assert.Positive(t, c.Text(0, 0, "abc", paint.Regular, black, 0))
	c.Fill(image.Rect(0, 0, 5, 5), black)
	assert.Equal(t, 40, c.Px(20))
}

func TestThemeColorsFollowVariant(t *testing.T) {
	test.NewTempApp(t)
	colors := paint.ThemeColors(nil)
	assert.EqualValues(t, 0xff, colors.Background.A)
	assert.NotEqual(t, colors.Background, colors.Selection)
	assert.NotEqual(t, colors.Foreground, colors.Dim)
}

func BenchmarkText(b *testing.B) {
	c := newCanvas(b, 1000, 40)
	for b.Loop() {
		c.Text(0, 25, "identifier  0x00001a40  translation vec3  102,650", paint.Regular, black, 900)
	}
}

func TestWrapKeepsTheTextAndTheWidth(t *testing.T) {
	test.NewTempApp(t)
	c := paint.NewStyle().NewCanvas(nil, 1, paint.Colors{})
	wrapped := func(s string, width int) (lines []string) {
		for _, l := range c.Wrap(paint.PlainPieces(s), paint.Mono, width*c.CellWidth()) {
			lines = append(lines, paint.JoinPieces(l))
		}
		return lines
	}
	for _, tt := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 5, []string{""}},
		{"one two three", 8, []string{"one two", "three"}},
		{"one\r\n\ttwo\n", 20, []string{"one", "    two", ""}},
		{"/objects/nodes", 9, []string{"/objects/", "nodes"}},
		{"0123456789abcdef", 6, []string{"012345", "6789ab", "cdef"}},
		{"a 0123456789", 8, []string{"a 012345", "6789"}},
		{"0x51 (85,239,239)", 10, []string{"0x51", "(85,239,23", "9)"}},
		{"red,green", 6, []string{"red,", "green"}},
		{"01d6-55555", 8, []string{"01d6-", "55555"}},
		{"(1234,-1.5e-300)", 10, []string{"(1234,", "-1.5e-300)"}},
		{"ab", 0, []string{"a", "b"}},
		{"a\xffb", 4, []string{"a", "\xff", "b"}},
	} {
		assert.Equal(t, tt.want, wrapped(tt.text, tt.width), "%q", tt.text)
	}
	lines := c.Wrap([]paint.Piece{{Text: "one "}, {Text: "two three", Highlighted: true}}, paint.Mono, 8*c.CellWidth())
	assert.Equal(t, [][]paint.Piece{{{Text: "one "}, {Text: "two", Highlighted: true}}, {{Text: "three", Highlighted: true}}}, lines)
}
