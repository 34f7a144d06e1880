package packing

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac"
	"assay/formats/ppac/ppactest"
	"assay/model"
)

// differenceOf compares the first asset of two containers.
func differenceOf(t *testing.T, docs ...*model.Document) difference {
	t.Helper()
	s, err := sidesOf(t.Context(), docs...)
	require.NoError(t, err)
	require.True(t, s.next(t.Context()))
	d, err := new(comparer).compare(t.Context(), &s.assets[0], &s.assets[1])
	require.NoError(t, err)
	return d
}

func TestDifferencesAreOfContentMetadataAndTimes(t *testing.T) {
	for name, l := range map[string]ppactest.Layout{"published": {}, "later": {Later: true}} {
		for _, noSums := range []bool{false, true} {
			base := ppactest.Archive{Layout: l, NoSums: noSums, AdlerOverEntry: noSums}
			of := func(assets ...ppactest.Asset) *model.Document {
				a := base
				a.Assets = assets
				return openBytes(t, encode(t, a))
			}
			asset := ppactest.Asset{TPU: ppactest.NewTPU(1, 1, 1), Created: 5, Modified: 6, Content: []byte("readme"),
				Metadata: ppactest.Pairs("filename", "readme.txt")}
			content2, names2, times2 := asset, asset, asset
			content2.Content = []byte("README")
			names2.Metadata = ppactest.Pairs("filename", "README.md")
			times2.Modified++
			both := content2
			both.Metadata = names2.Metadata
			wantTimes := timesDiffer
			if l.Later {
				wantTimes = 0 // it has none
			}
			for _, test := range []struct {
				other ppactest.Asset
				want  difference
			}{{asset, 0}, {content2, contentDiffers}, {names2, metadataDiffers}, {times2, wantTimes},
				{both, contentDiffers | metadataDiffers}} {
				assert.Equal(t, test.want, differenceOf(t, of(asset), of(test.other)), name)
			}
			assert.Equal(t, presenceDiffers, differenceOf(t, of(asset), of()), name)
			base.Layout = ppactest.Layout{Later: !l.Later}
			other := of(asset)
			base.Layout = l
			assert.Equal(t, allDiffers, differenceOf(t, of(asset), other), name)
		}
	}
}

// The same content may have a recorded size or sum that another container omits.
func TestAbsentSizesAndSumsAreNoDifference(t *testing.T) {
	of := func(l ppactest.Layout, noSums bool, content string) *model.Document {
		return openBytes(t, encode(t, ppactest.Archive{Layout: l, NoSums: noSums, Assets: []ppactest.Asset{
			{TPU: ppactest.NewTPU(1, 1, 1), Content: []byte(content)}}}))
	}
	memory, later := ppactest.Layout{SizeWidth: 4, PositionWidth: 4, MemorySize: true}, ppactest.Layout{Later: true}
	for name, test := range map[string]struct {
		old, same, other *model.Document
	}{
		"a memory size": {of(narrow, false, "one"), of(memory, false, "one"), of(memory, false, "two")},
		"wider sizes":   {of(narrow, false, "one"), of(wide, false, "one"), of(wide, false, "two")},
		"a SHA-256":     {of(later, false, "one"), of(later, true, "one"), of(later, true, "two")},
	} {
		assert.Zero(t, differenceOf(t, test.old, test.same), name)
		assert.Zero(t, differenceOf(t, test.same, test.old), name)
		assert.Equal(t, contentDiffers, differenceOf(t, test.old, test.other), name)
	}
}

// A sum over the whole entry may differ for the same content, unless it does not match the bytes.
func TestDamagedSumIsADifference(t *testing.T) {
	two := sample(narrow, 0).Assets[:2]
	for name, a := range map[string]ppactest.Archive{
		"over the content": {Assets: two},
		"over the entry":   {AdlerOverEntry: true, Assets: two},
		"of one asset":     {AdlerOverEntry: true, Assets: two[:1]},
		"of a later one":   {Layout: ppactest.Layout{Later: true}, Assets: two},
	} {
		t.Run(name, func(t *testing.T) {
			b := encode(t, a)
			sound := openBytes(t, b)
			f, err := fileOf(t.Context(), sound)
			require.NoError(t, err)
			b = bytes.Clone(b)
			b[sound.Root().ChildNamed("index").ChildNamed("entries").Child(0).Span.End()-1] ^= 1
			broken := openBytes(t, b)
			assert.Equal(t, contentDiffers, differenceOf(t, broken, sound))
			assert.Equal(t, contentDiffers, differenceOf(t, sound, broken))
			p, err := patch(t.Context(), broken, sound)
			require.NoError(t, err)
			assert.Equal(t, 1, p.Changed)
			openPlan(t, p)
			m, err := merge(t.Context(), broken, broken, sound)
			require.NoError(t, err)
			require.Len(t, m.Assets, 1)
			assert.Equal(t, byTheirs, m.Assets[0].Changed)
			assert.Equal(t, f.Entry(0).TPU.String(), m.Key(0))
		})
	}
	other := openBytes(t, encode(t, overEntry(narrow, 0)))
	p, err := patch(t.Context(), openBytes(t, encode(t, sample(narrow, 0))), other)
	require.NoError(t, err)
	assert.Zero(t, p.Changed, "sums over other bytes")
}

// An asset whose offset is outside the file equals itself, and differs from one inside, whatever the sums.
func TestMisplacedAssetsAreCompared(t *testing.T) {
	two := sample(narrow, 0).Assets[:2]
	for name, a := range map[string]ppactest.Archive{
		"published":      {Assets: two},
		"later":          {Assets: two, Layout: ppactest.Layout{Later: true}},
		"later, no sums": {Assets: two, Layout: ppactest.Layout{Later: true}, NoSums: true},
	} {
		t.Run(name, func(t *testing.T) {
			sound, broken := openBytes(t, encode(t, a)), openBytes(t, encodeMisplaced(t, a))
			assert.Zero(t, differenceOf(t, broken, broken))
			assert.Equal(t, allDiffers, differenceOf(t, sound, broken))
			assert.Equal(t, allDiffers, differenceOf(t, broken, sound))

			m, err := merge(t.Context(), broken, broken, broken)
			require.NoError(t, err)
			assert.Empty(t, m.Assets)
			p, err := patch(t.Context(), broken, broken)
			require.NoError(t, err)
			assert.Zero(t, p.Changed)
			p, err = patch(t.Context(), broken, sound)
			require.NoError(t, err)
			assert.Equal(t, 1, p.Changed)

			a.Metadata = ppactest.Pairs("title", "so that the index does not end the file")
			inIndex := func(a ppactest.Archive) *model.Document {
				return openBytes(t, encodeMoved(t, a, func(f *ppac.File) uint64 {
					return f.Header.Index + 80 - f.Entry(0).Size
				}))
			}
			a.Assets = slices.Clone(a.Assets)
			before := inIndex(a)
			a.Assets[1].TPU.Unique++
			m, err = merge(t.Context(), before, before, inIndex(a))
			require.NoError(t, err)
			assert.Len(t, m.Assets, 2, "of the first it is not its bytes that changed, but the index")
			a.Assets[1].TPU.Unique--

			a.Assets[0].Metadata = ppactest.Pairs("filename", "text/other.txt", "by", "me")
			other := differenceOf(t, broken, openBytes(t, encodeMisplaced(t, a)))
			if a.Layout.Later {
				assert.Equal(t, metadataDiffers, other, "they are not beside the data")
			} else {
				assert.Equal(t, allDiffers, other, "the size of the entry is another")
			}
		})
	}
}

// An empty package does not show whether its index would have memory sizes: it is combined with any other.
func TestEmptyPackagesOfAnyLayoutAreStacked(t *testing.T) {
	full := openBytes(t, encode(t, sample(ppactest.Layout{SizeWidth: 4, PositionWidth: 4, MemorySize: true}, 0)))
	p, err := patch(t.Context(), full, full)
	require.NoError(t, err)
	var empty, out bytes.Buffer
	require.NoError(t, p.Write(t.Context(), &empty))
	all, err := stack(t.Context(), []*model.Document{full, openBytes(t, empty.Bytes())})
	require.NoError(t, err)
	require.NoError(t, all.Write(t.Context(), &out))
	assert.Equal(t, full.Variant, openBytes(t, out.Bytes()).Variant)
}

// A patch to an empty file has only the layout of the old package.
func TestPatchesToAnEmptyFile(t *testing.T) {
	old := openBytes(t, encode(t, sample(narrow, 0)))
	p, err := patch(t.Context(), old, emptyFile())
	require.NoError(t, err)
	assert.Len(t, p.Removed, 3)
	var out bytes.Buffer
	require.NoError(t, p.Write(t.Context(), &out))
	d := openBytes(t, out.Bytes())
	assert.Equal(t, old.Variant, d.Variant)
	assert.Nil(t, d.Root().ChildNamed("metadata"))
	f, err := fileOf(t.Context(), d)
	require.NoError(t, err)
	assert.Zero(t, f.Header.Modified)
}

func TestPatchesCanBeCanceled(t *testing.T) {
	stop, cancel := context.WithCancel(t.Context())
	cancel()
	for _, later := range []bool{false, true} {
		doc := openBytes(t, encode(t, sample(ppactest.Layout{Later: later}, 0)))
		_, err := patch(stop, doc, doc)
		assert.ErrorIs(t, err, context.Canceled)
		_, err = stack(stop, []*model.Document{doc, doc})
		assert.ErrorIs(t, err, context.Canceled)
	}
}

// A patch that contains a damaged asset of a package repairs it.
func TestDamagedAssetsArePatched(t *testing.T) {
	a := sample(ppactest.Layout{}, 0)
	b := encode(t, a)
	b[bytes.Index(b, []byte("\x08\x0ffilename"))-1] = 9 // the count of the first asset's
	a.Assets[0].Content = []byte("changed")
	p, err := patch(context.Background(), openBytes(t, b), openBytes(t, encode(t, a)))
	require.NoError(t, err)
	assert.Equal(t, 1, p.Changed)
	assert.Zero(t, p.Added)
}

// canceller cancels what writes to it at the first piece, and counts the bytes.
type canceller struct {
	cancel func()
	n      int
}

func (c *canceller) Write(p []byte) (int, error) {
	c.cancel()
	c.n += len(p)
	return len(p), nil
}

func TestCopiesOfPackagesCanBeCanceled(t *testing.T) {
	doc := openBytes(t, encode(t, ppactest.Archive{Assets: []ppactest.Asset{{Content: make([]byte, 4<<20)}}}))
	stop, cancel := context.WithCancel(t.Context())
	p, err := stack(stop, []*model.Document{doc})
	require.NoError(t, err)
	require.IsType(t, verbatim{}, p)
	out := &canceller{cancel: cancel}
	assert.ErrorIs(t, p.Write(stop, out), context.Canceled)
	assert.LessOrEqual(t, out.n, 1<<20)
}

// New content repairs a damaged asset. Its recorded fields stay, except those beside the data.
func TestDamagedAssetsAreReplaced(t *testing.T) {
	cut := func(t testing.TB, a ppactest.Archive) []byte {
		b := encode(t, a)
		b[bytes.Index(b, []byte("\x08\x0ffilename"))-1] = 9 // the count of the first asset's
		return b
	}
	for name, test := range map[string]struct {
		layout          ppactest.Layout
		damaged         func(testing.TB, ppactest.Archive) []byte
		name            string
		created, latest int64
	}{
		"published":           {narrow, encode, "text/readme.txt", 5, 100},
		"published, its data": {narrow, cut, "", 100, 100},
		"published, nowhere":  {narrow, encodeMisplaced, "", 100, 100},
		"later, nowhere":      {ppactest.Layout{Later: true}, encodeMisplaced, "text/readme.txt", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			doc := openBytes(t, test.damaged(t, sample(test.layout, 0)))
			p, err := replace(t.Context(), doc, 0, fileWith("repaired", time.UnixMilli(100)))
			require.NoError(t, err)
			repaired := openPlan(t, p)
			f, err := fileOf(t.Context(), repaired)
			require.NoError(t, err)
			a, err := f.Asset(0)
			require.NoError(t, err)
			b, err := f.Source.Bytes(a.Data)
			require.NoError(t, err)
			assert.Equal(t, "repaired", string(b))
			assert.Equal(t, test.created, a.Created)
			assert.Equal(t, test.latest, a.Modified)
			assert.Contains(t, repaired.Root().ChildNamed("assets").Child(0).Title(), cmp.Or(test.name, "0100-0001-00000001"))
		})
	}
}

func TestSumsOfCopiedAssetsMatch(t *testing.T) {
	base := openBytes(t, encode(t, overEntry(narrow, 0)))
	p, err := replace(t.Context(), base, 1, fileWith("other", time.UnixMilli(0)))
	require.NoError(t, err)
	replaced := openPlan(t, p)
	for name, layers := range map[string][]*model.Document{
		"other widths": {openBytes(t, encode(t, timedArchive(5, "", nil))),
			openBytes(t, encode(t, overEntry(wide, 3)))},
		"an asset replaced":             {base, replaced},
		"over the entry and the data":   {openBytes(t, encode(t, timedArchive(5, "", map[uint32]string{2: "two"}))), base},
		"of two widths, over the entry": {base, openBytes(t, encode(t, overEntry(wide, 3)))},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := stack(t.Context(), layers)
			require.NoError(t, err)
			openPlan(t, p)
		})
	}
}

// A sum that does not match is not replaced by another.
func TestDamagedContentIsNotCopied(t *testing.T) {
	b := encode(t, overEntry(wide, 3))
	b[bytes.Index(b, []byte("readme\n"))] ^= 1
	p, err := patch(t.Context(), openBytes(t, encode(t, ppactest.Archive{})), openBytes(t, b))
	require.NoError(t, err)
	err = p.Write(t.Context(), io.Discard)
	assert.ErrorContains(t, err, "Adler-32 of the whole data entry does not match")
	assert.ErrorContains(t, err, "run verify for all problems")
}

// Sums over more bytes than the content do not show whether the content changed.
func TestSumsOverEntriesAreNotAChange(t *testing.T) {
	base, again := openBytes(t, encode(t, overEntry(narrow, 0))), openBytes(t, encode(t, overEntry(wide, 3)))
	p, err := patch(t.Context(), base, again)
	require.NoError(t, err)
	assert.Zero(t, p.Changed+p.Added+p.Len())
}

// An asset with damaged metadata is not copied into another package.
func TestDamagedAssetsAreNotCopied(t *testing.T) {
	b := encode(t, sample(ppactest.Layout{}, 0))
	b[bytes.Index(b, []byte("\x08\x0ffilename"))-1] = 9 // the count of the first asset's
	doc := openBytes(t, b)
	p, err := patch(t.Context(), openBytes(t, encode(t, ppactest.Archive{})), doc)
	require.NoError(t, err)
	assert.ErrorContains(t, p.Write(t.Context(), io.Discard), "run verify for all problems")
}

// In the later revision the metadata of a file have the TPU 0: if an asset has it, they are omitted.
func TestMetadataOfTheFileNeedTheTPU0(t *testing.T) {
	later := ppactest.Layout{Later: true}
	asset := openBytes(t, encode(t, ppactest.Archive{Layout: later, Assets: []ppactest.Asset{
		{Content: []byte("zero"), Metadata: ppactest.Pairs("filename", "zero.txt")}}}))
	titled := openBytes(t, encode(t, sample(later, 0)))
	for _, layers := range [][]*model.Document{{asset, titled}, {titled, asset}} {
		p, err := stack(t.Context(), layers)
		require.NoError(t, err)
		d := openPlan(t, p)
		assert.Equal(t, 2, d.Root().ChildNamed("metadata").ChildNamed("blocks").Len(), "a block of each asset that has metadata")
		f, err := fileOf(t.Context(), d)
		require.NoError(t, err)
		b, err := f.Source.Bytes(f.Block(ppac.TPU{}))
		require.NoError(t, err)
		assert.Contains(t, string(b), "zero.txt")
	}
}
