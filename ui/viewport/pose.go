package viewport

import "assay/model/render"

// Pose is where the camera stands, for two viewports that look the same way.
type Pose struct {
	yaw, pitch, roll, distance float64
	shift                      [2]float64
	tight, orthographic        bool
}

func poseOf(c render.View) Pose {
	return Pose{c.Yaw, c.Pitch, c.Roll, c.Distance, c.Shift, c.Tight, c.Orthographic}
}

func (p Pose) to(c *render.View) {
	c.Yaw, c.Pitch, c.Roll, c.Distance = p.yaw, p.pitch, p.roll, p.distance
	c.Shift, c.Tight, c.Orthographic = p.shift, p.tight, p.orthographic
}

// SetPose moves the camera. OnPose is not called.
func (v *Viewport) SetPose(p Pose) {
	if v.model == nil || p == v.reported {
		return
	}
	v.reported, v.fits = p, false
	p.to(&v.camera)
	v.camera.Camera = nil
	v.redraw(false)
}

// reportPose reports that the camera was moved.
func (v *Viewport) reportPose() {
	if p := poseOf(v.camera); p != v.reported && v.camera.Camera == nil {
		v.reported = p
		if v.OnPose != nil {
			v.OnPose(p)
		}
	}
}

// Model is what is shown; nil if nothing is.
func (v *Viewport) Model() *render.Model { return v.model }
