package decode_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/decode"
	"assay/model"
)

func TestRecordsAreDescribedInBulk(t *testing.T) {
	data := []byte{0, 0, 0, 3, 1, 1, 2, 2, 1, 1}
	src := model.NewSource("x", bytes.NewReader(data), int64(len(data)))
	types := &decode.Types{}
	c := decode.New(context.Background(), src, "Root", binary.BigEndian, types)
	c.Struct("points", "Point[]", func() {
		n := c.Count("count", model.U32, 2, "Point")
		c.Records("Point", n, 2, func(e *decode.Cursor, _ int) {
			e.U8("x")
			e.U8("y")
		})
	})
	require.NoError(t, c.Err())
	list := c.Close().Child(0)
	assert.Equal(t, model.RoleCount, list.Child(0).Role, "the count follows from the elements")

	sums := list.Children().(*model.Elements).Sums
	require.NotNil(t, sums)
	out := make([]model.Summary, 3)
	require.NoError(t, sums.Fill(t.Context(), 0, out))
	assert.Equal(t, out[0].Digest, out[2].Digest)
	assert.NotEqual(t, out[0].Digest, out[1].Digest)
	assert.Equal(t, model.Span{Offset: 6, Size: 2}, out[1].Span)
	require.NoError(t, sums.Fill(t.Context(), 1, out[:1]))
	assert.Equal(t, model.Span{Offset: 6, Size: 2}, out[0].Span)
}

func TestAnElementCanBeAPlainValue(t *testing.T) {
	c := cursor([]byte("one\x00two\x00")...)
	c.Struct("names", "string[]", func() {
		c.Indexed("string", 2, 1, func(e *decode.Cursor, _ int) {
			e.Terminated("text")
			e.Notef("odd")
			e.CollapseStruct()
		})
	})
	n := c.Close().Child(0).Child(1)
	assert.True(t, n.Leaf())
	assert.Equal(t, "two", n.Value)
	assert.Equal(t, model.Span{Offset: 4, Size: 4}, n.Span)
	assert.Len(t, n.Problems(), 1)
}

func TestCursorsThatFindEndsSkipFrames(t *testing.T) {
	c := cursor(2, 0xff, 0xff, 1, 7)
	looked := 0
	c.Struct("list", "E[]", func() {
		c.Indexed("E", 2, 1, func(e *decode.Cursor, _ int) {
			e.Frame(int64(e.U8("size")), func() { looked++; e.Rest("rest", "bytes") })
		})
	})
	require.NoError(t, c.Err())
	assert.Zero(t, looked)
	list := c.Close().Child(0)
	assert.Equal(t, model.Span{Offset: 3, Size: 2}, list.Child(1).Span)
	assert.Equal(t, 1, looked)
}
