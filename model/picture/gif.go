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

// maxFrames is the maximum number of frames of an animation. Of one with more, only the first frame is displayed.
const maxFrames = 2000

// animationBuffers is the number of pictures of the whole size that an animation holds at a time: the canvas, the one
// to restore, and the displayed one.
const animationBuffers = 3

// openGIF decodes all frames of an animation; each is drawn when it is displayed. If they are too many or take too
// much memory, only the first is decoded.
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
		full := image.NewNRGBA(canvas)
		draw.Draw(full, first.Bounds(), first, first.Bounds().Min, draw.Src)
		first = full
	}
	p := model.Picture{Image: first, Format: channels}
	n, pixels, err := gifFrames(ctx, src)
	if n < 2 || err != nil || n > maxFrames || pixels > maxPixels {
		return p, nil
	}
	size := first.Bounds().Size()
	if checkSize(size.X, size.Y, animationBuffers*4) != nil {
		return p, nil
	}
	file, err := gif.DecodeAll(stream(ctx, src))
	if err != nil || len(file.Image) < 2 {
		return p, nil
	}
	a := &animation{gif: file, current: -1}
	for i := range file.Image {
		delay := time.Duration(file.Delay[i]) * 10 * time.Millisecond
		if delay < 20*time.Millisecond { // as browsers do
			delay = 100 * time.Millisecond
		}
		p.Parts = append(p.Parts, model.Part{Name: fmt.Sprintf("frame %d of %d", i+1, len(file.Image)), Delay: delay,
			Load: func(context.Context) (image.Image, error) { return a.frame(i), nil }})
	}
	p.Image = a.frame(0)
	return p, nil
}

// animation draws frames, each over the remains of the one before. It is used by one goroutine at a time.
type animation struct {
	gif      *gif.GIF
	canvas   *image.NRGBA
	restored *image.NRGBA // the canvas to restore after a frame
	current  int
}

func (a *animation) frame(i int) image.Image {
	if a.canvas == nil || i < a.current {
		a.canvas, a.current = image.NewNRGBA(image.Rect(0, 0, a.gif.Config.Width, a.gif.Config.Height)), -1
	}
	for a.current < i {
		a.dispose()
		a.current++
		f := a.gif.Image[a.current]
		if a.gif.Disposal[a.current] == gif.DisposalPrevious {
			a.restored = clone(a.canvas)
		}
		draw.Draw(a.canvas, f.Rect, f, f.Rect.Min, draw.Over)
	}
	return clone(a.canvas)
}

// dispose removes the current frame as its disposal method requires.
func (a *animation) dispose() {
	if a.current < 0 {
		return
	}
	switch a.gif.Disposal[a.current] {
	case gif.DisposalBackground:
		draw.Draw(a.canvas, a.gif.Image[a.current].Rect, image.NewUniform(color.Transparent), image.Point{}, draw.Src)
	case gif.DisposalPrevious:
		if a.restored != nil {
			a.canvas = a.restored
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
	skipBlocks := func() {
		for err == nil {
			n := next()
			if n == 0 {
				return
			}
			skip(n)
		}
	}
	skipColors := func(flags int) {
		if flags&0x80 != 0 {
			skip(3 << (flags&7 + 1))
		}
	}
	skip(10)
	flags := next()
	skip(2)
	skipColors(flags)
	for err == nil && frames <= maxFrames {
		switch next() {
		case 0x2c:
			skip(4)
			w := next() | next()<<8
			h := next() | next()<<8
			frames, pixels = frames+1, pixels+w*h
			skipColors(next())
			skip(1)
			skipBlocks()
		case 0x21:
			skip(1)
			skipBlocks()
		case 0x3b:
			return frames, pixels, err
		default:
			return frames, pixels, errors.New("a block of an unknown kind")
		}
	}
	return frames, pixels, nil
}
