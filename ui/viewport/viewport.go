// Package viewport displays a scene that the user can rotate, pan and zoom with the pointer or the keys. A Viewport
// plays animations, plots their curves, shows texture coordinates, and draws a second scene over the first. It draws
// off the UI thread: coarsely while something moves, finely when it rests.
package viewport

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/command"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

const (
	minDistance = .01 // minimum distance, as a share of the distance at which everything is visible
	maxDistance = 6
	turn        = .01 // rotation for a unit of dragging, in radians
	keyTurn     = math.Pi / 24
	maxName     = 80 // maximum length of the text beside the pointer, in characters
)

// Viewport displays a scene.
type Viewport struct {
	// OnSelect is called with the node that was clicked, or nil.
	OnSelect func(n *scene.Node)
	// OnPoint is called instead with one of the points of a node, if they are of a list of the document.
	OnPoint func(n *scene.Node, point int)
	// OnPose is called when the user moved the camera.
	OnPose func(p Pose)
	// OnModel is called after the model was replaced.
	OnModel func()
	// OnDrawn is called after a picture of the model was displayed.
	OnDrawn func()
	// Keep keeps the camera when the model is replaced.
	Keep bool
	// OnUp is called when the user chose the axis of the scene that points up: y, or z.
	OnUp func(z bool)
	// OnClip is called when the user chose a clip, with its name, or the pose of the file, with "".
	OnClip func(name string)
	// OnShare is called with the position of the line between two models while the user drags it.
	OnShare func(share float64)
	// Title returns a name for a picture of the scene; if nil or empty, it is the scene's own.
	Title func() string
	// Assigner assigns materials to parts; it may be nil.
	Assigner Assigner
	// HasSelection reports whether this one of several synchronized viewports has the selection; nil means that it
	// does.
	HasSelection func() bool

	host       host.Host
	style      *paint.Style
	group      *work.Group
	setCaption func(text string)
	drawer     *drawWorker
	canvas     *surface
	legend     *legend
	picture    *fyne.Container // the canvas, and the legend over it
	tools      *tools
	play       *playback
	unwrap     *unwrap
	middle     *fyne.Container // the picture, and the panels beside it
	content    *fyne.Container
	cover      *control.Maximizer
	commands   *command.Set[*Viewport]

	model       *render.Model
	contentText string   // description of what the model contains
	second      *overlay // may be nil
	changes     *Changes // nil if the changes against another version are unknown
	// The picture is framed to the changes.
	framesChanges bool
	synced        []*Viewport // viewports that are synchronized with this one
	isPaused      bool        // drawing is stopped
	view          render.View
	reported      Pose // the last pose that OnPose was called with, or that was set
	displayed     drawnFrame
	hidden        hidden
	rate          rate
	zUp           bool
	fitted        bool   // the camera still is where fit put it
	isTurning     bool   // continuously
	showsUndrawn  bool   // meshes that the game does not draw are shown
	description   string // the description of the scene
}

// New makes an empty viewport. Its work ends with the group. It calls setCaption with a description of the displayed
// scene.
func New(h host.Host, style *paint.Style, group *work.Group, setCaption func(text string)) *Viewport {
	v := &Viewport{host: h, style: style, group: group, setCaption: setCaption, view: render.ThreeQuarter}
	v.commands = &command.Set[*Viewport]{Keys: h.Keys(), Actions: actions()}
	v.drawer = newDrawWorker(group, v.showFrame)
	v.canvas = newSurface(v)
	v.tools = newTools(v)
	v.play = newPlayback(v, style)
	v.unwrap = newUnwrap(v)
	v.legend = newLegend(style)
	v.picture = container.New(overPicture{v.legend}, v.canvas, v.legend)
	v.legend.onChange = v.picture.Refresh
	v.middle = container.NewStack(v.picture)
	v.content = container.NewBorder(v.tools.bar, v.play.bar, nil, nil, v.middle)
	v.cover = control.NewMaximizer(v.content, h.Keys())
	v.cover.OnChange = func() { v.redraw(true) }
	return v
}

// Commands returns the commands of the scene.
func (v *Viewport) Commands() *command.Set[*Viewport] { return v.commands }

// Content returns the object for the window.
func (v *Viewport) Content() fyne.CanvasObject { return v.cover.Content() }

// SetModel replaces the model, which may be nil. The camera is kept if the scene is the same.
func (v *Viewport) SetModel(m *render.Model) {
	v.play.stop()
	v.isTurning, v.showsUndrawn = false, false
	v.hidden = hidden{}
	v.canvas.name("", fyne.Position{})
	marks := v.view.Marks
	marks.Selected, marks.Part, marks.Point = nil, nil, nil
	surface, lights := v.view.Surface, v.view.Lights
	pose := poseOf(v.view)
	v.view, v.fitted = v.initialView(m), v.fitted && v.Keep
	if v.Keep {
		pose.apply(&v.view)
	}
	v.view.Marks, v.view.Surface, v.view.Lights = marks, surface, lights
	v.model, v.second, v.changes = m, nil, nil
	v.contentText = countText(m)
	if v.OnModel != nil {
		defer v.OnModel()
	}
	if m == nil {
		v.drawer.draw(nil)
		v.displayed = drawnFrame{}
		v.canvas.setPicture(nil)
		v.canvas.setLabels(nil, 1, nil)
		v.legend.set(nil)
		v.cover.Close()
		return
	}
	if v.zUp = m.ZUp(); surface == render.Weights {
		v.view.Joint = m.HeaviestJoint()
	}
	v.unwrap.node, v.unwrap.part = nil, 0
	v.unwrap.update()
	if v.play.setScene(m); v.view.Tight {
		v.fit()
	}
	v.describe()
	v.redraw(false)
}

// Release releases the model. Its last picture is visible until another one is displayed.
func (v *Viewport) Release() {
	v.play.stop()
	v.tools.turn.Stop()
	v.isTurning = false
	v.hidden = hidden{}
	v.canvas.name("", fyne.Position{})
	if s := v.play.steps; s != nil {
		s.end()
		v.play.steps = nil
	}
	v.model, v.second = nil, nil
	v.view.Camera, v.view.Joint = nil, nil
	v.outline(render.Piece{})
	v.drawer.draw(nil)
	v.displayed = drawnFrame{}
	v.setCaption("Opening…")
	if v.OnModel != nil {
		v.OnModel()
	}
}

// Wait returns after the drawing of a replaced model has ended. Call it off the UI thread.
func (v *Viewport) Wait() { v.drawer.wait() }

// Focus focuses the picture.
func (v *Viewport) Focus() { v.canvas.focus() }

// Model returns the displayed model, or nil.
func (v *Viewport) Model() *render.Model { return v.model }

// Scene returns the displayed scene, or nil.
func (v *Viewport) Scene() *scene.Scene {
	if v.model == nil {
		return nil
	}
	return v.model.Scene()
}

// ShowChannel plots a channel of an animation with the keys in k, outlines its target, and with seek poses the scene at
// a time.
func (v *Viewport) ShowChannel(c *scene.Channel, k *scene.Curve, seconds float32, seek bool) {
	if v.model == nil {
		return
	}
	v.Select(c.Target)
	v.play.plotChannel(c, k, seconds, seek)
}

// HideChannel removes the plot.
func (v *Viewport) HideChannel() { v.play.plot(nil) }

// Play chooses an animation of the scene.
func (v *Viewport) Play(a *scene.Animation) {
	if v.model != nil {
		v.play.chooseAnimation(a)
	}
}

// describe passes a description of the drawn scene to the owner.
func (v *Viewport) describe() {
	if v.model == nil {
		return
	}
	problems, guesses := v.Remarks()
	var words []string // the narrow caption shows the first ones
	add := func(text string, condition bool) {
		if condition {
			words = append(words, text)
		}
	}
	if len(problems) > 0 {
		add(host.Count(int64(len(problems)), "problem"), true)
	}
	add("partly guessed", len(guesses) > 0)
	add("some parts hidden", v.hasHiddenPieces())
	add(v.play.name(), v.play.name() != "")
	if v.contentText == "" {
		add("Drag to rotate, Shift+drag to pan, scroll to zoom", true)
	} else {
		add(v.contentText, true)
	}
	if v.model.Triangles() > 0 {
		switch {
		case v.view.Surface == render.Weights && v.view.Joint != nil:
			add("weights of "+v.view.Joint.Name+" (blue 0, red 1)", true)
		case v.view.Surface == render.Weights:
			add("select a joint to see its weights", true)
		case v.view.Surface == render.Normals:
			add("normals: red x, green y, blue z", true)
		default:
			add("placeholder colors for missing materials", v.model.HasPlaceholder())
		}
		add("no light in the scene, lit by the preview", v.view.Surface == render.Textured && v.model.HasOwnLight())
		add("parts without a material are hidden, as in the game", v.model.HasUndrawn() && !v.showsUndrawn)
	}
	add(fmt.Sprintf("grid %g", v.displayed.grid), v.view.Marks.Grid && v.displayed.grid > 0)
	if n := v.view.Camera; n != nil {
		add("camera: "+n.Name, true)
	}
	add("Z up", v.zUp)
	for _, sentences := range [][]string{problems, guesses} {
		if len(sentences) > 0 {
			add(sentences[0], true)
		}
	}
	v.description = strings.Join(words, " · ")
	v.setCaption(v.description)
}

// countText returns the numbers of the triangles, vertices and other parts of a model that are not 0.
func countText(m *render.Model) string {
	if m == nil {
		return ""
	}
	c := m.Scene().Counts()
	var words []string
	add := func(n int, noun string) {
		if n > 0 {
			words = append(words, host.Count(n, noun))
		}
	}
	add(m.Triangles(), "triangle")
	add(c.Vertices, "vertex")
	if len(c.Textures) == 1 {
		words = append(words, "texture "+model.OneLine(path.Base(c.Textures[0]), 80))
	} else {
		add(len(c.Textures), "texture")
	}
	add(c.UVSets, "UV set")
	add(c.Bones, "bone")
	add(c.Points, c.Noun)
	if size := m.Extent(); size != [3]float64{} {
		words = append(words, fmt.Sprintf("box %.4g × %.4g × %.4g", size[0], size[1], size[2]))
	}
	return strings.Join(words, " · ")
}

// hint displays the hint of a tool while the pointer is over it; an empty text removes it.
func (v *Viewport) hint(text string) {
	v.host.ShowHint(text)
	v.setCaption(cmp.Or(text, v.description))
}

// Problems returns messages about deviations of the drawing from the file.
func (v *Viewport) Problems() []string {
	problems, _ := v.Remarks()
	return problems
}

// Remarks returns the problems, and messages about what the files do not record, which begin with model.Guessed.
func (v *Viewport) Remarks() (problems, guesses []string) {
	for _, sentence := range slices.Concat(v.model.Problems(), v.play.unplayable) {
		if strings.HasPrefix(sentence, model.Guessed) {
			guesses = append(guesses, sentence)
		} else {
			problems = append(problems, sentence)
		}
	}
	return problems, guesses
}

// rate measures the frame rate on request.
type rate struct {
	enabled    bool
	countStart time.Time // start of the counting
	pictures   int       // pictures since then
	rate       float64   // pictures per second at the last count, or 0
}

// rateTime is how long pictures are counted, and the longest pause within one movement.
const rateTime = time.Second

// text records a picture that was displayed at a time, and returns the frame rate while something moves, and the time
// to draw the picture; "" if it is off.
func (r *rate) text(f drawnFrame, now time.Time) string {
	if !r.enabled {
		return ""
	}
	passed := now.Sub(r.countStart)
	switch r.pictures++; {
	case passed > 2*rateTime: // nothing moved before
		r.countStart, r.pictures, r.rate = now, 0, 0
	case passed >= rateTime:
		r.rate = float64(r.pictures) / passed.Seconds()
		r.countStart, r.pictures = now, 0
	}
	text := fmt.Sprintf("%.0f ms per frame", math.Ceil(f.took.Seconds()*1000))
	if f.request.moving && r.rate > 0 {
		text = fmt.Sprintf("%.0f fps · ", r.rate) + text
	}
	return text
}

// ReplaceModel replaces the model by a newly decoded one of the same scene. The camera, the animation, the selection
// and hidden pieces are kept as far as they still exist.
func (v *Viewport) ReplaceModel(m *render.Model) {
	previous, keepsCamera, selected, hidden := v.model, v.Keep, v.SelectedPiece(), v.hidden.first
	view := v.view
	if previous == nil || len(previous.Pose().Nodes) != len(m.Pose().Nodes) {
		v.SetModel(m)
		return
	}
	v.Keep = true
	v.SetModel(m)
	v.Keep = keepsCamera
	counterpart := func(p render.Piece) render.Piece { return counterpartOf(previous, m, p) }
	v.view.Camera, v.view.Joint = counterpart(render.Piece{Node: view.Camera}).Node,
		counterpart(render.Piece{Node: view.Joint}).Node
	v.outline(counterpart(selected))
	v.hidden.first.isolated = counterpart(hidden.isolated)
	for _, p := range hidden.pieces {
		v.hidden.first.pieces = append(v.hidden.first.pieces, counterpart(p))
	}
	if v.hidden.first.hasHidden() {
		v.applyHidden()
	}
	v.describe()
	v.change(func(m *render.Model) { m.SetFraming(previous.Framing()) })
}

// counterpartOf returns the counterpart of a piece in the model of another decode of the same scene, or a piece without
// a node.
func counterpartOf(previous, m *render.Model, p render.Piece) render.Piece {
	i := previous.Pose().Index(p.Node)
	if i < 0 || i >= len(m.Pose().Nodes) || m.Pose().Nodes[i].Name != p.Node.Name {
		return render.Piece{}
	}
	n := m.Pose().Nodes[i]
	if p.Part == nil {
		return render.Piece{Node: n}
	}
	part := slices.Index(p.Node.Mesh.Parts, p.Part)
	if n.Mesh == nil || part < 0 || part >= len(n.Mesh.Parts) {
		return render.Piece{}
	}
	return render.Piece{Node: n, Part: n.Mesh.Parts[part]}
}
