package viewport

import (
	"context"
	"image"
	"image/draw"
	"math"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"assay/model/compare"
	"assay/model/compare/contents"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/control"
)

// overlay is a second model drawn over the first, with the same camera.
type overlay struct {
	track
	model    *render.Model
	selected *scene.Node
	mode     control.ViewMode // control.Swipe or control.Difference
	share    float64          // position of the line, as a share of the width
	gain     int              // the factor for differences
	dragging bool             // the line is being dragged
}

// SetModels draws two models in one picture with one camera. share, from 0 to 1, is the position of the line between
// them, and gain the factor for differences.
func (v *Viewport) SetModels(first, secondModel *render.Model, mode control.ViewMode, share float64, gain int) {
	v.second = nil
	v.SetModel(first)
	v.second = &overlay{track: track{clips: secondModel.Scene().Playables(), current: -1}, model: secondModel,
		mode: mode, share: share, gain: max(gain, 1)}
	v.second.matchClip(&v.play.track)
	v.play.showBars()
}

// SetSecond sets how the second model is displayed.
func (v *Viewport) SetSecond(mode control.ViewMode, share float64, gain int) {
	s := v.second
	if s == nil {
		return
	}
	s.mode, s.share, s.gain = mode, min(max(share, 0), 1), max(gain, 1)
	v.rejoin()
}

// SelectSecond outlines a node of the second model; nil removes the outline.
func (v *Viewport) SelectSecond(n *scene.Node) {
	if v.second != nil && v.second.selected != n {
		v.second.selected = n
		v.redraw(false)
	}
}

// matchClip makes the second model play the clip that corresponds to the first model's.
func (o *overlay) matchClip(t *track) {
	if o != nil {
		o.track.selectClip(o.matchingClip(t), o.model.Pose())
	}
}

func (o *overlay) length() float32 {
	if o == nil {
		return 0
	}
	return o.track.length()
}

// overlayRequest is the part of a request for the second model.
type overlayRequest struct {
	overlay
	player *scene.Player
	time   float32
}

// looksLike reports whether two second models have the same display settings.
func (o *overlay) looksLike(other *overlay) bool {
	return o.mode == other.mode && o.share == other.share && o.gain == other.gain
}

// overlayRequest returns the request for the second model at a duration after the start of the clip, or nil.
func (v *Viewport) overlayRequest() *overlayRequest {
	if v.second == nil {
		return nil
	}
	r := &overlayRequest{overlay: *v.second}
	r.player, r.time = r.track.at(v.play.time - v.play.start)
	return r
}

// drawSecond draws the second model of a request.
func (d *drawWorker) drawSecond(ctx context.Context, r *drawRequest, size image.Point) (*image.NRGBA, error) {
	d.secondRenderer.Samples, d.secondRenderer.Soft = d.renderer.Samples, d.renderer.Soft
	picture := image.NewNRGBA(image.Rectangle{Max: size})
	view := r.view
	view.Marks.Selected, view.Marks.Part = r.overlay.selected, nil
	return picture, d.secondRenderer.Draw(ctx, picture, r.overlay.model, view)
}

// rejoin combines the drawn pictures of both models again.
func (v *Viewport) rejoin() {
	if f := v.displayed; f.secondPicture != nil && v.second != nil && f.request != nil && f.request.model == v.model {
		v.canvas.setPicture(v.second.join(f.picture, f.secondPicture))
	}
}

// join returns one picture made of the pictures of both models.
func (o *overlay) join(first, secondImage *image.NRGBA) *image.NRGBA {
	if o.mode == control.Difference {
		return contents.OnGray(secondImage, first, o.gain, compare.Changed.Color(compare.OnScene))
	}
	img := image.NewNRGBA(first.Rect)
	copy(img.Pix, first.Pix)
	dividerX := int(o.share * float64(first.Rect.Dx()))
	draw.Draw(img, image.Rect(0, 0, dividerX, first.Rect.Dy()), secondImage, image.Point{}, draw.Src)
	line := image.Rect(dividerX-1, 0, dividerX+1, first.Rect.Dy())
	draw.Draw(img, line, image.NewUniform(theme.Color(theme.ColorNamePrimary)), image.Point{}, draw.Src)
	return img
}

// dividerReach is the maximum distance of the pointer from the line to drag it.
const dividerReach = 8

// isAtDivider reports whether a position is at the line between two models.
func (v *Viewport) isAtDivider(pos fyne.Position) bool {
	s := v.second
	return s != nil && s.mode == control.Swipe &&
		math.Abs(float64(pos.X)-s.share*float64(v.canvas.size.Width)) <= dividerReach
}

// dragDivider moves the line between two models, if the drag began there.
func (v *Viewport) dragDivider(e *fyne.DragEvent) bool {
	s := v.second
	if s == nil || s.mode != control.Swipe || v.canvas.size.Width <= 0 {
		return false
	}
	if !s.dragging && !v.isAtDivider(e.Position.Subtract(e.Dragged)) {
		return false
	}
	s.dragging = true
	v.SetSecond(s.mode, float64(e.Position.X/v.canvas.size.Width), s.gain)
	if v.OnShare != nil {
		v.OnShare(s.share)
	}
	return true
}

// dropDivider ends the dragging of the line.
func (v *Viewport) dropDivider() {
	if v.second != nil {
		v.second.dragging = false
	}
}

// Changes holds the different parts of two versions of a scene.
type Changes struct {
	mu    sync.Mutex
	model *render.Model // model of the changed parts
}

// NewChanges returns the changes of a scene, from a model of the changed parts only.
func NewChanges(m *render.Model) *Changes { return &Changes{model: m} }

// framing returns the box of the changes, in a scene with z or else y up.
func (c *Changes) framing(zUp bool) render.Framing {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.model.ZUp() != zUp {
		c.model.SetZUp(zUp)
		c.model.Update()
		c.model.Frame()
	}
	return c.model.Framing()
}

// SetChanges sets the changes of the scene against another version of it; nil means unknown. Setting another model
// clears them.
func (v *Viewport) SetChanges(c *Changes) { v.changes = c }

// FrameChanges frames the changes against another version of the scene with a margin, in all synchronized
// viewports.
func (v *Viewport) FrameChanges() { v.forSynced((*Viewport).frameChanges) }

func (v *Viewport) frameChanges() {
	if v.model != nil && v.changes != nil {
		v.fit()
		v.view.Camera = nil
		v.frameOnChanges()
	}
}

// frameOnChanges frames the changes.
func (v *Viewport) frameOnChanges() {
	c := v.changes
	v.framesChanges = true
	v.change(func(m *render.Model) {
		m.Frame()
		m.SetFraming(c.framing(m.ZUp()).Widen(m.Framing()))
	})
}

// RevealChange outlines a node of the scene, or none, and frames some nodes of the scene of the changes with a margin.
func (v *Viewport) RevealChange(n *scene.Node, c *Changes, changed []*scene.Node) {
	if v.model == nil {
		return
	}
	v.Select(n)
	v.fit()
	v.view.Camera, v.framesChanges = nil, false
	v.change(func(m *render.Model) {
		m.Frame()
		m.SetFraming(c.framingOf(m.ZUp(), changed).Widen(m.Framing()))
	})
}

// framingOf returns the box of some nodes of the changes.
func (c *Changes) framingOf(zUp bool, nodes []*scene.Node) render.Framing {
	framing := c.framing(zUp)
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.model.SetFraming(framing)
	box, found := framing, false
	for _, n := range nodes {
		if n == nil || !c.model.FramePiece(render.Piece{Node: n}) {
			continue
		}
		if framing := c.model.Framing(); found {
			box = box.Union(framing)
		} else {
			box, found = framing, true
		}
	}
	return box
}

// FrameAs frames the changes if another viewport does. The camera stays.
func (v *Viewport) FrameAs(o *Viewport) {
	if v.changes = o.changes; v.model != nil && v.changes != nil && o.framesChanges {
		v.frameOnChanges()
	}
}

// hasChanges reports whether the changes against another version of the scene are set.
func (v *Viewport) hasChanges() bool { return v.changes != nil }
