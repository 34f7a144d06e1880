package rows

import (
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/ui/command"
)

// Letters typed with longer pauses than this begin a new prefix.
const typeAheadPause = time.Second

// FocusGained implements fyne.Focusable.
func (r *Rows) FocusGained() {
	r.host.SetOverlay(nil)
	r.focused = true
	r.focusChanged()
}

// FocusLost implements fyne.Focusable.
func (r *Rows) FocusLost() {
	r.focused, r.shiftDown, r.prefix = false, false, ""
	r.alt.FocusLost(r.host)
	r.focusChanged()
}

func (r *Rows) focusChanged() {
	r.repaint()
	if r.OnFocus != nil {
		r.OnFocus(r.focused)
	}
}

// AcceptsTab returns false: Tab moves the focus to the next widget.
func (r *Rows) AcceptsTab() bool { return false }

// KeyDown tracks the shift key, because key events have no modifiers.
func (r *Rows) KeyDown(ev *fyne.KeyEvent) {
	r.alt.Down(r.host, ev)
	r.shiftDown = r.shiftDown || isShift(ev)
}

// KeyUp implements desktop.Keyable.
func (r *Rows) KeyUp(ev *fyne.KeyEvent) {
	r.alt.Up(r.host, ev)
	r.shiftDown = r.shiftDown && !isShift(ev)
}

func isShift(ev *fyne.KeyEvent) bool {
	return ev.Name == desktop.KeyShiftLeft || ev.Name == desktop.KeyShiftRight
}

// shifted reports whether the shift key is down. If it was released over a list or dialog that a key opened, the rows
// got no event, so the driver is asked too.
func (r *Rows) shifted() bool {
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift == 0 {
		r.shiftDown = false
	}
	return r.shiftDown
}

// TypedKey handles a key.
func (r *Rows) TypedKey(ev *fyne.KeyEvent) {
	r.HideTip()
	if r.BeforeKey != nil && r.BeforeKey(ev, r.shifted()) {
		return
	}
	if r.key(ev) {
		return
	}
	if !r.typing(ev.Name) {
		r.host.Key(ev, r.shifted())
	}
}

// typing reports whether a key comes with a letter for the type-ahead, or is a modifier.
func (r *Rows) typing(name fyne.KeyName) bool {
	switch name {
	case desktop.KeyShiftLeft, desktop.KeyShiftRight, desktop.KeyControlLeft, desktop.KeyControlRight,
		desktop.KeyAltLeft, desktop.KeyAltRight, desktop.KeySuperLeft, desktop.KeySuperRight, desktop.KeyCapsLock:
		return true
	case fyne.KeySpace:
		return r.prefix != ""
	}
	return r.OnTypeAhead != nil && utf8.RuneCountInString(string(name)) == 1
}

// key handles a key of the rows and reports whether it is one.
func (r *Rows) key(ev *fyne.KeyEvent) bool {
	switch {
	case r.prefix == "":
	case ev.Name == fyne.KeyEscape:
		r.prefix = ""
		return true
	case ev.Name == fyne.KeyBackspace:
		r.dropLetter()
		return true
	}
	return r.runCommand(r.host.Keys().At(command.List, command.Typed(ev, r.shifted())))
}

// dropLetter removes the last typed letter.
func (r *Rows) dropLetter() {
	_, size := utf8.DecodeLastRuneInString(r.prefix)
	r.prefix, r.typedAt = r.prefix[:len(r.prefix)-size], r.now()
	if r.prefix != "" && r.OnTypeAhead != nil {
		r.OnTypeAhead(r.prefix)
	}
}

func (r *Rows) runCommand(id command.ID) bool {
	switch id {
	case "list.to-next":
		r.step(1)
	case "list.to-previous":
		r.step(-1)
	case "list.to-next-page":
		r.page(1)
	case "list.to-previous-page":
		r.page(-1)
	case "list.to-home", "list.to-first":
		r.goTo(0)
	case "list.to-end", "list.to-last":
		r.goTo(r.Len() - 1)
	case "list.to-left":
		r.sideways(r.OnCollapse, -1)
	case "list.to-right":
		r.sideways(r.OnExpand, 1)
	case "list.activate":
		return r.call(r.OnActivate)
	case "list.menu":
		r.menuKey()
	case "list.columns":
		r.columnMenu(fyne.CurrentApp().Driver().AbsolutePositionForObject(r))
	case "list.expand-all":
		return r.call(r.OnExpandAll)
	case "list.collapse-all":
		return r.call(r.OnFoldAll)
	case "list.scroll-up":
		r.move(0, -r.geometry().row)
	case "list.scroll-down":
		r.move(0, r.geometry().row)
	case "list.toggle":
		return r.toggle()
	case "list.select-all":
		return r.selectAll()
	case "list.copy":
		return r.copy()
	default:
		return false
	}
	return true
}

func (r *Rows) sideways(fold func(int64), direction int) {
	if fold != nil && r.cursor >= 0 {
		fold(r.cursor)
		return
	}
	g := r.geometry()
	r.move(direction*g.row*2, 0)
}

func (r *Rows) menuKey() {
	if r.OnMenu == nil {
		return
	}
	pos := fyne.CurrentApp().Driver().AbsolutePositionForObject(r)
	if r.cursor >= 0 {
		r.ScrollTo(r.cursor)
		pos = pos.Add(r.RowPosition(r.cursor))
	}
	r.OnMenu(r.cursor, pos)
}

// TypedRune goes to the row that begins with the typed letters.
func (r *Rows) TypedRune(c rune) {
	if r.OnTypeAhead == nil || !unicode.IsPrint(c) {
		return
	}
	if c == '*' && r.prefix == "" && r.OnExpandAll != nil {
		r.call(r.OnExpandAll)
		return
	}
	if now := r.now(); now.Sub(r.typedAt) > typeAheadPause {
		r.prefix = ""
	}
	if c == ' ' && r.prefix == "" {
		return
	}
	r.prefix += string(c)
	r.typedAt = r.now()
	r.OnTypeAhead(r.prefix)
}

// TypedShortcut handles a shortcut, or passes it to the host, then to the window.
func (r *Rows) TypedShortcut(s fyne.Shortcut) {
	if r.BeforeShortcut != nil && r.BeforeShortcut(s) || r.shortcut(s) || r.host.Shortcut(s) {
		return
	}
	if c, ok := r.fyneCanvas().(fyne.Shortcutable); ok {
		c.TypedShortcut(s)
	}
}

func (r *Rows) shortcut(s fyne.Shortcut) bool {
	return r.runCommand(r.host.Keys().At(command.List, command.Shortcut(s)))
}

// selectAll selects all rows where more than one can be.
func (r *Rows) selectAll() bool {
	if !r.options.Multi {
		return false
	}
	r.selection = Intervals{}
	from := int64(0)
	if r.AllFrom != nil {
		from = r.AllFrom()
	}
	r.selection.Add(from, r.Len())
	r.selected()
	r.repaint()
	return true
}

// toggle adds the current row to the selection, or removes it.
func (r *Rows) toggle() bool {
	if !r.options.Multi || r.cursor < 0 {
		return false
	}
	if r.selection.Has(r.cursor) {
		r.selection.Remove(r.cursor, r.cursor+1)
	} else {
		r.selection.Add(r.cursor, r.cursor+1)
	}
	r.selected()
	r.repaint()
	return true
}

// copy copies the current row. If several rows can be selected, the host copies them.
func (r *Rows) copy() bool {
	if r.options.Multi {
		return false
	}
	text := ""
	switch s := r.source.(type) {
	case Copier:
		if r.cursor >= 0 {
			text = s.Copied(r.cursor)
		}
	case Cells:
		if r.cursor >= 0 {
			text = copied(s, r.cursor, len(r.columns))
		}
	default:
		return false
	}
	if text != "" {
		r.host.Copy(text)
	}
	return true
}

// call calls do with the current row, and reports whether it did.
func (r *Rows) call(do func(row int64)) bool {
	if do == nil || r.cursor < 0 {
		return false
	}
	do(r.cursor)
	return true
}

// step moves the cursor by rows.
func (r *Rows) step(delta int64) {
	if r.cursor < 0 {
		r.goTo(r.first)
		return
	}
	r.goTo(r.cursor + delta)
}

// page moves the view and the cursor by a page minus one row, so that the user keeps orientation.
func (r *Rows) page(direction int64) {
	step := direction * max(1, r.Page()-1)
	if r.cursor >= 0 {
		r.SetFirst(r.first + step)
	}
	r.step(step)
}

// goTo moves the cursor to a row, with shift extending the selection, and brings it into view.
func (r *Rows) goTo(row int64) {
	n := r.Len()
	if n == 0 {
		return
	}
	row = max(0, min(row, n-1))
	if r.options.Multi && r.shifted() && r.anchor >= 0 {
		r.extend(row, false)
	} else {
		r.selectOnly(row)
	}
	r.ScrollTo(row)
}

// selectOnly makes a row the cursor and the whole selection; -1 clears both.
func (r *Rows) selectOnly(row int64) {
	previous := r.selection
	r.selection = Just(row)
	r.anchor = row
	r.setCursor(row)
	if !slices.Equal(previous.list, r.selection.list) {
		r.selected()
	}
	r.repaint()
}

// extend selects the rows from the anchor to row, in addition to the selection or instead of it.
func (r *Rows) extend(row int64, add bool) {
	if !add {
		r.selection = Intervals{}
	}
	r.selection.Add(min(r.anchor, row), max(r.anchor, row)+1)
	r.setCursor(row)
	r.selected()
}

func (r *Rows) setCursor(row int64) {
	if row == r.cursor {
		return
	}
	r.cursor = row
	r.repaint()
	if r.OnCurrent != nil {
		r.OnCurrent(row)
	}
}

func (r *Rows) selected() {
	if r.OnSelection != nil {
		r.OnSelection()
	}
}
