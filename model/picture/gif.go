package picture

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"io"
	"time"

	"assay/model"
)

// framesMost is how many frames of an animation are shown.
const framesMost = 2000

// canvases is how many pictures of the whole size an animation has at a time: what is drawn on, what a frame goes back
// to, and the one that is shown.
const canvases = 3

// openGIF reads an animation frame by frame. One whose frames are too much for the memory is shown by its first.
func openGIF(ctx context.Context, src *model.Source) (model.Picture, error) {
	open := func() (io.ReadCloser, error) { return io.NopCloser(stream(ctx, src)), nil }
	first, channels, err := decode(open)
	if err != nil {
		return model.Picture{}, err
	}
	c, err := gif.DecodeConfig(stream(ctx, src))
	if err != nil {
		return model.Picture{}, err
	}
	if canvas := image.Rect(0, 0, c.Width, c.Height); first.Bounds() != canvas {
		all := image.NewNRGBA(canvas)
		draw.Draw(all, first.Bounds(), first, first.Bounds().Min, draw.Src)
		first = all
	}
	p := model.Picture{Image: first, Format: channels}
	n, pixels, err := gifFrames(ctx, src)
	if n < 2 || err != nil || n > framesMost || pixels > maxPixels {
		return p, nil
	}
	size := first.Bounds().Size()
	if bounded(size.X, size.Y, canvases*4) != nil {
		return p, nil
	}
	all, err := gif.DecodeAll(stream(ctx, src))
	if err != nil || len(all.Image) < 2 {
		return p, nil
	}
	a := &animation{all: all, at: -1}
	for i := range all.Image {
		delay := time.Duration(all.Delay[i]) * 10 * time.Millisecond
		if delay < 20*time.Millisecond { // as browsers do
			delay = 100 * time.Millisecond
		}
		p.Parts = append(p.Parts, model.Part{Name: fmt.Sprintf("frame %d of %d", i+1, len(all.Image)), Delay: delay,
			Load: func(context.Context) (image.Image, error) { return a.frame(i), nil }})
	}
	p.Image = a.frame(0)
	return p, nil
}

// animation draws frames, each over what the one before left. It is used by one goroutine at a time.
type animation struct {
	all    *gif.GIF
	canvas *image.NRGBA
	before *image.NRGBA // what a frame goes back to
	at     int
}

// frame returns a picture of a frame.
func (a *animation) frame(i int) image.Image {
	if a.canvas == nil || i < a.at {
		a.canvas, a.at = image.NewNRGBA(image.Rect(0, 0, a.all.Config.Width, a.all.Config.Height)), -1
	}
	for a.at < i {
		a.dispose()
		a.at++
		f := a.all.Image[a.at]
		if a.all.Disposal[a.at] == gif.DisposalPrevious {
			a.before = clone(a.canvas)
		}
		draw.Draw(a.canvas, f.Rect, f, f.Rect.Min, draw.Over)
	}
	return clone(a.canvas)
}

// dispose takes away what the present frame does not leave.
func (a *animation) dispose() {
	if a.at < 0 {
		return
	}
	switch a.all.Disposal[a.at] {
	case gif.DisposalBackground:
		draw.Draw(a.canvas, a.all.Image[a.at].Rect, image.NewUniform(color.Transparent), image.Point{}, draw.Src)
	case gif.DisposalPrevious:
		if a.before != nil {
			a.canvas = a.before
		}
	}
}

func clone(img *image.NRGBA) *image.NRGBA {
	c := image.NewNRGBA(img.Rect)
	copy(c.Pix, img.Pix)
	return c
}

// gifFrames counts the frames of a GIF and their pixels without decoding one: a small file can hold many large ones.
func gifFrames(ctx context.Context, src *model.Source) (frames, pixels int, err error) {
	r := stream(ctx, src).(io.ByteReader)
	next := func() int {
		b, e := r.ReadByte()
		if e != nil && err == nil {
			err = e
		}
		return int(b)
	}
	skip := func(n int) {
		for ; n > 0 && err == nil; n-- {
			next()
		}
	}
	blocks := func() {
		for err == nil {
			n := next()
			if n == 0 {
				return
			}
			skip(n)
		}
	}
	colors := func(flags int) {
		if flags&0x80 != 0 {
			skip(3 << (flags&7 + 1))
		}
	}
	skip(10)
	flags := next()
	skip(2)
	colors(flags)
	for err == nil && frames <= framesMost {
		switch next() {
		case 0x2c:
			skip(4)
			w := next() | next()<<8
			h := next() | next()<<8
			frames, pixels = frames+1, pixels+w*h
			colors(next())
			skip(1)
			blocks()
		case 0x21:
			skip(1)
			blocks()
		case 0x3b:
			return frames, pixels, err
		default:
			return frames, pixels, errors.New("a block of an unknown kind")
		}
	}
	return frames, pixels, nil
}
