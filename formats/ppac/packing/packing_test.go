package packing

import (
	"bytes"
	"hash/crc32"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac"
	"assay/formats/ppac/ppactest"
	"assay/model"
)

// namedFiles returns files without content.
func namedFiles(names ...string) (files []model.PackedFile) {
	for _, name := range names {
		files = append(files, model.PackedFile{Name: name})
	}
	return files
}

func TestTPUsOfFiles(t *testing.T) {
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
func TestFilesWithOneUniqueID(t *testing.T) {
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

func TestFilesThatCannotBePacked(t *testing.T) {
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
func TestTimesOfPackedFiles(t *testing.T) {
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
func TestOrderOfMergedPackages(t *testing.T) {
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
