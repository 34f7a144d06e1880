package ppac

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/decode"
	"assay/formats/ppac/ppactest"
	"assay/model"
)

var (
	readme = []byte(strings.Repeat("Assay reads this text again and again. ", 40))
	icon   = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89")
)

// sample returns an archive with all kinds of parts.
func sample() ppactest.Archive {
	return ppactest.Archive{
		Created: 1411516800000, Modified: 1411516805000,
		Assets: []ppactest.Asset{
			{TPU: ppactest.NewTPU(0x0100, 3, 0x3001), Created: 1, Modified: 1411513200000, Content: readme,
				Metadata: ppactest.Pairs("filename", "text/readme.txt", "ключ", "")},
			{TPU: ppactest.NewTPU(0x0200, 1, 0x1001), Modified: -1, Content: icon,
				Metadata: ppactest.Pairs("title", "\xff\xfe")},
			{TPU: ppactest.NewTPU(0x0100, 3, 0x3002), Content: []byte("gone"), Deleted: true},
			{TPU: ppactest.NewTPU(0x0100, 3, 0x3003), Content: readme, Codec: "zlib"},
			{TPU: ppactest.NewTPU(0x0107, 4, 0xDEADBEEF), Content: []byte("void main() {}\n")},
		},
		Metadata: ppactest.Pairs("title", "sample", "", "no key"),
	}
}

func encode(t testing.TB, a ppactest.Archive) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, ppactest.Write(&b, a))
	return b.Bytes()
}

func source(b []byte) *model.Source {
	return model.NewSource("x.pac", bytes.NewReader(b), int64(len(b)))
}

func openBytes(t testing.TB, b []byte) *model.Document {
	t.Helper()
	doc, err := Open(context.Background(), source(b))
	require.NoError(t, err)
	return doc
}

func check(t testing.TB, doc *model.Document) *model.Report {
	t.Helper()
	r, err := doc.Check(context.Background(), nil)
	require.NoError(t, err)
	return r
}

func nodeAt(t testing.TB, doc *model.Document, path string) *model.Node {
	t.Helper()
	n, err := doc.Find(path)
	require.NoError(t, err)
	return n
}

func laterSample(flags uint32) ppactest.Archive {
	a := sample()
	a.Layout.Later, a.Flags = true, flags
	return a
}

func changed(a ppactest.Archive, change func(*ppactest.Archive)) ppactest.Archive {
	change(&a)
	return a
}

// laidOut is a container with the layout that it has.
type laidOut struct {
	name, want string
	archive    ppactest.Archive
}

// publishedLayouts returns containers of the published revision in all its layouts.
func publishedLayouts() []laidOut {
	published := func(flags uint32, l ppactest.Layout) ppactest.Archive {
		return changed(sample(), func(a *ppactest.Archive) { a.Flags, a.Layout = flags, l })
	}
	first := func(a *ppactest.Archive) { a.Assets = a.Assets[:1] }
	return []laidOut{
		{"narrow", "4.0 published, narrow", published(0, ppactest.Layout{})},
		{"wide size", "4.0 published, wide size", published(1, ppactest.Layout{})},
		{"wide position", "4.0 published, wide position", published(2, ppactest.Layout{})},
		{"both wide", "4.0 published, wide size and position", published(3, ppactest.Layout{})},
		{"giga", "4.0 published, narrow", published(4, ppactest.Layout{})},
		{"size flag widens all", "4.0 published, wide size and position",
			published(1, ppactest.Layout{SizeWidth: 8, PositionWidth: 8})},
		{"position flag widens all", "4.0 published, wide size and position",
			published(2, ppactest.Layout{SizeWidth: 8, PositionWidth: 8})},
		{"flags lie", "4.0 published, narrow", published(3, ppactest.Layout{SizeWidth: 4, PositionWidth: 4})},
		{"memory size narrow", "4.0 published, narrow, memory sizes",
			published(0, ppactest.Layout{SizeWidth: 4, PositionWidth: 4, MemorySize: true})},
		{"memory size wide", "4.0 published, wide size and position, memory sizes",
			published(3, ppactest.Layout{SizeWidth: 8, PositionWidth: 8, MemorySize: true})},
		{"memory size mixed", "4.0 published, wide size, memory sizes",
			published(1, ppactest.Layout{SizeWidth: 8, PositionWidth: 4, MemorySize: true})},
		{"one asset", "4.0 published, narrow", changed(published(0, ppactest.Layout{}), first)},
		{"one asset with memory size", "4.0 published, narrow, memory sizes",
			changed(published(0, ppactest.Layout{SizeWidth: 4, PositionWidth: 4, MemorySize: true}), first)},
		{"no assets", "4.0 published, narrow",
			changed(published(0, ppactest.Layout{}), func(a *ppactest.Archive) { a.Assets = nil })},
		{"no assets, wide", "4.0 published, wide size and position",
			changed(published(3, ppactest.Layout{}), func(a *ppactest.Archive) { a.Assets, a.Metadata = nil, nil })},
	}
}

func TestEveryLayoutIsRead(t *testing.T) {
	for _, test := range append(publishedLayouts(), []laidOut{
		{"later short", "4.0 later, short offsets", laterSample(0)},
		{"later long", "4.0 later, long offsets", laterSample(1)},
		{"later compat", "4.0 later, short offsets", laterSample(2)},
		{"later both", "4.0 later, long offsets", laterSample(3)},
		{"later empty", "4.0 later, short offsets",
			changed(laterSample(0), func(a *ppactest.Archive) { a.Assets, a.Metadata = nil, nil })},
		{"later old guard", "4.0 later, short offsets",
			changed(laterSample(0), func(a *ppactest.Archive) { a.OldGuard = true })},
		{"later no sums", "4.0 later, long offsets", changed(laterSample(1), func(a *ppactest.Archive) { a.NoSums = true })},
	}...) {
		t.Run(test.name, func(t *testing.T) {
			b := encode(t, test.archive)
			doc := openBytes(t, b)
			assert.Equal(t, test.want, doc.Variant)
			assert.NotEmpty(t, doc.Why)
			r := check(t, doc)
			assert.False(t, r.Bad(), "%v", r.Problems)
			assert.Empty(t, r.Overlaps)
			assert.EqualValues(t, len(b), r.Accounted, "%v", r.Gaps)
			requireAssets(t, doc, test.archive)
		})
	}
}

// If unlisted bytes follow the index, the checksum shows whether the entry has a memory size.
func TestChecksumShowsTheMemorySizeBeforeUnlistedBytes(t *testing.T) {
	for _, memorySize := range []bool{false, true} {
		for _, overEntry := range []bool{false, true} {
			a := archiveOf(ppactest.Asset{Content: readme, Codec: ppactest.Zlib})
			a.Layout = ppactest.Layout{SizeWidth: 4, PositionWidth: 4, MemorySize: memorySize}
			a.AdlerOverEntry = overEntry
			doc := openBytes(t, append(encode(t, a), "unlisted"...))
			assert.Equal(t, memorySize, strings.HasSuffix(doc.Variant, "memory sizes"), doc.Variant)
			assert.EqualValues(t, 8, check(t, doc).Gaps[0].Size)
		}
	}
}

// The document does not specify the order of sections.
func TestIndexMayPrecedeItsAsset(t *testing.T) {
	for _, memorySize := range []bool{false, true} {
		a := archiveOf(ppactest.Asset{Content: readme, Codec: ppactest.Zlib})
		a.Layout = ppactest.Layout{SizeWidth: 4, PositionWidth: 4, MemorySize: memorySize}
		b := encode(t, a)
		const header = 40
		at := order.Uint32(b[28:])
		asset, index := b[header:at], b[at:]
		order.PutUint32(index[4+12:], uint32(header+len(index)))
		b = slices.Concat(b[:header], index, asset)
		order.PutUint32(b[28:], header)
		doc := openBytes(t, b)
		assert.Equal(t, Layout(a.Layout).String(), doc.Variant)
		assert.Empty(t, check(t, doc).Problems)
	}
}

func TestSectionsNotFlagsDecideTheWidthsOfAnEmptyIndex(t *testing.T) {
	doc := openBytes(t, encode(t, ppactest.Archive{Layout: ppactest.Layout{SizeWidth: 8, PositionWidth: 8}}))
	assert.Equal(t, "4.0 published, wide size and position", doc.Variant)
	assert.Equal(t, "the index is empty; field widths inferred from the sections, although the flags ask for "+
		"other widths", doc.Why)
}

// requireAssets requires that a container has exactly the assets of an archive that are not deleted.
func requireAssets(t *testing.T, doc *model.Document, a ppactest.Archive) {
	t.Helper()
	kept := slices.DeleteFunc(slices.Clone(a.Assets), func(s ppactest.Asset) bool { return s.Deleted })
	if len(kept) == 0 {
		assert.Nil(t, doc.Payloads)
		return
	}
	require.Equal(t, len(kept), doc.Payloads.Len())
	want := model.Valid
	if a.NoSums {
		want = model.Unrecorded
	}
	for i, s := range kept {
		p := doc.Payloads.At(i)
		assert.Equal(t, TPU(s.TPU).String(), p.Key)
		assert.Equal(t, s.Content, contentOf(t, p))
		v, said, err := p.Verify(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, v, said)
	}
}

func TestTreeHasTheFieldsOfThePublishedRevision(t *testing.T) {
	doc := openBytes(t, encode(t, sample()))
	names := func(path string) (out []string) {
		n := doc.Root()
		if path != "" {
			n = nodeAt(t, doc, path)
		}
		for i := range n.Len() {
			out = append(out, n.Child(i).Name)
		}
		return out
	}
	assert.Equal(t, []string{"header", "index", "metadata", "trash_index", "assets", "trash"}, names(""))
	assert.Equal(t, []string{"magic", "major", "minor", "created", "modified", "flags", "index_offset",
		"metadata_offset",
		"trash_offset"}, names("/header"))
	assert.Equal(t, []string{"type", "purpose", "unique", "size", "location", "compression_id", "adler32"},
		names("/index/entries/0"))
	assert.Equal(t, []string{"size", "count", "entries"}, names("/metadata"))
	assert.Equal(t, []string{"key_length", "value_length", "key", "value"}, names("/metadata/entries/1"))
	assert.Equal(t, []string{"created", "modified", "data_size", "data", "metadata_size", "metadata_count", "metadata"},
		names("/assets/0"))
	assert.Equal(t, []string{"start", "length"}, names("/trash_index/entries/0"))

	entry := nodeAt(t, doc, "/index/entries/0")
	assert.Equal(t, "IndexEntry", entry.Type)
	assert.Equal(t, "0100-0003-00003001", entry.Key)
	assert.Equal(t, "txt", entry.ChildNamed("type").Symbol())
	assert.Equal(t, "valid", entry.ChildNamed("adler32").Symbol())
	assert.Equal(t, int64(1411516800000), nodeAt(t, doc, "/header/created").Value)
	assert.Equal(t, "2014-09-24T00:00:00.000Z", nodeAt(t, doc, "/header/created").Symbol())
	assert.Equal(t, "title", nodeAt(t, doc, "/metadata/entries/0").Key)
	assert.Equal(t, []byte("\xff\xfe"), nodeAt(t, doc, "/assets/1/metadata/0/value").Raw())
	assert.Equal(t, nodeAt(t, doc, "/trash_index/entries/0/start").Value, uint64(nodeAt(t, doc, "/trash/0").Offset))
}

func TestTreeHasTheFieldsOfTheLaterRevision(t *testing.T) {
	doc := openBytes(t, encode(t, laterSample(1)))
	entry := nodeAt(t, doc, "/index/entries/2")
	var names []string
	for i := range entry.Len() {
		names = append(names, entry.Child(i).Name)
	}
	assert.Equal(t, []string{"type", "purpose", "unique", "offset", "disk_size", "memory_size", "compression",
		"reserved",
		"sha256"}, names)
	assert.Equal(t, "valid", entry.ChildNamed("sha256").Symbol())
	assert.Equal(t, "bytes", nodeAt(t, doc, "/assets/2").Type)
	assert.Equal(t, "0100-0003-00003003", nodeAt(t, doc, "/assets/2").Key)
	assert.Equal(t, "INDX", nodeAt(t, doc, "/index/guard").Value)
	assert.Equal(t, "META", nodeAt(t, doc, "/metadata/guard").Value)
	assert.Equal(t, "TRSH", nodeAt(t, doc, "/trash_index/guard").Value)
	assert.Equal(t, "text/readme.txt", nodeAt(t, doc, "/metadata/blocks/1/entries/0/value").Value)
	assert.EqualValues(t, 16, nodeAt(t, doc, "/header/reserved").Size)
}

func TestLinksInBothDirections(t *testing.T) {
	for _, a := range []ppactest.Archive{sample(), laterSample(0), changed(sample(), shuffle)} {
		doc := openBytes(t, encode(t, a))
		entries := nodeAt(t, doc, "/index/entries")
		for i := range entries.Len() {
			entry := entries.Child(i)
			path, ok := entry.Link.Target()
			require.True(t, ok)
			asset := doc.At(path)
			assert.Equal(t, entry.Key, asset.Key)
			back, ok := asset.Link.Target()
			require.True(t, ok)
			assert.True(t, back.Equal(entry.Path()))
			found, ok := doc.FindKey(entry.Key)
			require.True(t, ok)
			assert.True(t, found.Equal(entry.Path()))
		}
		_, ok := doc.FindKey("FFFF-0000-00000000")
		assert.False(t, ok)
		region, ok := nodeAt(t, doc, "/trash_index/entries/0/start").Link.Target()
		require.True(t, ok)
		assert.Equal(t, "/trash/0", doc.At(region).PathText())
		section, ok := nodeAt(t, doc, "/header/metadata_offset").Link.Target()
		require.True(t, ok)
		assert.Equal(t, "/metadata", doc.At(section).PathText())
	}
	doc := openBytes(t, encode(t, laterSample(0)))
	entry, ok := nodeAt(t, doc, "/metadata/blocks/2").Link.Target()
	require.True(t, ok)
	assert.Equal(t, "/index/entries/1", doc.At(entry).PathText())
}

// shuffle reverses the index: the last asset of the file comes first.
func shuffle(a *ppactest.Archive) {
	a.Layout.SizeWidth, a.Layout.PositionWidth = 4, 4
	for i, j := 0, len(a.Assets)-1; i < j; i, j = i+1, j-1 {
		a.Assets[i], a.Assets[j] = a.Assets[j], a.Assets[i]
	}
}

func TestEveryByteHasAnOwner(t *testing.T) {
	for _, a := range []ppactest.Archive{sample(), laterSample(1)} {
		b := encode(t, a)
		doc := openBytes(t, b)
		for off := range int64(len(b)) {
			n := doc.Owner(off)
			require.NotNil(t, n, off)
			require.True(t, n.Leaf() && n.Contains(off))
			again := doc.At(n.Path())
			require.Equal(t, n.Span, again.Span)
		}
	}
}

func TestDumpIsJSON(t *testing.T) {
	for _, a := range []ppactest.Archive{sample(), laterSample(1)} {
		doc := openBytes(t, encode(t, a))
		var out bytes.Buffer
		require.NoError(t, doc.Dump(context.Background(), &out, check(t, doc)))
		assert.True(t, json.Valid(out.Bytes()))
	}
}

func TestIndexIsGroupedByTypeAndPurpose(t *testing.T) {
	doc := openBytes(t, encode(t, sample()))
	require.Len(t, doc.Groups, 2)
	root, err := doc.Groups[0].Build(context.Background())
	require.NoError(t, err)
	var got []string
	for i := range root.Len() {
		g := root.Child(i)
		for k := range g.Len() {
			leaf := g.Child(k)
			path, ok := leaf.Link.Target()
			require.True(t, ok)
			got = append(got, fmt.Sprintf("%s %s %s", g.Name, leaf.Key, doc.At(path).PathText()))
		}
	}
	assert.Equal(t, []string{
		"0100 txt 0100-0003-00003001 /index/entries/0",
		"0100 txt 0100-0003-00003003 /index/entries/2",
		"0107 vert 0107-0004-DEADBEEF /index/entries/3",
		"0200 png 0200-0001-00001001 /index/entries/1",
	}, got)
	root, err = doc.Groups[1].Build(context.Background())
	require.NoError(t, err)
	assert.Equal(t, 3, root.Len())
	stop, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = doc.Groups[0].Build(stop)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestTableHasARowForEachEntry(t *testing.T) {
	for _, a := range []ppactest.Archive{sample(), laterSample(0)} {
		doc := openBytes(t, encode(t, a))
		require.Len(t, doc.Tables, 1)
		table, err := doc.Tables[0].Open(context.Background())
		require.NoError(t, err)
		assert.EqualValues(t, 4, table.Rows)
		for row := range table.Rows {
			entry := doc.At(table.Path(row))
			assert.Equal(t, entry.Key, table.Cell(row, 0))
			assert.Equal(t, entry.ChildNamed("unique").Value, table.Cell(row, 3))
		}
		var all []any
		require.NoError(t, table.Scan(context.Background(), []int{0, 4}, func(row int64, cells []any) error {
			for i, column := range []int{0, 4} {
				assert.Equal(t, table.Cell(row, column), cells[i])
			}
			all = append(all, cells[0])
			return nil
		}))
		assert.Len(t, all, 4)
	}
}

func TestContainersAreRecognizedByTheirMagic(t *testing.T) {
	tests := []struct {
		head string
		size int64
		want decode.Confidence
	}{
		{"PPAC\x00\x04\x00\x00", 40, decode.Yes},
		{"PPAC", 4, decode.Yes},
		{"PP", 2, decode.Maybe},
		{"P", 1, decode.No},
		{"PPAX", 40, decode.No},
		{"", 0, decode.No},
	}
	for _, test := range tests {
		assert.Equal(t, test.want, Sniff([]byte(test.head), test.size), "%q", test.head)
	}
}

func TestTPUsRoundTripAsText(t *testing.T) {
	for _, tpu := range []TPU{{}, {0x0107, 4, 0xDEADBEEF}, {0xFFFF, 0xFFFF, 0xFFFFFFFF}} {
		back, ok := ParseTPU(tpu.String())
		assert.True(t, ok)
		assert.Equal(t, tpu, back)
	}
	assert.Equal(t, "0107-0004-DEADBEEF", TPU{0x0107, 4, 0xDEADBEEF}.String())
	for _, s := range []string{"", "0107-0004-DEADBEE", "0107-0004-DEADBEEG", "0107_0004_DEADBEEF",
		"+107-0004-DEADBEEF"} {
		_, ok := ParseTPU(s)
		assert.False(t, ok, s)
	}
}

// TestQuietEntryEqualsTheRecordedOne compares the quiet reading of an index entry with the recorded one.
func TestQuietEntryEqualsTheRecordedOne(t *testing.T) {
	for _, l := range []Layout{
		{SizeWidth: 4, PositionWidth: 4}, {SizeWidth: 8, PositionWidth: 4},
		{SizeWidth: 4, PositionWidth: 8, MemorySize: true},
		{SizeWidth: 8, PositionWidth: 8, MemorySize: true}, {Later: true, SizeWidth: 4, PositionWidth: 4},
		{Later: true, SizeWidth: 4, PositionWidth: 8},
	} {
		record := make([]byte, l.entrySize())
		for i := range record {
			record[i] = byte(i + 1)
		}
		src := source(record)
		c := decode.New(context.Background(), src, "Ppac", order, &types)
		var ent, quiet Entry
		l.readEntry(c, &ent)
		require.NoError(t, c.Err())
		assert.Zero(t, c.Remaining(), "the whole record is read")
		q := c.Quiet(model.Span{Size: src.Size()})
		l.readEntry(q, &quiet)
		assert.Zero(t, q.Remaining())
		assert.Equal(t, ent, quiet)
	}
}
