// Package ppac reads the PhoenixLAB Packaged Asset Container, version 4.0: assets with a type, a purpose and a unique
// ID each (a TPU), optionally compressed, with an index, key/value metadata and lists of deleted regions. Package write
// writes containers, and package packing creates them from files and from other containers.
//
// Two revisions have the version 4.0. The published one is the "PPAC File Specification, Version 4.0" of September 2014
// by Vincent Zhang, in which every asset is in a DATA ENTRY with two times and metadata. The later one is from the
// Java library PhoenixPAC (github.com/vincentzhang96/PhoenixPAC): guards after the sections, SHA-256 instead of
// Adler-32, bare assets, metadata by TPU. The bytes decide the revision and the widths of numbers, because the two give
// the same flag bits different meanings and the published document contradicts itself about sizes.
//
// open.go opens a file, and choose.go detects its revision. asset.go reads the index entry and the bytes of an asset,
// codec.go expands them, check.go verifies the content; tpu.go has the IDs, types.go the types. Content is never
// expanded beyond the size in the index. Without one, it is checked to model.MaxExpanded, and streamed as far as the
// caller reads.
//
// Not supported: other major versions (only the version is decoded), compressions other than DEFLATE (the stored bytes
// can be exported), and assets without an index, which have no mark. An index of at most 64 MiB is found without its
// offset in the header if a section or the end of the file follows it.
package ppac

import (
	_ "embed"
	"encoding/binary"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

var order = binary.BigEndian

var magic = []byte("PPAC")

var types = decode.Types{
	Numbers: [model.Bool + 1]string{model.U8: "integer", model.U16: "integer", model.U24: "integer",
		model.U32: "integer", model.U64: "integer", model.S64: "timestamp"},
	Text: "string", Bytes: "literal",
}

//go:embed icon.png
var iconPNG []byte

// Formats returns the format that this package reads, with its packer.
func Formats(packer *model.Packer) []decode.Format {
	return []decode.Format{{Name: "ppac", Sniff: Sniff, Open: Open, Packer: packer, Page: fields.Page,
		FileType: model.FileType{
			MIME: "application/x-ppac", Title: "PhoenixLAB packaged asset container", Icon: "ppac", Picture: iconPNG,
			Globs: []string{"*.ppac"}, Shared: []string{"*.pac"},
			Magic: []model.Magic{{Bytes: []byte("PPAC\x00\x04")}}}}}
}

//go:embed fields.md
var fieldsText string

// fields documents the fields of a container.
var fields = &decode.Glossary{Name: "ppac", Text: fieldsText, Values: map[string]model.Choices{
	"IndexEntry.type":           typeNames,
	"IndexEntry.compression_id": compressionNames,
	"IndexEntry.compression":    compressionNames,
}}

// container is a file in a layout. Any goroutine may read parts and check assets.
type container struct {
	cursor      *decode.Cursor // records the file; creates other cursors
	Source      *model.Source
	Layout      Layout
	indexOffset uint64 // the offset of an index without a valid offset in the header, else 0
	quiet       *cursorPool
	results     *cache[Entry, result]     // of the checks of its assets
	sums        *cache[stream, checksums] // of the bytes of its assets

	// adlerCoverage returns the bytes that the Adler-32 checksums of the file cover.
	adlerCoverage func() coverage
}

// cursorPool is a pool of quiet cursors for single lookups; a reader of a list has its own. With the pool
// BenchmarkDumpMillion allocates 0.9 GB, without it 1.7 GB. It is safe for concurrent use.
type cursorPool struct{ pool sync.Pool }

// newContainer returns the file that c records, before its layout is chosen.
func newContainer(c *decode.Cursor) container {
	return container{cursor: c, Source: c.Source(),
		quiet:         &cursorPool{sync.Pool{New: func() any { return c.Quiet(model.Span{}) }}},
		adlerCoverage: func() coverage { return overUnknown }}
}

// withLayout returns the same file in a layout, without results of checks.
func (k container) withLayout(l Layout) *container {
	k.Layout, k.results, k.sums = l, newCache[Entry, result](), newCache[stream, checksums]()
	return &k
}

// borrow calls read with a cursor that is read's own until it returns, and with it the bytes that were peeked at.
func (l *cursorPool) borrow(read func(quiet *decode.Cursor)) {
	quiet := l.pool.Get().(*decode.Cursor)
	defer l.pool.Put(quiet)
	read(quiet)
}
