package picture

import (
	"context"
	"fmt"
	"image"
	"strings"
	"sync"
)

// Format is how pixels are stored.
type Format uint8

// The formats. The letters are the order of the channels in memory; in RGB565 and ARGB4444 the first is in the highest
// bits of two bytes. Half is a float of 16 bits.
const (
	Unknown Format = iota
	R8
	RG8
	RGB8
	BGR8
	RGBA8
	BGRA8
	ARGB8
	RGB565
	ARGB4444
	R16
	RG16
	RGBA16
	RHalf
	RGHalf
	RGBHalf
	RGBAHalf
	RFloat
	RGFloat
	RGBFloat
	RGBAFloat
	RGBE8     // the exponent of all three colors in a fourth byte
	BC1       // colors, and pixels that are not there
	BC1Opaque // colors: where BC1 has no pixel it is black
	BC2
	BC3
	BC4
	BC5
	BC6H // halves, not negative
	BC6HSigned
	BC7
	ATC
	ATCExplicit
	ATCInterpolated
	PVRTC2Bits // PVRTC with 2 bits per pixel
	PVRTC4Bits
	Masked8 // channels by the bit masks of a DDS, which decodes them itself, in one to four bytes
	Masked16
	Masked24
	Masked32
)

// layout describes the bytes of a format.
type layout struct {
	name     string
	bytes    int // of a pixel, or of a block of 4 × 4 pixels
	channels int
	sample   sampleKind // how a channel of a Deep is stored
	pixel    func(p, b []byte)
	block    func(out *block, b []byte)
}

var layouts = [...]layout{
	Unknown: {name: "unknown"},
	R8: {name: "R8", bytes: 1, channels: 1,
		pixel: func(p, b []byte) { p[0], p[1], p[2], p[3] = b[0], b[0], b[0], 0xff }},
	RG8: {name: "RG8", bytes: 2, channels: 2, pixel: func(p, b []byte) { p[0], p[1], p[3] = b[0], b[1], 0xff }},
	RGB8: {name: "RGB8", bytes: 3, channels: 3,
		pixel: func(p, b []byte) { p[0], p[1], p[2], p[3] = b[0], b[1], b[2], 0xff }},
	BGR8: {name: "BGR8", bytes: 3, channels: 3,
		pixel: func(p, b []byte) { p[0], p[1], p[2], p[3] = b[2], b[1], b[0], 0xff }},
	RGBA8: {name: "RGBA8", bytes: 4, channels: 4,
		pixel: func(p, b []byte) { p[0], p[1], p[2], p[3] = b[0], b[1], b[2], b[3] }},
	BGRA8: {name: "BGRA8", bytes: 4, channels: 4,
		pixel: func(p, b []byte) { p[0], p[1], p[2], p[3] = b[2], b[1], b[0], b[3] }},
	ARGB8: {name: "ARGB8", bytes: 4, channels: 4,
		pixel: func(p, b []byte) { p[0], p[1], p[2], p[3] = b[1], b[2], b[3], b[0] }},
	RGB565:     {name: "RGB565", bytes: 2, channels: 3, pixel: rgb565},
	ARGB4444:   {name: "ARGB4444", bytes: 2, channels: 4, pixel: argb4444},
	R16:        {name: "R16", bytes: 2, channels: 1, sample: sample16},
	RG16:       {name: "RG16", bytes: 4, channels: 2, sample: sample16},
	RGBA16:     {name: "RGBA16", bytes: 8, channels: 4, sample: sample16},
	RHalf:      {name: "RHalf", bytes: 2, channels: 1, sample: sampleHalf},
	RGHalf:     {name: "RGHalf", bytes: 4, channels: 2, sample: sampleHalf},
	RGBHalf:    {name: "RGBHalf", bytes: 6, channels: 3, sample: sampleHalf},
	RGBAHalf:   {name: "RGBAHalf", bytes: 8, channels: 4, sample: sampleHalf},
	RFloat:     {name: "RFloat", bytes: 4, channels: 1, sample: sampleFloat},
	RGFloat:    {name: "RGFloat", bytes: 8, channels: 2, sample: sampleFloat},
	RGBFloat:   {name: "RGBFloat", bytes: 12, channels: 3, sample: sampleFloat},
	RGBAFloat:  {name: "RGBAFloat", bytes: 16, channels: 4, sample: sampleFloat},
	RGBE8:      {name: "RGBE8", bytes: 4, channels: 3, sample: sampleShared},
	BC1:        {name: "BC1", bytes: 8, channels: 4, block: bc1},
	BC1Opaque:  {name: "BC1", bytes: 8, channels: 3, block: bc1Opaque},
	BC2:        {name: "BC2", bytes: 16, channels: 4, block: bc2},
	BC3:        {name: "BC3", bytes: 16, channels: 4, block: bc3},
	BC4:        {name: "BC4", bytes: 8, channels: 1, block: bc4},
	BC5:        {name: "BC5", bytes: 16, channels: 2, block: bc5},
	BC6H:       {name: "BC6H", bytes: 16, channels: 3, sample: sampleHalf},
	BC6HSigned: {name: "BC6H signed", bytes: 16, channels: 3, sample: sampleHalf},
	BC7:        {name: "BC7", bytes: 16, channels: 4, block: bc7},
	ATC:        {name: "ATC", bytes: 8, channels: 3, block: atc},

	ATCExplicit:     {name: "ATC with explicit alpha", bytes: 16, channels: 4, block: atcExplicit},
	ATCInterpolated: {name: "ATC with interpolated alpha", bytes: 16, channels: 4, block: atcInterpolated},

	PVRTC2Bits: {name: "PVRTC with 2 bits per pixel", channels: 4},
	PVRTC4Bits: {name: "PVRTC with 4 bits per pixel", channels: 4},

	Masked8:  {name: "masks of 8 bits", bytes: 1, channels: 4},
	Masked16: {name: "masks of 16 bits", bytes: 2, channels: 4},
	Masked24: {name: "masks of 24 bits", bytes: 3, channels: 4},
	Masked32: {name: "masks of 32 bits", bytes: 4, channels: 4},
}

func (f Format) layout() *layout {
	if int(f) >= len(layouts) {
		f = Unknown
	}
	return &layouts[f]
}

// String returns the format's name.
func (f Format) String() string { return f.layout().name }

// HasBlocks reports whether the format stores blocks of 4 × 4 pixels.
func (f Format) HasBlocks() bool { return f >= BC1 && f <= ATCInterpolated }

func (f Format) isMasked() bool { return f >= Masked8 && f <= Masked32 }

// HasFloats reports whether the channels are floats.
func (f Format) HasFloats() bool { return f.layout().sample >= sampleHalf }

// Size returns the number of bytes that a picture of width × height pixels takes; 0 if the format is Unknown.
func (f Format) Size(width, height int) int64 {
	if width < 1 || height < 1 {
		return 0
	}
	w, h := int64(width), int64(height)
	if f == PVRTC2Bits || f == PVRTC4Bits {
		w, h := pvrtcSize(f, width, height)
		return int64(w) * int64(h) / map[Format]int64{PVRTC2Bits: 4, PVRTC4Bits: 2}[f]
	}
	if f.HasBlocks() {
		w, h = (w+3)/4, (h+3)/4
	}
	return w * h * int64(f.layout().bytes)
}

// Decode returns the picture of width × height pixels that b begins with: an *image.NRGBA or a *Deep, which may keep b.
// It returns an error for too few bytes, for Unknown and masked formats, and if ctx ends while it decodes.
func Decode(ctx context.Context, f Format, width, height int, b []byte) (image.Image, error) {
	size := f.Size(width, height)
	if size <= 0 || size > int64(len(b)) || f.isMasked() {
		return nil, fmt.Errorf("a picture of %d × %d pixels in format %s cannot be drawn from %d bytes", width, height,
			f, len(b))
	}
	b = b[:size]
	switch l := f.layout(); {
	case f == PVRTC2Bits || f == PVRTC4Bits:
		return decodePVRTC(ctx, f, width, height, b)
	case f == BC6H || f == BC6HSigned:
		return decodeHalves(ctx, width, height, b, f == BC6HSigned)
	case l.block != nil:
		return decodeBlocks(ctx, width, height, b, l)
	case l.sample != noSample:
		return &Deep{width: width, height: height, channels: l.channels, sample: l.sample, pix: b}, nil
	default:
		return decodePixels(ctx, width, height, b, l)
	}
}

func decodePixels(ctx context.Context, width, height int, b []byte, l *layout) (image.Image, error) {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row := img.Pix[y*img.Stride : y*img.Stride+4*width]
		for ; len(row) > 0; row, b = row[4:], b[l.bytes:] {
			l.pixel(row[:4], b[:l.bytes])
		}
	}
	return img, nil
}

func rgb565(p, b []byte) {
	c := expand565(little.Uint16(b))
	copy(p, c[:])
}

func argb4444(p, b []byte) {
	v := little.Uint16(b)
	for i, shift := range [4]int{8, 4, 0, 12} {
		p[i] = uint8(v>>shift&15) * 17
	}
}

// bits are the 128 bits of a block, read from the lowest on.
type bits struct{ low, high uint64 }

func bitsOf(b []byte) bits { return bits{little.Uint64(b), little.Uint64(b[8:])} }

// take reads the next n bits, at most 32.
func (b *bits) take(n int) int {
	v := b.low & (1<<n - 1)
	b.low = b.low>>n | b.high<<(64-n)
	b.high >>= n
	return int(v)
}

// FormatNamed returns the format with a name, such as rgb565 or BC6H_signed, in any case and without separators; or
// Unknown. Names of block compression by other programs are known too: DXT1, DXT5, ATI2.
func FormatNamed(name string) Format { return formatNames()[plainName(name)] }

// separators are left out of the names of formats.
var separators = strings.NewReplacer(" ", "", "_", "", "-", "")

func plainName(s string) string { return strings.ToLower(separators.Replace(s)) }

// formatNames are the formats by their plain names.
var formatNames = sync.OnceValue(func() map[string]Format {
	formats := make(map[string]Format)
	for name, f := range formatsByFourCC {
		formats[plainName(name)] = f
	}
	for f := Masked8 - 1; f > Unknown; f-- { // the first one of a name counts
		formats[plainName(f.String())] = f
	}
	return formats
})
