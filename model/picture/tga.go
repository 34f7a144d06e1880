package picture

import (
	"bufio"
	"context"
	"fmt"
	"image"
	"image/color"
	"io"
	"path"

	"assay/model"
)

// Truevision TGA, as its specification of 1991 describes it: 18 bytes of header, an id, a palette, pixels that may be
// run-length encoded.

const (
	tgaHead    = 18
	maxTGASide = 16384 // the most pixels of a side that is not taken for chance
)

type tgaHeader struct {
	id, paletted, kind byte
	first, colors      int
	entry              byte // bits of a palette's color
	width, height      int
	bits, flags        byte
}

func parseTGA(b []byte) (h tgaHeader, ok bool) {
	if len(b) < tgaHead {
		return h, false
	}
	h = tgaHeader{id: b[0], paletted: b[1], kind: b[2],
		first: int(little.Uint16(b[3:])), colors: int(little.Uint16(b[5:])), entry: b[7],
		width: int(little.Uint16(b[12:])), height: int(little.Uint16(b[14:])), bits: b[16], flags: b[17]}
	depth := func(bits byte) bool { return bits == 8 || bits == 15 || bits == 16 || bits == 24 || bits == 32 }
	switch h.kind &^ 8 {
	case 1:
		ok = h.paletted == 1 && h.bits == 8 && depth(h.entry) && h.colors > 0 && h.first+h.colors <= 1<<16
	case 2:
		ok = h.paletted <= 1 && depth(h.bits) && h.bits > 8
	case 3:
		ok = h.paletted == 0 && (h.bits == 8 || h.bits == 16)
	}
	return h, ok && h.kind < 12 && h.width > 0 && h.height > 0 && h.flags&0xc0 == 0
}

// tgaFooter is how files of version 2 end.
const tgaFooter = "TRUEVISION-XFILE.\x00"

// isTGA recognizes a TGA. It has no magic: besides a readable header it needs the extension of its name, or a footer,
// or only header values that writers of pictures use.
func isTGA(f *fileHead) bool {
	h, ok := parseTGA(f.head)
	if !ok {
		return false
	}
	switch path.Ext(f.name) {
	case ".tga", ".vda", ".icb", ".vst":
		return true
	}
	return h.isPlausible() || hasTGAFooter(f.src)
}

func hasTGAFooter(src *model.Source) bool {
	if src == nil || src.Size() < tgaHead+int64(len(tgaFooter)) {
		return false
	}
	end, err := src.Bytes(model.Span{Offset: src.Size() - int64(len(tgaFooter)), Size: int64(len(tgaFooter))})
	return err == nil && string(end) == tgaFooter
}

// isPlausible reports whether all fields of a header are consistent: no palette without its kind, alpha no wider than
// the remaining bits of a pixel, columns from the left.
func (h *tgaHeader) isPlausible() bool {
	plausible := h.paletted == 0 && h.first == 0 && h.colors == 0 && h.entry == 0
	if h.kind&^8 == 1 {
		plausible = h.first == 0 && h.colors <= 256 && h.entry > 8
	}
	alpha := h.flags & 15
	switch h.bits {
	case 32:
		plausible = plausible && (alpha == 0 || alpha == 8)
	case 16:
		plausible = plausible && (alpha <= 1 || alpha == 8)
	default:
		plausible = plausible && alpha == 0
	}
	return plausible && h.flags&0x10 == 0 && h.width <= maxTGASide && h.height <= maxTGASide
}

func openTGA(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	r := stream(ctx, src).(*bufio.Reader)
	head := make([]byte, tgaHead)
	if _, err := io.ReadFull(r, head); err != nil {
		return p, err
	}
	h, _ := parseTGA(head)
	if err := checkSize(h.width, h.height, 4); err != nil {
		return p, err
	}
	if _, err := r.Discard(int(h.id)); err != nil {
		return p, err
	}
	palette, err := h.palette(r)
	if err != nil {
		return p, err
	}
	img := image.NewNRGBA(image.Rect(0, 0, h.width, h.height))
	err = h.pixels(r, palette, img)
	p = model.Picture{Image: img, Format: fmt.Sprintf("%d bits per pixel", h.bits)}
	if h.kind&8 != 0 {
		p.Format += ", run-length encoded"
	}
	return p, err
}

func (h *tgaHeader) palette(r io.Reader) ([]color.NRGBA, error) {
	if h.paletted == 0 {
		return nil, nil
	}
	size := (int(h.entry) + 7) / 8
	b := make([]byte, h.colors*size)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, err
	}
	colors := make([]color.NRGBA, h.first+h.colors)
	for i := range h.colors {
		colors[h.first+i] = tgaColor(b[i*size:][:size], h.entry, h.entry == 32 || h.flags&15 != 0)
	}
	return colors, nil
}

// pixels reads the rows, which begin at the bottom unless a flag is set.
func (h *tgaHeader) pixels(r *bufio.Reader, palette []color.NRGBA, img *image.NRGBA) error {
	size := (int(h.bits) + 7) / 8
	b := make([]byte, size)
	alpha := h.flags&15 != 0       // else the fourth byte has no meaning
	remaining, repeats := 0, false // pixels of a run, and whether it repeats the color that it begins with
	var c color.NRGBA
	for i := range h.width * h.height {
		startsRun := h.kind&8 != 0 && remaining == 0
		if startsRun {
			n, _ := r.ReadByte() // at the end there is no pixel either
			remaining, repeats = int(n&0x7f)+1, n&0x80 != 0
		}
		if startsRun || !repeats {
			if _, err := io.ReadFull(r, b); err != nil {
				return fmt.Errorf("the pixels end after %d of %d", i, h.width*h.height)
			}
			c = h.color(b, palette, alpha)
		}
		remaining--
		x, y := i%h.width, i/h.width
		if h.flags&0x10 != 0 {
			x = h.width - 1 - x
		}
		if h.flags&0x20 == 0 {
			y = h.height - 1 - y
		}
		img.SetNRGBA(x, y, c)
	}
	return nil
}

func (h *tgaHeader) color(b []byte, palette []color.NRGBA, alpha bool) color.NRGBA {
	switch h.kind &^ 8 {
	case 1:
		if int(b[0]) < len(palette) {
			return palette[b[0]]
		}
		return color.NRGBA{A: 255}
	case 3:
		c := color.NRGBA{R: b[0], G: b[0], B: b[0], A: 255}
		if len(b) == 2 {
			c.A = b[1]
		}
		return c
	}
	return tgaColor(b, h.bits, alpha)
}

func tgaColor(b []byte, bits byte, alpha bool) color.NRGBA {
	c := color.NRGBA{A: 255}
	switch bits {
	case 8:
		return color.NRGBA{R: b[0], G: b[0], B: b[0], A: 255}
	case 15, 16:
		v := little.Uint16(b)
		five := func(v uint16) uint8 { return uint8(v&31<<3 | v&31>>2) }
		c.R, c.G, c.B = five(v>>10), five(v>>5), five(v)
		if bits == 16 && alpha && v>>15 == 0 {
			c.A = 0
		}
	default:
		c.B, c.G, c.R = b[0], b[1], b[2]
		if bits == 32 && alpha {
			c.A = b[3]
		}
	}
	return c
}
