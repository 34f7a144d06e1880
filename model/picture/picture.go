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
)

const (
	maxPixels = 64 << 20
	maxMemory = 256 << 20
	maxBytes  = maxMemory / 4 // of a file
)

// sample is what a file is recognised by: its first bytes, its name in lower case, and its end where a format has its
// mark there.
type sample struct {
	head []byte
	name string
	src  *model.Source // nil: only the head is at hand
}

// kind is a format that files are recognised as.
type kind struct {
	name       string
	extensions string // with spaces between them, the usual one first
	media      string // what TypeOf says; empty where others know it as well
	is         func(f *sample) bool
	open       func(ctx context.Context, src *model.Source) (model.Picture, error)
}

var kinds = []kind{
	{"DDS", ".dds", "image/vnd.ms-dds", begins("DDS "), openDDS},
	{"PVR", ".pvr", "image/x-pvr", isPVR, openPVR},
	{"ICO", ".ico", "", isICO, openICO},
	{"GIF", ".gif", "", begins("GIF8"), openGIF},
	{"SVG", ".svg", "", isSVG, openSVG},
	{"PNG", ".png", "", begins("\x89PNG\r\n\x1a\n"), openPlain},
	{"JPEG", ".jpg .jpeg", "", begins("\xff\xd8\xff"), openPlain},
	{"BMP", ".bmp", "", isBMP, openPlain},
	{"TIFF", ".tiff .tif", "", begins("II*\x00", "MM\x00*"), openPlain},
	{"WebP", ".webp", "", isWebP, openWebP},
	{"EXR", ".exr", "image/x-exr", begins("\x76\x2f\x31\x01"), openEXR},
	{"HDR", ".hdr", "", begins("#?RADIANCE", "#?RGBE"), openHDR},
	{"TGA", ".tga", "image/x-tga", isTGA, openTGA},
}

// begins recognises a format whose files begin with one of some magics.
func begins(magics ...string) func(f *sample) bool {
	return func(f *sample) bool {
		return slices.ContainsFunc(magics, func(magic string) bool { return bytes.HasPrefix(f.head, []byte(magic)) })
	}
}

func isBMP(f *sample) bool {
	return bytes.HasPrefix(f.head, []byte("BM")) && len(f.head) > 26 && f.head[14] < 128
}

// Recognise returns the name of the format of a picture file; empty if it is none.
func Recognise(src *model.Source) string {
	if k := recognise(src); k != nil {
		return k.name
	}
	return ""
}

// TypeOf returns the media type and the extension of a picture of a format of games by its first bytes alone: of a DDS,
// PVR, OpenEXR or TGA. Empty if it is none.
func TypeOf(head []byte) (media, extension string) {
	f := &sample{head: head[:min(len(head), headSize)]}
	for i := range kinds {
		if k := &kinds[i]; k.media != "" && k.is(f) {
			return k.media, k.extensions
		}
	}
	return "", ""
}

// Named reports whether a file has the name of a picture that Open reads.
func Named(name string) bool { return slices.Contains(Extensions(), strings.ToLower(path.Ext(name))) }

// Extensions are those of the files that Open reads, in lower case and with their dots.
func Extensions() []string { return extensions }

var extensions = func() (all []string) {
	for _, k := range kinds {
		all = append(all, strings.Fields(k.extensions)...)
	}
	return all
}()

func recognise(src *model.Source) *kind {
	head := make([]byte, min(headSize, src.Size()))
	n, _ := src.ReadAt(head, 0)
	return (&sample{head[:n], strings.ToLower(path.Base(src.Name())), src}).kind()
}

func (f *sample) kind() *kind {
	for i := range kinds {
		if kinds[i].is(f) {
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
	k := recognise(src)
	if k == nil {
		return p, fmt.Errorf("%s is not a supported image format", src.Name())
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
	return bufio.NewReader(model.ContextReader(ctx, src.Reader(model.Span{Size: min(src.Size(), maxBytes)})))
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
	head := bufio.NewReader(r)
	first, _ := head.Peek(pngInterlaced + 1)
	c, format, err := image.DecodeConfig(head)
	r.Close()
	if err != nil {
		return nil, "", err
	}
	each := memory(format, c.ColorModel)
	if format == "png" && len(first) > pngInterlaced && first[pngInterlaced] != 0 {
		each += (each + 1) / 2 // the last pass has half of the pixels, and is beside the picture
	}
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
	_, channels = ofModel(c.ColorModel)
	return img, channels, err
}

// pngInterlaced is where a PNG says that it is in seven passes.
const pngInterlaced = 28

// bounded says that a picture is too large to be shown.
func bounded(width, height, each int) error {
	switch {
	case width <= 0 || height <= 0:
		return fmt.Errorf("the image is empty (%d × %d pixels)", width, height)
	case width > maxPixels/height || width*height > maxMemory/each:
		return fmt.Errorf("the image is too large to display (%d × %d pixels)", width, height)
	}
	return nil
}

// memory is how many bytes a decoder needs for a pixel at most: JPEG keeps coefficients, PNG may be interlaced, TIFF
// expands a strip, which may be the whole picture, into a buffer that doubles.
func memory(format string, m color.Model) int {
	bytes, _ := ofModel(m)
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

// models are the bytes of a pixel of color models, and what channels they have.
var models = []struct {
	color.Model
	bytes    int
	channels string
}{{color.GrayModel, 1, "gray, 8 bits"}, {color.Gray16Model, 2, "gray, 16 bits"}, {color.RGBAModel, 4, "RGB, 8 bits"},
	{color.YCbCrModel, 4, "RGB, 8 bits"}, {color.NRGBAModel, 4, "RGBA, 8 bits"}, {color.NYCbCrAModel, 4, "RGBA, 8 bits"},
	{color.RGBA64Model, 8, "RGB, 16 bits"}, {color.NRGBA64Model, 8, "RGBA, 16 bits"}, {color.CMYKModel, 4, "CMYK, 8 bits"}}

// ofModel returns the bytes of a pixel of a color model, and what channels it has.
func ofModel(m color.Model) (bytes int, channels string) {
	if p, ok := m.(color.Palette); ok {
		return 1, fmt.Sprintf("%d colors", len(p))
	}
	for _, known := range models {
		if known.Model == m {
			return known.bytes, known.channels
		}
	}
	return 4, ""
}
