package ppac

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

// MetadataEntry is a key with its value. Both may be any bytes.
type MetadataEntry struct {
	Key, Value string
}

// pairHead is what stands before the texts of a METADATA ENTRY.
var pairHead = decode.NewRecord(decode.Field{Name: "key_length", Form: model.U8, Role: model.RoleSize},
	decode.Field{Name: "value_length", Form: model.U8, Role: model.RoleSize})

// readPair reads METADATA ENTRY: both lengths come first.
func readPair(e *decode.Cursor) (m MetadataEntry) {
	v := e.Record(pairHead)
	key, value := int64(v.Number(0)), int64(v.Number(1))
	m.Key = e.Text("key", key)
	e.Key(strings.ToValidUTF8(m.Key, "\uFFFD"))
	m.Value = e.Text("value", value)
	return m
}

// passPairs goes to where a list of METADATA ENTRY ends.
func passPairs(e *decode.Cursor, n int64) {
	for ; n > 0 && e.Err() == nil; n-- {
		v := e.Record(pairHead)
		e.Pass(int64(v.Number(0) + v.Number(1)))
	}
}

// readPairs reads a list of METADATA ENTRY.
func readPairs(e *decode.Cursor, name string, n int64) (entries []MetadataEntry) {
	if n == 0 || e.Err() != nil {
		return nil
	}
	e.Struct(name, "MetadataEntry[]", func() {
		e.Repeat("MetadataEntry", n, func(int) {
			if m := readPair(e); e.Err() == nil {
				entries = append(entries, m)
			}
		})
	})
	return entries
}

// Block is what the later revision has instead of METADATA ENTRY: those of one asset.
type Block struct {
	TPU
	Count   uint16
	Entries []MetadataEntry
}

// blockHead is what stands before the entries of a block.
var blockHead = decode.NewRecord(append(slices.Clone(tpuFields),
	decode.Field{Name: "count", Form: model.U16, Role: model.RoleCount},
	decode.Field{Name: "size", Form: model.U16, Role: model.RoleSize})...)

// readBlock reads the metadata of one asset in the later revision.
func (f *file) readBlock(e *decode.Cursor, b *Block) {
	v := e.Record(blockHead)
	b.TPU, b.Count = tpuOf(v), uint16(v.Number(3))
	size, from, key := int64(v.Number(4)), e.Pos(), ""
	sizeLeaf := v.Node(4)
	if e.Keyed() {
		key = b.TPU.String()
		e.Key(key)
	}
	b.Entries = readPairs(e, "entries", int64(b.Count))
	if e.Err() != nil {
		return
	}
	// The library counts the 12 bytes before the entries and forgets two an entry; the field may wrap.
	body, short := e.Pos()-from, 2*int64(b.Count)
	same := func(n int64) bool { return size == n&0xFFFF }
	if !same(12+body-short) && !same(12+body) && !same(body) && !same(body-short) {
		e.RemarkOn(sizeLeaf, model.Warning, "the block has %d bytes, its size says %d", 12+body, size)
	}
	if n := e.Node(); n != nil {
		n.Link = &model.Link{Key: key, Target: func() (model.Path, bool) { return f.findKey(key) }}
		name := filename(b.Entries)
		n.SetLabel(func() string { return name })
	}
}

// passBlock goes to where a block ends, and returns its TPU and how many pairs it has.
func passBlock(e *decode.Cursor) (tpu TPU, pairs int64) {
	v := e.Record(blockHead)
	tpu, pairs = tpuOf(v), int64(v.Number(3))
	passPairs(e, pairs)
	return tpu, pairs
}

// metadata is what is known of the metadata section: key/value pairs in the published revision, blocks of them by TPU
// in the later one.
type metadata struct {
	part
	claimed  int64 // what the count says
	elements *decode.Marks
	complete bool
	guarded  bool
	sizes    []int64 // what the size field may say: each reading of the document

	once  sync.Once
	byTPU []blockAt
}

// blockAt is where the metadata of an asset are.
type blockAt struct {
	tpu uint64
	at  int64
}

// metadataHead is the size of the fields before the entries.
func (l Layout) metadataHead() int64 { return l.SizeWidth + 4 }

// showElement reads an element of the section.
func (f *file) showElement(e *decode.Cursor, _ int) {
	if f.layout.Later {
		f.readBlock(e, new(Block))
	} else {
		readPair(e)
	}
}

// passElement goes to where an element of the section ends, and returns how many pairs it has.
func (f *file) passElement(e *decode.Cursor) (pairs int64) {
	if !f.layout.Later {
		passPairs(e, 1)
		return 1
	}
	_, pairs = passBlock(e)
	return pairs
}

// planMetadata finds the ends of the elements as far as limit.
func (f *file) planMetadata(limit int64) {
	m, l := &f.metadata, f.layout
	if !m.shown {
		return
	}
	e := f.c.Ends(model.Span{Offset: m.at, Size: limit - m.at})
	size := int64(min(e.Size("size", l.size()), 1<<62))
	m.claimed = int64(e.U32("count"))
	if e.Err() != nil {
		m.drop("has no room before the next part of the file")
		return
	}
	m.elements = e.NewMarks(func(e *decode.Cursor, _ int) { f.passElement(e) })
	m.complete = true
	var pairs int64 // of all elements
	for i := range m.claimed {
		if i&0xFFFF == 0xFFFF && f.ctx.Err() != nil {
			return
		}
		n := f.passElement(e)
		if e.Err() != nil {
			m.complete = false
			break
		}
		pairs += n
		m.elements.Add(e.Pos())
	}
	all := m.elements.Span()
	m.span = model.Span{Offset: m.at, Size: all.End() - m.at}
	if l.Later {
		m.sizes = nil
		for _, body := range []int64{all.Size - 2*pairs, all.Size} {
			m.sizes = append(m.sizes, body+8, body, body+4, body+12)
		}
		guard := string(f.bytesAt(model.Span{Offset: m.span.End(), Size: 4}, limit))
		m.guarded = m.complete && (guard == string(metadataGuard) || guard == string(oldMetadataGuard))
		if m.strong = m.guarded; m.guarded {
			m.span.Size += 4
		}
		return
	}
	m.sizes = []int64{l.SizeWidth + 4 + all.Size, l.SizeWidth + all.Size, 4 + all.Size, all.Size}
	m.strong = m.complete && size > 0 && slices.Contains(m.sizes, size)
}

// showMetadata records METADATA.
func (f *file) showMetadata() {
	c, m := f.c, &f.metadata
	if !m.shown {
		return
	}
	c.Try(func() {
		c.GoTo(m.at)
		c.Struct("metadata", "Metadata", func() {
			size := c.Size("size", f.layout.size())
			sizeLeaf := c.Last()
			c.U32("count")
			c.Role(model.RoleCount)
			if !m.complete {
				c.Wrong("%d elements do not fit before the next part of the file, %d are read", m.claimed,
					m.elements.Len())
			} else if !slices.ContainsFunc(m.sizes, func(n int64) bool { return uint64(n) == size }) {
				c.RemarkOn(sizeLeaf, model.Warning, "the section has %d bytes, its size says %d", m.span.Size, size)
			}
			if m.elements.Len() > 0 {
				f.showElements()
			}
			if f.layout.Later && m.complete {
				readGuard(c, metadataGuard, oldMetadataGuard)
			}
		})
	})
}

func (f *file) showElements() {
	name, elem := "entries", "MetadataEntry"
	if f.layout.Later {
		name, elem = "blocks", "MetadataBlock"
	}
	f.c.Struct(name, elem+"[]", func() {
		f.c.Marked(elem, f.metadata.elements, f.showElement)
		if f.layout.Later {
			f.c.Summaries(f.blockSummaries())
		}
	})
}

// metadataOf returns the metadata that the later revision has for an asset; of several blocks the last, as in the
// library's map.
func (f *file) metadataOf(look *decode.Cursor, tpu TPU) []MetadataEntry {
	m := &f.metadata
	if !m.shown || !f.layout.Later || m.elements.Len() == 0 {
		return nil
	}
	m.once.Do(func() {
		m.byTPU = make([]blockAt, 0, m.elements.Len())
		e := f.c.Ends(m.elements.Span())
		for range m.elements.Len() {
			at := e.Pos()
			tpu, _ := passBlock(e)
			if e.Err() != nil {
				break
			}
			m.byTPU = append(m.byTPU, blockAt{tpu.bits(), at})
		}
		slices.SortFunc(m.byTPU,
			func(a, b blockAt) int { return cmp.Or(cmp.Compare(a.tpu, b.tpu), -cmp.Compare(a.at, b.at)) })
	})
	k, ok := slices.BinarySearchFunc(m.byTPU, tpu.bits(),
		func(b blockAt, tpu uint64) int { return cmp.Compare(b.tpu, tpu) })
	if !ok {
		return nil
	}
	look.Reset(model.Span{Offset: m.byTPU[k].at, Size: m.elements.Span().End() - m.byTPU[k].at})
	var b Block
	f.readBlock(look, &b)
	return b.Entries
}

// label returns what a person calls the asset of an index entry: its file name, else its key.
func (f *file) label(i int) string {
	ent := f.entry(i)
	s, wrong := f.locate(ent.Location, ent.Size)
	if wrong != nil {
		return ent.TPU.String()
	}
	look := f.looks.Get().(*decode.Cursor)
	defer f.looks.Put(look)
	if f.layout.Later {
		return cmp.Or(filename(f.metadataOf(look, ent.TPU)), ent.TPU.String())
	}
	look.Reset(s)
	d, _, _ := f.layout.readDataEntry(look)
	return cmp.Or(filename(d.Metadata), ent.TPU.String())
}

// filename returns the name that metadata have for an asset, with forward slashes: the library on Windows wrote the
// others.
func filename(entries []MetadataEntry) string {
	name := ""
	for _, m := range entries {
		if m.Key == "filename" {
			name = m.Value
		}
	}
	return strings.ReplaceAll(strings.ToValidUTF8(name, "\uFFFD"), `\`, "/")
}
