//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"encoding/binary"
	"image"
	"math/bits"

	"github.com/jezek/xgb/xproto"
)

// picture is the small window next to the pointer. A drag continues without it if the display does not support it.
type picture struct {
	*card
	con     *connection
	window  xproto.Window
	format  pixels
	size    image.Point
	pointer image.Point // latest position of the pointer; zero before the first move
	closed  bool
}

// pixels is the pixel format of a display: 32 bits, with a mask for each color.
type pixels struct {
	red, green, blue uint32
	order            binary.AppendByteOrder
}

func newPicture(con *connection, o Options, items []Item) *picture {
	p := &picture{card: newCard(o.Scale, items), con: con, closed: true}
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
	con.ignorePointer(p.window)
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
				p.format = pixels{v.RedMask, v.GreenMask, v.BlueMask, binary.LittleEndian}
				if setup.ImageByteOrder == xproto.ImageOrderMSBFirst {
					p.format.order = binary.BigEndian
				}
				return true
			}
		}
	}
	return false
}

// move moves the picture next to the pointer.
func (p *picture) move(x, y int16) {
	if p.closed {
		return
	}
	p.pointer = image.Pt(int(x), int(y))
	screen := image.Pt(int(p.con.screen.WidthInPixels), int(p.con.screen.HeightInPixels))
	pos := p.place(p.pointer, p.size, screen)
	xproto.ConfigureWindow(p.con.x, p.window, xproto.ConfigWindowX|xproto.ConfigWindowY|xproto.ConfigWindowStackMode,
		[]uint32{uint32(int32(pos.X)), uint32(int32(pos.Y)), xproto.StackModeAbove})
}

// setHint sets the hint below the name.
func (p *picture) setHint(hint string, t tone) {
	if !p.closed && p.card.setHint(hint, t) {
		p.paint()
	}
}

func (p *picture) close() {
	if !p.closed {
		p.closed = true
		xproto.DestroyWindow(p.con.x, p.window)
	}
}

// paint sets the image as the window's background, which the server repaints by itself.
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
	rows := max(p.con.maxPart/(4*size.X), 1)
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
		if p.pointer != (image.Point{}) {
			p.move(int16(p.pointer.X), int16(p.pointer.Y))
		}
	}
	xproto.ClearArea(x, false, p.window, 0, 0, 0, 0)
}

// pack returns rows of the image in the pixel format of the display.
func (f pixels) pack(img *image.RGBA, from, to int) []byte {
	part := func(v uint8, mask uint32) uint32 {
		return uint32(uint64(v) * uint64(mask>>bits.TrailingZeros32(mask)) / 255 << bits.TrailingZeros32(mask))
	}
	w := img.Rect.Dx()
	out := make([]byte, 0, 4*w*(to-from))
	for y := from; y < to; y++ {
		row := img.Pix[y*img.Stride:]
		for i := 0; i < 4*w; i += 4 {
			out = f.order.AppendUint32(out, part(row[i], f.red)|part(row[i+1], f.green)|part(row[i+2], f.blue))
		}
	}
	return out
}

// paint displays the effect of a drop at the pointer.
func (s *session) paint(d *drag) {
	switch {
	case d.overOwnWindow && d.ownWindowAccepts:
		d.picture.setHint("Drop to add to the export list", toneYes)
	case d.overOwnWindow:
		d.picture.setHint("Drop on the export list or in another app", toneWait)
	case d.announcedTypes != nil && d.accepts:
		d.picture.setHint("Drop to copy", toneYes)
	case d.isWriting():
		d.picture.setHint(d.progressText(), toneWait)
	case d.ownedSince == 0:
		d.picture.setHint("", toneNone)
	case d.answerPending && d.positionSentAt.Equal(d.announcedAt):
		// the target has not answered yet
	case d.announcedTypes == nil:
		d.picture.setHint("Drop in a folder or another app", toneWait)
	default:
		d.picture.setHint("This app does not take the files", toneNo)
	}
}
