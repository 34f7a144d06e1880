package ppac

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"assay/formats/decode"
	"assay/model"
)

// headerNodes are the leaves of the header that something is said about.
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
		h.Created = readTime(e, "created")
		h.Modified = readTime(e, "modified")
	}
	h.Flags = e.U32("flags")
	at.flags = e.Last()
	if e.Recording() {
		e.Symbol(l.flagNames(h.Flags))
	}
	h.Index = e.Number("index_offset", l.position())
	e.Role(model.RoleOffset)
	at.index = e.Last()
	h.Metadata = e.Number("metadata_offset", l.position())
	e.Role(model.RoleOffset)
	at.metadata = e.Last()
	h.Trash = e.Number("trash_offset", l.position())
	e.Role(model.RoleOffset)
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

// readTime reads a Java time.
func readTime(e *decode.Cursor, name string) int64 {
	ms := e.S64(name)
	e.Role(model.RoleTime)
	if t, ok := timeOf(ms); ok && e.Err() == nil {
		e.Last().Symbol = t.Format("2006-01-02T15:04:05.000Z")
	}
	return ms
}

// timeOf gives a recorded time; ok is false for years that no calendar program writes.
func timeOf(ms int64) (t time.Time, ok bool) {
	t = time.UnixMilli(ms).UTC()
	return t, t.Year() >= 1 && t.Year() <= 9999 && t.UnixMilli() == ms
}

// entryNodes are the leaves of an index entry that something is said about.
type entryNodes struct {
	location, size, sum *model.Node
}

// readEntry reads INDEX ENTRY.
func (l Layout) readEntry(e *decode.Cursor) (ent Entry, at entryNodes) {
	t, _ := e.Enum("type", "integer", model.U16, typeNames)
	ent.Type = uint16(t)
	ent.Purpose = e.U16("purpose")
	ent.Unique = e.U32("unique")
	if l.Later {
		ent.Location = e.Number("offset", l.position())
		e.Role(model.RoleOffset)
		at.location = e.Last()
		ent.Size = uint64(e.U32("disk_size"))
		at.size = e.Last()
		ent.MemorySize = uint64(e.U32("memory_size"))
		id, _ := e.Enum("compression", "integer", model.U8, compressionNames)
		ent.Compression = uint32(id)
		zero := bytes.Equal(e.Peek(3), []byte{0, 0, 0})
		e.Bytes("reserved", "reserved", 3)
		if !zero {
			e.Note("reserved bytes are not zero")
		}
		sum := e.Peek(32)
		copy(ent.SHA256[:], sum)
		e.Bytes("sha256", "SHA-256", 32)
		at.sum = e.Last()
		e.Value(func() any { return hex.EncodeToString(ent.SHA256[:]) })
	} else {
		ent.Size = e.Number("size", l.size())
		e.Role(model.RoleSize)
		at.size = e.Last()
		ent.Location = e.Number("location", l.position())
		e.Role(model.RoleOffset)
		at.location = e.Last()
		id, _ := e.Enum("compression_id", "integer", model.U32, compressionNames)
		ent.Compression = uint32(id)
		if l.MemorySize {
			ent.MemorySize = e.Number("memory_size", l.size())
		}
		ent.Adler32 = e.U32("adler32")
		at.sum = e.Last()
	}
	if e.Recording() {
		e.Key(ent.TPU.String())
	}
	return ent, at
}

// fit is how well bytes read as a DATA ENTRY.
type fit uint8

const (
	fitNot     fit = iota // the data do not fit
	fitOverrun            // the metadata do not fit
	fitShort              // bytes are left over
	fitSize               // all is there, but the metadata size is none of the readings
	fitExact
)

// readDataEntry reads DATA ENTRY. data is the leaf of the asset's bytes, nil if they do not fit.
func (l Layout) readDataEntry(e *decode.Cursor) (d DataEntry, f fit, data *model.Node) {
	head := e.Limit(e.Pos() + 16 + l.SizeWidth) // so that no more than this is read from a big asset
	d.Created = readTime(e, "created")
	d.Modified = readTime(e, "modified")
	n := e.Number("data_size", l.size())
	e.Role(model.RoleSize)
	head()
	if e.Err() != nil {
		return d, fitNot, nil
	}
	if left := e.Left(); left < 4 || n > uint64(left-4) {
		e.Wrong("%d bytes of data and 4 for the size of the metadata do not fit in the %d that are left of the entry", n, left)
		return d, fitNot, nil
	}
	d.Data = e.Bytes("data", "data", int64(n)).Span
	data = e.Last()
	size := int64(e.U24("metadata_size", "integer"))
	e.Role(model.RoleSize)
	sizeLeaf := e.Last()
	count := e.U8("metadata_count")
	e.Role(model.RoleCount)
	from := e.Pos()
	if count > 0 {
		e.Struct("metadata", "MetadataEntry[]", func() {
			e.Repeat("MetadataEntry", int64(count), func(int) {
				if m := readMetadataEntry(e); e.Err() == nil {
					d.Metadata = append(d.Metadata, m)
				}
			})
		})
	}
	if e.Err() != nil {
		return d, fitOverrun, data
	}
	f = fitExact
	if m := e.Pos() - from; size != m+4 && size != m+3 && size != m+1 && size != m {
		f = fitSize
		e.RemarkOn(sizeLeaf, model.Warning, "the metadata have %d bytes, with the two fields before them %d; the size says %d", m, m+4, size)
	}
	if left := e.Left(); left > 0 {
		f = fitShort
		e.Remark(model.Warning, model.Span{Offset: e.Pos(), Size: left}, "the entry ends %d bytes before its size says", left)
	}
	return d, f, data
}

// readMetadataEntry reads METADATA ENTRY: both lengths come first.
func readMetadataEntry(e *decode.Cursor) (m MetadataEntry) {
	k := e.U8("key_length")
	e.Role(model.RoleSize)
	v := e.U8("value_length")
	e.Role(model.RoleSize)
	m.Key = e.Text("key", int64(k))
	e.Key(strings.ToValidUTF8(m.Key, "\uFFFD"))
	m.Value = e.Text("value", int64(v))
	return m
}

// readGuard reads the four bytes behind a section of the later revision.
func readGuard(e *decode.Cursor, guards ...[]byte) {
	got := append([]byte(nil), e.Peek(4)...)
	if len(got) < 4 {
		e.Fail("guard needs 4 bytes, %d are left", e.Left())
		return
	}
	for _, g := range guards {
		if bytes.Equal(got, g) {
			e.Text("guard", 4)
			e.As("literal")
			return
		}
	}
	// Bytes that are no guard may be anything; they are left to be a gap.
	e.Fail("guard is % x, not %q", got, guards[0])
}
