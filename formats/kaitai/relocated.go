package kaitai

import (
	"fmt"

	"assay/model"
)

// relocated returns a node of bytes that a process made as one without bytes of its own, where the stored ones are.
func relocated(n *model.Node, stored model.Span) *model.Node {
	moved := &model.Node{Name: n.Name, Type: n.Type, Key: n.Key, Span: model.Span{Offset: stored.Offset},
		Value: n.Value, Symbols: n.Symbols, Role: n.Role}
	moved.SetRaw(n.Raw())
	if n.Label() != "" {
		moved.SetLabel(n.Label)
	}
	for _, p := range n.Problems() {
		p.Span = stored
		p.Message = fmt.Sprintf("%s (at %#x of the bytes that are unpacked)", p.Message, n.Offset)
		moved.AddProblems(p)
	}
	if n.Children() != nil {
		moved.SetChildren(&relocatedChildren{moved, n, stored})
	}
	return moved
}

// relocatedChildren are the children of a relocated node.
type relocatedChildren struct {
	owner  *model.Node
	made   *model.Node // whose children they are in the bytes that were made
	stored model.Span
}

// Named returns the position of the first child with that name, -1 if there is none.
func (r *relocatedChildren) Named(name string) int { return positionOf(r.made, name) }

// Len is the number of children.
func (r *relocatedChildren) Len() int { return r.made.Len() }

// At returns the i-th child.
func (r *relocatedChildren) At(i int) *model.Node {
	n := relocated(r.made.Child(i), r.stored)
	n.Parent, n.Index = r.owner, i
	return n
}
