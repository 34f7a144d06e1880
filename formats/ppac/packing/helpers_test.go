package packing

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac"
	"assay/formats/ppac/ppactest"
	"assay/model"
)

// readme is a content that compression makes smaller.
var readme = bytes.Repeat([]byte("readme\n"), 30)

var narrow, wide = ppactest.Layout{SizeWidth: 4, PositionWidth: 4}, ppactest.Layout{SizeWidth: 8, PositionWidth: 8}

// sample returns a container with all kinds of parts.
func sample(l ppactest.Layout, flags uint32) ppactest.Archive {
	return ppactest.Archive{Layout: l, Flags: flags, Created: 1000, Modified: 2000,
		Metadata: ppactest.Pairs("title", "sample"), Assets: []ppactest.Asset{
			{TPU: ppactest.NewTPU(0x100, 1, 1), Created: 5, Modified: 6, Content: readme,
				Metadata: ppactest.Pairs("filename", "text/readme.txt", "by", "me")},
			{TPU: ppactest.NewTPU(0x100, 1, 2), Content: readme, Codec: ppactest.Zlib},
			{TPU: ppactest.NewTPU(1, 1, 3), Content: []byte("gone"), Deleted: true},
			{TPU: ppactest.NewTPU(1, 1, 4)}}}
}

// overEntry returns the sample with sums over the whole DATA ENTRY, as some writers have them. They depend on the
// widths, the times and the metadata.
func overEntry(l ppactest.Layout, flags uint32) ppactest.Archive {
	a := sample(l, flags)
	a.AdlerOverEntry = true
	return a
}

// timedArchive returns a container of assets that were all changed at a time, with metadata of the file.
func timedArchive(time int64, pair string, contents map[uint32]string) ppactest.Archive {
	a := ppactest.Archive{Created: 1, Modified: time, Metadata: ppactest.Pairs("of", pair)}
	for unique := range uint32(4) {
		if text, ok := contents[unique]; ok {
			a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(0x100, 0, unique), Created: 1,
				Modified: time, Content: []byte(text), Metadata: ppactest.Pairs("filename", "a.txt")})
		}
	}
	return a
}

func encode(t testing.TB, a ppactest.Archive) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, ppactest.Write(&b, a))
	return b.Bytes()
}

func openBytes(t testing.TB, b []byte) *model.Document {
	t.Helper()
	doc, err := ppac.Open(t.Context(), model.NewSource("a.ppac", bytes.NewReader(b), int64(len(b))))
	require.NoError(t, err)
	return doc
}

// emptyFile returns an empty document, as of an absent version.
func emptyFile() *model.Document {
	return model.NewDocument(model.NewSource("empty", bytes.NewReader(nil), 0), "raw", "", &model.Node{})
}

// openPlan writes a plan and opens the result, in which each content matches its sum.
func openPlan(t *testing.T, p model.ArchivePlan) *model.Document {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, p.Write(t.Context(), &out))
	d := openBytes(t, out.Bytes())
	require.NotNil(t, d.Payloads)
	require.Equal(t, p.Len(), d.Payloads.Len())
	for i := range p.Len() {
		v, said, err := d.Payloads.At(i).Verify(t.Context())
		require.NoError(t, err)
		assert.Equal(t, model.Valid, v, said)
	}
	return d
}

// encodeMisplaced returns a container whose first index entry has an offset past the end of the file.
func encodeMisplaced(t testing.TB, a ppactest.Archive) []byte {
	t.Helper()
	return encodeMoved(t, a, func(*ppac.File) uint64 { return 1 << 30 })
}

// encodeMoved returns a container whose first index entry has another offset, at which there can be no asset.
func encodeMoved(t testing.TB, a ppactest.Archive, to func(f *ppac.File) uint64) []byte {
	t.Helper()
	b := encode(t, a)
	f, err := fileOf(t.Context(), openBytes(t, b))
	require.NoError(t, err)
	location := int64(f.Header.Index) + 4 + 8 // after the count and the TPU
	if !f.Layout.Later {
		location += f.Layout.SizeWidth
	}
	binary.BigEndian.PutUint32(b[location:], uint32(to(f)))
	f, err = fileOf(t.Context(), openBytes(t, b))
	require.NoError(t, err)
	_, err = f.Asset(0)
	require.Error(t, err)
	return b
}

// fileWith returns a file as the new content of an asset.
func fileWith(content string, changed time.Time) model.PackedFile {
	return model.PackedFile{Size: int64(len(content)), ModTime: changed,
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }}
}
