package picture

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"assay/model"
)

// Radiance HDR, as Greg Ward's "Real Pixels" (Graphics Gems II) and the Radiance file formats describe it: lines of
// text, an empty one, the size, then rows of pixels of three mantissas and an exponent, each run-length encoded.

// maxHDRLines is the maximum number of lines of text in a header.
const maxHDRLines = 1000

func openHDR(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	r := bufio.NewReader(model.ContextReader(ctx, src.Reader(model.Span{Size: src.Size()})))
	for n := 0; ; n++ {
		line, err := r.ReadString('\n')
		if err != nil || n == maxHDRLines {
			return p, fmt.Errorf("the header has no end")
		}
		if line = strings.TrimSpace(line); line == "" {
			break
		}
		if format, ok := strings.CutPrefix(line, "FORMAT="); ok && format != "32-bit_rle_rgbe" {
			return p, fmt.Errorf("pixels of the format %s cannot be drawn", model.OneLine(format, 40))
		}
	}
	line, err := r.ReadString('\n')
	var width, height int
	if n, _ := fmt.Sscanf(line, "-Y %d +X %d", &height, &width); n != 2 || err != nil {
		return p, fmt.Errorf("the orientation %q is not supported", model.OneLine(strings.TrimSpace(line), 40))
	}
	if err := checkSize(width, height, 8); err != nil {
		return p, err
	}
	if least := int64(height) * 4; least > src.Size() {
		return p, fmt.Errorf("%d rows need %d bytes, but there are %d", height, least, src.Size())
	}
	pix := make([]byte, 4*width*height)
	for y := range height {
		if err := hdrRow(r, pix[4*width*y:4*width*(y+1)]); err != nil {
			return p, fmt.Errorf("row %d of %d: %w", y, height, err)
		}
	}
	img, err := Decode(ctx, RGBE8, width, height, pix)
	if err != nil {
		return p, err
	}
	return model.Picture{Image: img.(*Deep).AsLinear(), Format: "RGBE, 8 bits with an exponent"}, nil
}

// hdrRow reads a row of pixels.
func hdrRow(r *bufio.Reader, row []byte) error {
	width := len(row) / 4
	head, err := r.Peek(4)
	if err != nil {
		return io.ErrUnexpectedEOF
	}
	if head[0] != 2 || head[1] != 2 || int(head[2])<<8|int(head[3]) != width || width < 8 || width > 0x7fff {
		return hdrOldRow(r, row)
	}
	_, _ = r.Discard(4)
	for c := range 4 {
		for x := 0; x < width; {
			n, err := r.ReadByte()
			if err != nil {
				return io.ErrUnexpectedEOF
			}
			run := n > 128
			if run {
				n -= 128
			}
			if n == 0 || x+int(n) > width {
				return fmt.Errorf("a run of %d pixels at pixel %d of %d", n, x, width)
			}
			var b byte
			for i := range int(n) {
				if i == 0 || !run {
					if b, err = r.ReadByte(); err != nil {
						return io.ErrUnexpectedEOF
					}
				}
				row[4*(x+i)+c] = b
			}
			x += int(n)
		}
	}
	return nil
}

// hdrOldRow reads a row of whole pixels; a pixel with mantissas of 1 repeats the one before it.
func hdrOldRow(r *bufio.Reader, row []byte) error {
	shift := 0
	for x := 0; x < len(row); {
		var p [4]byte
		if _, err := io.ReadFull(r, p[:]); err != nil {
			return io.ErrUnexpectedEOF
		}
		if p[0] != 1 || p[1] != 1 || p[2] != 1 || x == 0 {
			x, shift = x+copy(row[x:], p[:]), 0
			continue
		}
		n := 4 * (int(p[3]) << shift)
		if shift += 8; shift > 16 || n > len(row)-x {
			return fmt.Errorf("a run of %d pixels at pixel %d of %d", n/4, x/4, len(row)/4)
		}
		for end := x + n; x < end; x += 4 {
			copy(row[x:], row[x-4:x])
		}
	}
	return nil
}
