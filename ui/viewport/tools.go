package viewport

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/wording"
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

var surfaces = []string{"Materials", "Clay", "Normals", "Weights of a Joint"}

func newTools(v *Viewport) *tools {
	t := &tools{view: v, turn: v.group.Lane()}
	t.animation = t.menu("Animation", func() []*fyne.MenuItem { return v.play.items() })
	t.animation.wanted = false
	t.row = newToolRow(t, v.button(theme.ZoomFitIcon(), "Frame all (A)", v.FrameAll),
		t.menu("View", t.viewItems), t.menu("Show", t.showItems), t.menu("Scene", t.sceneItems), t.animation)
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
func (t *tools) show(s render.Surface) {
	v := t.view
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

// shortcut is a key that does something while the picture has the keyboard: menus show it.
type shortcut string

// ShortcutName is called by Fyne.
func (s shortcut) ShortcutName() string { return string(s) }

// String returns the key as menus show it.
func (s shortcut) String() string { return string(s) }

// item is a command with its key.
func item(text, key string, on func()) *fyne.MenuItem {
	m := fyne.NewMenuItem(text, on)
	if key != "" {
		m.Shortcut = shortcut(key)
	}
	return m
}

func enabled(m *fyne.MenuItem, can bool) *fyne.MenuItem {
	m.Disabled = !can
	return m
}

func checked(m *fyne.MenuItem, is bool) *fyne.MenuItem {
	m.Checked = is
	return m
}

// viewItems are the ways to look at the scene.
func (t *tools) viewItems() []*fyne.MenuItem {
	v := t.view
	items := []*fyne.MenuItem{
		item("Frame All", "A", v.FrameAll), item("Frame Selection", "F", v.FrameSelection),
		item("Reset View", "Home", v.reset),
		fyne.NewMenuItemSeparator(),
		item("Front", "1", func() { v.look(0, 0) }), item("Right", "3", func() { v.look(math.Pi/2, 0) }),
		item("Top", "7", func() { v.look(0, math.Pi/2) }), item("Back", "", func() { v.look(math.Pi, 0) }),
		item("Left", "", func() { v.look(-math.Pi/2, 0) }), item("Bottom", "", func() { v.look(0, -math.Pi/2) }),
		item("Opposite Side", "9", func() { v.rune('9') }),
		fyne.NewMenuItemSeparator(),
		checked(item("Orthographic", "5", func() { v.rune('5') }), v.camera.Orthographic),
		checked(item("Turntable", "T", v.turntable), v.turning),
		item("Full Window", "F11", func() { v.key(&fyne.KeyEvent{Name: fyne.KeyF11}) }),
	}
	if cameras := t.cameras(); len(cameras) > 0 {
		list := fyne.NewMenuItem("Cameras of the Scene", nil)
		list.ChildMenu = fyne.NewMenu("", append(cameras, fyne.NewMenuItemSeparator(),
			item("Next Camera", "0", v.nextCamera))...)
		items = append(items, fyne.NewMenuItemSeparator(), list)
	}
	return items
}

// cameras are those of the scene.
func (t *tools) cameras() (items []*fyne.MenuItem) {
	const most = 40
	v := t.view
	for _, n := range v.cameras() {
		if len(items) == most {
			break
		}
		items = append(items, checked(fyne.NewMenuItem(n.Name, func() { v.through(n) }), v.camera.Camera == n))
	}
	return items
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

// showItems are what can be seen beside the model itself.
func (t *tools) showItems() []*fyne.MenuItem {
	v := t.view
	m := &v.camera.Marks
	mark := func(text, key string, on *bool) *fyne.MenuItem {
		return checked(item(text, key, func() {
			*on = !*on
			v.describe()
			v.redraw(false)
		}), *on)
	}
	behind := func(text string, c *color.NRGBA) *fyne.MenuItem {
		return checked(fyne.NewMenuItem(text, func() {
			t.background = c
			v.redraw(false)
		}), t.background == c || c != nil && t.background != nil && *c == *t.background)
	}
	back := fyne.NewMenuItem("Background", nil)
	back.ChildMenu = fyne.NewMenu("", behind("Of the Window", nil), behind("Black", &color.NRGBA{A: 255}),
		behind("Gray", &color.NRGBA{128, 128, 128, 255}), behind("White", &color.NRGBA{255, 255, 255, 255}))
	var items []*fyne.MenuItem
	for i, name := range surfaces {
		s := render.Surface(i)
		items = append(items, enabled(checked(fyne.NewMenuItem(name, func() { t.show(s) }), v.camera.Surface == s),
			s != render.Weights || v.jointed()))
	}
	if joints := t.joints(); v.camera.Surface == render.Weights && len(joints) > 0 {
		list := fyne.NewMenuItem("Joint", nil)
		list.ChildMenu = fyne.NewMenu("", joints...)
		items = append(items, list)
	}
	return append(items, fyne.NewMenuItemSeparator(),
		mark("Grid", "G", &m.Grid), mark("Axes", "", &m.Axes), mark("Wireframe", "W", &m.Wireframe),
		mark("Vertex Normals", "", &m.Normals),
		mark("Bounds", "", &m.Bounds), enabled(mark("Skeleton", "B", &m.Skeleton), v.jointed()),
		enabled(checked(item("Joint Names", "N", v.toggleNames), m.Skeleton && m.Names), v.jointed()),
		mark("Back Faces", "", &v.camera.BackFaces),
		checked(item("UV Layout", "U", v.unwrap.toggle), v.unwrap.on),
		checked(item("Legend", "L", v.toggleLegend), !v.legend.off),
		fyne.NewMenuItemSeparator(),
		checked(fyne.NewMenuItem("Lights of the Scene", func() { t.light(render.SceneLights) }),
			v.camera.Lights == render.SceneLights),
		checked(fyne.NewMenuItem("Head Light", func() { t.light(render.HeadLight) }),
			v.camera.Lights == render.HeadLight),
		fyne.NewMenuItemSeparator(), back)
}

// joints are those whose weights can be shown.
func (t *tools) joints() (items []*fyne.MenuItem) {
	const most = 60
	v := t.view
	if v.model == nil {
		return nil
	}
	all := v.model.Joints()
	for _, i := range all[:min(len(all), most)] {
		n := v.model.Pose().Nodes[i]
		items = append(items, checked(fyne.NewMenuItem(n.Name, func() {
			v.camera.Joint = n
			v.describe()
			v.redraw(false)
		}), v.camera.Joint == n))
	}
	return items
}

func (t *tools) light(l render.Lights) {
	t.view.camera.Lights = l
	t.view.redraw(false)
}

// sceneItems are what can be done with the scene and what is selected in it.
func (t *tools) sceneItems() []*fyne.MenuItem {
	v := t.view
	can := v.canHide()
	items := append([]*fyne.MenuItem{
		enabled(item("Hide Selection", "H", v.hide), can),
		enabled(item("Isolate Selection", "I", v.isolate), can),
		enabled(item("Show All", "Shift+H", v.showAll), v.hides()),
	}, v.slotItems()...)
	items = append(items, fyne.NewMenuItemSeparator(),
		checked(fyne.NewMenuItem("Y Is Up", func() { v.chooseUp(false) }), !v.zUp),
		checked(fyne.NewMenuItem("Z Is Up", func() { v.chooseUp(true) }), v.zUp),
		fyne.NewMenuItemSeparator())
	if items = append(items, v.saveItem()); v.model != nil {
		if n := len(v.problems()); n > 0 {
			items = append(items, fyne.NewMenuItem(wording.Count(int64(n), "Problem")+"…", func() {
				v.host.Explain("Problems of the Scene", strings.Join(v.problems(), "\n"))
			}))
		}
	}
	return items
}

// NodeItems are what can be done with the selected node from elsewhere, where the keys of the picture do not work.
func (v *Viewport) NodeItems() []*fyne.MenuItem {
	can := v.canHide()
	return append([]*fyne.MenuItem{
		enabled(fyne.NewMenuItem("Hide in Scene", v.hide), can),
		enabled(fyne.NewMenuItem("Isolate in Scene", v.isolate), can),
		enabled(fyne.NewMenuItem("Show All in Scene", v.showAll), v.hides()),
	}, v.slotItems()...)
}

// slotItems are the material slots of the selected node.
func (v *Viewport) slotItems() (items []*fyne.MenuItem) {
	if v.model == nil || v.camera.Marks.Selected == nil {
		return items
	}
	const most = 40
	slots := fyne.NewMenu("")
	for i, s := range v.model.Slots(v.camera.Marks.Selected) {
		if i == most {
			break
		}
		slots.Items = append(slots.Items, fyne.NewMenuItem(fmt.Sprintf("%d  %s", i, slotName(s)),
			func() { v.unwrap.open(v.camera.Marks.Selected, i) }))
	}
	if len(slots.Items) > 0 {
		list := fyne.NewMenuItem("Material Slots", nil)
		list.ChildMenu = slots
		items = append(items, list)
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
		items := append(v.tools.sceneItems(), fyne.NewMenuItemSeparator(),
			item("Frame Selection", "F", v.FrameSelection), item("Frame All", "A", v.FrameAll))
		v.host.Menu(fyne.NewMenu("", items...), at)
	}
}

// turntable turns the model by itself, or stops it.
func (v *Viewport) turntable() { v.setTurning(!v.turning) }

func (v *Viewport) setTurning(on bool) {
	if v.turning == on {
		return
	}
	if v.turning = on; !on {
		v.tools.turn.Stop()
		v.redraw(true)
		return
	}
	v.loosen()
	v.every(v.tools.turn, func(by time.Duration) {
		if !v.turning || v.model == nil {
			v.tools.turn.Stop()
			return
		}
		v.camera.Yaw += by.Seconds() * math.Pi / 4
		v.redraw(false)
	})
}
