package rows

import (
	"image"
	"strings"

	"assay/ui/paint"
)

// Tile is one item of a grid.
type Tile struct {
	Name    string
	Note    string // dim text below the name
	Where   string // dim text below the note, or after the name in a grid of names
	Picture image.Image
	Word    string // displayed on the icon if there is no picture
	Tone    paint.Tone
	Icon    Icon
	Frame   paint.Color // color of the frame of the picture and the note; zero: no frame
}

func (t *tileRows) paint(c *paint.Canvas, i int64, box image.Rectangle, focused bool) {
	tile := t.data.Tile(i)
	inner := box.Inset(c.Px(1))
	if colors := c.Colors; t.selection.Has(i) {
		c.Colors = colors.ForSelected()
		defer func() { c.Colors = colors }()
	}
	switch {
	case t.selection.Has(i) && focused:
		c.Round(inner, c.Px(4), c.Colors.Selection)
	case t.selection.Has(i):
		c.Round(inner, c.Px(4), c.Colors.Inactive)
	}
	if t.side == 0 {
		t.paintName(c, tile, box)
		return
	}
	line := t.style.RowHeight(c.Scale)
	text := box.Inset(c.Px(4))
	text.Min.Y = box.Max.Y - (*Grid)(t).textLines()*line
	text.Max.Y = text.Min.Y + line
	padding := c.Px(picturePadding)
	picture := image.Rect(box.Min.X+padding, box.Min.Y+padding, box.Max.X-padding, text.Min.Y-c.Px(2))
	t.paintPicture(c, tile, picture)
	note := c.Colors.Dim
	if tile.Frame.A > 0 {
		note = tile.Frame
		c.Frame(picture, c.Px(2), tile.Frame)
	}
	first, second := twoLines(c, tile.Name, text.Dx())
	for _, part := range []struct {
		text string
		col  paint.Color
	}{{first, c.Colors.ForTone(tile.Tone)}, {second, c.Colors.ForTone(tile.Tone)}, {tile.Note, note},
		{tile.Where, c.Colors.Dim}} {
		if part.text != "" {
			paintCentered(c, text, part.text, part.col)
			text = text.Add(image.Pt(0, line))
		}
	}
}

// paintName paints a tile of a grid of names: a small icon, the name, and the folder.
func (t *tileRows) paintName(c *paint.Canvas, tile Tile, box image.Rectangle) {
	line := t.style.RowHeight(c.Scale)
	text := image.Rect(box.Min.X+c.Px(4), box.Min.Y, box.Max.X-c.Px(4), box.Max.Y)
	lead := text
	lead.Max.X = lead.Min.X + line
	if lead = lead.Inset(c.Px(2)); tile.Picture != nil {
		c.Picture(paint.Centered(lead, tile.Picture.Bounds().Size()).Min, tile.Picture)
	} else {
		PaintIcon(c, lead, tile.Icon)
	}
	text.Min.X = lead.Max.X + c.Px(4)
	text.Min.X += c.LabelMiddle(text, tile.Name, paint.Regular, c.Colors.ForTone(tile.Tone)) + c.Px(hintGap)
	if text.Dx() > 2*line {
		c.LabelMiddle(text, tile.Where, paint.Regular, c.Colors.Dim)
	}
}

// twoLines splits a name that does not fit into one line, after a separator unless the first part becomes too short.
func twoLines(c *paint.Canvas, name string, width int) (first, second string) {
	lines := c.Wrap(paint.PlainPieces(name), paint.Regular, width)
	if len(lines) < 2 {
		return name, ""
	}
	first = paint.JoinPieces(lines[0])
	if end := strings.LastIndexAny(first, "_- .") + 1; end > len(first)/3 {
		first = first[:end]
	}
	return first, strings.TrimSpace(strings.TrimPrefix(name, first))
}

// paintCentered paints a text centered, or truncated in the middle if it is too long.
func paintCentered(c *paint.Canvas, r image.Rectangle, s string, col paint.Color) {
	if c.MeasureUpTo(s, paint.Regular, r.Dx()) > r.Dx() {
		c.LabelMiddle(r, s, paint.Regular, col)
		return
	}
	c.Label(r, s, paint.Regular, col, paint.AlignCenter)
}

func (t *tileRows) paintPicture(c *paint.Canvas, tile Tile, box image.Rectangle) {
	if tile.Picture != nil {
		c.Picture(paint.Centered(box, tile.Picture.Bounds().Size()).Min, tile.Picture)
		return
	}
	side := min(box.Dx(), box.Dy()) / 2
	icon := paint.Centered(box, image.Pt(side, side))
	PaintIcon(c, icon, tile.Icon)
	// A word that is wider than the sheet would be illegible.
	if tile.Word != "" && tile.Icon == File && c.Measure(tile.Word, paint.Bold) < icon.Dx()*2/3 {
		c.Label(icon, tile.Word, paint.Bold, c.Colors.Background, paint.AlignCenter)
	}
}

// Icon is the icon of an item without a picture.
type Icon uint8

// The icons.
const (
	File Icon = iota
	Folder
	Image
	Sound
	Text
	Scene
	Font
)

// iconShapes are the symbols on the sheet of an icon: polygons in the unit square.
var iconShapes = map[Icon]struct {
	name string
	tone paint.Tone
	draw [][]float32
}{
	Image: {"grid.image", paint.Word, [][]float32{{.22, .8, .42, .46, .54, .62, .64, .5, .78, .8},
		{.3, .34, .38, .26, .46, .34, .38, .42}}},
	Sound: {"grid.sound", paint.Name, [][]float32{{.28, .5, .36, .5, .36, .8, .28, .8},
		{.46, .38, .54, .38, .54, .8, .46, .8}, {.64, .56, .72, .56, .72, .8, .64, .8}}},
	Text: {"grid.text", paint.Number, [][]float32{{.26, .38, .6, .38, .6, .46, .26, .46},
		{.26, .54, .74, .54, .74, .62, .26, .62}, {.26, .7, .66, .7, .66, .78, .26, .78}}},
	Scene: {"grid.scene", paint.Bytes, [][]float32{{.5, .34, .76, .46, .5, .58, .24, .46},
		{.24, .52, .47, .63, .47, .86, .24, .75}, {.76, .52, .53, .63, .53, .86, .76, .75}}},
	Font: {"grid.font", paint.Link, [][]float32{{.46, .32, .56, .32, .76, .82, .66, .82, .51, .46, .36, .82, .26, .82}}},
}

// PaintIcon paints an icon as large as a square: a folder, or a sheet with the symbol of the file type.
func PaintIcon(c *paint.Canvas, r image.Rectangle, icon Icon) {
	if icon == Folder {
		c.Shape(r, "grid.folder", c.Colors.Warning, func(p paint.Pen) {
			p.Polygon(.04, .2, .4, .2, .48, .3, .96, .3, .96, .86, .04, .86)
		})
		return
	}
	sign, ok := iconShapes[icon]
	paper := c.Colors.Faint
	if ok {
		paper = paint.Mix(c.Colors.Faint, c.Colors.Background, 0.45)
	}
	c.Shape(r, "grid.file", paper, func(p paint.Pen) {
		p.Polygon(.16, .04, .62, .04, .84, .27, .84, .96, .16, .96)
	})
	if ok {
		c.Shape(r, sign.name, c.Colors.Legible(c.Colors.ForTone(sign.tone), paper), func(p paint.Pen) {
			for _, polygon := range sign.draw {
				p.Polygon(polygon...)
			}
		})
	}
}
