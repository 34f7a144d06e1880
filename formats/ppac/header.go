package ppac

import (
	"fmt"
	"math"
	"time"

	"assay/formats/decode"
	"assay/model"
)

// Layout is a revision of the format and the widths of its numbers.
type Layout struct {
	Later         bool  // the revision that the Java library writes
	SizeWidth     int64 // bytes of a size: 4 or 8
	PositionWidth int64 // bytes of an offset: 4 or 8
	MemorySize    bool  // published: index entries have a memory size before the Adler-32
}

// layoutOf returns the layout of a revision for a header's flags.
func layoutOf(flags uint32, later bool) Layout {
	width := func(flag uint32) int64 {
		if flags&flag != 0 {
			return 8
		}
		return 4
	}
	if later {
		return Layout{Later: true, SizeWidth: 4, PositionWidth: width(flagLongOffsets)}
	}
	return Layout{SizeWidth: width(FlagWideSize), PositionWidth: width(FlagWidePosition)}
}

// String returns the layout in words: "4.0 published, wide size".
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

// size returns the number that the document calls WIDE where it is a size.
func (l Layout) size() model.NumberForm { return formOfWidth(l.SizeWidth) }

// position returns the number that the document calls WIDE where it is an offset.
func (l Layout) position() model.NumberForm { return formOfWidth(l.PositionWidth) }

func formOfWidth(width int64) model.NumberForm {
	if width == 8 {
		return model.U64
	}
	return model.U32
}

// hasMemorySize reports whether index entries have the size of the expanded content.
func (l Layout) hasMemorySize() bool { return l.Later || l.MemorySize }

// fixedSize is the number of bytes of HEADER up to and including the flags, which all layouts have.
const fixedSize = 28

func (l Layout) headerSize() int64 { return fixedSize + 3*l.PositionWidth }

// Header is HEADER. Times are milliseconds since 1970; the later revision has no times.
type Header struct {
	Major, Minor           uint16
	Created, Modified      int64
	Flags                  uint32
	Index, Metadata, Trash uint64 // offsets of sections; 0 if absent
}

// headerLeaves are the leaves of HEADER with problems and links; nil unless recorded.
type headerLeaves struct{ minor, flags, index, metadata, trash *model.Node }

func (l Layout) readHeader(e *decode.Cursor) (h Header, leaves headerLeaves) {
	e.Magic("magic", magic)
	h.Major = e.U16("major")
	e.As("short")
	h.Minor = e.U16("minor")
	leaves.minor = e.Last()
	e.As("short")
	if l.Later {
		e.Bytes("reserved", "reserved", 16)
	} else {
		h.Created = readTime(e, "created")
		h.Modified = readTime(e, "modified")
	}
	h.Flags = e.U32("flags")
	if leaves.flags = e.Last(); leaves.flags != nil {
		leaves.flags.Symbols = l.flags()
	}
	h.Index = e.Offset("index_offset", l.position())
	leaves.index = e.Last()
	h.Metadata = e.Offset("metadata_offset", l.position())
	leaves.metadata = e.Last()
	h.Trash = e.Offset("trash_offset", l.position())
	leaves.trash = e.Last()
	return h, leaves
}

// FLAGS of the published revision. In the later one bit 1 means that no asset exceeds 2^31-1 bytes, which fits Java
// arrays.
const (
	FlagWideSize     = 1 // size fields are 64 bit
	FlagWidePosition = 2 // position fields are 64 bit
	FlagGiga         = 4 // values may exceed 2^31-1
	flagLongOffsets  = 1 // later: offsets are 64 bit

	definedFlags = FlagWideSize | FlagWidePosition | FlagGiga
)

func (l Layout) flags() model.Flags {
	if l.Later {
		return model.Flags{"USE_LONG_OFFSETS", "JAVA_ARRAY_COMPAT"}
	}
	return model.Flags{"WIDE_SIZE", "WIDE_POSITION", "GIGA"}
}

// checkHeader compares the header with the rest of the file, after its sections were found.
func (f *File) checkHeader() {
	c, h, leaves := f.cursor, &f.Header, &f.headerLeaves
	if h.Minor != 0 {
		c.Remark(model.Warning, leaves.minor, "minor version %d is read like 0", h.Minor)
	}
	if unknown := h.Flags &^ definedFlags; unknown != 0 {
		c.Remark(model.Warning, leaves.flags, "no revision of the format defines the flag bits %#x", unknown)
	}
	f.checkFlags()
	if f.indexOffset != 0 {
		c.Remark(model.Error, leaves.index, "no index at %#x, but one at %#x", h.Index, f.indexOffset)
	}
	f.linkSection(&f.index.section, leaves.index)
	f.linkSection(&f.metadata.section, leaves.metadata)
	f.linkSection(&f.trashIndex.section, leaves.trash)
}

// checkFlags compares the flags with the values and the widths that the file has.
func (f *File) checkFlags() {
	flags, leaf := f.Header.Flags, f.headerLeaves.flags
	largest := max(f.index.largest, f.trashIndex.largest,
		uint64(max(f.index.offset, f.metadata.offset, f.trashIndex.offset)))
	if !f.Layout.Later && largest > math.MaxInt32 && flags&FlagGiga == 0 {
		f.cursor.Remark(model.Note, leaf, "there are values above 2^31-1, so the flag GIGA should be set")
	}
	l := layoutOf(flags, f.Layout.Later)
	if l.SizeWidth != f.Layout.SizeWidth || l.PositionWidth != f.Layout.PositionWidth {
		f.cursor.Remark(model.Note, leaf,
			"the flags contradict the widths in the file: sizes have %d bytes, positions %d",
			f.Layout.SizeWidth, f.Layout.PositionWidth)
	}
}

// linkSection links an offset of the header to its section, or reports why there is no section.
func (f *File) linkSection(s *section, offset *model.Node) {
	if s.state == sectionRefused {
		fault := s.fault
		if s == &f.index.section {
			fault = fmt.Errorf("%w; the assets cannot be located without it", fault)
		}
		f.cursor.Remark(model.Error, offset, "the %s at %#x %v", s.name, offset.Value, fault)
		return
	}
	if s.isRecorded() {
		start := s.offset
		offset.Link = &model.Link{Target: func() (model.Path, bool) { return f.sectionAt(start) }}
	}
}

// sectionAt returns the path of the section that begins at off.
func (f *File) sectionAt(off int64) (model.Path, bool) {
	root := f.cursor.Node()
	for i := range root.Len() {
		if n := root.Child(i); n.Offset == off && n.Type != "Header" {
			return n.Path(), true
		}
	}
	return nil, false
}

// timeOf returns a recorded Java time; ok is false for years that no calendar program writes.
func timeOf(ms int64) (t time.Time, ok bool) {
	t = time.UnixMilli(ms).UTC()
	return t, t.Year() >= 1 && t.Year() <= 9999 && t.UnixMilli() == ms
}

// readTime reads a time: milliseconds since 1970.
func readTime(e *decode.Cursor, name string) int64 {
	ms := int64(e.Number(name, model.S64))
	if n := e.Last(); n != nil {
		n.Role, n.Symbols = model.RoleTime, model.SymbolFunc(formatTime)
	}
	return ms
}

// formatTime writes a recorded time for users, always with its milliseconds.
func formatTime(v any) string {
	if ms, ok := v.(int64); ok {
		if t, ok := timeOf(ms); ok {
			return t.Format("2006-01-02T15:04:05.000Z")
		}
	}
	return ""
}
