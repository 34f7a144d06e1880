package ppac

import (
	"encoding/binary"
	"strconv"

	"assay/formats/decode"
	"assay/model"
)

// The published revision's flags. The later one uses bit 0 for offsets of 64 bit and bit 1 for what fits Java arrays:
// no asset exceeds 2^31-1 bytes.
const (
	FlagWideSize     = 1 // size fields are 64 bit
	FlagWidePosition = 2 // position fields are 64 bit
	FlagGiga         = 4 // values may exceed 2^31-1
)

// Compression ids.
const (
	Stored  = 0
	Deflate = 1
)

// order is the order of bytes in all numbers.
var order = binary.BigEndian

var magic = []byte("PPAC")

var (
	indexGuard    = []byte("INDX")
	metadataGuard = []byte("META")
	trashGuard    = []byte("TRSH")
	// Libraries before 17 January 2017 wrote this behind the metadata.
	oldMetadataGuard = []byte{0xFF, 0xEE, 0xDD, 0xCC}
)

var types = decode.Types{
	Numbers: [model.Bool + 1]string{model.U8: "integer", model.U16: "integer", model.U32: "integer", model.U64: "integer", model.S64: "timestamp"},
	Text:    "string",
	Bytes:   "literal",
}

var compressionNames = decode.Names{Stored: "stored", Deflate: "DEFLATE"}

// TPU identifies an asset: what it is, what it is for, which one it is.
type TPU struct {
	Type, Purpose uint16
	Unique        uint32
}

// String is the TPU as a key: TTTT-PPPP-UUUUUUUU.
func (t TPU) String() string {
	const digits = "0123456789ABCDEF"
	b := []byte("TTTT-PPPP-UUUUUUUU")
	v, at := t.bits(), len(b)-1
	for ; at >= 0; at-- {
		if b[at] != '-' {
			b[at] = digits[v&15]
			v >>= 4
		}
	}
	return string(b)
}

// ParseTPU reads what String writes.
func ParseTPU(s string) (TPU, bool) {
	if len(s) != 18 || s[4] != '-' || s[9] != '-' {
		return TPU{}, false
	}
	v, err := strconv.ParseUint(s[:4]+s[5:9]+s[10:], 16, 64)
	return tpuOf(v), err == nil
}

// bits is the TPU as the first eight bytes of an index entry.
func (t TPU) bits() uint64 {
	return uint64(t.Type)<<48 | uint64(t.Purpose)<<32 | uint64(t.Unique)
}

func tpuOf(v uint64) TPU { return TPU{uint16(v >> 48), uint16(v >> 32), uint32(v)} }

// Header is the file header. Times are milliseconds since 1970; the later revision has none.
type Header struct {
	Major, Minor           uint16
	Created, Modified      int64
	Flags                  uint32
	Index, Metadata, Trash uint64 // offsets of sections; 0 is none
}

// Entry is a record of the index.
type Entry struct {
	TPU
	Size        uint64 // published: of the whole DATA ENTRY; later: of the stored bytes
	Location    uint64
	Compression uint32
	MemorySize  uint64 // of the expanded content, where the layout has it
	Adler32     uint32
	SHA256      [32]byte
}

// MetadataEntry is a key with its value. Both may be any bytes.
type MetadataEntry struct {
	Key, Value string
}

// DataEntry is what stands at an asset's location in the published revision.
type DataEntry struct {
	Created, Modified int64
	Data              model.Span // the stored bytes
	Metadata          []MetadataEntry
}

// Layout is how the fields of a file are laid out.
type Layout struct {
	Later         bool
	SizeWidth     int64 // bytes of a size: 4 or 8
	PositionWidth int64 // bytes of an offset: 4 or 8
	MemorySize    bool  // published: index entries have a memory size before the Adler-32
}

// byFlags is the published layout that a header's flags ask for.
func byFlags(flags uint32) Layout {
	l := Layout{SizeWidth: 4, PositionWidth: 4}
	if flags&FlagWideSize != 0 {
		l.SizeWidth = 8
	}
	if flags&FlagWidePosition != 0 {
		l.PositionWidth = 8
	}
	return l
}

// String is the layout in words: "4.0 published, wide size".
func (l Layout) String() string {
	if l.Later {
		if l.PositionWidth == 8 {
			return "4.0 later, long offsets"
		}
		return "4.0 later, short offsets"
	}
	s := "4.0 published, " + map[[2]int64]string{
		{4, 4}: "narrow", {8, 4}: "wide size", {4, 8}: "wide position", {8, 8}: "wide size and position",
	}[[2]int64{l.SizeWidth, l.PositionWidth}]
	if l.MemorySize {
		s += ", memory sizes"
	}
	return s
}

func wide(width int64) model.Number {
	if width == 8 {
		return model.U64
	}
	return model.U32
}

func (l Layout) size() model.Number     { return wide(l.SizeWidth) }
func (l Layout) position() model.Number { return wide(l.PositionWidth) }
func (l Layout) headerSize() int64      { return 28 + 3*l.PositionWidth }

// stride is the size of an index entry.
func (l Layout) stride() int64 {
	switch {
	case l.Later:
		return 52 + l.PositionWidth
	case l.MemorySize:
		return 16 + 2*l.SizeWidth + l.PositionWidth
	}
	return 16 + l.SizeWidth + l.PositionWidth
}

// trashStride is the size of a trash entry.
func (l Layout) trashStride() int64 { return l.PositionWidth + l.SizeWidth }

// least is the size of the smallest asset there can be.
func (l Layout) least() uint64 {
	if l.Later {
		return 0
	}
	return uint64(20 + l.SizeWidth)
}

// place gives where an index entry says its asset is; it is for a million of them.
func (l Layout) place(record []byte) (location, size uint64) {
	if l.Later {
		return number(record[8:], l.PositionWidth), number(record[8+l.PositionWidth:], 4)
	}
	return number(record[8+l.SizeWidth:], l.PositionWidth), number(record[8:], l.SizeWidth)
}

// entry gives the whole of an index entry without nodes for it.
func (l Layout) entry(record []byte) (ent Entry) {
	ent.TPU = tpuOf(order.Uint64(record))
	ent.Location, ent.Size = l.place(record)
	if l.Later {
		rest := record[12+l.PositionWidth:]
		ent.MemorySize, ent.Compression = number(rest, 4), uint32(rest[4])
		copy(ent.SHA256[:], rest[8:])
		return ent
	}
	rest := record[8+l.SizeWidth+l.PositionWidth:]
	ent.Compression = order.Uint32(rest)
	if rest = rest[4:]; l.MemorySize {
		ent.MemorySize = number(rest, l.SizeWidth)
		rest = rest[l.SizeWidth:]
	}
	ent.Adler32 = order.Uint32(rest)
	return ent
}

func number(b []byte, width int64) uint64 {
	if width == 8 {
		return binary.BigEndian.Uint64(b)
	}
	return uint64(binary.BigEndian.Uint32(b))
}
