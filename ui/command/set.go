package command

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Action is the implementation of a command. T is its argument, such as a tab.
type Action[T any] struct {
	IsEnabled   func(t T) bool      // reports whether the command is enabled; nil: always
	FitsContext func(t T) bool      // reports whether context menus contain the command for the selection; nil: always
	InMenu      func(t T) bool      // reports whether menus contain the command; nil: always
	Do          func(t T)           // nil if the command only opens a submenu
	IsChecked   func(t T) bool      // reports whether the command has a check mark; nil: never
	Name        func(t T) string    // replaces the label; may be nil
	Submenu     func(t T) []Item[T] // items of its submenu
	Why         func(t T) string    // why it is disabled, displayed if its key is pressed; nil: nothing is displayed
}

// Enabled reports whether the action is enabled.
func (a Action[T]) Enabled(t T) bool { return a.IsEnabled == nil || a.IsEnabled(t) }

// Item is a dynamic item of a menu, such as a recent file.
type Item[T any] struct {
	Label string
	Line  bool // preceded by a separator
	Action[T]
}

// Set holds the commands that a part of the window implements.
type Set[T any] struct {
	Keys      *Keys
	Actions   map[ID]Action[T]
	IsBlocked func() bool       // reports whether a dialog blocks all commands; nil: never
	ShowHint  func(text string) // may be nil without a Why
}

// Run runs a command if it is enabled.
func (s *Set[T]) Run(id ID, t T) { s.Do(s.Actions[id], t) }

// Do runs an action if it is enabled.
func (s *Set[T]) Do(a Action[T], t T) {
	if a.Do != nil && a.Enabled(t) && !s.isBlocked() {
		a.Do(t)
	}
}

func (s *Set[T]) isBlocked() bool { return s.IsBlocked != nil && s.IsBlocked() }

// Press runs the command of a key, or displays why it is disabled. It reports whether it did either.
func (s *Set[T]) Press(k Key, t T) bool {
	why := ""
	for _, c := range table {
		switch a, ok := s.Actions[c.ID]; {
		case !ok || !s.Keys.Has(c.ID, k):
		case a.Enabled(t):
			s.Do(a, t)
			return true
		case a.Why != nil:
			why = cmp.Or(why, a.Why(t))
		}
	}
	if why != "" && !s.isBlocked() {
		s.ShowHint(why)
	}
	return why != ""
}

// Listen registers the keys with a canvas. A native menu bar handles the first key of each command, so only the others
// are registered. Keys without a modifier, or with Shift only, are sent to the focused widget instead.
func (s *Set[T]) Listen(c fyne.Canvas, native bool, tab func() T) {
	for id := range s.Actions {
		for n, k := range s.Keys.Of(id) {
			if !k.hasOnlyShift() && (n > 0 || !native || ByID(id).Menu == "") {
				shortcut := k.shortcut()
				press := func(fyne.Shortcut) { s.Press(k, tab()) }
				c.AddShortcut(&shortcut, press)
				if undo := (&fyne.ShortcutUndo{}); k == KeyOfShortcut(undo) { // has its own type in the toolkit
					c.AddShortcut(undo, press)
				}
			}
		}
	}
}

// Menu returns a menu of the table. tab returns the argument of a command when the user chooses it.
func (s *Set[T]) Menu(name string, t T, tab func() T) *fyne.Menu {
	m := fyne.NewMenu(name)
	for _, c := range table {
		a, ok := s.Actions[c.ID]
		if c.Menu != name || !ok || a.InMenu != nil && !a.InMenu(t) {
			continue
		}
		if c.Line && len(m.Items) > 0 {
			m.Items = append(m.Items, fyne.NewMenuItemSeparator())
		}
		m.Items = append(m.Items, s.boundItem(c, a, t, tab))
	}
	return m
}

// Items returns menu items for commands.
func (s *Set[T]) Items(t T, ids ...ID) []*fyne.MenuItem {
	var all []*fyne.MenuItem
	for _, id := range ids {
		all = append(all, s.boundItem(ByID(id), s.Actions[id], t, func() T { return t }))
	}
	return all
}

// boundItem returns the menu item of a command with its shortcut. In a native bar, the toolkit uses the first item with
// a shortcut, even a disabled one: such an item then runs the enabled command with that shortcut.
func (s *Set[T]) boundItem(c Command, a Action[T], t T, tab func() T) *fyne.MenuItem {
	item := s.item(Item[T]{Label: c.Label, Action: a}, t, tab)
	item.IsQuit = c.IsQuit
	if keys := s.Keys.Of(c.ID); len(keys) > 0 && !s.isTaken(c, keys[0], t) {
		item.Shortcut = &shortcut{keys[0].shortcut(), keys[0].String()}
		if item.Disabled {
			item.Action = func() { s.Press(keys[0], tab()) }
		}
	}
	return item
}

// isTaken reports whether another command runs a key of c: c is disabled and yields to it, or it yields to c and is
// enabled.
func (s *Set[T]) isTaken(c Command, k Key, t T) bool {
	return slices.ContainsFunc(table, func(other Command) bool {
		a, ok := s.Actions[other.ID]
		switch {
		case !ok || !s.Keys.Has(other.ID, k):
			return false
		case c.YieldsTo == other.ID:
			return !s.Actions[c.ID].Enabled(t)
		}
		return other.YieldsTo == c.ID && a.Enabled(t)
	})
}

func (s *Set[T]) item(i Item[T], t T, tab func() T) *fyne.MenuItem {
	item := fyne.NewMenuItem(i.Label, func() { s.Do(i.Action, tab()) })
	if i.Name != nil {
		item.Label = i.Name(t)
	}
	item.Checked = i.IsChecked != nil && i.IsChecked(t)
	item.Disabled = !i.Enabled(t)
	if i.Submenu != nil {
		item.ChildMenu = fyne.NewMenu("")
		for _, subitem := range i.Submenu(t) {
			if subitem.Line && len(item.ChildMenu.Items) > 0 {
				item.ChildMenu.Items = append(item.ChildMenu.Items, fyne.NewMenuItemSeparator())
			}
			item.ChildMenu.Items = append(item.ChildMenu.Items, s.item(subitem, t, tab))
		}
		item.Disabled = item.Disabled || len(item.ChildMenu.Items) == 0
	}
	return item
}

// shortcut is a shortcut with the text that a menu displays.
type shortcut struct {
	desktop.CustomShortcut
	text string
}

func (s *shortcut) String() string { return s.text }

// Context returns a context menu of the enabled commands. position returns the position of a command in it: a command
// with 0 is left out, and a new multiple of ten starts a group.
func (s *Set[T]) Context(t T, position func(c Command) int) *fyne.Menu {
	var commands []Command
	for _, c := range table {
		if a, ok := s.Actions[c.ID]; ok && position(c) > 0 && a.Enabled(t) &&
			(a.FitsContext == nil || a.FitsContext(t)) {
			commands = append(commands, c)
		}
	}
	slices.SortStableFunc(commands, func(a, b Command) int { return position(a) - position(b) })
	m := fyne.NewMenu("")
	for i, c := range commands {
		if i > 0 && position(c)/10 != position(commands[i-1])/10 {
			m.Items = append(m.Items, fyne.NewMenuItemSeparator())
		}
		m.Items = append(m.Items, s.item(Item[T]{Label: c.Label, Action: s.Actions[c.ID]}, t, func() T { return t }))
	}
	return m
}
