package ppac

import (
	"context"
	"slices"
	"strings"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

// metadata is the state of the metadata section: key/value pairs in the published revision, blocks of them by TPU in
// the later one.
type metadata struct {
	section
	elements    *decode.Marks // where the pairs or the blocks begin
	sizeMatches bool          // the recorded size is the size of the elements
	complete    bool          // the number of elements is the recorded one

	once   sync.Once // later, once they are needed: the blocks of assets
	blocks []uint32  // for each of the sorted TPUs the number of its last block, from 1; 0 if it has no block
}

// MetadataEntry is METADATA ENTRY: a key with its value, which may be any bytes.
type MetadataEntry struct{ Key, Value string }

// metadataHead returns the number of bytes before the elements of METADATA.
func (l Layout) metadataHead() int64 { return l.SizeWidth + 4 }

// readMetadataHead reads the fields of METADATA before its elements.
func (l Layout) readMetadataHead(e *decode.Cursor) (size uint64, count int64, sizeLeaf *model.Node) {
	size = e.Size("size", l.size())
	sizeLeaf = e.Last()
	count = e.Total("count", model.U32)
	return size, count, sizeLeaf
}

// findMetadata finds the elements of METADATA that end before limit, and whether it proves itself: by its size, in the
// later revision by the guard.
func (f *File) findMetadata(ctx context.Context, limit int64) {
	m := &f.metadata
	if !m.isRecorded() {
		return
	}
	e := f.cursor.Quiet(model.Span{Offset: m.offset, Size: f.Source.Size() - m.offset})
	size, recordedCount, _ := f.Layout.readMetadataHead(e)
	if e.Err() != nil || e.Pos() > limit {
		m.refuse("does not fit before the next part of the file")
		return
	}
	pairs := f.findElements(ctx, e, recordedCount, limit)
	span := m.elements.Span()
	m.sizeMatches = slices.Contains(f.Layout.metadataSizes(span.Size, pairs), size)
	m.span = model.Span{Offset: m.offset, Size: span.End() - m.offset}
	m.complete = int64(m.elements.Len()) == recordedCount
	if m.setProven(m.complete && m.sizeMatches && size > 0); f.Layout.Later {
		m.proveByGuard(e, m.complete, limit, metadataGuard, oldMetadataGuard)
	}
}

func (f *File) recordMetadata() {
	m, c := &f.metadata, f.cursor
	m.record(c, "metadata", "Metadata", func() {
		size, recordedCount, sizeLeaf := f.Layout.readMetadataHead(c)
		n := int64(m.elements.Len())
		if n < recordedCount {
			c.Errorf("%d elements do not fit before the next part of the file; reading %d", recordedCount, n)
		}
		f.recordElements()
		if n < recordedCount {
			return
		}
		if !m.sizeMatches {
			c.Remark(model.Warning, sizeLeaf, "the section has %d bytes, but its recorded size is %d", c.Pos()-m.offset, size)
		}
		if f.Layout.Later {
			readGuard(c, metadataGuard, oldMetadataGuard)
		}
	})
}

// metadataSizes returns the sizes that METADATA may state for elements of all bytes with that many pairs: the document
// is ambiguous about the included fields, and the library omits two bytes of each pair.
func (l Layout) metadataSizes(total, pairs int64) (sizes []uint64) {
	heads, bodies := []int64{l.metadataHead(), l.SizeWidth, 4, 0}, []int64{total}
	if l.Later {
		heads, bodies = []int64{8, 0, 4, 12}, []int64{total, total - 2*pairs}
	}
	for _, body := range bodies {
		for _, head := range heads {
			sizes = append(sizes, uint64(head+body))
		}
	}
	return sizes
}

// findElements finds where the elements of METADATA begin, as far as they fit before limit, and returns the number of
// their pairs.
func (f *File) findElements(ctx context.Context, e *decode.Cursor, claimed, limit int64) (pairs int64) {
	f.metadata.elements = decode.NewMarks(e, func(e *decode.Cursor, _ int) { f.readElement(e) })
	quiet := f.cursor.Quiet(model.Span{Offset: e.Pos(), Size: limit - e.Pos()})
	for i := range claimed {
		if i&0xFFFF == 0xFFFF && ctx.Err() != nil {
			break
		}
		n := f.readElement(quiet)
		if quiet.Err() != nil {
			break
		}
		pairs += n
		f.metadata.elements.Add(quiet.Pos())
	}
	return pairs
}

// recordElements records the elements of METADATA that were found.
func (f *File) recordElements() {
	name, elem := "entries", "MetadataEntry"
	if f.Layout.Later {
		name, elem = "blocks", "MetadataBlock"
	}
	if f.metadata.elements.Len() == 0 {
		return
	}
	f.cursor.Struct(name, elem+"[]", func() {
		f.metadata.elements.Record(f.cursor, elem)
		if f.Layout.Later {
			f.cursor.Summaries(f.blockSummaries())
		}
	})
}

// readElement reads an element of METADATA and returns the number of its pairs.
func (f *File) readElement(e *decode.Cursor) (pairs int64) {
	if f.Layout.Later {
		_, pairs, _ = f.readBlock(e)
		return pairs
	}
	readPair(e)
	return 1
}

// readPair reads METADATA ENTRY: both lengths precede the texts, which may be any bytes.
func readPair(e *decode.Cursor) (key, value string) {
	keySize := e.Size("key_length", model.U8)
	valueSize := e.Size("value_length", model.U8)
	key = e.Text("key", int64(keySize))
	if e.Node() != nil {
		e.Key(decode.ValidUTF8(key))
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
	return strings.ReplaceAll(decode.ValidUTF8(filename), `\`, "/")
}

// readBlockHead reads the fields of a block before its pairs.
func readBlockHead(e *decode.Cursor) (tpu TPU, pairs, size int64, sizeLeaf *model.Node) {
	tpu = readTPU(e)
	pairs = e.Total("count", model.U16)
	size = int64(e.Size("size", model.U16))
	return tpu, pairs, size, e.Last()
}

// readBlock reads a METADATA block of the later revision: the pairs of one asset.
func (f *File) readBlock(e *decode.Cursor) (tpu TPU, pairs int64, filename string) {
	tpu, pairs, size, sizeLeaf := readBlockHead(e)
	from := e.Pos()
	if e.Node() != nil {
		e.Key(tpu.String())
	}
	filename = readPairs(e, "entries", pairs)
	if e.Err() != nil {
		return tpu, pairs, filename
	}
	// The library counts the 12 bytes before the pairs and forgets two a pair; the field may wrap.
	body, short := e.Pos()-from, 2*pairs
	isSize := func(n int64) bool { return size == n&0xFFFF }
	if !isSize(12+body-short) && !isSize(12+body) && !isSize(body) && !isSize(body-short) {
		e.Remark(model.Warning, sizeLeaf, "the block has %d bytes, but its recorded size is %d", 12+body, size)
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
func (f *File) filenameOf(quiet *decode.Cursor, tpu TPU) string {
	s := f.Block(tpu)
	if s.Size == 0 {
		return ""
	}
	quiet.Reset(s)
	_, _, filename := f.readBlock(quiet)
	return filename
}

// Block returns the last metadata block of an asset in the later revision, or an empty span.
func (f *File) Block(tpu TPU) model.Span {
	m := &f.metadata
	if !m.isRecorded() || m.elements.Len() == 0 {
		return model.Span{}
	}
	m.once.Do(f.findBlocks)
	k, ok := f.sortedTPUs().find(tpu.Bits(), -1)
	if !ok || m.blocks[k] == 0 {
		return model.Span{}
	}
	return m.elements.At(int(m.blocks[k]) - 1)
}

// findBlocks finds the blocks of the assets that are in the index: a section may have far more.
func (f *File) findBlocks() {
	m, tpus := &f.metadata, f.sortedTPUs()
	m.blocks = make([]uint32, len(tpus))
	quiet, k, ok := f.cursor.Quiet(m.elements.Span()), -1, false
	for number := range m.elements.Len() {
		tpu, _, _ := f.readBlock(quiet)
		if quiet.Err() != nil {
			break
		}
		if k, ok = tpus.find(tpu.Bits(), k); ok {
			m.blocks[k] = uint32(number) + 1
		}
	}
}

// Pairs returns the metadata of the file, which have the TPU 0 in the later revision.
func (f *File) Pairs() (metadataEntries []MetadataEntry, err error) {
	m := &f.metadata
	if !m.isRecorded() {
		return nil, nil
	}
	quiet, count := f.cursor.Quiet(m.elements.Span()), int64(m.elements.Len())
	if f.Layout.Later {
		s := f.Block(TPU{})
		if _, isAsset := f.findTPU(TPU{}); isAsset || s.Size == 0 {
			return nil, nil // no pairs, or pairs of an asset with that TPU
		}
		quiet.Reset(s)
		_, count, _, _ = readBlockHead(quiet)
	}
	return listPairs(quiet, count)
}

// AssetPairs returns the metadata of an asset.
func (f *File) AssetPairs(a *Asset) ([]MetadataEntry, error) {
	if f.Layout.Later {
		s := f.Block(a.Entry.TPU)
		if s.Size == 0 {
			return nil, nil
		}
		quiet := f.cursor.Quiet(s)
		_, count, _, _ := readBlockHead(quiet)
		return listPairs(quiet, count)
	}
	quiet := f.cursor.Quiet(a.Tail())
	quiet.Size("metadata_size", model.U24)
	return listPairs(quiet, quiet.Total("metadata_count", model.U8))
}

// listPairs returns the next count pairs, or as many as can be read.
func listPairs(quiet *decode.Cursor, count int64) (metadataEntries []MetadataEntry, err error) {
	for range count {
		key, value := readPair(quiet)
		if quiet.Err() != nil {
			break
		}
		metadataEntries = append(metadataEntries, MetadataEntry{Key: key, Value: value})
	}
	return metadataEntries, quiet.Err()
}
