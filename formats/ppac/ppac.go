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
// ppac.go opens a file, and choose.go detects its revision. asset.go reads the index entry and the bytes of an asset,
// codec.go expands them, check.go verifies the content; tpu.go has the IDs and the types. Content is never expanded
// beyond the size in the index. Without one, it is checked to model.MaxExpanded, and streamed as far as the caller
// reads.
//
// Not supported: other major versions (only the version is decoded), compressions other than DEFLATE (the stored bytes
// can be exported), and assets without an index, which have no mark. An index of at most 64 MiB is found without its
// offset in the header if a section or the end of the file follows it.
package ppac

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"assay/formats/decode"
	"assay/model"
	"assay/model/content"
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
func (p *cursorPool) borrow(read func(quiet *decode.Cursor)) {
	quiet := p.pool.Get().(*decode.Cursor)
	defer p.pool.Put(quiet)
	read(quiet)
}

// File is an open container with its sections and assets. It is safe for concurrent reads.
type File struct {
	*container
	Header       Header
	headerLeaves headerLeaves
	index        index
	metadata     metadata
	trashIndex   trashIndex
	occupied     sections // no asset may overlap them

	entries entries
	assets  spanIndex // by the index
	trash   spanIndex // by the trash index
}

// Sniff reports whether a file that begins with head is a PPAC, or Maybe if it ends within the magic number.
func Sniff(head []byte, size int64) decode.Confidence {
	switch {
	case bytes.HasPrefix(head, magic):
		return decode.Yes
	case size < int64(len(magic)) && size >= 2 && bytes.HasPrefix(magic, head):
		return decode.Maybe
	}
	return decode.No
}

// Open reads the header and the sections of a container and finds its assets.
func Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	c := decode.New(ctx, src, "Ppac", order, &types)
	head, err := readHead(c)
	if err != nil {
		return nil, err
	}
	if !isSupported(src, head) {
		return unsupportedDocument(c, head), nil
	}
	f, why, err := read(ctx, c, head)
	if err != nil {
		return nil, err
	}
	return f.document(why), nil
}

// isSupported reports whether a container is of version 4, or ends before the version.
func isSupported(src *model.Source, head Header) bool { return src.Size() < 8 || head.Major == 4 }

// readHead reads the fields of HEADER that all layouts share, up to the flags. Fields after the end of the file are
// zero.
func readHead(c *decode.Cursor) (head Header, err error) {
	s := model.Span{Size: min(fixedSize, c.Source().Size())}
	b, err := c.Source().Bytes(s)
	if err != nil {
		return head, fmt.Errorf("ppac: header: %w", err)
	}
	if k := min(len(b), len(magic)); k == 0 || !bytes.Equal(b[:k], magic[:k]) {
		return head, fmt.Errorf("ppac: the file does not begin with PPAC (at 0x0)")
	}
	head, _ = Layout{}.readHeader(c.Aside(s))
	return head, nil
}

// Read opens a container of a supported version.
func Read(ctx context.Context, src *model.Source) (*File, error) {
	c := decode.New(ctx, src, "Ppac", order, &types)
	head, err := readHead(c)
	if err != nil {
		return nil, err
	}
	if !isSupported(src, head) {
		return nil, fmt.Errorf("%s has an unsupported format version (only 4)", model.OneLine(src.Name(), 400))
	}
	f, _, err := read(ctx, c, head)
	return f, err
}

// FileOf returns the container of a document, or nil if the document has none, or has no assets.
func FileOf(d *model.Document) *File {
	if p, ok := content.Unwrap(d.Payloads).(payloads); ok {
		return p.f
	}
	return nil
}

// Missing returns the name of a damaged section, so that assets or their metadata may be missing, or "".
func (f *File) Missing() string {
	switch {
	case !f.index.isRecorded() || f.index.countFaultFormat != "":
		return f.index.name
	case f.metadata.state == sectionRefused || f.metadata.isRecorded() && !f.metadata.complete:
		return f.metadata.name
	}
	return ""
}

// read chooses the layout of a container, with the reason, and records the header, the sections and the assets.
func read(ctx context.Context, c *decode.Cursor, head Header) (f *File, why string, err error) {
	k, why := chooseLayout(ctx, newContainer(c), head)
	f = &File{container: k, entries: entries{container: k}}
	f.adlerCoverage = sync.OnceValue(f.chooseAdlerCoverage)
	f.index.name = "index"
	f.metadata.section = section{name: "metadata", optional: true}
	f.trashIndex.section = section{name: "trash index", optional: true}
	return f, why, f.record(ctx)
}

// record records the header, the sections and the assets.
func (f *File) record(ctx context.Context) error {
	if f.recordHeader() {
		if err := f.findSections(ctx); err != nil {
			return err
		}
		f.checkHeader()
	}
	f.recordIndex()
	f.recordMetadata()
	f.recordTrashIndex()
	f.recordAssets()
	f.recordTrash()
	return ctx.Err()
}

// document returns the recorded document, with the assets as payloads, a table and groups.
func (f *File) document(why string) *model.Document {
	doc := model.NewDocument(f.Source, "ppac", f.Layout.String(), f.cursor.Close())
	doc.Why = why
	doc.IsPackage, doc.IsLayered = true, true
	doc.Item, doc.Meaning = f.describeNode, fields.Meaning
	if f.entries.n > 0 {
		doc.Payloads = payloads{f}
		doc.FindKey = f.findKey
		doc.Tables = []model.TableSource{{Name: "Index", Assets: true, Open: f.table}}
		doc.Groups = []model.Grouping{
			{Name: "Index by type", Build: f.byType},
			{Name: "Index by purpose", Build: f.byPurpose},
		}
	}
	return doc
}

// recordHeader records HEADER, and reports whether it is whole.
func (f *File) recordHeader() bool {
	return f.cursor.Try(func() {
		f.cursor.Struct("header", "Header", func() { f.Header, f.headerLeaves = f.Layout.readHeader(f.cursor) })
	})
}

// unsupportedDocument returns the document of a container of another version, with only the version decoded.
func unsupportedDocument(c *decode.Cursor, head Header) *model.Document {
	c.Struct("header", "Header", func() {
		c.Magic("magic", magic)
		major := c.U16("major")
		c.As("short")
		c.Errorf("version %d is not supported (only 4)", major)
		c.U16("minor")
		c.As("short")
	})
	variant := fmt.Sprintf("%d.%d", head.Major, head.Minor)
	doc := model.NewDocument(c.Source(), "ppac", variant, c.Close())
	doc.Why, doc.Meaning = "unsupported version in the header", fields.Meaning
	return doc
}

// section is a part of the file that the header refers to: index, metadata or trash index.
type section struct {
	name     string
	optional bool  // the offset in the header may be 0
	offset   int64 // where it begins: by the header, or where a lost index was found
	state    sectionState
	fault    error // why it is refused
	span     model.Span
}

// sectionState is how certain a section is.
type sectionState uint8

const (
	sectionAbsent   sectionState = iota // the header has no offset
	sectionRefused                      // the offset of the header is invalid
	sectionDoubtful                     // the offset is possible, but the bytes alone do not prove the section
	sectionProven                       // its bytes alone prove it
)

func (s *section) isRecorded() bool { return s.state >= sectionDoubtful }

// setProven sets whether the bytes of a recorded section alone prove it.
func (s *section) setProven(proven bool) {
	s.state = sectionDoubtful
	if proven {
		s.state = sectionProven
	}
}

// proveByGuard sets whether a guard follows a section of the later revision that is whole. The guard is a part of it.
func (s *section) proveByGuard(quiet *decode.Cursor, complete bool, limit int64, guards ...[]byte) {
	quiet.Reset(model.Span{Offset: s.span.End(), Size: min(guardSize, limit-s.span.End())})
	if s.setProven(complete && isGuard(quiet.Peek(guardSize), guards...)); s.state == sectionProven {
		s.span.Size += guardSize
	}
}

// setOffset sets where the section begins, if it can begin there. minSize is the minimum size of the section, in bytes.
func (s *section) setOffset(f *File, offset uint64, minSize int64) {
	switch {
	case offset == 0 && s.optional:
		return
	case offset > uint64(f.Source.Size()) || f.Source.Size()-int64(offset) < minSize:
		s.refuse("is not in the file")
	case int64(offset) < f.Layout.headerSize():
		s.refuse("overlaps the header")
	default:
		s.offset, s.state = int64(offset), sectionDoubtful
		s.span = model.Span{Offset: s.offset, Size: minSize}
	}
}

// refuse drops a section, with the reason.
func (s *section) refuse(why string) {
	s.state, s.fault, s.span = sectionRefused, errors.New(why), model.Span{}
}

// record records a section, if it is valid, as a struct with those fields. An error ends the section only.
func (s *section) record(c *decode.Cursor, name, typ string, fields func()) {
	if s.isRecorded() {
		c.Try(func() {
			c.GoTo(s.offset)
			c.Struct(name, typ, fields)
		})
	}
}

// sections lists sections with certain spans.
type sections []*section

// overlapping returns a section that shares a byte with s, or nil.
func (l sections) overlapping(s model.Span) *section {
	for _, o := range l {
		if o.span.Overlaps(s) {
			return o
		}
	}
	return nil
}

// findSections finds the spans of the sections and the assets, the certain ones first: a doubtful section must not take
// their bytes.
//
//   - Each section begins at the offset in the header, a lost index at its detected offset. Its bytes determine its
//     elements, up to the end of the file.
//   - The index occupies its bytes first, then the proven sections: no asset may overlap them.
//   - The assets occupy the spans in the index outside of these.
//   - A doubtful section ends before them, and before the next section.
//   - Trash is the rest that its index lists.
func (f *File) findSections(ctx context.Context) error {
	f.occupied = sections{{name: "header", span: model.Span{Size: min(f.Layout.headerSize(), f.Source.Size())}}}
	f.index.setOffset(f, cmp.Or(f.indexOffset, f.Header.Index), 4)
	f.metadata.setOffset(f, f.Header.Metadata, f.Layout.metadataHead())
	f.trashIndex.setOffset(f, f.Header.Trash, 4)
	f.findMetadata(ctx, f.Source.Size())
	f.findTrashIndex(ctx, f.Source.Size())
	if err := f.findIndex(ctx); err != nil {
		return err
	}
	f.occupy(&f.index.section)
	f.occupyProven(&f.metadata.section)
	f.occupyProven(&f.trashIndex.section)
	if err := f.findAssets(ctx); err != nil {
		return err
	}
	f.findBetweenAssets(ctx, &f.metadata.section, f.findMetadata)
	f.findBetweenAssets(ctx, &f.trashIndex.section, f.findTrashIndex)
	return f.findTrash(ctx)
}

// occupy reserves the bytes of a recorded section.
func (f *File) occupy(s *section) {
	if s.isRecorded() {
		f.occupied = append(f.occupied, s)
	}
}

// occupyProven reserves the bytes of a section that proves itself, unless others have some of them.
func (f *File) occupyProven(s *section) {
	if s.state != sectionProven {
		return
	}
	if o := f.occupied.overlapping(s.span); o != nil {
		s.setProven(false) // findBetweenAssets finds the remaining space, if any
		if o.span.Contains(s.offset) {
			s.refuse("overlaps the " + o.name)
		}
		return
	}
	f.occupy(s)
}

// findBetweenAssets cuts a section that does not prove itself to the space that the assets and the other sections
// leave: find looks again for its elements if they reach further.
func (f *File) findBetweenAssets(ctx context.Context, s *section, find func(ctx context.Context, limit int64)) {
	if s.state != sectionDoubtful {
		return
	}
	head := model.Span{Offset: s.offset, Size: 1}
	if o := f.occupied.overlapping(head); o != nil {
		s.refuse("overlaps the " + o.name)
		return
	}
	if f.assets.overlaps(head) {
		s.refuse("overlaps an asset")
		return
	}
	limit := f.assets.next(s.offset, f.Source.Size())
	for _, o := range f.occupied {
		if o.span.Offset > s.offset {
			limit = min(limit, o.span.Offset)
		}
	}
	for _, o := range []*section{&f.index.section, &f.metadata.section, &f.trashIndex.section} {
		if o.isRecorded() && o.offset > s.offset {
			limit = min(limit, o.offset)
		}
	}
	if s.span.End() > limit {
		find(ctx, limit)
	}
	f.occupy(s)
}

// The later revision has a guard after each section.
var (
	indexGuard    = []byte("INDX")
	metadataGuard = []byte("META")
	trashGuard    = []byte("TRSH")
	// Libraries before 17 January 2017 wrote this after the metadata.
	oldMetadataGuard = []byte{0xFF, 0xEE, 0xDD, 0xCC}
)

const guardSize = 4

// isGuard reports whether got is a guard.
func isGuard(got []byte, guards ...[]byte) bool {
	return slices.ContainsFunc(guards, func(g []byte) bool { return bytes.Equal(got, g) })
}

// readGuard reads the guard after a section. Bytes that are not a guard may be anything; they are left to be a gap.
func readGuard(e *decode.Cursor, guards ...[]byte) {
	switch got := e.Peek(guardSize); {
	case len(got) < guardSize:
		e.Fail("guard needs 4 bytes, but only %d remain", e.Remaining())
	case !isGuard(got, guards...):
		e.Fail("guard is % x, not %q", bytes.Clone(got), guards[0])
	default:
		e.Text("guard", guardSize)
		e.As("literal")
	}
}
