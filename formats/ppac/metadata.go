package ppac

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

// metadata is what is known of the metadata section: key/value pairs in the published revision, blocks of them by TPU
// in the later one.
type metadata struct {
	section
	elements *decode.Marks // where the pairs or the blocks begin

	once  sync.Once
	byTPU []block // later: in the order of TPUs; of one TPU the last comes first
}

// block is where the metadata of an asset are.
type block struct {
	tpu    uint64
	offset int64
}

// metadataHead is the number of bytes before the elements of METADATA.
func (l Layout) metadataHead() int64 { return l.SizeWidth + 4 }

// readMetadata reads METADATA, whose elements end before limit.
func (f *file) readMetadata(limit int64) {
	m := &f.metadata
	if !m.shown() {
		return
	}
	e := f.c.Element("Metadata", model.Span{Offset: m.at, Size: f.src.Size() - m.at})
	size := e.Size("size", f.layout.size())
	sizeLeaf := e.Last()
	claimed := int64(e.U32("count"))
	e.Role(model.RoleCount)
	if e.Err() != nil || e.Pos() > limit {
		m.refuse("has no room before the next part of the file")
		return
	}
	pairs := f.findElements(e, claimed, limit)
	n := int64(m.elements.Len())
	if n < claimed {
		e.Wrong("%d elements do not fit before the next part of the file, %d are read", claimed, n)
	}
	f.recordElements(e)
	m.span = model.Span{Offset: m.at, Size: e.Pos() - m.at}
	if m.prove(false); n == claimed {
		f.proveMetadata(e, limit, slices.Contains(f.layout.metadataSizes(m.elements.Span().Size, pairs), size),
			size, sizeLeaf)
	}
	m.record(e, "metadata")
}

// proveMetadata reads the guard and sets whether the section proves itself: by its size, in the later revision by the
// guard. sound reports whether the elements have the size that is recorded.
func (f *file) proveMetadata(e *decode.Cursor, limit int64, sound bool, size uint64, sizeLeaf *model.Node) {
	m := &f.metadata
	if !sound {
		e.Remark(model.Warning, sizeLeaf, "the section has %d bytes, its size says %d", m.span.Size, size)
	}
	proven := sound && size > 0
	if f.layout.Later {
		proven = e.Pos()+4 <= limit && isGuard(e.Peek(4), metadataGuard, oldMetadataGuard)
		if proven {
			m.span.Size += 4
		}
	}
	m.prove(proven)
	if f.layout.Later {
		readGuard(e, metadataGuard, oldMetadataGuard)
	}
}

// metadataSizes are the sizes that METADATA may state if its elements have so many bytes and pairs: the document does
// not settle what is counted besides the elements, and the library forgets two bytes of each pair.
func (l Layout) metadataSizes(all, pairs int64) (sizes []uint64) {
	heads, bodies := []int64{l.metadataHead(), l.SizeWidth, 4, 0}, []int64{all}
	if l.Later {
		heads, bodies = []int64{8, 0, 4, 12}, []int64{all, all - 2*pairs}
	}
	for _, body := range bodies {
		for _, head := range heads {
			sizes = append(sizes, uint64(head+body))
		}
	}
	return sizes
}

// findElements finds where the elements of METADATA begin, as far as they fit before limit, and returns how many pairs
// they have.
func (f *file) findElements(e *decode.Cursor, claimed, limit int64) (pairs int64) {
	f.metadata.elements = decode.NewMarks(e, func(e *decode.Cursor, _ int) { f.readElement(e) })
	skim := f.c.Skim(model.Span{Offset: e.Pos(), Size: limit - e.Pos()})
	for i := range claimed {
		if i&0xFFFF == 0xFFFF && f.ctx.Err() != nil {
			break
		}
		n := f.readElement(skim)
		if skim.Err() != nil {
			break
		}
		pairs += n
		f.metadata.elements.Add(skim.Pos())
	}
	return pairs
}

// recordElements records the elements of METADATA that were found.
func (f *file) recordElements(e *decode.Cursor) {
	name, elem := "entries", "MetadataEntry"
	if f.layout.Later {
		name, elem = "blocks", "MetadataBlock"
	}
	if f.metadata.elements.Len() == 0 {
		return
	}
	e.Struct(name, elem+"[]", func() {
		f.metadata.elements.Record(e, elem)
		if f.layout.Later {
			e.Summaries(f.blockSummaries())
		}
	})
}

// readElement reads an element of METADATA and returns how many pairs it has.
func (f *file) readElement(e *decode.Cursor) (pairs int64) {
	if f.layout.Later {
		_, pairs, _ = f.readBlock(e)
		return pairs
	}
	readPair(e)
	return 1
}

// readPair reads METADATA ENTRY: both lengths come before the texts, which may be any bytes.
func readPair(e *decode.Cursor) (key, value string) {
	keySize := e.Size("key_length", model.U8)
	valueSize := e.Size("value_length", model.U8)
	key = e.Text("key", int64(keySize))
	if e.Node() != nil {
		e.Key(strings.ToValidUTF8(key, "\uFFFD"))
	}
	return key, e.Text("value", int64(valueSize))
}

// readPairs reads a list of METADATA ENTRY and returns the file name in it.
func readPairs(e *decode.Cursor, name string, n int64) (filename string) {
	if n == 0 || e.Err() != nil {
		return ""
	}
	e.Struct(name, "MetadataEntry[]", func() {
		for i := int64(0); i < n && e.Err() == nil; i++ {
			e.Struct(model.IndexName(int(i)), "MetadataEntry", func() {
				if key, value := readPair(e); key == "filename" && e.Err() == nil {
					filename = value
				}
			})
		}
	})
	// The library on Windows wrote backslashes.
	return strings.ReplaceAll(strings.ToValidUTF8(filename, "\uFFFD"), `\`, "/")
}

// readBlock reads what the later revision has in METADATA: the pairs of one asset.
func (f *file) readBlock(e *decode.Cursor) (tpu TPU, pairs int64, filename string) {
	tpu = readTPU(e)
	pairs = int64(e.U16("count"))
	e.Role(model.RoleCount)
	size := int64(e.Size("size", model.U16))
	sizeLeaf, from := e.Last(), e.Pos()
	if e.Node() != nil {
		e.Key(tpu.String())
	}
	filename = readPairs(e, "entries", pairs)
	if e.Err() != nil {
		return tpu, pairs, filename
	}
	// The library counts the 12 bytes before the pairs and forgets two a pair; the field may wrap.
	body, short := e.Pos()-from, 2*pairs
	says := func(n int64) bool { return size == n&0xFFFF }
	if !says(12+body-short) && !says(12+body) && !says(body) && !says(body-short) {
		e.Remark(model.Warning, sizeLeaf, "the block has %d bytes, its size says %d", 12+body, size)
	}
	if n := e.Node(); n != nil {
		key := n.Key
		n.Link = &model.Link{Key: key, Target: func() (model.Path, bool) { return f.findKey(key) }}
		name := filename
		n.SetLabel(func() string { return name })
	}
	return tpu, pairs, filename
}

// filenameOf returns the file name that the metadata section of the later revision has for an asset; of several blocks
// the last one's, as in the library's map.
func (f *file) filenameOf(quiet *decode.Cursor, tpu TPU) string {
	s, ok := f.fromBlockOf(tpu)
	if !ok {
		return ""
	}
	quiet.Reset(s)
	_, _, filename := f.readBlock(quiet)
	return filename
}

// fromBlockOf returns the metadata of the later revision from the last block of an asset on; ok is false without one.
func (f *file) fromBlockOf(tpu TPU) (s model.Span, ok bool) {
	m := &f.metadata
	if !m.shown() || m.elements.Len() == 0 {
		return s, false
	}
	m.once.Do(f.sortBlocks)
	k, ok := slices.BinarySearchFunc(m.byTPU, tpu.bits(),
		func(b block, tpu uint64) int { return cmp.Compare(b.tpu, tpu) })
	if !ok {
		return s, false
	}
	at := m.byTPU[k].offset
	return model.Span{Offset: at, Size: m.elements.Span().End() - at}, true
}

// sortBlocks finds the blocks of all assets.
func (f *file) sortBlocks() {
	m := &f.metadata
	m.byTPU = make([]block, 0, m.elements.Len())
	skim := f.c.Skim(m.elements.Span())
	for range m.elements.Len() {
		at := skim.Pos()
		tpu, _, _ := f.readBlock(skim)
		if skim.Err() != nil {
			break
		}
		m.byTPU = append(m.byTPU, block{tpu.bits(), at})
	}
	slices.SortFunc(m.byTPU, func(a, b block) int {
		return cmp.Or(cmp.Compare(a.tpu, b.tpu), -cmp.Compare(a.offset, b.offset))
	})
}
