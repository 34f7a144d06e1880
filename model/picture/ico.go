package picture

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"io"

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
	n := little.Uint16(head[4:])
	return n > 0 && n <= 1024 && head[icoHead+3] == 0
}

// openICO reads the pictures of an icon, the largest first.
func openICO(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	head, err := src.Bytes(model.Span{Size: min(src.Size(), icoHead+maxICO*icoEntry)})
	if err != nil {
		return p, err
	}
	n := min(int(little.Uint16(head[4:])), maxICO, (len(head)-icoHead)/icoEntry)
	largest, size := 0, 0
	for i := range n {
		e := head[icoHead+i*icoEntry:][:icoEntry]
		w, h := cmp.Or(int(e[0]), 256), cmp.Or(int(e[1]), 256)
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

// loadIcon reads one picture as an icon of its own.
func loadIcon(src *model.Source, entry []byte) (img image.Image, err error) {
	defer model.Recover(&err, "the icon cannot be decoded")
	size, offset := int64(little.Uint32(entry[8:])), int64(little.Uint32(entry[12:]))
	if size > 4<<20 {
		return nil, fmt.Errorf("the icon is too large to display (%d bytes)", size)
	}
	b, err := src.Bytes(model.Span{Offset: offset, Size: size})
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(b, []byte(pngMark[:4])) {
		img, _, err := decode(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil })
		return img, err
	}
	if len(b) < 40 {
		return nil, fmt.Errorf("an icon of %d bytes has no picture", size)
	}
	width, height := int(int32(little.Uint32(b[4:]))), int(int32(little.Uint32(b[8:])))/2
	if err := checkSize(width, max(height, -height), 4); err != nil || width > 1024 || height > 1024 {
		return nil, fmt.Errorf("an icon of %d × %d pixels is not possible", width, height)
	}
	single := []byte{0, 0, 1, 0, 1, 0}
	single = append(single, entry...)
	little.PutUint32(single[icoHead+12:], icoHead+icoEntry)
	return ico.Decode(bytes.NewReader(append(single, b...)))
}
