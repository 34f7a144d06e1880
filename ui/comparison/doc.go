// Package comparison shows two versions of a file side by side: what changed in their structure as a tree of pairs, in
// their bytes as two aligned hex views, and in detail for the pair that is selected. Series compares each state of a
// series with the one before, Folder lists the files of two folders.
package comparison

import (
	"assay/model"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// Deps is what the panes of this package are made with.
type Deps struct {
	Host
	Style *paint.Style
	Group *work.Group // owned by the pane from now on
	// OpenSource opens a file inside of a file, for pictures of it; nil leaves those out.
	OpenSource SourceOpener
}

// Host is what a comparison asks of the window.
type Host interface {
	host.Host
	// Open opens a side as a document of its own, at a node.
	Open(s Side, at model.Path)
	// Export adds the assets of nodes to what is exported.
	Export(d *model.Document, nodes []*model.Node)
	// Compare opens a comparison of its own.
	Compare(old, new Side)
	// Watch has FilesChanged of the tab called when files change on disk: those at paths, and no others any more. Empty
	// paths are left out.
	Watch(paths ...string)
}
