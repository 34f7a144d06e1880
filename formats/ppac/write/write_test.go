package write_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac"
	"assay/formats/ppac/write"
	"assay/model"
)

// archiveOf returns an archive of assets in memory.
func archiveOf(all ...write.Asset) write.Archive {
	return write.Archive{Len: len(all), Asset: func(i int) (write.Asset, error) { return all[i], nil }}
}

// asset returns an asset with a stated size, which its content need not have.
func asset(unique uint32, content string, size int64) write.Asset {
	return write.Asset{TPU: write.TPU{Type: 0x0100, Unique: unique}, Size: size, Expanded: size,
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }}
}

func TestNarrowLayoutsAreChosen(t *testing.T) {
	for _, test := range []struct {
		later   bool
		variant string
	}{{false, "4.0 published, narrow"}, {true, "4.0 later, short offsets"}} {
		a := archiveOf(asset(1, "one", 3), asset(2, "", 0))
		a.Layout.Later = test.later
		var out bytes.Buffer
		require.NoError(t, write.Encode(context.Background(), &out, a))
		doc, err := ppac.Open(context.Background(),
			model.NewSource("x.ppac", bytes.NewReader(out.Bytes()), int64(out.Len())))
		require.NoError(t, err)
		assert.Equal(t, test.variant, doc.Variant)
		report, err := doc.Check(context.Background(), nil)
		require.NoError(t, err)
		assert.Empty(t, report.Problems)
		assert.EqualValues(t, out.Len(), report.Accounted)
		for i := range doc.Payloads.Len() {
			v, why, err := doc.Payloads.At(i).Check(context.Background())
			require.NoError(t, err)
			assert.Equal(t, model.Valid, v, why)
		}
	}
}

// endless is content of any size.
type endless struct{}

func (endless) Read(p []byte) (int, error) { clear(p); return len(p), nil }
func (endless) Close() error               { return nil }

// heads keeps the first bytes that are written to it, and then fails.
type heads struct{ bytes.Buffer }

var errEnough = errors.New("enough")

func (h *heads) Write(p []byte) (int, error) {
	if h.Len() > 100 {
		return 0, errEnough
	}
	return h.Buffer.Write(p)
}

func TestWideLayoutsAreChosenBeyond4GiB(t *testing.T) {
	huge := asset(1, "", 5<<30)
	huge.Open = func(context.Context) (io.ReadCloser, error) { return endless{}, nil }
	half := asset(2, "", 3<<30)
	half.Open = huge.Open
	trash := asset(3, "", math.MaxUint32-40-32) // with little room for the sections
	trash.Open, trash.Deleted = huge.Open, true
	described := archiveOf(trash)
	for _, key := range []string{"a", "b"} {
		described.Metadata = append(described.Metadata, write.MetadataEntry{Key: key, Value: strings.Repeat("x", 255)})
	}
	for _, test := range []struct {
		name  string
		a     write.Archive
		later bool
		flags byte
	}{
		{"published, a large asset", archiveOf(huge), false, 7},
		{"published, many bytes", archiveOf(half, half), false, 6},
		{"later, many bytes", archiveOf(half, half), true, 1},
		{"published, just below", archiveOf(trash), false, 4},
		{"later, just below", archiveOf(trash), true, 0},
		{"published, metadata of the file", described, false, 6},
		{"later, metadata of the file", described, true, 1},
	} {
		test.a.Layout.Later = test.later
		var out heads
		require.ErrorIs(t, write.Encode(context.Background(), &out, test.a), errEnough, test.name)
		assert.Equal(t, test.flags, out.Bytes()[27], test.name)
	}
	deleted := huge
	deleted.Deleted = true
	for _, s := range []write.Asset{huge, deleted} {
		a := archiveOf(s)
		a.Layout.Later = true
		assert.ErrorContains(t, write.Encode(context.Background(), &heads{}, a),
			"the later revision holds assets below 4 GiB")
	}
	a := archiveOf(huge)
	a.Layout = write.Layout{SizeWidth: 4, PositionWidth: 4}
	assert.ErrorContains(t, write.Encode(context.Background(), io.Discard, a), "does not fit in sizes of 32 bits")
	a.Layout.SizeWidth = 8
	assert.ErrorContains(t, write.Encode(context.Background(), io.Discard, a), "do not fit in offsets of 32 bits")
	for _, l := range []write.Layout{{Later: true, SizeWidth: 8, PositionWidth: 8}, {PositionWidth: 8},
		{SizeWidth: 4, PositionWidth: 2}} {
		a = archiveOf(asset(1, "one", 3))
		a.Layout = l
		assert.ErrorContains(t, write.Encode(context.Background(), io.Discard, a), "there is no layout")
	}
}

// TestContentsBeyond4GiBChooseTheLayout: if the index has the size of the expanded content, it must fit, too.
func TestContentsBeyond4GiBChooseTheLayout(t *testing.T) {
	expands := asset(1, "one", 3)
	expands.Expanded = 5 << 30
	a := archiveOf(expands)
	a.Layout.MemorySize = true
	var out bytes.Buffer
	require.NoError(t, write.Encode(context.Background(), &out, a))
	assert.EqualValues(t, 5, out.Bytes()[27], "a content of that size")
	a.Layout.SizeWidth, a.Layout.PositionWidth = 4, 4
	assert.ErrorContains(t, write.Encode(context.Background(), io.Discard, a), "does not fit in sizes of 32 bits")
	expands.Expanded = 3 << 30
	a = archiveOf(expands)
	a.Layout.Later = true
	out.Reset()
	require.NoError(t, write.Encode(context.Background(), &out, a))
	assert.Zero(t, out.Bytes()[27], "no Java array holds the content")
}

// TestAssetIsCalledTwice tests that the writer calls Archive.Asset twice for each asset, as documented.
func TestAssetIsCalledTwice(t *testing.T) {
	s := asset(1, "one", 3)
	s.Metadata = []write.MetadataEntry{{Key: "filename", Value: "one.txt"}}
	huge := asset(1, "", 5<<30)
	huge.Open = func(context.Context) (io.ReadCloser, error) { return endless{}, nil }
	for name, a := range map[string]write.Archive{"published": archiveOf(s), "wide sizes": archiveOf(huge),
		"later": {Layout: write.Layout{Later: true}, Len: 1, Asset: archiveOf(s).Asset}} {
		calls, find := 0, a.Asset
		a.Asset = func(i int) (write.Asset, error) { calls++; return find(i) }
		if err := write.Encode(context.Background(), &heads{}, a); err != nil {
			require.ErrorIs(t, err, errEnough, name)
		}
		assert.Equal(t, 2, calls, name)
	}
}

func TestContentOfAnotherSizeIsRefused(t *testing.T) {
	for _, later := range []bool{false, true} {
		for _, size := range []int64{2, 4} {
			a := archiveOf(asset(1, "one", size))
			a.Layout.Later = later
			err := write.Encode(context.Background(), io.Discard, a)
			require.ErrorIs(t, err, model.ErrChanged)
			assert.ErrorContains(t, err, "0100-0000-00000001 no longer has")
		}
	}
}

// TestContentsAreReadToTheirEnd: a reader may return any number of bytes at a time.
func TestContentsAreReadToTheirEnd(t *testing.T) {
	for name, test := range map[string]struct {
		read func(content string) io.Reader
		size int64
		want error
	}{
		"a byte at a time":               {bytewise, 3, nil},
		"the end with the last bytes":    {whole, 3, nil},
		"too much, a byte at a time":     {bytewise, 2, model.ErrChanged},
		"too little, a byte at a time":   {bytewise, 4, model.ErrChanged},
		"an error instead of the end":    {failing, 3, errEnough},
		"too much, and an error with it": {failing, 2, model.ErrChanged},
	} {
		s := asset(1, "", test.size)
		s.Open = func(context.Context) (io.ReadCloser, error) { return io.NopCloser(test.read("one")), nil }
		var out bytes.Buffer
		require.ErrorIs(t, write.Encode(context.Background(), &out, archiveOf(s)), test.want, name)
		if test.want == nil {
			assert.Contains(t, out.String(), "one", name)
		}
	}
}

func bytewise(content string) io.Reader { return iotest.OneByteReader(strings.NewReader(content)) }

func whole(content string) io.Reader { return iotest.DataErrReader(strings.NewReader(content)) }

func failing(content string) io.Reader {
	return io.MultiReader(strings.NewReader(content), iotest.ErrReader(errEnough))
}

// closing is a reader that says at its end what is wrong.
type closing struct {
	io.Reader
	err error
}

func (c closing) Close() error { return c.err }

func TestErrorOfTheSourceIsReturned(t *testing.T) {
	for _, content := range []string{"one", "more than one"} {
		s := asset(1, "", 3)
		s.Open = func(context.Context) (io.ReadCloser, error) {
			return closing{strings.NewReader(content), errEnough}, nil
		}
		assert.Equal(t, errEnough, write.Encode(context.Background(), io.Discard, archiveOf(s)))
	}
}

func TestMetadataOverTheLimitsAreErrors(t *testing.T) {
	for _, later := range []bool{false, true} {
		s := asset(1, "one", 3)
		s.Metadata = []write.MetadataEntry{{Key: "filename", Value: strings.Repeat("x", 256)}}
		a := archiveOf(s)
		a.Layout.Later = later
		assert.ErrorContains(t, write.Encode(context.Background(), io.Discard, a), "at most 255 bytes")
		s.Metadata = make([]write.MetadataEntry, 1<<16)
		a = archiveOf(s)
		a.Layout.Later = later
		assert.ErrorContains(t, write.Encode(context.Background(), io.Discard, a), "65536 metadata entries")
	}
}

func TestErrorsEndTheWriting(t *testing.T) {
	broken := asset(1, "", 3)
	broken.Open = func(context.Context) (io.ReadCloser, error) { return nil, io.ErrNoProgress }
	assert.ErrorIs(t, write.Encode(context.Background(), io.Discard, archiveOf(broken)), io.ErrNoProgress)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.ErrorIs(t, write.Encode(ctx, io.Discard, archiveOf(asset(1, "one", 3))), context.Canceled)
}
