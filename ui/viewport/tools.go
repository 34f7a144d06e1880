package viewport

import (
	"image"
	"image/color"
	"image/png"
	"math"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model/render"
	"assay/ui/hinted"
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
	t.row = newToolRow(t, hinted.NewButton(theme.ZoomFitIcon(), "Frame all (A)", v.host.Tell, v.FrameAll),
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
		fyne.NewMenuItemSeparator(),
		checked(item("Orthographic", "5", func() { v.rune('5') }), v.camera.Orthographic),
		checked(item("Turntable", "T", v.turntable), v.turning),
		item("Full Window", "F11", func() { v.key(&fyne.KeyEvent{Name: fyne.KeyF11}) }),
	}
	if cameras := t.cameras(); len(cameras) > 0 {
		list := fyne.NewMenuItem("Cameras of the Scene", nil)
		list.ChildMenu = fyne.NewMenu("", cameras...)
		items = append(items, fyne.NewMenuItemSeparator(), list)
	}
	return items
}

// cameras are those of the scene.
func (t *tools) cameras() (items []*fyne.MenuItem) {
	const most = 40
	v := t.view
	if v.model == nil {
		return nil
	}
	for _, n := range v.model.Pose().Nodes {
		if n.Camera == nil || len(items) == most {
			continue
		}
		items = append(items, checked(fyne.NewMenuItem(n.Name, func() {
			v.camera.Camera = n
			v.redraw(false)
		}), v.camera.Camera == n))
	}
	return items
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
	items := []*fyne.MenuItem{
		item("Hide Selection", "H", v.hide), item("Isolate Selection", "I", v.isolate),
		item("Show All", "Shift+H", v.showAll),
		fyne.NewMenuItemSeparator(),
		checked(fyne.NewMenuItem("Y Is Up", func() { v.chooseUp(false) }), !v.zUp),
		checked(fyne.NewMenuItem("Z Is Up", func() { v.chooseUp(true) }), v.zUp),
		fyne.NewMenuItemSeparator(),
	}
	save := fyne.NewMenuItem("Save Picture", nil)
	save.ChildMenu = fyne.NewMenu("", fyne.NewMenuItem("As Seen…", func() { t.save(1, false) }),
		fyne.NewMenuItem("Twice as Large…", func() { t.save(2, false) }),
		fyne.NewMenuItem("Four Times as Large…", func() { t.save(4, false) }),
		fyne.NewMenuItem("Transparent…", func() { t.save(1, true) }),
		fyne.NewMenuItem("Transparent, Twice as Large…", func() { t.save(2, true) }))
	return append(items, save)
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
	const most = 8192
	v := t.view
	view, size := v.camera, v.canvas.pixels().Mul(times)
	if size.X > most || size.Y > most {
		size = image.Pt(min(size.X, most), min(size.Y, most))
	}
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
