package picture

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
)

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
	kind, size := uint32(1), 2
	if d.sample == sampleFloat {
		kind, size = 2, 4
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
