package model_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// counted is a list of assets that counts the calls of At.
type counted struct {
	of     []*model.Node
	n      int
	at     func(i int) *model.Node
	looked int
}

func (c *counted) Len() int { return max(c.n, len(c.of)) }

func (c *counted) At(i int) *model.Payload {
	c.looked++
	if c.at != nil {
		return &model.Payload{Node: c.at(i)}
	}
	return &model.Payload{Node: c.of[i]}
}

// indexed returns a document with a list of n entries after their number, and a list with the same keys in reverse.
func indexed(n int) (*model.Document, *counted) {
	root := &model.Node{Type: "File"}
	head := &model.Node{Name: "head", Type: "u32"}
	index, data := &model.Node{Name: "index", Type: "Entry[]"}, &model.Node{Name: "data", Type: "Data[]"}
	index.SetChildren(&model.Elements{First: model.List{{Name: "count", Type: "u32"}}, Count: n,
		Make: func(i int) *model.Node {
			e := &model.Node{Type: "Entry", Key: fmt.Sprint("key", i), Parent: index}
			e.SetChildren(model.List{{Name: "size", Type: "u32"}})
			return e
		}})
	data.SetChildren(&model.Elements{Count: n, Make: func(i int) *model.Node {
		e := &model.Node{Type: "Data", Key: fmt.Sprint("key", n-1-i), Parent: data}
		e.SetChildren(model.List{{Name: "bytes", Type: "bytes", Key: "a part's own"}})
		return e
	}})
	root.SetChildren(model.List{head, index, data})
	d := model.NewDocument(model.NewSource("a", bytes.NewReader(nil), 0), "made", "", root)
	all := &counted{n: n, at: func(i int) *model.Node { return index.Child(i + 1) }}
	d.Payloads = all
	return d, all
}

func places(t testing.TB, d *model.Document, paths ...string) (found []int, rest []string) {
	t.Helper()
	p, err := d.AssetIndex(context.Background())
	require.NoError(t, err)
	var nodes []*model.Node
	for _, text := range paths {
		n, err := d.Find(text)
		require.NoError(t, err)
		nodes = append(nodes, n)
	}
	found, left, err := p.AssetsOf(context.Background(), nodes)
	require.NoError(t, err)
	for _, n := range left {
		rest = append(rest, n.PathText())
	}
	return found, rest
}

func TestAssetIndexFindsAssetsOfNodes(t *testing.T) {
	d, _ := indexed(5)
	for _, c := range []struct {
		paths []string
		want  []int
		rest  []string
	}{
		{[]string{"/index/3"}, []int{3}, nil},
		{[]string{"/index/3/size", "/index/0"}, []int{0, 3}, nil},
		{[]string{"/index/3", "/index/3/size"}, []int{3}, nil},
		{[]string{"/index"}, []int{0, 1, 2, 3, 4}, nil},
		{[]string{"/"}, []int{0, 1, 2, 3, 4}, nil},
		{[]string{"/data/0"}, []int{4}, nil},
		{[]string{"/data/1/bytes"}, []int{3}, nil},
		{[]string{"/data"}, []int{0, 1, 2, 3, 4}, nil},
		{[]string{"/head", "/index/count"}, nil, []string{"/head", "/index/count"}},
		{nil, nil, nil},
	} {
		found, rest := places(t, d, c.paths...)
		assert.Equal(t, c.want, found, c.paths)
		assert.Equal(t, c.rest, rest, c.paths)
	}
}

func TestAssetIndexReadsFewOfAMillionAssets(t *testing.T) {
	d, all := indexed(1_000_000)
	found, _ := places(t, d, "/index/777777")
	assert.Equal(t, []int{777777}, found)
	assert.Less(t, all.looked, 100)
}

// The node has no asset, only the key of one.
func TestOneOfAMillionIsFoundByItsKey(t *testing.T) {
	const n = 1_000_000
	d, all := indexed(n)
	made := 0
	entry := all.at
	all.at = func(i int) *model.Node { made++; return entry(i) }
	d.FindKey = func(key string) (model.Path, bool) {
		var i int
		_, err := fmt.Sscanf(key, "key%d", &i)
		return model.Path{1, i + 1}, err == nil
	}
	p, err := d.AssetIndex(t.Context())
	require.NoError(t, err)
	index, data := d.Root().Child(1), d.Root().Child(2)
	index.SetChildren(&model.Elements{Count: n + 1, Make: func(int) *model.Node {
		t.Error("an entry is read")
		return &model.Node{Type: "Entry"}
	}})
	found, err := p.First(t.Context(), data.Child(0).Child(0), 2)
	require.NoError(t, err)
	assert.Equal(t, []int{n - 1}, found)
	found, err = p.First(t.Context(), data, 3)
	require.NoError(t, err)
	assert.Empty(t, found, "a long list is not read for its keys")
	assert.Less(t, made, 100)
}

func TestAssetIndexAcceptsAssetsInAnyOrder(t *testing.T) {
	object := func(name string, fields ...string) *model.Node {
		n := &model.Node{Name: name, Type: "Object"}
		var l model.List
		for _, f := range fields {
			l = append(l, &model.Node{Name: f, Type: "field"})
		}
		n.SetChildren(l)
		return n
	}
	a, b, c := object("a", "x", "blob"), object("b", "x", "y"), object("c", "x", "blob")
	root := &model.Node{Type: "File"}
	root.SetChildren(model.List{a, b, c})
	d := model.NewDocument(model.NewSource("a", bytes.NewReader(nil), 0), "made", "", root)
	d.Payloads = &counted{of: []*model.Node{c.Child(1), a.Child(1), a, b, c, nil, b.Child(1), b.Child(1)}}
	for _, test := range []struct {
		path string
		want []int
	}{
		{"/a", []int{1, 2}}, {"/b", []int{3, 6, 7}}, {"/c", []int{0, 4}}, {"/a/blob", []int{1}}, {"/a/x", []int{2}},
		{"/b/y", []int{6, 7}},
		{"/", []int{0, 1, 2, 3, 4, 6, 7}},
	} {
		found, _ := places(t, d, test.path)
		assert.Equal(t, test.want, found, test.path)
	}
}

func TestAssetIndexOfAFileWithoutAssetsIsEmpty(t *testing.T) {
	d, _ := indexed(3)
	d.Payloads = nil
	found, rest := places(t, d, "/index")
	assert.Empty(t, found)
	assert.Equal(t, []string{"/index"}, rest)
}

func TestAssetIndexStopsWithItsContext(t *testing.T) {
	d, _ := indexed(10_000)
	p, err := d.AssetIndex(context.Background())
	require.NoError(t, err)
	again, err := d.AssetIndex(t.Context())
	require.NoError(t, err)
	require.Same(t, p, again, "the index is made once")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	other, _ := indexed(10_000)
	_, err = other.AssetIndex(ctx)
	require.ErrorIs(t, err, context.Canceled)
	_, _, err = p.AssetsOf(ctx, []*model.Node{d.Root().Child(2)})
	require.ErrorIs(t, err, context.Canceled)
}

func BenchmarkAssetIndexOfAMillion(b *testing.B) {
	d, _ := indexed(1_000_000)
	n := d.Root().Child(1).Child(500_000)
	for b.Loop() {
		fresh := model.NewDocument(d.Source, "made", "", d.Root())
		fresh.Payloads = d.Payloads
		p, err := fresh.AssetIndex(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		if found, _, _ := p.AssetsOf(context.Background(), []*model.Node{n}); len(found) != 1 {
			b.Fatal(found)
		}
	}
}
