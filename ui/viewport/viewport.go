// Package viewport shows a scene: turned, moved and zoomed with the pointer or the keys, with its animations, and with
// what helps to look at it. It draws off the UI thread: coarsely while something moves, finely when it rests.
package viewport

import (
	"cmp"
	"fmt"
	"math"
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
	v.canvas = newSurface(v)
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
	text := "Drag to rotate, Shift+drag to pan, scroll to zoom"
	if n := v.model.Triangles(); n > 0 {
		text = host.Count(int64(n), "triangle")
		switch {
		case v.camera.Surface == render.Weights && v.camera.Joint != nil:
			text += " · weights of " + v.camera.Joint.Name + " (blue 0, red 1)"
		case v.camera.Surface == render.Weights:
			text += " · select a joint to see its weights"
		case v.camera.Surface == render.Normals:
			text += " · normals: red x, green y, blue z"
		case v.model.Plain():
			text += " · placeholder colors for missing materials"
		}
	}
	if v.camera.Marks.Grid && v.shown.grid > 0 {
		text += fmt.Sprintf(" · grid %g", v.shown.grid)
	}
	if name := v.play.name(); name != "" {
		text = name + " · " + text
	}
	if n := v.camera.Camera; n != nil {
		text += " · camera: " + n.Name
	}
	if v.zUp {
		text += " · Z up"
	}
	problems, guesses := v.remarks()
	if len(problems) > 0 {
		text += " · " + host.Count(int64(len(problems)), "problem") + ": " + problems[0]
	}
	if len(guesses) > 0 {
		text += " · " + guesses[0]
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
func (v *Viewport) Problems() []string {
	problems, _ := v.remarks()
	return problems
}

// remarks are the problems, and what was guessed where the files say nothing.
func (v *Viewport) remarks() (problems, guesses []string) {
	for _, sentence := range slices.Concat(v.model.Problems(), v.play.lost) {
		if strings.HasPrefix(sentence, model.Guessed) {
			guesses = append(guesses, sentence)
		} else {
			problems = append(problems, sentence)
		}
	}
	return problems, guesses
}

// rate says on request how fast pictures are drawn.
type rate struct {
	on    bool
	since time.Time // when counting began
	shown int       // pictures since then
	each  float64   // pictures a second, when they were counted last; 0 if they were not
}

// rateTime is how long pictures are counted, and how far apart those are at most that belong to one movement.
const rateTime = time.Second

// text takes a picture that is shown at a time, and returns what is said: how many pictures a second there are while
// something moves, and how long one took to draw; empty if nobody wants to know.
func (r *rate) text(f frame, now time.Time) string {
	if !r.on {
		return ""
	}
	passed := now.Sub(r.since)
	switch r.shown++; {
	case passed > 2*rateTime: // nothing moved before
		r.since, r.shown, r.each = now, 0, 0
	case passed >= rateTime:
		r.each = float64(r.shown) / passed.Seconds()
		r.since, r.shown = now, 0
	}
	text := fmt.Sprintf("%.0f ms per frame", math.Ceil(f.took.Seconds()*1000))
	if f.request.moving && r.each > 0 {
		text = fmt.Sprintf("%.0f fps · ", r.each) + text
	}
	return text
}
