package ppac

import (
	"encoding/hex"
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// Compression ids.
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

// entryLeaves are the leaves of INDEX ENTRY that get problems, links and verdicts; nil unless they are recorded.
type entryLeaves struct{ size, location, sum *model.Node }

// readEntry reads INDEX ENTRY.
func (l *Layout) readEntry(e *decode.Cursor, x *Entry) (at entryLeaves) {
	x.TPU = readTPU(e)
	at = l.readPlace(e, x)
	if l.Later {
		at.sum = l.readLaterEntry(e, x)
		return at
	}
	x.Compression = e.U32("compression_id")
	nameNumber(e, compressionNames)
	if l.MemorySize {
		x.MemorySize = e.Number("memory_size", l.size())
	}
	x.Adler32 = e.U32("adler32")
	e.Role(model.RoleSum)
	at.sum = e.Last()
	return at
}

// readPlace reads where the asset is, which comes after the TPU.
func (l *Layout) readPlace(e *decode.Cursor, x *Entry) (at entryLeaves) {
	if l.Later {
		x.Location = e.Offset("offset", l.position())
		at.location = e.Last()
		x.Size = uint64(e.U32("disk_size"))
		at.size = e.Last()
		return at
	}
	x.Size = e.Size("size", l.size())
	at.size = e.Last()
	x.Location = e.Offset("location", l.position())
	at.location = e.Last()
	return at
}

// readLaterEntry reads what the later revision has after the place of the asset, and returns the leaf of the sum.
func (l *Layout) readLaterEntry(e *decode.Cursor, x *Entry) (sum *model.Node) {
	x.MemorySize = uint64(e.U32("memory_size"))
	x.Compression = uint32(e.U8("compression"))
	nameNumber(e, compressionNames)
	b := e.Peek(3)
	unused := b == nil || b[0]|b[1]|b[2] == 0
	if e.Bytes("reserved", "reserved", 3); !unused {
		e.Note("reserved bytes are not zero")
	}
	copy(x.SHA256[:], e.Peek(int64(len(x.SHA256))))
	e.Bytes("sha256", "SHA-256", int64(len(x.SHA256)))
	e.Role(model.RoleSum)
	if sum = e.Last(); sum != nil {
		sum.Value = hex.EncodeToString(x.SHA256[:])
	}
	return sum
}

// entrySize is the number of bytes of INDEX ENTRY.
func (l Layout) entrySize() int64 {
	switch {
	case l.Later:
		return 52 + l.PositionWidth
	case l.MemorySize:
		return 16 + 2*l.SizeWidth + l.PositionWidth
	}
	return 16 + l.SizeWidth + l.PositionWidth
}

// misplaced is the reason why no asset can be at the place that an index entry names.
type misplaced struct {
	what   string // "are not in the file"
	inSize bool   // the size is to blame
}

// of returns the reason as a sentence about an index entry.
func (m *misplaced) of(x *Entry) string {
	return fmt.Sprintf("the %d bytes at %#x %s", x.Size, x.Location, m.what)
}

var (
	outOfFile = &misplaced{what: "are not in the file"}
	tooSmall  = &misplaced{what: "are fewer than an empty asset has", inSize: true}
)

// locate returns the part of the file that an index entry names, or what is wrong with it.
func (f *file) locate(x *Entry) (model.Span, *misplaced) {
	return f.locateAmong(x, f.occupied)
}

// locateAmong is locate where only some sections are known.
func (f *file) locateAmong(x *Entry, occupied sections) (model.Span, *misplaced) {
	size := uint64(f.src.Size())
	if x.Location > size || x.Size > size-x.Location {
		return model.Span{}, outOfFile
	}
	s := model.Span{Offset: int64(x.Location), Size: int64(x.Size)}
	if x.Size < f.layout.leastAsset() {
		return s, tooSmall
	}
	if o := occupied.over(s); o != nil {
		return s, &misplaced{what: "reach into the " + o.name}
	}
	return s, nil
}
