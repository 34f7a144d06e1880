package ppac

import (
	"context"
	"encoding/hex"
	"math"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

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

// entryTable is INDEX ENTRY of a layout, and which of the fields are what another layout has elsewhere.
type entryTable struct {
	layout              Layout
	fields              *decode.Record
	location, size, sum int
}

// tpuFields are those of a TPU.
var tpuFields = []decode.Field{
	{Name: "type", Form: model.U16, Names: typeNames},
	{Name: "purpose", Form: model.U16},
	{Name: "unique", Form: model.U32},
}

func tpuOf(v decode.Values) TPU {
	return TPU{uint16(v.Number(0)), uint16(v.Number(1)), uint32(v.Number(2))}
}

// entryTable lists the fields of INDEX ENTRY in the order of the document.
func (l Layout) entryTable() *entryTable {
	fields := slices.Clone(tpuFields)
	if l.Later {
		fields = append(fields,
			decode.Field{Name: "offset", Form: l.position(), Role: model.RoleOffset},
			decode.Field{Name: "disk_size", Form: model.U32},
			decode.Field{Name: "memory_size", Form: model.U32},
			decode.Field{Name: "compression", Form: model.U8, Names: compressionNames},
			decode.Field{Name: "reserved", Type: "reserved", Bytes: 3},
			decode.Field{Name: "sha256", Type: "SHA-256", Bytes: 32})
		return &entryTable{l, decode.NewRecord(fields...), 3, 4, 8}
	}
	fields = append(fields,
		decode.Field{Name: "size", Form: l.size(), Role: model.RoleSize},
		decode.Field{Name: "location", Form: l.position(), Role: model.RoleOffset},
		decode.Field{Name: "compression_id", Form: model.U32, Names: compressionNames})
	if l.MemorySize {
		fields = append(fields, decode.Field{Name: "memory_size", Form: l.size()})
	}
	fields = append(fields, decode.Field{Name: "adler32", Form: model.U32})
	return &entryTable{l, decode.NewRecord(fields...), 4, 3, len(fields) - 1}
}

// read reads INDEX ENTRY.
func (t *entryTable) read(e *decode.Cursor, ent *Entry) decode.Values {
	v := t.readKeyed(e, ent)
	if e.Keyed() {
		e.Key(ent.TPU.String())
	}
	if !t.layout.Later {
		ent.Compression, ent.Adler32 = uint32(v.Number(5)), uint32(v.Number(t.sum))
		if t.layout.MemorySize {
			ent.MemorySize = v.Number(6)
		}
		return v
	}
	ent.MemorySize, ent.Compression = v.Number(5), uint32(v.Number(6))
	copy(ent.SHA256[:], v.Bytes(t.sum))
	if n := v.Node(t.sum); n != nil {
		n.Value = hex.EncodeToString(ent.SHA256[:])
	}
	if b := v.Bytes(7); b[0]|b[1]|b[2] != 0 {
		e.RemarkOn(v.Node(7), model.Note, "reserved bytes are not zero")
	}
	return v
}

// readKeyed is read for those who need only the TPU of an asset and its place.
func (t *entryTable) readKeyed(e *decode.Cursor, ent *Entry) decode.Values {
	v := t.readPlace(e, ent)
	ent.TPU = tpuOf(v)
	return v
}

// readPlace is read for those who need only the place of an asset.
func (t *entryTable) readPlace(e *decode.Cursor, ent *Entry) decode.Values {
	v := e.Record(t.fields)
	ent.Location, ent.Size = v.Number(t.location), v.Number(t.size)
	return v
}

// index is what is known of the index section.
type index struct {
	part
	claimed    int64 // what the count says
	n          int   // entries that are read
	countFault string
	guarded    bool

	bad    int      // entries whose assets cannot be where they say
	inside bool     // some of them name places in the index itself
	shared bool     // some name the same part of the file
	twice  []uint64 // TPUs that more than one entry has, in order
	giga   bool     // some value exceeds 2^31-1
	empty  bool     // some asset has no bytes

	entries *model.Node
}

// record is the place of the i-th index entry.
func (f *file) record(i int) model.Span {
	stride := f.layout.stride()
	return model.Span{Offset: f.index.at + 4 + int64(i)*stride, Size: stride}
}

// entryAt reads the i-th index entry; one that lies nowhere if it cannot be read any more.
func (f *file) entryAt(look *decode.Cursor, i int) (ent Entry) {
	look.Reset(f.record(i))
	if f.indexEntry.read(look, &ent); look.Err() != nil {
		return Entry{Location: math.MaxUint64}
	}
	return ent
}

// entry is entryAt for a single one.
func (f *file) entry(i int) Entry {
	look := f.looks.Get().(*decode.Cursor)
	defer f.looks.Put(look)
	return f.entryAt(look, i)
}

// spanAt is the part of the file that the i-th index entry names.
func (f *file) spanAt(look *decode.Cursor, i int) model.Span {
	ent := f.entryAt(look, i)
	s, _ := f.locate(ent.Location, ent.Size)
	return s
}

// span is spanAt for a single one.
func (f *file) span(i int) model.Span {
	ent := f.entry(i)
	s, _ := f.locate(ent.Location, ent.Size)
	return s
}

// locate is the part of the file that an index entry names, or what is wrong with it.
func (f *file) locate(location, size uint64) (model.Span, *misplaced) {
	return f.layout.locate(location, size, f.src.Size(), f.live)
}

// each calls visit with the index entries from one to another until it returns false. The entry is good until then.
func (f *file) each(ctx context.Context, from, to int, visit func(i int, ent *Entry) bool) error {
	return f.read(ctx, f.indexEntry.read, from, to, visit)
}

// read is each for those who need only what read reads.
func (f *file) read(ctx context.Context, read func(*decode.Cursor, *Entry) decode.Values, from, to int,
	visit func(i int, ent *Entry) bool) error {
	c := f.c.Quiet(model.Span{Offset: f.record(from).Offset, Size: int64(to-from) * f.layout.stride()})
	var ent Entry
	for i := from; i < to; i++ {
		if i&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if read(c, &ent); c.Err() != nil {
			return nil // the file was cut since it was opened; the elements say so
		}
		if !visit(i, &ent) {
			return nil
		}
	}
	return nil
}

// showIndex records INDEX.
func (f *file) showIndex() {
	c, x := f.c, &f.index
	if !x.shown {
		return
	}
	c.Try(func() {
		c.GoTo(x.at)
		c.Struct("index", "Index", func() {
			c.U32("count")
			c.Role(model.RoleCount)
			if x.countFault != "" {
				c.Wrong("%d entries of %d bytes cannot be: "+x.countFault, x.claimed, f.layout.stride(), x.n)
			}
			if x.n > 0 && c.Err() == nil {
				x.entries = c.Struct("entries", "IndexEntry[]", func() {
					c.Records("IndexEntry", int64(x.n), f.layout.stride(), f.showEntry)
					c.Summaries(f.entrySummaries())
				})
			}
			if f.layout.Later {
				readGuard(c, indexGuard)
			}
		})
	})
	if x.entries == nil { // the file was cut since its index was counted
		x.n, f.assets = 0, places{}
	}
}

// showEntry reads the i-th INDEX ENTRY and compares it with the others and with its asset.
func (f *file) showEntry(e *decode.Cursor, i int) {
	var ent Entry
	v := f.indexEntry.read(e, &ent)
	if e.Err() != nil {
		return
	}
	if _, ok := slices.BinarySearch(f.index.twice, ent.TPU.bits()); ok {
		e.Remark(model.Note, e.Span(), "%s is also the TPU of another index entry", ent.TPU)
	}
	s, wrong := f.locate(ent.Location, ent.Size)
	if wrong != nil {
		leaf := v.Node(f.indexEntry.location)
		if wrong.inSize {
			leaf = v.Node(f.indexEntry.size)
		}
		e.RemarkOn(leaf, model.Error, "the %d bytes at %#x %s", ent.Size, ent.Location, wrong.what)
		return
	}
	if f.index.shared {
		if k, ok := f.assets.position(i, s); ok && f.assets.at(k) != i {
			e.Remark(model.Note, e.Span(), "index entry %d has the same bytes", f.assets.at(k))
		}
	}
	node := e.Node()
	if node == nil {
		return
	}
	target := func() (model.Path, bool) {
		k, ok := f.assets.position(i, s)
		if !ok {
			return nil, false
		}
		return append(f.assetList.Path(), k), true
	}
	node.Link = &model.Link{Key: node.Key, Target: target}
	node.SetLabel(func() string { return f.label(i) })
	v.Node(f.indexEntry.location).Link = node.Link
	if verdict, known := f.glance(f.assetAt(i, ent, s)); known {
		v.Node(f.indexEntry.sum).Symbols = model.Symbol(verdict.String())
	}
}

// findKey returns the path of the last index entry with a TPU: the library's map keeps that one.
func (f *file) findKey(key string) (model.Path, bool) {
	tpu, ok := ParseTPU(key)
	if !ok || f.index.entries == nil {
		return nil, false
	}
	found := -1
	_ = f.read(context.Background(), f.indexEntry.readKeyed, 0, f.index.n, func(i int, ent *Entry) bool {
		if ent.TPU == tpu {
			found = i
		}
		return true
	})
	if found < 0 {
		return nil, false
	}
	return append(f.index.entries.Path(), found), true
}
