package model_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"hash/adler32"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// checkedPayload returns an asset whose stream compares its Adler-32 with the recorded one.
func checkedPayload(content string, recorded uint32) *model.Payload {
	return &model.Payload{Open: func(context.Context) (io.ReadCloser, error) {
		h := adler32.New()
		return &model.CheckedStream{ReadCloser: io.NopCloser(io.TeeReader(strings.NewReader(content), h)),
			AtEnd: func() (model.Verdict, string) {
				if h.Sum32() != recorded {
					return model.Invalid, "the Adler-32 differs"
				}
				return model.Valid, ""
			}}, nil
	}}
}

func TestCheckReadsTheStreamOnce(t *testing.T) {
	sum := adler32.Checksum([]byte("content"))
	v, _, err := checkedPayload("content", sum).Check(t.Context())
	require.NoError(t, err)
	assert.Equal(t, model.Valid, v)

	v, why, err := checkedPayload("content", sum+1).Check(t.Context())
	require.NoError(t, err)
	assert.Equal(t, model.Invalid, v)
	assert.Equal(t, "the Adler-32 differs", why)
}

func TestVerdictIsUnknownBeforeTheEnd(t *testing.T) {
	r, err := checkedPayload("content", adler32.Checksum([]byte("content"))).Open(t.Context())
	require.NoError(t, err)
	_, err = r.Read(make([]byte, 3))
	require.NoError(t, err)
	v, _ := r.(model.Checked).Verdict()
	assert.Equal(t, model.Unknown, v)
	_, err = io.ReadAll(r)
	require.NoError(t, err)
	v, _ = r.(model.Checked).Verdict()
	assert.Equal(t, model.Valid, v)
}

func TestVerdictOfAnAssetWithoutAChecksumIsUnrecorded(t *testing.T) {
	plain := &model.Payload{Open: func(context.Context) (io.ReadCloser,
		error) {
		return io.NopCloser(strings.NewReader("x")), nil
	}}
	v, _, err := plain.Check(t.Context())
	require.NoError(t, err)
	assert.Equal(t, model.Unrecorded, v)
}

func TestCheckReturnsReadErrors(t *testing.T) {
	broken := errors.New("disk broken")
	p := &model.Payload{Open: func(context.Context) (io.ReadCloser, error) {
		return &model.CheckedStream{ReadCloser: io.NopCloser(iotest.ErrReader(broken)),
			AtEnd: func() (model.Verdict, string) { return model.Valid, "" }}, nil
	}}
	_, _, err := p.Check(t.Context())
	assert.ErrorIs(t, err, broken)
}

func TestNodesAndSpansArePayloads(t *testing.T) {
	b := []byte("0123456789")
	src := model.NewSource("made.bin", bytes.NewReader(b), int64(len(b)))
	root := &model.Node{Type: "File", Span: model.Span{Size: 10}}
	list := &model.Node{Name: "items", Type: "Item[]", Span: model.Span{Size: 4}}
	list.SetChildren(model.List{{Name: "0", Type: "u16", Value: uint64(7), Span: model.Span{Offset: 2, Size: 2}},
		{Name: "a/b", Type: "none"}})
	root.SetChildren(model.List{list})
	d := model.NewDocument(src, "made", "", root)

	p := model.NodePayload(d, list.Child(0))
	assert.Equal(t, "items-0.json", p.Name)
	assert.Equal(t, "/items/0", p.Key)
	var text bytes.Buffer
	require.NoError(t, p.Forms[0].Write(context.Background(), &text))
	var node map[string]any
	require.NoError(t, json.Unmarshal(text.Bytes(), &node))
	assert.EqualValues(t, 7, node["value"])
	assert.Equal(t, "raw", p.Forms[1].Name)
	assert.Equal(t, "23", read(t, p))

	assert.Equal(t, "made.json", model.NodePayload(d, root).Name)
	p = model.NodePayload(d, list.Child(1))
	assert.Equal(t, "a_b.json", p.Name)
	assert.Nil(t, p.Open, "a node without bytes has no raw form")

	p = model.SpanPayload(d, model.Span{Offset: 3, Size: 5})
	assert.Equal(t, "made-3-8.bin", p.Name)
	assert.EqualValues(t, 5, p.Size)
	assert.Equal(t, "34567", read(t, p))
	_, err := model.SpanPayload(d, model.Span{Offset: 8, Size: 5}).Open(context.Background())
	assert.ErrorContains(t, err, "not in the file")
}

func read(t *testing.T, p *model.Payload) string {
	t.Helper()
	r, err := p.Open(context.Background())
	require.NoError(t, err)
	defer r.Close()
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(b)
}
