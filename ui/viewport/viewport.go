// Package viewport shows a scene: turned, moved and zoomed with the pointer or the keys, with its animations, and with
// what helps to look at it. It draws off the UI thread: coarsely while something moves, finely when it rests.
package viewport

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"assay/model"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/command"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/wording"
	"assay/ui/work"
)

const (
	nearest  = .01 // of the distance at which everything is seen
	farthest = 6
	turn     = .01 // radians a unit of dragging
	keyTurn  = math.Pi / 24
	nameMost = 80 // characters of what is said beside the pointer
)

// Viewport shows a model.
type Viewport struct {
	// OnSelect is called with the node that was clicked; nil for none.
	OnSelect func(n *scene.Node)
	// OnPoint is called instead with one of the points of a node, if they are of a list of the document.
	OnPoint func(n *scene.Node, point int)
	// OnPose is called when the user moved the camera.
	OnPose func(p Pose)
	// OnModel is called after another model is shown.
	OnModel func()
	// OnDrawn is called after a picture of the model is shown.
	OnDrawn func()
	// Keep leaves the camera where it is when another model is shown.
	Keep bool
	// OnUp is called when the user chose the axis of the scene that points up: y, or z.
	OnUp func(z bool)
	// OnClip is called when the user chose what poses the scene: a clip, or with an empty name the file.
	OnClip func(name string)
	// OnShare is called with where the line between two models was dragged to.
	OnShare func(share float64)
	// Title returns a name for a picture of what is shown; nil or empty: the scene's own.
	Title func() string
	// Assigner gives materials to parts by hand; nil: nobody does.
	Assigner Assigner
	// Holds reports whether the viewport has what is selected in those that it is joined with; nil: it does.
	Holds func() bool

	host     host.Host
	style    *paint.Style
	group    *work.Group
	say      func(text string)
	drawer   *drawer
	canvas   *surface
	legend   *legend
	picture  *fyne.Container // the canvas, and the legend over it
	tools    *tools
	play     *playback
	unwrap   *unwrap
	middle   *fyne.Container // the picture, and what is beside it
	content  *fyne.Container
	cover    *control.Cover
	commands *command.Set[*Viewport]

	model   *render.Model
	second  *second  // nil: there is one model
	changes *Changes // nil: it is not known where another version differs
	// The picture is of the place that differs.
	onChanges bool
	joins     []*Viewport // that show their scenes together with this one
	resting   bool        // nothing is drawn
	camera    render.View
	reported  Pose // the last one that OnPose was called with, or that was set
	shown     frame
	hidden    hidden
	rate      rate
	zUp       bool
	fits      bool   // the camera is where a tight one was, and nobody moved it
	turning   bool   // by itself
	seen      string // in words
}

// New makes an empty viewport whose work ends with the group. say is called with what is seen.
func New(h host.Host, style *paint.Style, group *work.Group, say func(text string)) *Viewport {
	v := &Viewport{host: h, style: style, group: group, say: say, camera: render.ThreeQuarter}
	v.commands = &command.Set[*Viewport]{Keys: h.Keys(), Actions: actions()}
	v.drawer = newDrawer(group, v.drawn)
	v.canvas = newSurface(h)
	v.canvas.onTurn, v.canvas.onPan, v.canvas.onZoom = v.turn, v.pan, v.zoom
	v.canvas.onTap, v.canvas.onMenu, v.canvas.onHover = v.tap, v.openMenu, v.hover
	v.canvas.onDouble = func(at image.Point) {
		v.tap(at)
		v.FrameSelection()
	}
	v.canvas.onKey, v.canvas.onRune = v.key, v.rune
	v.canvas.onSize = func() {
		if v.play.curves.fit(v.content.Size().Height) {
			v.content.Refresh() // the picture gets what room is left
			return
		}
		v.refit()
		v.redraw(true)
	}
	v.canvas.onTheme = func() {
		if r := v.shown.request; r != nil && r.model == v.model && r.view.Background != v.background() {
			v.redraw(true)
		}
	}
	v.canvas.onRest = func() {
		v.dropLine()
		v.redraw(true)
	}
	v.canvas.onLine, v.canvas.atLine = v.dragLine, v.atLine
	v.tools = newTools(v)
	v.play = newPlayback(v, style)
	v.unwrap = newUnwrap(v)
	v.legend = newLegend(style)
	v.picture = container.New(overPicture{v.legend}, v.canvas, v.legend)
	v.legend.onChange = v.picture.Refresh
	v.middle = container.NewStack(v.picture)
	v.content = container.NewBorder(v.tools.bar, v.play.bar, nil, nil, v.middle)
	v.cover = control.NewCover(v.content, h.Keys())
	v.cover.OnChange = func() { v.redraw(true) }
	return v
}

// Commands are what can be done with the scene.
func (v *Viewport) Commands() *command.Set[*Viewport] { return v.commands }

// Content is what goes into the window.
func (v *Viewport) Content() fyne.CanvasObject { return v.cover.Content() }

// SetModel shows another model; nil shows nothing. The camera stays where it is if the scene is the same one.
func (v *Viewport) SetModel(m *render.Model) {
	v.play.stop()
	v.turning = false
	v.hidden = hidden{}
	v.canvas.name("", fyne.Position{})
	marks := v.camera.Marks
	marks.Selected, marks.Part, marks.Point = nil, nil, nil
	surface, lights := v.camera.Surface, v.camera.Lights
	pose := poseOf(v.camera)
	v.camera, v.fits = v.firstLook(m), v.fits && v.Keep
	if v.Keep {
		pose.to(&v.camera)
	}
	v.camera.Marks, v.camera.Surface, v.camera.Lights = marks, surface, lights
	v.model, v.second, v.changes = m, nil, nil
	if v.OnModel != nil {
		defer v.OnModel()
	}
	if m == nil {
		v.drawer.draw(nil)
		v.shown = frame{}
		v.canvas.setPicture(nil)
		v.canvas.setLabels(nil, 1, nil)
		v.legend.set(nil)
		v.cover.Close()
		return
	}
	if v.zUp = m.ZUp(); surface == render.Weights {
		v.camera.Joint = m.Heaviest()
	}
	v.unwrap.node, v.unwrap.part = nil, 0
	v.unwrap.update()
	if v.play.setScene(m); v.camera.Tight {
		v.fit()
	}
	v.describe()
	v.redraw(false)
}

// Release lets go of the model. Its last picture is seen until another one is shown.
func (v *Viewport) Release() {
	v.play.stop()
	v.tools.turn.Stop()
	v.turning = false
	v.hidden = hidden{}
	v.canvas.name("", fyne.Position{})
	if s := v.play.steps; s != nil {
		s.end()
		v.play.steps = nil
	}
	v.model, v.second = nil, nil
	v.camera.Camera, v.camera.Joint = nil, nil
	v.outline(render.Piece{})
	v.drawer.draw(nil)
	v.shown = frame{}
	v.say("Opening…")
	if v.OnModel != nil {
		v.OnModel()
	}
}

// Wait returns when a model that is not shown any more is not drawn any more either. Call it off the UI thread.
func (v *Viewport) Wait() { v.drawer.wait() }

// Focus gives the keyboard to the picture.
func (v *Viewport) Focus() { v.canvas.focus() }

// Scene returns what is shown; nil: nothing is.
func (v *Viewport) Scene() *scene.Scene {
	if v.model == nil {
		return nil
	}
	return v.model.Scene()
}

// Selected returns the node that is outlined; nil: none is.
func (v *Viewport) Selected() *scene.Node { return v.camera.Marks.Selected }

// SelectedPiece returns what is outlined: a node, or a part of its mesh.
func (v *Viewport) SelectedPiece() render.Piece {
	return render.Piece{Node: v.camera.Marks.Selected, Part: v.camera.Marks.Part}
}

// outline has a piece outlined in the next picture, and no point.
func (v *Viewport) outline(p render.Piece) {
	m := &v.camera.Marks
	m.Selected, m.Part, m.Point = p.Node, p.Part, nil
}

// Select outlines a node of the scene; nil outlines none. If a part of it is outlined, that stays.
func (v *Viewport) Select(n *scene.Node) {
	if v.camera.Marks.Selected != n || v.camera.Marks.Point != nil {
		v.SelectPiece(render.Piece{Node: n})
	}
}

// SelectPiece outlines a piece of the scene; one without a node outlines none.
func (v *Viewport) SelectPiece(p render.Piece) {
	if v.model == nil || v.SelectedPiece() == p && v.camera.Marks.Point == nil {
		return
	}
	v.outline(p)
	n := p.Node
	v.unwrap.choose(n)
	if n != nil && v.model.IsJoint(n) {
		v.camera.Joint = n
		v.describe()
	}
	v.redraw(false)
}

// SelectPoint outlines one of the points of a node, which is at a place of the node.
func (v *Viewport) SelectPoint(n *scene.Node, at [3]float32) {
	if v.model == nil {
		return
	}
	v.Select(n)
	v.camera.Marks.Point = &render.Point{Node: n, Position: at}
	v.redraw(false)
}

// ShowChannel plots a channel of an animation of the scene, whose keys were read, outlines what it moves, and with seek
// poses the scene as it is at a time.
func (v *Viewport) ShowChannel(c *scene.Channel, k *scene.Curve, time float32, seek bool) {
	if v.model == nil {
		return
	}
	v.Select(c.Target)
	v.play.show(c, k, time, seek)
}

// HideChannel plots no channel.
func (v *Viewport) HideChannel() { v.play.plot(nil) }

// Play chooses an animation of the scene.
func (v *Viewport) Play(a *scene.Animation) {
	if v.model != nil {
		v.play.playable(a)
	}
}

// describe says what is drawn.
func (v *Viewport) describe() {
	if v.model == nil {
		return
	}
	text := "drag turns, Shift+drag moves, wheel zooms"
	if n := v.model.Triangles(); n > 0 {
		text = wording.Count(int64(n), "triangle")
		switch {
		case v.camera.Surface == render.Weights && v.camera.Joint != nil:
			text += " · weights of " + v.camera.Joint.Name + ", blue none to red all"
		case v.camera.Surface == render.Weights:
			text += " · select a joint to see its weights"
		case v.camera.Surface == render.Normals:
			text += " · normals: red x, green y, blue z"
		case v.model.Plain():
			text += " · a color for each unknown material"
		}
	}
	if v.camera.Marks.Grid && v.shown.grid > 0 {
		text += fmt.Sprintf(" · grid %g", v.shown.grid)
	}
	if name := v.play.name(); name != "" {
		text = name + " · " + text
	}
	if n := v.camera.Camera; n != nil {
		text += " · camera " + n.Name
	}
	if v.zUp {
		text += " · z is up"
	}
	if list := v.Problems(); len(list) > 0 {
		text += " · " + wording.Count(int64(len(list)), "problem") + ": " + list[0]
	}
	v.seen = text
	v.say(text)
}

// hint says what a tool does while the pointer is over it; an empty text, that it has left.
func (v *Viewport) hint(text string) {
	v.host.Tell(text)
	v.say(cmp.Or(text, v.seen))
}

// Problems says in sentences what is not seen as the file has it.
func (v *Viewport) Problems() []string { return slices.Concat(v.model.Problems(), v.play.lost) }

// background is behind the model.
func (v *Viewport) background() color.NRGBA {
	if v.tools.background != nil {
		return *v.tools.background
	}
	if v.model != nil && v.model.IsInk() {
		return render.Paper
	}
	r, g, b, _ := theme.Color(theme.ColorNameInputBackground).RGBA()
	return color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}
}

// redraw draws the model as it is looked at now; moving says that more is about to come.
func (v *Viewport) redraw(rest bool) { v.request(!rest, nil) }

// change has something done to the model before it is drawn again.
func (v *Viewport) change(f func(*render.Model)) { v.request(false, f) }

func (v *Viewport) request(moving bool, change func(*render.Model)) {
	size := v.canvas.pixels()
	if v.model == nil {
		return
	}
	if size.X < 8 || size.Y < 8 {
		v.drawer.note(change)
		return
	}
	if v.resting && change == nil {
		v.reportPose()
		return
	}
	v.reportPose()
	v.tools.row.mark()
	r := &request{model: v.model, view: v.camera, size: size, moving: moving, change: change}
	r.view.Background = v.background()
	r.player, r.time = v.play.now()
	r.beside = v.beside()
	v.drawer.draw(r)
}

// Rest has nothing drawn until it ends: the viewport is not seen.
func (v *Viewport) Rest(on bool) {
	if v.resting != on {
		v.resting = on
		v.redraw(false)
	}
}

// drawn shows a picture.
func (v *Viewport) drawn(f frame) {
	if v.model != f.request.model {
		return
	}
	v.shown = f
	if b := f.request.beside; b != nil && v.second != nil && !b.sameAs(v.second) { // changed while this was drawn
		f.joined = v.second.join(f.picture, f.other)
	}
	v.canvas.setPicture(f.joined)
	v.canvas.setLabels(f.labels, f.scale, v.ink())
	v.legend.set(f.signs)
	v.canvas.setRate(v.rate.text(f, time.Now()))
	if v.OnDrawn != nil {
		v.OnDrawn()
	}
	if v.canvas.inside && v.canvas.button == 0 {
		v.hover(v.canvas.pointer) // something else may be there now
	}
}

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

// under returns what is seen at a pixel: a joint before the surface that it is in.
func (v *Viewport) under(at image.Point) render.Hit {
	f := v.shown
	if v.model == nil || f.request == nil || f.request.model != v.model {
		return render.Hit{Point: -1}
	}
	x, y := int(float64(at.X)/f.scale), int(float64(at.Y)/f.scale)
	if j := f.jointAt(float64(x), float64(y), jointReach*float64(v.canvas.scale())/f.scale); j != nil {
		return render.Hit{Node: j.Node, Point: -1}
	}
	h := f.hits.At(v.model, x, y)
	if s := v.second; s != nil && f.behind != nil && (s.way == control.Swipe &&
		float64(at.X) < s.share*float64(v.canvas.pixels().X) || s.way == control.Difference && h.Node == nil) {
		return f.behind.At(s.model, x, y)
	}
	return h
}

func (v *Viewport) tap(at image.Point) {
	h := v.under(at)
	if v.second == nil {
		v.SelectPiece(pieceOf(h))
	}
	switch {
	case h.Point >= 0 && h.Node.Points != nil && h.Node.Points.List != nil && v.OnPoint != nil:
		v.OnPoint(h.Node, h.Point)
	case v.OnSelect != nil:
		v.OnSelect(h.Node)
	default:
		return
	}
	v.canvas.focus() // the keys stay here, though the tree shows the node
}

// pieceOf returns what a click on something picks: the part, if the mesh has several.
func pieceOf(h render.Hit) render.Piece {
	if h.Node == nil || h.Node.Mesh == nil || len(h.Node.Mesh.Parts) < 2 {
		return render.Piece{Node: h.Node}
	}
	return render.Piece{Node: h.Node, Part: h.Part}
}

// partName says which part of its mesh a piece is; empty if it is all of it.
func partName(p render.Piece) string {
	if p.Part == nil {
		return ""
	}
	return fmt.Sprintf("part %d of %d", slices.Index(p.Node.Mesh.Parts, p.Part)+1, len(p.Node.Mesh.Parts))
}

// selectMesh selects all parts of the mesh of which one is selected.
func (v *Viewport) selectMesh() { v.SelectPiece(render.Piece{Node: v.camera.Marks.Selected}) }

// hover names what is under the pointer: the node, the part and its material, or which of its points it is.
func (v *Viewport) hover(at fyne.Position) {
	h := v.under(v.canvas.pixel(at))
	var words []string
	if h.Node != nil && h.Node.Name != "" {
		words = append(words, h.Node.Name)
	}
	if part := partName(pieceOf(h)); part != "" {
		words = append(words, part)
	}
	if h.Material != "" {
		words = append(words, h.Material)
	}
	if h.Point >= 0 && h.Node.Points != nil && h.Node.Points.List != nil {
		words = append(words, fmt.Sprintf("%s[%d]", h.Node.Points.List.Name, h.Point))
	}
	v.canvas.name(model.OneLine(strings.Join(words, " · "), nameMost), at)
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
