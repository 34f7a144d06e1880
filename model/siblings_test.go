package model_test

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

func TestSiblings(t *testing.T) {
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
	files, place := inside.Siblings()
	assert.Equal(t, "res/a/one.gpb", place)
	b, err := fs.ReadFile(files, place)
	require.NoError(t, err)
	assert.Equal(t, "one", string(b), "the first of a name")
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
