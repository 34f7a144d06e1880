// Package doc shows one document: its structure, its bytes, the details of what is selected, and what is wrong with it.
//
// A Path is the only selection there is. The tree, the hex view, the lists and the panels all tell the pane what the
// user chose, and the pane tells the others.
//
// It also shows the description (.ksy) that a document is read by, with the rule that read the selected node. It also
// shows a long list of a document as a table that is sorted and filtered.
package doc

import (
	"context"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/ui/host"
	"assay/ui/noted"
	"assay/ui/rows"
)

// Host is what a pane asks of the tab that it is in.
type Host interface {
	host.Host
	noted.Host
	// Open opens another file, at a key.
	Open(path, key string)
	// OpenAsset opens the content of an asset as a file of its own.
	OpenAsset(content *model.Source, asset *model.Payload)
	// NodeMenu and BytesMenu open the menus of the selected node and of the selected bytes.
	NodeMenu(at fyne.Position)
	BytesMenu(at fyne.Position)
	// Stale is called when the file is found to have changed on disk.
	Stale()
	// Replaced is called with another reading of the file, before the old one is closed.
	Replaced(old, now *model.Document)
	// Drag is asked when nodes are about to be dragged; nil leaves that without effect.
	Drag(d *model.Document, nodes Nodes) rows.Drag
}

// Nodes returns nodes of the document in a job: what stands for others has to be followed. more says that there are
// others beyond what is taken at once.
type Nodes func(ctx context.Context) (nodes []*model.Node, more bool, err error)

// AssetNode returns the node of the i-th asset of a document; nil if there is none.
func AssetNode(d *model.Document, i int) *model.Node {
	if d.Payloads == nil || i >= d.Payloads.Len() {
		return nil
	}
	if a := d.Payloads.At(i); a != nil {
		return a.Node
	}
	return nil
}

// AssetNodes returns the nodes of assets of a document; more says that there are others.
func AssetNodes(d *model.Document, assets []int, more bool) Nodes {
	return func(ctx context.Context) (nodes []*model.Node, _ bool, _ error) {
		for _, i := range assets {
			if ctx.Err() != nil {
				return nil, false, ctx.Err()
			}
			if n := AssetNode(d, i); n != nil {
				nodes = append(nodes, n)
			}
		}
		return nodes, more, nil
	}
}

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
	Node     *model.Node   // nil if nothing is
	Offset   int64         // the byte at the caret
	Length   int64         // bytes of the range that the user selected; 0 if there is none
	Report   *model.Report // of the whole file; nil while it is being checked
	// Nodes lists all selected nodes of the tree, at most limit of them.
	Nodes func(limit int) []*model.Node
}
