package model

import "context"

// Thing is what a node is to the people who work with such files: a mesh, an animation, an asset. A comparison counts
// things: whatever changed in one of them is one change.
type Thing struct {
	Kind    string // what one of them is called, in small letters: "mesh"
	Group   string // what things of a kind are counted by, such as the type of an asset; may be empty
	Uniform bool   // many are much alike, so that only the key tells one from the other
	Bytes   int64  // its bytes in the file, where those are worth counting

	// Facts are what a person would say of it first: its size, its format.
	Facts []Fact
	// Place reports whether a leaf below the node says where the thing is; nil if nothing does.
	Place func(leaf *Node) bool
	// Content reads what it is made of: a *scene.Animation, a *scene.Skin, a View, or a *scene.Node of a mesh with the
	// skin that it is bound by. It may be nil.
	Content func(ctx context.Context) (any, error)
	// File opens the asset that it is as a file inside of the file, which whoever calls it closes; a nil document if it
	// is of no format with a structure. It may be nil.
	File func(ctx context.Context) (*Document, error)
}

// Fact is a property of a thing in words.
type Fact struct {
	Name, Value string
}
