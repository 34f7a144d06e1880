package render

import (
	"bufio"
	"fmt"
	"image"
	"image/color"
	"io"
	"runtime/debug"

	// Formats of pictures that are decoded.
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"
)

const (
	maxPixels = 64 << 20
	maxMemory = 256 << 20
)

// decode decodes a picture whose size was looked at first. open is called twice. The decoders are other people's: one
// that panics at a broken picture must not take the window with it.
func decode(open func() (io.ReadCloser, error)) (img image.Image, err error) {
	defer func() {
		if p := recover(); p != nil {
			img, err = nil, fmt.Errorf("the picture cannot be decoded: %v", p)
		}
	}()
	r, err := open()
	if err != nil {
		return nil, err
	}
	c, format, err := image.DecodeConfig(bufio.NewReader(r))
	r.Close()
	if err != nil {
		return nil, err
	}
	each := memory(format, c.ColorModel)
	if c.Width <= 0 || c.Height <= 0 || c.Width > maxPixels/c.Height || c.Width*c.Height > maxMemory/each {
		return nil, fmt.Errorf("a picture of %d × %d pixels is too large to be shown", c.Width, c.Height)
	}
	if c.Width*c.Height*each > maxMemory/8 {
		debug.FreeOSMemory() // the picture before this one is garbage now: together they would be too much
	}
	if r, err = open(); err != nil {
		return nil, err
	}
	defer r.Close()
	img, _, err = image.Decode(bufio.NewReader(io.LimitReader(r, maxMemory/4)))
	return img, err
}

// memory is how many bytes a decoder needs for a pixel at most: JPEG keeps coefficients, PNG may be interlaced.
func memory(format string, m color.Model) int {
	bytes := 4
	switch m {
	case color.GrayModel:
		bytes = 1
	case color.Gray16Model:
		bytes = 2
	case color.RGBA64Model, color.NRGBA64Model:
		bytes = 8
	}
	if _, ok := m.(color.Palette); ok {
		bytes = 1
	}
	switch format {
	case "jpeg":
		return 5 * min(bytes, 3)
	case "webp":
		return 2 * bytes
	}
	return bytes
}
