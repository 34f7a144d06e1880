package picture

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"slices"
	"strings"

	"assay/model"
)

// OpenEXR, as "OpenEXR File Layout" describes it: attributes, a table of offsets, blocks of rows. A row has all values
// of one channel after the other, in alphabetical order. A file with tiles has a block for each; only the tiles of the
// full size are read. Files with deep data or several parts, and the compressions B44 and DWA, are not.

const (
	exrTiled, exrDeep, exrParts = 0x200, 0x800, 0x1000 // flags of the version

	exrUint, exrHalf, exrFloat = 0, 1, 2 // kinds of channels

	maxEXRHeader   = 4 << 20 // bytes
	maxEXRChannels = 1024
)

// exrCompressions are the names of the compressions, and for supported ones the number of rows in a block.
var exrCompressions = []struct {
	name string
	rows int
}{{"none", 1}, {"RLE", 1}, {"ZIPS", 1}, {"ZIP", 16}, {"PIZ", 32}, {"PXR24", 16}, {name: "B44"}, {name: "B44A"},
	{name: "DWAA"}, {name: "DWAB"}}

// exrKindNames are the names of the kinds of channels.
var exrKindNames = [...]string{exrUint: "32 bits", exrHalf: "half", exrFloat: "float"}

type exrChannel struct {
	name   string
	kind   uint32 // exrUint, exrHalf or exrFloat
	offset int    // the bytes of a pixel in the channels before it
}

func (c exrChannel) size() int { return [...]int{exrUint: 4, exrHalf: 2, exrFloat: 4}[c.kind] }

// exr is a file that is read.
type exr struct {
	src           *model.Source
	channels      []exrChannel
	compression   int
	window        image.Rectangle
	width, height int
	pixelSize     int         // bytes
	tile          image.Point // the size of a tile; zero in a file of rows
	table         int64       // the offset of the table of offsets
}

func openEXR(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	e := &exr{src: src, compression: -1}
	if err := e.header(); err != nil {
		return p, err
	}
	e.setOffsets()
	layers := e.layers()
	if len(layers) == 0 {
		return p, errors.New("no color or luminance channel (R, G, B, or Y)")
	}
	for _, l := range layers {
		p.Parts = append(p.Parts, model.Part{Name: l.title(), Load: func(ctx context.Context) (image.Image, error) {
			return e.loadLayer(ctx, l)
		}})
	}
	if p.Image, err = e.loadLayer(ctx, layers[0]); len(layers) == 1 {
		p.Parts = nil
	}
	p.Format = fmt.Sprintf("%s, %s, %s", layers[0].letters(), exrKindNames[layers[0].kind()],
		exrCompressions[e.compression].name)
	return p, err
}

// header reads the attributes.
func (e *exr) header() error {
	b := make([]byte, min(e.src.Size(), maxEXRHeader))
	n, _ := e.src.ReadAt(b, 0)
	r := &exrReader{b: b[:n]}
	r.next(4)
	version := r.u32()
	switch {
	case version&0xff != 2:
		return fmt.Errorf("unknown version %d", version&0xff)
	case version&(exrDeep|exrParts) != 0:
		return errors.New("multi-part and deep OpenEXR files are not supported")
	}
	for name := r.text(); name != "" && !r.isShort; name = r.text() {
		kind := r.text()
		value := &exrReader{b: r.next(int(min(r.u32(), maxEXRHeader)))}
		switch name + " " + kind {
		case "channels chlist":
			if err := e.readChannels(value); err != nil {
				return err
			}
		case "compression compression":
			e.compression = int(value.next(1)[0])
		case "dataWindow box2i":
			coordinate := func() int { return int(int32(value.u32())) }
			x0, y0, x1, y1 := coordinate(), coordinate(), coordinate(), coordinate()
			e.window = image.Rectangle{image.Pt(x0, y0), image.Pt(x1+1, y1+1)}
		case "tiles tiledesc":
			e.tile = image.Pt(int(min(value.u32(), 1<<30)), int(min(value.u32(), 1<<30)))
		}
	}
	switch {
	case r.isShort:
		return errors.New("the header has no end")
	case e.compression < 0 || e.compression >= len(exrCompressions):
		return fmt.Errorf("unknown compression %d", e.compression)
	case exrCompressions[e.compression].rows == 0:
		return fmt.Errorf("the compression %s is not supported", exrCompressions[e.compression].name)
	case version&exrTiled == 0:
		e.tile = image.Point{}
	case e.tile.X <= 0 || e.tile.Y <= 0:
		return errors.New("the tiles have no size")
	}
	e.table = int64(n - len(r.b))
	e.width, e.height = e.window.Dx(), e.window.Dy()
	return checkSize(e.width, e.height, 8)
}

func (e *exr) readChannels(r *exrReader) error {
	for name := r.text(); name != ""; name = r.text() {
		c := exrChannel{name: name, kind: r.u32()}
		r.u32() // how it was meant to be compressed
		x, y := r.u32(), r.u32()
		switch {
		case r.isShort:
			return errors.New("the list of channels has no end")
		case c.kind > exrFloat:
			return fmt.Errorf("the channel %s has values of the unknown type %d", model.OneLine(name, 40), c.kind)
		case x != 1 || y != 1:
			return fmt.Errorf("the channel %s has fewer values than pixels, which is not supported", model.OneLine(name, 40))
		case len(e.channels) == maxEXRChannels:
			return errors.New("there are too many channels")
		}
		e.channels = append(e.channels, c)
	}
	return nil
}

// exrLayer is the channels of a picture: red, green, blue and alpha, or one value.
type exrLayer struct {
	name     string
	channels []exrChannel
}

func (l exrLayer) title() string { return cmp.Or(l.name, "main") + " " + l.letters() }

// letters returns the names of the channels without the layer's.
func (l exrLayer) letters() string {
	var s string
	for _, c := range l.channels {
		s += strings.TrimPrefix(c.name, l.name+".")
	}
	return s
}

// kind returns the kind of the channel with the most bits.
func (l exrLayer) kind() uint32 {
	kind := l.channels[0].kind
	for _, c := range l.channels {
		if c.size() > 2 {
			kind = c.kind
		}
	}
	return kind
}

// setOffsets computes the offset of each channel, and the size of a pixel.
func (e *exr) setOffsets() {
	e.pixelSize = 0
	for i, c := range e.channels {
		e.channels[i].offset = e.pixelSize
		e.pixelSize += c.size()
	}
}

// layers returns the pictures that the channels make: the colors, then each other channel.
func (e *exr) layers() (layers []exrLayer) {
	named := make(map[string]exrChannel)
	for _, c := range e.channels {
		named[c.name] = c
	}
	var others []exrLayer
	for _, c := range e.channels {
		prefix, letter := "", c.name
		if dot := strings.LastIndexByte(c.name, '.'); dot >= 0 {
			prefix, letter = c.name[:dot+1], c.name[dot+1:]
		}
		channelOf := func(letter string) (exrChannel, bool) { c, ok := named[prefix+letter]; return c, ok }
		r, hasR := channelOf("R")
		g, hasG := channelOf("G")
		b, hasB := channelOf("B")
		a, hasA := channelOf("A")
		l := exrLayer{strings.TrimSuffix(prefix, "."), []exrChannel{r, g, b}}
		switch complete := hasR && hasG && hasB; {
		case complete && letter == "R":
			if hasA {
				l.channels = append(l.channels, a)
			}
			layers = append(layers, l)
		case !complete || !strings.Contains("GBA", letter):
			others = append(others, exrLayer{l.name, []exrChannel{c}})
		}
	}
	slices.SortStableFunc(layers, func(x, y exrLayer) int { return strings.Compare(x.name, y.name) })
	return append(layers, others...)
}

// loadLayer reads the picture of a layer: halves if all its channels are, else floats.
func (e *exr) loadLayer(ctx context.Context, l exrLayer) (image.Image, error) {
	size, n := 2, len(l.channels)
	formats := map[int]Format{1: RHalf, 3: RGBHalf, 4: RGBAHalf}
	if l.kind() != exrHalf {
		size, formats = 4, map[int]Format{1: RFloat, 3: RGBFloat, 4: RGBAFloat}
	}
	if err := checkSize(e.width, e.height, size*n+4); err != nil {
		return nil, err
	}
	pix := make([]byte, e.width*e.height*n*size)
	err := e.eachRow(ctx, func(origin image.Point, row []byte) {
		out, width := pix[(origin.Y*e.width+origin.X)*n*size:], len(row)/e.pixelSize
		for i, c := range l.channels {
			for x := range width {
				c.putValue(out[(x*n+i)*size:], row[c.offset*width+x*c.size():], size)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	img, err := Decode(ctx, formats[n], e.width, e.height, pix)
	if err != nil {
		return nil, err
	}
	return img.(*Deep).AsLinear(), nil
}

// putValue writes a value of the channel as a half or a float of size bytes.
func (c exrChannel) putValue(out, value []byte, size int) {
	switch {
	case c.size() == size && c.kind != exrUint:
		copy(out, value[:size])
	case c.kind == exrHalf:
		little.PutUint32(out, math.Float32bits(FromHalf(little.Uint16(value))))
	default:
		little.PutUint32(out, math.Float32bits(float32(little.Uint32(value))))
	}
}

// exrReader reads the parts of a header. Missing parts are 0 or empty, and set isShort.
type exrReader struct {
	b       []byte
	isShort bool
}

func (r *exrReader) next(n int) []byte {
	if n > len(r.b) {
		r.b, r.isShort = nil, true
		return make([]byte, min(n, 8))
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *exrReader) u32() uint32 { return little.Uint32(r.next(4)) }

func (r *exrReader) text() string {
	n := bytes.IndexByte(r.b, 0)
	if n < 0 {
		r.b, r.isShort = nil, true
		return ""
	}
	return string(r.next(n + 1)[:n])
}

// toHalf returns the half that is next below a float, or next to 0; values above the maximum become infinite.
func toHalf(v float32) uint16 {
	b := math.Float32bits(v)
	sign, exponent, fraction := uint16(b>>16&0x8000), int(b>>23&0xff)-127+15, b&0x7fffff
	switch {
	case b&0x7fffffff > 0xff<<23: // NaN
		return sign | 0x7e00
	case exponent >= 31:
		return sign | 0x7c00
	case exponent <= -10:
		return sign
	case exponent <= 0:
		return sign | uint16((fraction|0x800000)>>(14-exponent))
	}
	return sign | uint16(exponent)<<10 | uint16(fraction>>13)
}

// WriteEXR writes a picture of floats as OpenEXR 2: scan lines without compression, the values as they are stored.
// ("OpenEXR File Layout", openexr.com.)
func (d *Deep) WriteEXR(ctx context.Context, out io.Writer) error {
	if d.sample != sampleHalf && d.sample != sampleFloat {
		return errors.New("only a picture of floats is written as OpenEXR")
	}
	w := &exrWriter{Writer: bufio.NewWriter(out)}
	kind, size := uint32(exrHalf), 2
	if d.sample == sampleFloat {
		kind, size = exrFloat, 4
	}
	// in the order of the alphabet
	names := [][]string{1: {"Y"}, 2: {"G", "R"}, 3: {"B", "G", "R"}, 4: {"A", "B", "G", "R"}}[d.channels]

	w.u32(0x01312f76)
	w.u32(2)
	w.attribute("channels", "chlist", 18*len(names)+1)
	for _, name := range names {
		w.text(name)
		w.u32(kind, 0, 1, 1) // not perceptually linear, and a sample for each pixel
	}
	w.bytes(0)
	w.attribute("compression", "compression", 1)
	w.bytes(0)
	for _, window := range []string{"dataWindow", "displayWindow"} {
		w.attribute(window, "box2i", 16)
		w.u32(0, 0, uint32(d.width-1), uint32(d.height-1))
	}
	w.attribute("lineOrder", "lineOrder", 1)
	w.bytes(0)
	w.attribute("pixelAspectRatio", "float", 4)
	w.u32(oneAsFloat)
	w.attribute("screenWindowCenter", "v2f", 8)
	w.u32(0, 0)
	w.attribute("screenWindowWidth", "float", 4)
	w.u32(oneAsFloat)
	w.bytes(0)

	line := d.width * d.channels * size
	offset := uint64(w.n + 8*d.height) // after the offsets of the lines
	for range d.height {
		w.u32(uint32(offset), uint32(offset>>32))
		offset += uint64(8 + line)
	}
	for y := range d.height {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.u32(uint32(y), uint32(line))
		for c := d.channels - 1; c >= 0; c-- {
			for x := range d.width {
				_, _ = w.Write(d.bytesAt(x, y, c)[:size])
			}
		}
	}
	return w.Flush()
}

const oneAsFloat = 0x3f800000

// exrWriter writes the parts of a file of OpenEXR and counts the bytes. Flush returns its errors.
type exrWriter struct {
	*bufio.Writer
	n int // bytes before the lines
}

func (w *exrWriter) bytes(b ...byte) {
	_, _ = w.Write(b)
	w.n += len(b)
}

func (w *exrWriter) u32(values ...uint32) {
	for _, v := range values {
		w.bytes(little.AppendUint32(nil, v)...)
	}
}

func (w *exrWriter) text(s string) { w.bytes(append([]byte(s), 0)...) }

// attribute begins an attribute of size bytes.
func (w *exrWriter) attribute(name, kind string, size int) {
	w.text(name)
	w.text(kind)
	w.u32(uint32(size))
}
