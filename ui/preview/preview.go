// Package preview shows what there is to look at of the selected node: a scene that can be turned, or a picture. What
// that is, the document says (model.Document.View); documents that hold files are shown by the pictures in them.
package preview

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/doc"
	"assay/ui/wording"
	"assay/ui/work"
)

const (
	thumbnailSize = 512
	nearest       = .02 // of the distance at which everything is seen
	farthest      = 4
	turn          = .01 // radians a unit of dragging
)

// Preview is a panel of a document's pane.
type Preview struct {
	// OnNothing is told once, when there is nothing to look at in the whole document.
	OnNothing func()

	open  func(ctx context.Context, src *model.Source) (*model.Document, error)
	group *work.Group
	look  *work.Lane // what there is to look at
	draw  *work.Lane // a picture of it

	canvas  *view
	caption *widget.Label
	content fyne.CanvasObject

	document *model.Document
	node     *model.Node
	model    *render.Model // nil for a picture
	camera   render.View
	renderer *render.Renderer // used by one drawing at a time: the lane's jobs take it
	free     chan struct{}
}

var (
	_ doc.Panel    = (*Preview)(nil)
	_ doc.Selector = (*Preview)(nil)
)

// New makes a preview whose work ends with the group. open opens a file inside of a file; nil leaves those out.
func New(group *work.Group, open func(ctx context.Context, src *model.Source) (*model.Document, error)) *Preview {
	p := &Preview{open: open, group: group, look: group.Lane(), draw: group.Lane(), camera: render.ThreeQuarter,
		renderer: new(render.Renderer), free: make(chan struct{}, 1)}
	p.free <- struct{}{}
	p.canvas = newView()
	p.canvas.onTurn = p.turn
	p.canvas.onZoom = p.zoom
	p.canvas.onReset = p.reset
	p.canvas.onSize = func() { p.redraw(true) }
	p.caption = widget.NewLabel("")
	p.caption.Importance = widget.LowImportance
	p.caption.Truncation = fyne.TextTruncateEllipsis
	p.caption.SizeName = theme.SizeNameCaptionText
	p.content = container.NewBorder(nil, p.caption, nil, nil, p.canvas)
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
	if sameDocument && document.View == nil && p.canvas.Shows() {
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
		if p.model == nil {
			p.camera = render.ThreeQuarter
		}
		p.model = found.model
		p.canvas.SetPicture(nil)
		p.caption.SetText(described(found.model))
		p.redraw(true)
		return
	case found.picture != nil:
		p.model = nil
		p.canvas.SetPicture(found.picture)
		b := found.picture.Bounds()
		p.caption.SetText(fmt.Sprintf("%d × %d pixels", b.Dx(), b.Dy()))
		if p.document.View == nil {
			p.caption.SetText("pictures and scenes that are in this file")
		}
		return
	}
	p.model = nil
	p.canvas.SetPicture(nil)
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

func (p *Preview) turn(by fyne.Delta) {
	p.camera.Yaw -= turn * float64(by.DX)
	p.camera.Pitch = min(max(p.camera.Pitch+turn*float64(by.DY), -math.Pi/2), math.Pi/2)
	p.camera.Tight = false
	p.redraw(false)
}

func (p *Preview) zoom(by float32) {
	d := p.camera.Distance
	if d == 0 {
		d = 1
	}
	p.camera.Distance = min(max(d*math.Exp(-float64(by)/120), nearest), farthest)
	p.redraw(false)
}

func (p *Preview) reset() {
	p.camera = render.ThreeQuarter
	p.redraw(true)
}

// redraw draws the model as it is looked at now; fine asks for smooth edges, which follow by themselves once nobody
// turns it any more.
func (p *Preview) redraw(fine bool) {
	m, camera, size := p.model, p.camera, p.canvas.Pixels()
	if m == nil || size.X < 8 || size.Y < 8 {
		return
	}
	p.draw.Go(func(ctx context.Context) func() {
		select {
		case <-p.free:
		case <-ctx.Done():
			return func() {}
		}
		defer func() { p.free <- struct{}{} }()
		if fine {
			return p.drawn(ctx, m, camera, size, 2)
		}
		quick := p.drawn(ctx, m, camera, size, 1)
		p.group.Show(ctx, quick)
		if !p.group.Pause(ctx, 150*time.Millisecond) {
			return func() {}
		}
		return p.drawn(ctx, m, camera, size, 2)
	})
}

// drawn draws a picture and gives what shows it.
func (p *Preview) drawn(ctx context.Context, m *render.Model, camera render.View, size image.Point, samples int) func() {
	picture := image.NewNRGBA(image.Rectangle{Max: size})
	p.renderer.Samples, p.renderer.Soft = samples, samples > 1
	if p.renderer.Draw(ctx, picture, m, camera) != nil {
		return func() {}
	}
	return func() {
		if p.model == m {
			p.canvas.SetPicture(picture)
		}
	}
}
