package uitest_test

import (
	"image"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/ui/paint"
	"assay/ui/uitest"
)

// card is a widget that paints itself.
type card struct{ paint.Surface }

func newCard(t *testing.T, draw func(c *paint.Canvas)) (*paint.Style, *card) {
	test.NewTempApp(t)
	style, c := paint.NewStyle(), new(card)
	c.InitSurface(c, style, draw)
	w := test.NewTempWindow(t, c)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(320, 60))
	return style, c
}

func TestLinesHaveTheVisibleText(t *testing.T) {
	style, c := newCard(t, func(c *paint.Canvas) {
		row := image.Rect(0, 0, 320, 20)
		second := row.Add(image.Pt(0, 20))
		text := c.Colors.Foreground
		c.Label(second, "behind the end", paint.Mono, text, paint.AlignRight)
		c.Triangle(image.Rect(0, 24, 11, 35), paint.PointDown, text)
		c.Label(image.Rect(16, 20, 100, 40), "one\ttwo", paint.Regular, text, paint.AlignLeft)
		c.Label(image.Rect(0, 0, 90, 20), "a text that is far too long", paint.Regular, text, paint.AlignLeft)
		c.LabelMiddle(image.Rect(160, 0, 260, 20), "both ends of a name stay", paint.Mono, text)
		c.Clipped(image.Rect(0, 0, 10, 10), func() { c.Label(second, "hidden", paint.Regular, text, paint.AlignLeft) })
		x := 160
		for _, r := range "ff" {
			x = c.Rune(x, 55, r, paint.Mono, text)
		}
		c.Rune(x+8, 55, '0', paint.Mono, text)
	})
	assert.Equal(t, []string{
		"a text that is …    both …e stay",
		`▾ one\ttwo                behind the end`,
		"                    ff 0",
	}, uitest.Lines(t, style, c))
}

func TestBackgroundIsTheLastFill(t *testing.T) {
	red, blue := paint.Color{R: 0xff, A: 0xff}, paint.Color{B: 0xff, A: 0xff}
	style, c := newCard(t, func(c *paint.Canvas) {
		row := image.Rect(0, 0, 100, 20)
		c.Fill(row, red)
		c.Label(row, "on red", paint.Regular, blue, paint.AlignLeft)
		c.Fill(row, blue)
		c.Label(row, "on blue", paint.Regular, red, paint.AlignLeft)
	})
	r := uitest.Frame(t, style, c)
	assert.Equal(t, red, r.Background(0))
	assert.Equal(t, blue, r.Background(1))
	assert.Equal(t, blue, r.Inks[0].Color)
}
