package viewport

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/notice"
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

// item is a command with its key.
func item(text, key string, on func()) *fyne.MenuItem {
	if key != "" {
		text += "   (" + key + ")"
	}
	return fyne.NewMenuItem(text, on)
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
		behind("Grey", &color.NRGBA{128, 128, 128, 255}), behind("White", &color.NRGBA{255, 255, 255, 255}))
	var items []*fyne.MenuItem
	for i, name := range surfaces {
		s := render.Surface(i)
		items = append(items, checked(fyne.NewMenuItem(name, func() { t.show(s) }), v.camera.Surface == s))
	}
	if joints := t.joints(); v.camera.Surface == render.Weights && len(joints) > 0 {
		list := fyne.NewMenuItem("Joint", nil)
		list.ChildMenu = fyne.NewMenu("", joints...)
		items = append(items, list)
	}
	return append(items, fyne.NewMenuItemSeparator(),
		mark("Grid", "G", &m.Grid), mark("Axes", "", &m.Axes), mark("Wireframe", "W", &m.Wireframe),
		mark("Vertex Normals", "", &m.Normals),
		mark("Bounds", "", &m.Bounds), mark("Skeleton", "B", &m.Skeleton), mark("Joint Names", "", &m.Names),
		mark("Back Faces", "", &v.camera.BackFaces),
		checked(item("UV Layout", "U", v.unwrap.toggle), v.unwrap.on),
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
	items := append(v.NodeItems(), fyne.NewMenuItemSeparator(),
		checked(fyne.NewMenuItem("Y Is Up", func() { v.chooseUp(false) }), !v.zUp),
		checked(fyne.NewMenuItem("Z Is Up", func() { v.chooseUp(true) }), v.zUp),
		fyne.NewMenuItemSeparator())
	save := fyne.NewMenuItem("Save Picture", nil)
	save.ChildMenu = fyne.NewMenu("")
	for _, transparent := range []bool{false, true} {
		for _, times := range []int{1, 2, 4} {
			size := t.pictureSize(times)
			text := fmt.Sprintf("%d × %d…", size.X, size.Y)
			if transparent {
				text = "Transparent, " + text
			}
			save.ChildMenu.Items = append(save.ChildMenu.Items,
				fyne.NewMenuItem(text, func() { t.save(times, transparent) }))
		}
	}
	if items = append(items, save); v.model != nil {
		if n := len(v.problems()); n > 0 {
			items = append(items, fyne.NewMenuItem(wording.Count(int64(n), "Problem")+"…", v.showProblems))
		}
	}
	return items
}

// NodeItems are what can be done with the selected node.
func (v *Viewport) NodeItems() []*fyne.MenuItem {
	items := []*fyne.MenuItem{
		item("Hide Selection", "H", v.hide), item("Isolate Selection", "I", v.isolate),
		item("Show All", "Shift+H", v.showAll),
	}
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

// pictureSize is the size of a picture that is so many times as large as what is seen.
func (t *tools) pictureSize(times int) image.Point {
	const most = 8192
	size := t.view.canvas.pixels().Mul(times)
	return image.Pt(min(size.X, most), min(size.Y, most))
}

// showProblems lists what is not seen as the file has it.
func (v *Viewport) showProblems() {
	w := windowOf(v.canvas)
	if w == nil {
		return
	}
	text := widget.NewLabel(strings.Join(v.problems(), "\n"))
	text.Wrapping, text.Selectable = fyne.TextWrapWord, true
	d := dialog.NewCustom("Problems of the scene", "Close", container.NewVScroll(text), w)
	size := w.Canvas().Size()
	d.Resize(fyne.NewSize(min(560, size.Width*.9), min(320, size.Height*.9)))
	d.Show()
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
func (v *Viewport) turntable() {
	if v.turning = !v.turning; !v.turning {
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

// save asks for a file and draws the view into it.
func (t *tools) save(times int, transparent bool) {
	v := t.view
	w := windowOf(v.canvas)
	if w == nil || v.model == nil {
		return
	}
	d := dialog.NewFileSave(func(out fyne.URIWriteCloser, err error) {
		if err != nil || out == nil {
			return
		}
		t.write(out, times, transparent)
	}, w)
	name := v.model.Scene().Name
	if name == "" {
		name = "scene"
	}
	d.SetFileName(name + ".png")
	d.Show()
}

// write draws the view as it is and writes it as PNG. The model is drawn by the drawer's loop only: it takes this
// between two pictures.
func (t *tools) write(out fyne.URIWriteCloser, times int, transparent bool) {
	v := t.view
	view, size := v.camera, t.pictureSize(times)
	view.Marks.Selected = nil
	if view.Background = v.background(); transparent {
		view.Background = color.NRGBA{}
	}
	ctx := v.group.Context()
	v.change(func(m *render.Model) {
		img := image.NewNRGBA(image.Rectangle{Max: size})
		r := render.Renderer{Samples: 3, Soft: true}
		err := r.Draw(ctx, img, m, view)
		if err == nil {
			err = png.Encode(out, img)
		}
		if e := out.Close(); err == nil {
			err = e
		}
		v.group.Show(ctx, func() {
			if err != nil {
				v.host.Notify(notice.Notice{Level: notice.Error, Text: wording.Sentence(err)})
				return
			}
			v.host.Tell("Saved " + out.URI().Name())
		})
	})
}

// windowOf is the window that an object is in.
func windowOf(o fyne.CanvasObject) fyne.Window {
	d := fyne.CurrentApp().Driver()
	c := d.CanvasForObject(o)
	for _, w := range d.AllWindows() {
		if w.Canvas() == c {
			return w
		}
	}
	return nil
}
