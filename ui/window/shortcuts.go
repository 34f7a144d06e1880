package window

import (
	"context"
	"os"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/ui/ask"
	"assay/ui/command"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// shortcutList lists the commands with their shortcuts, which can be searched and changed.
type shortcutList struct {
	t       *settingsTab
	search  *control.Field
	table   *rows.List[command.Command]
	change  *control.Button
	remove  *control.Button
	reset   *control.Button
	content fyne.CanvasObject
}

func newShortcutList(t *settingsTab) *shortcutList {
	l := &shortcutList{t: t}
	l.search = control.NewField(t, "Search commands and shortcuts")
	l.search.FilterKeys(func(bool) { l.table.Focus() })
	l.search.OnChanged = func(string) { l.update() }
	l.table = rows.NewList(t, t.w.style, rows.Options{Header: true, MinSize: fyne.NewSize(200, 120)}, l.columns()...)
	l.table.OnActivate = func(int) { l.askKey() }
	l.table.OnCurrent = func(int) { l.updateButtons() }
	l.change = control.NewButton(t.Key, "Change…", nil, l.askKey)
	l.remove = control.NewButton(t.Key, "Remove", nil, func() { l.set(nil) })
	l.reset = control.NewButton(t.Key, "Reset", nil, func() { l.takeOver(command.Default().Of(l.current().ID)...) })
	all := control.NewButton(t.Key, "Reset All Shortcuts…", nil, func() {
		t.w.ask.Confirm("Reset all shortcuts?", "All commands get their default shortcuts.", "Reset", "Keep", l.resetAll)
	})
	l.content = container.NewBorder(l.search, container.NewHBox(l.change, l.remove, l.reset, all), nil, nil,
		l.table.Table)
	l.update()
	return l
}

// update displays the commands that match the search.
func (l *shortcutList) update() {
	keys := l.t.w.commands.Keys
	current := l.current().ID
	var listed []command.Command
	for _, c := range command.All() {
		if !c.Fixed && c.SameAs == "" && ask.ContainsWords(l.search.Text, c.Label, c.Scope.String(), keys.Text(c.ID)) {
			listed = append(listed, c)
		}
	}
	l.table.Set(listed)
	if i := slices.IndexFunc(listed, func(c command.Command) bool { return c.ID == current }); len(listed) > 0 &&
		l.table.Size().Height > 0 {
		l.table.SetCurrent(max(0, i))
	}
	l.updateButtons()
}

// current returns the current command, or the zero Command.
func (l *shortcutList) current() command.Command {
	c, _ := l.table.Item(l.table.Current())
	return c
}

func (l *shortcutList) updateButtons() {
	id := l.current().ID
	keys := l.t.w.commands.Keys.Of(id)
	canChange := id != "" && l.t.w.options.Keys != ""
	paint.SetEnabled(l.change, canChange)
	paint.SetEnabled(l.remove, canChange && len(keys) > 0)
	paint.SetEnabled(l.reset, canChange && !slices.Equal(keys, command.Default().Of(id)))
}

// columns returns the columns. Changed shortcuts are highlighted.
func (l *shortcutList) columns() []rows.ListColumn[command.Command] {
	return []rows.ListColumn[command.Command]{
		{Title: "Command", Share: 0.42, Cell: func(c command.Command) rows.Cell {
			return rows.Cell{Text: strings.TrimSuffix(c.Label, "…")}
		}},
		{Title: "Works", Share: 0.28, Cell: func(c command.Command) rows.Cell {
			return rows.Cell{Text: c.Scope.String(), Tone: paint.Dim}
		}},
		{Title: "Shortcut", Share: 0.3, Cell: func(c command.Command) rows.Cell {
			keys := l.t.w.commands.Keys.Of(c.ID)
			var texts []string
			for _, k := range keys {
				texts = append(texts, k.String())
			}
			cell := rows.Cell{Text: strings.Join(texts, ", ")}
			if !slices.Equal(keys, command.Default().Of(c.ID)) {
				cell.Bold, cell.Hint = true, "changed"
			}
			return cell
		}},
	}
}

// set replaces the shortcuts of the current command. It returns an error if they are not allowed or cannot be saved.
func (l *shortcutList) set(keys []command.Key) error {
	w := l.t.w
	changed, err := command.SetKeys(w.options.Keys, l.current().ID, keys)
	if err == nil {
		w.useKeys(changed)
		l.update()
	}
	return err
}

// takeOver removes keys from the commands that use them, and assigns them to the current command.
func (l *shortcutList) takeOver(keys ...command.Key) error {
	w, id := l.t.w, l.current().ID
	for _, key := range keys {
		for _, c := range w.commands.Keys.Conflicts(id, key) {
			rest := slices.DeleteFunc(slices.Clone(w.commands.Keys.Of(c.ID)),
				func(k command.Key) bool { return k == key })
			changed, err := command.SetKeys(w.options.Keys, c.ID, rest)
			if err != nil {
				return err
			}
			w.useKeys(changed)
		}
	}
	return l.set(keys)
}

// resetAll gives all commands their default shortcuts.
func (l *shortcutList) resetAll() {
	w := l.t.w
	if w.options.Keys == "" {
		return
	}
	w.group.Write(func(context.Context) func() {
		err := os.Remove(w.options.Keys)
		return func() {
			if err != nil && !os.IsNotExist(err) {
				w.Notify(host.Notice{Level: host.Error, Text: host.Sentence(err)})
				return
			}
			w.useKeys(command.Default())
			l.update()
		}
	})
}

// useKeys replaces the shortcuts of all commands.
func (w *Window) useKeys(keys *command.Keys) {
	*w.commands.Keys = *keys
	w.commands.Listen(w.win.Canvas(), w.menus == nil, w.tabs.current)
	w.barText = "" // the labels of the menus are the same
	w.Changed()
}

// askKey asks for a shortcut of the current command.
func (l *shortcutList) askKey() {
	if l.current().ID == "" || l.change.Disabled() {
		return
	}
	k := &keyCatcher{list: l, message: widget.NewLabel("Press the new keys. Escape cancels.")}
	k.message.Wrapping, k.message.Alignment = fyne.TextWrapWord, fyne.TextAlignCenter
	k.ExtendBaseWidget(k)
	l.t.w.ask.ShowContent("Shortcut of “"+strings.TrimSuffix(l.current().Label, "…")+"”", k, fyne.NewSize(420, 180))
	l.t.w.win.Canvas().Focus(k)
}

// keyCatcher assigns the next key that the user presses as a shortcut.
type keyCatcher struct {
	widget.BaseWidget
	list           *shortcutList
	message        *widget.Label
	conflictingKey command.Key // last key, if other commands use it; pressing it again reassigns it
}

var (
	_ fyne.Focusable    = (*keyCatcher)(nil)
	_ fyne.Shortcutable = (*keyCatcher)(nil)
	_ fyne.Tabbable     = (*keyCatcher)(nil)
)

func (k *keyCatcher) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(k.message) }

func (k *keyCatcher) FocusGained() {}
func (k *keyCatcher) FocusLost()   {}

// AcceptsTab implements fyne.Tabbable: Tab is a key too.
func (k *keyCatcher) AcceptsTab() bool { return true }

// TypedRune assigns a character. Shortcuts of scenes are single characters.
func (k *keyCatcher) TypedRune(r rune) { k.assignKey(command.KeyOfRune(r)) }

// TypedShortcut assigns a key with Ctrl or Alt.
func (k *keyCatcher) TypedShortcut(s fyne.Shortcut) { k.assignKey(command.KeyOfShortcut(s)) }

// TypedKey assigns a key that types no character. Escape cancels.
func (k *keyCatcher) TypedKey(ev *fyne.KeyEvent) {
	if ev.Name == fyne.KeyEscape {
		k.list.t.w.ask.Dismiss()
		return
	}
	if key := command.KeyOf(ev, command.IsHeld(fyne.KeyModifierShift)); key != (command.Key{}) {
		k.assignKey(key)
	}
}

func (k *keyCatcher) assignKey(key command.Key) {
	if key == (command.Key{}) {
		k.message.SetText("This shortcut is reserved for editing text. Press other keys.")
		return
	}
	holders := k.list.t.w.commands.Keys.Conflicts(k.list.current().ID, key)
	if len(holders) > 0 && k.conflictingKey != key {
		var labels []string
		for _, c := range holders {
			labels = append(labels, "“"+c.Label+"”")
		}
		k.conflictingKey = key
		k.message.SetText(key.String() + " is already used by " + strings.Join(labels, " and ") +
			". Press it again to use it for this command instead, or press other keys.")
		return
	}
	if err := k.list.takeOver(key); err != nil {
		k.message.SetText(host.Sentence(err) + " Press other keys.")
		return
	}
	k.list.t.w.ask.Dismiss()
	k.list.table.Focus()
}
