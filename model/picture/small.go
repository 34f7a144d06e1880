package picture

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"io"
	"strings"

	"github.com/fyne-io/image/ico"

	"assay/model"
)

const (
	icoHead  = 6
	icoEntry = 16
	maxICO   = 64 // pictures that are displayed
)

func isICO(f *fileHead) bool {
	head := f.head
	if len(head) < icoHead+icoEntry || head[0] != 0 || head[1] != 0 || head[2] != 1 && head[2] != 2 || head[3] != 0 {
		return false
	}
	n := binary.LittleEndian.Uint16(head[4:])
	return n > 0 && n <= 1024 && head[icoHead+3] == 0
}

// openICO reads the pictures of an icon, the largest first.
func openICO(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	head, err := src.Bytes(model.Span{Size: min(src.Size(), icoHead+maxICO*icoEntry)})
	if err != nil {
		return p, err
	}
	n := min(int(binary.LittleEndian.Uint16(head[4:])), maxICO, (len(head)-icoHead)/icoEntry)
	largest, size := 0, 0
	for i := range n {
		e := head[icoHead+i*icoEntry:][:icoEntry]
		w, h := side(e[0]), side(e[1])
		if w*h > size {
			largest, size = i, w*h
		}
		p.Parts = append(p.Parts, model.Part{Name: fmt.Sprintf("%d × %d", w, h),
			Load: func(context.Context) (image.Image, error) { return loadIcon(src, e) }})
	}
	p.Parts[0], p.Parts[largest] = p.Parts[largest], p.Parts[0]
	if p.Image, err = p.Parts[0].Load(ctx); n == 1 {
		p.Parts = nil
	}
	return p, err
}

// side returns a length of an icon: 0 means 256.
func side(b byte) int {
	if b == 0 {
		return 256
	}
	return int(b)
}

// loadIcon reads one picture as an icon of its own.
func loadIcon(src *model.Source, entry []byte) (img image.Image, err error) {
	defer func() {
		if r := recover(); r != nil {
			img, err = nil, fmt.Errorf("the icon cannot be decoded: %v", r)
		}
	}()
	size, offset := int64(binary.LittleEndian.Uint32(entry[8:])), int64(binary.LittleEndian.Uint32(entry[12:]))
	if size > 4<<20 {
		return nil, fmt.Errorf("the icon is too large to display (%d bytes)", size)
	}
	b, err := src.Bytes(model.Span{Offset: offset, Size: size})
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(b, []byte("\x89PNG")) {
		img, _, err := decode(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil })
		return img, err
	}
	if len(b) < 40 {
		return nil, fmt.Errorf("an icon of %d bytes has no picture", size)
	}
	width, height := int(int32(binary.LittleEndian.Uint32(b[4:]))), int(int32(binary.LittleEndian.Uint32(b[8:])))/2
	if err := checkSize(width, max(height, -height), 4); err != nil || width > 1024 || height > 1024 {
		return nil, fmt.Errorf("an icon of %d × %d pixels is not possible", width, height)
	}
	single := []byte{0, 0, 1, 0, 1, 0}
	single = append(single, entry...)
	binary.LittleEndian.PutUint32(single[icoHead+12:], icoHead+icoEntry)
	return ico.Decode(bytes.NewReader(append(single, b...)))
}

func isPVR(f *fileHead) bool { return IsPVR(f.head) }

// openPVR reads the largest picture of a PVR file.
func openPVR(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	b, err := io.ReadAll(stream(ctx, src))
	if err != nil {
		return p, err
	}
	d, err := ReadPVR(b)
	if err != nil {
		return p, err
	}
	if err := checkSize(d.Width, d.Height, 4); err != nil {
		return p, err
	}
	if p.Image, err = d.Decode(ctx, b); err != nil {
		return p, fmt.Errorf("its pixels cannot be drawn: %w", err)
	}
	p.Format = d.Format.String()
	return p, nil
}

// Radiance HDR, as Greg Ward's "Real Pixels" (Graphics Gems II) and the Radiance file formats describe it: lines of
// text, an empty one, the size, then rows of pixels of three mantissas and an exponent, each run-length encoded.

// hdrLines is the maximum number of lines of text in a header.
const hdrLines = 1000

func openHDR(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	r := bufio.NewReader(model.ContextReader(ctx, src.Reader(model.Span{Size: src.Size()})))
	for n := 0; ; n++ {
		line, err := r.ReadString('\n')
		if err != nil || n == hdrLines {
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
