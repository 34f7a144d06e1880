// Package ppactest writes PPAC containers in either revision, for tests and for the sample that the program carries. It
// does not use the package that reads them: what it knows of the format it says itself.
package ppactest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
)

// Codecs of an asset's stored bytes.
const (
	Zlib       = "zlib"
	Gzip       = "gzip"
	RawDeflate = "raw-deflate"
)

// deflate is the id of the only compression that has one.
const deflate = 1

// Layout is how the fields of a file are laid out.
type Layout struct {
	Later         bool
	SizeWidth     int64 // bytes of a size: 4 or 8
	PositionWidth int64 // bytes of an offset: 4 or 8
	MemorySize    bool  // published: index entries have a memory size before the Adler-32
}

// HeaderSize is the number of bytes of the file header.
func (l Layout) HeaderSize() int64 { return 28 + 3*l.PositionWidth }

// TPU identifies an asset: its type, its purpose, and a number that is unique among them.
type TPU struct {
	Type, Purpose uint16
	Unique        uint32
}

// NewTPU returns the identity of an asset.
func NewTPU(typ, purpose uint16, unique uint32) TPU { return TPU{typ, purpose, unique} }

// MetadataEntry is a key with its value. Both may be any bytes.
type MetadataEntry struct {
	Key, Value string
}

// Pairs returns metadata entries from keys and values in turn.
func Pairs(pairs ...string) []MetadataEntry {
	entries := make([]MetadataEntry, len(pairs)/2)
	for i := range entries {
		entries[i] = MetadataEntry{pairs[2*i], pairs[2*i+1]}
	}
	return entries
}

// Archive is a container to be written, in either revision. Everything is in memory.
type Archive struct {
	Layout            Layout // the zero Layout stands for the widths that Flags ask for
	Flags             uint32
	Created, Modified int64 // published only
	Assets            []Asset
	Metadata          []MetadataEntry // of the file; in the later revision it stands under the TPU 0

	// What some files do.
	AdlerOverEntry bool // published: the sums are over the whole DATA ENTRY
	NoSums         bool // later: no SHA-256 is recorded
	OldGuard       bool // later: the guard after the metadata that libraries before 2017 wrote
	NoIDs          bool // later: the compression is not recorded, as libraries before 2017 did
}

// Asset is an asset to be written.
type Asset struct {
	TPU
	Created, Modified int64
	Content           []byte
	Codec             string // "", "zlib", "gzip" or "raw-deflate"
	Compression       uint32 // the id; 1 is written for an asset with a codec
	Metadata          []MetadataEntry
	Deleted           bool // only its bytes are in the file, listed as trash
	Same              bool // its bytes are those of the asset before it, which has the same content
}

// Write writes a container: header, assets, index, metadata, trash index.
func Write(w io.Writer, a Archive) error {
	l := a.Layout
	if l.PositionWidth == 0 {
		width := func(flag uint32) int64 {
			if a.Flags&flag != 0 {
				return 8
			}
			return 4
		}
		if l.SizeWidth, l.PositionWidth = width(1), width(2); l.Later {
			l.SizeWidth, l.PositionWidth = 4, l.SizeWidth // the flag of wide sizes means long offsets there
		}
	}
	out := &Output{Layout: l}
	body := &Output{Layout: l}
	index := &Output{Layout: l}
	trash := &Output{Layout: l}
	start := l.HeaderSize()
	var entries, regions uint32
	var at, size uint64
	var stored []byte
	var sum uint32
	for i, s := range a.Assets {
		if i == 0 || !s.Same {
			at = uint64(start) + uint64(body.Len())
			var err error
			if stored, sum, err = body.Asset(a, s); err != nil {
				return err
			}
			size = uint64(start) + uint64(body.Len()) - at
		}
		if s.Deleted {
			trash.Position(at)
			trash.Size(size)
			regions++
			continue
		}
		entries++
		index.Entry(a, s, at, size, stored, sum)
	}
	sections := &Output{Layout: l}
	sectionsAt := uint64(start) + uint64(body.Len())
	offsets := [3]uint64{sectionsAt}
	sections.U32(entries)
	sections.Write(index.Bytes())
	sections.Guard("INDX")
	if metadata := a.metadata(l); metadata != nil {
		offsets[1] = sectionsAt + uint64(sections.Len())
		sections.Write(metadata)
	}
	if regions > 0 {
		offsets[2] = sectionsAt + uint64(sections.Len())
		sections.U32(regions)
		sections.Write(trash.Bytes())
		sections.Guard("TRSH")
	}
	out.WriteString("PPAC")
	out.U16(4)
	out.U16(0)
	if !l.Later {
		out.U64(uint64(a.Created))
		out.U64(uint64(a.Modified))
	} else {
		out.Write(make([]byte, 16))
	}
	out.U32(a.Flags)
	for _, o := range offsets {
		out.Position(o)
	}
	for _, b := range []*Output{out, body, sections} {
		if _, err := w.Write(b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// Output collects the bytes of a file in a layout.
type Output struct {
	bytes.Buffer
	Layout Layout
}

// U16 appends a number of 16 bits.
func (o *Output) U16(v uint16) { o.Write(binary.BigEndian.AppendUint16(nil, v)) }

// U32 appends a number of 32 bits.
func (o *Output) U32(v uint32) { o.Write(binary.BigEndian.AppendUint32(nil, v)) }

// U64 appends a number of 64 bits.
func (o *Output) U64(v uint64) { o.Write(binary.BigEndian.AppendUint64(nil, v)) }

func (o *Output) sized(v uint64, width int64) {
	if width == 8 {
		o.U64(v)
	} else {
		o.U32(uint32(v))
	}
}

// Size appends a size in the width of the layout.
func (o *Output) Size(v uint64) { o.sized(v, o.Layout.SizeWidth) }

// Position appends an offset in the width of the layout.
func (o *Output) Position(v uint64) { o.sized(v, o.Layout.PositionWidth) }

// Guard appends the four bytes that end a section in the later revision.
func (o *Output) Guard(g string) {
	if o.Layout.Later {
		o.WriteString(g)
	}
}

// TPU appends the identity of an asset.
func (o *Output) TPU(t TPU) {
	o.U16(t.Type)
	o.U16(t.Purpose)
	o.U32(t.Unique)
}

// Pairs appends metadata entries.
func (o *Output) Pairs(entries []MetadataEntry) {
	for _, m := range entries {
		o.WriteByte(byte(len(m.Key)))
		o.WriteByte(byte(len(m.Value)))
		o.WriteString(m.Key)
		o.WriteString(m.Value)
	}
}

// Asset appends the bytes of an asset and returns the stored ones and the published revision's sum.
func (o *Output) Asset(a Archive, s Asset) (stored []byte, sum uint32, err error) {
	if stored, err = Pack(s.Codec, s.Content); err != nil {
		return nil, 0, err
	}
	if o.Layout.Later {
		o.Write(stored)
		return stored, 0, nil
	}
	from := o.Len()
	o.U64(uint64(s.Created))
	o.U64(uint64(s.Modified))
	o.Size(uint64(len(stored)))
	o.Write(stored)
	m := Output{}
	m.Pairs(s.Metadata)
	size := 4 + m.Len()
	o.Write([]byte{byte(size >> 16), byte(size >> 8), byte(size), byte(len(s.Metadata))})
	o.Write(m.Bytes())
	sum = adler32.Checksum(stored)
	if a.AdlerOverEntry {
		sum = adler32.Checksum(o.Bytes()[from:])
	}
	return stored, sum, nil
}

// Entry appends an index entry.
func (o *Output) Entry(a Archive, s Asset, at, size uint64, stored []byte, sum uint32) {
	o.TPU(s.TPU)
	id := s.Compression
	if s.Codec != "" {
		id = deflate
	}
	if !o.Layout.Later {
		o.Size(size)
		o.Position(at)
		o.U32(id)
		if o.Layout.MemorySize {
			o.Size(uint64(len(s.Content)))
		}
		o.U32(sum)
		return
	}
	o.Position(at)
	o.U32(uint32(len(stored)))
	o.U32(uint32(len(s.Content)))
	if a.NoIDs {
		id = 0
	}
	o.Write([]byte{byte(id), 0, 0, 0})
	digest := sha256.Sum256(s.Content)
	if a.NoSums {
		digest = [32]byte{}
	}
	o.Write(digest[:])
}

// metadata returns the metadata section; nil if there is nothing to write.
func (a Archive) metadata(l Layout) []byte {
	o := Output{Layout: l}
	if !l.Later {
		if len(a.Metadata) == 0 {
			return nil
		}
		o.Pairs(a.Metadata)
		head := Output{Layout: l}
		head.Size(uint64(l.SizeWidth+4) + uint64(o.Len()))
		head.U32(uint32(len(a.Metadata)))
		return append(head.Bytes(), o.Bytes()...)
	}
	blocks, size := uint32(0), uint32(8)
	block := func(t TPU, entries []MetadataEntry) {
		if len(entries) == 0 {
			return
		}
		b := Output{}
		b.Pairs(entries)
		n := 12 + b.Len() - 2*len(entries) // as the library counts
		o.TPU(t)
		o.U16(uint16(len(entries)))
		o.U16(uint16(n))
		o.Write(b.Bytes())
		blocks++
		size += uint32(n)
	}
	for _, s := range a.Assets {
		block(s.TPU, s.Metadata)
	}
	block(TPU{}, a.Metadata)
	if blocks == 0 {
		return nil
	}
	head := Output{Layout: l}
	head.U32(size)
	head.U32(blocks)
	head.Write(o.Bytes())
	if a.OldGuard {
		head.Guard("\xFF\xEE\xDD\xCC") // libraries before 17 January 2017
	} else {
		head.Guard("META")
	}
	return head.Bytes()
}

// Pack compresses content.
func Pack(codec string, content []byte) ([]byte, error) {
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch codec {
	case "":
		return content, nil
	case Zlib:
		w, err = zlib.NewWriterLevel(&b, zlib.BestCompression)
	case Gzip:
		w = gzip.NewWriter(&b)
	case RawDeflate:
		w, err = flate.NewWriter(&b, flate.BestCompression)
	default:
		err = fmt.Errorf("ppactest: there is no compression %q", codec)
	}
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
