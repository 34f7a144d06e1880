package viewport

import (
	"math"

	"fyne.io/fyne/v2"

	"assay/model/render"
)

// unlockCamera lets the camera be turned from where it stands.
func (v *Viewport) unlockCamera() {
	v.fits = false
	if v.model == nil || !v.camera.Tight && v.camera.Camera == nil {
		return
	}
	through := v.camera.Camera
	if v.camera = v.drawer.unlockCamera(v.model, v.camera, v.canvas.pixels()); through != nil {
		v.camera.Camera = nil
		v.describe()
	}
}

// freezeCamera keeps the camera where it is while what is seen changes: a tight one would follow. It stays in a camera
// of the scene.
func (v *Viewport) freezeCamera() {
	if v.camera.Camera == nil && v.camera.Tight {
		v.unlockCamera()
		v.fits = !v.camera.Tight
	}
}

// room is how much more than what fits now is seen of what moves: a step goes up, an arm out.
const room = 1.08

// fit puts the camera where all is seen.
func (v *Viewport) fit() {
	v.camera.Tight, v.camera.Distance, v.camera.Shift = true, 1, [2]float64{}
	if v.play.player != nil {
		v.camera.Distance = room
	}
}

// refit has a camera that was kept where all is seen see all in a picture of another size, too.
func (v *Viewport) refit() {
	if v.fits && v.model != nil && v.camera.Camera == nil {
		v.fit()
		v.freezeCamera()
	}
}

// turn turns the model around its upright axis and around the one across the view, as the camera leans.
func (v *Viewport) turn(by fyne.Delta) {
	v.unlockCamera()
	s, c := math.Sincos(v.camera.Roll)
	dx, dy := float64(by.DX), float64(by.DY)
	v.camera.Yaw -= turn * (dx*c + dy*s)
	v.camera.Pitch = min(max(v.camera.Pitch+turn*(dy*c-dx*s), -math.Pi/2), math.Pi/2)
	v.redraw(false)
}

func (v *Viewport) pan(by fyne.Delta) {
	v.unlockCamera()
	edge := float64(min(v.canvas.size.Width, v.canvas.size.Height))
	if edge > 0 {
		v.camera.Shift[0] += 2.08 * float64(by.DX) / edge
		v.camera.Shift[1] -= 2.08 * float64(by.DY) / edge
	}
	v.redraw(false)
}

func (v *Viewport) zoom(by float32) {
	v.unlockCamera()
	d := v.camera.Distance
	if d == 0 {
		d = 1
	}
	next := min(max(d*math.Exp(-float64(by)/120), nearest), farthest)
	v.camera.Shift[0] *= d / next // what is in the middle stays there
	v.camera.Shift[1] *= d / next
	v.camera.Distance = next
	v.redraw(false)
}

// look shows the model from a side.
func (v *Viewport) look(yaw, pitch float64) {
	v.unlockCamera()
	v.camera.Yaw, v.camera.Pitch, v.camera.Roll = yaw, pitch, 0
	v.fit()
	v.redraw(false)
}

// FrameAll shows the whole model, but for what is hidden; of a series, all of its steps.
func (v *Viewport) FrameAll() {
	v.fit()
	v.camera.Camera, v.onChanges = nil, false
	s := v.play.steps
	if s != nil && s.frameWhole() {
		return
	}
	v.change(func(m *render.Model) {
		if m.Frame(); s != nil {
			f := m.Framing()
			v.group.Show(v.group.Context(), func() { s.frame = f })
		}
	})
}

// FrameWith makes the picture one of what both models fill, so that a place is in the same place in both pictures.
func (v *Viewport) FrameWith(o *Viewport) {
	if v.model != nil {
		other := o.model
		v.change(func(m *render.Model) { m.FrameWith(other) })
	}
}

// Pose returns where the camera stands.
func (v *Viewport) Pose() Pose { return poseOf(v.camera) }

// FrameSelection shows the selected node as large as it fits; the whole model if none is selected.
func (v *Viewport) FrameSelection() {
	p := v.SelectedPiece()
	if p.Node == nil {
		v.FrameAll()
		return
	}
	v.fit()
	v.camera.Camera, v.onChanges = nil, false
	v.change(func(m *render.Model) { m.FramePiece(p) })
}

// firstLook returns the view in which a model is shown at first. Two that are compared have one that both can have.
func (v *Viewport) firstLook(m *render.Model) render.View {
	if m == nil || v.Keep || v.OnPose != nil {
		return render.ThreeQuarter
	}
	return m.FirstLook()
}

// reset shows the model as at first.
func (v *Viewport) reset() {
	look := v.firstLook(v.model)
	v.camera.Yaw, v.camera.Pitch, v.camera.Roll = look.Yaw, look.Pitch, 0
	v.camera.Orthographic = false
	v.FrameAll()
	if look.Camera != nil {
		v.through(look.Camera)
	}
}

// chooseUp chooses the axis that points up, for the user.
func (v *Viewport) chooseUp(z bool) {
	v.SetUp(z)
	if v.OnUp != nil {
		v.OnUp(z)
	}
}

// SetUp turns the scene so that z, or else y, points up. OnUp is not called.
func (v *Viewport) SetUp(z bool) {
	if v.model == nil || v.zUp == z {
		return
	}
	v.zUp = z
	v.describe()
	v.fit()
	v.change(func(m *render.Model) {
		m.SetUp(z)
		m.Update()
		m.Frame()
	})
}
