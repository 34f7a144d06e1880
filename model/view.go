package model

import "image"

// View is what a node looks like: a Picture, or a scene.Scene. A nil View is nothing to look at.
type View interface {
	// ViewKind returns the kind of the view. Only the types that ViewKind lists implement it.
	ViewKind() ViewKind
}

// ViewKind is a kind of View.
type ViewKind uint8

// The kinds, each with the type that implements it.
const (
	PictureView ViewKind = iota // Picture
	SceneView                   // *scene.Scene
)

// Picture is the view of pixels.
type Picture struct{ image.Image }

// ViewKind implements View.
func (Picture) ViewKind() ViewKind { return PictureView }
