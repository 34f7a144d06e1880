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
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"path"
	"runtime/debug"
	"slices"
	"strings"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"

	"assay/model"
)

// FileLimit is the largest size of a file that Open reads, in bytes.
const FileLimit = maxMemory / 4

const (
	maxPixels = 64 << 20
	maxMemory = 256 << 20
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
	defer model.Recover(&err, "the picture cannot be decoded")
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
	return bufio.NewReader(model.ContextReader(ctx, src.Reader(model.Span{Size: min(src.Size(), FileLimit)})))
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
	img, _, err = image.Decode(bufio.NewReader(io.LimitReader(r, FileLimit)))
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

// memory returns the maximum number of bytes that a decoder needs for a pixel: JPEG keeps coefficients, WebP is
// converted to another copy, and TIFF expands a strip, which may be the whole picture, into a buffer that doubles.
// decode adds the memory for an interlaced PNG.
func memory(format string, m color.Model) int {
	size, _ := describeModel(m)
	switch format {
	case "jpeg":
		return 5 * min(size, 3)
	case "webp":
		return 2 * size
	case "tiff":
		return 3 * size
	}
	return size
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

// maxExif is the number of bytes at the start of a file that are searched for the orientation: a segment of a JPEG has
// at most 64 KiB, and EXIF is one of the first.
const maxExif = 256 << 10

// orientations are the meanings of the EXIF tag Orientation, by its value.
var orientations = [...]string{2: "mirrored", 3: "turned by 180°", 4: "mirrored top to bottom",
	5: "mirrored and turned left", 6: "turned right", 7: "mirrored and turned right", 8: "turned left"}

// addOriented adds the parts of a picture with an EXIF orientation: as it is stored, and as viewers should display it.
func addOriented(src *model.Source, p model.Picture) model.Picture {
	head, err := src.Bytes(model.Span{Size: min(src.Size(), maxExif)})
	if err != nil {
		return p
	}
	n := orientationOf(head)
	if n < 2 || n >= len(orientations) {
		return p
	}
	name := fmt.Sprintf("EXIF orientation %d: %s", n, orientations[n])
	stored := p.Image
	p.Parts = []model.Part{
		{Name: "as stored, " + name, Load: func(context.Context) (image.Image, error) { return stored, nil }},
		{Name: "displayed, " + name, Load: func(context.Context) (image.Image, error) {
			size := stored.Bounds().Size()
			if err := checkSize(size.X, size.Y, 4); err != nil {
				return nil, err
			}
			return orient(stored, n), nil
		}}}
	return p
}

// orientationOf returns the EXIF orientation in the first bytes of a JPEG or TIFF file, or 0.
func orientationOf(head []byte) int {
	if tiff := tiffOrientation(head); tiff != 0 {
		return tiff
	}
	if !bytes.HasPrefix(head, []byte("\xff\xd8")) {
		return 0
	}
	for offset := 2; offset+4 <= len(head) && head[offset] == 0xff; {
		size := 2 + int(binary.BigEndian.Uint16(head[offset+2:]))
		segment := head[offset+4 : max(offset+4, min(offset+size, len(head)))]
		if exif, ok := bytes.CutPrefix(segment, []byte("Exif\x00\x00")); ok && head[offset+1] == 0xe1 {
			return tiffOrientation(exif)
		}
		offset += size
	}
	return 0
}

// tiffOrientation returns the orientation in the first directory of a TIFF structure, or 0.
func tiffOrientation(b []byte) int {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case bytes.HasPrefix(b, []byte("II*\x00")):
	case bytes.HasPrefix(b, []byte("MM\x00*")):
		order = binary.BigEndian
	default:
		return 0
	}
	if len(b) < 8 {
		return 0
	}
	const entry, tag = 12, 0x112
	offset := int64(order.Uint32(b[4:]))
	if offset+2 > int64(len(b)) {
		return 0
	}
	list := b[offset+2:]
	for range order.Uint16(b[offset:]) {
		if len(list) < entry {
			break
		}
		if order.Uint16(list) == tag {
			return int(order.Uint16(list[8:]))
		}
		list = list[entry:]
	}
	return 0
}

// orient returns the picture as viewers should display it for an orientation.
func orient(img image.Image, n int) image.Image {
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	size := image.Pt(w, h)
	if n >= 5 {
		size = image.Pt(h, w)
	}
	out := image.NewNRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			from := [...]image.Point{2: {w - 1 - x, y}, 3: {w - 1 - x, h - 1 - y}, 4: {x, h - 1 - y}, 5: {y, x},
				6: {y, h - 1 - x}, 7: {w - 1 - y, h - 1 - x}, 8: {w - 1 - y, x}}[n].Add(b.Min)
			out.SetNRGBA(x, y, color.NRGBAModel.Convert(img.At(from.X, from.Y)).(color.NRGBA))
		}
	}
	return out
}
