package picture

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"io"
	"path"
	"runtime/debug"
	"slices"
	"strings"

	// Formats of pictures that are decoded.
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"

	"assay/model"
	"assay/model/pixels"
)

const (
	maxPixels = 64 << 20
	maxMemory = 256 << 20
	maxBytes  = maxMemory / 4 // of a file
)

// kind is a format that is recognised by its first bytes or its name.
type kind struct {
	name       string
	extensions string // with spaces between them
	is         func(head []byte, name string) bool
	open       func(ctx context.Context, src *model.Source) (model.Picture, error)
}

var kinds = []kind{
	{"DDS", ".dds", begins("DDS "), openDDS},
	{"PVR", ".pvr", func(head []byte, _ string) bool { return pixels.IsPVR(head) }, openPVR},
	{"ICO", ".ico", isICO, openICO},
	{"GIF", ".gif", begins("GIF8"), openGIF},
	{"SVG", ".svg", isSVG, openSVG},
	{"PNG", ".png", begins("\x89PNG\r\n\x1a\n"), openPlain},
	{"JPEG", ".jpeg .jpg", begins("\xff\xd8\xff"), openPlain},
	{"BMP", ".bmp", func(head []byte, _ string) bool {
		return bytes.HasPrefix(head, []byte("BM")) && len(head) > 26 && head[14] < 128
	}, openPlain},
	{"TIFF", ".tiff .tif", isTIFF, openPlain},
	{"WebP", ".webp", func(head []byte, _ string) bool {
		return len(head) > 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP"
	}, openPlain},
	{"EXR", ".exr", begins("\x76\x2f\x31\x01"), openEXR},
	{"HDR", ".hdr", isHDR, openHDR},
	{"TGA", ".tga", isTGA, openTGA},
}

// begins recognises a format whose files begin with a magic, whatever their names.
func begins(magic string) func(head []byte, name string) bool {
	return func(head []byte, _ string) bool { return bytes.HasPrefix(head, []byte(magic)) }
}

func isTIFF(head []byte, _ string) bool {
	return bytes.HasPrefix(head, []byte("II*\x00")) || bytes.HasPrefix(head, []byte("MM\x00*"))
}

// Recognise returns the name of the format of a picture file by its first bytes and its name; empty if it is none.
func Recognise(head []byte, name string) string {
	if k := recognise(head, name); k != nil {
		return k.name
	}
	return ""
}

// Named reports whether a file has the name of a picture that Open reads.
func Named(name string) bool {
	extension := strings.ToLower(path.Ext(name))
	return slices.ContainsFunc(kinds, func(k kind) bool {
		return slices.Contains(strings.Fields(k.extensions), extension)
	})
}

func recognise(head []byte, name string) *kind {
	name = strings.ToLower(name)
	for i := range kinds {
		if kinds[i].is(head, name) {
			return &kinds[i]
		}
	}
	return nil
}

// headSize is how much of a file is looked at to recognise it.
const headSize = 1024

// Open reads a picture file. The decoders are other people's: one that panics at a broken file does not take the
// program with it.
func Open(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = model.Picture{}, fmt.Errorf("the picture cannot be decoded: %v", r)
		}
	}()
	head := make([]byte, min(headSize, src.Size()))
	n, _ := src.ReadAt(head, 0)
	k := recognise(head[:n], path.Base(src.Name()))
	if k == nil {
		return p, fmt.Errorf("%s is not a picture of a known format", src.Name())
	}
	if p, err = k.open(ctx, src); err != nil {
		if of := strings.ToLower(k.name) + ": "; strings.HasPrefix(err.Error(), of) { // the decoder says it, too
			return p, fmt.Errorf("%s: %s", k.name, strings.TrimPrefix(err.Error(), of))
		}
		return p, fmt.Errorf("%s: %w", k.name, err)
	}
	p.Format = strings.TrimSpace(k.name + " " + p.Format)
	return p, nil
}

// stream returns the bytes of a file up to a limit, until the context ends.
func stream(ctx context.Context, src *model.Source) io.Reader {
	return bufio.NewReader(&stopping{ctx, src.Reader(model.Span{Size: min(src.Size(), maxBytes)})})
}

type stopping struct {
	ctx context.Context
	r   io.Reader
}

func (s *stopping) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}

// openPlain reads what the decoders of Go know.
func openPlain(ctx context.Context, src *model.Source) (model.Picture, error) {
	img, format, err := decode(func() (io.ReadCloser, error) { return io.NopCloser(stream(ctx, src)), nil })
	return model.Picture{Image: img, Format: format}, err
}

// decode decodes a picture whose size is looked at first; open is called twice.
func decode(open func() (io.ReadCloser, error)) (img image.Image, channels string, err error) {
	r, err := open()
	if err != nil {
		return nil, "", err
	}
	c, format, err := image.DecodeConfig(bufio.NewReader(r))
	r.Close()
	if err != nil {
		return nil, "", err
	}
	each := memory(format, c.ColorModel)
	if err := bounded(c.Width, c.Height, each); err != nil {
		return nil, "", err
	}
	if c.Width*c.Height*each > maxMemory/4 {
		// The picture before this one is garbage now: together they would be too much. For smaller ones the collector
		// would take as long as the decoder does.
		debug.FreeOSMemory()
	}
	if r, err = open(); err != nil {
		return nil, "", err
	}
	defer r.Close()
	img, _, err = image.Decode(bufio.NewReader(io.LimitReader(r, maxBytes)))
	return img, channelsOf(c.ColorModel), err
}

// bounded says that a picture is too large to be shown.
func bounded(width, height, each int) error {
	switch {
	case width <= 0 || height <= 0:
		return fmt.Errorf("a picture of %d × %d pixels has nothing to show", width, height)
	case width > maxPixels/height || width*height > maxMemory/each:
		return fmt.Errorf("a picture of %d × %d pixels is too large to be shown", width, height)
	}
	return nil
}

// memory is how many bytes a decoder needs for a pixel at most: JPEG keeps coefficients, PNG may be interlaced, TIFF
// expands a strip, which may be the whole picture, into a buffer that doubles.
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
	case "tiff":
		return 3 * bytes
	}
	return bytes
}

// channelsOf says what channels a picture has, as its colour model tells.
func channelsOf(m color.Model) string {
	switch m {
	case color.GrayModel:
		return "gray, 8 bits"
	case color.Gray16Model:
		return "gray, 16 bits"
	case color.RGBAModel, color.YCbCrModel:
		return "RGB, 8 bits"
	case color.NRGBAModel, color.NYCbCrAModel:
		return "RGBA, 8 bits"
	case color.RGBA64Model:
		return "RGB, 16 bits"
	case color.NRGBA64Model:
		return "RGBA, 16 bits"
	case color.CMYKModel:
		return "CMYK, 8 bits"
	}
	if p, ok := m.(color.Palette); ok {
		return fmt.Sprintf("%d colors", len(p))
	}
	return ""
}
