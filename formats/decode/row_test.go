package decode_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/decode"
	"assay/model"
)

func TestARowIsOneLeaf(t *testing.T) {
	for name, c := range map[string]struct {
		bytes []byte
		read  func(c *decode.Cursor)
		want  []any
	}{
		"strings": {[]byte("\x03one\x00\x00three\x00"), func(c *decode.Cursor) {
			c.Row("row", "string[]", 1, 3, 0, func(e *decode.Cursor) any { return e.Terminated("") })
		}, []any{"one", "", "three"}},
		"numbers with a size before them": {[]byte{2, 1, 7, 1, 8}, func(c *decode.Cursor) {
			c.Row("row", "u8[]", 1, 2, 2, func(e *decode.Cursor) any { e.U8("size"); return uint64(e.U8("")) })
		}, []any{uint64(7), uint64(8)}},
		"nothing": {[]byte{0}, func(c *decode.Cursor) { c.Row("row", "string[]", 1, 0, 0, nil) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			cur := cursor(append(c.bytes, 9)...)
			c.read(cur)
			assert.EqualValues(t, 9, cur.U8("after"))
			n := cur.Close().Child(0)
			assert.Equal(t, model.Span{Size: int64(len(c.bytes))}, n.Span)
			row := n.Value.(model.Array)
			require.EqualValues(t, len(c.want), row.Len())
			got, err := row.Slice(0, row.Len())
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
			for i := range c.want {
				got, err := row.Slice(int64(i), 1)
				require.NoError(t, err)
				assert.Equal(t, c.want[i:i+1], got)
			}
			q := cursor(c.bytes...).Quiet(model.Span{Size: int64(len(c.bytes))})
			c.read(q)
			assert.Equal(t, decode.Clean, q.Outcome())
			assert.Zero(t, q.Left())
		})
	}
}

func TestARowEndsAtAValueThatCannotBeRead(t *testing.T) {
	c := cursor([]byte("\x03one\x00two")...)
	c.Row("row", "string[]", 1, 3, 0, func(e *decode.Cursor) any { return e.Terminated("text") })
	assert.ErrorContains(t, c.Err(), "element 1 of 3: text: a string without an end")
	n := c.Close().Child(0)
	assert.Equal(t, model.Span{Size: 5}, n.Span)
	assert.EqualValues(t, 1, n.Value.(model.Array).Len())

	c = cursor(1, 2, 3)
	c.Row("row", "u16[]", 0, 2, 2, nil)
	assert.ErrorContains(t, c.Err(), "do not fit in the 3 that are left")
}

func TestAnElementCanBeAPlainValue(t *testing.T) {
	c := cursor([]byte("one\x00two\x00")...)
	c.Struct("names", "string[]", func() {
		c.Indexed("string", 2, 1, func(e *decode.Cursor, _ int) {
			e.Terminated("text")
			e.Note("odd")
			e.CollapseStruct()
		})
	})
	n := c.Close().Child(0).Child(1)
	assert.True(t, n.Leaf())
	assert.Equal(t, "two", n.Value)
	assert.Equal(t, model.Span{Offset: 4, Size: 4}, n.Span)
	assert.Len(t, n.Problems(), 1)
}

func TestASearchForEndsPassesOverFrames(t *testing.T) {
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
