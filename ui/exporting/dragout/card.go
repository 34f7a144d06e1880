//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"

	fontlabel "assay/model/font"
)

// tone is the color of the hint in the picture at the pointer.
type tone uint8

const (
	toneNone tone = iota
	toneWait
	toneYes
	toneNo
)

// Measures of the picture, in device-independent pixels.
const (
	// The distance of the picture right of the tip of the pointer and below it, so that it never covers the target.
	pointerGapX, pointerGapY = 14, 18
	textSize                 = 12
	pictureIcon              = 24
	pictureSpace             = 6
	textWidth                = 220 // maximum width of the text
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

// card is the content of the picture at the pointer: a name or a number of files, and the effect of a drop.
type card struct {
	face   fontlabel.Label
	scale  float32 // pixels per device-independent pixel
	label  string
	folder bool // a folder is dragged
	hint   string
	tone   tone
}

// newCard returns a card for items, or nil if there is no font. A name with characters missing from the font is
// replaced by "1 file" or "1 folder".
func newCard(scale float32, items []Item) *card {
	face, err := fontlabel.NewLabel(float64(textSize * scale))
	if err != nil {
		return nil
	}
	name, folder := labelOf(items)
	c := &card{face: face, scale: scale, label: "1 file", folder: folder}
	if folder {
		c.label = "1 folder"
	}
	if face.Has(name) {
		c.label = face.Fit(name, int(textWidth*scale))
	}
	return c
}

// setHint sets the hint below the name, and reports whether it changed.
func (c *card) setHint(hint string, t tone) bool {
	if c.hint == hint && c.tone == t {
		return false
	}
	c.hint, c.tone = hint, t
	return true
}

func (c *card) px(v float32) int { return int(v*c.scale + 0.5) }

// place returns the position of the picture on a screen: right of the pointer and below it, or on the other side where
// the screen ends. All values are in pixels.
func (c *card) place(pointer, size, screen image.Point) image.Point {
	pos := pointer.Add(image.Pt(c.px(pointerGapX), c.px(pointerGapY)))
	if pos.X+size.X > screen.X {
		pos.X = max(0, pointer.X-c.px(pointerGapX)-size.X)
	}
	if pos.Y+size.Y > screen.Y {
		pos.Y = max(0, pointer.Y-c.px(pointerGapX)-size.Y) // above the tip, no pointer is in the way
	}
	return pos
}

// draw returns the picture as an image.
func (c *card) draw() *image.RGBA {
	m := c.face.Metrics()
	line := m.Height.Ceil()
	space, icon := c.px(pictureSpace), c.px(pictureIcon)
	text := max(font.MeasureString(c.face, c.label), font.MeasureString(c.face, c.hint)).Ceil()
	img := image.NewRGBA(image.Rect(0, 0, 3*space+icon+text, 2*space+max(icon, 2*line)))
	fill := func(r image.Rectangle, col color.RGBA) {
		draw.Draw(img, r, image.NewUniform(col), image.Point{}, draw.Src)
	}
	edge := max(c.px(1), 1)
	fill(img.Bounds(), toneColors[c.tone])
	fill(img.Bounds().Inset(edge), paperColor)
	fill(image.Rect(0, 0, c.px(3), img.Rect.Dy()), toneColors[c.tone])

	square := image.Rect(0, 0, icon, icon).Add(image.Pt(space+c.px(1), (img.Rect.Dy()-icon)/2))
	if sheet := square.Inset(icon / 8); c.folder {
		paintFolder(sheet, fill)
	} else {
		paintSheet(sheet, edge, fill)
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

// paintFolder paints the icon of a folder: a tab above its left half.
func paintFolder(box image.Rectangle, fill func(image.Rectangle, color.RGBA)) {
	tab := box.Dy() / 5
	fill(image.Rect(box.Min.X, box.Min.Y+tab/2, box.Min.X+box.Dx()*2/5, box.Min.Y+2*tab), sheetColor)
	fill(image.Rect(box.Min.X, box.Min.Y+tab/2+tab, box.Max.X, box.Max.Y-tab/2), sheetColor)
}

// paintSheet paints the icon of a file: a sheet with a folded corner and three lines as thick as its edge.
func paintSheet(box image.Rectangle, edge int, fill func(image.Rectangle, color.RGBA)) {
	box.Min.X += box.Dx() / 9
	box.Max.X -= box.Dx() / 8
	fill(box, sheetColor)
	fold := box.Dy() * 4 / 15
	fill(image.Rect(box.Max.X-fold, box.Min.Y, box.Max.X, box.Min.Y+fold), paperColor)
	for i := range 3 {
		y := box.Min.Y + fold + edge + i*(box.Dy()-fold)/4 + edge
		fill(image.Rect(box.Min.X+2*edge, y, box.Max.X-2*edge, y+edge), paperColor)
	}
}

// labelOf returns the name of the dragged file or folder, or the number of files.
func labelOf(items []Item) (label string, folder bool) {
	top, _, inFolder := strings.Cut(items[0].Name, "/")
	if !slices.ContainsFunc(items[1:], func(item Item) bool { return !strings.HasPrefix(item.Name, top+"/") }) {
		return top, inFolder
	}
	return fmt.Sprintf("%d files", len(items)), false
}
