package compose

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/scene"
)

// TestRenamedNodesAreNotVisitedAgain renames one after the other of many nodes that have one name.
func TestRenamedNodesAreNotVisitedAgain(t *testing.T) {
	x := &nodeIndex{scene: &scene.Scene{}}
	for range 1000 {
		x.add(nil, &scene.Node{Name: "a"})
	}
	for i := range 1000 {
		found := x.find("a")
		require.Same(t, x.scene.Roots[i], found)
		x.rename([]*scene.Node{found}, "a", fmt.Sprint("b", i))
		assert.LessOrEqual(t, len(x.byName["a"]), 1000-i, "those with other names are not kept")
	}
	assert.Nil(t, x.find("a"))
	assert.Same(t, x.scene.Roots[7], x.find("b7"))
}

// TestFirstNodeOfANameIsFound tests that nodes at the top precede their descendants, in whatever order they got the
// name or the parent.
func TestFirstNodeOfANameIsFound(t *testing.T) {
	inner := &scene.Node{Name: "b"}
	a, c := &scene.Node{Name: "a", Children: []*scene.Node{{Name: "x", Children: []*scene.Node{inner}}}}, &scene.Node{Name: "c"}
	x := &nodeIndex{scene: &scene.Scene{Roots: []*scene.Node{a, c}}}
	first := func(want *scene.Node) {
		t.Helper()
		assert.Same(t, want, x.find("b"))
		assert.Equal(t, []*scene.Node{want}, x.findAll(nil, address{id: "b"}))
		assert.Equal(t, []*scene.Node{want}, x.searchBelow(searchRoot(x.scene.Roots), address{id: "b"}))
	}
	first(inner)
	x.rename([]*scene.Node{c}, "c", "b")
	first(c)
	child := &scene.Node{Name: "b"}
	x.add(a, child)
	first(c)
	assert.Equal(t, []*scene.Node{child}, x.findAll(a, address{id: "b"}), "a child before what is below another")
	assert.Equal(t, []*scene.Node{c, child, inner}, x.findAll(nil, address{id: "b", many: true}))
	x.rename([]*scene.Node{a, c}, "", "c")
	first(child)
	assert.Equal(t, "cb", c.Name)
}

func TestAddressesHaveFileIDAndStar(t *testing.T) {
	for url, want := range map[string]address{
		"crate":           {id: "crate"},
		"crate*":          {id: "crate", many: true},
		"*":               {id: "*"},
		"#crate":          {id: "#crate"},
		"crate.001":       {file: "crate.001"},
		"a.gpb*":          {file: "a.gpb", many: true},
		"a#b.gpb#c.d":     {file: "a#b.gpb", id: "c.d"},
		"res/a.gpb#crate": {file: "res/a.gpb", id: "crate"},
		"a.gpb#crate*":    {file: "a.gpb", id: "crate", many: true},
		"a*b":             {id: "a*b"},
	} {
		assert.Equal(t, want, parseAddress(url), url)
	}
}
