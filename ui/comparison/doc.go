// Package comparison shows two versions of a file side by side: what changed in their structure as a tree of pairs, in
// their bytes as two aligned hex views, and in detail for the pair that is selected. Series compares each state of a
// series with the one before, Folder lists the files of two folders.
package comparison

import (
	"context"
	"io"

	"assay/model"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// Side is one of the two things that are compared.
type Side struct {
	Title string
	Hint  string // where it comes from, such as a path
	Path  string // of the file; empty for what is no file of its own
	// Open opens it; the document's source is closed when it is not needed any more. It is called again when the
	// comparison is made again.
	Open func(ctx context.Context) (*model.Document, error)
}

// Deps is what the panes of this package are made with.
type Deps struct {
	Host
	Style *paint.Style
	Group *work.Group // owned by the pane from now on
}

// Host is what a comparison asks of the window.
type Host interface {
	host.Host
	// Save asks for a file and has write fill it.
	Save(name string, write func(w io.Writer) error)
	// Open opens a side as a document of its own, at a node.
	Open(s Side, at model.Path)
	// Export adds the assets of nodes to what is exported.
	Export(d *model.Document, nodes []*model.Node)
	// Compare opens a comparison of its own.
	Compare(old, new Side)
}

// fileSide is the file at a path as a side.
func fileSide(path, title string, open func(ctx context.Context, path string) (*model.Document, error)) Side {
	return Side{Title: title, Hint: path, Path: path, Open: func(ctx context.Context) (*model.Document, error) { return open(ctx, path) }}
}

// DocumentSide is a document that somebody else shows too.
func DocumentSide(d *model.Document, title, hint string) Side {
	return Side{Title: title, Hint: hint, Open: func(context.Context) (*model.Document, error) {
		d.Source.Hold()
		return d, nil
	}}
}
