package ppac

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

// Archive is a container to be written, in either revision. It is for samples and tests: everything is in memory.
type Archive struct {
	Layout            Layout // the zero Layout stands for the widths that Flags ask for
	Flags             uint32
	Created, Modified int64 // published only
	Assets            []Asset
	Metadata          []MetadataEntry // of the file; in the later revision it stands under the TPU 0

	// What some files do.
	AdlerOverEntry bool // published: the sums are over the whole DATA ENTRY
	NoSums         bool // later: no SHA-256 is recorded
	OldGuard       bool // later: the guard behind the metadata that libraries before 2017 wrote
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
}

// Write writes a container: header, assets, index, metadata, trash index.
func Write(w io.Writer, a Archive) error {
	l := a.Layout
	if l.PositionWidth == 0 {
		w := byFlags(a.Flags)
		if l.SizeWidth, l.PositionWidth = w.SizeWidth, w.PositionWidth; l.Later {
			l.SizeWidth, l.PositionWidth = 4, w.SizeWidth // the flag of wide sizes means long offsets there
		}
	}
	out := &output{l: l}
	body := &output{l: l}
	index := &output{l: l}
	trash := &output{l: l}
	start := l.headerSize()
	var entries, regions uint32
	for _, s := range a.Assets {
		at := uint64(start) + uint64(body.Len())
		stored, sum, err := body.asset(a, s)
		if err != nil {
			return err
		}
		size := uint64(start) + uint64(body.Len()) - at
		if s.Deleted {
			trash.position(at)
			trash.size(size)
			regions++
			continue
		}
		entries++
		index.entry(a, s, at, size, stored, sum)
	}
	sections := &output{l: l}
	sectionsAt := uint64(start) + uint64(body.Len())
	offsets := [3]uint64{sectionsAt}
	sections.u32(entries)
	sections.Write(index.Bytes())
	sections.guard(indexGuard)
	if metadata := a.metadata(l); metadata != nil {
		offsets[1] = sectionsAt + uint64(sections.Len())
		sections.Write(metadata)
	}
	if regions > 0 {
		offsets[2] = sectionsAt + uint64(sections.Len())
		sections.u32(regions)
		sections.Write(trash.Bytes())
		sections.guard(trashGuard)
	}
	out.Write(magic)
	out.u16(4)
	out.u16(0)
	if !l.Later {
		out.u64(uint64(a.Created))
		out.u64(uint64(a.Modified))
	} else {
		out.Write(make([]byte, 16))
	}
	out.u32(a.Flags)
	for _, o := range offsets {
		out.position(o)
	}
	for _, b := range []*output{out, body, sections} {
		if _, err := w.Write(b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// output is bytes in the making.
type output struct {
	bytes.Buffer
	l Layout
}

func (o *output) u16(v uint16) { o.Write(binary.BigEndian.AppendUint16(nil, v)) }
func (o *output) u32(v uint32) { o.Write(binary.BigEndian.AppendUint32(nil, v)) }
func (o *output) u64(v uint64) { o.Write(binary.BigEndian.AppendUint64(nil, v)) }

func (o *output) sized(v uint64, width int64) {
	if width == 8 {
		o.u64(v)
	} else {
		o.u32(uint32(v))
	}
}

func (o *output) size(v uint64)     { o.sized(v, o.l.SizeWidth) }
func (o *output) position(v uint64) { o.sized(v, o.l.PositionWidth) }

func (o *output) guard(g []byte) {
	if o.l.Later {
		o.Write(g)
	}
}

func (o *output) pairs(entries []MetadataEntry) {
	for _, m := range entries {
		o.WriteByte(byte(len(m.Key)))
		o.WriteByte(byte(len(m.Value)))
		o.WriteString(m.Key)
		o.WriteString(m.Value)
	}
}

// asset writes the bytes of an asset and gives the stored ones and the published revision's sum.
func (o *output) asset(a Archive, s Asset) (stored []byte, sum uint32, err error) {
	if stored, err = pack(s.Codec, s.Content); err != nil {
		return nil, 0, err
	}
	if o.l.Later {
		o.Write(stored)
		return stored, 0, nil
	}
	from := o.Len()
	o.u64(uint64(s.Created))
	o.u64(uint64(s.Modified))
	o.size(uint64(len(stored)))
	o.Write(stored)
	m := output{}
	m.pairs(s.Metadata)
	size := 4 + m.Len()
	o.Write([]byte{byte(size >> 16), byte(size >> 8), byte(size), byte(len(s.Metadata))})
	o.Write(m.Bytes())
	sum = adler32.Checksum(stored)
	if a.AdlerOverEntry {
		sum = adler32.Checksum(o.Bytes()[from:])
	}
	return stored, sum, nil
}

// entry writes an index entry.
func (o *output) entry(a Archive, s Asset, at, size uint64, stored []byte, sum uint32) {
	o.u64(s.TPU.bits())
	id := s.Compression
	if s.Codec != "" {
		id = Deflate
	}
	if !o.l.Later {
		o.size(size)
		o.position(at)
		o.u32(id)
		if o.l.MemorySize {
			o.size(uint64(len(s.Content)))
		}
		o.u32(sum)
		return
	}
	o.position(at)
	o.u32(uint32(len(stored)))
	o.u32(uint32(len(s.Content)))
	if a.NoIDs {
		id = Stored
	}
	o.Write([]byte{byte(id), 0, 0, 0})
	digest := sha256.Sum256(s.Content)
	if a.NoSums {
		digest = [32]byte{}
	}
	o.Write(digest[:])
}

// metadata gives the metadata section; nil if there is nothing to write.
func (a Archive) metadata(l Layout) []byte {
	o := output{l: l}
	if !l.Later {
		if len(a.Metadata) == 0 {
			return nil
		}
		o.pairs(a.Metadata)
		head := output{l: l}
		head.size(uint64(l.metadataHead()) + uint64(o.Len()))
		head.u32(uint32(len(a.Metadata)))
		return append(head.Bytes(), o.Bytes()...)
	}
	blocks, size := uint32(0), uint32(8)
	block := func(t TPU, entries []MetadataEntry) {
		if len(entries) == 0 {
			return
		}
		b := output{}
		b.pairs(entries)
		n := 12 + b.Len() - 2*len(entries) // as the library counts
		o.u64(t.bits())
		o.u16(uint16(len(entries)))
		o.u16(uint16(n))
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
	head := output{l: l}
	head.u32(size)
	head.u32(blocks)
	head.Write(o.Bytes())
	if a.OldGuard {
		head.guard(oldMetadataGuard)
	} else {
		head.guard(metadataGuard)
	}
	return head.Bytes()
}

// pack compresses content.
func pack(codec string, content []byte) ([]byte, error) {
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch codec {
	case "":
		return content, nil
	case zlibStream.String():
		w, err = zlib.NewWriterLevel(&b, zlib.BestCompression)
	case gzipStream.String():
		w = gzip.NewWriter(&b)
	case rawStream.String():
		w, err = flate.NewWriter(&b, flate.BestCompression)
	default:
		err = fmt.Errorf("ppac: there is no compression %q", codec)
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
