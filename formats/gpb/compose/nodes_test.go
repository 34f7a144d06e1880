package compose

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/scene"
)

// TestRenamedNodesAreNotLookedAtAgain renames one after the other of many nodes that have one name.
func TestRenamedNodesAreNotLookedAtAgain(t *testing.T) {
	x := &nodeIndex{scene: &scene.Scene{}}
	for range 1000 {
		x.add(nil, &scene.Node{Name: "a"})
	}
	for i := range 1000 {
		found := x.find(nil, "a")
		require.Len(t, found, 1)
		assert.Same(t, x.scene.Roots[i], found[0])
		x.rename(found, "a", fmt.Sprint("b", i))
		assert.LessOrEqual(t, len(x.byName["a"]), 1000-i, "those with other names are not kept")
	}
	assert.Empty(t, x.find(nil, "a"))
	assert.Same(t, x.scene.Roots[7], x.find(nil, "b7")[0])
}

// TestTheFirstOfANameIsThatOfTheScene: a node that gets a name later, or is added further up, may come first.
func TestTheFirstOfANameIsThatOfTheScene(t *testing.T) {
	a, b := &scene.Node{Name: "a"}, &scene.Node{Name: "b"}
	x := &nodeIndex{scene: &scene.Scene{Roots: []*scene.Node{a, b}}}
	first := func(want *scene.Node) {
		t.Helper()
		found := x.find(nil, "b")
		require.Len(t, found, 1)
		assert.Same(t, want, found[0])
		assert.Equal(t, x.findAmong(x.scene.Roots, "b"), found)
	}
	first(b)
	inner := &scene.Node{Name: "b"}
	x.add(a, inner)
	first(inner)
	x.rename([]*scene.Node{a}, "a", "b")
	first(a)
	x.rename([]*scene.Node{a}, "b", "c")
	first(inner)
}
