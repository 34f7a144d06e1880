package find_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/archive"
	"assay/model/find"
)

func TestUsesFindsLinksToANode(t *testing.T) {
	root := &model.Node{Type: "Root"}
	object := &model.Node{Name: "object", Key: "hero"}
	object.SetChildren(model.List{{Name: "id", Value: "hero"}})
	link := func(name string, to model.Path) *model.Node {
		return &model.Node{Name: name, Link: &model.Link{Target: func() (model.Path, bool) { return to, to != nil }}}
	}
	root.SetChildren(model.List{object, link("to object", model.Path{0}), link("to its id", model.Path{0, 0}),
		link("to another", model.Path{1}),
		link("to nothing", nil), {Name: "by key", Link: &model.Link{Key: "hero"}},
		{Name: "elsewhere", Link: &model.Link{Key: "hero", File: "x"}}})
	d := model.NewDocument(source(nil), "test", "1", root)
	names := func(of *model.Node) (out []string) {
		require.NoError(t, find.Uses(context.Background(), d, of, func(found []find.Named) {
			out = nil
			for _, f := range found {
				out = append(out, f.Name)
			}
		}))
		return out
	}
	assert.Equal(t, []string{"to object", "to its id", "by key"}, names(root.Child(0)))
	assert.Equal(t, []string{"to its id"}, names(root.Child(0).Child(0)))
	assert.Empty(t, names(root.Child(2)))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	long := model.NewDocument(source(nil), "test", "1", tree(5000))
	assert.ErrorIs(t, find.Nodes(ctx, long, mustQuery("label"), func([]find.Named) {}), context.Canceled)
	n := 0
	require.NoError(t, find.Nodes(context.Background(), long, mustQuery("label"),
		func(f []find.Named) { n = len(f) }))
	assert.Equal(t, find.MaxNodes, n)
}

func TestAnAssetItsEntryAndItsNameAreFoundOnce(t *testing.T) {
	name := func() string { return "images/icon.png" }
	entry := &model.Node{Name: "entry", Type: "IndexEntry", Key: "k1", Span: model.Span{Size: 4}}
	block := &model.Node{Name: "block", Type: "Block", Key: "k1", Span: model.Span{Offset: 4, Size: 4}}
	field := &model.Node{Name: "filename", Type: "Field", Key: "filename"}
	field.SetChildren(model.List{{Name: "value", Type: "string", Value: "images/icon.png"}})
	block.SetChildren(model.List{field, {Name: "author", Type: "string", Value: "of every icon"}})
	asset := &model.Node{Name: "asset", Type: "Data", Key: "k1", Span: model.Span{Offset: 8, Size: 90}}
	twin := &model.Node{Name: "asset", Type: "Data", Key: "k2", Span: model.Span{Offset: 98, Size: 90}}
	named := model.List{entry, block, asset, twin}
	for _, n := range named {
		n.SetLabel(func() string { return name() })
	}
	root := &model.Node{Type: "Root"}
	root.SetChildren(named)
	d := model.NewDocument(source(nil), "test", "1", root)
	types := func() (out []string) {
		require.NoError(t, find.Nodes(t.Context(), d, mustQuery("icon"), func(found []find.Named) {
			out = nil
			for _, f := range found {
				out = append(out, f.Type+" "+f.TitlePath)
			}
		}))
		return out
	}
	assert.Equal(t, []string{"Data asset images/icon.png", "string block images/icon.png / author",
		"Data asset images/icon.png"}, types())
	name = func() string { return "renamed" }
	entry.SetLabel(func() string { return "images/icon.png" })
	entry.Link = &model.Link{Target: func() (model.Path, bool) { return asset.Path(), true }}
	assert.Equal(t, "Data asset renamed", types()[0], "the asset of an entry is found although it does not match")
}

func TestLooksHexNeedsSeveralBytes(t *testing.T) {
	for text, want := range map[string]bool{"7f 45": true, "7F,45,4c": true, "0x7f454c46": true, "7f ?? 46": true,
		" ab 47 ": true,
		"0x7f":    false, "7f": false, "face": false, "1024": false, "duck": false, "a b": false, "": false,
		"12 345": false} {
		assert.Equal(t, want, find.LooksHex(text), text)
	}
}

// BenchmarkAssets finds the first results of the tree's filter in a document of a million assets, of which twelve, or
// all, match. They are displayed while the rest of the structure is searched.
func BenchmarkAssets(b *testing.B) {
	d := packageOf(1_000_000)
	all := archive.NewShared(d, func(job func(ctx context.Context)) { job(context.Background()) })
	for _, word := range []string{"icon_99999", "png"} {
		q := mustQuery(word)
		b.Run(word, func(b *testing.B) {
			for b.Loop() {
				f, err := find.Assets(context.Background(), d, all, q, 100_000, func(_, _ int) {})
				require.NoError(b, err)
				require.NotZero(b, f.Matches)
			}
		})
	}
}
