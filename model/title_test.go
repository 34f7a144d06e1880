package model_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model"
)

func TestTitlesSayWhatPeopleCallANode(t *testing.T) {
	labelled := func(n model.Node, label string) model.Node {
		n.SetLabel(func() string { return label })
		return n
	}
	for _, c := range []struct {
		node  model.Node
		title string
	}{
		{model.Node{Name: "transform"}, "transform"},
		{model.Node{Name: "0", Key: "VisualSceneNode"}, "0 VisualSceneNode"},
		{model.Node{Name: "camera", Key: "Camera01"}, "camera Camera01"},
		{model.Node{Name: "header", Key: "header"}, "header"},
		{labelled(model.Node{Name: "3", Key: "0001-0001-00000003"}, "images/icon.png"), "3 images/icon.png"},
		{labelled(model.Node{Name: "3", Key: "0001-0001-00000003"}, ""), "3 0001-0001-00000003"},
		{model.Node{Key: "alone"}, "alone"},
		{model.Node{Name: "7"}, "7"},
	} {
		assert.Equal(t, c.title, c.node.Title())
	}
}

func TestWayOfTitlesKeepsItsEnd(t *testing.T) {
	root := &model.Node{}
	n := root
	for range 30 {
		below := &model.Node{Name: "0", Key: "k"}
		n.SetChildren(model.List{below})
		n = below
	}
	way := n.TitleWay()
	assert.Contains(t, way, "0 k / 0 k")
	assert.Equal(t, "… / 0 k", way[:len("… / 0 k")])
	assert.Less(t, len(way), 100)
	d := model.NewDocument(model.NewSource("a.gpb", bytes.NewReader(nil), 0), "test", "1", root)
	assert.Equal(t, "a.gpb", d.Title(root))
	assert.Equal(t, "0 k", d.Title(n))
}

func TestElementsAreCountedWithoutTheFieldsAroundThem(t *testing.T) {
	list := func(names ...string) *model.Node {
		n, l := new(model.Node), model.List{}
		for _, name := range names {
			l = append(l, &model.Node{Name: name})
		}
		n.SetChildren(l)
		return n
	}
	assert.Equal(t, 3, list("size", "count", "0", "1", "2", "end").Elements())
	assert.Equal(t, 2, list("size", "count", "0", "1").Before())
	assert.Equal(t, 2, list("first", "second").Elements(), "named children are elements where none has an index")
	assert.Equal(t, 0, new(model.Node).Elements())
	counted := list("count")
	counted.Child(0).Role = model.RoleCount
	assert.Equal(t, 0, counted.Elements())
}
