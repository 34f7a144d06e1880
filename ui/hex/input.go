package hex

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/ui/command"
	"assay/ui/rows"
)

// handleKey handles Escape and the keys of commands. With shift, moving the caret extends the range.
func (h *Hex) handleKey(ev *fyne.KeyEvent, shift bool) bool {
	if ev.Name == fyne.KeyEscape {
		if h.rangeEnd <= h.rangeStart {
			return false
		}
		h.setRange(0, 0)
		h.rows.Refresh()
		return true
	}
	return h.command(h.host.Keys().At(command.List, command.KeyOf(ev, shift)), shift)
}

// command runs a command of the view, and reports whether id is one.
func (h *Hex) command(id command.ID, shift bool) bool {
	n := int64(h.bytesPerRow)
	page := n * max(1, h.rows.Page()-1)
	to := h.caret
	switch id {
	case "list.to-left":
		to--
	case "list.to-right":
		to++
	case "list.to-previous":
		to = h.caretAfterRows(-n)
	case "list.to-next":
		to = h.caretAfterRows(n)
	case "list.to-previous-page":
		to = h.caretAfterRows(-page)
		h.rows.SetFirst(h.rows.First() - page/n)
	case "list.to-next-page":
		to = h.caretAfterRows(page)
		h.rows.SetFirst(h.rows.First() + page/n)
	case "list.to-home":
		to -= to % n
	case "list.to-end":
		to += n - 1 - to%n
	case "list.to-first":
		to = 0
	case "list.to-last":
		to = h.size - 1
	case "list.activate":
		h.activate()
		return true
	case "list.menu":
		h.menuKey()
		return true
	case "list.select-all":
		h.selectAll()
		return true
	default:
		return false
	}
	h.moveCaretTo(to, shift)
	return true
}

// caretAfterRows returns the offset step bytes, a number of whole rows, from the caret. It stays in the caret's column.
func (h *Hex) caretAfterRows(step int64) int64 {
	n := int64(h.bytesPerRow)
	switch to := h.caret + step; {
	case to < 0:
		return h.caret % n
	case to >= h.size:
		last := (h.size-1)/n*n + h.caret%n
		if last >= h.size && step <= n { // no byte below
			return h.caret
		}
		return min(last, h.size-1)
	default:
		return to
	}
}

// handleShortcut handles a keyboard shortcut.
func (h *Hex) handleShortcut(s fyne.Shortcut) bool {
	if s, ok := s.(*fyne.ShortcutCopy); ok {
		return h.copyShortcut(s)
	}
	key := command.KeyOfShortcut(s)
	return h.command(h.host.Keys().At(command.List, key), key.Modifier&fyne.KeyModifierShift != 0)
}

func (h *Hex) selectAll() {
	if h.size > 0 {
		h.anchor = 0
		h.setRange(0, h.size)
		h.rows.Refresh()
	}
}

// copyShortcut copies in the form of the column of the caret, unless the owner handles the shortcut.
func (h *Hex) copyShortcut(s *fyne.ShortcutCopy) bool {
	if h.host.Shortcut(s) {
		return true
	}
	form := AsHex
	if h.caretInText {
		form = AsText
	}
	text, err := h.Copy(form)
	if err != nil {
		if h.OnError != nil {
			h.OnError(err)
		}
		return true
	}
	if s.Clipboard != nil {
		s.Clipboard.SetContent(text)
	}
	return true
}

// moveCaretTo moves the caret after a key or a drag, and calls the events. extend extends the range.
func (h *Hex) moveCaretTo(to int64, extend bool) {
	if h.size == 0 {
		return
	}
	to = max(0, min(to, h.size-1))
	moved := to != h.caret
	h.caret = to
	if moved && h.OnSelect != nil {
		h.OnSelect(to) // before setRange, because the owner may clear the range
	}
	if extend {
		h.setRange(min(h.anchor, to), max(h.anchor, to)+1)
	} else {
		h.anchor = to
		h.setRange(0, 0)
	}
	h.rows.Refresh()
	h.ScrollTo(to)
}

func (h *Hex) setRange(from, to int64) {
	if from == h.rangeStart && to == h.rangeEnd {
		return
	}
	hadRange := h.rangeEnd > h.rangeStart
	h.rangeStart, h.rangeEnd = from, to
	if h.OnRange != nil && (hadRange || to > from) {
		h.OnRange(from, max(0, to-from))
	}
}

func (h *Hex) press(p rows.Pointer) rows.PressResult {
	offset, text := h.offsetAt(p)
	if offset < 0 || h.size == 0 {
		return rows.Handled
	}
	h.caretInText = text
	switch {
	case p.Button == desktop.MouseButtonSecondary && (offset < h.rangeStart || offset >= h.rangeEnd):
		h.clickCaret(offset)
		return rows.Handled
	case p.Button != desktop.MouseButtonPrimary:
		return rows.Handled
	case p.Modifier&fyne.KeyModifierShift != 0:
		h.moveCaretTo(offset, true)
	default:
		h.clickCaret(offset)
	}
	h.isDragging = true
	return rows.Pull
}

// clickCaret moves the caret to the clicked byte, which is in view. A click on the caret's byte selects it again,
// because the owner may display something else.
func (h *Hex) clickCaret(offset int64) {
	h.anchor, h.caret = offset, offset
	h.setRange(0, 0)
	h.rows.Refresh()
	if h.OnSelect != nil {
		h.OnSelect(offset)
	}
}

func (h *Hex) pull(p rows.Pointer) {
	if !h.isDragging || h.size == 0 {
		return
	}
	offset := h.nearestOffset(p)
	h.caret = offset
	if offset == h.anchor && h.rangeEnd <= h.rangeStart {
		return
	}
	h.setRange(min(h.anchor, offset), max(h.anchor, offset)+1)
	h.rows.Refresh()
}

func (h *Hex) release() { h.isDragging = false }

func (h *Hex) activate() {
	if h.OnActivate != nil && h.size > 0 {
		h.OnActivate(h.caret)
	}
}

func (h *Hex) menu(_ int64, pos fyne.Position) {
	if h.OnMenu != nil && h.size > 0 {
		h.OnMenu(h.caret, pos)
	}
}

func (h *Hex) menuKey() {
	pos := fyne.CurrentApp().Driver().AbsolutePositionForObject(h.rows)
	h.ScrollTo(h.caret)
	h.menu(0, pos.Add(h.rows.RowPosition(h.caret/int64(h.bytesPerRow))))
}

func (h *Hex) move(p rows.Pointer) {
	offset, _ := h.offsetAt(p)
	h.setHover(offset)
}

func (h *Hex) setHover(offset int64) {
	if offset == h.hover {
		return
	}
	h.hover = offset
	h.rows.HideTip()
	h.rows.Refresh()
	if h.OnHover != nil {
		h.OnHover(offset)
	}
}
