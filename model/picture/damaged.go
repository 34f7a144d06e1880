package picture

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"assay/model"
)

// OpenDamaged reads the intact rows of a damaged PNG file. The others are blank, and Broken of the picture says how
// many rows, or of an interlaced picture what share of the pixels, could be read; it is cause if all could. cause is
// the error of Open; it is returned for other files, and if no row is intact.
func OpenDamaged(ctx context.Context, src *model.Source, cause error) (model.Picture, error) {
	if Recognize(src) != "PNG" || ctx.Err() != nil {
		return model.Picture{}, cause
	}
	var r *repairedPNG
	img, channels, err := decode(func() (io.ReadCloser, error) {
		var err error
		if r, err = newRepairedPNG(stream(ctx, src)); err != nil {
			return nil, err
		}
		return io.NopCloser(r), nil
	})
	if err != nil || r.intact < r.row {
		return model.Picture{}, cause
	}
	p := addOriented(src, model.Picture{Image: img, Format: "PNG " + channels, Broken: cause})
	switch {
	case r.intact == r.total:
	case r.row > 1:
		p.Broken = fmt.Errorf("damaged: %d of %d rows could be read", r.intact/r.row, r.total/r.row)
	default:
		p.Broken = fmt.Errorf("damaged: %d%% of the pixels could be read", r.intact*100/r.total)
	}
	return p, nil
}

// repairedPNG is a PNG with the header and the palette of a damaged one, the pixels that can be expanded, and zeros
// instead of the others. Checksums are not compared.
type repairedPNG struct {
	out        bytes.Buffer // what is read next
	pixels     io.Reader    // the expanded pixels
	compressed bytes.Buffer // written by compressor
	compressor *zlib.Writer // without compression
	block      []byte
	isEnd      bool
	row        int64 // bytes of a row; 1 if the picture is interlaced
	total      int64 // bytes of all rows
	intact     int64 // bytes that could be expanded
	read       int64
}

const (
	pngHeader   = 13       // bytes of IHDR
	maxPNGChunk = 64 << 10 // bytes of a chunk that is needed besides the pixels
	pngBlock    = 32 << 10 // bytes of pixels of a written chunk
)

var errPNGHeader = errors.New("the PNG has no header")

func newRepairedPNG(file io.Reader) (*repairedPNG, error) {
	r := &repairedPNG{block: make([]byte, pngBlock)}
	if _, err := io.CopyN(io.Discard, file, int64(len(pngMark))); err != nil {
		return nil, err
	}
	r.out.WriteString(pngMark)
	data := &pngData{file: file}
	for {
		name, err := data.next()
		switch {
		case err != nil:
			return nil, err
		case name == "IDAT":
			if r.total == 0 {
				return nil, errPNGHeader
			}
			expanded, err := zlib.NewReader(data)
			if err != nil {
				return nil, err
			}
			r.pixels = expanded
			r.compressor, err = zlib.NewWriterLevel(&r.compressed, zlib.NoCompression)
			return r, err
		case name != "IHDR" && name != "PLTE" && name != "tRNS":
			continue
		case data.remaining > maxPNGChunk:
			return nil, errPNGHeader
		}
		chunk := make([]byte, data.remaining)
		if _, err := io.ReadFull(data, chunk); err != nil {
			return nil, err
		}
		if name == "IHDR" {
			if err := r.setSize(chunk); err != nil {
				return nil, err
			}
		}
		r.writeChunk(name, chunk)
	}
}

// setSize reads the header.
func (r *repairedPNG) setSize(header []byte) error {
	if len(header) != pngHeader {
		return errPNGHeader
	}
	width, height := int64(binary.BigEndian.Uint32(header)), int64(binary.BigEndian.Uint32(header[4:]))
	channels := map[byte]int64{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[header[9]]
	if width == 0 || height == 0 || width > maxPixels/height || channels == 0 || header[8] > 16 {
		return errPNGHeader
	}
	size := func(columns, rows int64) int64 {
		if columns == 0 {
			return 0
		}
		return rows * (1 + (columns*channels*int64(header[8])+7)/8)
	}
	if header[12] == 0 {
		r.row, r.total = size(width, 1), size(width, height)
		return nil
	}
	r.row = 1
	for _, pass := range [][4]int64{{0, 8, 0, 8}, {4, 8, 0, 8}, {0, 4, 4, 8}, {2, 4, 0, 4}, {0, 2, 2, 4}, {1, 2, 0, 2},
		{0, 1, 1, 2}} {
		r.total += size((width-pass[0]+pass[1]-1)/pass[1], (height-pass[2]+pass[3]-1)/pass[3])
	}
	return nil
}

// Read implements io.Reader.
func (r *repairedPNG) Read(p []byte) (int, error) {
	for r.out.Len() == 0 {
		if r.isEnd {
			return 0, io.EOF
		}
		if err := r.fillChunk(); err != nil {
			return 0, err
		}
	}
	return r.out.Read(p)
}

// fillChunk writes the next chunk.
func (r *repairedPNG) fillChunk() error {
	block := r.block[:min(int64(len(r.block)), r.total-r.read)]
	n := 0
	if r.intact == r.read { // no error yet
		n, _ = io.ReadFull(r.pixels, block)
	}
	clear(block[n:])
	r.intact, r.read = r.intact+int64(n), r.read+int64(len(block))
	_, err := r.compressor.Write(block)
	if r.isEnd = r.read == r.total; r.isEnd {
		err = errors.Join(err, r.compressor.Close())
	}
	r.writeChunk("IDAT", r.compressed.Bytes())
	r.compressed.Reset()
	if r.isEnd {
		r.writeChunk("IEND", nil)
	}
	return err
}

func (r *repairedPNG) writeChunk(name string, chunk []byte) {
	_ = binary.Write(&r.out, binary.BigEndian, uint32(len(chunk)))
	r.out.WriteString(name)
	r.out.Write(chunk)
	_ = binary.Write(&r.out, binary.BigEndian, crc32.Update(crc32.ChecksumIEEE([]byte(name)), crc32.IEEETable, chunk))
}

// pngData reads the chunks of a PNG: from the first IDAT on, the data of all IDAT as one.
type pngData struct {
	file        io.Reader
	remaining   int64 // bytes of the current chunk
	hasChecksum bool  // the checksum of a chunk is next
	name        string
}

// next goes to the next chunk.
func (d *pngData) next() (name string, err error) {
	skip := d.remaining
	if d.hasChecksum {
		skip += crc32.Size
	}
	if _, err := io.CopyN(io.Discard, d.file, skip); err != nil {
		return "", err
	}
	var head [8]byte
	if _, err := io.ReadFull(d.file, head[:]); err != nil {
		return "", err
	}
	d.remaining, d.hasChecksum, d.name = int64(binary.BigEndian.Uint32(head[:])), true, string(head[4:])
	return d.name, nil
}

// Read reads the current chunk, and with IDAT the next ones.
func (d *pngData) Read(p []byte) (int, error) {
	for d.remaining == 0 {
		if d.name != "IDAT" {
			return 0, io.EOF
		}
		if _, err := d.next(); err != nil {
			return 0, err
		}
		if d.name != "IDAT" {
			d.remaining = 0
		}
	}
	n, err := d.file.Read(p[:min(int64(len(p)), d.remaining)])
	d.remaining -= int64(n)
	return n, err
}
