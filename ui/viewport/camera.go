package viewport

import (
	"math"
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"assay/model/render"
	"assay/model/scene"
)

// unlockCamera makes the camera free to rotate from its current position.
func (v *Viewport) unlockCamera() {
	v.fitted = false
	if v.model == nil || !v.view.Tight && v.view.Camera == nil {
		return
	}
	through := v.view.Camera
	if v.view = v.drawer.unlockCamera(v.model, v.view, v.canvas.pixels()); through != nil {
		v.view.Camera = nil
		v.describe()
	}
}

// freezeCamera keeps the camera in position while the visible items change: a tight one would follow. A camera of the
// scene stays active.
func (v *Viewport) freezeCamera() {
	if v.view.Camera == nil && v.view.Tight {
		v.unlockCamera()
		v.fitted = !v.view.Tight
	}
}

// rotate rotates the model around its upright axis and around the horizontal axis of the view, relative to the roll of
// the camera.
func (v *Viewport) rotate(delta fyne.Delta) {
	v.unlockCamera()
	s, c := math.Sincos(v.view.Roll)
	dx, dy := float64(delta.DX), float64(delta.DY)
	v.view.Yaw -= turn * (dx*c + dy*s)
	v.view.Pitch = min(max(v.view.Pitch+turn*(dy*c-dx*s), -math.Pi/2), math.Pi/2)
	v.redraw(false)
}

// panFactor is the shift of the view (render.View.Shift) for a drag over the shorter edge of the picture: a shift of 1
// moves the model by half of that edge, without the margin that Render keeps around the model.
const panFactor = 2.08

func (v *Viewport) pan(delta fyne.Delta) {
	v.unlockCamera()
	edge := float64(min(v.canvas.size.Width, v.canvas.size.Height))
	if edge > 0 {
		v.view.Shift[0] += panFactor * float64(delta.DX) / edge
		v.view.Shift[1] -= panFactor * float64(delta.DY) / edge
	}
	v.redraw(false)
}

// zoomScroll is the scrolling that divides the distance of the camera by e, in device-independent pixels.
const zoomScroll = 120

func (v *Viewport) zoom(scroll float32) {
	v.unlockCamera()
	d := v.view.Distance
	if d == 0 {
		d = 1
	}
	next := min(max(d*math.Exp(-float64(scroll)/zoomScroll), minDistance), maxDistance)
	v.view.Shift[0] *= d / next // the center stays in position
	v.view.Shift[1] *= d / next
	v.view.Distance = next
	v.redraw(false)
}

// viewFrom views the model from a side.
func (v *Viewport) viewFrom(yaw, pitch float64) {
	v.unlockCamera()
	v.view.Yaw, v.view.Pitch, v.view.Roll = yaw, pitch, 0
	v.fit()
	v.redraw(false)
}

// FrameAll shows the whole model without its hidden pieces; for a series, all of its steps.
func (v *Viewport) FrameAll() { v.frame((*render.Model).FrameWhole) }

// frame frames the model by frameModel, or all steps of a series.
func (v *Viewport) frame(frameModel func(m *render.Model)) {
	v.fit()
	v.view.Camera, v.framesChanges = nil, false
	s := v.play.steps
	if s != nil && s.frameIfKnown() {
		return
	}
	v.change(func(m *render.Model) {
		if frameModel(m); s != nil {
			f := m.Framing()
			v.group.Do(v.group.Context(), func() { s.usedFraming = f })
		}
	})
}

// FrameWith frames both models, so that a point has the same position in both pictures.
func (v *Viewport) FrameWith(o *Viewport) {
	if v.model != nil {
		second := o.model
		v.change(func(m *render.Model) { m.FrameWith(second) })
	}
}

// Pose returns the pose of the camera.
func (v *Viewport) Pose() Pose { return poseOf(v.view) }

// FrameSelection shows the selected node as large as it fits, or the whole model without a selection.
func (v *Viewport) FrameSelection() {
	p := v.SelectedPiece()
	if p.Node == nil {
		v.FrameAll()
		return
	}
	v.fit()
	v.view.Camera, v.framesChanges = nil, false
	v.change(func(m *render.Model) { m.FramePiece(p) })
}

// reset restores the initial view.
func (v *Viewport) reset() {
	initial := v.initialView(v.model)
	v.view.Yaw, v.view.Pitch, v.view.Roll = initial.Yaw, initial.Pitch, 0
	v.view.Orthographic = false
	v.frame((*render.Model).Frame)
	if initial.Open != 0 {
		v.view.Tight, v.view.Distance = false, initial.Distance
		v.view.Open, v.view.Target = initial.Open, initial.Target
	}
	if initial.Camera != nil {
		v.useCamera(initial.Camera)
	}
}

// chooseUp sets the up axis for the user.
func (v *Viewport) chooseUp(z bool) {
	v.SetUp(z)
	if v.OnUp != nil {
		v.OnUp(z)
	}
}

// SetUp rotates the scene so that z, or else y, points up. It does not call OnUp.
func (v *Viewport) SetUp(z bool) {
	if v.model == nil || v.zUp == z {
		return
	}
	v.zUp = z
	v.describe()
	v.fit()
	v.change(func(m *render.Model) {
		m.SetZUp(z)
		m.Update()
		m.Frame()
	})
}

// animationMargin is the factor by which the view of an animation is larger than its current pose, because limbs move
// out of it.
const animationMargin = 1.08

// fit positions the camera so that everything is visible.
func (v *Viewport) fit() {
	v.view.Tight, v.view.Distance, v.view.Shift, v.view.Open = true, 1, [2]float64{}, 0
	if v.play.player != nil {
		v.view.Distance = animationMargin
	}
}

// refit fits the camera again after the size of the picture changed, if it was fitted before.
func (v *Viewport) refit() {
	if v.fitted && v.model != nil && v.view.Camera == nil {
		v.fit()
		v.freezeCamera()
	}
}

// initialView returns the initial view of a model. Viewports that are compared have the same one.
func (v *Viewport) initialView(m *render.Model) render.View {
	if m == nil || v.Keep || v.OnPose != nil {
		return render.ThreeQuarter
	}
	return m.InitialView()
}

// Pose is the pose of the camera, which two viewports can share.
type Pose struct {
	yaw, pitch, roll, distance float64
	shift                      [2]float64
	tight, orthographic        bool
	open                       float64
	target                     [3]float64
}

func poseOf(c render.View) Pose {
	return Pose{c.Yaw, c.Pitch, c.Roll, c.Distance, c.Shift, c.Tight, c.Orthographic, c.Open, c.Target}
}

func (p Pose) apply(c *render.View) {
	c.Yaw, c.Pitch, c.Roll, c.Distance = p.yaw, p.pitch, p.roll, p.distance
	c.Shift, c.Tight, c.Orthographic = p.shift, p.tight, p.orthographic
	c.Open, c.Target = p.open, p.target
}

// SetPose moves the camera. OnPose is not called.
func (v *Viewport) SetPose(p Pose) {
	if v.model == nil || p == v.reported {
		return
	}
	v.reported, v.fitted = p, false
	p.apply(&v.view)
	v.view.Camera = nil
	v.redraw(false)
}

// reportPose reports that the camera was moved.
func (v *Viewport) reportPose() {
	if p := poseOf(v.view); p != v.reported && v.view.Camera == nil {
		v.reported = p
		if v.OnPose != nil {
			v.OnPose(p)
		}
	}
}

func (v *Viewport) cameras() (all []*scene.Node) {
	if v.model == nil {
		return nil
	}
	for _, n := range v.model.Pose().Nodes {
		if n.Camera != nil {
			all = append(all, n)
		}
	}
	return all
}

// useCamera activates a camera of the scene.
func (v *Viewport) useCamera(n *scene.Node) {
	v.view.Camera = n
	v.describe()
	v.redraw(false)
}

// nextCamera activates the camera after the current one.
func (v *Viewport) nextCamera() {
	if all := v.cameras(); len(all) > 0 {
		v.useCamera(all[(slices.Index(all, v.view.Camera)+1)%len(all)])
	}
}

// setTurning starts or stops the continuous rotation of the model.
func (v *Viewport) setTurning(turning bool) {
	if v.isTurning == turning {
		return
	}
	if v.isTurning = turning; !turning {
		v.tools.turn.Stop()
		v.redraw(true)
		return
	}
	v.unlockCamera()
	v.eachFrame(v.tools.turn, func(elapsed time.Duration) {
		if !v.isTurning || v.model == nil {
			v.tools.turn.Stop()
			return
		}
		v.view.Yaw += elapsed.Seconds() * math.Pi / 4
		v.redraw(false)
	})
}
