//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"image"
	"math/bits"

	"github.com/jezek/xgb/xproto"
)

// picture is the small window next to the pointer. Where a display cannot show it, the drag goes without.
type picture struct {
	*card
	con    *connection
	window xproto.Window
	format pixels
	size   image.Point
	closed bool
}

// pixels is how a display holds a pixel: 32 bits, of which each colour has some.
type pixels struct {
	red, green, blue uint32
	bigEndian        bool
}

func newPicture(con *connection, o Options, label string) *picture {
	p := &picture{card: newCard(o.Scale, label), con: con, closed: true}
	if p.card == nil || !p.findFormat() {
		return p
	}
	var err error
	if p.window, err = xproto.NewWindowId(con.x); err != nil {
		return p
	}
	// Off the screen until the first move.
	err = xproto.CreateWindowChecked(con.x, con.screen.RootDepth, p.window, con.root, -2000, -2000, 1, 1, 0,
		xproto.WindowClassInputOutput, con.screen.RootVisual,
		xproto.CwBackPixel|xproto.CwOverrideRedirect|xproto.CwSaveUnder,
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
	if !p.closed && p.card.say(hint, t) {
		p.paint()
	}
}

func (p *picture) close() {
	if !p.closed {
		p.closed = true
		xproto.DestroyWindow(p.con.x, p.window)
	}
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
		xproto.PutImage(x, xproto.ImageFormatZPixmap, xproto.Drawable(pixmap), gc, uint16(size.X), uint16(n), 0,
			int16(y), 0,
			p.con.screen.RootDepth, p.format.pack(img, y, y+n))
	}
	xproto.ChangeWindowAttributes(x, p.window, xproto.CwBackPixmap, []uint32{uint32(pixmap)})
	xproto.FreeGC(x, gc)
	xproto.FreePixmap(x, pixmap)
	if size != p.size {
		p.size = size
		xproto.ConfigureWindow(x, p.window, xproto.ConfigWindowWidth|xproto.ConfigWindowHeight,
			[]uint32{uint32(size.X), uint32(size.Y)})
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
