package write

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Layout is a revision of the format and the widths of its numbers.
type Layout struct {
	Later         bool  // the revision that the Java library writes
	SizeWidth     int64 // bytes of a size: 4 or 8
	PositionWidth int64 // bytes of an offset: 4 or 8
	MemorySize    bool  // published: index entries have a memory size before the Adler-32
}

func (l Layout) headerSize() int64 { return 28 + 3*l.PositionWidth }

// entrySize returns the number of bytes of INDEX ENTRY.
func (l Layout) entrySize() int64 {
	switch {
	case l.Later:
		return 52 + l.PositionWidth
	case l.MemorySize:
		return 16 + 2*l.SizeWidth + l.PositionWidth
	}
	return 16 + l.SizeWidth + l.PositionWidth
}

// dataHead returns the number of bytes of DATA ENTRY before the data.
func (l Layout) dataHead() int64 { return 16 + l.SizeWidth }

// metadataHead returns the number of bytes of METADATA before its elements.
func (l Layout) metadataHead() int64 { return l.SizeWidth + 4 }

func (l Layout) trashEntrySize() int64 { return l.PositionWidth + l.SizeWidth }

// guardSize returns the number of bytes of the guard that ends a section.
func (l Layout) guardSize() int64 {
	if l.Later {
		return 4
	}
	return 0
}

// FLAGS. The first two have another meaning in each revision.
const (
	flagWideSize     = 1 // published: size fields are 64 bit
	flagWidePosition = 2 // published: offsets are 64 bit
	flagGiga         = 4 // published: there are values above 2^31-1
	flagLongOffsets  = 1 // later: offsets are 64 bit
	flagJavaArrays   = 2 // later: no asset exceeds 2^31-1 bytes
)

// totals has the sizes of an archive for any layout of its revision. The width of sizes is chosen later, so the sizes
// within DATA ENTRY are counted, not their bytes.
type totals struct {
	data        int64 // bytes of the assets; of DATA ENTRY all but the data size
	dataEntries int   // number of data sizes
	largest     int64 // the largest data, trash or, if the index has that size, content
	entry       int64 // bytes of the largest DATA ENTRY but its data size
	index       int   // entries of the index
	trash       int   // entries of the trash index
	metadata    int64 // bytes of the elements of METADATA
	elements    int   // pairs, or in the later revision blocks
	pairs       int64 // in the blocks
	zeroTPU     bool  // an asset of the index has the TPU 0
}

// count visits all assets, and returns an error if no layout can hold them.
func (a *Archive) count() (t totals, err error) {
	if a.Len > math.MaxUint32 {
		return t, errors.New("ppac: an index has at most 4,294,967,295 entries")
	}
	for i := range a.Len {
		s, err := a.Asset(i)
		if err == nil {
			err = t.add(a.Layout, &s)
		}
		if err != nil {
			return t, err
		}
	}
	switch {
	case a.Layout.Later && !t.zeroTPU:
		err = t.addBlock(a.fileAsset())
	case !a.Layout.Later:
		t.elements = len(a.Metadata)
		t.metadata, err = pairsSize(a.Metadata)
	}
	return t, err
}

// fileAsset returns the asset with the TPU 0, to which the metadata of the file belong in the later revision.
func (a *Archive) fileAsset() *Asset { return &Asset{Metadata: a.Metadata} }

func (t *totals) add(l Layout, s *Asset) error {
	if s.Size < 0 || s.Size > math.MaxInt64/2 {
		return fmt.Errorf("ppac: %v has no size", s.TPU)
	}
	if size := max(s.Size, s.Expanded); l.Later && size > math.MaxUint32 {
		return fmt.Errorf("ppac: %v has %d bytes; the later revision holds assets below 4 GiB, "+
			"the published one larger ones, too", s.TPU, size)
	}
	if !s.Shared {
		t.data += s.Size
		t.largest = max(t.largest, s.Size)
	}
	if s.Deleted {
		t.trash++
		return nil
	}
	t.index++
	t.zeroTPU = t.zeroTPU || s.TPU == TPU{}
	if l.Later || l.MemorySize {
		t.largest = max(t.largest, s.Expanded)
	}
	if l.Later {
		return t.addBlock(s)
	}
	if s.Shared {
		return nil
	}
	tail, err := s.tailSize()
	overhead := 16 + tail
	t.data += overhead
	t.dataEntries++
	t.entry = max(t.entry, overhead+s.Size)
	return err
}

// addBlock counts a metadata block.
func (t *totals) addBlock(s *Asset) error {
	size, pairs, err := s.blockSize()
	if size > 0 {
		t.elements++
		t.metadata += size
		t.pairs += pairs
	}
	return err
}

type plan struct {
	layout  Layout
	flags   uint32
	totals  totals
	largest int64 // the largest size
	// The offsets of the sections after the assets, 0 for an absent one, and the end of the last.
	indexOffset, metadataOffset, trashOffset, end int64
}

func (a *Archive) assignOffsets(l Layout, t totals) plan {
	p := plan{layout: l, flags: a.Flags, totals: t, largest: max(t.largest, t.entry+l.SizeWidth)}
	p.indexOffset = l.headerSize() + t.data + int64(t.dataEntries)*l.SizeWidth
	p.end = p.indexOffset + 4 + int64(t.index)*l.entrySize() + l.guardSize()
	if t.elements > 0 {
		p.metadataOffset = p.end
		p.end += l.metadataHead() + t.metadata + l.guardSize()
	}
	if t.trash > 0 {
		p.trashOffset = p.end
		p.end += 4 + int64(t.trash)*l.trashEntrySize() + l.guardSize()
	}
	return p
}

// layOut returns the archive in its own layout or, without one, in the narrowest possible.
func (a *Archive) layOut() (plan, error) {
	t, err := a.count()
	if err != nil {
		return plan{}, err
	}
	if a.Layout.PositionWidth != 0 {
		p := a.assignOffsets(a.Layout, t)
		return p, p.fit()
	}
	l := a.Layout
	l.SizeWidth, l.PositionWidth = 4, 4
	p := a.assignOffsets(l, t)
	if p.largest > math.MaxUint32 {
		l.SizeWidth = 8
		p = a.assignOffsets(l, t)
	}
	if p.end > math.MaxUint32 {
		l.PositionWidth = 8
		p = a.assignOffsets(l, t)
	}
	p.flags = p.layoutFlags()
	return p, nil
}

// fit returns an error if a given layout does not exist, or cannot hold a number.
func (p *plan) fit() error {
	isWidth := func(bytes int64) bool { return bytes == 4 || bytes == 8 }
	switch l := p.layout; {
	case !isWidth(l.SizeWidth), !isWidth(l.PositionWidth), l.Later && l.SizeWidth != 4:
		return fmt.Errorf("ppac: there is no layout with sizes of %d and offsets of %d bytes", l.SizeWidth,
			l.PositionWidth)
	case p.layout.SizeWidth == 4 && p.largest > math.MaxUint32:
		return fmt.Errorf("ppac: an asset of %d bytes does not fit in sizes of 32 bits", p.largest)
	case p.layout.PositionWidth == 4 && p.end > math.MaxUint32:
		return fmt.Errorf("ppac: %d bytes do not fit in offsets of 32 bits", p.end)
	}
	return nil
}

// layoutFlags returns the flags that go with the layout and the sizes.
func (p *plan) layoutFlags() uint32 {
	flag := func(flag uint32, set bool) uint32 {
		if set {
			return flag
		}
		return 0
	}
	long := p.layout.PositionWidth == 8
	if p.layout.Later {
		return flag(flagLongOffsets, long) | flag(flagJavaArrays, p.largest <= math.MaxInt32)
	}
	return flag(flagWideSize, p.layout.SizeWidth == 8) | flag(flagWidePosition, long) |
		flag(flagGiga, max(p.largest, p.end) > math.MaxInt32)
}

const (
	blockHead = 12 // bytes of a metadata block before its entries: TPU, count, size
	tailHead  = 4  // bytes after the data of DATA ENTRY before its entries: size, count
)

// pairsSize returns the total size of METADATA ENTRY for entries, in bytes. The error names the entry that is too long.
func pairsSize(entries []MetadataEntry) (size int64, err error) {
	for _, m := range entries {
		if max(len(m.Key), len(m.Value)) > math.MaxUint8 {
			return 0, fmt.Errorf("ppac: metadata have keys and values of at most 255 bytes, not %d and %d: %.60q = %.60q",
				len(m.Key), len(m.Value), m.Key, m.Value)
		}
		size += int64(2 + len(m.Key) + len(m.Value))
	}
	return size, nil
}

// pairs appends METADATA ENTRY for each entry: both lengths precede the texts.
func (o *output) pairs(entries []MetadataEntry) {
	for _, m := range entries {
		o.u8(uint8(len(m.Key)))
		o.u8(uint8(len(m.Value)))
		o.text(m.Key)
		o.text(m.Value)
	}
}

// tailSize returns the number of bytes that DATA ENTRY has after the data.
func (a *Asset) tailSize() (int64, error) {
	if a.Encoded != nil {
		return int64(len(a.Encoded)), nil
	}
	if n := len(a.Metadata); n > math.MaxUint8 {
		return 0, fmt.Errorf("ppac: %v has %d metadata entries; at most 255 are possible", a.TPU, n)
	}
	size, err := pairsSize(a.Metadata)
	return tailHead + size, err
}

// tail appends the fields of DATA ENTRY after the data.
func (o *output) tail(s *Asset) {
	if s.Encoded != nil {
		o.write(s.Encoded)
		return
	}
	from := len(o.bytes)
	o.u32(uint32(len(s.Metadata))) // the size, of three bytes, and the count
	o.pairs(s.Metadata)
	size := len(o.bytes) - from
	o.bytes[from], o.bytes[from+1], o.bytes[from+2] = byte(size>>16), byte(size>>8), byte(size)
}

// blockSize returns the size in bytes, and the number of pairs, of an asset's metadata block in the later revision.
// Both are 0 without metadata.
func (a *Asset) blockSize() (size, pairs int64, err error) {
	switch n := len(a.Metadata); {
	case len(a.Encoded) >= blockHead:
		return int64(len(a.Encoded)), int64(binary.BigEndian.Uint16(a.Encoded[8:])), nil
	case a.Encoded != nil || n == 0:
		return 0, 0, nil
	case n > math.MaxUint16:
		return 0, 0, fmt.Errorf("ppac: %v has %d metadata entries; at most 65,535 are possible", a.TPU, n)
	}
	size, err = pairsSize(a.Metadata)
	return blockHead + size, int64(len(a.Metadata)), err
}

// block appends an asset's metadata block. The library states a size with the bytes before the entries, and without the
// two lengths of each. It may wrap.
func (o *output) block(s *Asset) {
	if s.Encoded != nil || len(s.Metadata) == 0 {
		o.write(s.Encoded)
		return
	}
	from := len(o.bytes)
	o.tpu(s.TPU)
	o.u16(uint16(len(s.Metadata)))
	o.u16(0)
	o.pairs(s.Metadata)
	size := len(o.bytes) - from - 2*len(s.Metadata)
	o.bytes[from+10], o.bytes[from+11] = byte(size>>8), byte(size)
}
