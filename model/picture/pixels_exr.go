package picture

import (
	"bufio"
	"context"
	"errors"
	"io"
)

// WriteEXR writes a picture of floats as OpenEXR 2: scan lines without compression, the values as they are stored.
// ("OpenEXR File Layout", openexr.com.)
func (d *Deep) WriteEXR(ctx context.Context, out io.Writer) error {
	if d.sample != half && d.sample != float {
		return errors.New("only a picture of floats is written as OpenEXR")
	}
	w := &exrWriter{Writer: bufio.NewWriter(out)}
	kind, size := uint32(1), 2
	if d.sample == float {
		kind, size = 2, 4
	}
	// in the order of the alphabet
	names := [][]string{1: {"Y"}, 2: {"G", "R"}, 3: {"B", "G", "R"}, 4: {"A", "B", "G", "R"}}[d.channels]

	w.u32(0x01312f76)
	w.u32(2)
	w.attribute("channels", "chlist", 18*len(names)+1)
	for _, name := range names {
		w.text(name)
		w.u32(kind, 0, 1, 1) // not linear for people, and a sample for each pixel
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
	at := uint64(w.n + 8*d.height) // after the places of the lines
	for range d.height {
		w.u32(uint32(at), uint32(at>>32))
		at += uint64(8 + line)
	}
	for y := range d.height {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.u32(uint32(y), uint32(line))
		for c := d.channels - 1; c >= 0; c-- {
			for x := range d.width {
				_, _ = w.Write(d.at(x, y, c)[:size])
			}
		}
	}
	return w.Flush()
}

const oneAsFloat = 0x3f800000

// exrWriter writes the parts of a file of OpenEXR and counts the bytes. Errors are those of Flush.
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
