package find_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/archive"
	"assay/model/find"
)

// shelf returns a document with a head and a list of items, every tenth of which has a key.
func shelf(items int) *model.Document {
	list := &model.Node{Name: "items", Type: "Item[]"}
	list.SetChildren(&model.Elements{Count: items, Make: func(i int) *model.Node {
		n := &model.Node{Name: model.IndexName(i), Type: "Item", Parent: list}
		if i%10 == 0 {
			n.Key = fmt.Sprintf("Key%d", i)
		}
		n.SetChildren(model.List{{Name: "width", Type: "u8"}})
		return n
	}})
	root := &model.Node{Type: "Root"}
	root.SetChildren(model.List{{Name: "head", Type: "Head"}, list})
	d := model.NewDocument(source(nil), "test", "1", root)
	d.FindKey = func(key string) (model.Path, bool) {
		text, ok := strings.CutPrefix(key, "key")
		i, err := strconv.Atoi(text)
		return model.Path{1, i}, ok && err == nil && i%10 == 0 && i < items
	}
	return d
}

// fuzzy is find.Fuzzy with assets that are read on the calling goroutine.
func fuzzy(ctx context.Context, d *model.Document, text string, found func([]find.Named)) error {
	assets := archive.NewShared(d, func(read func(ctx context.Context)) { read(ctx) })
	return find.Fuzzy(ctx, d, assets, text, found, func(int, int) {})
}

func TestFuzzyOrdersByScoreAndReportsResultsSoFar(t *testing.T) {
	search := func(d *model.Document, text string) (names []string, shown int) {
		require.NoError(t, fuzzy(t.Context(), d, text, func(found []find.Named) {
			shown++
			names = nil
			for _, f := range found {
				names = append(names, f.Name+" "+f.TitlePath)
			}
		}))
		return names, shown
	}
	small := shelf(100)
	for text, want := range map[string]string{"KEY40": "Key40 items / 40 Key40", "itms": "items items",
		" head ": "head head", "": "head head",
		"wdth": "width items / 0 Key0 / width"} {
		names, _ := search(small, text)
		require.NotEmpty(t, names, text)
		assert.Equal(t, want, names[0], text)
	}
	names, _ := search(small, "KEY40")
	assert.Equal(t, 1, strings.Count(strings.Join(names, "\n"), "items / 40"), "the node with the key is listed once")
	names, _ = search(small, "e")
	assert.Contains(t, names[0], "items / ", "nodes with names of their own come before fields: items")
	assert.Contains(t, strings.Join(names, "\n"), "items items")
	names, _ = search(small, "width")
	assert.Len(t, names, 3, "a few of the same fields of many elements")
	var more []int
	require.NoError(t, fuzzy(t.Context(), small, "width", func(found []find.Named) {
		more = nil
		for _, f := range found {
			more = append(more, f.Omitted)
		}
	}))
	assert.Equal(t, []int{0, 0, 97}, more)
	names, shown := search(small, "zzzz")
	assert.Empty(t, names)
	assert.Equal(t, 1, shown)

	long := shelf(300_000)
	names, shown = search(long, "key")
	assert.Len(t, names, 200)
	assert.Equal(t, 4, shown, "after 4096, 8192 and 16384 nodes with names, and at the end")
	names, _ = search(long, "wdth")
	assert.Empty(t, names, "the fields of a long list's elements are not searched")

	ended, end := context.WithCancel(t.Context())
	end()
	assert.ErrorIs(t, fuzzy(ended, small, "key", func([]find.Named) {}), context.Canceled)
}

func TestFuzzyFindsAnAssetOnce(t *testing.T) {
	d := packageOf(5000) // so few that the nodes are searched, too
	var last []find.Named
	require.NoError(t, fuzzy(t.Context(), d, "4990", func(found []find.Named) { last = found }))
	require.Len(t, last, 1)
	assert.Equal(t, model.Path{0, 4990}, last[0].Path)
}

func TestAnAssetAndItsIndexEntryAreOneItem(t *testing.T) {
	root := &model.Node{Type: "Root"}
	root.SetChildren(model.List{
		{Name: "a", Type: "Entry", Key: "duck", Span: model.Span{Size: 4}},
		{Name: "b", Type: "Mesh", Key: "duck", Span: model.Span{Offset: 4, Size: 90}},
		{Name: "c", Type: "Glyph", Key: "duck", Span: model.Span{Offset: 94, Size: 5}},
		{Name: "d", Type: "Glyph", Key: "duckling", Span: model.Span{Offset: 99, Size: 5}}})
	d := model.NewDocument(source(nil), "test", "1", root)
	var last []find.Named
	require.NoError(t, fuzzy(t.Context(), d, "duck", func(found []find.Named) { last = found }))
	var types []string
	for _, n := range last {
		types = append(types, n.Type)
	}
	assert.Equal(t, []string{"Mesh", "Glyph"}, types)
}
