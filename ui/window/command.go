package window

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/ui/quick"
)

// command is something that the user can do in a tab: an item of the menu bar and of context menus, and a line of the
// list of shortcuts.
type command struct {
	menu  string // of the bar; empty: in context menus only
	line  bool   // a line above it in the bar
	label string
	name  func(t Tab) string // instead of the label, where it depends on the tab
	keys  string             // shortcuts as people write them; the first one is shown
	own   string             // a shortcut that a widget handles itself: it is listed only
	quits bool

	// The positions in the context menus of a node, of bytes and of a tab. There is a line between tens; 0: not in it.
	node, bytes, tab int

	action
	under   func(t Tab) []command // the items of a submenu
	checked func(t Tab) bool
}

// action is what a command does. It is asked with the tab that it is about, nil if there is none.
type action struct {
	can func(t Tab) bool // nil: always
	// asked for context menus besides: whether it means something for what is selected; nil: always
	fit func(t Tab) bool
	do  func(t Tab)
}

func (c *command) enabled(t Tab) bool { return c.can == nil || c.can(t) }

func (c *command) text(t Tab) string {
	if c.name != nil {
		return c.name(t)
	}
	return c.label
}

// shown is what the list of shortcuts says.
func (c *command) shown() string {
	keys := strings.Fields(c.keys)
	switch {
	case len(keys) == 0:
		return c.own
	case runtime.GOOS == "darwin":
		return strings.Replace(keys[0], "Ctrl+", "Cmd+", 1)
	}
	return keys[0]
}

// shortcuts are those of the keys.
func (c *command) shortcuts() []desktop.CustomShortcut {
	var all []desktop.CustomShortcut
	for _, text := range strings.Fields(c.keys) {
		var s desktop.CustomShortcut
		for _, m := range modifiers {
			if rest, ok := strings.CutPrefix(text, m.name); ok {
				text, s.Modifier = rest, s.Modifier|m.mod
			}
		}
		s.KeyName = fyne.KeyName(text)
		if name, ok := keyNames[text]; ok {
			s.KeyName = name
		}
		all = append(all, s)
	}
	return all
}

// modifiers are the names of modifiers in the order in which they are written.
var modifiers = []struct {
	name string
	mod  fyne.KeyModifier
}{{"Ctrl+", fyne.KeyModifierShortcutDefault}, {"Alt+", fyne.KeyModifierAlt}, {"Shift+", fyne.KeyModifierShift}}

// keyNames are the keys that the toolkit calls something else.
var keyNames = map[string]fyne.KeyName{"Enter": fyne.KeyReturn, "PageUp": fyne.KeyPageUp, "PageDown": fyne.KeyPageDown}

// commands are all commands of a window.
type commands struct {
	all     []command
	present func() Tab
	covered func() bool // a dialog or a list is open
	seen    string      // all that can be seen of the bar
}

// run does a command.
func (cs *commands) run(c *command, t Tab) {
	if c.do != nil && c.enabled(t) && !cs.covered() {
		c.do(t)
	}
}

// press does what a key means in the present tab, and reports whether it means something.
func (cs *commands) press(key desktop.CustomShortcut) bool {
	t := cs.present()
	for i := range cs.all {
		c := &cs.all[i]
		if slices.ContainsFunc(c.shortcuts(), func(k desktop.CustomShortcut) bool { return k == key }) && c.enabled(t) {
			cs.run(c, t)
			return true
		}
	}
	return false
}

// listen has the canvas hear the keys of commands; of a native menu bar, which hears the first ones itself, the others
// only. Keys without a modifier, or with Shift only, come as keys.
func (cs *commands) listen(c fyne.Canvas, native bool) {
	for i := range cs.all {
		for n, key := range cs.all[i].shortcuts() {
			if (n > 0 || !native) && key.Modifier&^fyne.KeyModifierShift != 0 {
				c.AddShortcut(&key, func(fyne.Shortcut) { cs.press(key) })
			}
		}
	}
}

// bar makes the menu bar for the present tab; nil if the bar that is shown is the same.
func (cs *commands) bar() *fyne.MainMenu {
	t := cs.present()
	bar := fyne.NewMainMenu()
	var text strings.Builder
	for _, name := range menus {
		m := fyne.NewMenu(name)
		for i := range cs.all {
			c := &cs.all[i]
			if c.menu != name {
				continue
			}
			if c.line {
				m.Items = append(m.Items, fyne.NewMenuItemSeparator())
			}
			item := cs.item(c, t, cs.present)
			cs.bind(item, c)
			m.Items = append(m.Items, item)
		}
		describe(&text, m)
		bar.Items = append(bar.Items, m)
	}
	if text.String() == cs.seen {
		return nil
	}
	cs.seen = text.String()
	return bar
}

// describe writes all that can be seen of a menu.
func describe(to *strings.Builder, m *fyne.Menu) {
	for _, item := range m.Items {
		to.WriteString(item.Label)
		for _, is := range []bool{item.Checked, item.Disabled} {
			if is {
				to.WriteByte('!')
			}
			to.WriteByte('\n')
		}
		if item.ChildMenu != nil {
			describe(to, item.ChildMenu)
		}
	}
}

// item makes the item of a menu for a tab. of returns the tab that it is about when it is chosen.
func (cs *commands) item(c *command, t Tab, of func() Tab) *fyne.MenuItem {
	item := fyne.NewMenuItem(c.text(t), func() { cs.run(c, of()) })
	item.Checked = c.checked != nil && c.checked(t)
	item.Disabled = !c.enabled(t)
	item.IsQuit = c.quits
	if c.under != nil {
		item.ChildMenu = fyne.NewMenu("", cs.items(c.under(t), t, of)...)
		item.Disabled = item.Disabled || len(item.ChildMenu.Items) == 0
	}
	return item
}

func (cs *commands) items(all []command, t Tab, of func() Tab) []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for i := range all {
		if all[i].line && len(items) > 0 {
			items = append(items, fyne.NewMenuItemSeparator())
		}
		items = append(items, cs.item(&all[i], t, of))
	}
	return items
}

// shownShortcut is a shortcut as an item of a menu shows it.
type shownShortcut struct {
	desktop.CustomShortcut
	text string
}

// String is what people read.
func (s *shownShortcut) String() string { return s.text }

// bind gives an item of the bar its shortcut. The toolkit, in a native bar, takes the first item that has a shortcut,
// even a disabled one: it does then what the shortcut means.
func (cs *commands) bind(item *fyne.MenuItem, c *command) {
	if keys := c.shortcuts(); len(keys) > 0 {
		item.Shortcut = &shownShortcut{keys[0], c.shown()}
		if item.Disabled {
			item.Action = func() { cs.press(keys[0]) }
		}
	}
}

// context makes a context menu for a tab of the commands that can be done. position tells where a command stands in it.
func (cs *commands) context(t Tab, position func(c *command) int) *fyne.Menu {
	var in []*command
	for i := range cs.all {
		if c := &cs.all[i]; position(c) > 0 && c.enabled(t) && (c.fit == nil || c.fit(t)) {
			in = append(in, c)
		}
	}
	slices.SortStableFunc(in, func(a, b *command) int { return position(a) - position(b) })
	m := fyne.NewMenu("")
	for i, c := range in {
		if i > 0 && position(c)/10 != position(in[i-1])/10 {
			m.Items = append(m.Items, fyne.NewMenuItemSeparator())
		}
		m.Items = append(m.Items, cs.item(c, t, func() Tab { return t }))
	}
	return m
}

// find lists the commands with a text in their names, for the list of shortcuts.
func (cs *commands) find(_ context.Context, query string, show func([]quick.Item)) {
	query = strings.ToLower(strings.TrimSpace(query))
	var items []quick.Item
	for i := range cs.all {
		c := &cs.all[i]
		if c.do != nil && c.menu != "" && strings.Contains(strings.ToLower(c.label+" "+c.menu), query) {
			items = append(items, quick.Item{Name: c.label, Note: c.shown(), Where: c.menu,
				On: func() { cs.run(c, cs.present()) }})
		}
	}
	show(items)
}
