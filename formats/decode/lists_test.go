package decode_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/decode"
	"assay/model"
)

var kinds = decode.Names{1: "one", 2: "two"}

// item is a struct of differing size: a kind, a name, points, a block.
type item struct {
	kind   uint8
	name   string
	points []uint16
	block  int64
}

func readItem(c *decode.Cursor) (it item) {
	kind, known := c.Enum("kind", "Kind", model.U8, kinds)
	if it.kind = uint8(kind); !known {
		c.Warnf("%d is not a kind", kind)
	}
	it.name = c.Terminated("name")
	c.Key(it.name)
	c.Struct("points", "Point[]", func() {
		n := c.Count("count", model.U8, 2, "Point")
		c.Records("Point", n, 2, func(e *decode.Cursor, _ int) {
			if v := e.U16("v"); !e.Recording() {
				it.points = append(it.points, v)
			}
		})
	})
	c.Struct("block", "Block", func() {
		c.Frame(int64(c.Size("size", model.U8)), func() {
			c.U16("first")
			it.block = c.Rest("surplus", "bytes")
		})
	})
	return it
}

func readItems(c *decode.Cursor) {
	c.Struct("items", "Item[]", func() {
		n := c.Count("count", model.U16, 4, "Item")
		c.Indexed("Item", n, 4, func(e *decode.Cursor, _ int) { readItem(e) })
		c.U8("end")
	})
}

func items(n int) []byte {
	b := binary.LittleEndian.AppendUint16(nil, uint16(n))
	for i := range n {
		b = append(b, writeItem(i)...)
	}
	return append(b, 9)
}

func writeItem(i int) []byte {
	b := append(append([]byte{byte(1 + i%2)}, fmt.Sprintf("item %d", i)...), 0, byte(i%3))
	b = append(append(b, make([]byte, 2*(i%3))...), byte(2+i%5))
	return append(b, make([]byte, 2+i%5)...)
}

func document(c *decode.Cursor) *model.Document {
	return model.NewDocument(c.Source(), "t", "", c.Close())
}

func check(t *testing.T, d *model.Document) *model.Report {
	t.Helper()
	r, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	return r
}

func TestElementsOfDifferingSizesAreIndexedOnceAndDecodedOnDemand(t *testing.T) {
	b := items(1000)
	c := cursor(b...)
	readItems(c)
	require.NoError(t, c.Err())
	d := document(c)
	list := d.Root().Child(0)
	require.Equal(t, 1002, list.Len())
	for _, i := range []int{0, 999, 7, 8, 500, 31, 32, 33} {
		n := list.Child(1 + i)
		assert.Equal(t, fmt.Sprintf("item %d", i), n.Key)
		start := int64(len(items(i)) - 1)
		assert.Equal(t, model.Span{Offset: start, Size: int64(len(writeItem(i)))}, n.Span, "item %d", i)
		leaf := n.ChildNamed("block").ChildNamed("size")
		assert.Equal(t, leaf.PathText(), d.Owner(leaf.Offset).PathText())
	}
	assert.Equal(t, "end", list.Child(1001).Name)
	r := check(t, d)
	assert.EqualValues(t, len(b), r.Accounted)
	assert.Empty(t, r.Problems)
}

func TestQuietReadingsEqualTheNodes(t *testing.T) {
	b := items(50)
	src := model.NewSource("t", bytes.NewReader(b), int64(len(b)))
	c := decode.New(context.Background(), src, "Root", binary.LittleEndian, decode.PlainTypes)
	q := c.Quiet(model.Span{Size: src.Size()})
	assert.EqualValues(t, 50, q.U16("count"))
	for i := range 50 {
		at := q.Pos()
		it := readItem(q)
		require.NoError(t, q.Err())
		e := c.Element("Item", model.Span{Offset: at, Size: q.Pos() - at})
		readItem(e)
		assert.Equal(t, q.Pos(), e.Pos())
		n := e.Close()
		assert.Equal(t, it.name, n.Key)
		assert.EqualValues(t, it.kind, n.Child(0).Value)
		assert.Len(t, it.points, i%3)
		assert.EqualValues(t, i%5, it.block)
	}
	assert.Equal(t, decode.Clean, q.Outcome())
	assert.Nil(t, q.Last())
	assert.Nil(t, q.Node())
}

func TestAQuietCursorNoticesWhatARecordingOneRemarks(t *testing.T) {
	for name, read := range map[string]func(c *decode.Cursor){
		"remark":        func(c *decode.Cursor) { c.U8("x"); c.Notef("odd") },
		"struct":        func(c *decode.Cursor) { c.Remark(model.Warning, c.Node(), "odd") },
		"node":          func(c *decode.Cursor) { c.U8("x"); c.Remark(model.Error, c.Last(), "odd") },
		"caught":        func(c *decode.Cursor) { c.Try(func() { c.Bytes("x", "b", 1000) }) },
		"framed":        func(c *decode.Cursor) { c.Frame(2, func() { c.U32("x") }) },
		"passed over":   func(c *decode.Cursor) { c.GoTo(2) },
		"left in frame": func(c *decode.Cursor) { c.Frame(2, func() { c.U8("x") }) },
		"in records": func(c *decode.Cursor) {
			c.Records("R", 2, 1, func(e *decode.Cursor, _ int) { e.U8("x"); e.Warnf("odd") })
		},
		"gap in records": func(c *decode.Cursor) {
			c.Records("R", 2, 2, func(e *decode.Cursor, _ int) { e.U8("x") })
		},
		"in indexed": func(c *decode.Cursor) {
			c.Indexed("R", 2, 1, func(e *decode.Cursor, _ int) { e.U8("x"); e.Notef("odd") })
		},
	} {
		t.Run(name, func(t *testing.T) {
			q := cursor(1, 2, 3, 4).Quiet(model.Span{Size: 4})
			read(q)
			assert.NotEqual(t, decode.Clean, q.Outcome())
		})
	}
}

func TestANoteIsNoError(t *testing.T) {
	q := cursor(1, 2).Quiet(model.Span{Size: 2})
	q.U8("x")
	q.Notef("odd")
	assert.NotEqual(t, decode.Broken, q.Outcome())
	assert.NotEqual(t, decode.Clean, q.Outcome())
	q.Errorf("bad")
	assert.Equal(t, decode.Broken, q.Outcome())
	q.Reset(model.Span{Size: 2})
	assert.NotEqual(t, decode.Broken, q.Outcome())
	q.Try(func() { q.U32("x") })
	assert.Equal(t, decode.Broken, q.Outcome())
}

func TestProblemsInsideLongListsAreReported(t *testing.T) {
	b := items(200)
	b[2] = 7 // no kind
	c := cursor(b...)
	readItems(c)
	r := check(t, document(c))
	assert.EqualValues(t, len(b), r.Accounted)
	require.Len(t, r.Problems, 1)
	assert.Equal(t, "/items/0/kind", r.Problems[0].Path)
	assert.Equal(t, "7 is not a kind", r.Problems[0].Message)
}

func TestElementsAfterAnUnreadableOneAreNotShown(t *testing.T) {
	b := items(100)
	c := cursor(b[:len(b)-20]...)
	readItems(c)
	assert.ErrorContains(t, c.Err(), "do not fit in the")
	d := document(c)
	list := d.Root().Child(0)
	assert.Equal(t, 100, list.Len())
	assert.Equal(t, fmt.Sprintf("item %d", list.Len()-3), list.Child(list.Len()-2).Key)
	r := check(t, d)
	require.NotEmpty(t, r.Problems)
	assert.Contains(t, r.Problems[0].Path, fmt.Sprintf("/items/%d", list.Len()-2), "the broken one says what is wrong")
}

func TestNestedListsAreBounded(t *testing.T) {
	b := bytes.Repeat([]byte{1}, 1<<20)
	var indexed, records func(e *decode.Cursor)
	indexed = func(e *decode.Cursor) {
		e.Indexed("List", int64(e.U8("n")), 1, func(e *decode.Cursor, _ int) { indexed(e) })
	}
	records = func(e *decode.Cursor) {
		if n := int64(e.U8("n")); n > 0 && e.Remaining() > 0 {
			e.Records("List", n, e.Remaining(), func(e *decode.Cursor, _ int) { records(e) })
		}
	}
	var aside func(e *decode.Cursor)
	aside = func(e *decode.Cursor) {
		e.Indexed("List", int64(e.U8("n")), 1, func(e *decode.Cursor, _ int) {
			q := e.Aside(model.Span{Offset: e.Pos(), Size: e.Remaining()})
			aside(q)
			e.GoTo(e.End())
		})
	}
	quiet := cursor(b...).Quiet(model.Span{Size: int64(len(b))})
	indexed(quiet)
	assert.ErrorContains(t, quiet.Err(), "lists of List are nested deeper than 1024 levels")
	c := cursor(b...)
	indexed(c)
	assert.ErrorContains(t, c.Err(), "nested deeper than 1024 levels")
	quiet.Reset(model.Span{Size: int64(len(b))})
	records(quiet)
	assert.Equal(t, decode.Broken, quiet.Outcome(), "each frame takes the error of those in it")
	quiet.Reset(model.Span{Size: int64(len(b))})
	aside(quiet)
	assert.NoError(t, quiet.Err(), "the error is that of the cursor aside")
}

func TestAListOfEmptyElementsEnds(t *testing.T) {
	const most = 1 << 16
	endless := func(c *decode.Cursor) {
		inner := func(e *decode.Cursor, _ int) {
			e.IndexedUntil("Inner", func(_ *decode.Cursor, i int) bool { return i < 2*most },
				func(e *decode.Cursor, _ int) {})
		}
		c.Struct("outer", "Outer[]", func() {
			c.U8("first")
			c.IndexedUntil("Outer", func(_ *decode.Cursor, i int) bool { return i < 2 }, inner)
		})
	}
	const want = "Inner: more than 65536 empty elements; the rest is skipped"
	c := cursor(1, 2, 3)
	endless(c)
	assert.EqualError(t, c.Err(), want)
	r := check(t, document(c))
	require.NotEmpty(t, r.Problems)
	assert.Equal(t, want, r.Problems[0].Message)
	assert.EqualValues(t, 1, r.Problems[0].Span.Offset)
	q := c.Quiet(model.Span{Size: 3})
	endless(q)
	assert.EqualError(t, q.Err(), want)
	assert.EqualValues(t, 1, q.Pos())

	flat := cursor(1, 2, 3)
	list := flat.Struct("flat", "Flat[]", func() {
		flat.Indexed("Flat", 1<<40, 0, func(e *decode.Cursor, i int) {
			if i > 2*most {
				e.U64("no guard ended the list")
			}
		})
	})
	assert.EqualError(t, flat.Err(), "Flat: more than 65536 empty elements; the rest is skipped")
	assert.Equal(t, most+1, list.Len(), "the elements up to there are shown")
	assert.Len(t, list.Problems(), 1)
}

func TestAReaderFindsEachElementOnce(t *testing.T) {
	const n = 1000
	looks := 0
	b := items(n)
	c := cursor(b...)
	c.Struct("items", "Item[]", func() {
		c.Indexed("Item", c.Count("count", model.U16, 4, "Item"), 4, func(e *decode.Cursor, _ int) {
			looks++
			readItem(e)
			e.Warnf("read, and recorded")
		})
		c.U8("end")
	})
	d := document(c)
	looks = 0
	r := check(t, d)
	assert.Len(t, r.Problems, n)
	assert.Equal(t, 2*n, looks, "once quietly, once to record it")
}

func TestAReaderUsesItsNodesAgain(t *testing.T) {
	c := cursor(items(300)...)
	readItems(c)
	list := c.Close().Child(0)
	r := list.Children().(*model.Elements).Reader()
	for i := range 300 {
		span, clean := r.CheckedSpan(i)
		assert.True(t, clean)
		n := r.Node(i)
		want := list.Child(1 + i)
		assert.Equal(t, want.Span, span)
		assert.Equal(t, want.Span, n.Span)
		assert.Equal(t, want.Key, n.Key)
		require.Equal(t, want.Len(), n.Len())
		for k := range n.Len() {
			assert.Equal(t, want.Child(k).Value, n.Child(k).Value)
			assert.Equal(t, want.Child(k).Span, n.Child(k).Span)
		}
	}
	_, clean := r.CheckedSpan(2)
	assert.True(t, clean, "in any order")
}

func TestAQuietReadingAllocatesItsStringsOnly(t *testing.T) {
	q := cursor(1, 'a', 'b', 0, 2, 0, 0, 0, 3, 0, 0, 0, 9, 9, 9, 9).Quiet(model.Span{Size: 16})
	allocs := testing.AllocsPerRun(100, func() {
		q.Reset(model.Span{Size: 16})
		q.Enum("kind", "Kind", model.U8, kinds)
		q.Terminated("name")
		q.Struct("s", "S", func() {
			q.Size("size", model.U32)
			q.Frame(4, func() { q.Number("n", model.U16); q.Array("a", "u8[]", model.U8, 2) })
		})
		q.Bytes("rest", "bytes", 4)
	})
	assert.EqualValues(t, 1, allocs)
	assert.Equal(t, decode.Clean, q.Outcome())
}

func TestErrorsInAFrameEndWithIt(t *testing.T) {
	c := cursor(1, 2, 3, 4, 5, 6)
	c.Frame(3, func() { c.Struct("s", "S", func() { c.U32("x") }) })
	require.NoError(t, c.Err())
	assert.EqualValues(t, 3, c.Pos())
	c.Frame(2, func() { c.U16("y") })
	require.NoError(t, c.Err())
	c.Frame(2, func() { c.U16("z") })
	assert.ErrorContains(t, c.Err(), "2 bytes do not fit in the remaining 1 bytes")
	root := c.Close()
	assert.Equal(t, "x needs 4 bytes, but only 3 remain", root.Child(0).Problems()[0].Message)
}

func TestSearchCrossesTheWindow(t *testing.T) {
	b := append(bytes.Repeat([]byte{'x'}, 100_000), "MARK!"...)
	q := cursor(b...).Quiet(model.Span{Size: int64(len(b))})
	assert.True(t, q.Find([]byte("MARK")))
	assert.EqualValues(t, 100_000, q.Pos())
	assert.False(t, q.Find([]byte("NONE")))
	assert.EqualValues(t, len(b), q.Pos())
	assert.NotEqual(t, decode.Clean, q.Outcome())
}

func TestCursorHasFewMethods(t *testing.T) {
	assert.LessOrEqual(t, reflect.TypeFor[*decode.Cursor]().NumMethod(), 61,
		"a call that one format needs is a function of the format, over the calls there are")
}

func BenchmarkQuietRecord(b *testing.B) {
	data := make([]byte, 1<<20)
	src := model.NewSource("t", bytes.NewReader(data), int64(len(data)))
	c := decode.New(context.Background(), src, "Root", binary.BigEndian, decode.PlainTypes)
	q := c.Quiet(model.Span{Size: src.Size()})
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		q.Reset(model.Span{Size: src.Size()})
		for q.Remaining() >= 16 {
			q.U32("a")
			q.U32("b")
			q.U64("c")
		}
	}
}

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
