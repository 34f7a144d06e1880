package ppac

import (
	"cmp"
	"context"
	"encoding/hex"
	"math"
	"slices"
	"strconv"

	"assay/formats/decode"
	"assay/model"
)

// TPU identifies an asset: its type, its purpose, and a number that is unique among those.
type TPU struct {
	Type, Purpose uint16
	Unique        uint32
}

// tpuSize is the number of bytes of a TPU.
const tpuSize = 8

// String is the TPU as a key: TTTT-PPPP-UUUUUUUU.
func (t TPU) String() string {
	const digits = "0123456789ABCDEF"
	b := []byte("TTTT-PPPP-UUUUUUUU")
	v := t.bits()
	for at := len(b) - 1; at >= 0; at-- {
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
	return TPU{uint16(v >> 48), uint16(v >> 32), uint32(v)}, err == nil
}

// bits is the TPU as the first eight bytes of an index entry.
func (t TPU) bits() uint64 {
	return uint64(t.Type)<<48 | uint64(t.Purpose)<<32 | uint64(t.Unique)
}

// readTPU reads the three fields of a TPU.
func readTPU(e *decode.Cursor) (t TPU) {
	t.Type = e.U16("type")
	nameNumber(e, typeNames)
	t.Purpose = e.U16("purpose")
	t.Unique = e.U32("unique")
	return t
}

// nameNumber names the number that was just read. Unlike Enum it does nothing in quiet readings, of which there are
// many.
func nameNumber(e *decode.Cursor, names decode.Names) {
	if e.Recording() && e.Err() == nil {
		e.Last().Symbols = names
	}
}

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

// index is the index section, as far as it is known.
type index struct {
	section
	claimed    int64  // the count that is recorded
	n          int    // entries that are read
	countFault string // why there are fewer than are claimed
	guarded    bool   // the guard of the later revision follows the entries

	misplaced int      // entries whose assets cannot be where they say
	inside    bool     // some of them name places in the index itself
	shared    bool     // some name the same part of the file
	repeated  []uint64 // TPUs that more than one entry has, in order
	giga      bool     // some value exceeds 2^31-1
	empty     bool     // some asset has no bytes

	entries *model.Node
}

// recordIndex records INDEX.
func (f *file) recordIndex() {
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
				c.Wrong("%d entries of %d bytes cannot be: "+x.countFault, x.claimed, f.layout.entrySize(), x.n)
			}
			if x.n > 0 && c.Err() == nil {
				x.entries = c.Struct("entries", "IndexEntry[]", func() {
					c.Records("IndexEntry", int64(x.n), f.layout.entrySize(), f.readIndexEntry)
					c.Summaries(f.entrySummaries())
				})
			}
			if f.layout.Later {
				readGuard(c, indexGuard)
			}
		})
	})
	if x.entries == nil { // the file was cut since its index was counted
		x.n, f.assets = 0, spanIndex{}
	}
}

// readIndexEntry reads the i-th INDEX ENTRY and compares it with the others and with its asset.
func (f *file) readIndexEntry(e *decode.Cursor, i int) {
	var x Entry
	at := f.layout.readEntry(e, &x)
	if e.Node() != nil {
		e.Key(x.TPU.String())
	}
	if e.Err() != nil {
		return
	}
	if _, ok := slices.BinarySearch(f.index.repeated, x.TPU.bits()); ok {
		e.Remark(model.Note, e.Node(), "%s is also the TPU of another index entry", x.TPU)
	}
	s, wrong := f.locate(&x)
	if wrong != nil {
		leaf := at.location
		if wrong.inSize {
			leaf = at.size
		}
		e.Remark(model.Error, leaf, "%s", wrong.of(&x))
		return
	}
	if f.index.shared {
		if k, ok := f.assets.position(i, s); ok && f.assets.record(k) != i {
			e.Remark(model.Note, e.Node(), "index entry %d has the same bytes", f.assets.record(k))
		}
	}
	if !e.Recording() {
		return
	}
	node := e.Node()
	node.Link = &model.Link{Key: node.Key, Target: func() (model.Path, bool) {
		k, ok := f.assets.position(i, s)
		if !ok {
			return nil, false
		}
		return append(f.assetList.Path(), k), true
	}}
	at.location.Link = node.Link
	node.SetLabel(func() string { return f.label(i) })
	a := f.assetOf(i, x, s)
	if r, known := f.checkIfSmall(&a); known {
		at.sum.Symbols = model.Symbol(r.verdict.String())
	}
}

// entrySpan returns the bytes of the i-th index entry.
func (f *file) entrySpan(i int) model.Span {
	size := f.layout.entrySize()
	return model.Span{Offset: f.index.at + 4 + int64(i)*size, Size: size}
}

// entryAt reads the i-th index entry. If it can no longer be read, its location is outside of every file.
func (f *file) entryAt(quiet *decode.Cursor, i int) (x Entry) {
	quiet.Reset(f.entrySpan(i))
	if f.layout.readEntry(quiet, &x); quiet.Err() != nil {
		return Entry{Location: math.MaxUint64}
	}
	return x
}

// entry is entryAt with a cursor of its own.
func (f *file) entry(i int) Entry {
	quiet := f.quiet.Get().(*decode.Cursor)
	defer f.quiet.Put(quiet)
	return f.entryAt(quiet, i)
}

// assetSpan returns the part of the file that the i-th index entry names; none if it cannot be there.
func (f *file) assetSpan(quiet *decode.Cursor, i int) model.Span {
	var x Entry
	at := f.entrySpan(i)
	quiet.Reset(model.Span{Offset: at.Offset + tpuSize, Size: at.Size - tpuSize})
	if f.layout.readPlace(quiet, &x); quiet.Err() != nil {
		return model.Span{}
	}
	s, _ := f.locate(&x)
	return s
}

// each calls visit with the index entries from one to another until it returns false. The entry is good until then.
func (f *file) each(ctx context.Context, from, to int, visit func(i int, x *Entry) bool) error {
	e := f.c.Quiet(model.Span{Offset: f.entrySpan(from).Offset, Size: int64(to-from) * f.layout.entrySize()})
	var x Entry
	for i := from; i < to; i++ {
		if i&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if f.layout.readEntry(e, &x); e.Err() != nil || !visit(i, &x) {
			return nil // if the file was cut since it was opened, the elements say so
		}
	}
	return nil
}

// orderedEntries reads index entries in the order of their assets in the file, for one goroutine. Where the index has
// another order it reads many at a time, in the order of the index, to go through that a few times and not to and fro.
type orderedEntries struct {
	f     *file
	quiet *decode.Cursor

	present Entry
	from    int     // the asset of the first entry that is read ahead
	read    []Entry // the entries from there on
}

// orderedMost is how many index entries are read at a time where they are not in the order of their assets.
const orderedMost = 1 << 15

func (f *file) newOrderedEntries() orderedEntries {
	return orderedEntries{f: f, quiet: f.c.Quiet(model.Span{})}
}

// at returns the index entry of the k-th asset. It is good until the next call.
func (o *orderedEntries) at(k int) *Entry {
	if o.f.assets.order == nil {
		o.present = o.f.entryAt(o.quiet, k)
		return &o.present
	}
	if next := o.from + len(o.read); k < o.from || k >= next {
		n := 1
		if k == next { // whoever reads on will read on
			n = min(4*max(len(o.read), 1), orderedMost, o.f.assets.count-k)
		}
		_ = o.fill(k, n) // an entry that cannot be read says so itself
	}
	return &o.read[k-o.from]
}

// fill reads the index entries of n assets.
func (o *orderedEntries) fill(from, n int) (err error) {
	type wanted struct{ record, at int }
	order := make([]wanted, n)
	for k := range order {
		order[k] = wanted{o.f.assets.record(from + k), k}
	}
	slices.SortFunc(order, func(a, b wanted) int { return a.record - b.record })
	o.from, o.read = from, slices.Grow(o.read[:0], n)[:n]
	for _, w := range order {
		o.read[w.at] = o.f.entryAt(o.quiet, w.record)
		err = cmp.Or(err, o.quiet.Err())
	}
	return err
}

// findKey returns the path of the last index entry with a TPU: the library's map keeps that one.
func (f *file) findKey(key string) (model.Path, bool) {
	tpu, ok := ParseTPU(key)
	if !ok || f.index.entries == nil {
		return nil, false
	}
	last, size := -1, f.layout.entrySize()
	e := f.c.Quiet(model.Span{Offset: f.entrySpan(0).Offset, Size: int64(f.index.n) * size})
	for i := 0; i < f.index.n && e.Err() == nil; i++ {
		if found := e.U64("tpu"); found == tpu.bits() && e.Err() == nil {
			last = i
		}
		e.Bytes("entry", "IndexEntry", size-tpuSize)
	}
	if last < 0 {
		return nil, false
	}
	return append(f.index.entries.Path(), last), true
}
