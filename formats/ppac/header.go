package ppac

import (
	"fmt"
	"math"
	"strings"
	"time"

	"assay/formats/decode"
	"assay/model"
)

// The published revision's flags. The later one uses bit 0 for offsets of 64 bit and bit 1 for what fits Java arrays:
// no asset exceeds 2^31-1 bytes.
const (
	FlagWideSize     = 1 // size fields are 64 bit
	FlagWidePosition = 2 // position fields are 64 bit
	FlagGiga         = 4 // values may exceed 2^31-1

	definedFlags = FlagWideSize | FlagWidePosition | FlagGiga
)

// Header is the file header. Times are milliseconds since 1970; the later revision has none.
type Header struct {
	Major, Minor           uint16
	Created, Modified      int64
	Flags                  uint32
	Index, Metadata, Trash uint64 // offsets of sections; 0 is none
}

// headerNodes are the leaves of the header that have problems and links.
type headerNodes struct {
	minor, flags, index, metadata, trash *model.Node
}

// readHeader reads HEADER.
func (l Layout) readHeader(e *decode.Cursor) (h Header, at headerNodes) {
	e.Magic("magic", magic)
	h.Major = e.U16("major")
	e.As("short")
	h.Minor = e.U16("minor")
	at.minor = e.Last()
	e.As("short")
	if l.Later {
		e.Bytes("reserved", "reserved", 16)
	} else {
		h.Created = e.Time("created")
		h.Modified = e.Time("modified")
	}
	h.Flags = e.U32("flags")
	at.flags = e.Last()
	if e.Recording() {
		e.Symbol(l.flagNames(h.Flags))
	}
	h.Index = e.Offset("index_offset", l.position())
	at.index = e.Last()
	h.Metadata = e.Offset("metadata_offset", l.position())
	at.metadata = e.Last()
	h.Trash = e.Offset("trash_offset", l.position())
	at.trash = e.Last()
	return h, at
}

func (l Layout) flagNames(flags uint32) string {
	names := []string{"WIDE_SIZE", "WIDE_POSITION", "GIGA"}
	if l.Later {
		names = []string{"USE_LONG_OFFSETS", "JAVA_ARRAY_COMPAT"}
	}
	var set []string
	for bit, name := range names {
		if flags&(1<<bit) != 0 {
			set = append(set, name)
		}
		flags &^= 1 << bit
	}
	if flags != 0 {
		set = append(set, fmt.Sprintf("%#x", flags))
	}
	return strings.Join(set, " | ")
}

// timeOf returns a recorded Java time; ok is false for years that no calendar program writes.
func timeOf(ms int64) (t time.Time, ok bool) {
	t = time.UnixMilli(ms).UTC()
	return t, t.Year() >= 1 && t.Year() <= 9999 && t.UnixMilli() == ms
}

func formatTime(v any) string {
	if ms, ok := v.(int64); ok {
		if t, ok := timeOf(ms); ok { // RFC 3339 is fast, but writes no milliseconds that are zero
			b := t.AppendFormat(make([]byte, 0, 32), time.RFC3339)
			b = append(b[:len(b)-1], '.', byte('0'+t.Nanosecond()/1e8), byte('0'+t.Nanosecond()/1e7%10),
				byte('0'+t.Nanosecond()/1e6%10), 'Z')
			return string(b)
		}
	}
	return ""
}

// showHeader records HEADER, with what is wrong with the offsets in it.
func (f *file) showHeader() {
	c := f.c
	c.Try(func() {
		c.Struct("header", "Header", func() {
			h, at := f.layout.readHeader(c)
			if c.Err() != nil {
				return
			}
			if h.Minor != 0 {
				c.RemarkOn(at.minor, model.Warning, "minor version %d is read like 0", h.Minor)
			}
			f.checkFlags(h.Flags, at.flags)
			f.explain(&f.index.part, at.index)
			f.explain(&f.metadata.part, at.metadata)
			f.explain(&f.trashIndex.part, at.trash)
		})
	})
}

// checkFlags compares the flags with what the file has.
func (f *file) checkFlags(flags uint32, leaf *model.Node) {
	if unknown := flags &^ definedFlags; unknown != 0 {
		f.c.RemarkOn(leaf, model.Warning, "no revision of the format defines the flag bits %#x", unknown)
	}
	if f.layout.Later {
		return
	}
	giga := f.index.giga || max(f.index.at, f.metadata.at, f.trashIndex.at) > math.MaxInt32
	if giga && flags&FlagGiga == 0 && f.index.bad == 0 {
		f.c.RemarkOn(leaf, model.Note, "there are values above 2^31-1, so the flag GIGA should be set")
	}
	if l := byFlags(flags); l.SizeWidth != f.layout.SizeWidth || l.PositionWidth != f.layout.PositionWidth {
		f.c.RemarkOn(leaf, model.Note,
			"the flags ask for other widths than the file has: sizes have %d bytes, positions %d",
			f.layout.SizeWidth, f.layout.PositionWidth)
	}
}

// explain says why there is no section where the header says.
func (f *file) explain(p *part, offset *model.Node) {
	if p.fault != "" {
		f.c.RemarkOn(offset, model.Error, "the %s at %#x %s", p.name, offset.Value, p.fault)
		return
	}
	if p.shown {
		at := p.at
		offset.Link = &model.Link{Target: func() (model.Path, bool) { return f.sectionAt(at) }}
	}
}

// sectionAt is the path of the section that begins at off.
func (f *file) sectionAt(off int64) (model.Path, bool) {
	root := f.c.Node()
	for i := range root.Len() {
		if n := root.Child(i); n.Offset == off && n.Type != "Header" {
			return n.Path(), true
		}
	}
	return nil, false
}
