//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"image"
	"image/color"
	"image/draw"

	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"

	label "assay/model/font"
)

// tone is what the picture says about a drop, as a colour.
type tone uint8

const (
	toneNone tone = iota
	toneWait
	toneYes
	toneNo
)

// The picture's measures, in device-independent pixels.
const (
	awayX, awayY = 14, 18 // from the pointer, which it never covers
	pictureText  = 12
	pictureIcon  = 24
	pictureSpace = 6
	pictureWidth = 220 // of the text, at most
)

var (
	paperColor = color.RGBA{0x2b, 0x2d, 0x31, 0xff}
	inkColor   = color.RGBA{0xf2, 0xf2, 0xf2, 0xff}
	sheetColor = color.RGBA{0xc8, 0xcc, 0xd4, 0xff}
	toneColors = [...]color.RGBA{
		toneNone: {0x6b, 0x70, 0x7a, 0xff},
		toneWait: {0xd9, 0xa4, 0x3a, 0xff},
		toneYes:  {0x4c, 0xb0, 0x5f, 0xff},
		toneNo:   {0xd8, 0x55, 0x4e, 0xff},
	}
)

// card is what the picture next to the pointer shows: a name or a number of files, and what a drop would do.
type card struct {
	face  label.Label
	scale float32 // pixels per device-independent pixel
	label string
	hint  string
	tone  tone
}

// newCard returns nil if there is no font to write with. The font knows few scripts; a name in another is not shown.
func newCard(scale float32, name string) *card {
	face, err := label.NewLabel(float64(pictureText * scale))
	if err != nil {
		return nil
	}
	c := &card{face: face, scale: scale, label: "1 file"}
	if face.Has(name) {
		c.label = face.Fit(name, int(pictureWidth*scale))
	}
	return c
}

// say changes what is written below the name, and reports whether it has changed.
func (c *card) say(hint string, t tone) bool {
	if c.hint == hint && c.tone == t {
		return false
	}
	c.hint, c.tone = hint, t
	return true
}

func (c *card) px(v float32) int { return int(v*c.scale + 0.5) }

// draw makes the picture as an image.
func (c *card) draw() *image.RGBA {
	m := c.face.Metrics()
	line := m.Height.Ceil()
	space, icon := c.px(pictureSpace), c.px(pictureIcon)
	text := max(font.MeasureString(c.face, c.label), font.MeasureString(c.face, c.hint)).Ceil()
	img := image.NewRGBA(image.Rect(0, 0, 3*space+icon+text, 2*space+max(icon, 2*line)))
	fill := func(r image.Rectangle, c color.RGBA) { draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src) }
	edge := max(c.px(1), 1)
	fill(img.Bounds(), toneColors[c.tone])
	fill(img.Bounds().Inset(edge), paperColor)
	fill(image.Rect(0, 0, c.px(3), img.Rect.Dy()), toneColors[c.tone])

	at := image.Rect(0, 0, icon, icon).Add(image.Pt(space+c.px(1), (img.Rect.Dy()-icon)/2))
	sheet := at.Inset(icon / 8)
	sheet.Min.X += icon / 12
	sheet.Max.X -= icon / 12
	fill(sheet, sheetColor)
	fold := icon / 5
	fill(image.Rect(sheet.Max.X-fold, sheet.Min.Y, sheet.Max.X, sheet.Min.Y+fold), paperColor)
	for i := range 3 {
		y := sheet.Min.Y + fold + edge + i*(sheet.Dy()-fold)/4 + edge
		fill(image.Rect(sheet.Min.X+2*edge, y, sheet.Max.X-2*edge, y+edge), paperColor)
	}
	write := func(s string, row int, ink color.RGBA) {
		d := font.Drawer{Dst: img, Src: image.NewUniform(ink), Face: c.face}
		top := (img.Rect.Dy() - 2*line) / 2
		if c.hint == "" {
			top += line / 2
		}
		d.Dot = fixed.P(2*space+icon, top+row*line+m.Ascent.Ceil())
		d.DrawString(s)
	}
	write(c.label, 0, inkColor)
	write(c.hint, 1, toneColors[c.tone])
	return img
}
