package find_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/find"
)

func TestWhatLeadsToANode(t *testing.T) {
	root := &model.Node{Type: "Root"}
	object := &model.Node{Name: "object", Key: "hero"}
	object.SetChildren(model.List{{Name: "id", Value: "hero"}})
	lead := func(name string, to model.Path) *model.Node {
		return &model.Node{Name: name, Link: &model.Link{Target: func() (model.Path, bool) { return to, to != nil }}}
	}
	root.SetChildren(model.List{object, lead("to object", model.Path{0}), lead("to its id", model.Path{0, 0}),
		lead("to another", model.Path{1}),
		lead("to nothing", nil), {Name: "by key", Link: &model.Link{Key: "hero"}},
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
	assert.ErrorIs(t, find.Nodes(ctx, tree(5000), find.NewQuery("label"), func([]find.Named) {}), context.Canceled)
	n := 0
	require.NoError(t, find.Nodes(context.Background(), tree(5000), find.NewQuery("label"),
		func(f []find.Named) { n = len(f) }))
	assert.Equal(t, find.UsesMost, n)
}

func TestHexIsToldFromWords(t *testing.T) {
	for text, want := range map[string]bool{"7f 45": true, "7F,45,4c": true, "0x7f454c46": true, "7f ?? 46": true,
		" ab 47 ": true,
		"0x7f":    false, "7f": false, "face": false, "1024": false, "duck": false, "a b": false, "": false,
		"12 345": false} {
		assert.Equal(t, want, find.LooksHex(text), text)
	}
}
