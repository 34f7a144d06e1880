//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"image"
	"image/color"
	"math/bits"
	"sync"

	"github.com/jezek/xgb/xproto"
	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
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

var parsed = sync.OnceValue(func() *opentype.Font {
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil
	}
	return f
})

// picture is the small window next to the pointer. Where a display cannot show it, the drag goes without.
type picture struct {
	con    *connection
	window xproto.Window
	format pixels
	face   font.Face
	icon   image.Image
	scale  float32
	label  string
	hint   string
	tone   tone
	size   image.Point
	closed bool
}

// pixels is how a display holds a pixel: 32 bits, of which each colour has some.
type pixels struct {
	red, green, blue uint32
	bigEndian        bool
}

func newPicture(con *connection, o Options, label string) *picture {
	p := &picture{con: con, icon: o.Icon, scale: o.Scale, closed: true}
	f := parsed()
	if f == nil || !p.findFormat() {
		return p
	}
	var err error
	p.face, err = opentype.NewFace(f, &opentype.FaceOptions{Size: float64(pictureText * o.Scale), DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		return p
	}
	p.label = p.fit(label)
	if p.window, err = xproto.NewWindowId(con.x); err != nil {
		return p
	}
	// Off the screen until the first move.
	err = xproto.CreateWindowChecked(con.x, con.screen.RootDepth, p.window, con.root, -2000, -2000, 1, 1, 0,
		xproto.WindowClassInputOutput, con.screen.RootVisual, xproto.CwBackPixel|xproto.CwOverrideRedirect|xproto.CwSaveUnder,
		[]uint32{con.screen.BlackPixel, 1, 1}).Check()
	if err != nil {
		return p
	}
	p.closed = false
	con.seeThrough(p.window)
	con.setWords(p.window, con.atom.WindowType, xproto.AtomAtom, uint32(con.atom.WindowDND))
	p.paint()
	xproto.MapWindow(con.x, p.window)
	return p
}

func (p *picture) findFormat() bool {
	setup := xproto.Setup(p.con.x)
	for _, f := range setup.PixmapFormats {
		if f.Depth == p.con.screen.RootDepth && f.BitsPerPixel != 32 {
			return false
		}
	}
	for _, d := range p.con.screen.AllowedDepths {
		for _, v := range d.Visuals {
			if v.VisualId == p.con.screen.RootVisual && v.Class == xproto.VisualClassTrueColor {
				p.format = pixels{v.RedMask, v.GreenMask, v.BlueMask, setup.ImageByteOrder == xproto.ImageOrderMSBFirst}
				return true
			}
		}
	}
	return false
}

// fit shortens a name to the picture's width. The font knows few scripts; a name in another is not shown.
func (p *picture) fit(label string) string {
	for _, r := range label {
		if i, err := parsed().GlyphIndex(nil, r); err != nil || i == 0 {
			return "1 file"
		}
	}
	limit := fixed.I(int(pictureWidth * p.scale))
	if font.MeasureString(p.face, label) <= limit {
		return label
	}
	r := []rune(label)
	head, tail := len(r)*2/3, len(r)/3
	for head+tail > 2 && font.MeasureString(p.face, string(r[:head])+"…"+string(r[len(r)-tail:])) > limit {
		if head > tail {
			head--
		} else {
			tail--
		}
	}
	return string(r[:head]) + "…" + string(r[len(r)-tail:])
}

// move puts the picture next to the pointer.
func (p *picture) move(x, y int16) {
	if p.closed {
		return
	}
	xproto.ConfigureWindow(p.con.x, p.window, xproto.ConfigWindowX|xproto.ConfigWindowY|xproto.ConfigWindowStackMode,
		[]uint32{uint32(int32(x) + int32(p.px(awayX))), uint32(int32(y) + int32(p.px(awayY))), xproto.StackModeAbove})
}

// say changes what is written below the name.
func (p *picture) say(hint string, t tone) {
	if p.closed || p.hint == hint && p.tone == t {
		return
	}
	p.hint, p.tone = hint, t
	p.paint()
}

func (p *picture) close() {
	if !p.closed {
		p.closed = true
		xproto.DestroyWindow(p.con.x, p.window)
	}
}

func (p *picture) px(v float32) int { return int(v*p.scale + 0.5) }

// draw makes the picture as an image.
func (p *picture) draw() *image.RGBA {
	m := p.face.Metrics()
	line := m.Height.Ceil()
	space, icon := p.px(pictureSpace), p.px(pictureIcon)
	text := max(font.MeasureString(p.face, p.label), font.MeasureString(p.face, p.hint)).Ceil()
	img := image.NewRGBA(image.Rect(0, 0, 3*space+icon+text, 2*space+max(icon, 2*line)))
	fill := func(r image.Rectangle, c color.RGBA) { draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src) }
	edge := max(p.px(1), 1)
	fill(img.Bounds(), toneColors[p.tone])
	fill(img.Bounds().Inset(edge), paperColor)
	fill(image.Rect(0, 0, p.px(3), img.Rect.Dy()), toneColors[p.tone])

	at := image.Rect(0, 0, icon, icon).Add(image.Pt(space+p.px(1), (img.Rect.Dy()-icon)/2))
	if p.icon != nil {
		draw.ApproxBiLinear.Scale(img, at, p.icon, p.icon.Bounds(), draw.Over, nil)
	} else {
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
	}
	write := func(s string, row int, c color.RGBA) {
		d := font.Drawer{Dst: img, Src: image.NewUniform(c), Face: p.face}
		top := (img.Rect.Dy() - 2*line) / 2
		if p.hint == "" {
			top += line / 2
		}
		d.Dot = fixed.P(2*space+icon, top+row*line+m.Ascent.Ceil())
		d.DrawString(s)
	}
	write(p.label, 0, inkColor)
	write(p.hint, 1, toneColors[p.tone])
	return img
}

// paint shows the image as the window's background, which the server then keeps by itself.
func (p *picture) paint() {
	img := p.draw()
	size := img.Rect.Size()
	x := p.con.x
	pixmap, err := xproto.NewPixmapId(x)
	if err != nil {
		return
	}
	gc, err := xproto.NewGcontextId(x)
	if err != nil {
		return
	}
	xproto.CreatePixmap(x, p.con.screen.RootDepth, pixmap, xproto.Drawable(p.window), uint16(size.X), uint16(size.Y))
	xproto.CreateGC(x, gc, xproto.Drawable(pixmap), 0, nil)
	rows := max(p.con.part/(4*size.X), 1)
	for y := 0; y < size.Y; y += rows {
		n := min(rows, size.Y-y)
		xproto.PutImage(x, xproto.ImageFormatZPixmap, xproto.Drawable(pixmap), gc, uint16(size.X), uint16(n), 0, int16(y), 0,
			p.con.screen.RootDepth, p.format.pack(img, y, y+n))
	}
	xproto.ChangeWindowAttributes(x, p.window, xproto.CwBackPixmap, []uint32{uint32(pixmap)})
	xproto.FreeGC(x, gc)
	xproto.FreePixmap(x, pixmap)
	if size != p.size {
		p.size = size
		xproto.ConfigureWindow(x, p.window, xproto.ConfigWindowWidth|xproto.ConfigWindowHeight, []uint32{uint32(size.X), uint32(size.Y)})
	}
	xproto.ClearArea(x, false, p.window, 0, 0, 0, 0)
}

// pack is rows of the image as the display wants them.
func (f pixels) pack(img *image.RGBA, from, to int) []byte {
	part := func(v uint8, mask uint32) uint32 {
		return uint32(uint64(v) * uint64(mask>>bits.TrailingZeros32(mask)) / 255 << bits.TrailingZeros32(mask))
	}
	w := img.Rect.Dx()
	out := make([]byte, 0, 4*w*(to-from))
	for y := from; y < to; y++ {
		row := img.Pix[y*img.Stride:]
		for i := 0; i < 4*w; i += 4 {
			v := part(row[i], f.red) | part(row[i+1], f.green) | part(row[i+2], f.blue)
			if f.bigEndian {
				out = append(out, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
			} else {
				out = append(out, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
			}
		}
	}
	return out
}
