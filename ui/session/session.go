// Package session is what the window is opened with. It knows nothing of how the window is made, so that a program
// without one can name it too.
package session

import (
	"context"

	"assay/model"
)

// Sample is a small file that the program carries inside itself.
type Sample struct {
	Name  string // as a file name
	Title string // for people
	Bytes []byte
}

// Kind is a kind of file that can be opened.
type Kind struct {
	Title      string
	Extensions []string // with their dots
}

// Options are what the window is opened with.
type Options struct {
	// Open opens the file at a path; OpenSource bytes that are no file of their own.
	Open       func(ctx context.Context, path string) (*model.Document, error)
	OpenSource func(ctx context.Context, src *model.Source) (*model.Document, error)

	Files   []string // to be opened at once
	Samples []Sample
	Sample  bool   // open the first sample
	Kinds   []Kind // what can be opened, for the empty window
	Version string
	Icon    []byte
}
