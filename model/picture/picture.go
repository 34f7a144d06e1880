// Package picture reads picture files. The size in a header is checked before any allocation: a picture of a few bytes
// that would fill the memory is an error, not a crash.
//
//	format     read by                      unsupported, and limits of its own
//	PNG        image/png                    the frames of an animation after the first
//	JPEG       image/jpeg                   arithmetic coding; 12 bits
//	GIF        image/gif, frames here       more than 2,000 frames: only the first
//	BMP        golang.org/x/image/bmp       run-length encoding, 16 bits
//	TIFF       golang.org/x/image/tiff      pages after the first, JPEG inside, floating point
//	WebP       golang.org/x/image/webp,     animations
//	           colors of VP8 here
//	ICO, CUR   fyne-io/image/ico, PNG       after 64 pictures; 1,024 pixels a side
//	SVG        fyne-io/oksvg and rasterx    texts, filters, patterns, clip paths; see the limits svg... below
//	TGA        here                         -
//	DDS        here                         after 4,096 pictures
//	PVR        here                         PVRTC-II, ETC; pictures after the first
//	OpenEXR    here                         several parts, deep data, B44 and DWA
//	HDR        here                         XYZE, rows from the bottom
//
// All are recognized by their first bytes, regardless of their names. Only a TGA has no magic: it needs a plausible
// header, and its extension or its footer. All are limited: 64 MiB of a file, 64 Mi pixels, and 256 MiB of memory for
// the decoder, which means fewer pixels if a pixel takes more memory.
//
// Pixels are read in the layouts of graphics processors: of 8, 16 and 32 bits a channel, and in the block compressions
// BC1 to BC7, ATC and PVRTC.
package picture

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	// Formats of pictures that are decoded.
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"math"
	"path"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"
	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"

	"assay/model"
)

// FileLimit is the largest size of a file that Open reads, in bytes.
const FileLimit = maxMemory / 4

const (
	maxPixels    = 64 << 20
	maxMemory    = 256 << 20
	maxFileBytes = FileLimit
)

// fileHead is the data that identifies a format: the first bytes of a file, its name in lower case, and its end if a
// format has a footer.
type fileHead struct {
	head []byte
	name string
	src  *model.Source // nil: only the head is available
}

// kind is a format that files are recognized as.
type kind struct {
	name         string
	extensions   string // with spaces between them, the usual one first
	media        string
	isGameFormat bool // of games: TypeOf recognizes it, which other packages do not
	matches      func(f *fileHead) bool
	open         func(ctx context.Context, src *model.Source) (model.Picture, error)
}

var kinds = []kind{
	{"DDS", ".dds", "image/vnd.ms-dds", true, begins("DDS "), openDDS},
	{"PVR", ".pvr", "image/x-pvr", true, isPVR, openPVR},
	{"ICO", ".ico", "image/x-icon", false, isICO, openICO},
	{"GIF", ".gif", "image/gif", false, begins("GIF8"), openGIF},
	{"SVG", ".svg", "image/svg+xml", false, isSVG, openSVG},
	{"PNG", ".png", "image/png", false, begins("\x89PNG\r\n\x1a\n"), openPlain},
	{"JPEG", ".jpg .jpeg", "image/jpeg", false, begins("\xff\xd8\xff"), openPlain},
	{"BMP", ".bmp", "image/bmp", false, isBMP, openPlain},
	{"TIFF", ".tiff .tif", "image/tiff", false, begins("II*\x00", "MM\x00*"), openPlain},
	{"WebP", ".webp", "image/webp", false, isWebP, openWebP},
	{"EXR", ".exr", "image/x-exr", true, begins("\x76\x2f\x31\x01"), openEXR},
	{"HDR", ".hdr", "image/vnd.radiance", false, begins("#?RADIANCE", "#?RGBE"), openHDR},
	{"TGA", ".tga", "image/x-tga", true, isTGA, openTGA},
}

// begins recognizes a format by one of several magics at the start of its files.
func begins(magics ...string) func(f *fileHead) bool {
	return func(f *fileHead) bool {
		return slices.ContainsFunc(magics, func(magic string) bool { return bytes.HasPrefix(f.head, []byte(magic)) })
	}
}

func isBMP(f *fileHead) bool {
	return bytes.HasPrefix(f.head, []byte("BM")) && len(f.head) > 26 && f.head[14] < 128
}

// Recognize returns the name of the format of a picture file, or "".
func Recognize(src *model.Source) string {
	if k := recognize(src); k != nil {
		return k.name
	}
	return ""
}

// TypeOf returns the media type and the extension of a picture of a format of games by its first bytes alone: of a DDS,
// PVR, OpenEXR or TGA, or "", "".
func TypeOf(head []byte) (media, extension string) {
	f := &fileHead{head: head[:min(len(head), headSize)]}
	for i := range kinds {
		if k := &kinds[i]; k.isGameFormat && k.matches(f) {
			return k.media, k.extensions
		}
	}
	return "", ""
}

// MediaType returns the media type of a picture by the extension of its name, or "" for the name of another file.
func MediaType(name string) string { return mediaTypes[strings.ToLower(path.Ext(name))] }

// HasExtension reports whether a file has the name of a picture that Open reads.
func HasExtension(name string) bool { return MediaType(name) != "" }

// Extensions returns the extensions of the files that Open reads, in lower case and with their dots.
func Extensions() []string { return extensions }

var extensions, mediaTypes = func() (names []string, media map[string]string) {
	media = make(map[string]string)
	for _, k := range kinds {
		for _, extension := range strings.Fields(k.extensions) {
			names, media[extension] = append(names, extension), k.media
		}
	}
	return names, media
}()

func recognize(src *model.Source) *kind {
	head := make([]byte, min(headSize, src.Size()))
	n, _ := src.ReadAt(head, 0)
	return (&fileHead{head[:n], strings.ToLower(path.Base(src.Name())), src}).kind()
}

func (f *fileHead) kind() *kind {
	for i := range kinds {
		if kinds[i].matches(f) {
			return &kinds[i]
		}
	}
	return nil
}

// headSize is the number of bytes that identify a format.
const headSize = 1024

// Open reads a picture file. A panic of a third-party decoder at a damaged file becomes an error.
func Open(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = model.Picture{}, fmt.Errorf("the picture cannot be decoded: %v", r)
		}
	}()
	k := recognize(src)
	if k == nil {
		return p, fmt.Errorf("%s is not a supported image format", src.Name())
	}
	if p, err = k.open(ctx, src); err != nil {
		// The decoder may have put the name of the format in front of the message.
		if prefix := strings.ToLower(k.name) + ": "; strings.HasPrefix(err.Error(), prefix) {
			return p, fmt.Errorf("%s: %s", k.name, strings.TrimPrefix(err.Error(), prefix))
		}
		return p, fmt.Errorf("%s: %w", k.name, err)
	}
	p.Format = strings.TrimSpace(k.name + " " + p.Format)
	return p, nil
}

// stream returns the bytes of a file up to a limit, until the context ends.
func stream(ctx context.Context, src *model.Source) io.Reader {
	return bufio.NewReader(model.ContextReader(ctx, src.Reader(model.Span{Size: min(src.Size(), maxFileBytes)})))
}

// openPlain reads the formats with a Go decoder.
func openPlain(ctx context.Context, src *model.Source) (model.Picture, error) {
	img, format, err := decode(func() (io.ReadCloser, error) { return io.NopCloser(stream(ctx, src)), nil })
	if err != nil {
		return model.Picture{}, err
	}
	return addOriented(src, model.Picture{Image: img, Format: format}), nil
}

// decode decodes a picture after checking its size; open is called twice.
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
	pixelMemory := memory(format, c.ColorModel)
	if format == "png" && len(first) > pngInterlaced && first[pngInterlaced] != 0 {
		pixelMemory += (pixelMemory + 1) / 2 // the last pass has half of the pixels, and is beside the picture
	}
	if err := checkSize(c.Width, c.Height, pixelMemory); err != nil {
		if checkSize(c.Width, c.Height, memory(format, c.ColorModel)) == nil {
			err = fmt.Errorf("%w: an interlaced image needs 1.5 times the memory", err)
		}
		return nil, "", err
	}
	if c.Width*c.Height*pixelMemory > maxMemory/4 {
		// The picture before this one is garbage now: together they would be too much. For smaller ones the collector
		// would take as long as the decoder does.
		debug.FreeOSMemory()
	}
	if r, err = open(); err != nil {
		return nil, "", err
	}
	defer r.Close()
	img, _, err = image.Decode(bufio.NewReader(io.LimitReader(r, maxFileBytes)))
	_, channels = describeModel(c.ColorModel)
	return img, channels, err
}

// pngInterlaced is the offset of the interlace method in a PNG.
const pngInterlaced = 28

// checkSize returns an error if a picture is empty or too large to be displayed.
func checkSize(width, height, each int) error {
	switch {
	case width <= 0 || height <= 0:
		return fmt.Errorf("the image is empty (%d × %d pixels)", width, height)
	case width > maxPixels/height || width*height > maxMemory/each:
		return fmt.Errorf("the image is too large to display (%d × %d pixels)", width, height)
	}
	return nil
}

// memory returns the maximum number of bytes that a decoder needs for a pixel: JPEG keeps coefficients, PNG may be
// interlaced, TIFF expands a strip, which may be the whole picture, into a buffer that doubles.
func memory(format string, m color.Model) int {
	bytes, _ := describeModel(m)
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

// colorModels are color models, the bytes of a pixel, and their channels.
var colorModels = []struct {
	color.Model
	bytes    int
	channels string
}{{color.GrayModel, 1, "gray, 8 bits"}, {color.Gray16Model, 2, "gray, 16 bits"}, {color.RGBAModel, 4, "RGB, 8 bits"},
	{color.YCbCrModel, 4, "RGB, 8 bits"}, {color.NRGBAModel, 4, "RGBA, 8 bits"}, {color.NYCbCrAModel, 4, "RGBA, 8 bits"},
	{color.RGBA64Model, 8, "RGB, 16 bits"}, {color.NRGBA64Model, 8, "RGBA, 16 bits"}, {color.CMYKModel, 4, "CMYK, 8 bits"}}

// describeModel returns the bytes of a pixel of a color model, and its channels.
func describeModel(m color.Model) (bytes int, channels string) {
	if p, ok := m.(color.Palette); ok {
		return 1, fmt.Sprintf("%d colors", len(p))
	}
	for _, known := range colorModels {
		if known.Model == m {
			return known.bytes, known.channels
		}
	}
	return 4, ""
}

// The drawing library is safe only with harmless documents: it follows references without end, and its work grows with
// coordinates. Documents are therefore rewritten without references before it reads them (flattenSVG), and all that it
// draws passes a scanner with a budget (svgScanner). Within these limits no drawing takes more than about a second and
// 200 MB.
const (
	maxSVG      = 4 << 20  // bytes of a file
	svgSide     = 1024     // pixels of the longer side of the picture
	svgSmall    = 256      // the same of a picture that is too much work at full size
	svgElements = 50_000   // with repetitions by use: each is a path with a style of some 400 bytes
	svgDepth    = 256      // nested elements: the library keeps a style for each
	svgExpanded = 5 << 20  // bytes after use and classes are written out: about the largest file
	svgStops    = 64       // of a gradient: they are searched for each pixel and sorted for each path
	svgDashes   = 64       // of a stroke: they are searched for each part of its path
	svgWork     = 48 << 20 // steps of drawing; a pixel that is filled with one color is one step
)

func isSVG(f *fileHead) bool {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(f.head, []byte("\ufeff")), " \t\r\n")
	return bytes.HasPrefix(trimmed, []byte("<svg")) ||
		bytes.HasPrefix(trimmed, []byte("<?xml")) && bytes.Contains(f.head, []byte("<svg"))
}

// openSVG draws a vector drawing.
func openSVG(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	if src.Size() > maxSVG {
		return p, fmt.Errorf("the drawing is too large to display (%d bytes)", src.Size())
	}
	flat, err := flattenSVG(stream(ctx, src))
	if err != nil {
		return p, err
	}
	drawing, err := oksvg.ReadIconStream(flat, oksvg.IgnoreErrorMode)
	if err != nil {
		return p, err
	}
	w, h := drawing.ViewBox.W, drawing.ViewBox.H
	if !(w > 0 && h > 0) || math.IsInf(w, 0) || math.IsInf(h, 0) {
		return p, fmt.Errorf("the drawing has no size")
	}
	var img *image.RGBA
	unit := 1.0 // pixels of the picture, as the strokes are
	for _, side := range []float64{svgSide, svgSmall} {
		scale := side / max(w, h)
		img = image.NewRGBA(image.Rect(0, 0, max(1, int(w*scale)), max(1, int(h*scale))))
		if err = drawSVG(ctx, drawing, img, scale/unit); !errors.Is(err, errSVGWork) {
			break
		}
		unit = scale
	}
	if err != nil {
		return p, err
	}
	return model.Picture{Image: img, Drawn: true, Format: fmt.Sprintf("drawing of %g × %g", w, h)}, nil
}

// drawSVG draws a drawing on the whole of a picture; its strokes are scaled.
func drawSVG(ctx context.Context, drawing *oksvg.SvgIcon, img *image.RGBA, strokes float64) (err error) {
	defer func() {
		r := recover()
		if stop, ok := r.(svgStop); ok {
			err = stop.error
		} else if r != nil {
			panic(r)
		}
	}()
	width, height := img.Rect.Dx(), img.Rect.Dy()
	for i := range drawing.SVGPaths {
		if err := setStroke(&drawing.SVGPaths[i].PathStyle, strokes); err != nil {
			return err
		}
	}
	drawing.SetTarget(0, 0, float64(width), float64(height))
	drawing.Draw(rasterx.NewDasher(width, height, &svgScanner{ctx: ctx, img: img, remaining: svgWork}), 1)
	return nil
}

// setStroke scales a stroke as its path is, which the library does not, and sets the offset of its dashes within their
// first period: the library counts up to it.
func setStroke(s *oksvg.PathStyle, scale float64) error {
	if len(s.Dash) > svgDashes {
		return fmt.Errorf("the drawing has a line with more than %d dashes", svgDashes)
	}
	period := 0.0
	dashes := make([]float64, len(s.Dash)) // paths share the slices of their styles
	for i, d := range s.Dash {
		dashes[i] = d * scale
		period += max(dashes[i], 0)
	}
	if len(dashes)%2 == 1 {
		period *= 2
	}
	offset := math.Mod(s.DashOffset*scale, period)
	if offset < 0 {
		offset += period
	}
	if !(offset < period) { // no number
		offset = 0
	}
	s.LineWidth, s.Dash, s.DashOffset = s.LineWidth*scale, dashes, offset
	return nil
}

// WebP, as its container specification describes it: lossless pictures, and key frames of VP8 (RFC 6386). VP8 has luma
// from 16 to 235 and chroma from 16 to 240 (BT.601), half as many of these each way. image.YCbCr has no such range: the
// decoder's planes are taken out of it here, as libwebp does it, to the same bytes.

// isWebP recognizes a WebP by the type of its RIFF file.
func isWebP(f *fileHead) bool {
	return len(f.head) > 12 && string(f.head[:4]) == "RIFF" && string(f.head[8:12]) == "WEBP"
}

func openWebP(ctx context.Context, src *model.Source) (model.Picture, error) {
	const animated, flags = 1 << 1, 20 // in the flags of the chunk VP8X, and where they are
	if head, err := src.Bytes(model.Span{Size: min(src.Size(), flags+1)}); err == nil && len(head) > flags &&
		string(head[12:16]) == "VP8X" && head[flags]&animated != 0 {
		return model.Picture{}, errors.New("animated WebP images are not supported")
	}
	p, err := openPlain(ctx, src)
	switch img := p.Image.(type) {
	case *image.YCbCr:
		p.Image = colorsOfVP8(img)
	case *image.NYCbCrA:
		rgba := colorsOfVP8(&img.YCbCr)
		for y := range rgba.Rect.Dy() {
			for x, a := range img.A[y*img.AStride:][:rgba.Rect.Dx()] {
				rgba.Pix[y*rgba.Stride+4*x+3] = a
			}
		}
		p.Image = rgba
	}
	return p, err
}

// colorsOfVP8 returns the colors of a frame's planes.
func colorsOfVP8(planes *image.YCbCr) *image.NRGBA {
	w, h := planes.Rect.Dx(), planes.Rect.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	columns, rows := (w+1)/2, (h+1)/2
	for y := range h {
		near, far := y/2*planes.CStride, min(max(y/2-1+y%2*2, 0), rows-1)*planes.CStride
		luma, pix := planes.Y[y*planes.YStride:], out.Pix[y*out.Stride:]
		for x := range w {
			i, j := x/2, min(max(x/2-1+x%2*2, 0), columns-1)
			setVP8(pix[4*x:][:4], luma[x],
				upsample(planes.Cb[near+i], planes.Cb[near+j], planes.Cb[far+i], planes.Cb[far+j]),
				upsample(planes.Cr[near+i], planes.Cr[near+j], planes.Cr[far+i], planes.Cr[far+j]))
		}
	}
	return out
}

// upsample returns the chroma of a pixel between four samples: the nearest, the one beside it, the one above or below
// it, and the one across. They count 9, 3, 3 and 1 sixteenths, rounded twice.
func upsample(near, beside, above, across uint8) int {
	n := int(near)
	return ((n+3*int(beside)+3*int(above)+int(across)+8)>>3 + n) >> 1
}

// setVP8 sets an opaque pixel to the color of luma and chroma, in fixed point with 14 fractional bits; 8 bits are cut
// from each product.
func setVP8(pix []uint8, luma uint8, cb, cr int) {
	y := int(luma) * 19077 >> 8
	pix[0] = clamp(y + cr*26149>>8 - 14234)
	pix[1] = clamp(y - cb*6419>>8 - cr*13320>>8 + 8708)
	pix[2] = clamp(y + cb*33050>>8 - 17685)
	pix[3] = 255
}

// clamp returns a number with 6 bits after its point as a channel of a color.
func clamp(v int) uint8 { return uint8(min(max(v>>6, 0), 255)) }
