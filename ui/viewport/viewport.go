// Package viewport shows a scene that can be turned. It draws off the UI thread: coarsely while the camera moves, finely
// when it rests.
package viewport

import (
	"context"
	"image"
	"math"
	"time"

	"fyne.io/fyne/v2"

	"assay/model/render"
	"assay/ui/work"
)

const (
	nearest  = .02 // of the distance at which everything is seen
	farthest = 4
	turn     = .01 // radians a unit of dragging
)

// Viewport shows a model.
type Viewport struct {
	group    *work.Group
	draw     *work.Lane
	canvas   *surface
	model    *render.Model
	camera   render.View
	renderer *render.Renderer // used by one drawing at a time: the lane's jobs take it
	free     chan struct{}
}

// New makes an empty viewport whose work ends with the group.
func New(group *work.Group) *Viewport {
	v := &Viewport{group: group, draw: group.Lane(), camera: render.ThreeQuarter, renderer: new(render.Renderer),
		free: make(chan struct{}, 1)}
	v.free <- struct{}{}
	v.canvas = newSurface()
	v.canvas.onTurn = v.turn
	v.canvas.onZoom = v.zoom
	v.canvas.onReset = v.reset
	v.canvas.onSize = func() { v.redraw(true) }
	return v
}

// Content is what goes into the window.
func (v *Viewport) Content() fyne.CanvasObject { return v.canvas }

// SetModel shows another model; nil shows nothing. The camera stays where it is, unless there was no model before.
func (v *Viewport) SetModel(m *render.Model) {
	if v.model == nil {
		v.camera = render.ThreeQuarter
	}
	v.model = m
	if m == nil {
		v.draw.Stop()
		v.canvas.setPicture(nil)
		return
	}
	v.redraw(true)
}

func (v *Viewport) turn(by fyne.Delta) {
	v.camera.Yaw -= turn * float64(by.DX)
	v.camera.Pitch = min(max(v.camera.Pitch+turn*float64(by.DY), -math.Pi/2), math.Pi/2)
	v.camera.Tight = false
	v.redraw(false)
}

func (v *Viewport) zoom(by float32) {
	d := v.camera.Distance
	if d == 0 {
		d = 1
	}
	v.camera.Distance = min(max(d*math.Exp(-float64(by)/120), nearest), farthest)
	v.redraw(false)
}

func (v *Viewport) reset() {
	v.camera = render.ThreeQuarter
	v.redraw(true)
}

// redraw draws the model as it is looked at now; fine asks for smooth edges, which follow by themselves when the camera
// rests.
func (v *Viewport) redraw(fine bool) {
	m, camera, size := v.model, v.camera, v.canvas.pixels()
	if m == nil || size.X < 8 || size.Y < 8 {
		return
	}
	v.draw.Go(func(ctx context.Context) func() {
		select {
		case <-v.free:
		case <-ctx.Done():
			return func() {}
		}
		defer func() { v.free <- struct{}{} }()
		if fine {
			return v.drawn(ctx, m, camera, size, 2)
		}
		v.group.Show(ctx, v.drawn(ctx, m, camera, size, 1))
		if !v.group.Pause(ctx, 150*time.Millisecond) {
			return func() {}
		}
		return v.drawn(ctx, m, camera, size, 2)
	})
}

// drawn draws a picture and returns what shows it.
func (v *Viewport) drawn(ctx context.Context, m *render.Model, camera render.View, size image.Point, samples int) func() {
	picture := image.NewNRGBA(image.Rectangle{Max: size})
	v.renderer.Samples, v.renderer.Soft = samples, samples > 1
	if v.renderer.Draw(ctx, picture, m, camera) != nil {
		return func() {}
	}
	return func() {
		if v.model == m {
			v.canvas.setPicture(picture)
		}
	}
}
