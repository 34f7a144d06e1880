package viewport

import (
	"cmp"
	"context"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/render"
	"assay/ui/command"
	"assay/ui/control"
	"assay/ui/paint"
	"assay/ui/work"
)

// tools is the row of buttons over the picture.
type tools struct {
	viewport   *Viewport
	bar        fyne.CanvasObject
	background string // one of Backgrounds
	turn       *work.Lane
	row        *toolRow
	animation  *toolMenu
}

var surfaceNames = [...]string{render.Textured: "Materials", render.Clay: "Clay", render.Normals: "Normals",
	render.Weights: "Joint Weights"}

func newTools(v *Viewport) *tools {
	t := &tools{viewport: v, turn: v.group.Lane(), background: Backgrounds[0]}
	Background.Load(&t.background)
	t.animation = t.menu("Animation", func() []*fyne.MenuItem { return v.play.items() })
	t.animation.hasItems = false
	t.row = newToolRow(t, v.button("scene.frame-all", theme.ZoomFitIcon()),
		t.menu("View", v.itemsOf(command.ViewTools)),
		t.menu("Show", func() []*fyne.MenuItem {
			return append(v.surfaceItems(), v.itemsOf(command.ShowTools)()...)
		}), t.menu("Scene", v.itemsOf(command.SceneTools)), t.animation)
	t.bar = t.row.row
	return t
}

// menu makes a button with a menu below it.
func (t *tools) menu(name string, items func() []*fyne.MenuItem) *toolMenu {
	m := &toolMenu{items: items, hasItems: true}
	m.Button = control.NewButton((*toolHost)(t.viewport).Key, name, theme.MenuDropDownIcon(),
		func() { t.open(m.Button, items()) })
	m.Importance, m.IconPlacement = widget.LowImportance, widget.ButtonIconTrailingText
	return m
}

func (t *tools) open(anchor fyne.CanvasObject, items []*fyne.MenuItem) {
	t.viewport.canvas.focus() // the focus after the menu is closed
	pos := fyne.CurrentApp().Driver().AbsolutePositionForObject(anchor)
	t.viewport.host.Menu(fyne.NewMenu("", items...), pos.AddXY(0, anchor.Size().Height))
}

// showSurface selects how surfaces are displayed.
func (v *Viewport) showSurface(s render.Surface) {
	v.view.Surface = s
	if s == render.Weights {
		v.view.Marks.Skeleton = true
		if v.view.Joint == nil && v.model != nil {
			v.view.Joint = v.model.HeaviestJoint()
		}
	}
	v.describe()
	v.redraw(false)
}

// itemsOf returns a func that makes the items of a menu of the scene.
func (v *Viewport) itemsOf(menu string) func() []*fyne.MenuItem {
	return func() []*fyne.MenuItem { return v.commands.Menu(menu, v, func() *Viewport { return v }).Items }
}

func checked(m *fyne.MenuItem, ok bool) *fyne.MenuItem {
	m.Checked = ok
	return m
}

// NodeItems returns the commands for the selected node for menus outside of the picture, where its keys do not work.
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

// slotName returns the name of the material of a part and its texture.
func slotName(s render.Slot) string {
	name := cmp.Or(s.Material, "No material")
	if s.Texture != "" {
		name += " · " + s.Texture
	}
	return model.OneLine(name, maxName)
}

// openMenu opens the menu of the item under the pointer.
func (v *Viewport) openMenu(pos fyne.Position) {
	if v.model != nil {
		items := append(v.itemsOf(command.SceneTools)(), fyne.NewMenuItemSeparator())
		items = append(items, v.commands.Items(v, "scene.frame-selection", "scene.frame-all")...)
		v.host.Menu(fyne.NewMenu("", items...), pos)
	}
}

// toolHost is the host of the viewport's buttons.
type toolHost Viewport

// Key runs the command of a key in the picture.
func (r *toolHost) Key(k *fyne.KeyEvent, _ bool) bool {
	(*Viewport)(r).key(k)
	return true
}

func (r *toolHost) ShowHint(text string) { (*Viewport)(r).hint(text) }

type toolMenu struct {
	*control.Button
	items    func() []*fyne.MenuItem
	hasItems bool // the menu has items
}

// toolRow is the layout of a tool, the menus after it, and switches. Menus that do not fit are in the menu of the last
// button, which is hidden otherwise; switches that do not fit are hidden.
type toolRow struct {
	first    fyne.CanvasObject
	menus    []*toolMenu
	overflow *control.Button
	switches []*toggle
	row      *fyne.Container
}

func newToolRow(t *tools, first fyne.CanvasObject, menus ...*toolMenu) *toolRow {
	r := &toolRow{first: first, menus: menus}
	r.overflow = control.NewIcon((*toolHost)(t.viewport), theme.MoreHorizontalIcon(), "More", func() {
		t.open(r.overflow, r.hiddenMenus())
	})
	r.overflow.Hide()
	r.switches = t.toggles()
	all := []fyne.CanvasObject{first}
	for _, m := range menus {
		all = append(all, m.Button)
	}
	all = append(all, r.overflow)
	for _, s := range r.switches {
		all = append(all, s.Button)
	}
	r.row = container.New(r, all...)
	return r
}

// hiddenMenus returns the menus without a visible button.
func (r *toolRow) hiddenMenus() (items []*fyne.MenuItem) {
	for _, m := range r.menus {
		if m.hasItems && !m.Visible() {
			item := fyne.NewMenuItem(m.Text, nil)
			item.ChildMenu = fyne.NewMenu("", m.items()...)
			items = append(items, item)
		}
	}
	return items
}

// setHasItems adds a menu to the row, or removes it.
func (r *toolRow) setHasItems(m *toolMenu, hasItems bool) {
	if m.hasItems != hasItems {
		m.hasItems = hasItems
		r.row.Refresh()
	}
}

func (r *toolRow) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	x := float32(0)
	place := func(o fyne.CanvasObject) {
		w := o.MinSize().Width
		o.Move(fyne.NewPos(x, 0))
		o.Resize(fyne.NewSize(w, s.Height))
		x += w
	}
	place(r.first)
	available := s.Width
	if r.fullWidth() > available {
		available -= r.overflow.MinSize().Width
	}
	overflows := false
	for _, m := range r.menus {
		overflows = overflows || m.hasItems && x+m.MinSize().Width > available
		if paint.SetVisible(m.Button, m.hasItems && !overflows); m.Visible() {
			place(m.Button)
		}
	}
	if paint.SetVisible(r.overflow, overflows); overflows {
		place(r.overflow)
	}
	x += theme.Padding() * 4
	for _, s := range r.switches {
		visible := s.Enabled(s.viewport)
		overflows = overflows || visible && x+s.MinSize().Width > available
		s.wasEnabled = visible
		if paint.SetVisible(s.Button, visible && !overflows); s.Visible() {
			place(s.Button)
		}
	}
}

// updateStates updates the states of the switches, and hides those without effect on the scene.
func (r *toolRow) updateStates() {
	changed := false
	for _, s := range r.switches {
		s.updateState()
		changed = changed || s.Enabled(s.viewport) != s.wasEnabled
	}
	if changed {
		r.row.Refresh()
	}
}

// fullWidth returns the width with all menus.
func (r *toolRow) fullWidth() float32 {
	w := r.first.MinSize().Width
	for _, m := range r.menus {
		if m.hasItems {
			w += m.MinSize().Width
		}
	}
	return w
}

func (r *toolRow) MinSize([]fyne.CanvasObject) fyne.Size {
	first, overflow := r.first.MinSize(), r.overflow.MinSize()
	return fyne.NewSize(first.Width+overflow.Width, max(first.Height, r.menus[0].MinSize().Height))
}

// button makes the small button of a command; a click returns the focus to the picture.
func (v *Viewport) button(id command.ID, icon fyne.Resource) *control.Button {
	return control.NewTool((*toolHost)(v), icon, v.commands.Keys.HintOf(id), func() {
		v.canvas.focus()
		v.commands.Run(id, v)
	})
}

// eachFrame calls step on the UI thread for each frame of the screen, until the lane is stopped.
func (v *Viewport) eachFrame(lane *work.Lane, step func(elapsed time.Duration)) {
	if v.group.IsInline() {
		step(frameTime)
		return
	}
	lane.Go(func(ctx context.Context) func() {
		t := time.NewTicker(frameTime)
		defer t.Stop()
		var waiting atomic.Bool
		last := time.Now()
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-t.C:
			}
			if !waiting.CompareAndSwap(false, true) {
				continue
			}
			now := time.Now()
			elapsed := now.Sub(last)
			last = now
			v.group.Do(ctx, func() {
				waiting.Store(false)
				step(elapsed)
			})
		}
	})
}

// surfaceItems returns the ways to display surfaces, and the joints with weights that can be displayed.
func (v *Viewport) surfaceItems() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for i, name := range surfaceNames {
		s := render.Surface(i)
		m := checked(fyne.NewMenuItem(name, func() { v.showSurface(s) }), v.view.Surface == s)
		m.Disabled = s == render.Weights && !v.hasJoints()
		items = append(items, m)
	}
	if joints := v.jointItems(); v.view.Surface == render.Weights && len(joints) > 0 {
		list := fyne.NewMenuItem("Joint", nil)
		list.ChildMenu = fyne.NewMenu("", joints...)
		items = append(items, list)
	}
	return append(items, fyne.NewMenuItemSeparator())
}

func (v *Viewport) jointItems() (items []*fyne.MenuItem) {
	const maxItems = 60
	if v.model == nil {
		return nil
	}
	all := v.model.Joints()
	for _, i := range all[:min(len(all), maxItems)] {
		n := v.model.Pose().Nodes[i]
		items = append(items, checked(fyne.NewMenuItem(n.Name, func() {
			v.view.Joint = n
			v.describe()
			v.redraw(false)
		}), v.view.Joint == n))
	}
	return items
}

// toggle is a button that switches a setting, and displays its state.
type toggle struct {
	*control.Button
	action
	viewport   *Viewport
	wasEnabled bool // the button was enabled when the row was laid out
}

// toggles returns the switches beside the menus; all of them are in the menus, too.
func (t *tools) toggles() []*toggle {
	var all []*toggle
	for _, c := range command.All() {
		if c.Scope == command.Scene && c.Tool != "" {
			button := &toggle{Button: t.viewport.button(c.ID, nil), action: t.viewport.commands.Actions[c.ID],
				viewport: t.viewport}
			button.SetText(c.Tool)
			all = append(all, button)
		}
	}
	return all
}

func (t *toggle) updateState() {
	importance := widget.LowImportance
	if t.IsChecked(t.viewport) {
		importance = widget.HighImportance
	}
	if t.Importance != importance {
		t.Importance = importance
		t.Refresh()
	}
}
