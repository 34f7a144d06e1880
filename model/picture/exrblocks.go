package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"io"

	"github.com/klauspost/compress/zlib"

	"assay/model"
)

// eachRow calls do with the rows, or with those of tiles, and where they begin, in the order of the file.
func (e *exr) eachRow(ctx context.Context, do func(at image.Point, row []byte)) error {
	block, head := image.Pt(e.width, exrCompressions[e.compression].rows), int64(8)
	if e.tile != (image.Point{}) {
		block, head = image.Pt(min(e.tile.X, e.width), min(e.tile.Y, e.height)), 20
	}
	across, down := (e.width+block.X-1)/block.X, (e.height+block.Y-1)/block.Y
	blocks := across * down
	if int64(blocks) > e.src.Size()/8 || e.pixel*block.X > maxMemory/block.Y {
		return fmt.Errorf("%d blocks of %d bytes are more than can be read", blocks, e.pixel*block.X*block.Y)
	}
	offsets := make([]byte, 8*blocks)
	if n, _ := e.src.ReadAt(offsets, e.table); n < len(offsets) {
		return fmt.Errorf("the table of %d blocks is cut off", blocks)
	}
	for i := range blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := int64(binary.LittleEndian.Uint64(offsets[8*i:]))
		box, packed, err := e.block(at, head, block)
		if err != nil {
			return fmt.Errorf("block %d of %d: %w", i, blocks, err)
		}
		row := box.Dx() * e.pixel
		all, err := e.unpack(packed, box.Dx(), box.Dy())
		if err != nil {
			return fmt.Errorf("block %d of %d: %w", i, blocks, err)
		}
		for y := box.Min.Y; y < box.Max.Y; y++ {
			do(image.Pt(box.Min.X, y), all[:row])
			all = all[row:]
		}
	}
	return nil
}

// block reads the head and the packed bytes of a block, and returns which pixels it has.
func (e *exr) block(at, head int64, size image.Point) (box image.Rectangle, packed []byte, err error) {
	b, err := e.src.Bytes(model.Span{Offset: at, Size: head})
	if err != nil {
		return box, nil, err
	}
	number := func(i int) int { return int(int32(binary.LittleEndian.Uint32(b[4*i:]))) }
	corner := image.Pt(0, number(0)-e.window.Min.Y)
	if e.tile != (image.Point{}) {
		x, y := number(0), number(1)
		if level := [2]int{number(2), number(3)}; level != [2]int{} {
			return box, nil, fmt.Errorf("it is of the mip level %d, %d", level[0], level[1])
		}
		if x < 0 || y < 0 || x > e.width/size.X || y > e.height/size.Y {
			return box, nil, fmt.Errorf("there is no tile %d, %d", x, y)
		}
		corner = image.Pt(x*e.tile.X, y*e.tile.Y)
	}
	whole := image.Rect(0, 0, e.width, e.height)
	if !corner.In(whole) {
		return box, nil, fmt.Errorf("it is of row %d, but there are %d", corner.Y, e.height)
	}
	box = image.Rectangle{corner, corner.Add(size)}.Intersect(whole)
	length, most := int64(binary.LittleEndian.Uint32(b[head-4:])), int64(box.Dx()*box.Dy()*e.pixel)
	if length > most {
		return box, nil, fmt.Errorf("it has %d bytes, more than the %d of its pixels", length, most)
	}
	packed, err = e.src.Bytes(model.Span{Offset: at + head, Size: length})
	return box, packed, err
}

// unpack returns the bytes of a block of w by h pixels. One that would not have become smaller is stored as it is.
func (e *exr) unpack(packed []byte, w, h int) ([]byte, error) {
	want := w * h * e.pixel
	if len(packed) == want {
		return packed, nil
	}
	out := make([]byte, want)
	switch exrCompressions[e.compression].name {
	case "none":
		return nil, fmt.Errorf("there are %d bytes of %d", len(packed), want)
	case "RLE":
		if n := exrRuns(out, packed); n < want {
			return nil, fmt.Errorf("there are %d bytes of %d", n, want)
		}
	case "PIZ":
		return unpiz(packed, e.channels, w, h, want)
	case "PXR24":
		return e.unpxr(packed, w, h)
	default:
		if err := inflate(out, packed); err != nil {
			return nil, err
		}
	}
	for i := 1; i < len(out); i++ { // each byte is the difference to the one before
		out[i] += out[i-1] - 128
	}
	mixed := make([]byte, want) // first those at even places, then the others
	half := (want + 1) / 2
	for i := range mixed {
		mixed[i] = out[i/2+i%2*half]
	}
	return mixed, nil
}

// inflate fills out with bytes that are packed as zlib does.
func inflate(out, packed []byte) error {
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	defer r.Close()
	if n, err := io.ReadFull(r, out); err != nil {
		return fmt.Errorf("there are %d bytes of %d: %w", n, len(out), err)
	}
	return nil
}

// unpxr unpacks PXR24: in the row of a channel stand the first bytes of all values, then the second ones, and so on,
// each value as the difference to the one before. Floats have lost their last byte.
func (e *exr) unpxr(packed []byte, w, h int) ([]byte, error) {
	kept := func(c exrChannel) int { return [...]int{4, 2, 3}[c.kind] }
	size := 0
	for _, c := range e.channels {
		size += kept(c) * w * h
	}
	in := make([]byte, size)
	if err := inflate(in, packed); err != nil {
		return nil, err
	}
	out := make([]byte, 0, w*h*e.pixel)
	for range h {
		for _, c := range e.channels {
			n, value := kept(c), uint32(0)
			for x := range w {
				difference := uint32(0)
				for k := range n {
					difference |= uint32(in[k*w+x]) << (8 * (c.size() - 1 - k))
				}
				if value += difference; c.size() == 2 {
					out = binary.LittleEndian.AppendUint16(out, uint16(value))
				} else {
					out = binary.LittleEndian.AppendUint32(out, value)
				}
			}
			in = in[n*w:]
		}
	}
	return out, nil
}

// exrRuns unpacks runs of bytes and returns how many there are.
func exrRuns(out, packed []byte) int {
	n := 0
	for len(packed) > 1 && n < len(out) {
		if count := int(int8(packed[0])); count < 0 {
			count = min(-count, len(packed)-1)
			n += copy(out[n:], packed[1:1+count])
			packed = packed[1+count:]
		} else {
			for range min(count+1, len(out)-n) {
				out[n] = packed[1]
				n++
			}
			packed = packed[2:]
		}
	}
	return n
}
