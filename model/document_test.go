package model_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

func leaf(name string, off, size int64, value any) *model.Node {
	return &model.Node{Name: name, Type: "t", Span: model.Span{Offset: off, Size: size}, Value: value}
}

func tree(name string, off, size int64, kids ...*model.Node) *model.Node {
	n := &model.Node{Name: name, Type: "T", Span: model.Span{Offset: off, Size: size}}
	n.SetChildren(model.List(kids))
	return n
}

func document(size int64, kids ...*model.Node) *model.Document {
	src := model.NewSource("test", bytes.NewReader(make([]byte, size)), size)
	return model.NewDocument(src, "test", "1", tree("", 0, size, kids...))
}

func check(t *testing.T, d *model.Document) *model.Report {
	t.Helper()
	r, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	return r
}

func TestDocumentFindsPathsAndOwners(t *testing.T) {
	records := &model.Node{Name: "recs", Type: "R[]", Span: model.Span{Offset: 20, Size: 40}}
	count := leaf("count", 20, 4, uint64(9))
	records.SetChildren(&model.Elements{First: model.List{count}, Count: 9,
		Make: func(i int) *model.Node {
			return tree("", 24+int64(i)*4, 4, leaf("x~/y", 24+int64(i)*4, 4, uint64(i)))
		},
		Lookup: func(off int64) (int, int) { return int(off-24) / 4, int(off-24)/4 + 1 }})
	// recs lies in the span of outer but is not its child, as an index between assets may.
	outer := tree("outer", 0, 100, leaf("a", 0, 20, nil), leaf("b", 60, 40, nil))
	d := document(110, outer, records)
	d.ShowGaps(check(t, d))

	for _, c := range []struct {
		off  int64
		path string
	}{
		{0, "/outer/a"}, {19, "/outer/a"}, {20, "/recs/count"}, {24, "/recs/0/x~0~1y"}, {59, "/recs/8/x~0~1y"},
		{60, "/outer/b"}, {105, "/gap/0"},
	} {
		n := d.Owner(c.off)
		require.NotNil(t, n, "byte %d", c.off)
		assert.Equal(t, c.path, n.PathText())
		again, err := d.Find(c.path)
		require.NoError(t, err)
		assert.Equal(t, n.Span, again.Span)
		assert.Equal(t, n.Span, d.At(n.Path()).Span)
	}
	for _, near := range []string{"/outer/a", "/recs/8/x~0~1y", "/gap/0", "/"} {
		last, err := d.Find(near)
		require.NoError(t, err)
		for off := range int64(111) {
			want, got := d.Owner(off), d.OwnerNear(last, off)
			require.Equal(t, want == nil, got == nil, "byte %d", off)
			if want != nil {
				assert.Equal(t, want.PathText(), got.PathText(), "byte %d", off)
			}
		}
	}
	assert.Nil(t, d.Owner(1000))
	assert.Nil(t, d.At(model.Path{0, 7}))
	_, err := d.Find("/outer/nothing/x")
	assert.EqualError(t, err, `there is no "nothing" in /outer`)
}

func TestGapsDoNotHideNamedNodes(t *testing.T) {
	d := document(10, leaf("a", 0, 1, nil), leaf("b", 1, 1, nil), leaf("c", 2, 1, nil), leaf("d", 3, 1, nil),
		leaf("e", 4, 1, nil))
	d.ShowGaps(check(t, d))
	for _, path := range []string{"/a", "/e", "/gap", "/gap/0"} {
		n, err := d.Find(path)
		require.NoError(t, err)
		assert.Equal(t, path, n.PathText())
	}
}

func TestDeepStructuresAreWalkedWithoutRecursion(t *testing.T) {
	const depth = 200_000
	n := leaf("x", 0, 10, uint64(1))
	for range depth {
		n = tree("n", 0, 10, n)
	}
	d := document(10, n)
	r := check(t, d)
	assert.EqualValues(t, 10, r.Accounted)
	var out bytes.Buffer
	require.NoError(t, d.Dump(context.Background(), &out, r))
	assert.Equal(t, depth+2, strings.Count(out.String(), `{"name"`))
	assert.Equal(t, strings.Count(out.String(), "{"), strings.Count(out.String(), "}"))
}

func TestSpanEndsDoNotOverflow(t *testing.T) {
	assert.False(t, model.Span{Offset: math.MaxInt64 - 1, Size: 10}.Within(100))
	assert.False(t, model.Span{Offset: 1, Size: math.MaxInt64}.Within(100))
	assert.False(t, model.Span{Offset: -1, Size: 1}.Within(100))
	assert.True(t, model.Span{Offset: 100, Size: 0}.Within(100))
	assert.False(t, model.Span{Offset: 1, Size: math.MaxInt64}.Contains(0))
	assert.True(t, model.Span{Offset: 1, Size: math.MaxInt64}.Contains(5))
	assert.Equal(t, model.Span{Offset: 2, Size: 8}, model.Span{Offset: 2, Size: 2}.Join(model.Span{Offset: 9, Size: 1}))
}
