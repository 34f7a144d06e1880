// Package comparison shows two versions of a file side by side: what changed in their structure as a tree of pairs, in
// their bytes as two aligned hex views, and in detail for the pair that is selected. Series compares each state of a
// series with the one before, Folder lists the files of two folders.
package comparison

import (
	"context"
	"io"

	"fyne.io/fyne/v2"

	"assay/model"
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

// Deps is what the panes of this package need from the window.
type Deps struct {
	Style *paint.Style
	Group *work.Group // owned by the comparison from now on
	Events
}

// Events are what the owner of a comparison is told, on the UI thread. Any of them may be nil.
type Events struct {
	OnStatus   func() // what Facts and Way give has changed
	OnTitle    func() // the title has changed
	OnBusy     func(what string, share float64, stop func())
	OnHint     func(text string)
	OnCopy     func(text string)
	OnKey      func(key *fyne.KeyEvent) bool // a key that nothing here uses
	OnShortcut func(s fyne.Shortcut) bool
	// OnSave asks for a file and has write fill it.
	OnSave func(name string, write func(w io.Writer) error)
	// OnOpen opens a side as a document of its own, at a node.
	OnOpen func(s Side, at model.Path)
	// OnExport takes nodes of a document whose assets are to leave the file.
	OnExport func(d *model.Document, nodes []*model.Node)
	// OnCompare opens a comparison of its own, from a list of files.
	OnCompare func(old, new Side)
}

func (e *Events) status() {
	if e.OnStatus != nil {
		e.OnStatus()
	}
}

func (e *Events) title() {
	if e.OnTitle != nil {
		e.OnTitle()
	}
}

func (e *Events) busy(what string, share float64, stop func()) {
	if e.OnBusy != nil {
		e.OnBusy(what, share, stop)
	}
}

func (e *Events) hint(text string) {
	if e.OnHint != nil {
		e.OnHint(text)
	}
}

func (e *Events) copyText(text string) {
	if e.OnCopy != nil {
		e.OnCopy(text)
	}
	e.hint("Copied: " + model.OneLine(text, 80))
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
