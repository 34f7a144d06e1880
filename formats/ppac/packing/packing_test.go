package packing

import (
	"bytes"
	"cmp"
	"context"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac"
	"assay/formats/ppac/ppactest"
	"assay/formats/ppac/write"
	"assay/model"
)

// namedFiles returns files without content.
func namedFiles(names ...string) (files []model.PackedFile) {
	for _, name := range names {
		files = append(files, model.PackedFile{Name: name})
	}
	return files
}

func TestFilesHaveTheTPUOfTheirNameOrChecksum(t *testing.T) {
	unique := crc32.ChecksumIEEE([]byte("a/b.png"))
	types := map[string]string{"own": "0xBEEF", "png": "200"}
	for _, test := range []struct {
		name string
		want ppac.TPU
	}{
		{"a/b.png", ppac.TPU{Type: 0x200, Unique: unique}},
		{"a/0200-0007-0000002A.png", ppac.TPU{Type: 0x200, Purpose: 7, Unique: 42}},
		{"beef-0007-0000002a.txt", ppac.TPU{Type: 0xBEEF, Purpose: 7, Unique: 42}},
		{"0200-0007-0000002A", ppac.TPU{Type: 0x200, Purpose: 7, Unique: 42}},
		{"0200-0007-2A.unknown", ppac.TPU{Unique: crc32.ChecksumIEEE([]byte("0200-0007-2A.unknown"))}},
		{"x.OWN", ppac.TPU{Type: 0xBEEF, Unique: crc32.ChecksumIEEE([]byte("x.OWN"))}},
	} {
		p, err := packFiles(namedFiles(test.name), model.PackOptions{Types: types})
		require.NoError(t, err)
		a, err := p.(plan).Asset(0)
		require.NoError(t, err)
		assert.Equal(t, test.want, ppac.TPU(a.TPU), test.name)
	}
}

// If two files of a type have one unique ID, the file with that name keeps it, in any order.
func TestFilesOfOneUniqueIDGetTheNextFreeOne(t *testing.T) {
	free := ppac.TPU{Type: 0x200, Unique: crc32.ChecksumIEEE([]byte("a.png"))}
	taken := free.String() + ".png"
	next := free
	next.Unique++
	for _, names := range [][]string{{"a.png", taken}, {taken, "a.png"}} {
		tpus, err := identify(namedFiles(names...), map[string]uint16{"png": 0x200})
		require.NoError(t, err)
		assert.ElementsMatch(t, []ppac.TPU{free, next}, tpus)
	}
}

func TestFilesThatCannotBePackedAreErrors(t *testing.T) {
	for says, names := range map[string][]string{
		"a/0200-0000-00000001.png and b/0200-0000-00000001.txt have the same key 0200-0000-00000001; rename one of them": {
			"a/0200-0000-00000001.png", "b/0200-0000-00000001.txt"},
		"has 256 bytes; a package holds names of at most 255": {strings.Repeat("x", 256)},
		"is not UTF-8, as names in a package are":             {"\xff.png"},
		`the name a\b has a \, which separates folders`:       {`a\b`},
	} {
		_, err := packFiles(namedFiles(names...), model.PackOptions{})
		assert.ErrorContains(t, err, says)
	}
	for _, id := range []string{"png", "12345", "-1", ""} {
		_, err := packFiles(nil, model.PackOptions{Types: map[string]string{"png": id}})
		assert.ErrorContains(t, err, "the type of .png must be a number of up to four hexadecimal digits, such as 0200")
	}
}

// The same files make the same bytes: all times are from the files.
func TestPackageHasTheNewestTimeOfItsFiles(t *testing.T) {
	files := []model.PackedFile{fileWith("old", time.UnixMilli(5)), fileWith("new", time.UnixMilli(7))}
	files[0].Name, files[1].Name = "old.txt", "new.txt"
	p, err := packFiles(files, model.PackOptions{Variant: "published"})
	require.NoError(t, err)
	f, err := fileOf(t.Context(), openPlan(t, p))
	require.NoError(t, err)
	assert.EqualValues(t, 7, f.Header.Created)
	assert.EqualValues(t, 7, f.Header.Modified)
	a, err := f.Asset(0)
	require.NoError(t, err)
	assert.EqualValues(t, 5, a.Created)
	assert.Equal(t, "old.txt", a.Filename)
}

// archiveOf returns a package of files, as of a folder; the content of each is its name, except for the changed ones.
// The order of the TPUs is not the order of the names.
func archiveOf(changed string, names ...string) ppactest.Archive {
	a := ppactest.Archive{Layout: ppactest.Layout{Later: true}, Flags: 2}
	for _, name := range names {
		content := name
		if name == changed {
			content += ", changed"
		}
		a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(1, 0, uint32(name[len(name)-1]*37%64)),
			Content: []byte(content), Metadata: ppactest.Pairs("filename", name)})
	}
	return a
}

// filenames returns the file names of a package, in the order of its index.
func filenames(t *testing.T, b []byte) (all []string) {
	t.Helper()
	p := openBytes(t, b).Payloads
	for i := range p.Len() {
		all = append(all, p.At(i).Name)
	}
	return all
}

func bytesOf(t *testing.T, p model.ArchivePlan) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, p.Write(t.Context(), &out))
	return out.Bytes()
}

// A patch that is loaded over the old package gives the new one, byte for byte.
func TestLoadedPatchEqualsTheNewPackage(t *testing.T) {
	for name, test := range map[string]struct{ old, new ppactest.Archive }{
		"changed":          {archiveOf("", "d", "b", "a", "c"), archiveOf("b", "d", "b", "a", "c")},
		"new between":      {archiveOf("", "a", "b/c", "b.d"), archiveOf("", "a", "b/c", "b/e", "b.d")},
		"new at the ends":  {archiveOf("", "b", "c"), archiveOf("", "a", "b", "c", "d")},
		"all are new":      {archiveOf(""), archiveOf("", "d", "b", "a", "c")},
		"without names":    {archiveOfIDs(1, 5, 7), archiveOfIDs(1, 3, 5, 6, 7, 8)},
		"one is not there": {archiveOfIDs(7, 5, 1), archiveOfIDs(7, 5, 1)},
	} {
		old, new := encode(t, test.old), encode(t, test.new)
		p, err := patch(t.Context(), openBytes(t, old), openBytes(t, new))
		require.NoError(t, err)
		s, err := stack(t.Context(), []*model.Document{openBytes(t, old), openBytes(t, bytesOf(t, p))})
		require.NoError(t, err)
		assert.True(t, bytes.Equal(new, bytesOf(t, s)), name)
	}
}

// archiveOfIDs returns a package of assets without file names.
func archiveOfIDs(uniques ...uint32) (a ppactest.Archive) {
	for _, u := range uniques {
		a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(1, 0, u), Content: []byte{byte(u)}})
	}
	return a
}

// A merged package has the order of mine, with the additions of theirs at their position.
func TestMergedPackagesHaveTheOrderOfMine(t *testing.T) {
	for _, test := range []struct{ base, mine, theirs, want []string }{
		{[]string{"c", "a"}, []string{"c", "m", "a"}, []string{"c", "t", "a", "u"}, []string{"c", "m", "t", "a", "u"}},
		{[]string{"a", "d"}, []string{"a", "c", "d"}, []string{"a", "b", "d"}, []string{"a", "b", "c", "d"}},
		{[]string{"c", "a"}, []string{"a", "c", "m"}, []string{"c", "a", "b"}, []string{"a", "c", "b", "m"}},
		{[]string{"c", "b", "a"}, []string{"m", "c", "a"}, []string{"c", "b", "t", "a"}, []string{"m", "c", "t", "a"}},
	} {
		m, err := merge(t.Context(), openBytes(t, encode(t, archiveOf("", test.base...))),
			openBytes(t, encode(t, archiveOf("", test.mine...))), openBytes(t, encode(t, archiveOf("", test.theirs...))))
		require.NoError(t, err)
		picks := make([]model.Pick, len(m.Assets))
		for i, a := range m.Assets {
			if picks[i].Version = model.Mine; a.Changed == byTheirs {
				picks[i].Version = model.Theirs
			}
		}
		p, err := m.Plan(t.Context(), picks, model.Mine)
		require.NoError(t, err)
		assert.Equal(t, test.want, filenames(t, bytesOf(t, p)))
	}
}

// rewrite writes all that is read of a container.
func rewrite(ctx context.Context, doc *model.Document) ([]byte, error) {
	f, err := fileOf(ctx, doc)
	if err != nil {
		return nil, err
	}
	type part struct {
		model.Span
		asset write.Asset
	}
	var parts []part
	for i := range f.Len() {
		a, err := f.Asset(i)
		if err != nil {
			return nil, err
		}
		s, err := copyAsset(f, i)
		if err != nil {
			return nil, err
		}
		s.Adler32 = &a.Entry.Adler32 // over whatever it is: the layout stays
		parts = append(parts, part{a.Span, s})
	}
	if trash := doc.Root().ChildNamed("trash"); trash != nil {
		for k := range trash.Len() {
			s := trash.Child(k).Span
			open := func(context.Context) (io.ReadCloser, error) { return io.NopCloser(f.Source.Reader(s)), nil }
			parts = append(parts, part{s, write.Asset{Size: s.Size, Deleted: true, Open: open}})
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Size, b.Size))
	})
	for i := range parts[min(1, len(parts)):] {
		parts[i+1].asset.Shared = parts[i+1].Offset == parts[i].Offset && !parts[i].asset.Deleted &&
			parts[i+1].asset.Size > 0
	}
	a := write.Archive{Layout: write.Layout(f.Layout), Flags: f.Header.Flags, Created: f.Header.Created,
		Modified: f.Header.Modified, Len: len(parts),
		Asset: func(i int) (write.Asset, error) { return parts[i].asset, nil }}
	if a.Metadata, err = toWrite(f.Pairs()); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = write.Encode(ctx, &out, a)
	return out.Bytes(), err
}

func TestPackagesAreRewritten(t *testing.T) {
	with := func(l ppactest.Layout, flags uint32, change func(*ppactest.Archive)) ppactest.Archive {
		a := sample(l, flags)
		change(&a)
		return a
	}
	for name, a := range map[string]ppactest.Archive{
		"published":          sample(ppactest.Layout{}, 0),
		"wide":               sample(ppactest.Layout{SizeWidth: 8, PositionWidth: 8}, 3),
		"wide sizes":         sample(ppactest.Layout{SizeWidth: 8, PositionWidth: 4}, 1),
		"memory sizes":       sample(ppactest.Layout{SizeWidth: 4, PositionWidth: 4, MemorySize: true}, 0),
		"adler over entries": with(ppactest.Layout{}, 0, func(a *ppactest.Archive) { a.AdlerOverEntry = true }),
		"later":              sample(ppactest.Layout{Later: true}, 0),
		"later, long":        sample(ppactest.Layout{Later: true}, 1),
		"later, no sums":     with(ppactest.Layout{Later: true}, 0, func(a *ppactest.Archive) { a.NoSums = true }),
	} {
		b := encode(t, a)
		doc := openBytes(t, b)
		again, err := rewrite(t.Context(), doc)
		require.NoError(t, err, name)
		assert.Equal(t, b, again, name)
		p, err := stack(t.Context(), []*model.Document{doc})
		require.NoError(t, err, name)
		var out bytes.Buffer
		require.NoError(t, p.Write(t.Context(), &out), name)
		assert.Equal(t, b, out.Bytes(), "%s: what is alone in a stack stays as it is", name)
	}
}
