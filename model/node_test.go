package model

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestChildNamedFindsElementsAndTheFieldsAroundThem(t *testing.T) {
	n := &Node{Name: "list"}
	n.SetChildren(&Elements{
		First: List{{Name: "header"}, {Name: "type"}, {Name: "count"}, {Name: "size"}, {Name: "more"}},
		Last:  List{{Name: "end"}},
		Count: 3, Make: func(int) *Node { return &Node{} }})
	for _, name := range []string{"header", "more", "0", "2", "end"} {
		found := n.ChildNamed(name)
		require.NotNil(t, found, name)
		assert.Equal(t, name, found.Name)
		assert.Same(t, n, found.Parent)
	}
	for _, name := range []string{"3", "-1", "02", "other", ""} {
		assert.Nil(t, n.ChildNamed(name), name)
	}
}
