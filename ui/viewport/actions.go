package viewport

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"assay/model/render"
	"assay/model/scene"
	"assay/ui/command"
	"assay/ui/host"
)

type (
	action = command.Action[*Viewport]
	item   = command.Item[*Viewport]
)

// actions returns the actions of the commands of a scene, by their IDs in the table of commands.
func actions() map[command.ID]action {
	all := map[command.ID]action{}
	for _, group := range []map[command.ID]action{viewActions, showActions, sceneActions, playActions} {
		maps.Copy(all, group)
	}
	return all
}

// sideAction returns an action that views the scene from a side.
func sideAction(yaw, pitch float64) action {
	return action{Do: func(v *Viewport) { v.viewFrom(yaw, pitch) }}
}

// turnAction returns an action that rotates the scene by a step.
func turnAction(x, y float32) action {
	return action{Do: func(v *Viewport) { v.rotate(fyne.NewDelta(x*keyTurn/turn, y*keyTurn/turn)) }}
}

// panAction returns an action that moves the picture by a step.
func panAction(x, y float32) action {
	const step = 24
	return action{Do: func(v *Viewport) { v.pan(fyne.NewDelta(x*step, y*step)) }}
}

var viewActions = map[command.ID]action{
	"scene.frame-all":       {Do: (*Viewport).FrameAll},
	"scene.frame-selection": {Do: (*Viewport).FrameSelection},
	"scene.frame-changes":   {IsEnabled: (*Viewport).hasChanges, InMenu: (*Viewport).hasChanges, Do: (*Viewport).FrameChanges},
	"scene.reset":           {Do: (*Viewport).reset},
	"scene.front":           sideAction(0, 0),
	"scene.right":           sideAction(math.Pi/2, 0),
	"scene.top":             sideAction(0, math.Pi/2),
	"scene.back":            sideAction(math.Pi, 0),
	"scene.left":            sideAction(-math.Pi/2, 0),
	"scene.bottom":          sideAction(0, -math.Pi/2),
	"scene.opposite":        {Do: func(v *Viewport) { v.viewFrom(v.view.Yaw+math.Pi, -v.view.Pitch) }},
	"scene.orthographic": {IsChecked: func(v *Viewport) bool { return v.view.Orthographic }, Do: func(v *Viewport) {
		v.view.Orthographic = !v.view.Orthographic
		v.redraw(false)
	}},
	"scene.turntable": {IsChecked: func(v *Viewport) bool { return v.isTurning },
		Do: func(v *Viewport) { v.setTurning(!v.isTurning) }},
	"scene.full": {Do: (*Viewport).toggleFull},
	"scene.cameras": {InMenu: func(v *Viewport) bool { return len(v.cameras()) > 0 },
		Submenu: (*Viewport).cameraItems},
	"scene.next-camera": {Do: (*Viewport).nextCamera},
	"scene.turn-left":   turnAction(1, 0),
	"scene.turn-right":  turnAction(-1, 0),
	"scene.turn-up":     turnAction(0, 1),
	"scene.turn-down":   turnAction(0, -1),
	"scene.pan-left":    panAction(1, 0),
	"scene.pan-right":   panAction(-1, 0),
	"scene.pan-up":      panAction(0, 1),
	"scene.pan-down":    panAction(0, -1),
	"scene.zoom-in":     {Do: func(v *Viewport) { v.zoom(24) }},
	"scene.zoom-out":    {Do: func(v *Viewport) { v.zoom(-24) }},
}

// toggleAction returns an action that switches a mark of the picture on and off. isEnabled may be nil.
func toggleAction(flag func(v *Viewport) *bool, isEnabled func(v *Viewport) bool) action {
	return action{IsEnabled: isEnabled, IsChecked: func(v *Viewport) bool { return *flag(v) }, Do: func(v *Viewport) {
		*flag(v) = !*flag(v)
		v.describe()
		v.redraw(false)
	}}
}

// lightsAction returns an action that selects the lights of the scene.
func lightsAction(l render.Lights) action {
	return action{IsChecked: func(v *Viewport) bool { return v.view.Lights == l }, Do: func(v *Viewport) {
		v.view.Lights = l
		v.redraw(false)
	}}
}

var showActions = map[command.ID]action{
	"scene.grid": toggleAction(func(v *Viewport) *bool { return &v.view.Marks.Grid }, nil),
	"scene.axes": toggleAction(func(v *Viewport) *bool { return &v.view.Marks.Axes }, nil),
	"scene.wireframe": toggleAction(func(v *Viewport) *bool { return &v.view.Marks.Wireframe },
		(*Viewport).hasTriangles),
	"scene.normals":  toggleAction(func(v *Viewport) *bool { return &v.view.Marks.Normals }, nil),
	"scene.bounds":   toggleAction(func(v *Viewport) *bool { return &v.view.Marks.Bounds }, nil),
	"scene.skeleton": toggleAction(func(v *Viewport) *bool { return &v.view.Marks.Skeleton }, (*Viewport).hasJoints),
	"scene.joint-names": {IsEnabled: (*Viewport).hasJoints, Do: (*Viewport).toggleNames,
		IsChecked: func(v *Viewport) bool { return v.view.Marks.Skeleton && v.view.Marks.Names }},
	"scene.collisions": toggleAction(func(v *Viewport) *bool { return &v.view.Marks.Collisions },
		func(v *Viewport) bool { return v.model != nil && v.model.HasCollisions() }),
	"scene.light-marks": toggleAction(func(v *Viewport) *bool { return &v.view.Marks.Lights }, (*Viewport).hasLights),
	"scene.back-faces":  toggleAction(func(v *Viewport) *bool { return &v.view.BackFaces }, nil),
	"scene.uv": {IsEnabled: (*Viewport).hasTriangles, IsChecked: func(v *Viewport) bool { return v.unwrap.enabled },
		Do: func(v *Viewport) { v.unwrap.toggle() }},
	"scene.frame-rate": {IsChecked: func(v *Viewport) bool { return v.rate.enabled }, Do: func(v *Viewport) {
		v.rate = rate{enabled: !v.rate.enabled}
		v.redraw(false)
	}},
	"scene.legend": {IsChecked: func(v *Viewport) bool { return !v.legend.disabled }, Do: func(v *Viewport) {
		v.legend.disabled = !v.legend.disabled
		v.picture.Refresh()
	}},
	"scene.lights":     lightsAction(render.SceneLights),
	"scene.head-light": lightsAction(render.HeadLight),
	"scene.background": {Submenu: func(*Viewport) []item {
		var all []item
		for _, name := range Backgrounds {
			all = append(all, item{Label: name, Action: action{
				IsChecked: func(v *Viewport) bool { return v.tools.background == name },
				Do: func(v *Viewport) {
					Background.Save(name)
					v.SetBackground(name)
				}}})
		}
		return all
	}},
}

var sceneActions = map[command.ID]action{
	"scene.hide":     {IsEnabled: (*Viewport).canHide, Do: (*Viewport).hide},
	"scene.isolate":  {IsEnabled: (*Viewport).canHide, Do: (*Viewport).isolate},
	"scene.show-all": {IsEnabled: (*Viewport).hasHiddenPieces, Do: (*Viewport).showAll},
	"scene.select-mesh": {IsEnabled: func(v *Viewport) bool { return v.widerSelection().Node != nil },
		Do: func(v *Viewport) { v.SelectPiece(v.widerSelection()) }},
	"scene.undrawn": {InMenu: func(v *Viewport) bool { return v.model != nil && v.model.HasUndrawn() },
		IsChecked: func(v *Viewport) bool { return v.showsUndrawn },
		Do: func(v *Viewport) {
			v.showsUndrawn = !v.showsUndrawn
			v.describe()
			v.applyHidden()
		}},
	"scene.slots": {InMenu: func(v *Viewport) bool { return len(v.slots()) > 0 }, Submenu: (*Viewport).slotItems},
	"scene.assign": {IsEnabled: (*Viewport).canAssign, InMenu: (*Viewport).supportsAssigning,
		Do: func(v *Viewport) { v.Assign() }},
	"scene.unassign": {IsEnabled: (*Viewport).canUnassign, InMenu: (*Viewport).canUnassign,
		Do: func(v *Viewport) { v.Assigner.Remove(v.model.Scene(), v.targets()) }},
	"scene.technique": {InMenu: func(v *Viewport) bool { return len(v.techniques()) > 0 },
		Submenu: (*Viewport).techniqueItems},
	"scene.previous-slot": {Do: func(v *Viewport) { v.unwrap.stepPart(-1) }},
	"scene.next-slot":     {Do: func(v *Viewport) { v.unwrap.stepPart(1) }},
	"scene.y-up": {IsChecked: func(v *Viewport) bool { return !v.zUp },
		Do: func(v *Viewport) { v.chooseUp(false) }},
	"scene.z-up": {IsChecked: func(v *Viewport) bool { return v.zUp }, Do: func(v *Viewport) { v.chooseUp(!v.zUp) }},
	"scene.save": {Submenu: (*Viewport).saveItems},
	"scene.problems": {InMenu: func(v *Viewport) bool { return v.model != nil && len(v.Problems()) > 0 },
		Name: func(v *Viewport) string { return host.Count(int64(len(v.Problems())), "Problem") + "…" },
		Do: func(v *Viewport) {
			v.host.Explain("Problems of the Scene", strings.Join(v.Problems(), "\n"))
		}},
}

var playActions = map[command.ID]action{
	"scene.play":           {Do: func(v *Viewport) { v.play.toggle() }},
	"scene.previous-frame": {Do: func(v *Viewport) { v.play.stepFrame(-1) }},
	"scene.next-frame":     {Do: func(v *Viewport) { v.play.stepFrame(1) }},
	"scene.previous-key":   {Do: func(v *Viewport) { v.play.stepKey(-1) }},
	"scene.next-key":       {Do: func(v *Viewport) { v.play.stepKey(1) }},
	"scene.loop": {IsChecked: func(v *Viewport) bool { return !v.play.stopsAtEnd },
		Do: func(v *Viewport) { v.play.setSpeed(v.play.speed, !v.play.stopsAtEnd) }},
	"scene.speed": {Submenu: func(*Viewport) []item { return speedItems() }},
}

func speedItems() (items []item) {
	for _, f := range speeds {
		items = append(items, item{Label: fmt.Sprintf("%g×", f), Action: action{
			IsChecked: func(v *Viewport) bool { return v.play.speed == f },
			Do:        func(v *Viewport) { v.play.setSpeed(f, v.play.stopsAtEnd) }}})
	}
	return items
}

// cameraItems returns the cameras of the scene.
func (v *Viewport) cameraItems() (items []item) {
	const maxItems = 40
	all := v.cameras()
	for _, n := range all[:min(len(all), maxItems)] {
		items = append(items, item{Label: n.Name, Action: action{
			IsChecked: func(v *Viewport) bool { return v.view.Camera == n },
			Do:        func(v *Viewport) { v.useCamera(n) }}})
	}
	return append(items, item{Label: "Next Camera", Line: true, Action: action{Do: (*Viewport).nextCamera}})
}

// slots returns the material slots of the selected node.
func (v *Viewport) slots() []render.Slot {
	if v.model == nil || v.view.Marks.Selected == nil {
		return nil
	}
	return v.model.Slots(v.view.Marks.Selected)
}

func (v *Viewport) slotItems() (items []item) {
	const maxItems = 40
	all := v.slots()
	for i, s := range all[:min(len(all), maxItems)] {
		items = append(items, item{Label: fmt.Sprintf("%d  %s", i, slotName(s)), Action: action{
			Do: func(v *Viewport) { v.unwrap.open(v.view.Marks.Selected, i) }}})
	}
	return items
}

// hasLights reports whether the scene has lights.
func (v *Viewport) hasLights() bool {
	return v.model != nil &&
		slices.ContainsFunc(v.model.Pose().Nodes, func(n *scene.Node) bool { return n.Light != nil })
}

// hasTriangles reports whether the scene has triangles.
func (v *Viewport) hasTriangles() bool { return v.model != nil && v.model.Triangles() > 0 }

// hasJoints reports whether the scene has joints.
func (v *Viewport) hasJoints() bool { return v.model != nil && len(v.model.Joints()) > 0 }
