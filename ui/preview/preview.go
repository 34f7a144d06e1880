// Package preview shows what there is to look at of the selected node: a scene that can be turned, or a picture. What
// that is, the document says (model.Document.View); documents that hold files are shown by the pictures in them.
package preview

import (
	"context"
	"errors"
	"fmt"
	"image"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/doc"
	"assay/ui/viewport"
	"assay/ui/wording"
	"assay/ui/work"
)

const thumbnailSize = 512

// Preview is a panel of a document's pane.
type Preview struct {
	// OnNothing is told once, when there is nothing to look at in the whole document.
	OnNothing func()

	open  func(ctx context.Context, src *model.Source) (*model.Document, error)
	group *work.Group
	look  *work.Lane // what there is to look at

	scene   *viewport.Viewport
	picture *canvas.Image
	shows   bool // there is a picture
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
	p := &Preview{open: open, group: group, look: group.Lane(), scene: viewport.New(group)}
	p.picture = canvas.NewImageFromImage(nothing())
	p.picture.FillMode = canvas.ImageFillContain
	p.caption = widget.NewLabel("")
	p.caption.Importance = widget.LowImportance
	p.caption.Truncation = fyne.TextTruncateEllipsis
	p.caption.SizeName = theme.SizeNameCaptionText
	p.content = container.NewBorder(nil, p.caption, nil, nil, container.NewStack(p.picture, p.scene.Content()))
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
	if sameDocument && document.View == nil && p.shows {
		return // one picture stands for all of its nodes
	}
	p.look.Go(func(ctx context.Context) func() {
		if sameDocument && !p.group.Pause(ctx, 120*time.Millisecond) { // whoever goes through a list looks at its end
			return func() {}
		}
		found, err := p.find(ctx, document, node)
		return func() { p.show(found, err) }
	})
}

// sight is what is shown of a node: a model, a picture, or neither.
type sight struct {
	model   *render.Model
	picture image.Image
}

// find loads what there is to look at of a node.
func (p *Preview) find(ctx context.Context, d *model.Document, n *model.Node) (sight, error) {
	if d.View == nil {
		picture, err := (&render.Painter{Size: thumbnailSize, Open: p.open}).Thumbnail(ctx, d)
		if picture == nil {
			return sight{}, err
		}
		return sight{picture: picture}, err
	}
	if n == nil {
		n = d.Root()
	}
	view, err := d.View(ctx, n)
	if err != nil {
		return sight{}, err
	}
	switch v := view.(type) {
	case *scene.Scene:
		m, err := render.Load(ctx, v)
		return sight{model: m}, err
	case model.Picture:
		return sight{picture: v.Image}, nil
	}
	return sight{}, nil
}

func (p *Preview) show(found sight, err error) {
	switch {
	case found.model != nil && !found.model.Empty():
		p.setPicture(nil)
		p.caption.SetText(described(found.model))
		p.scene.SetModel(found.model)
		return
	case found.picture != nil:
		p.scene.SetModel(nil)
		p.setPicture(found.picture)
		b := found.picture.Bounds()
		p.caption.SetText(fmt.Sprintf("%d × %d pixels", b.Dx(), b.Dy()))
		if p.document.View == nil {
			p.caption.SetText("pictures and scenes that are in this file")
		}
		return
	}
	p.scene.SetModel(nil)
	p.setPicture(nil)
	p.caption.SetText("There is nothing to look at here.")
	if p.OnNothing != nil && p.node != nil && p.node.Parent == nil {
		p.OnNothing()
		p.OnNothing = nil
	}
	if err != nil && !errors.Is(err, render.ErrNothing) {
		p.caption.SetText(wording.Sentence(err))
	}
}

// described says what is drawn and how it is turned.
func described(m *render.Model) string {
	const how = "drag turns, wheel zooms"
	if n := m.Triangles(); n > 0 {
		return wording.Count(int64(n), "triangle") + " · " + how
	}
	return how
}
