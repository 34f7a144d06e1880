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

func cursor(b ...byte) *decode.Cursor {
	return decode.New(context.Background(), model.NewSource("t", bytes.NewReader(b), int64(len(b))), "Root",
		binary.LittleEndian, decode.PlainTypes)
}

func TestFieldsGiveValuesAndNodes(t *testing.T) {
	c := cursor(1, 2, 0, 0xfe, 0xff, 0xff, 0xff, 3, 'a', 'b', 'c', 'x', 'y', 0, 2, 5, 6, 9, 8)
	assert.EqualValues(t, 1, c.U8("one"))
	assert.EqualValues(t, 2, c.U16("two"))
	assert.EqualValues(t, -2, int32(c.Number("minus", model.S32)))
	assert.Equal(t, "abc", c.Prefixed("text", model.U8))
	assert.Equal(t, "xy", c.Terminated("name"))
	assert.EqualValues(t, 2, c.Counted("numbers", "u8[]", model.U8, model.U8).Count)
	c.Bytes("rest", "bytes", 2)
	require.NoError(t, c.Err())
	root := c.Close()
	var got []string
	for i := range root.Len() {
		n := root.Child(i)
		got = append(got, n.Name+" "+n.Type+" "+n.ValueText()+" "+n.Span.String())
	}
	assert.Equal(t, []string{"one u8 1 0x0 +1", "two u16 2 0x1 +2", "minus s32 -2 0x3 +4", "text string abc 0x7 +4",
		"name string xy 0xb +3", "numbers u8[] [5, 6] 0xe +3", "rest bytes 2 bytes 0x11 +2"}, got)
}

func TestPeekReturnsNilOnlyWhereThereAreNotAsManyBytes(t *testing.T) {
	c := cursor(1, 2, 3)
	none := c.Peek(0)
	assert.True(t, none != nil && len(none) == 0, "before the first read too")
	assert.Equal(t, []byte{1, 2, 3}, c.Peek(3))
	assert.Nil(t, c.Peek(4))
	assert.Nil(t, c.Peek(-1))
	assert.EqualValues(t, 1, c.U8("first"))
	c.Frame(1, func() {
		assert.Nil(t, c.Peek(2), "past the frame")
		c.Fail("broken")
		assert.Nil(t, c.Peek(0), "after an error")
	})
}

func TestNumbersHaveTheByteOrderOfTheCursor(t *testing.T) {
	b := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	c := cursor(b...)
	for _, quiet := range []bool{false, true} {
		for order, want := range map[binary.ByteOrder][]uint32{binary.LittleEndian: {0x0201, 0x030201, 0x04030201},
			binary.BigEndian: {0x0102, 0x010203, 0x01020304}} {
			e := c.Element("Element", model.Span{Size: 8})
			if quiet {
				e = c.Quiet(model.Span{Size: 8})
			}
			e.SetOrder(order)
			u16 := uint32(e.U16("u16"))
			e.GoTo(0)
			u24 := uint32(e.Number("u24", model.U24))
			e.GoTo(0)
			assert.Equal(t, want, []uint32{u16, u24, e.U32("u32")}, "%v, quiet: %v", order, quiet)
			e.GoTo(0)
			row, err := e.Array("row", "u24[]", model.U24, 1).Slice(0, 1)
			require.NoError(t, err)
			assert.Equal(t, []any{uint64(want[1])}, row)
		}
	}
}

func TestAListKeepsTheByteOrderOfItsPlace(t *testing.T) {
	ways := map[string]func(c *decode.Cursor, each func(e *decode.Cursor, i int)){
		"records": func(c *decode.Cursor, each func(e *decode.Cursor, i int)) { c.Records("N", 3, 2, each) },
		"indexed": func(c *decode.Cursor, each func(e *decode.Cursor, i int)) { c.Indexed("N", 3, 2, each) },
	}
	for name, list := range ways {
		t.Run(name, func(t *testing.T) {
			c := cursor(0, 1, 0, 2, 0, 3, 4, 0, 5, 0, 6, 0)
			var quietly []uint16
			each := func(e *decode.Cursor, _ int) {
				if v := e.U16("v"); !e.Recording() {
					quietly = append(quietly, v)
				}
				e.SetOrder(binary.LittleEndian) // only of this element
			}
			read := func(c *decode.Cursor) {
				c.SetOrder(binary.BigEndian)
				c.Struct("big", "N[]", func() { list(c, each) })
				c.SetOrder(binary.LittleEndian)
				c.Struct("little", "N[]", func() { list(c, each) })
			}
			read(c)
			q := c.Quiet(model.Span{Size: 12})
			quietly = nil
			read(q)
			require.NoError(t, q.Err())
			assert.Equal(t, []uint16{1, 2, 3, 4, 5, 6}, quietly)
			root := c.Close()
			for i, list := range []*model.Node{root.Child(0), root.Child(1)} {
				r := list.Children().(*model.Elements).Reader()
				for k := range 3 {
					want := uint64(3*i + k + 1)
					assert.EqualValues(t, want, list.Child(k).Child(0).Value, "%s %d", list.Name, k)
					assert.EqualValues(t, want, r.Node(k).Child(0).Value, "%s %d", list.Name, k)
					quietly = nil
					r.CheckedSpan(k)
					assert.EqualValues(t, want, quietly[0], "%s %d", list.Name, k)
				}
			}
		})
	}
}

func TestAsideHasTheByteOrderOfTheCursor(t *testing.T) {
	c := cursor(0, 1, 0, 2)
	at := model.Span{Size: 2}
	assert.EqualValues(t, 0x100, c.Aside(at).U16("v"))
	c.SetOrder(binary.BigEndian)
	assert.EqualValues(t, 1, c.Aside(at).U16("v"))
	// The ends of the elements of a list are found aside too.
	c.Struct("list", "E[]", func() {
		c.Indexed("E", 1, 2, func(e *decode.Cursor, _ int) { e.Bytes("b", "bytes", int64(e.U16("n"))) })
	})
	assert.NoError(t, c.Err())
	assert.EqualValues(t, 3, c.Pos())
}

func TestTheFirstErrorSticksWhereItHappened(t *testing.T) {
	c := cursor(1, 2, 3)
	c.Struct("outer", "Outer", func() {
		c.U8("a")
		c.Struct("inner", "Inner", func() {
			c.U8("b")
			assert.Zero(t, c.U32("c"))
			assert.Zero(t, c.U8("d"), "nothing is read after an error, not even what is there")
		})
		c.U8("e")
	})
	assert.EqualError(t, c.Err(), "c needs 4 bytes, but only 1 remain")
	inner := c.Close().Child(0).Child(1)
	require.Len(t, inner.Problems(), 1)
	assert.Equal(t, int64(2), inner.Problems()[0].Span.Offset)
	assert.Equal(t, 1, inner.Len())
	assert.Equal(t, model.Span{Offset: 1, Size: 1}, inner.Span)
	assert.Equal(t, 2, inner.Parent.Len(), "what comes after is not recorded")
}

func TestTryContinuesAfterAnError(t *testing.T) {
	c := cursor(1, 2, 3, 4)
	assert.False(t, c.Try(func() { c.Struct("bad", "Bad", func() { c.U64("x") }) }))
	c.GoTo(2)
	assert.EqualValues(t, 3, c.U8("good"))
	assert.NoError(t, c.Err())
	assert.Equal(t, 2, c.Close().Len())
}

func TestCountsAreComparedWithTheBytesLeft(t *testing.T) {
	for name, read := range map[string]func(c *decode.Cursor){
		"count":    func(c *decode.Cursor) { c.Count("n", model.U32, 1, "E") },
		"string":   func(c *decode.Cursor) { c.Prefixed("s", model.U32) },
		"array":    func(c *decode.Cursor) { c.Counted("a", "f32[]", model.U32, model.F32) },
		"wrapping": func(c *decode.Cursor) { c.Array("a", "f64[]", model.F64, 1<<61+1) },
		"records":  func(c *decode.Cursor) { c.Records("R", 1<<62, 8, nil) },
		"text":     func(c *decode.Cursor) { c.Text("t", 1<<40) },
		"negative": func(c *decode.Cursor) { c.Bytes("b", "bytes", -1) },
	} {
		t.Run(name, func(t *testing.T) {
			c := cursor(0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4)
			read(c)
			assert.ErrorContains(t, c.Err(), "not fit in the")
		})
	}
}

func TestNestingIsBounded(t *testing.T) {
	c := cursor(make([]byte, decode.MaxDepth+10)...)
	var nest func()
	nest = func() {
		c.U8("x")
		c.Struct("n", "N", nest)
	}
	nest()
	assert.ErrorContains(t, c.Err(), "nested deeper")
}

func TestEnteredStructsNestDeeperThanTheStack(t *testing.T) {
	const depth = 100_000
	c := cursor(make([]byte, 2*depth)...)
	for range depth {
		require.True(t, c.Enter("n", "N"))
		c.U8("before")
	}
	for range depth {
		c.U8("after")
		c.Leave()
	}
	require.NoError(t, c.Err())
	n, levels := c.Close().Child(0), 1
	for ; n.Len() == 3; levels++ {
		n = n.Child(1)
	}
	assert.Equal(t, depth, levels)
}

func TestEnteredStructsCloseAfterAnError(t *testing.T) {
	c := cursor(1, 2)
	require.True(t, c.Enter("outer", "Outer"))
	require.True(t, c.Enter("inner", "Inner"))
	c.U8("a")
	c.U32("b")
	assert.False(t, c.Enter("more", "More"))
	c.Leave()
	c.Leave()
	root := c.Close()
	inner := root.Child(0).Child(0)
	assert.Equal(t, model.Span{Size: 1}, inner.Span)
	assert.Len(t, inner.Problems(), 1)
	assert.Equal(t, 1, root.Child(0).Len())
}

func TestIndexedListShowsTheElementThatIsBroken(t *testing.T) {
	c := cursor(2, 1, 7, 1, 8, 9)
	list := c.Struct("list", "E[]", func() {
		n := c.Count("count", model.U8, 1, "E")
		c.Indexed("E", n+1, 1, func(e *decode.Cursor, _ int) { e.Bytes("data", "bytes", int64(e.U8("size"))) })
	})
	require.Equal(t, 4, list.Len())
	broken := list.Child(3)
	assert.Equal(t, "2", broken.Name)
	assert.Equal(t, 1, broken.Len())
	require.Len(t, broken.Problems(), 1)
	assert.Equal(t, "data: 9 bytes do not fit in the remaining 0 bytes", broken.Problems()[0].Message)
	assert.Error(t, c.Err(), "the cursor stops")
	from, to := list.Children().(model.Finder).Find(4)
	assert.Equal(t, []int{2, 3}, []int{from, to}, "a byte belongs to one element")
}

func TestTheCursorStopsAtAnElementThatOnlyThePassCannotRead(t *testing.T) {
	for _, inner := range []int64{0, 1} {
		c := cursor(make([]byte, 4000)...)
		c.Struct("list", "E[]", func() {
			c.Indexed("E", 3, 1, func(e *decode.Cursor, i int) {
				e.U16("v")
				if e.Recording() {
					e.Struct("inner", "I[]", func() {
						e.Indexed("I", inner, 1, func(e *decode.Cursor, _ int) { e.U8("x") })
					})
				} else if i == 2 {
					e.Fail("as long as the file was another")
				}
			})
		})
		assert.EqualError(t, c.Err(), "as long as the file was another", "%d inner elements", inner)
	}
}

func TestRecordsAreDecodedOnDemand(t *testing.T) {
	b := make([]byte, 4+3*4+1)
	binary.LittleEndian.PutUint32(b, 3)
	for i := range 3 {
		binary.LittleEndian.PutUint32(b[4+4*i:], uint32(10*i))
	}
	c := cursor(b...)
	made := 0
	list := c.Struct("list", "R[]", func() {
		c.U32("count")
		c.Records("R", 3, 4, func(e *decode.Cursor, i int) {
			made++
			e.Key(model.IndexName(i))
			e.U32("v")
		})
		c.U8("end")
	})
	assert.Zero(t, made)
	assert.Equal(t, 5, list.Len())
	assert.Equal(t, model.Span{Offset: 0, Size: 17}, list.Span)
	n := list.Child(2)
	assert.Equal(t, "1", n.Name)
	assert.EqualValues(t, 10, n.Child(0).Value)
	assert.Equal(t, "end", list.Child(4).Name)
	root := c.Close()
	d := model.NewDocument(c.Source(), "t", "", root)
	assert.Equal(t, "/list/2/v", d.Owner(13).PathText())
	assert.Equal(t, "/list/end", d.Owner(16).PathText())
	again, err := d.Find("/list/2/v")
	require.NoError(t, err)
	assert.EqualValues(t, 20, again.Value)
}

func TestStringsThatAreNotUTF8KeepTheirBytes(t *testing.T) {
	c := cursor(3, 'a', 0xff, 'b')
	c.Prefixed("s", model.U8)
	n := c.Close().Child(0)
	assert.Equal(t, "a\uFFFDb", n.Value)
	assert.Equal(t, []byte{'a', 0xff, 'b'}, n.Raw())
}

// As the Unicode standard recommends ("U+FFFD Substitution of Maximal Subparts").
func TestEachSequenceThatIsNotUTF8IsReplaced(t *testing.T) {
	for text, want := range map[string]string{
		"sound é😀": "sound é😀", "\xff\xfe": "\uFFFD\uFFFD", "a\xc0\xafb": "a\uFFFD\uFFFDb",
		"\xe6\x97": "\uFFFD", "\xf0\x9f\x98x": "\uFFFDx", "\xed\xa0\x80": "\uFFFD\uFFFD\uFFFD",
	} {
		assert.Equal(t, want, decode.ValidUTF8(text), "%q", text)
	}
	c := cursor(7)
	c.U8("\xff\xfe")
	assert.Equal(t, "\uFFFD\uFFFD", c.Close().Child(0).Name)
}

func TestLongStringsCrossTheWindow(t *testing.T) {
	b := bytes.Repeat([]byte{'x'}, 200_000)
	c := cursor(append(b, 0, 7)...)
	assert.Equal(t, string(b), c.Terminated("s"))
	assert.EqualValues(t, 7, c.U8("after"))
	c = cursor(b...)
	c.Terminated("s")
	assert.ErrorContains(t, c.Err(), "unterminated")
}
