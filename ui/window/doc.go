// Package window is Assay's main window: menus, tabs, status line, and the wiring of everything in it, in one place.
//
// It also has the page of the empty window.
package window

import (
	"fyne.io/fyne/v2"

	"assay/ui/tabs"
)

// Tab is what a tab of the window shows: a document, a comparison.
type Tab interface {
	Title() string
	Hint() string // shown while the pointer is over the tab
	Content() fyne.CanvasObject
	// Status is what the status line says while the tab is in view.
	Status() (way, facts []tabs.Segment)
	Focus()
	Close()
}
