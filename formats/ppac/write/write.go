// Package write writes PPAC containers, in both revisions and with numbers of each width. It does not use the package
// that reads them, so that each tests the other.
//
// layout.go computes the offsets and records, write.go writes the bytes of assets and their index entries. A container
// is written from beginning to end, and the content of assets is streamed. The structures after the assets are in
// memory until then: the index, metadata blocks, the trash index.
package write

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io"

	"assay/model"
	"assay/model/checksum"
)

// bufferSize is the number of bytes that are copied at a time.
const bufferSize = 1 << 20

// Encode writes an archive: header, assets, index, metadata, trash index. If an asset does not have its announced size,
// the error wraps model.ErrChanged.
func Encode(ctx context.Context, w io.Writer, a Archive) error {
	p, err := a.layOut()
	if err != nil {
		return err
	}
	out := &writer{plan: p, ctx: ctx, w: w, a: &a, buf: make([]byte, bufferSize), sum: checksum.NewAdler32()}
	if p.layout.Later {
		out.sum = sha256.New()
	}
	if _, err := w.Write(out.header()); err != nil {
		return err
	}
	out.beginSections()
	if err := out.assets(); err != nil {
		return err
	}
	return out.endSections()
}

type writer struct {
	plan
	ctx context.Context
	w   io.Writer
	a   *Archive
	buf []byte
	sum hash.Hash // of the stored bytes of an asset that brings no sum

	// The sections after the assets, which get their elements while those are written.
	index, metadata, trash output
}

// newOutput returns an empty output with room for some bytes.
func (p *plan) newOutput(room int64) output { return output{p.layout, make([]byte, 0, room)} }

func (w *writer) header() []byte {
	o := w.newOutput(w.layout.headerSize())
	o.text("PPAC")
	o.u16(4)
	o.u16(0)
	if w.layout.Later {
		o.text(string(make([]byte, 16)))
	} else {
		o.u64(uint64(w.a.Created))
		o.u64(uint64(w.a.Modified))
	}
	o.u32(w.flags)
	o.position(w.indexOffset)
	o.position(w.metadataOffset)
	o.position(w.trashOffset)
	return o.bytes
}

// countAndGuard is the number of bytes that a section has before and after its elements, at most.
const countAndGuard = 8

// beginSections begins the sections after the assets: with the planned number of elements of each.
func (w *writer) beginSections() {
	t, l := w.totals, w.layout
	w.index = w.newOutput(countAndGuard + int64(t.index)*l.entrySize())
	w.index.u32(uint32(t.index))
	if w.trashOffset > 0 {
		w.trash = w.newOutput(countAndGuard + int64(t.trash)*l.trashEntrySize())
		w.trash.u32(uint32(t.trash))
	}
	if w.metadataOffset == 0 {
		return
	}
	w.metadata = w.newOutput(l.metadataHead() + t.metadata + countAndGuard)
	size := l.metadataHead() + t.metadata
	if l.Later {
		size -= 2 * t.pairs // the library forgets the two lengths of each
	}
	w.metadata.size(size)
	w.metadata.u32(uint32(t.elements))
	switch {
	case l.Later && !t.zeroTPU:
		w.metadata.block(w.a.fileAsset()) // the library has the block of the TPU 0 first, as its hash is 0
	case !l.Later:
		w.metadata.pairs(w.a.Metadata)
	}
}

// assets writes the assets, and adds their elements to the sections.
func (w *writer) assets() error {
	offset, size := w.layout.headerSize(), int64(0)
	var sum []byte
	for i := range w.a.Len {
		s, err := w.a.Asset(i)
		if err == nil && !s.Shared {
			offset += size
			size, sum, err = w.asset(&s)
		} else if ownSum := s.sum(w.layout); ownSum != nil {
			sum = ownSum
		}
		if err != nil {
			return err
		}
		if s.Deleted {
			w.trash.position(offset)
			w.trash.size(size)
			continue
		}
		w.index.entry(&s, offset, size, sum)
		if w.layout.Later {
			w.metadata.block(&s)
		}
	}
	return nil
}

// asset writes the bytes of an asset. It returns their number, and the sum for its index entry.
func (w *writer) asset(s *Asset) (size int64, sum []byte, err error) {
	switch {
	case s.Deleted:
		return s.Size, nil, w.content(s, nil)
	case w.layout.Later:
		sum, err = w.copySummed(s)
		return s.Size, sum, err
	}
	return w.dataEntry(s)
}

// dataEntry writes a DATA ENTRY. It returns the results of asset.
func (w *writer) dataEntry(s *Asset) (size int64, sum []byte, err error) {
	o := w.newOutput(w.layout.dataHead())
	o.u64(uint64(s.Created))
	o.u64(uint64(s.Modified))
	o.size(s.Size)
	size = w.layout.dataHead() + s.Size
	if _, err = w.w.Write(o.bytes); err == nil {
		sum, err = w.copySummed(s)
	}
	if err != nil {
		return 0, nil, err
	}
	o.bytes = o.bytes[:0]
	o.tail(s)
	_, err = w.w.Write(o.bytes)
	return size + int64(len(o.bytes)), sum, err
}

// copySummed copies the stored bytes of an asset, and returns the sum that it brings, else one over those bytes.
func (w *writer) copySummed(s *Asset) (sum []byte, err error) {
	if sum = s.sum(w.layout); sum != nil {
		return sum, w.content(s, nil)
	}
	w.sum.Reset()
	err = w.content(s, w.sum)
	return w.sum.Sum(nil), err
}

// sum returns the sum that an asset brings for an index of a layout, or nil.
func (a *Asset) sum(l Layout) []byte {
	switch {
	case l.Later && a.SHA256 != nil:
		return a.SHA256[:]
	case !l.Later && a.Adler32 != nil:
		return binary.BigEndian.AppendUint32(nil, *a.Adler32)
	}
	return nil
}

// content copies the stored bytes of an asset, also to h if that is not nil. An error of Close takes precedence: the
// source has the more exact error.
func (w *writer) content(s *Asset, h hash.Hash) error {
	r, err := s.Open(w.ctx)
	if err != nil {
		return err
	}
	err = w.copy(r, s, h)
	return cmp.Or(r.Close(), err)
}

// copy is content. It reads until r ends, because r may fail at the end.
func (w *writer) copy(r io.Reader, s *Asset, h hash.Hash) error {
	for left := s.Size; ; {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		n, err := r.Read(w.buf)
		if left -= int64(n); left < 0 || left > 0 && err == io.EOF {
			return fmt.Errorf("ppac: %v no longer has %d bytes: %w", s.TPU, s.Size, model.ErrChanged)
		}
		if err := checksum.WriteSummed(w.w, w.buf[:n], h); err != nil {
			return err
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("ppac: %v: %w", s.TPU, err)
		}
	}
}

// entry appends the INDEX ENTRY of an asset of size bytes at an offset.
func (o *output) entry(s *Asset, offset, size int64, sum []byte) {
	o.tpu(s.TPU)
	if o.layout.Later {
		o.position(offset)
		o.u32(uint32(size))
		o.u32(uint32(s.Expanded))
		o.u32(s.Compression << 24) // a byte, and three that are not used
	} else {
		o.size(size)
		o.position(offset)
		o.u32(s.Compression)
		if o.layout.MemorySize {
			o.size(s.Expanded)
		}
	}
	o.write(sum)
}

// endSections ends the sections, and writes them.
func (w *writer) endSections() error {
	for _, section := range []struct {
		*output
		offset int64
		guard  string
	}{{&w.index, w.indexOffset, "INDX"}, {&w.metadata, w.metadataOffset, "META"}, {&w.trash, w.trashOffset, "TRSH"}} {
		if section.offset == 0 {
			continue
		}
		if w.layout.Later {
			section.text(section.guard)
		}
		if _, err := w.w.Write(section.bytes); err != nil {
			return err
		}
	}
	return nil
}

// TPU identifies an asset: its type, its purpose, and a number that is unique among them.
type TPU struct {
	Type, Purpose uint16
	Unique        uint32
}

// String returns the TPU as a key: TTTT-PPPP-UUUUUUUU.
func (t TPU) String() string { return fmt.Sprintf("%04X-%04X-%08X", t.Type, t.Purpose, t.Unique) }

// MetadataEntry is a key with its value. Both may be any bytes, at most 255.
type MetadataEntry struct {
	Key, Value string
}

// Compression IDs.
const (
	Stored  = 0
	Deflate = 1 // a zlib stream; readers accept gzip and raw DEFLATE, too
)

// Archive is a container to be written.
type Archive struct {
	// Layout is how numbers are laid out. Without a PositionWidth the narrowest is chosen that holds the archive, and
	// the Flags that go with it.
	Layout            Layout
	Flags             uint32
	Created, Modified int64           // published: milliseconds since 1970
	Metadata          []MetadataEntry // later: left out if an asset has the TPU 0, which the metadata need

	Len int // of the assets, in the order of the file
	// Asset returns the i-th asset. It is called for each in order, and then again for each while they are written.
	Asset func(i int) (Asset, error)
}

// Asset is an asset to be written.
type Asset struct {
	TPU
	Created, Modified int64 // published: milliseconds since 1970
	Size              int64 // of the stored bytes
	Expanded          int64 // size of the content; Size if it is not compressed
	Compression       uint32
	// Open returns the stored bytes, Size of them. An error of Close ends the writing, too.
	Open func(ctx context.Context) (io.ReadCloser, error)

	Adler32  *uint32   // published; nil to compute it over the stored bytes
	SHA256   *[32]byte // later; nil to compute it over the stored bytes
	Metadata []MetadataEntry
	// Encoded is the metadata of the asset as another container stores it, which is copied: all of DATA ENTRY after the
	// data in the published revision, a metadata block in the later one. If it is nil, Metadata is written.
	Encoded []byte

	Deleted bool // write the bytes of Open unchanged, and list them as trash
	Shared  bool // its bytes, and without a sum also the sum, are the previous asset's
}

// output collects bytes of a file in a layout.
type output struct {
	layout Layout
	bytes  []byte
}

func (o *output) u8(v uint8)   { o.bytes = append(o.bytes, v) }
func (o *output) u16(v uint16) { o.bytes = binary.BigEndian.AppendUint16(o.bytes, v) }
func (o *output) u32(v uint32) { o.bytes = binary.BigEndian.AppendUint32(o.bytes, v) }
func (o *output) u64(v uint64) { o.bytes = binary.BigEndian.AppendUint64(o.bytes, v) }

// size appends a size, and position an offset, in the width of the layout.
func (o *output) size(v int64)     { o.wide(v, o.layout.SizeWidth) }
func (o *output) position(v int64) { o.wide(v, o.layout.PositionWidth) }

func (o *output) wide(v, width int64) {
	if width == 8 {
		o.u64(uint64(v))
	} else {
		o.u32(uint32(v))
	}
}

func (o *output) write(b []byte) { o.bytes = append(o.bytes, b...) }
func (o *output) text(s string)  { o.bytes = append(o.bytes, s...) }

// tpu appends the identity of an asset.
func (o *output) tpu(t TPU) {
	o.u16(t.Type)
	o.u16(t.Purpose)
	o.u32(t.Unique)
}
