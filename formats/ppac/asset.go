package ppac

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

// Compression IDs.
const (
	Stored  = 0
	Deflate = 1
)

var compressionNames = decode.Names{Stored: "stored", Deflate: "DEFLATE"}

// Entry is INDEX ENTRY.
type Entry struct {
	TPU
	Size        uint64 // published: of the whole DATA ENTRY; later: of the stored bytes
	Location    uint64
	Compression uint32
	MemorySize  uint64   // of the expanded content, where the layout has it
	Adler32     uint32   // published
	SHA256      [32]byte // later; zeros are not a sum
}

// entryLeaves are the leaves of INDEX ENTRY with problems, links and verdicts; nil unless recorded.
type entryLeaves struct{ size, location, sum *model.Node }

func (l *Layout) readEntry(e *decode.Cursor, x *Entry) (leaves entryLeaves) {
	x.TPU = readTPU(e)
	if l.Later {
		return l.readLaterEntry(e, x)
	}
	x.Size = e.Size("size", l.size())
	leaves.size = e.Last()
	x.Location = e.Offset("location", l.position())
	leaves.location = e.Last()
	x.Compression = e.U32("compression_id")
	nameNumber(e, compressionNames)
	if l.MemorySize {
		x.MemorySize = e.Number("memory_size", l.size())
	}
	x.Adler32 = e.U32("adler32")
	e.Role(model.RoleSum)
	leaves.sum = e.Last()
	return leaves
}

// readLaterEntry reads the fields after the TPU of an INDEX ENTRY of the later revision.
func (l *Layout) readLaterEntry(e *decode.Cursor, x *Entry) (leaves entryLeaves) {
	x.Location = e.Offset("offset", l.position())
	leaves.location = e.Last()
	x.Size = uint64(e.U32("disk_size"))
	leaves.size = e.Last()
	x.MemorySize = uint64(e.U32("memory_size"))
	x.Compression = uint32(e.U8("compression"))
	nameNumber(e, compressionNames)
	b := e.Peek(3)
	unused := b == nil || b[0]|b[1]|b[2] == 0
	if e.Bytes("reserved", "reserved", 3); !unused {
		e.Notef("reserved bytes are not zero")
	}
	copy(x.SHA256[:], e.Peek(int64(len(x.SHA256))))
	e.Bytes("sha256", "SHA-256", int64(len(x.SHA256)))
	e.Role(model.RoleSum)
	if leaves.sum = e.Last(); leaves.sum != nil {
		leaves.sum.Value = hex.EncodeToString(x.SHA256[:])
	}
	return leaves
}

// entrySize returns the number of bytes of INDEX ENTRY.
func (l Layout) entrySize() int64 {
	switch {
	case l.Later:
		return 52 + l.PositionWidth
	case l.MemorySize:
		return 16 + 2*l.SizeWidth + l.PositionWidth
	}
	return 16 + l.SizeWidth + l.PositionWidth
}

// locateOutside returns the span that an index entry refers to. The span must be in the file and must not overlap the
// occupied sections. The error is a *misplacedError.
func (k *container) locateOutside(occupied sections, x *Entry) (model.Span, error) {
	size := uint64(k.Source.Size())
	if x.Location > size || x.Size > size-x.Location {
		return model.Span{}, &misplacedError{x.Size, x.Location, "are not in the file"}
	}
	s := model.Span{Offset: int64(x.Location), Size: int64(x.Size)}
	if x.Size < k.Layout.minAssetSize() {
		return s, &misplacedError{x.Size, x.Location, tooShort}
	}
	if o := occupied.overlapping(s); o != nil {
		return s, &misplacedError{x.Size, x.Location, "overlap the " + o.name}
	}
	return s, nil
}

const tooShort = "are too few for an asset"

// misplacedError is the reason why there is no asset at the location of an index entry.
type misplacedError struct {
	size, location uint64
	reason         string // "are not in the file"
}

// Error returns a sentence about the index entry.
func (e *misplacedError) Error() string {
	return fmt.Sprintf("the %d bytes at %#x %s", e.size, e.location, e.reason)
}

// leafOf returns the leaf that is to blame for a misplaced asset.
func (leaves entryLeaves) leafOf(err error) *model.Node {
	if misplaced := (*misplacedError)(nil); errors.As(err, &misplaced) && misplaced.reason == tooShort {
		return leaves.size
	}
	return leaves.location
}

// DataEntry is a DATA ENTRY: the bytes at an asset's location in the published revision.
type DataEntry struct {
	Created, Modified int64
	Data              model.Span // the stored bytes
	Filename          string     // from the metadata of the entry; may be empty

	fit fit
}

// fit is how well bytes read as a DATA ENTRY.
type fit uint8

const (
	fitNot     fit = iota // the data do not fit
	fitOverrun            // the metadata do not fit
	fitShort              // bytes are left over
	fitSize               // complete, but the metadata size is wrong in each interpretation of the document
	fitExact              // every field agrees with the bytes
)

// readDataEntry reads DATA ENTRY, and returns the leaf of the asset's bytes too.
func (l Layout) readDataEntry(e *decode.Cursor) (d DataEntry, data *model.Node) {
	d.Created = readTime(e, "created")
	d.Modified = readTime(e, "modified")
	n := e.Size("data_size", l.size())
	if e.Err() != nil {
		return d, nil
	}
	if left := e.Remaining(); left < 4 || n > uint64(left-4) {
		e.Errorf("%d bytes of data and 4 for the size of the metadata do not fit in the remaining %d bytes of the entry",
			n, left)
		return d, nil
	}
	d.Data = e.Bytes("data", "data", int64(n)).Span
	data = e.Last()
	d.Filename, d.fit = readAssetMetadata(e)
	return d, data
}

// readAssetMetadata reads the metadata at the end of DATA ENTRY, and returns the file name in them and how well the
// entry fits its bytes.
func readAssetMetadata(e *decode.Cursor) (filename string, fits fit) {
	size := int64(e.Size("metadata_size", model.U24))
	sizeLeaf := e.Last()
	count := e.Total("metadata_count", model.U8)
	from := e.Pos()
	filename = readPairs(e, "metadata", count)
	if e.Err() != nil {
		return filename, fitOverrun
	}
	fits = fitExact
	if m := e.Pos() - from; size != m+4 && size != m+3 && size != m+1 && size != m {
		fits = fitSize
		e.Remark(model.Warning, sizeLeaf,
			"the metadata have %d bytes, or %d with the two fields before them, but the recorded size is %d", m, m+4, size)
	}
	if left := e.Remaining(); left > 0 {
		fits = fitShort
		e.Remark(model.Warning, model.Span{Offset: e.Pos(), Size: left}, "the entry ends %d bytes before its recorded size",
			left)
	}
	return filename, fits
}

// minAssetSize returns the number of bytes of an empty asset.
func (l Layout) minAssetSize() uint64 {
	if l.Later {
		return 0
	}
	return uint64(20 + l.SizeWidth)
}

// Asset is an index entry with its bytes. It is immutable.
type Asset struct {
	container *container
	Index     int // of its index entry
	Entry     Entry
	Span      model.Span // the span that the index entry refers to
	DataEntry
}

// readAsset reads the bytes that the i-th index entry names, with a cursor that is where they begin, and returns the
// leaf of the content too. In the later revision all of them are the content.
func (k *container) readAsset(e *decode.Cursor, i int, x *Entry, span model.Span) (a Asset, data *model.Node) {
	a = Asset{container: k, Index: i, Entry: *x, Span: span}
	if k.Layout.Later {
		data = e.Node()
		readBytes(e)
		a.Data, a.fit = span, fitExact
		return a, data
	}
	a.DataEntry, data = k.Layout.readDataEntry(e)
	return a, data
}

// Locate returns the span that an index entry refers to, or an error if there can be no asset.
func (f *File) Locate(x *Entry) (model.Span, error) { return f.locateOutside(f.occupied, x) }

// Asset returns the asset of the i-th index entry, or an error if there can be none at its location.
func (f *File) Asset(i int) (Asset, error) {
	x := f.Entry(i)
	span, err := f.Locate(&x)
	if err != nil {
		return Asset{container: f.container, Index: i, Entry: x}, err
	}
	return f.AssetAt(i, &x, span), nil
}

// AssetAt returns the asset of the i-th index entry, which refers to a span.
func (k *container) AssetAt(i int, x *Entry, span model.Span) (a Asset) {
	k.quiet.borrow(func(quiet *decode.Cursor) {
		quiet.Reset(span)
		a, _ = k.readAsset(quiet, i, x, span)
	})
	return a
}

// Source returns the file that has the asset.
func (a *Asset) Source() *model.Source { return a.container.Source }

// CheckFit returns an error if the data and the metadata of an asset do not fit in its span.
func (a *Asset) CheckFit() error {
	if a.fit <= fitOverrun {
		return errors.New(a.misfitText())
	}
	return nil
}

// misfitText returns the message for data or metadata that exceed the entry.
func (a *Asset) misfitText() string {
	return fmt.Sprintf("the data of the entry at %#x do not fit in it", a.Entry.Location)
}

// Tail returns the part of DATA ENTRY after the data.
func (a *Asset) Tail() model.Span {
	return model.Span{Offset: a.Data.End(), Size: a.Span.End() - a.Data.End()}
}

// StoredReader returns a reader of the stored bytes.
func (a *Asset) StoredReader(ctx context.Context) io.Reader { return a.container.Part(ctx, a.Data) }

// Part returns a reader of a part of the file, which gives the error of ctx once that has ended.
func (k *container) Part(ctx context.Context, s model.Span) io.Reader {
	return &partReader{ctx: ctx, src: k.Source, offset: s.Offset, end: s.End()}
}

// partReader reads a span of a file until its context ends.
type partReader struct {
	ctx         context.Context
	src         *model.Source
	offset, end int64
}

func (r *partReader) Read(p []byte) (int, error) {
	if r.offset >= r.end {
		return 0, io.EOF
	}
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.src.ReadAt(p[:min(int64(len(p)), r.end-r.offset)], r.offset)
	r.offset += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

var copyBuffers = sync.Pool{New: func() any { b := make([]byte, 512<<10); return &b }}

// WriteTo implements io.WriterTo.
func (r *partReader) WriteTo(w io.Writer) (int64, error) { return copyAll(w, r) }

// copyAll copies in big pieces, past the block cache.
func copyAll(w io.Writer, r io.Reader) (int64, error) {
	buf := copyBuffers.Get().(*[]byte)
	defer copyBuffers.Put(buf)
	return io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{r}, *buf)
}

// readBytes reads an element that is only bytes: it has no fields.
func readBytes(e *decode.Cursor) {
	e.Bytes("bytes", "bytes", e.Remaining())
	e.CollapseStruct()
}

func (f *File) recordAssets() {
	elem := "DataEntry"
	if f.Layout.Later {
		elem = "bytes"
	}
	f.assets.recordParts(f.cursor, "assets", "DataEntry[]", elem, f.assetReading, f.assetSummaries())
}

func (f *File) assetReading() (func(k int) model.Span, func(e *decode.Cursor, k int)) {
	entries := f.EntriesInOrder(f.assets.order)
	var entry *Entry    // of the present asset
	var span model.Span // of it
	var err error       // why it cannot be there
	spanOf := func(k int) model.Span {
		entry = entries.At(k)
		if span, err = f.Locate(entry); err != nil {
			return model.Span{}
		}
		return span
	}
	return spanOf, func(e *decode.Cursor, k int) {
		if err != nil { // the file was cut since it was opened
			e.Fail("the index entry cannot be read")
			return
		}
		f.recordAsset(e, entries.Number(k), entry, span)
	}
}

// recordAsset reads DATA ENTRY, or the bare asset of the later revision, and compares it with its index entry if it is
// small.
func (f *File) recordAsset(e *decode.Cursor, i int, x *Entry, span model.Span) {
	loaded := f.loadSmall(e, span)
	a, data := f.readAsset(e, i, x, span)
	if e.Node() != nil {
		e.Key(x.TPU.String())
	}
	if e.Recording() {
		node := e.Node()
		node.SetLabel(func() string { return f.Label(i) })
		node.Link = &model.Link{Key: node.Key, Target: func() (model.Path, bool) { return f.entryPath(i), true }}
	}
	if a.fit == fitNot || e.Err() != nil {
		return
	}
	if severity, fault := f.fault(&a, loaded); fault != "" {
		e.Remark(severity, data, "%s", fault)
	}
}

// fault returns the problem of the content of a small asset, which is checked whenever it is displayed.
func (f *File) fault(a *Asset, loaded []byte) (model.Severity, string) {
	r, _ := f.checkIfSmall(a, loaded)
	switch {
	case r.verdict == model.Invalid:
		why := fmt.Sprintf("the content of %s does not match the %s in the index", a.Entry.TPU, f.Layout.sumName())
		if r.contentFault != nil {
			why += "; " + r.contentFault.Error()
		}
		return model.Error, why
	case r.contentFault != nil:
		return model.Error, fmt.Sprintf("the content of %s: %s", a.Entry.TPU, r.contentFault)
	}
	if f.Layout.hasMemorySize() && a.Entry.Compression == Stored && uint64(a.Data.Size) != a.Entry.MemorySize {
		if a.detectCodec(context.Background(), a.storedMark(), listProof) == notCompressed {
			return model.Warning, fmt.Sprintf("%s has %d bytes of content, but the index records %d", a.Entry.TPU,
				a.Data.Size, a.Entry.MemorySize)
		}
	}
	return model.Note, ""
}

// Label returns the display name of the asset of an index entry: its file name, or else its key.
func (f *File) Label(i int) string {
	a, err := f.Asset(i)
	name := a.Filename
	if f.Layout.Later && err == nil {
		f.quiet.borrow(func(quiet *decode.Cursor) { name = f.filenameOf(quiet, a.Entry.TPU) })
	}
	return cmp.Or(name, a.Entry.TPU.String())
}
