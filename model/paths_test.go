package model_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

func TestPathsAreThoseOfTheNodes(t *testing.T) {
	root := tree("", 0, 9,
		tree("a/b", 0, 4, leaf("x", 0, 2, nil), leaf("~y", 2, 2, nil)),
		tree("c", 4, 5, tree("d", 4, 4, leaf("e", 4, 4, nil)), leaf("f", 8, 1, nil)))
	var p model.Paths
	var all []*model.Node
	require.NoError(t, model.Walk(root, func(n *model.Node) (bool, error) {
		all = append(all, n)
		assert.Equal(t, n.PathText(), p.Text(n))
		return true, nil
	}, nil))
	for i := range all {
		n := all[(i*5)%len(all)]
		assert.Equal(t, n.PathText(), p.Text(n), "in any order")
	}
}

func TestPathsOfDeepNodesAreShort(t *testing.T) {
	const depth = 20_000
	root := &model.Node{Type: "Root"}
	n := root
	for range depth {
		k := &model.Node{Name: "child"}
		n.SetChildren(model.List{k})
		n = k
	}
	var p model.Paths
	levels := 0
	require.NoError(t, model.Walk(root, func(n *model.Node) (bool, error) {
		text := p.Text(n)
		switch {
		case levels > 1000:
			require.Less(t, len(text), 2000)
			require.Contains(t, text, "/child/… ")
		case levels > 0:
			require.Equal(t, strings.Repeat("/child", levels), text)
		}
		levels++
		return true, nil
	}, nil))
	assert.Equal(t, strings.Repeat("/child", 100)+"/… 19800 levels …"+strings.Repeat("/child", 100), p.Text(n))
}

// TestPathsOfReusedNodes asks for the paths of two nodes that have the same memory, as those of a Scan may.
func TestPathsOfReusedNodes(t *testing.T) {
	root := &model.Node{}
	root.SetChildren(model.List{{Name: "a"}, {Name: "b"}})
	paths := model.Paths{Named: true}
	leaf := &model.Node{Name: "value", Parent: root.Child(0), Span: model.Span{Offset: 1, Size: 2}}
	assert.Equal(t, "/a/value", paths.Text(leaf))
	assert.Equal(t, "/a/value", paths.Text(leaf))
	*leaf = model.Node{Name: "value", Parent: root.Child(1), Span: model.Span{Offset: 3, Size: 2}}
	assert.Equal(t, "/b/value", paths.Text(leaf))
}
