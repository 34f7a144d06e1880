package picture

import (
	"image"
	"math"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/ui/paint"
)

// overlay is a second picture on top of the first: right of a line, or blended.
type overlay struct {
	board    *board
	pyramid  *pyramid
	swipe    bool    // swipe between the pictures; else blend them
	share    float64 // the position of the line, or the opacity of the second picture
	dragging bool    // the line is being dragged
	onShare  func(share float64)
}

// dividerReach is the maximum distance of the pointer from the line to drag it, in device-independent pixels.
const dividerReach = 8

// isAtDivider reports whether a column is at the line.
func (o *overlay) isAtDivider(x, width int) bool {
	return o != nil && o.swipe && math.Abs(float64(x)-o.share*float64(width)) <= dividerReach*float64(o.board.Scale())
}

// dragged moves the line, if the drag began there.
func (o *overlay) dragged(e *fyne.DragEvent) bool {
	if o == nil || !o.swipe || o.board.size.X == 0 {
		return false
	}
	scale := o.board.Scale()
	if !o.dragging && !o.isAtDivider(int((e.Position.X-e.Dragged.DX)*scale), o.board.size.X) {
		return false
	}
	o.dragging = true
	o.set(float64(e.Position.X*scale) / float64(o.board.size.X))
	if o.onShare != nil {
		o.onShare(o.share)
	}
	return true
}

func (o *overlay) endDrag() {
	if o != nil {
		o.dragging = false
	}
}

func (o *overlay) set(share float64) {
	o.share = min(max(share, 0), 1)
	o.board.Refresh()
}

// paintDivider paints the line between both pictures.
func (o *overlay) paintDivider(c *paint.Canvas) {
	if o == nil || !o.swipe {
		return
	}
	x := int(o.share * float64(c.Img.Rect.Dx()))
	c.Fill(image.Rect(x-c.Px(1), 0, x+c.Px(1), c.Img.Rect.Dy()), c.Colors.Primary)
}

// paintLayers paints the picture, and the second one with it.
func (b *board) paintLayers(c *paint.Canvas) {
	width := b.size.X
	switch o := b.second; {
	case o == nil:
		b.paintLayer(c, b.pyramid, 0, width, 256)
	case o.swipe:
		dividerX := int(o.share * float64(width))
		b.paintLayer(c, b.pyramid, 0, dividerX, 256)
		b.paintLayer(c, o.pyramid, dividerX, width, 256)
	default:
		b.paintLayer(c, b.pyramid, 0, width, 256)
		b.paintLayer(c, o.pyramid, 0, width, uint32(256*o.share+.5))
	}
}

// paintLayer paints a picture between two columns of the screen. opacity is of 256.
func (b *board) paintLayer(c *paint.Canvas, p *pyramid, first, last int, opacity uint32) {
	s := b.scale()
	level := 0
	for level+1 < len(p.levels) && s*math.Exp2(float64(level)) <= .7 {
		level++
	}
	img := p.levels[level]
	size := img.Bounds().Size()
	x0, y0 := b.pixelAt(image.Point{})
	w, h := float64(p.source.Bounds().Dx()), float64(p.source.Bounds().Dy())
	ratio := [2]float64{float64(size.X) / w, float64(size.Y) / h}
	columns, left, right := columnsOf(size.X, first, last,
		func(i int) float64 { return (x0 + float64(i)/s) * ratio[0] })
	if left == right {
		return
	}
	square := max(4, c.Px(8))
	grays := checkers(c.Colors.Dark)
	model.Bands(b.size.Y, func(from, to int) {
		buf := make([]byte, 4*(right-left))
		var row []byte
		read := -1 // the row in the buffer
		for j := from; j < to; j++ {
			y := y0 + float64(j)/s
			if y < 0 || y >= h {
				continue
			}
			if sourceY := min(int(y*ratio[1]), size.Y-1); sourceY != read {
				row, read = img.row(sourceY, left, right, buf), sourceY
			}
			pix := c.Img.Pix[j*c.Img.Stride:]
			for i := first; i < last; i++ {
				if columns[i] < 0 {
					continue
				}
				offset := 4 * (columns[i] - left)
				src, dst := row[offset:offset+4:offset+4], pix[4*i:4*i+4:4*i+4]
				rgb := b.displayColor(src, grays[(i/square+j/square)%2])
				if opacity < 256 {
					for k := range rgb {
						rgb[k] = uint8((uint32(rgb[k])*opacity + uint32(dst[k])*(256-opacity)) >> 8)
					}
				}
				dst[0], dst[1], dst[2], dst[3] = rgb[0], rgb[1], rgb[2], 0xff
			}
		}
	})
}

// columnsOf returns the column of a picture at each column of the screen, or -1; and the first of them and that after
// the last. positionOf converts a column of the screen to a position in the picture.
func columnsOf(width, first, last int, positionOf func(i int) float64) (columns []int, left, right int) {
	columns = make([]int, last)
	left = width
	for i := first; i < last; i++ {
		columns[i] = -1
		if x := positionOf(i); x >= 0 && x < float64(width) {
			columns[i] = int(x)
			left, right = min(left, columns[i]), columns[i]+1
		}
	}
	return columns, min(left, right), right
}

// checkers returns the grays of the checkerboard behind a picture.
func checkers(dark bool) [2]uint8 {
	if dark {
		return [2]uint8{0x58, 0x40}
	}
	return [2]uint8{0xb8, 0x90}
}

// displayColor returns the displayed color of a pixel over a gray.
func (b *board) displayColor(p []uint8, background uint8) [3]uint8 {
	switch b.channel {
	case all:
		a := uint32(p[3])
		if a == 0xff {
			break
		}
		background := uint32(background)*(255-a) + 127
		return [3]uint8{uint8((uint32(p[0])*a + background) / 255), uint8((uint32(p[1])*a + background) / 255),
			uint8((uint32(p[2])*a + background) / 255)}
	case colors:
	default:
		v := p[b.channel-red]
		return [3]uint8{v, v, v}
	}
	return [3]uint8{p[0], p[1], p[2]}
}
