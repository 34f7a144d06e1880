package window

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/model/find"
	"assay/ui/doc"
	"assay/ui/quick"
)

// covered reports whether a dialog or a list is over what the window shows.
func (w *Window) covered() bool { return w.win.Canvas().Overlays().Top() != nil }

// remenu makes the menu bar anew if another one is to be seen.
func (w *Window) remenu() {
	if bar := w.commands.bar(); bar != nil {
		w.win.SetMainMenu(bar)
	}
}

// key does what a key without a modifier means; false if that is nothing.
func (w *Window) key(ev *fyne.KeyEvent, withShift bool) bool {
	if ev.Name == fyne.KeyEscape && w.exporting.CancelDrag() {
		return true
	}
	if w.covered() {
		if ev.Name == fyne.KeyEscape && !w.exporting.Dismiss() && w.dialog != nil {
			w.dialog.Dismiss()
		}
		return true
	}
	key := desktop.CustomShortcut{KeyName: ev.Name}
	if withShift || w.shiftDown() {
		key.Modifier = fyne.KeyModifierShift
	}
	if w.commands.press(key) {
		return true
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
	return ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift != 0
}

// closeTab closes a tab; without one, the window.
func (w *Window) closeTab(t Tab) {
	if t == nil {
		w.quit()
		return
	}
	w.discard(t)
}

// closeOthers closes all tabs but one.
func (w *Window) closeOthers(t Tab) {
	for k := len(w.all) - 1; k >= 0; k-- {
		if w.all[k] != t {
			w.CloseTab(k)
		}
	}
}

// turn shows the next tab, or the one before.
func (w *Window) turn(by int) {
	if n := len(w.all); n > 0 {
		w.Show((w.present + by + n) % n)
	}
}

// quickOpen goes to a node by a part of its name or its key.
func (w *Window) quickOpen(p *doc.Pane) {
	d := p.Document()
	w.list = quick.Show(w.win.Canvas(), w.style, w.group, "Name, key or identifier", func(ctx context.Context, query string, show func([]quick.Item)) {
		_ = find.Fuzzy(ctx, d, query, func(found []find.Named) {
			items := make([]quick.Item, len(found))
			for i, f := range found {
				items[i] = quick.Item{Name: f.Name, Note: f.Type, Where: f.Where, On: func() {
					p.Select(f.Path)
					p.Focus()
				}}
			}
			show(items)
		}) // an error is that the list was closed or asks for something else
	})
}

// showShortcuts lists every command with its shortcut; Enter does it.
func (w *Window) showShortcuts() {
	w.list = quick.Show(w.win.Canvas(), w.style, w.group, "Shortcuts: type to find one, Enter does it", w.commands.find)
}
