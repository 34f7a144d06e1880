// Package exporting is the panel from which assets leave: a list of them that fills by dragging from the tree, by keys
// and by menus, how they are to be written, and what became of them. There is one for each window, and assets of
// several documents may be in it; a document whose assets are in the list stays readable after its tab was closed.
//
// It also drags files out of the window, copies them as files, and opens them with the system's programs.
package exporting

import (
	"fyne.io/fyne/v2"

	"assay/model"
	"assay/ui/notice"
)

// Events are what the owner of a panel is told, on the UI thread. Any of them may be nil.
type Events struct {
	OnNotice   func(n notice.Notice)
	OnHint     func(text string)
	OnBusy     func(what string, stop func()) // something goes on; nothing if what is empty
	OnShow     func()                         // the panel is to be brought into view
	OnReveal   func() (undo func())           // so it is, for a drag; undo is called if nothing was dropped on it
	OnGo       func(d *model.Document, n *model.Node)
	OnKey      func(key *fyne.KeyEvent) bool // a key that the panel does not use
	OnShortcut func(s fyne.Shortcut) bool
	OnMenu     func(menu *fyne.Menu, at fyne.Position)
	OnQuestion func() // a question waits for its answer in the panel
}
