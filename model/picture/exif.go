package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"

	"assay/model"
)

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
