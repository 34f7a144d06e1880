// Package doc shows one document: its structure, its bytes, the details of what is selected, and what is wrong with it.
//
// A Path is the only selection there is. The tree, the hex view, the lists and the panels all tell the pane what the
// user chose, and the pane tells the others.
package doc

import (
	"fyne.io/fyne/v2"

	"assay/model"
	"assay/ui/notice"
	"assay/ui/rows"
)

// Panel is a part of a pane that others add: beside the hex view, or below the details.
type Panel interface {
	Title() string
	Content() fyne.CanvasObject
}

// Selector is a Panel that follows the selection.
type Selector interface {
	Select(s Selection)
}

// Selection is what is selected in a document.
type Selection struct {
	Document *model.Document
	Node     *model.Node // nil if nothing is
	Offset   int64       // the byte at the caret
	Length   int64       // bytes of the range that the user selected; 0 if there is none
	// Nodes lists all selected nodes of the tree, at most limit of them.
	Nodes func(limit int) []*model.Node
}

// Events are what the owner of a pane is told, on the UI thread. Any of them may be nil.
type Events struct {
	OnStatus   func() // what Facts and Way give has changed
	OnBusy     func(what string, share float64, stop func())
	OnNotice   func(n notice.Notice)
	OnHint     func(text string)
	OnCopy     func(text string)
	OnOpenFile func(path, key string)        // a link leads to another file
	OnNested   func(src *model.Source)       // an asset is to be opened as a file of its own
	OnKey      func(key *fyne.KeyEvent) bool // a key that nothing in the pane uses
	OnShortcut func(s fyne.Shortcut) bool
	OnMenu     func(menu *fyne.Menu, at fyne.Position)
	OnReplaced func(d *model.Document) // the file was read in another way
	// OnDocument is told of another reading of the file before the old one is closed.
	OnDocument func(old, now *model.Document)

	// NodeMenu and ByteMenu open the menus of the selected node and of bytes.
	NodeMenu func(at fyne.Position)
	ByteMenu func(at fyne.Position)
	// OnDrag is asked when the selected nodes are about to be dragged; nil leaves that without effect.
	OnDrag func(at fyne.Position) rows.Drag
}
