package scene

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestASkinnedMeshAloneKeepsItsSkeleton(t *testing.T) {
	tip := &Node{Name: "tip"}
	hip := &Node{Name: "hip", Children: []*Node{tip, {Name: "hat", Mesh: &Mesh{}}}}
	body := &Node{Name: "body", Mesh: &Mesh{Name: "skin"}, Skin: &Skin{Joints: []*Node{hip, nil, tip}}}
	root := &Node{Name: "root", Camera: new(Camera), Children: []*Node{{Name: "light", Light: new(Light)}, body, hip}}
	s := &Scene{Roots: []*Node{root, {Name: "floor", Mesh: &Mesh{}}}, Up: UpZ}
	one := s.Skinned(body)
	require.Len(t, one.Roots, 1)
	var names []string
	one.Walk(func(n *Node, _ Matrix) { names = append(names, n.Name) })
	assert.ElementsMatch(t, []string{"root", "body", "hip", "tip"}, names)
	mesh := one.Roots[0].Children[0]
	assert.Equal(t, "body", mesh.Name)
	assert.Equal(t, []*Node{one.Roots[0].Children[1], nil, one.Roots[0].Children[1].Children[0]}, mesh.Skin.Joints)
	assert.Nil(t, one.Roots[0].Camera)
	assert.Equal(t, "skin", one.Name)
	assert.Equal(t, UpZ, one.Up)
	assert.Equal(t, []*Node{hip, nil, tip}, body.Skin.Joints, "the scene stays")
	assert.Nil(t, s.Skinned(hip))
	assert.Nil(t, s.Skinned(&Node{Mesh: body.Mesh, Skin: body.Skin}), "a node of another scene")
}
