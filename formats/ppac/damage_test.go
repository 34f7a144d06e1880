package ppac

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/decode"
	"assay/formats/formatstest"
	"assay/formats/ppac/ppactest"
	"assay/model"
)

// openAndCheck opens and reads a file like the program, and tests the properties of all documents.
func openAndCheck(t testing.TB, b []byte) (*model.Document, *model.Report) {
	t.Helper()
	doc, err := Open(context.Background(), source(b))
	if err != nil {
		return nil, nil
	}
	r := check(t, doc)
	gaps := int64(0)
	for _, g := range r.Gaps {
		gaps += g.Size
	}
	require.EqualValues(t, len(b), r.Accounted+gaps)

	var owned []model.Span
	require.NoError(t, model.Walk(doc.Root(), func(n *model.Node) (bool, error) {
		if n.Leaf() && n.Type != model.Gap {
			require.True(t, n.Span.Within(int64(len(b))), "%s %s", n.PathText(), n.Span)
			owned = append(owned, n.Span)
		}
		if n.Link != nil && n.Link.Target != nil {
			if path, ok := n.Link.Target(); ok {
				require.NotNil(t, doc.At(path))
			}
		}
		return true, nil
	}, nil))
	slices.SortFunc(owned, func(a, b model.Span) int { return int(a.Offset - b.Offset) })
	union, end := int64(0), int64(0)
	for _, s := range owned {
		union += max(0, s.End()-max(s.Offset, end))
		end = max(end, s.End())
	}
	require.Equal(t, r.Accounted, union, "solid parts own what their leaves own")
	require.NoError(t, doc.Dump(context.Background(), io.Discard, r))
	for off := int64(0); off < int64(len(b)); off += max(1, int64(len(b))/16) {
		doc.Owner(off)
	}
	if doc.Payloads == nil {
		return doc, r
	}
	for i := range min(doc.Payloads.Len(), 64) {
		p := doc.Payloads.At(i)
		if rc, err := p.Open(context.Background()); err == nil {
			_, _ = io.Copy(io.Discard, io.LimitReader(rc, 1<<20))
			_ = rc.Close()
		}
		if p.Stored.Size < 1<<20 {
			_, _, _ = p.Verify(context.Background())
		}
	}
	return doc, r
}

func smallArchives() []ppactest.Archive {
	a := sample()
	for i := range a.Assets {
		a.Assets[i].Content = a.Assets[i].Content[:min(20, len(a.Assets[i].Content))]
	}
	narrow, wide, memory, late, long := a, a, a, a, a
	wide.Flags = 3
	memory.Layout = ppactest.Layout{SizeWidth: 4, PositionWidth: 4, MemorySize: true}
	late.Layout.Later = true
	long.Layout.Later, long.Flags = true, 3
	return []ppactest.Archive{narrow, wide, memory, late, long}
}

func TestTruncatedFilesAreReported(t *testing.T) {
	for _, a := range smallArchives() {
		b := encode(t, a)
		for n := range formatstest.Sweep(len(b) - 1) {
			doc, r := openAndCheck(t, b[:1+n])
			require.NotNil(t, doc, n)
			assert.True(t, r.Bad(), "%d of %d bytes", 1+n, len(b))
		}
	}
}

func TestFlippedBytesKeepTheInvariants(t *testing.T) {
	for k, a := range smallArchives() {
		b := encode(t, a)
		for i := range formatstest.Sweep(len(b)) {
			mask := []byte{0xFF, 0x01, 0x80}[(i+k)%3]
			b[i] ^= mask
			openAndCheck(t, b)
			b[i] ^= mask
		}
	}
}

// damage is one item that is wrong with a file.
type damage struct {
	name, description string
	apply             func(b []byte)
	assets            int // that are left
}

// setUint32 returns a function that writes a number of 32 bits.
func setUint32(at int, v uint32) func([]byte) { return func(b []byte) { order.PutUint32(b[at:], v) } }

// sectionsOf returns the offsets of the sections of a file with offsets of 32 bits.
func sectionsOf(b []byte) (index, metadata, trash int) {
	return int(order.Uint32(b[28:])), int(order.Uint32(b[32:])), int(order.Uint32(b[36:]))
}

// damagedAssets returns damages of the index and the assets of the published revision.
func damagedAssets(file []byte) []damage {
	x, _, _ := sectionsOf(file)
	return []damage{
		{"location outside", "the location of entry 1 is 0xfffffff0", setUint32(x+4+24+12, 0xFFFFFFF0), 3},
		{"size outside", "the size of entry 1 is 0xffffffff", setUint32(x+4+24+8, 0xFFFFFFFF), 3},
		{"location in the header", "the location of entry 0 is 8", setUint32(x+4+12, 8), 3},
		{"size of less than an empty asset", "the size of entry 2 is 3", setUint32(x+4+48+8, 3), 3},
		{"data size that wraps", "the data size of asset 1 is 0xfffffff0", func(b []byte) {
			setUint32(int(order.Uint32(b[x+4+24+12:]))+16, 0xFFFFFFF0)(b)
		}, 4},
		{"metadata count of an asset", "the metadata count of asset 0 is 255", func(b []byte) {
			at := int(order.Uint32(b[x+4+12:]))
			b[at+20+int(order.Uint32(b[at+16:]))+3] = 255
		}, 4},
		{"checksum", "the Adler-32 of entry 0 is 1", setUint32(x+4+20, 1), 4},
		{"unknown compression", "the compression id of entry 2 is 7, its Adler-32 1", func(b []byte) {
			setUint32(x+4+48+16, 7)(b)
			setUint32(x+4+48+20, 1)(b)
		}, 4},
		{"content", "a byte of the compressed content of asset 2 is inverted", func(b []byte) {
			at := int(order.Uint32(b[x+4+48+12:]))
			b[at+20+8] ^= 0xFF
		}, 4},
		{"count of everything", "the count of the index is 0xffffffff", setUint32(x, 0xFFFFFFFF), 4},
		{"count of one more", "the count of the index is 5, not 4", setUint32(x, 5), 4},
		{"flags", "the flags are 0x50", setUint32(24, 0x50), 4},
		{"minor version", "the minor version is 9", func(b []byte) { b[7] = 9 }, 4},
		{"index offset past the end", "the index offset is 0x80000000", setUint32(28, 1<<31), 4},
		{"index offset in an asset", "the index offset is 60", setUint32(28, 60), 4},
		{"no index", "the offsets of the index and of the metadata are 0x80000000", func(b []byte) {
			setUint32(28, 1<<31)(b)
			setUint32(32, 1<<31)(b)
		}, 0},
	}
}

// damagedSections returns damages of the header, the metadata and the trash index of the published revision.
func damagedSections(file []byte) []damage {
	x, m, tr := sectionsOf(file)
	return []damage{
		{"metadata in the header", "the metadata offset is 4", setUint32(32, 4), 4},
		{"metadata past the end", "the metadata offset is 0x80000000", setUint32(32, 1<<31), 4},
		{"metadata in an asset", "the metadata offset is 44", setUint32(32, 44), 4},
		{"metadata at the index", "the metadata offset is that of the index", setUint32(32, uint32(x)), 4},
		{"metadata count", "the count of the metadata is 0xffffffff", setUint32(m+4, 0xFFFFFFFF), 4},
		{"metadata size", "the size of the metadata is 0", setUint32(m, 0), 4},
		{"trash over the header", "trash region 0 starts at 0", setUint32(tr+4, 0), 4},
		{"trash over an asset", "trash region 0 starts at 60", setUint32(tr+4, 60), 4},
		{"trash past the end", "trash region 0 starts 4 bytes before the end of the file", setUint32(tr+4, uint32(len(file)-4)), 4},
		{"trash count", "the count of the trash index is 9", setUint32(tr, 9), 4},
	}
}

// damagedLaterAssets returns damages of the index and the assets of the later revision.
func damagedLaterAssets(file []byte) []damage {
	y, _, _ := sectionsOf(file)
	return []damage{
		{"later: index guard", "the guard of the index is zeros", setUint32(y+4+4*56, 0), 4},
		{"later: index offset", "the index offset is 0", setUint32(28, 0), 4},
		{"later: count", "the count of the index is 3, not 4", setUint32(y, 3), 4},
		{"later: size outside", "the disk size of entry 1 is 0xffffffff", setUint32(y+4+56+12, 0xFFFFFFFF), 3},
		{"later: reserved bytes", "the reserved bytes of entry 1 are 1 2 3", setUint32(y+4+56+20, 0x00010203), 4},
		{"later: checksum", "four bytes of the SHA-256 of entry 0 are 1", setUint32(y+4+24, 0x01010101), 4},
		{"later: memory size", "the memory size of entry 0, which is stored, is 7", setUint32(y+4+16, 7), 4},
		{"later: a stream that ends early", "the disk size of entry 2, which is compressed, is 9", setUint32(y+4+2*56+12, 9), 4},
		{"later: memory size of a stream", "the memory size of entry 2, which is compressed, is 7", setUint32(y+4+2*56+16, 7), 4},
	}
}

// damagedLaterSections returns damages of the metadata and the trash index of the later revision.
func damagedLaterSections(file []byte) []damage {
	_, m, tr := sectionsOf(file)
	return []damage{
		{"later: metadata guard", "the guard of the metadata is zeros", setUint32(tr-4, 0), 4},
		{"later: metadata size", "the size of the metadata is 1", setUint32(m, 1), 4},
		{"later: metadata count", "the count of the metadata is 0xffffffff", setUint32(m+4, 0xFFFFFFFF), 4},
		{"later: block size", "the size of block 0 is 1", func(b []byte) { b[m+8+11] = 1 }, 4},
		{"later: trash guard", "the guard of the trash index is zeros", setUint32(len(file)-4, 0), 4},
		{"later: trash count", "the count of the trash index is 0", setUint32(tr, 0), 4},
		{"later: metadata size and guard", "the size of the metadata is 1, the guard zeros", func(b []byte) {
			setUint32(m, 1)(b)
			setUint32(tr-4, 0)(b)
		}, 4},
		{"later: trash count and guard", "the count of the trash index is 9, the guard zeros", func(b []byte) {
			setUint32(tr, 9)(b)
			setUint32(len(b)-4, 0)(b)
		}, 4},
	}
}

// TestDamageIsReported: the valid parts beside a damaged field are read, and the problem names the field.
func TestDamageIsReported(t *testing.T) {
	narrow, late, long := encode(t, smallArchives()[0]), encode(t, smallArchives()[3]), encode(t, smallArchives()[4])
	old := encode(t, changed(smallArchives()[3], func(a *ppactest.Archive) { a.OldGuard = true }))
	_, _, oldTrash := sectionsOf(old)
	var files []formatstest.Damaged
	for _, group := range []struct {
		of   string
		file []byte
		all  []damage
	}{
		{"the narrow published sample", narrow, slices.Concat(damagedAssets(narrow), damagedSections(narrow))},
		{"the later sample", late, slices.Concat(damagedLaterAssets(late), damagedLaterSections(late))},
		{"the later sample with long offsets", long, []damage{{"later, long: index guard",
			"the guard of the index is zeros", setUint32(int(order.Uint64(long[28:]))+4+4*60, 0), 4}}},
		{"the later sample with the guard of libraries before 2017", old, []damage{{"later: old metadata guard",
			"one bit of the guard is changed", func(b []byte) { b[oldTrash-1] ^= 1 }, 4}}},
	} {
		for _, d := range group.all {
			b := slices.Clone(group.file)
			d.apply(b)
			doc, r := openAndCheck(t, b)
			require.NotNil(t, doc, d.name)
			n := 0
			if list := doc.Root().ChildNamed("assets"); list != nil {
				n = list.Len()
			}
			assert.Equal(t, d.assets, n, d.name)
			assert.NotEmpty(t, r.Problems, d.name)
			assert.Empty(t, r.Overlaps, d.name)
			files = append(files, formatstest.Damaged{Name: d.name, Made: group.of + "; " + d.description,
				Document: doc})
		}
	}
	files = append(files, formatstest.Damaged{Name: "trash beyond 2 GiB without GIGA",
		Made:     "three assets and trash, which starts at 0x80000010",
		Document: spreadOut(t, 0, map[string]uint32{"/trash_index/entries/0/start": far})})
	formatstest.GoldenProblems(t, "damaged", files)
}

// If any byte of its offset is damaged, the index is found by its count and by the structure at its end.
func TestLostIndexesAreFound(t *testing.T) {
	alone := func(a ppactest.Archive) ppactest.Archive {
		a.Assets, a.Metadata = slices.Clone(a.Assets), nil
		for i := range a.Assets {
			a.Assets[i].Metadata, a.Assets[i].Deleted = nil, false
		}
		return a
	}
	for k, a := range smallArchives() {
		for _, a := range []ppactest.Archive{a, alone(a)} {
			b := encode(t, a)
			sound := openBytes(t, b)
			offset := sound.Root().ChildNamed("header").ChildNamed("index_offset")
			for i := offset.Offset; i < offset.End(); i++ {
				b[i] ^= 0xFF
				doc, r := openAndCheck(t, b)
				require.NotNil(t, doc.Payloads, "%d: byte %#x", k, i)
				assert.Equal(t, sound.Payloads.Len(), doc.Payloads.Len(), "%d: byte %#x", k, i)
				assert.Equal(t, sound.Variant, doc.Variant)
				require.NotEmpty(t, r.Problems)
				assert.Contains(t, r.Problems[0].Message, "no index at 0x")
				b[i] ^= 0xFF
			}
		}
	}
}

// Four zeros in an asset are not an empty index, at any offset in the header.
func TestZerosAreNotALostIndex(t *testing.T) {
	for k, a := range smallArchives() {
		a.NoSums = k%2 == 1
		a.Assets = []ppactest.Asset{{Content: make([]byte, 200)}, {TPU: ppactest.NewTPU(1, 2, 3), Content: readme}}
		b := encode(t, a)
		want := openBytes(t, b)
		header := want.Root().ChildNamed("header").ChildNamed("index_offset")
		b[header.End()-1], b[header.End()-2] = 120, 0
		doc := openBytes(t, b)
		assert.Equal(t, want.Variant, doc.Variant)
		require.NotNil(t, doc.Payloads, k)
		assert.Equal(t, want.Payloads.Len(), doc.Payloads.Len())
	}
}

// TestSearchForLostIndexesIsLimited: in a hostile file each number is the count of the entries after it.
func TestSearchForLostIndexesIsLimited(t *testing.T) {
	const entries = 100
	b := append([]byte("PPAC\x00\x04\x00\x00"), make([]byte, 16)...)
	b = append(b, 0, 0, 0, 0, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	for n := entries; n > 0; n-- {
		b = append(order.AppendUint32(b, uint32(n)), make([]byte, 20)...)
	}
	b = append(b, 0, 0, 0, 0)
	k := newContainer(decode.New(t.Context(), source(b), "Ppac", order, &types))
	end := &lostEnd{Layout: Layout{SizeWidth: 4, PositionWidth: 4}, offset: int64(len(b))}
	k.findCounts(t.Context(), end.offset, []*lostEnd{end})
	assert.Len(t, end.counts, maxCounts)
	_, _ = openAndCheck(t, b)
}

// TestLostIndexIsReadInParts: each number is examined once, also one that is in two parts.
func TestLostIndexIsReadInParts(t *testing.T) {
	l := Layout{SizeWidth: 4, PositionWidth: 4}
	for shift := range int64(8) {
		for _, later := range []bool{false, true} {
			l.Later = later
			n := (lostPart-8)/l.entrySize() + 1
			b := make([]byte, 3*lostPart+shift)
			end := int64(len(b))
			if later {
				copy(b[end-guardSize:], indexGuard)
				end -= guardSize
			}
			at := end - 4 - n*l.entrySize()
			order.PutUint32(b[at:], uint32(n))
			k := newContainer(decode.New(t.Context(), source(b), "Ppac", order, &types))
			found := &lostEnd{Layout: l, offset: int64(len(b))}
			k.findCounts(t.Context(), found.offset, []*lostEnd{found})
			assert.Equal(t, []int64{at}, found.counts, "%d", shift)
		}
	}
}

// TestLostIndexIsSearchedOnce: the bytes are read once for all layouts, in files of any size.
func TestLostIndexIsSearchedOnce(t *testing.T) {
	const size = 4 * maxLost
	read := &countedZeros{head: append([]byte("PPAC\x00\x04\x00\x00"), make([]byte, 16)...)}
	_, err := Open(t.Context(), model.NewSource("x.ppac", read, size))
	require.NoError(t, err)
	assert.Less(t, read.n.Load(), int64(2*maxLost))
}

// countedZeros is a file of zeros after its head, which counts the bytes that are read.
type countedZeros struct {
	head []byte
	n    atomic.Int64
}

func (z *countedZeros) ReadAt(p []byte, off int64) (int, error) {
	z.n.Add(int64(len(p)))
	clear(p)
	if off < int64(len(z.head)) {
		copy(p, z.head[off:])
	}
	return len(p), nil
}

// If a damaged asset is ambiguous, the end of the index decides.
func TestDamagedAssetsKeepTheLayout(t *testing.T) {
	for _, a := range smallArchives()[:3] {
		for n := range 2 {
			a.Assets = a.Assets[:n+1]
			b := encode(t, a)
			doc := openBytes(t, b)
			size := nodeAt(t, doc, "/assets").Child(n).ChildNamed("data_size")
			for i := size.Offset; i < size.End(); i++ {
				b[i] = 0xFF
			}
			assert.Equal(t, doc.Variant, openBytes(t, b).Variant)
		}
	}
}

// The index of a package that is an asset is not the index of a file that is cut after the asset.
func TestIndexOfANestedPackageIsNotTheIndexOfTheFile(t *testing.T) {
	small := smallArchives()
	for _, inner := range []ppactest.Archive{small[0], small[3], changed(small[3], func(a *ppactest.Archive) {
		a.NoSums, a.Metadata = true, nil
		a.Assets = []ppactest.Asset{{Content: []byte("one")}}
	})} {
		outer := smallArchives()[3]
		outer.Assets = append(slices.Clone(outer.Assets), ppactest.Asset{TPU: ppactest.NewTPU(0x605, 1, 99),
			Content: encode(t, inner)})
		b := encode(t, outer)
		index, _, _ := sectionsOf(b)
		doc, _ := openAndCheck(t, b[:index])
		require.NotNil(t, doc)
		assert.Nil(t, doc.Payloads)
	}
}

func TestIndexBeforeTheAssetsEndsAtThem(t *testing.T) {
	// The index stands after the header, its count claims all that follows.
	var a ppactest.Archive
	for k := range uint32(3) {
		a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(1, 1, k), Content: readme})
	}
	after := encode(t, a)
	header, assets, index := after[:40], after[40:order.Uint32(after[28:])], after[order.Uint32(after[28:]):]
	order.PutUint32(header[28:], uint32(len(header)))
	order.PutUint32(index, 0xFFFFFFFF)
	for k := range 3 {
		location := index[4+24*k+12:]
		order.PutUint32(location, order.Uint32(location)+uint32(len(index)))
	}
	b := slices.Concat(header, index, assets)
	doc, r := openAndCheck(t, b)
	require.NotNil(t, doc)
	assert.Equal(t, 3, nodeAt(t, doc, "/index/entries").Len())
	assert.Equal(t, 3, nodeAt(t, doc, "/assets").Len())
	assert.EqualValues(t, len(b), r.Accounted)
	assert.Contains(t, r.Problems[0].Message, "an asset begins after 3 of them")
}

func TestDuplicateTPUsAreNoted(t *testing.T) {
	a := sample()
	a.Assets[3].TPU = a.Assets[0].TPU
	doc := openBytes(t, encode(t, a))
	r := check(t, doc)
	assert.False(t, r.Bad())
	require.Len(t, r.Problems, 2)
	assert.Contains(t, r.Problems[0].Message, "duplicate TPU")
	path, ok := doc.FindKey(TPU(a.Assets[0].TPU).String())
	require.True(t, ok)
	assert.Equal(t, "/index/entries/2", doc.At(path).PathText(), "the last wins")
}

func TestSecondEntryOfAnAssetHasANote(t *testing.T) {
	b := encode(t, sample())
	x := int(binary.BigEndian.Uint32(b[28:])) + 4
	copy(b[x+48+8:x+72], b[x+8:x+24]) // the third entry names the first one's asset
	doc, r := openAndCheck(t, b)
	assert.Equal(t, 3, nodeAt(t, doc, "/assets").Len())
	assert.Empty(t, r.Overlaps)
	assert.True(t, slices.ContainsFunc(r.Problems, func(p model.Problem) bool {
		return p.Path == "/index/entries/2" && p.Severity == model.Note
	}))
	path, ok := nodeAt(t, doc, "/index/entries/2").Link.Target()
	require.True(t, ok)
	assert.Equal(t, "/assets/0", doc.At(path).PathText())
}

func TestOtherVersionsAreNotSupported(t *testing.T) {
	b := encode(t, sample())
	b[5] = 5
	doc, r := openAndCheck(t, b)
	assert.Equal(t, "5.0", doc.Variant)
	assert.Contains(t, r.Problems[0].Message, "version 5 is not supported")
	assert.Nil(t, doc.Payloads)
	_, err := Open(context.Background(), source([]byte("\x89PNG\r\n\x1a\n")))
	assert.ErrorContains(t, err, "does not begin with PPAC")
	_, err = Open(context.Background(), source(nil))
	assert.Error(t, err)
}

func TestOpenCanBeCanceled(t *testing.T) {
	stop, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Open(stop, source(encode(t, sample())))
	assert.ErrorIs(t, err, context.Canceled)
}

// sparse is a file of mostly zeros.
type sparse struct {
	parts map[int64][]byte
}

func (s sparse) ReadAt(p []byte, off int64) (int, error) {
	clear(p)
	for at, b := range s.parts {
		for i := range b {
			if k := at + int64(i) - off; k >= 0 && k < int64(len(p)) {
				p[k] = b[i]
			}
		}
	}
	return len(p), nil
}

func TestValuesOfMoreThan32BitsAreRead(t *testing.T) {
	const big = 6 << 30
	for _, flags := range []uint32{3, 7} {
		numbers := func(all ...uint64) (b []byte) {
			for _, v := range all {
				b = order.AppendUint64(b, v)
			}
			return b
		}
		head := slices.Concat([]byte("PPAC\x00\x04\x00\x00"), numbers(1, 2), order.AppendUint32(nil, flags),
			numbers(big+100, 0, 0))
		entry := numbers(0, 0, big-4-28)
		index := append([]byte{0, 0, 0, 1}, numbers(TPU{1, 2, 3}.Bits(), big-4, 100, 0)...)
		src := model.NewSource("big.pac",
			sparse{map[int64][]byte{0: head, 100: entry, big + 100: index}}, big+136)
		doc, err := Open(context.Background(), src)
		require.NoError(t, err)
		assert.Equal(t, "4.0 published, wide size and position", doc.Variant)
		assert.Equal(t, uint64(big-4-28), nodeAt(t, doc, "/assets/0/data_size").Value)
		assert.EqualValues(t, big-4-28, doc.Payloads.At(0).Size)
		r := check(t, doc)
		missing := slices.ContainsFunc(r.Problems, func(p model.Problem) bool { return p.Path == "/header/flags" })
		assert.Equal(t, flags&FlagGiga == 0, missing)
	}
}

// far is an offset that takes the flag GIGA.
const far = 1<<31 + 16

// spreadOut is a container of three assets and trash whose sound bytes are at far, too, with some fields set.
func spreadOut(t testing.TB, flags uint32, set map[string]uint32) *model.Document {
	t.Helper()
	b := encode(t, ppactest.Archive{Flags: flags, Assets: []ppactest.Asset{
		{TPU: ppactest.NewTPU(1, 1, 1), Content: readme}, {TPU: ppactest.NewTPU(1, 1, 2), Content: readme},
		{TPU: ppactest.NewTPU(1, 1, 3), Content: readme}, {Content: readme, Deleted: true}}})
	near := openBytes(t, b)
	parts := map[int64][]byte{0: b, far: bytes.Clone(nodeAt(t, near, "/assets/0").Raw())}
	for path, v := range set {
		order.PutUint32(b[nodeAt(t, near, path).Offset:], v)
	}
	doc, err := Open(t.Context(), model.NewSource("giga.pac", sparse{parts}, far+2000))
	require.NoError(t, err)
	return doc
}

func TestMissingGigaFlagIsNotedForValidLocations(t *testing.T) {
	const outside = 1<<32 - 1
	const first, second = "/index/entries/0/location", "/index/entries/1/location"
	const start, length = "/trash_index/entries/0/start", "/trash_index/entries/0/length"
	type fields map[string]uint32
	for name, c := range map[string]struct {
		set     fields
		missing bool
	}{
		"everything is near":           {fields{}, false},
		"trash":                        {fields{start: far}, true},
		"trash outside of the file":    {fields{start: outside}, false},
		"trash of too many bytes":      {fields{length: outside}, false},
		"an asset":                     {fields{first: far}, true},
		"an asset outside of the file": {fields{second: outside}, false},
		"an asset, another outside":    {fields{first: far, second: outside}, true},
		"trash, an asset outside":      {fields{start: far, second: outside}, true},
	} {
		for _, flags := range []uint32{0, FlagGiga} {
			missing := slices.ContainsFunc(check(t, spreadOut(t, flags, c.set)).Problems,
				func(p model.Problem) bool { return p.Path == "/header/flags" })
			assert.Equal(t, c.missing && flags == 0, missing, name)
		}
	}
}

func TestMissingGigaFlagIsNotedForPossibleMemorySizes(t *testing.T) {
	content := make([]byte, 1<<31/maxDeflate+1000)
	rand.NewChaCha8([32]byte{}).Read(content)
	for size, missing := range map[uint32]bool{1 << 31: true, 1<<32 - 1: false} {
		b := encode(t, ppactest.Archive{Layout: ppactest.Layout{SizeWidth: 4, PositionWidth: 4, MemorySize: true},
			Assets: []ppactest.Asset{{TPU: ppactest.NewTPU(1, 1, 1), Content: content, Codec: ppactest.Zlib}}})
		order.PutUint32(b[nodeAt(t, openBytes(t, b), "/index/entries/0/memory_size").Offset:], size)
		assert.Equal(t, missing, slices.ContainsFunc(check(t, openBytes(t, b)).Problems,
			func(p model.Problem) bool { return p.Path == "/header/flags" }), size)
	}
}

func TestSpanIndexAgreesWithABruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		spans := make([]model.Span, 1+r.IntN(30))
		b := spanIndexer{spanIndex: spanIndex{spanOf: func(i int) model.Span { return spans[i] }}}
		for i := range spans {
			spans[i] = model.Span{Offset: int64(r.IntN(200)), Size: int64(r.IntN(12))}
			b.add(i, spans[i])
		}
		p := b.index()
		if round%2 == 0 {
			p.indexNonempty()
		}
		for k := 1; k < p.count; k++ {
			require.LessOrEqual(t, p.span(k-1).Offset, p.span(k).Offset)
		}
		for i, s := range spans {
			k, ok := p.position(i, s)
			require.True(t, ok)
			require.Equal(t, s, p.span(k))
		}
		for off := range int64(220) {
			from, to := p.partsAt(off)
			for k := range p.count {
				if p.span(k).Contains(off) {
					require.True(t, from <= k && k < to, "%d", off)
				}
			}
			want := slices.ContainsFunc(spans,
				func(s model.Span) bool { return s.Overlaps(model.Span{Offset: off, Size: 5}) })
			got := p.overlaps(model.Span{Offset: off, Size: 5})
			require.Equal(t, want, got)
		}
	}
}

// counted counts what is read of a file.
type counted struct {
	*bytes.Reader
	reads, bytes atomic.Int64
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	c.reads.Add(1)
	n, err := c.Reader.ReadAt(p, off)
	c.bytes.Add(int64(n))
	return n, err
}

// TestDoubtfulSectionsAreReadOnce: a section without its guard is not read again if it ends before the next part of the
// file.
func TestDoubtfulSectionsAreReadOnce(t *testing.T) {
	b := encode(t, changed(laterSample(0), func(a *ppactest.Archive) { a.Metadata = nil }))
	order.PutUint32(b[32:], uint32(len(b)))
	const blocks = 200_000
	b = append(b, make([]byte, 4+4+12*blocks)...)
	order.PutUint32(b[len(b)-4-12*blocks:], blocks)
	src := &counted{Reader: bytes.NewReader(b)}
	doc, err := Open(t.Context(), model.NewSource("x.pac", src, int64(len(b))))
	require.NoError(t, err)
	assert.Less(t, src.bytes.Load(), int64(len(b))*3/2)
	assert.Equal(t, blocks, nodeAt(t, doc, "/metadata/blocks").Len())
}

func TestTrashAroundEmptyAssetsIsReadInTime(t *testing.T) {
	const n = 2000
	a := ppactest.Archive{Layout: ppactest.Layout{Later: true}}
	for i := range uint32(n) {
		a.Assets = append(a.Assets,
			ppactest.Asset{TPU: ppactest.TPU{Unique: i}, Content: []byte{1}, Deleted: true}) // n bytes of trash
	}
	for i := range uint32(n) {
		a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.TPU{Unique: i}})
	}
	a.Assets = append(a.Assets, ppactest.Asset{Content: []byte{1}, Deleted: true}) // and one after the empty assets
	b := encode(t, a)
	for i := range n + 1 { // each entry of the trash index names all of them
		entry := b[len(b)-len(trashGuard)-8*(n+1)+8*i:]
		order.PutUint32(entry, uint32(Layout{PositionWidth: 4}.headerSize()))
		order.PutUint32(entry[4:], n+1)
	}
	src := &counted{Reader: bytes.NewReader(b)}
	doc, err := Open(t.Context(), model.NewSource("x.pac", src, int64(len(b))))
	require.NoError(t, err)
	assert.False(t, check(t, doc).Bad())
	assert.Less(t, src.reads.Load(), int64(100*n), "not each asset for each entry")
}

func TestManyMetadataAreRead(t *testing.T) {
	for _, l := range []ppactest.Layout{{}, {Later: true}} {
		a := ppactest.Archive{Layout: l}
		for k := range uint32(100) {
			m := ppactest.Pairs("filename", string(make([]byte, k))+"x")
			a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(1, 1, k), Metadata: m})
			a.Metadata = append(a.Metadata,
				ppactest.MetadataEntry{Key: string(rune('a' + k%26)), Value: string(make([]byte, k))})
		}
		b := encode(t, a)
		doc, r := openAndCheck(t, b)
		assert.False(t, r.Bad(), "%v", r.Problems)
		assert.EqualValues(t, len(b), r.Accounted)
		list := doc.Root().ChildNamed("metadata").ChildNamed("entries")
		if l.Later {
			list = doc.Root().ChildNamed("metadata").ChildNamed("blocks")
		}
		for i := range list.Len() {
			n := list.Child(i)
			for _, off := range []int64{n.Offset, n.End() - 1} {
				assert.True(t, doc.Owner(off).Path()[:3].Equal(n.Path()))
			}
		}
	}
}
