// Package ppactest writes PPAC containers of content in memory with package write, for tests and for the bundled
// sample: compressed or not, and with the deviations of some writers.
package ppactest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"io"
	"slices"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"

	"assay/formats/ppac/write"
)

// Codecs of an asset's stored bytes.
const (
	Zlib       = "zlib"
	Gzip       = "gzip"
	RawDeflate = "raw-deflate"
)

// Types of the writer.
type (
	Layout        = write.Layout
	TPU           = write.TPU
	MetadataEntry = write.MetadataEntry
)

// NewTPU returns the identity of an asset.
func NewTPU(typ, purpose uint16, unique uint32) TPU {
	return TPU{Type: typ, Purpose: purpose, Unique: unique}
}

// Pairs returns metadata entries from keys and values in turn.
func Pairs(pairs ...string) []MetadataEntry {
	entries := make([]MetadataEntry, len(pairs)/2)
	for i := range entries {
		entries[i] = MetadataEntry{Key: pairs[2*i], Value: pairs[2*i+1]}
	}
	return entries
}

// Archive is a container to be written, in either revision. Everything is in memory.
type Archive struct {
	Layout            Layout // the zero Layout selects the widths of Flags
	Flags             uint32
	Created, Modified int64 // published only
	Assets            []Asset
	Metadata          []MetadataEntry // of the file; with TPU 0 in the later revision

	// Deviations of some writers.
	AdlerOverEntry bool // published: the sums are over the whole DATA ENTRY
	NoSums         bool // later: no SHA-256 is recorded
	SumOfNothing   bool // each checksum is computed over no bytes
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
	Same              bool // it shares the bytes of the asset before it, which has the same content
}

// Write writes a container: header, assets, index, metadata, trash index.
func Write(w io.Writer, a Archive) error {
	out, err := a.archive()
	if err != nil {
		return err
	}
	if !a.OldGuard {
		return write.Encode(context.Background(), w, out)
	}
	var b bytes.Buffer
	if err := write.Encode(context.Background(), &b, out); err != nil {
		return err
	}
	file := b.Bytes()
	copy(file[bytes.LastIndex(file, []byte("META")):], "\xFF\xEE\xDD\xCC")
	_, err = w.Write(file)
	return err
}

// archive returns the archive for the writer.
func (a Archive) archive() (write.Archive, error) {
	assets := make([]write.Asset, len(a.Assets))
	for i, s := range a.Assets {
		if assets[i] = assets[max(i-1, 0)]; i == 0 || !s.Same {
			var err error
			if assets[i], err = a.storedAsset(s); err != nil {
				return write.Archive{}, err
			}
		}
		assets[i].TPU, assets[i].Compression = s.TPU, a.compression(s)
		assets[i].Metadata, assets[i].Deleted, assets[i].Shared = s.Metadata, s.Deleted, i > 0 && s.Same
	}
	return write.Archive{Layout: a.layout(), Flags: a.Flags, Created: a.Created, Modified: a.Modified,
		Metadata: a.Metadata, Len: len(assets),
		Asset: func(i int) (write.Asset, error) { return assets[i], nil }}, nil
}

// layout returns the layout of the archive, or the layout of its flags.
func (a Archive) layout() Layout {
	l := a.Layout
	if l.PositionWidth != 0 {
		return l
	}
	width := func(flag uint32) int64 {
		if a.Flags&flag != 0 {
			return 8
		}
		return 4
	}
	if l.SizeWidth, l.PositionWidth = width(1), width(2); l.Later {
		l.SizeWidth, l.PositionWidth = 4, l.SizeWidth // the flag of wide sizes means long offsets there
	}
	return l
}

// compression is the id that the index has for an asset.
func (a Archive) compression(s Asset) uint32 {
	switch {
	case a.NoIDs && a.Layout.Later:
		return write.Stored
	case s.Codec != "":
		return write.Deflate
	}
	return s.Compression
}

// storedAsset returns an asset as it is stored in an archive.
func (a Archive) storedAsset(s Asset) (write.Asset, error) {
	stored, err := Pack(s.Codec, s.Content)
	if err != nil {
		return write.Asset{}, err
	}
	out := write.Asset{TPU: s.TPU, Created: s.Created, Modified: s.Modified, Size: int64(len(stored)),
		Expanded: int64(len(s.Content)), Compression: a.compression(s), Metadata: s.Metadata, Open: open(stored)}
	entry := stored
	if !a.Layout.Later && (s.Deleted || a.AdlerOverEntry) {
		if entry, err = a.dataEntry(out); err != nil {
			return write.Asset{}, err
		}
	}
	if s.Deleted {
		out.Size, out.Open = int64(len(entry)), open(entry)
	}
	digest := sha256.Sum256(s.Content)
	if a.SumOfNothing {
		digest = sha256.Sum256(nil)
	}
	if out.SHA256 = &digest; a.NoSums {
		out.SHA256 = new([32]byte)
	}
	sum := adler32.Checksum(stored)
	if a.AdlerOverEntry {
		sum = adler32.Checksum(entry)
	}
	if a.SumOfNothing {
		sum = adler32.Checksum(nil)
	}
	out.Adler32 = &sum
	return out, nil
}

// open returns a func that opens b.
func open(b []byte) func(context.Context) (io.ReadCloser, error) {
	return func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }
}

// dataEntry returns the DATA ENTRY of an asset: the bytes between header and index of a container with only this asset.
func (a Archive) dataEntry(s write.Asset) ([]byte, error) {
	l := a.layout()
	var b bytes.Buffer
	err := write.Encode(context.Background(), &b, write.Archive{Layout: l, Len: 1,
		Asset: func(int) (write.Asset, error) { return s, nil }})
	if err != nil {
		return nil, err
	}
	file := b.Bytes()
	header, index := 28+3*l.PositionWidth, binary.BigEndian.Uint32(file[24+l.PositionWidth:]) // the last 4 bytes of it
	return file[header:index], nil
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

// Many returns a published package of n small assets of one type, with the content that each is given, as quickly as
// a million of them need it.
func Many(n int, content func(i int) []byte) []byte {
	var body, index []byte
	be := binary.BigEndian
	for i := range n {
		content, offset := content(i), len(body)
		body = be.AppendUint64(body, 1000)
		body = be.AppendUint64(body, 2000)
		body = be.AppendUint32(body, uint32(len(content)))
		body = append(append(body, content...), 0, 0, 4, 0)
		index = be.AppendUint32(index, 0x01000001)
		size, sum := uint32(len(body)-offset), adler32.Checksum(content)
		for _, v := range []uint32{uint32(i), size, uint32(40 + offset), 0, sum} {
			index = be.AppendUint32(index, v)
		}
	}
	head := append([]byte("PPAC"), 0, 4, 0, 0)
	head = append(head, make([]byte, 16)...)
	for _, v := range []uint32{0, uint32(40 + len(body)), 0, 0} {
		head = be.AppendUint32(head, v)
	}
	return slices.Concat(head, body, be.AppendUint32(nil, uint32(n)), index)
}
