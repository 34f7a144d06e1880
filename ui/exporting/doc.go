// Package exporting is the panel from which assets leave: a list of them that fills by dragging from the tree, by keys
// and by menus, how they are to be written, and the result. There is one for each window, and assets of
// several documents may be in it; a document whose assets are in the list stays readable after its tab was closed.
//
// It also drags files out of the window, copies them as files, and opens them with the system's programs.
//
// It also makes packages: of a folder, of the export list, of what two packages differ in.
package exporting

import (
	"assay/ui/host"
)

// Host is what the panel asks of the window.
type Host interface {
	host.Host
	// ShowExport brings the panel into view; undo goes back to what was there.
	ShowExport() (undo func())
	// RevealAsset brings the i-th asset of the file at a path into view, and opens the file for that.
	RevealAsset(path string, i int)
}
