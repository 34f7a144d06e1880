package window

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/ui/doc"
	"assay/ui/hex"
	"assay/ui/look"
	"assay/ui/quick"
)

// action is something that the user can do: an item of a menu, and a line of the list of shortcuts.
type action struct {
	menu  string
	label string
	key   fyne.KeyName
	mod   fyne.KeyModifier
	do    func()
	// needs says that there must be a document in view.
	needs bool
	// typed keys have no modifier, or only Shift: menus cannot hear them.
	typed bool
	// shown is a shortcut that a widget handles itself; it is listed only.
	shown string
	line  bool // a line above it
	sub   func() []*fyne.MenuItem
	// checked is for what is on or off.
	checked func() bool
}

// reopening is the name of a preference.
const reopening = "Reopen Tabs at the Next Start"

const (
	ctrl  = fyne.KeyModifierShortcutDefault
	shift = fyne.KeyModifierShift
	alt   = fyne.KeyModifierAlt
)

// on runs an action on the present document.
func (w *Window) on(do func(p *doc.Pane)) func() {
	return func() {
		if p := w.pane(); p != nil {
			do(p)
		}
	}
}

// makeActions lists everything in the order of the menus.
func (w *Window) makeActions() []action {
	on := w.on
	return w.withExport([]action{
		{menu: "File", label: "Open…", key: fyne.KeyO, mod: ctrl, do: w.AskOpen},
		{menu: "File", label: "Open Recent", sub: w.recentItems},
		{menu: "File", label: "Open Sample", sub: w.sampleItems},
		{menu: "File", label: "Reload", key: fyne.KeyR, mod: ctrl, needs: true, do: func() { w.Reload(w.Present()) }},
		{menu: "File", label: "Show in Folder", key: fyne.KeyE, mod: ctrl | shift, needs: true, do: w.ShowInFolder},
		{menu: "File", label: reopening, do: w.toggleReopening, checked: w.prefs.reopens, line: true},
		{menu: "File", label: "Close Tab", key: fyne.KeyW, mod: ctrl, do: w.closePresent, line: true},
		{menu: "File", label: "Quit", key: fyne.KeyQ, mod: ctrl, do: w.quit},

		{menu: "Edit", label: "Copy Value", shown: "Ctrl+C in the tree", needs: true, do: on((*doc.Pane).CopyValue)},
		{menu: "Edit", label: "Copy Path", key: fyne.KeyC, mod: ctrl | shift, needs: true, do: on((*doc.Pane).CopyPath)},
		{menu: "Edit", label: "Copy Offset", needs: true, do: on((*doc.Pane).CopyOffset)},
		{menu: "Edit", label: "Copy Bytes as", needs: true, sub: w.copyItems},
		{menu: "Edit", label: "Find Bytes…", key: fyne.KeyF, mod: ctrl, needs: true, do: on((*doc.Pane).Find), line: true},
		{menu: "Edit", label: "Find Next", key: fyne.KeyF3, typed: true, needs: true, do: on((*doc.Pane).FindNext)},
		{menu: "Edit", label: "Find Previous", key: fyne.KeyF3, mod: shift, typed: true, needs: true, do: on((*doc.Pane).FindPrevious)},
		{menu: "Edit", label: "Find All", key: fyne.KeyReturn, mod: ctrl, needs: true, do: on((*doc.Pane).FindAll)},
		{menu: "Edit", label: "Filter the Tree", key: fyne.KeyF, mod: ctrl | shift, needs: true, do: on((*doc.Pane).FocusFilter), line: true},

		{menu: "View", label: "Group by", needs: true, sub: w.groupItems},
		{menu: "View", label: "Expand All Below", shown: "Ctrl+Right in the tree", needs: true, do: on((*doc.Pane).ExpandAll)},
		{menu: "View", label: "Collapse All", key: fyne.KeyBackTick, mod: ctrl, needs: true, do: on((*doc.Pane).CollapseAll)},
		{menu: "View", label: "Problems", key: fyne.KeyM, mod: ctrl | shift, needs: true, do: on((*doc.Pane).ToggleProblems)},
		{menu: "View", label: "Bytes per Row", needs: true, sub: w.columnItems, line: true},
		{menu: "View", label: "Larger Text", key: fyne.KeyPlus, mod: ctrl, do: func() { w.resizeText(1) }, line: true},
		{menu: "View", label: "Smaller Text", key: fyne.KeyMinus, mod: ctrl, do: func() { w.resizeText(-1) }},
		{menu: "View", label: "Normal Text", key: fyne.Key0, mod: ctrl, do: func() { w.resizeText(0) }},
		{menu: "View", label: "Theme", sub: w.themeItems},

		{menu: "Go", label: "Quick Open…", key: fyne.KeyP, mod: ctrl, needs: true, do: w.QuickOpen},
		{menu: "Go", label: "Go to Offset…", key: fyne.KeyG, mod: ctrl, needs: true, do: on((*doc.Pane).GoToOffset)},
		{menu: "Go", label: "Follow Link", shown: "Enter on a link", needs: true, do: on((*doc.Pane).Follow)},
		{menu: "Go", label: "Open Asset in a Tab", key: fyne.KeyO, mod: ctrl | shift, needs: true, do: on((*doc.Pane).OpenInside)},
		{menu: "Go", label: "Back", key: fyne.KeyLeft, mod: alt, needs: true, do: on((*doc.Pane).Back), line: true},
		{menu: "Go", label: "Forward", key: fyne.KeyRight, mod: alt, needs: true, do: on((*doc.Pane).Forward)},
		{menu: "Go", label: "Parent", key: fyne.KeyU, mod: ctrl, needs: true, do: on((*doc.Pane).Up)},
		{menu: "Go", label: "Next Tab", key: fyne.KeyTab, mod: ctrl, do: func() { w.turn(1) }, line: true},
		{menu: "Go", label: "Previous Tab", key: fyne.KeyTab, mod: ctrl | shift, do: func() { w.turn(-1) }},
		{menu: "Go", label: "Tree", key: fyne.Key1, mod: ctrl, needs: true, do: on((*doc.Pane).Focus), line: true},
		{menu: "Go", label: "Hex", key: fyne.Key2, mod: ctrl, needs: true, do: on((*doc.Pane).FocusHex)},
		{menu: "Go", label: "Details", key: fyne.Key3, mod: ctrl, needs: true, do: on((*doc.Pane).FocusDetails)},

		{menu: "Help", label: "Shortcuts", key: fyne.KeyF1, typed: true, do: w.ShowShortcuts},
		{menu: "Help", label: "Set as Default Program", do: w.setDefault, line: true},
		{menu: "Help", label: "About Assay", do: w.about},
	})
}

// menus in the order of the bar.
var menus = []string{"File", "Edit", "View", "Go", "Compare", "Help"}

// menu makes the menu bar of the actions.
func (w *Window) menu() *fyne.MainMenu {
	bar := fyne.NewMainMenu()
	for _, name := range menus {
		m := fyne.NewMenu(name)
		for _, a := range w.actions {
			if a.menu != name {
				continue
			}
			if a.line {
				m.Items = append(m.Items, fyne.NewMenuItemSeparator())
			}
			m.Items = append(m.Items, w.item(a))
		}
		bar.Items = append(bar.Items, m)
	}
	return bar
}

// remenu makes the menu bar anew if its lists are about something else than before.
func (w *Window) remenu() {
	of := fmt.Sprint(w.prefs.mode(), w.prefs.reopens(), w.recent)
	if p := w.pane(); p != nil {
		of += fmt.Sprint(p.Groupings(), p.Grouping())
	}
	if of != w.menuOf {
		w.menuOf = of
		w.win.SetMainMenu(w.menu())
	}
}

func (w *Window) item(a action) *fyne.MenuItem {
	item := fyne.NewMenuItem(a.label, w.unlessCovered(a.do))
	if a.sub != nil {
		item.ChildMenu = fyne.NewMenu("", a.sub()...)
		item.Disabled = len(item.ChildMenu.Items) == 0
		return item
	}
	if a.key != "" {
		item.Shortcut = &desktop.CustomShortcut{KeyName: a.key, Modifier: a.mod}
	}
	item.Checked = a.checked != nil && a.checked()
	if a.label == "Quit" {
		item.IsQuit = true
	}
	return item
}

// unlessCovered keeps shortcuts from what lies below a dialog or a list.
func (w *Window) unlessCovered(do func()) func() {
	return func() {
		if do != nil && w.win.Canvas().Overlays().Top() == nil {
			do()
		}
	}
}

// addKeys adds the shortcuts that are no menu's: the second keys of some.
func (w *Window) addKeys() {
	c := w.win.Canvas()
	for _, k := range []struct {
		key fyne.KeyName
		mod fyne.KeyModifier
		do  func()
	}{
		{fyne.KeyEqual, ctrl, func() { w.resizeText(1) }}, {fyne.KeyEqual, ctrl | shift, func() { w.resizeText(1) }},
		{fyne.KeyPlus, ctrl | shift, func() { w.resizeText(1) }}, {fyne.KeyPageDown, ctrl, func() { w.turn(1) }}, {fyne.KeyPageUp, ctrl, func() { w.turn(-1) }},
	} {
		c.AddShortcut(&desktop.CustomShortcut{KeyName: k.key, Modifier: k.mod}, func(fyne.Shortcut) { w.unlessCovered(k.do)() })
	}
}

// key does what a key without a modifier means; false if that is nothing.
func (w *Window) key(ev *fyne.KeyEvent, withShift bool) bool {
	if ev.Name == fyne.KeyEscape && w.exporting.CancelDrag() {
		return true
	}
	mod := fyne.KeyModifier(0)
	if withShift || w.shiftDown() {
		mod = shift
	}
	if w.win.Canvas().Overlays().Top() != nil {
		if ev.Name == fyne.KeyEscape && !w.exporting.Dismiss() && w.dialog != nil {
			w.dialog.Dismiss()
		}
		return true
	}
	if c := w.comparison(); c != nil && ev.Name == fyne.KeyF5 {
		c.Again()
		return true
	}
	if ev.Name == fyne.KeyF5 {
		w.Reload(w.Present())
		return true
	}
	for _, a := range w.actions {
		if a.typed && a.key == ev.Name && a.mod == mod {
			a.do()
			return true
		}
	}
	if w.win.Canvas().Focused() == nil && (ev.Name == fyne.KeyDown || ev.Name == fyne.KeyUp) {
		if t := w.Present(); t != nil {
			t.Focus()
		}
		return true
	}
	return false
}

// shiftDown asks the driver for the shift key: key events carry no modifiers.
func (w *Window) shiftDown() bool {
	d, ok := w.app.Driver().(desktop.Driver)
	return ok && d.CurrentKeyModifiers()&shift != 0
}

func (w *Window) closePresent() {
	if w.present < 0 {
		w.quit()
		return
	}
	w.CloseTab(w.present)
}

// turn shows the next tab, or the one before.
func (w *Window) turn(by int) {
	if n := len(w.all); n > 0 {
		w.Show((w.present + by + n) % n)
	}
}

func (w *Window) sampleItems() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, s := range w.options.Samples {
		items = append(items, fyne.NewMenuItem(s.Name, func() { w.OpenSample(s) }))
	}
	return items
}

func (w *Window) copyItems() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, f := range hex.Forms() {
		items = append(items, fyne.NewMenuItem(f.String(), w.on(func(p *doc.Pane) { p.CopyBytes(f) })))
	}
	return items
}

func (w *Window) columnItems() []*fyne.MenuItem {
	items := []*fyne.MenuItem{fyne.NewMenuItem("As Many as Fit", w.on(func(p *doc.Pane) { p.SetColumns(0) }))}
	for _, n := range []int{4, 8, 12, 16, 20, 24, 32, 48, 64} {
		items = append(items, fyne.NewMenuItem(fmt.Sprint(n), w.on(func(p *doc.Pane) { p.SetColumns(n) })))
	}
	return items
}

// groupItems are the orders that the present document can be shown in.
func (w *Window) groupItems() []*fyne.MenuItem {
	p := w.pane()
	if p == nil || len(p.Groupings()) < 2 {
		return nil
	}
	var items []*fyne.MenuItem
	for i, name := range p.Groupings() {
		item := fyne.NewMenuItem(name, func() { p.SetGrouping(i) })
		item.Checked = i == p.Grouping()
		items = append(items, item)
	}
	return items
}

func (w *Window) themeItems() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, m := range []struct {
		label string
		mode  look.Mode
	}{{"As the Desktop", look.System}, {"Light", look.Light}, {"Dark", look.Dark}} {
		item := fyne.NewMenuItem(m.label, func() { w.setMode(m.mode) })
		item.Checked = w.prefs.mode() == m.mode
		items = append(items, item)
	}
	return items
}

// QuickOpen goes to a node by a part of its name or its key.
func (w *Window) QuickOpen() {
	p := w.pane()
	if p == nil {
		return
	}
	w.list = quick.Show(w.win.Canvas(), w.style, w.group, "Name, key or identifier", func(ctx context.Context, query string, show func([]quick.Item)) {
		p.Quick(ctx, query, func(found []doc.Found) {
			items := make([]quick.Item, len(found))
			for i, f := range found {
				items[i] = quick.Item{Name: f.Name, Note: f.Type, Where: f.Where, On: func() {
					p.Select(f.Path)
					p.Focus()
				}}
			}
			show(items)
		})
	})
}

// ShowShortcuts lists every action with its shortcut; Enter does it.
func (w *Window) ShowShortcuts() {
	w.list = quick.Show(w.win.Canvas(), w.style, w.group, "Shortcuts: type to find one, Enter does it", func(_ context.Context, query string, show func([]quick.Item)) {
		var items []quick.Item
		for _, a := range w.actions {
			if a.do == nil || !strings.Contains(strings.ToLower(a.label+" "+a.menu), strings.ToLower(strings.TrimSpace(query))) {
				continue
			}
			items = append(items, quick.Item{Name: a.label, Note: a.shortcut(), Where: a.menu, On: a.do})
		}
		show(items)
	})
}

// shortcut is the action's key as people write it.
func (a action) shortcut() string {
	if a.key == "" {
		return a.shown
	}
	var b strings.Builder
	for _, m := range []struct {
		mod  fyne.KeyModifier
		name string
	}{{fyne.KeyModifierControl, "Ctrl+"}, {fyne.KeyModifierSuper, "Cmd+"}, {alt, "Alt+"}, {shift, "Shift+"}} {
		if a.mod&m.mod != 0 {
			b.WriteString(m.name)
		}
	}
	name := string(a.key)
	if a.key == fyne.KeyReturn {
		name = "Enter"
	}
	b.WriteString(name)
	return b.String()
}
