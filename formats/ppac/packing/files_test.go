package packing

import (
	"hash/crc32"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac"
	"assay/model"
)

// named returns files without content.
func named(names ...string) (files []model.PackedFile) {
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
		p, err := packFiles(named(test.name), model.PackOptions{Types: types})
		require.NoError(t, err)
		a, err := p.(plan).Asset(0)
		require.NoError(t, err)
		assert.Equal(t, test.want, ppac.TPU(a.TPU), test.name)
	}
}

// A unique id that another file of the type has goes to the file that is named so, whichever comes first.
func TestFilesWithOneUniqueID(t *testing.T) {
	free := ppac.TPU{Type: 0x200, Unique: crc32.ChecksumIEEE([]byte("a.png"))}
	taken := free.String() + ".png"
	next := free
	next.Unique++
	for _, names := range [][]string{{"a.png", taken}, {taken, "a.png"}} {
		tpus, err := identify(named(names...), map[string]uint16{"png": 0x200})
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
		_, err := packFiles(named(names...), model.PackOptions{})
		assert.ErrorContains(t, err, says)
	}
	for _, id := range []string{"png", "12345", "-1", ""} {
		_, err := packFiles(nil, model.PackOptions{Types: map[string]string{"png": id}})
		assert.ErrorContains(t, err, "the type of .png is a number of up to four hexadecimal digits, such as 0200")
	}
}

// The same files make the same bytes: all times are of them.
func TestTimesOfPackedFiles(t *testing.T) {
	files := []model.PackedFile{fileWith("old", time.UnixMilli(5)), fileWith("new", time.UnixMilli(7))}
	files[0].Name, files[1].Name = "old.txt", "new.txt"
	p, err := packFiles(files, model.PackOptions{Variant: "published"})
	require.NoError(t, err)
	f, err := fileOf(t.Context(), packed(t, p))
	require.NoError(t, err)
	assert.EqualValues(t, 7, f.Header.Created)
	assert.EqualValues(t, 7, f.Header.Modified)
	a, err := f.Asset(0)
	require.NoError(t, err)
	assert.EqualValues(t, 5, a.Created)
	assert.Equal(t, "old.txt", a.Filename)
}
