package rows

import (
	"time"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/ui/command"
)

// typeAheadPause is the pause between typed letters after which a new prefix begins.
const typeAheadPause = time.Second

// FocusGained implements fyne.Focusable.
func (r *Rows) FocusGained() {
	r.host.SetOverlay(nil)
	r.focused = true
	r.focusChanged()
}

// FocusLost implements fyne.Focusable.
func (r *Rows) FocusLost() {
	r.focused, r.shiftDown, r.typedPrefix = false, false, ""
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

// isShiftDown reports whether the shift key is down. If it was released over a popup that a key opened, the rows got no
// event, so this asks the driver too.
func (r *Rows) isShiftDown() bool {
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift == 0 {
		r.shiftDown = false
	}
	return r.shiftDown
}

// TypedKey handles a key.
func (r *Rows) TypedKey(ev *fyne.KeyEvent) {
	r.HideTip()
	if r.BeforeKey != nil && r.BeforeKey(ev, r.isShiftDown()) {
		return
	}
	if r.handleKey(ev) {
		return
	}
	if !r.isTyping(ev.Name) {
		r.host.Key(ev, r.isShiftDown())
	}
}

// isTyping reports whether a key is a modifier, or is followed by a letter for the type-ahead.
func (r *Rows) isTyping(name fyne.KeyName) bool {
	switch name {
	case desktop.KeyShiftLeft, desktop.KeyShiftRight, desktop.KeyControlLeft, desktop.KeyControlRight,
		desktop.KeyAltLeft, desktop.KeyAltRight, desktop.KeySuperLeft, desktop.KeySuperRight, desktop.KeyCapsLock:
		return true
	case fyne.KeySpace:
		return r.typedPrefix != ""
	}
	return r.OnTypeAhead != nil && utf8.RuneCountInString(string(name)) == 1
}

// handleKey handles a key of the rows and reports whether it is one.
func (r *Rows) handleKey(ev *fyne.KeyEvent) bool {
	switch {
	case r.typedPrefix == "":
	case ev.Name == fyne.KeyEscape:
		r.typedPrefix = ""
		return true
	case ev.Name == fyne.KeyBackspace:
		r.dropLetter()
		return true
	}
	return r.runCommand(r.host.Keys().At(command.List, command.KeyOf(ev, r.isShiftDown())))
}

// dropLetter removes the last typed letter.
func (r *Rows) dropLetter() {
	_, size := utf8.DecodeLastRuneInString(r.typedPrefix)
	r.typedPrefix, r.typedAt = r.typedPrefix[:len(r.typedPrefix)-size], r.now()
	if r.typedPrefix != "" && r.OnTypeAhead != nil {
		r.OnTypeAhead(r.typedPrefix)
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
		r.foldOrScroll(r.OnCollapse, -1)
	case "list.to-right":
		r.foldOrScroll(r.OnExpand, 1)
	case "list.activate":
		return r.callWithCurrent(r.OnActivate)
	case "list.menu":
		r.menuKey()
	case "list.columns":
		r.openColumnMenu(fyne.CurrentApp().Driver().AbsolutePositionForObject(r))
	case "list.expand-all":
		return r.callWithCurrent(r.OnExpandAll)
	case "list.collapse-all":
		return r.callWithCurrent(r.OnCollapseAll)
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

func (r *Rows) foldOrScroll(fold func(int64), direction int) {
	if fold != nil && r.current >= 0 {
		fold(r.current)
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
	if r.current >= 0 {
		r.ScrollTo(r.current)
		pos = pos.Add(r.RowPosition(r.current))
	}
	r.OnMenu(r.current, pos)
}

// TypedRune goes to the row that begins with the typed letters.
func (r *Rows) TypedRune(c rune) {
	if r.OnTypeAhead == nil || !unicode.IsPrint(c) {
		return
	}
	if c == '*' && r.typedPrefix == "" && r.OnExpandAll != nil {
		r.callWithCurrent(r.OnExpandAll)
		return
	}
	if now := r.now(); now.Sub(r.typedAt) > typeAheadPause {
		r.typedPrefix = ""
	}
	if c == ' ' && r.typedPrefix == "" {
		return
	}
	r.typedPrefix += string(c)
	r.typedAt = r.now()
	r.OnTypeAhead(r.typedPrefix)
}

// TypedShortcut handles a shortcut, or passes it to the host, then to the window.
func (r *Rows) TypedShortcut(s fyne.Shortcut) {
	if r.BeforeShortcut != nil && r.BeforeShortcut(s) || r.handleShortcut(s) || r.host.Shortcut(s) {
		return
	}
	if c, ok := r.fyneCanvas().(fyne.Shortcutable); ok {
		c.TypedShortcut(s)
	}
}

func (r *Rows) handleShortcut(s fyne.Shortcut) bool {
	return r.runCommand(r.host.Keys().At(command.List, command.KeyOfShortcut(s)))
}

// copy copies the current row. If several rows can be selected, the host copies them.
func (r *Rows) copy() bool {
	if r.options.Multi {
		return false
	}
	text := ""
	switch s := r.source.(type) {
	case Copier:
		if r.current >= 0 {
			text = s.Copied(r.current)
		}
	case Cells:
		if r.current >= 0 {
			text = rowText(s, r.current, len(r.columns))
		}
	default:
		return false
	}
	if text != "" {
		r.host.Copy(text)
	}
	return true
}

// callWithCurrent calls do with the current row. It returns false if do is nil or there is no current row.
func (r *Rows) callWithCurrent(do func(row int64)) bool {
	if do == nil || r.current < 0 {
		return false
	}
	do(r.current)
	return true
}
