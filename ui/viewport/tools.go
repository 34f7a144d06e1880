package viewport

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/command"
	"assay/ui/work"
)

// tools is the row of buttons over the picture.
type tools struct {
	view       *Viewport
	bar        fyne.CanvasObject
	background *color.NRGBA // nil for the window's
	turn       *work.Lane
	row        *toolRow
	animation  *toolMenu
}

var surfaces = []string{"Materials", "Clay", "Normals", "Joint Weights"}

func newTools(v *Viewport) *tools {
	t := &tools{view: v, turn: v.group.Lane()}
	t.animation = t.menu("Animation", func() []*fyne.MenuItem { return v.play.items() })
	t.animation.wanted = false
	t.row = newToolRow(t, v.button("scene.frame-all", theme.ZoomFitIcon()),
		t.menu("View", v.items(command.ViewTools)),
		t.menu("Show", func() []*fyne.MenuItem {
			return append(v.surfaceItems(), v.items(command.ShowTools)()...)
		}), t.menu("Scene", v.items(command.SceneTools)), t.animation)
	t.bar = t.row.row
	return t
}

// menu makes a button that opens a menu below itself.
func (t *tools) menu(name string, items func() []*fyne.MenuItem) *toolMenu {
	m := &toolMenu{items: items, wanted: true}
	m.Button = widget.NewButton(name, func() { t.open(m.Button, items()) })
	m.Importance = widget.LowImportance
	return m
}

// open opens a menu below a button.
func (t *tools) open(below fyne.CanvasObject, items []*fyne.MenuItem) {
	t.view.canvas.focus() // has the keys again when the menu is closed
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(below)
	t.view.host.Menu(fyne.NewMenu("", items...), at.AddXY(0, below.Size().Height))
}

// show chooses what is shown of surfaces.
func (v *Viewport) show(s render.Surface) {
	v.camera.Surface = s
	if s == render.Weights {
		v.camera.Marks.Skeleton = true
		if v.camera.Joint == nil && v.model != nil {
			v.camera.Joint = v.model.Heaviest()
		}
	}
	v.describe()
	v.redraw(false)
}

// items makes the items of a menu of the scene.
func (v *Viewport) items(menu string) func() []*fyne.MenuItem {
	return func() []*fyne.MenuItem { return v.commands.Menu(menu, v, func() *Viewport { return v }).Items }
}

func checked(m *fyne.MenuItem, is bool) *fyne.MenuItem {
	m.Checked = is
	return m
}

// cameras are the nodes of the scene that have one.
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

// through looks through a camera of the scene.
func (v *Viewport) through(n *scene.Node) {
	v.camera.Camera = n
	v.describe()
	v.redraw(false)
}

// nextCamera looks through the camera after the present one.
func (v *Viewport) nextCamera() {
	if all := v.cameras(); len(all) > 0 {
		v.through(all[(slices.Index(all, v.camera.Camera)+1)%len(all)])
	}
}

// NodeItems are what can be done with the selected node from elsewhere, where the keys of the picture do not work.
func (v *Viewport) NodeItems() []*fyne.MenuItem {
	items := v.commands.Items(v, "scene.hide", "scene.isolate", "scene.show-all")
	for i, label := range []string{"Hide in Preview", "Isolate in Preview", "Show All in Preview"} {
		items[i].Label, items[i].Shortcut = label, nil
	}
	if v.canUnassign() {
		items = append(items, v.commands.Items(v, "scene.unassign")...)
	}
	if len(v.slots()) > 0 {
		items = append(items, v.commands.Items(v, "scene.slots")...)
	}
	return items
}

// slotName is the material of a part and its texture.
func slotName(s render.Slot) string {
	name := cmp.Or(s.Material, "No material")
	if s.Texture != "" {
		name += " · " + s.Texture
	}
	return model.OneLine(name, nameMost)
}

// openMenu opens the commands for what is under the pointer.
func (v *Viewport) openMenu(at fyne.Position) {
	if v.model != nil {
		items := append(v.items(command.SceneTools)(), fyne.NewMenuItemSeparator())
		items = append(items, v.commands.Items(v, "scene.frame-selection", "scene.frame-all")...)
		v.host.Menu(fyne.NewMenu("", items...), at)
	}
}

// setTurning has the model turn by itself, or stops it.
func (v *Viewport) setTurning(on bool) {
	if v.turning == on {
		return
	}
	if v.turning = on; !on {
		v.tools.turn.Stop()
		v.redraw(true)
		return
	}
	v.unlockCamera()
	v.every(v.tools.turn, func(by time.Duration) {
		if !v.turning || v.model == nil {
			v.tools.turn.Stop()
			return
		}
		v.camera.Yaw += by.Seconds() * math.Pi / 4
		v.redraw(false)
	})
}
