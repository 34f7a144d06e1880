package model_test

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

func TestSiblingsAreAssetsWithUsableNames(t *testing.T) {
	src := model.NewSource("a.pack", bytes.NewReader([]byte("onetwo")), 6)
	d := model.NewDocument(src, "pack", "", &model.Node{})
	part := func(name string, span model.Span) *model.Payload {
		return &model.Payload{Name: name, Size: span.Size, Stored: span,
			Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(src.Reader(span)), nil }}
	}
	one, two := model.Span{Size: 3}, model.Span{Offset: 3, Size: 3}
	d.Payloads = model.PayloadList{part("res/a/one.gpb", one), part(`res\b\two.png`, two), part("res/a/one.gpb", two),
		part("/top", two),
		part("../out", one), part("", one), part("res/a", one), {Name: "packed", Problem: "an unknown compression"}}
	inside, err := d.Nested(context.Background(), d.Payloads.At(0), 10)
	require.NoError(t, err)
	files, name := inside.Siblings()
	assert.Equal(t, "res/a/one.gpb", name)
	b, err := fs.ReadFile(files, name)
	require.NoError(t, err)
	assert.Equal(t, "one", string(b), "the first of two with the same name")
	b, err = fs.ReadFile(files, "res/b/two.png")
	require.NoError(t, err)
	assert.Equal(t, "two", string(b))
	_, err = files.Open("out")
	assert.ErrorIs(t, err, fs.ErrNotExist)
	_, err = files.Open("packed")
	assert.Error(t, err)

	d.Payloads = d.Payloads.(model.PayloadList)[:4]
	inside, err = d.Nested(context.Background(), d.Payloads.At(0), 10)
	require.NoError(t, err)
	files, _ = inside.Siblings()
	require.NoError(t, fstest.TestFS(files, "res/a/one.gpb", "res/b/two.png", "top"))

	files, _ = src.Siblings()
	assert.Nil(t, files)
}

func expanding(content []byte) *model.Payload {
	return &model.Payload{Name: "inner.gpb", Codec: "zlib", Size: -1,
		Open: func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(content)), nil
		}}
}

func TestUncompressedAssetsAreReadInPlace(t *testing.T) {
	parent := model.NewSource("outer.pac", bytes.NewReader(pattern(100)), 100)
	p := &model.Payload{Name: "inner.gpb", Size: 40, Stored: model.Span{Offset: 30, Size: 40}}
	s, err := p.Nested(context.Background(), parent, model.ExpandLimit)
	require.NoError(t, err)
	b, err := s.Bytes(model.Span{Size: s.Size()})
	require.NoError(t, err)
	assert.Equal(t, pattern(100)[30:70], b)
}

func TestExpandedContentIsASourceOfItsOwn(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	t.Setenv("TMP", folder) // on Windows
	for _, n := range []int{0, 1000, 16 << 20, 16<<20 + 1, 20 << 20} {
		content := pattern(n)
		s, err := expanding(content).Nested(context.Background(), nil, model.ExpandLimit)
		require.NoError(t, err)
		require.EqualValues(t, n, s.Size())
		b, err := s.Bytes(model.Span{Size: int64(n)})
		require.NoError(t, err)
		assert.True(t, bytes.Equal(content, b))
		require.NoError(t, s.Changed())
		require.NoError(t, s.Close())
	}
	left, err := os.ReadDir(os.TempDir())
	require.NoError(t, err)
	assert.Empty(t, left, "temporary files are gone")
}

func TestExpandingStopsAtTheLimit(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	t.Setenv("TMP", folder) // on Windows
	for _, limit := range []int64{100, 17 << 20} {
		_, err := expanding(pattern(18<<20)).Nested(context.Background(), nil, limit)
		assert.ErrorContains(t, err, "more than the limit")
	}
	left, err := os.ReadDir(os.TempDir())
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestNestedSourcesNameTheirContainers(t *testing.T) {
	outer := model.NewSource("world.pac", bytes.NewReader(make([]byte, 100)), 100)
	p := &model.Payload{Name: "in.pac", Size: 50, Stored: model.Span{Size: 50}}
	s, err := p.Nested(context.Background(), outer, model.ExpandLimit)
	require.NoError(t, err)
	p = &model.Payload{Name: "icon.png", Size: 10, Stored: model.Span{Size: 10}}
	s, err = p.Nested(context.Background(), s, model.ExpandLimit)
	require.NoError(t, err)
	assert.Equal(t, []string{"world.pac", "in.pac"}, s.Containers())
	assert.Empty(t, outer.Containers())
}

func TestExpansionOfUnrecordedSizeIsProportional(t *testing.T) {
	for stored, want := range map[int64]int64{0: 1 << 30, 10 << 20: 1 << 30, 20 << 20: 2000 << 20, 1 << 40: 4 << 30} {
		assert.Equal(t, want, model.MaxExpanded(stored))
	}
}
