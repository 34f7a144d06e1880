package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"

	"github.com/klauspost/compress/zlib"

	"assay/model"
)

// eachRow calls do with the rows, or the rows of tiles, and their positions, in the order of the file.
func (e *exr) eachRow(ctx context.Context, do func(origin image.Point, row []byte)) error {
	block, head := image.Pt(e.width, exrCompressions[e.compression].rows), int64(8)
	if e.tile != (image.Point{}) {
		block, head = image.Pt(min(e.tile.X, e.width), min(e.tile.Y, e.height)), 20
	}
	across, down := (e.width+block.X-1)/block.X, (e.height+block.Y-1)/block.Y
	blocks := across * down
	if int64(blocks) > e.src.Size()/8 || e.pixelSize*block.X > maxMemory/block.Y {
		return fmt.Errorf("%d blocks of %d bytes are more than can be read", blocks, e.pixelSize*block.X*block.Y)
	}
	offsets := make([]byte, 8*blocks)
	if n, _ := e.src.ReadAt(offsets, e.table); n < len(offsets) {
		return fmt.Errorf("the table of %d blocks is cut off", blocks)
	}
	for i := range blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		offset := int64(little.Uint64(offsets[8*i:]))
		box, packed, err := e.block(offset, head, block)
		if err != nil {
			return fmt.Errorf("block %d of %d: %w", i, blocks, err)
		}
		row := box.Dx() * e.pixelSize
		all, err := e.unpackBlock(packed, box.Dx(), box.Dy())
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
func (e *exr) block(offset, head int64, size image.Point) (box image.Rectangle, packed []byte, err error) {
	b, err := e.src.Bytes(model.Span{Offset: offset, Size: head})
	if err != nil {
		return box, nil, err
	}
	number := func(i int) int { return int(int32(little.Uint32(b[4*i:]))) }
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
	length, limit := int64(little.Uint32(b[head-4:])), int64(box.Dx()*box.Dy()*e.pixelSize)
	if length > limit {
		return box, nil, fmt.Errorf("it has %d bytes, more than the %d of its pixels", length, limit)
	}
	packed, err = e.src.Bytes(model.Span{Offset: offset + head, Size: length})
	return box, packed, err
}

// unpackBlock returns the bytes of a block of w by h pixels. A block that compression would not shrink is stored
// uncompressed.
func (e *exr) unpackBlock(packed []byte, w, h int) ([]byte, error) {
	size := w * h * e.pixelSize
	if len(packed) == size {
		return packed, nil
	}
	out := make([]byte, size)
	switch exrCompressions[e.compression].name {
	case "none":
		return nil, fmt.Errorf("there are %d bytes of %d", len(packed), size)
	case "RLE":
		if n := unpackRuns(out, packed); n < size {
			return nil, fmt.Errorf("there are %d bytes of %d", n, size)
		}
	case "PIZ":
		return unpackPIZ(packed, e.channels, w, h, size)
	case "PXR24":
		return e.unpackPXR24(packed, w, h)
	default:
		if err := inflate(out, packed); err != nil {
			return nil, err
		}
	}
	for i := 1; i < len(out); i++ { // each byte is the difference to the one before
		out[i] += out[i-1] - 128
	}
	mixed := make([]byte, size) // even indexes first
	half := (size + 1) / 2
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

// unpackPXR24 unpacks PXR24: in the row of a channel stand the first bytes of all values, then the second ones, and so
// on, each value as the difference to the one before. Floats have lost their last byte.
func (e *exr) unpackPXR24(packed []byte, w, h int) ([]byte, error) {
	storedSize := func(c exrChannel) int { return [...]int{exrUint: 4, exrHalf: 2, exrFloat: 3}[c.kind] }
	size := 0
	for _, c := range e.channels {
		size += storedSize(c) * w * h
	}
	in := make([]byte, size)
	if err := inflate(in, packed); err != nil {
		return nil, err
	}
	out := make([]byte, 0, w*h*e.pixelSize)
	for range h {
		for _, c := range e.channels {
			n, value := storedSize(c), uint32(0)
			for x := range w {
				difference := uint32(0)
				for k := range n {
					difference |= uint32(in[k*w+x]) << (8 * (c.size() - 1 - k))
				}
				if value += difference; c.size() == 2 {
					out = little.AppendUint16(out, uint16(value))
				} else {
					out = little.AppendUint32(out, value)
				}
			}
			in = in[n*w:]
		}
	}
	return out, nil
}

// unpackRuns unpacks runs of bytes and returns their number.
func unpackRuns(out, packed []byte) int {
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

// PIZ packs the values of a block, two bytes each, in three steps, which are undone here in the other order: a Huffman
// code, a wavelet over the picture of each channel, and a table of the values that occur.

var errPIZ = errors.New("the PIZ-compressed data is corrupt")

const (
	pizBitmap  = 1 << 13 // bytes with a bit for each value
	pizValues  = 1 << 16
	pizLongest = 58 // bits of a code
)

// unpackPIZ unpacks the values of a block as its rows have them.
func unpackPIZ(packed []byte, channels []exrChannel, w, h, want int) ([]byte, error) {
	table, packed, err := readPIZTable(packed)
	if err != nil || len(packed) < 4 {
		return nil, errPIZ
	}
	packed = packed[4:] // their number
	values := make([]uint16, want/2)
	if err := decodePIZ(values, packed); err != nil {
		return nil, err
	}
	maxValue := uint16(len(table) - 1)
	channelValues := values
	for _, c := range channels {
		size := c.size() / 2
		for i := range size { // the halves of a float are pictures of their own
			pizWavelet(channelValues[i:], w, size, h, w*size, maxValue)
		}
		channelValues = channelValues[w*h*size:]
	}
	out := make([]byte, 0, want)
	for y := range h {
		rest := values
		for _, c := range channels {
			n := w * c.size() / 2
			for _, v := range rest[y*n : (y+1)*n] {
				if int(v) >= len(table) {
					v = 0
				}
				out = little.AppendUint16(out, table[v])
			}
			rest = rest[n*h:]
		}
	}
	return out, nil
}

// readPIZTable reads which values occur, in their order; 0 is always one.
func readPIZTable(packed []byte) (table []uint16, rest []byte, err error) {
	if len(packed) < 4 {
		return nil, nil, errPIZ
	}
	from, to := int(little.Uint16(packed)), int(little.Uint16(packed[2:]))
	packed = packed[4:]
	var bits []byte
	if from <= to {
		if to >= pizBitmap || len(packed) < to-from+1 {
			return nil, nil, errPIZ
		}
		bits, packed = packed[:to-from+1], packed[to-from+1:]
	}
	table = append(table, 0)
	for i, b := range bits {
		for bit := range 8 {
			if v := (from+i)*8 + bit; b&(1<<bit) != 0 && v != 0 {
				table = append(table, uint16(v))
			}
		}
	}
	return table, packed, nil
}

// pizBits reads bits, the most significant first.
type pizBits struct {
	b       []byte
	buffer  uint64
	n       uint // bits in buffer
	isShort bool
}

func (b *pizBits) take(n uint) uint64 {
	for b.n < n {
		if len(b.b) == 0 {
			b.isShort = true
			return 0
		}
		b.buffer, b.n, b.b = b.buffer<<8|uint64(b.b[0]), b.n+8, b.b[1:]
	}
	b.n -= n
	return b.buffer >> b.n & (1<<n - 1)
}

// pizCode is a Huffman code. Codes of one length are consecutive, shorter ones after longer ones.
type pizCode struct {
	first   [pizLongest + 2]uint64
	symbols [pizLongest + 1][]int32
}

// decodePIZ unpacks values that stand in a Huffman code after the lengths of its codes.
func decodePIZ(values []uint16, packed []byte) error {
	if len(values) == 0 {
		return nil
	}
	if len(packed) < 20 {
		return errPIZ
	}
	from, to, bits := little.Uint32(packed), little.Uint32(packed[4:]), int64(little.Uint32(packed[12:]))
	if from > pizValues || to > pizValues || from > to {
		return errPIZ
	}
	r := &pizBits{b: packed[20:]}
	code := readPIZCode(r, int32(from), int32(to))
	if r.isShort || bits > int64(len(r.b))*8 {
		return errPIZ
	}
	r.n = 0 // the codes begin with a byte
	read := func(n uint) uint64 {
		if bits -= int64(n); bits < 0 {
			r.isShort = true
		}
		return r.take(n)
	}
	for n := 0; n < len(values); {
		symbol, ok := code.next(read)
		switch {
		case !ok || r.isShort:
			return errPIZ
		case symbol != int32(to):
			values[n] = uint16(symbol)
			n++
		default: // the value before comes again
			count := int(read(8))
			if n == 0 || n+count > len(values) || r.isShort {
				return errPIZ
			}
			for range count {
				values[n] = values[n-1]
				n++
			}
		}
	}
	return nil
}

// readPIZCode reads the lengths of the codes of symbols.
func readPIZCode(r *pizBits, from, to int32) *pizCode {
	const shortRun, longRun = 59, 63 // of symbols without a code
	c := new(pizCode)
	for s := from; s <= to && !r.isShort; {
		switch l := int32(r.take(6)); {
		case l == longRun:
			s += int32(r.take(8)) + longRun - shortRun + 2
		case l >= shortRun:
			s += l - shortRun + 2
		default:
			if l > 0 {
				c.symbols[l] = append(c.symbols[l], s)
			}
			s++
		}
	}
	for l := pizLongest; l > 0; l-- {
		c.first[l] = (c.first[l+1] + uint64(c.countOf(l+1))) >> 1
	}
	return c
}

func (c *pizCode) countOf(l int) int {
	if l > pizLongest {
		return 0
	}
	return len(c.symbols[l])
}

func (c *pizCode) next(read func(n uint) uint64) (symbol int32, ok bool) {
	code := uint64(0)
	for l := 1; l <= pizLongest; l++ {
		code = code<<1 | read(1)
		if index := code - c.first[l]; code >= c.first[l] && index < uint64(len(c.symbols[l])) {
			return c.symbols[l][index], true
		}
	}
	return 0, false
}

// pizWavelet undoes the wavelet of a picture: dx is the distance of values, dy of rows, and maxValue the largest value.
func pizWavelet(v []uint16, w, dx, h, dy int, maxValue uint16) {
	undoPair := pizPair16
	if maxValue < 1<<14 {
		undoPair = pizPair14
	}
	pair := func(a, b int) { v[a], v[b] = undoPair(v[a], v[b]) }
	step := 1
	for step <= min(w, h) {
		step <<= 1
	}
	for step >>= 1; step > 1; step >>= 1 {
		half := step / 2
		x1, y1 := half*dx, half*dy
		y := 0
		for ; y+step <= h; y += step {
			x := 0
			for ; x+step <= w; x += step {
				index := y*dy + x*dx
				pair(index, index+y1)
				pair(index+x1, index+y1+x1)
				pair(index, index+x1)
				pair(index+y1, index+y1+x1)
			}
			if w&half != 0 {
				index := y*dy + x*dx
				pair(index, index+y1)
			}
		}
		if h&half != 0 {
			for x := 0; x+step <= w; x += step {
				index := y*dy + x*dx
				pair(index, index+x1)
			}
		}
	}
}

// pizPair14 returns two values by their mean and difference, if these have 14 bits.
func pizPair14(mean, difference uint16) (a, b uint16) {
	d := int32(int16(difference))
	sum := int32(int16(mean)) + d&1 + d>>1
	return uint16(sum), uint16(sum - d)
}

// pizPair16 does so for 16 bits, with overflow.
func pizPair16(mean, difference uint16) (a, b uint16) {
	b = mean - difference>>1
	return difference + b - 1<<15, b
}
