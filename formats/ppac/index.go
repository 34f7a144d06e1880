package ppac

import (
	"context"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

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

// each calls fn with the bytes of each index entry, read in big pieces, until it says no.
func (f *file) each(ctx context.Context, fn func(i int, record []byte) bool) error {
	stride := f.layout.stride()
	piece := max(1, (256<<10)/stride)
	buf := make([]byte, min(piece, int64(f.index.n))*stride)
	first := f.index.at + 4
	for i := int64(0); i < int64(f.index.n); i += piece {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := buf[:min(piece, int64(f.index.n)-i)*stride]
		got, err := f.src.ReadAt(b, first+i*stride)
		for k := int64(0); (k+1)*stride <= int64(got); k++ {
			if !fn(int(i+k), b[k*stride:(k+1)*stride]) {
				return nil
			}
		}
		if got < len(b) && err != nil {
			return nil // the file was cut since it was opened; the elements say so
		}
	}
	return nil
}

// entry reads the i-th index entry; a zero one if it cannot be read any more.
func (f *file) entry(i int) Entry {
	record, err := f.src.Bytes(f.record(i))
	if err != nil || int64(len(record)) < f.layout.stride() {
		return Entry{Location: math.MaxUint64}
	}
	return f.layout.entry(record)
}

func (f *file) record(i int) model.Span {
	stride := f.layout.stride()
	return model.Span{Offset: f.index.at + 4 + int64(i)*stride, Size: stride}
}

// span is the part of the file that the i-th index entry names.
func (f *file) span(i int) model.Span {
	ent := f.entry(i)
	s, _ := f.locate(ent.Location, ent.Size)
	return s
}

func (f *file) locate(location, size uint64) (model.Span, *misplaced) {
	return f.layout.locate(location, size, f.src.Size(), f.live)
}

// scan looks at each entry once: is its asset in the file, are the assets in order, is a TPU used twice?
func (f *file) scan() error {
	x := &f.index
	x.bad, x.inside, x.giga, x.shared, x.empty = 0, false, false, false, false
	regular, rising := true, true
	var end int64
	tpus := make([]uint64, 0, x.n)
	err := f.each(f.ctx, func(i int, record []byte) bool {
		tpu := binary.BigEndian.Uint64(record)
		rising = rising && (i == 0 || tpu > tpus[i-1])
		tpus = append(tpus, tpu)
		location, size := f.layout.place(record)
		x.giga = x.giga || location > math.MaxInt32 || size > math.MaxInt32
		s, wrong := f.locate(location, size)
		if wrong != nil {
			x.bad++
			x.inside = x.inside || s.Size > 0 && s.Overlaps(x.span)
			return true
		}
		x.empty = x.empty || s.Size == 0
		regular = regular && s.Offset >= end
		end = max(end, s.End())
		return true
	})
	if err != nil {
		return err
	}
	x.twice = nil
	if !rising {
		x.twice = twice(tpus)
	}
	f.assets = places{count: x.n, record: f.span}
	if !regular || x.bad > 0 {
		return f.order()
	}
	return nil
}

// order sorts the assets by their places.
func (f *file) order() error {
	g, ok := newGather(f.index.n-f.index.bad, f.src.Size())
	if !ok {
		f.assets = places{}
		f.index.fault = "has more entries than can be sorted in a file of this size"
		return nil
	}
	err := f.each(f.ctx, func(i int, record []byte) bool {
		if s, wrong := f.locate(f.layout.place(record)); wrong == nil {
			g.add(i, s)
		}
		return true
	})
	if err == nil {
		f.assets, f.index.shared = g.places(f.span)
	}
	return err
}

// twice gives the keys that are there more than once, in order.
func twice(keys []uint64) (found []uint64) {
	seen, again := newBits(16*len(keys)), newBits(4*len(keys))
	repeats := false
	for _, k := range keys {
		if !seen.set(k) {
			again.set(k)
			repeats = true
		}
	}
	if !repeats {
		return nil
	}
	var perhaps []uint64 // few: two keys seldom have one hash
	for _, k := range keys {
		if again.has(k) {
			perhaps = append(perhaps, k)
		}
	}
	slices.Sort(perhaps)
	for i := 1; i < len(perhaps); i++ {
		if k := perhaps[i]; k == perhaps[i-1] && (i < 2 || k != perhaps[i-2]) {
			found = append(found, k)
		}
	}
	return found
}

// bitset is a set of hashes.
type bitset struct {
	words []uint64
	shift int
}

// newBits has at least n bits.
func newBits(n int) bitset {
	width := max(6, bits.Len(uint(n)))
	return bitset{make([]uint64, 1<<(width-6)), 64 - width}
}

func (s bitset) hash(key uint64) uint64 {
	return (key ^ key>>29) * 0x9E3779B97F4A7C15 >> s.shift
}

// set adds a key and says whether its hash is new.
func (s bitset) set(key uint64) bool {
	h := s.hash(key)
	w, b := &s.words[h>>6], uint64(1)<<(h&63)
	was := *w&b != 0
	*w |= b
	return !was
}

func (s bitset) has(key uint64) bool {
	h := s.hash(key)
	return s.words[h>>6]&(1<<(h&63)) != 0
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
					c.Records("IndexEntry", int64(x.n), f.layout.stride(), f.indexEntry)
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

// indexEntry records INDEX ENTRY.
func (f *file) indexEntry(e *decode.Cursor, i int) {
	ent, at := f.layout.readEntry(e)
	if e.Err() != nil {
		return
	}
	if _, ok := slices.BinarySearch(f.index.twice, ent.TPU.bits()); ok {
		e.Remark(model.Note, e.Span(), "%s is the TPU of another index entry, too", ent.TPU)
	}
	s, wrong := f.locate(ent.Location, ent.Size)
	if wrong != nil {
		leaf := at.location
		if wrong.inSize {
			leaf = at.size
		}
		e.RemarkOn(leaf, model.Error, "the %d bytes at %#x %s", ent.Size, ent.Location, wrong.what)
		return
	}
	if f.index.shared {
		if k, ok := f.assets.position(i, s); ok && f.assets.at(k) != i {
			e.Remark(model.Note, e.Span(), "the same bytes are the asset of index entry %d", f.assets.at(k))
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
	node.Link = &model.Link{Key: ent.TPU.String(), Target: target}
	at.location.Link = node.Link
	if v, known := f.glance(f.assetAt(i, ent, s)); known {
		at.sum.Symbol = v.String()
	}
}

// findKey gives the last index entry with a TPU: the library's map keeps that one.
func (f *file) findKey(key string) (model.Path, bool) {
	tpu, ok := ParseTPU(key)
	if !ok || f.index.entries == nil {
		return nil, false
	}
	want, found := tpu.bits(), -1
	_ = f.each(context.Background(), func(i int, record []byte) bool {
		if binary.BigEndian.Uint64(record) == want {
			found = i
		}
		return true
	})
	if found < 0 {
		return nil, false
	}
	return append(f.index.entries.Path(), found), true
}
