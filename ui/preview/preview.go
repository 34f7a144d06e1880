// Package preview shows what there is to look at of the selected node, in a viewer for each kind of view: a scene that can
// be turned, a picture. What that is, the document says (model.Document.View); documents that hold files are shown by the
// pictures in them.
package preview

import (
	"context"
	"errors"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/render"
	"assay/ui/doc"
	"assay/ui/wording"
	"assay/ui/work"
)

const thumbnailSize = 512

// viewer shows views of one kind.
type viewer interface {
	// Content is what goes into the panel.
	Content() fyne.CanvasObject
	// Load prepares a view of the kind, off the UI thread. show, which is called on it, shows the view; nil is nothing to
	// look at.
	Load(ctx context.Context, v model.View) (show func(), err error)
	// Leave is called when another viewer takes its place.
	Leave()
}

// Preview is a panel of a document's pane.
type Preview struct {
	// OnNothing is told once, when there is nothing to look at in the whole document.
	OnNothing func()

	open  func(ctx context.Context, src *model.Source) (*model.Document, error)
	group *work.Group
	look  *work.Lane // what there is to look at

	viewers map[model.ViewKind]viewer
	present viewer // nil: nothing is shown
	stage   *fyne.Container
	caption *widget.Label
	content fyne.CanvasObject

	document *model.Document
	node     *model.Node
}

var (
	_ doc.Panel    = (*Preview)(nil)
	_ doc.Selector = (*Preview)(nil)
)

// New makes a preview whose work ends with the group. open opens a file inside of a file; nil leaves those out.
func New(group *work.Group, open func(ctx context.Context, src *model.Source) (*model.Document, error)) *Preview {
	p := &Preview{open: open, group: group, look: group.Lane(), stage: container.NewStack()}
	p.caption = widget.NewLabel("")
	p.caption.Importance = widget.LowImportance
	p.caption.Truncation = fyne.TextTruncateEllipsis
	p.caption.SizeName = theme.SizeNameCaptionText
	p.viewers = map[model.ViewKind]viewer{
		model.SceneView:   newScenes(group, p.caption.SetText),
		model.PictureView: newPictures(p.caption.SetText),
	}
	p.content = container.NewBorder(nil, p.caption, nil, nil, p.stage)
	return p
}

// Title is the panel's.
func (p *Preview) Title() string { return "Preview" }

// Content is what goes into the pane.
func (p *Preview) Content() fyne.CanvasObject { return p.content }

// Select shows what there is to look at of the selected node.
func (p *Preview) Select(s doc.Selection) {
	if s.Document == p.document && s.Node == p.node {
		return
	}
	sameDocument := s.Document == p.document
	p.document, p.node = s.Document, s.Node
	if s.Document == nil {
		return
	}
	document, node := s.Document, s.Node
	if sameDocument && document.View == nil && p.present != nil {
		return // one picture stands for all of its nodes
	}
	p.look.Go(func(ctx context.Context) func() {
		if sameDocument && !p.group.Pause(ctx, 120*time.Millisecond) { // whoever goes through a list looks at its end
			return func() {}
		}
		found, err := p.find(ctx, document, node)
		if found == nil {
			return func() { p.nothing(err) }
		}
		in := p.viewers[found.ViewKind()]
		show, err := in.Load(ctx, found)
		if show == nil {
			return func() { p.nothing(err) }
		}
		return func() {
			p.enter(in)
			show()
		}
	})
}

// find returns what there is to look at of a node.
func (p *Preview) find(ctx context.Context, d *model.Document, n *model.Node) (model.View, error) {
	if d.View == nil {
		picture, err := (&render.Painter{Size: thumbnailSize, Open: p.open}).Thumbnail(ctx, d)
		if picture == nil {
			return nil, err
		}
		return model.Picture{Image: picture}, err
	}
	if n == nil {
		n = d.Root()
	}
	return d.View(ctx, n)
}

// enter brings a viewer onto the stage.
func (p *Preview) enter(v viewer) {
	if v == p.present {
		return
	}
	p.leave()
	p.present = v
	p.stage.Objects = []fyne.CanvasObject{v.Content()}
	p.stage.Refresh()
}

func (p *Preview) leave() {
	if p.present != nil {
		p.present.Leave()
		p.present = nil
	}
}

// nothing says that there is nothing to look at, or why it cannot be shown.
func (p *Preview) nothing(err error) {
	p.leave()
	p.stage.Objects = nil
	p.stage.Refresh()
	p.caption.SetText("There is nothing to look at here.")
	if p.OnNothing != nil && p.node != nil && p.node.Parent == nil {
		p.OnNothing()
		p.OnNothing = nil
	}
	if err != nil && !errors.Is(err, render.ErrNothing) {
		p.caption.SetText(wording.Sentence(err))
	}
}
