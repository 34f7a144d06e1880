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

// Scan may use the memory of a node again.
func TestPathOfAReusedNodeIsComputedAgain(t *testing.T) {
	root := &model.Node{}
	root.SetChildren(model.List{{Name: "a"}, {Name: "b"}})
	paths := model.Paths{Named: true}
	leaf := &model.Node{Name: "value", Parent: root.Child(0), Span: model.Span{Offset: 1, Size: 2}}
	assert.Equal(t, "/a/value", paths.Text(leaf))
	assert.Equal(t, "/a/value", paths.Text(leaf))
	*leaf = model.Node{Name: "value", Parent: root.Child(1), Span: model.Span{Offset: 3, Size: 2}}
	assert.Equal(t, "/b/value", paths.Text(leaf))
}

// A path with names stays valid if the list gets more elements.
func TestPathsHaveKeysOrIndexesOfElements(t *testing.T) {
	keyed := func(name, key string, kids ...*model.Node) *model.Node {
		n := &model.Node{Name: name, Key: key}
		n.SetChildren(model.List(kids))
		return n
	}
	list := keyed("meshes", "", keyed("count", ""), keyed("0", "boy", keyed("parts", "", keyed("0", ""))),
		keyed("1", "a/b~c"), keyed("2", "boy"), keyed("3", "7"), keyed("4", "count"), keyed("5", "x*"))
	root := keyed("", "", list)
	d := model.NewDocument(nil, "made", "1", root)
	want := []string{"/meshes/count", "/meshes/boy", "/meshes/a~1b~0c", "/meshes/boy~~2", "/meshes/3", "/meshes/4",
		"/meshes/x*"}
	for i := range list.Len() {
		n := list.Child(i)
		assert.Equal(t, want[i], n.NamePath())
		for _, path := range []string{n.NamePath(), n.PathText()} {
			found, err := d.Find(path)
			require.NoError(t, err, path)
			assert.Equal(t, n, found, path)
		}
	}
	part := list.Child(1).Child(0).Child(0)
	assert.Equal(t, "/meshes/boy/parts/0", part.NamePath())
	_, err := d.Find("/meshes/boy~~3")
	assert.ErrorContains(t, err, "there is no")

	held := func(pattern string) (names []string) {
		p := model.NewPathPattern(pattern)
		for i := range list.Len() {
			if n := list.Child(i); p.Matches(n) {
				names = append(names, n.Name)
			}
		}
		return names
	}
	for pattern, want := range map[string][]string{"/meshes/boy": {"0"}, "/meshes/boy~~2": {"2"}, "/meshes/b*": {"0", "2"},
		"/meshes/2": {"2"}, "/meshes/[01]": {"0", "1"}, "/*/a*": {"1"}, "/meshes/x*": {"5"}, "/meshes/[": nil,
		"/meshes/boy/parts": nil, "/": {"count", "0", "1", "2", "3", "4", "5"}} {
		assert.Equal(t, want, held(pattern), pattern)
	}
	assert.True(t, model.NewPathPattern("/meshes/boy").Matches(part), "what is below it")
	for pattern, want := range map[string][]string{"/meshes/b*": {"0", "2"}, "/*/boy~~2": {"2"}, "/meshes/none": nil} {
		var names []string
		for _, n := range model.NewPathPattern(pattern).Find(root, 10) {
			names = append(names, n.Name)
		}
		assert.Equal(t, want, names, pattern)
	}
	assert.Len(t, model.NewPathPattern("/meshes/*").Find(root, 3), 3)
}
