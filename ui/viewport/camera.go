package viewport

import (
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"assay/model/render"
	"assay/model/scene"
	"assay/ui/paint"
)

// unlockCamera makes the camera free to rotate from its current position.
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

// freezeCamera keeps the camera in position while the visible items change: a tight one would follow. A camera of the
// scene stays active.
func (v *Viewport) freezeCamera() {
	if v.camera.Camera == nil && v.camera.Tight {
		v.unlockCamera()
		v.fits = !v.camera.Tight
	}
}

// room is the factor by which the view of an animation is larger than its current pose: a step goes up, an arm out.
const room = 1.08

// fit positions the camera so that everything is visible.
func (v *Viewport) fit() {
	v.camera.Tight, v.camera.Distance, v.camera.Shift, v.camera.Open = true, 1, [2]float64{}, 0
	if v.play.player != nil {
		v.camera.Distance = room
	}
}

// refit fits the camera again after the size of the picture changed, if it was fitted before.
func (v *Viewport) refit() {
	if v.fits && v.model != nil && v.camera.Camera == nil {
		v.fit()
		v.freezeCamera()
	}
}

// rotate rotates the model around its upright axis and around the horizontal axis of the view, relative to the roll of
// the camera.
func (v *Viewport) rotate(by fyne.Delta) {
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
	v.camera.Shift[0] *= d / next // the center stays in position
	v.camera.Shift[1] *= d / next
	v.camera.Distance = next
	v.redraw(false)
}

// viewFrom views the model from a side.
func (v *Viewport) viewFrom(yaw, pitch float64) {
	v.unlockCamera()
	v.camera.Yaw, v.camera.Pitch, v.camera.Roll = yaw, pitch, 0
	v.fit()
	v.redraw(false)
}

// FrameAll shows the whole model without its hidden pieces; for a series, all of its steps.
func (v *Viewport) FrameAll() { v.frame((*render.Model).FrameWhole) }

// frame frames the model, or all steps of a series.
func (v *Viewport) frame(fit func(m *render.Model)) {
	v.fit()
	v.camera.Camera, v.onChanges = nil, false
	s := v.play.steps
	if s != nil && s.frameWhole() {
		return
	}
	v.change(func(m *render.Model) {
		if fit(m); s != nil {
			f := m.Framing()
			v.group.Show(v.group.Context(), func() { s.frame = f })
		}
	})
}

// FrameWith frames both models, so that a point has the same position in both pictures.
func (v *Viewport) FrameWith(o *Viewport) {
	if v.model != nil {
		other := o.model
		v.change(func(m *render.Model) { m.FrameWith(other) })
	}
}

// Pose returns the pose of the camera.
func (v *Viewport) Pose() Pose { return poseOf(v.camera) }

// FrameSelection shows the selected node as large as it fits, or the whole model without a selection.
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

// firstLook returns the initial view of a model. Viewports that are compared have the same one.
func (v *Viewport) firstLook(m *render.Model) render.View {
	if m == nil || v.Keep || v.OnPose != nil {
		return render.ThreeQuarter
	}
	return m.FirstLook()
}

// reset restores the initial view.
func (v *Viewport) reset() {
	look := v.firstLook(v.model)
	v.camera.Yaw, v.camera.Pitch, v.camera.Roll = look.Yaw, look.Pitch, 0
	v.camera.Orthographic = false
	v.frame((*render.Model).Frame)
	if look.Open != 0 {
		v.camera.Tight, v.camera.Distance, v.camera.Open, v.camera.Target = false, look.Distance, look.Open, look.Target
	}
	if look.Camera != nil {
		v.useCamera(look.Camera)
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
		m.SetUp(z)
		m.Update()
		m.Frame()
	})
}

type track struct {
	clips   []scene.Playable
	present int // -1 for the pose of the file
	player  *scene.Player
	lost    []string // messages about parts that do not play
	start   float32
	end     float32
}

// pick makes a clip the current one; -1 is the pose of the file.
func (t *track) pick(i int, pose *scene.Pose) {
	*t = track{clips: t.clips, present: i}
	if i >= 0 && i < len(t.clips) {
		c := &t.clips[i]
		t.player, t.lost = c.Player(pose)
		t.start, t.end = c.Start, c.End
	}
}

// name returns the name of the current clip, or "" for the pose of the file.
func (t *track) name() string {
	if t.present < 0 || t.present >= len(t.clips) {
		return ""
	}
	return t.clips[t.present].Name
}

// length returns the duration, in seconds.
func (t *track) length() float32 { return t.end - t.start }

// at returns the player that poses the scene, and its time after a duration from the start. A shorter clip stays at its
// end.
func (t *track) at(after float32) (*scene.Player, float32) {
	return t.player, t.start + min(after, t.length())
}

// named returns the index of the clip with a name, or -1.
func (t *track) named(name string) int {
	return slices.IndexFunc(t.clips, func(c scene.Playable) bool { return c.Name == name && name != "" })
}

// matchingClip returns the index of the clip that corresponds to the clip of another track: by name, else by index.
func (t *track) matchingClip(o *track) int {
	if i := t.named(o.name()); i >= 0 || o.present < 0 {
		return i
	}
	if len(t.clips) == len(o.clips) {
		return o.present
	}
	return t.present
}

// Join synchronizes viewports: choosing a clip, playing, scrubbing, hiding and isolating in one of them applies to all.
func Join(all ...*Viewport) {
	for _, v := range all {
		for _, o := range all {
			if o != v {
				v.joins = append(v.joins, o)
				v.play.with = append(v.play.with, o.play)
			}
		}
	}
}

// TakeBar removes the playback bar from a viewport and returns it for another layout. The joined viewports hide theirs,
// because it controls all of them.
func (v *Viewport) TakeBar() fyne.CanvasObject {
	p := v.play
	p.bar.Remove(p.row)
	for _, o := range p.with {
		o.row.Hide()
	}
	p.taken = true
	paint.Show(p.row, false)
	return p.row
}

// shared reports whether one of the synchronized viewports has the bar of all.
func (p *playback) shared() bool {
	return p.taken || slices.ContainsFunc(p.with, func(o *playback) bool { return o.taken })
}

// PlayAs displays the moment that another viewport displays.
func (v *Viewport) PlayAs(o *Viewport) { v.play.playAs(o.play) }

// able reports whether there is a clip or a series to play.
func (p *playback) able() bool { return p.view.model != nil && (len(p.clips) > 0 || p.steps != nil) }

// leader returns the playback in control of the synchronized ones: the playing one, or else one that can play.
func (p *playback) leader() *playback {
	best := p
	for _, o := range p.with {
		if o.playing || !best.able() && o.able() {
			best = o
		}
	}
	return best
}

// reach returns the longest duration of the synchronized playbacks.
func (p *playback) reach() float32 {
	length := max(p.length(), p.view.second.length())
	for _, o := range p.with {
		if o.able() && p.steps == nil && o.steps == nil {
			length = max(length, o.length())
		}
	}
	return length
}

// syncOthers synchronizes the others with this playback.
func (p *playback) syncOthers() {
	if p.steps != nil {
		return
	}
	for _, o := range p.with {
		o.playAs(p)
	}
}

// playAs takes the clip and the time of another playback.
func (p *playback) playAs(o *playback) {
	if p.steps != nil || o.steps != nil {
		return
	}
	p.speed, p.once = o.speed, o.once
	if i := p.matchingClip(&o.track); i != p.present && p.able() {
		p.pick(i)
	}
	p.time = p.start + o.time - o.start
	icon := theme.MediaPlayIcon()
	if o.leader().playing {
		icon = theme.MediaPauseIcon()
	}
	if p.button.Icon != icon {
		p.button.SetIcon(icon)
	}
	p.refresh()
}

// showBars shows the bars of all synchronized viewports that need one, with their duration.
func (p *playback) showBars() {
	found := p.able()
	for _, o := range p.with {
		found = found || o.able() && o.steps == nil
	}
	for _, o := range append([]*playback{p}, p.with...) {
		if o.steps == nil {
			paint.Show(o.bar, found)
			paint.Show(o.row, found && (o.taken || !o.shared()))
			o.refresh()
		}
	}
}

// refresh displays the current moment.
func (p *playback) refresh() {
	p.setSlider()
	p.slider.Step = max(float64(p.reach())/2000, 1e-4)
	p.tick()
	p.view.redraw(false)
}

// scrub seeks to a time of the slider.
func (p *playback) scrub(t float32) {
	l := p.leader()
	if l == p || l.playing && p.able() {
		p.seek(t)
		return
	}
	l.goTo(l.start + t - p.start)
}
