package window

import (
	"cmp"
	"context"
	"io"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/model"
	"assay/ui/command"
	"assay/ui/control"
	"assay/ui/doc"
	"assay/ui/exporting"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/tabs"
	"assay/ui/window/menu"
	"assay/ui/work"
)

var _ host.Host = (*Window)(nil)

// Key handles keys that no widget used. It reports whether it used the key.
func (w *Window) Key(ev *fyne.KeyEvent, withShift bool) bool {
	if ev.Name == fyne.KeyEscape && w.exporting.CancelDrag() {
		return true
	}
	if ev.Name == fyne.KeyEscape && !w.covered() && w.exporting.StopExport() {
		return true
	}
	if w.covered() {
		if over, ok := w.win.Canvas().Overlays().Top().(fyne.Focusable); ok {
			over.TypedKey(ev)
		} else if ev.Name == fyne.KeyEscape {
			w.ask.Dismiss()
		}
		return true
	}
	if w.commands.Press(command.KeyOf(ev, withShift || command.IsHeld(fyne.KeyModifierShift)), w.tabs.current()) {
		return true
	}
	if ev.Name == fyne.KeyEscape && w.notices.CloseLatest() {
		return true
	}
	if ev.Name == fyne.KeyEscape && w.closePage() {
		return true
	}
	if w.win.Canvas().Focused() == nil && (ev.Name == fyne.KeyDown || ev.Name == fyne.KeyUp) {
		if t := w.tabs.current(); t != nil {
			t.Focus()
		}
		return true
	}
	return false
}

// closePage closes the settings, the first steps or the format reference if it is in view. It returns false for other
// tabs.
func (w *Window) closePage() bool {
	switch t := w.tabs.current().(type) {
	case *settingsTab, *stepsTab, *manualTab:
		w.tabs.close(t)
		return true
	}
	return false
}

// listenToKeys handles keys while no widget is focused.
func (w *Window) listenToKeys() {
	w.win.Canvas().SetOnTypedKey(func(k *fyne.KeyEvent) { w.Key(k, false) })
	if c, ok := w.win.Canvas().(desktop.Canvas); ok {
		var alt host.Alt
		c.SetOnKeyDown(func(k *fyne.KeyEvent) { alt.Down(w, k) })
		c.SetOnKeyUp(func(k *fyne.KeyEvent) { alt.Up(w, k) })
	}
}

// covered reports whether an overlay covers the window: a dialog, a list or a menu.
func (w *Window) covered() bool { return w.win.Canvas().Overlays().Top() != nil }

// Shortcut implements host.Host. It returns false because the canvas handles the shortcuts of the menu.
func (w *Window) Shortcut(fyne.Shortcut) bool { return false }

// Keys returns the shortcuts of all commands.
func (w *Window) Keys() *command.Keys { return w.commands.Keys }

// Menu opens a menu.
func (w *Window) Menu(m *fyne.Menu, pos fyne.Position) {
	menu.Show(w, w.win.Canvas(), m, pos)
}

// Copy copies text to the clipboard.
func (w *Window) Copy(text string) {
	w.app.Clipboard().SetContent(text)
	w.ShowHint("Copied: " + model.OneLine(text, 80))
}

// ShowHint displays a hint in the status line for a few seconds.
func (w *Window) ShowHint(text string) { w.status.showHint(text) }

// Notify displays a notice in the notice bars of the window and of a maximized view; at level Info in only one of them.
func (w *Window) Notify(n host.Notice) {
	if !control.NotifyMaximized(w.win.Canvas(), n) || n.Level != host.Info {
		w.notices.Show(n)
	}
}

// Explain displays a text of several lines in a dialog.
func (w *Window) Explain(title, text string) { w.ask.Explain(title, text) }

// Save asks for a file and calls write with it.
func (w *Window) Save(name string, write func(out io.Writer) error) {
	w.ask.Save("Save", w.folder(), name, func(_ string, out io.Writer) error { return write(out) })
}

// Busy displays a running task of the whole window.
func (w *Window) Busy(task string, share float64, stop func()) {
	w.status.setBusy(nil, task, share, stop)
}

// SetOverlay hides the previous overlay, and sets the func that hides the new one at the next key.
func (w *Window) SetOverlay(hide func()) {
	if w.hideOverlay != nil {
		w.hideOverlay()
	}
	w.hideOverlay = hide
}

// Changed updates the status line, the tab titles and the menus for the current tab.
func (w *Window) Changed() {
	w.tabs.retitle()
	w.status.update()
	w.showBar()
}

// Reveal selects a node of an open document, or opens its file first.
func (w *Window) Reveal(d *model.Document, n *model.Node) {
	path := n.Path()
	t := w.tabs.find(func(t Tab) bool { p := partOf[*doc.Pane](t); return p != nil && p.Document() == d })
	switch {
	case t != nil:
		w.tabs.reveal(t)
		partOf[*doc.Pane](t).Select(path)
	case d.Source.Path() != "":
		w.opener.openFile(d.Source.Path(), func(t *docTab) { t.pane.Select(path) })
	default:
		w.Notify(host.Notice{Text: d.Source.Name() + " is no longer open."})
	}
}

// RevealAsset opens a file and selects its i-th asset.
func (w *Window) RevealAsset(path string, i int) {
	w.opener.openFile(path, func(t *docTab) {
		d := t.pane.Document()
		t.group.Go(func(context.Context) func() {
			n := doc.AssetNode(d, i)
			if n == nil {
				return nil
			}
			return func() { w.Reveal(d, n) }
		})
	})
}

// tabHost is the host of one tab: notices and running tasks belong to that tab.
type tabHost struct {
	host.Host
	w   *Window
	tab Tab
}

// Notify displays a notice while the tab is selected.
func (h *tabHost) Notify(n host.Notice) {
	n.Owner = h.tab
	h.Host.Notify(n)
}

// Busy displays a running task of the tab.
func (h *tabHost) Busy(task string, share float64, stop func()) {
	h.w.status.setBusy(h.tab, task, share, stop)
}

// Changed updates the title and the status of the tab. At the end of the program, the toolkit has closed the window
// before its tabs are closed.
func (h *tabHost) Changed() {
	switch {
	case h.w.workEnded:
	case h.w.tabs.current() == h.tab:
		h.w.Changed()
	default:
		h.w.tabs.retitle()
	}
}

// findAction returns the action that searches what the current tab displays: bytes or a text of a document, words of
// the format reference, or items of a list.
func (w *Window) findAction() action {
	return action{
		IsEnabled: func(t Tab) bool { find, _ := w.findIn(t); return find != nil },
		Do: func(t Tab) {
			find, _ := w.findIn(t)
			find()
		},
		Name: func(t Tab) string {
			_, name := w.findIn(t)
			return cmp.Or(name, command.ByID("edit.find").Label)
		},
	}
}

// findIn returns a func that focuses the search field of a tab, and the label of the command unless that searches
// bytes. The func is nil if the tab cannot be searched.
func (w *Window) findIn(t Tab) (find func(), name string) {
	switch t := t.(type) {
	case *manualTab:
		return t.FocusFilter, "Find in Format Reference…"
	case *usesTab:
		return func() { t.FocusFilter(w.status) }, "Filter List…"
	case *folderTab:
		return t.List().FocusFilter, "Filter List…"
	case *docTab:
		if t.assets != nil && t.pane.Center.Panel() == doc.Panel(t.assets) {
			return t.assets.FocusFilter, "Filter List…"
		}
	case *findTab:
		return func() { t.FocusField(w.status) }, "Find in These Files…"
	}
	if p := partOf[*doc.Pane](t); p != nil {
		return p.Find, ""
	}
	return nil, ""
}

// statusLine is the line at the bottom of the window. It holds the running tasks of each tab.
type statusLine struct {
	*tabs.Status
	group   *work.Group
	hints   *work.Lane
	current func() Tab
	idle    string       // hint displayed without a tab
	busy    map[Tab]busy // running tasks by tab; the key nil is the whole window
}

// busy is the running task of a tab.
type busy struct {
	name  string
	share float64
	stop  func()
}

// update displays the status of the current tab.
func (l *statusLine) update() {
	l.SetHint("")
	if t := l.current(); t != nil {
		l.Set(t.Status())
	} else {
		l.Set(nil, []tabs.Segment{{Text: l.idle, Tone: paint.Dim}})
	}
	l.showBusy()
}

func (l *statusLine) showBusy() {
	b, ok := l.busy[l.current()]
	if !ok {
		b = l.busy[nil]
	}
	l.SetBusy(b.name, b.share, b.stop)
}

// setBusy displays the running task of a tab, or of the whole window if t is nil. An empty name ends the task.
func (l *statusLine) setBusy(t Tab, task string, share float64, stop func()) {
	if l.busy[t] = (busy{task, share, stop}); task == "" {
		delete(l.busy, t)
	}
	l.showBusy()
}

// hintDuration is how long a hint is displayed if no other replaces it.
const hintDuration = 4 * time.Second

// showHint displays a hint for hintDuration.
func (l *statusLine) showHint(text string) {
	l.SetHint(text)
	l.hints.Go(func(ctx context.Context) func() {
		if !l.group.Pause(ctx, hintDuration) {
			return nil
		}
		return func() { l.SetHint("") }
	})
}

// moveExportPanel moves the export panel to the current tab.
func (w *Window) moveExportPanel() {
	if s := partOf[*exporting.Slot](w.tabs.current()); s != nil {
		s.Take()
	}
}

// ShowExport displays the export panel. The returned func displays the previous panel again.
func (w *Window) ShowExport() (undo func()) {
	w.moveExportPanel()
	switch t := w.tabs.current().(type) {
	case *docTab:
		previous := t.pane.Side.Panel()
		t.pane.Side.Show(t.slot)
		return func() { t.pane.Side.Show(previous) }
	case *comparisonTab:
		if !t.showsExport() {
			t.showExport(true)
			return func() { t.showExport(false) }
		}
	}
	return func() {}
}

// OpenFiles implements exporting.Host. The files of unloaded tabs are among them.
func (w *Window) OpenFiles() []string {
	var paths []string
	for _, t := range w.tabs.all {
		switch t := t.(type) {
		case savable:
			if tab, ok := t.savedTab(true); ok {
				paths = append(paths, tab.Files...)
			}
		case *stackTab:
			for _, d := range t.pane.Documents() {
				paths = append(paths, d.Source.Path())
			}
		}
	}
	return paths
}
