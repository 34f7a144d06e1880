package hex

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/ui/command"
	"assay/ui/rows"
)

// key moves the caret; with shift it extends the range from where the caret was.
func (h *Hex) key(ev *fyne.KeyEvent, shift bool) bool {
	if ev.Name == fyne.KeyEscape {
		if h.to <= h.from {
			return false
		}
		h.setRange(0, 0)
		h.rows.Refresh()
		return true
	}
	return h.command(h.host.Keys().At(command.List, command.Typed(ev, shift)), shift)
}

// command does a command, and reports whether it is one of bytes.
func (h *Hex) command(id command.ID, shift bool) bool {
	n := int64(h.columns)
	page := n * max(1, h.rows.Page()-1)
	to := h.caret
	switch id {
	case "list.to-left":
		to--
	case "list.to-right":
		to++
	case "list.to-previous":
		to = h.vertical(-n)
	case "list.to-next":
		to = h.vertical(n)
	case "list.to-previous-page":
		to = h.vertical(-page)
		h.rows.SetFirst(h.rows.First() - page/n)
	case "list.to-next-page":
		to = h.vertical(page)
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
	h.moveTo(to, shift)
	return true
}

// vertical moves by whole rows and stays in the caret's column.
func (h *Hex) vertical(by int64) int64 {
	n := int64(h.columns)
	switch to := h.caret + by; {
	case to < 0:
		return h.caret % n
	case to >= h.size:
		last := (h.size-1)/n*n + h.caret%n
		if last >= h.size && by <= n { // no byte below
			return h.caret
		}
		return min(last, h.size-1)
	default:
		return to
	}
}

// shortcut does what a shortcut means in bytes.
func (h *Hex) shortcut(s fyne.Shortcut) bool {
	if s, ok := s.(*fyne.ShortcutCopy); ok {
		return h.copyShortcut(s)
	}
	key := command.Shortcut(s)
	return h.command(h.host.Keys().At(command.List, key), key.Modifier&fyne.KeyModifierShift != 0)
}

func (h *Hex) selectAll() {
	if h.size > 0 {
		h.anchor = 0
		h.setRange(0, h.size)
		h.rows.Refresh()
	}
}

// copyShortcut copies in the form of the column that the caret is in, unless the owner wants it.
func (h *Hex) copyShortcut(s *fyne.ShortcutCopy) bool {
	if h.host.Shortcut(s) {
		return true
	}
	form := AsHex
	if h.inText {
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

// moveTo moves the caret for the user.
func (h *Hex) moveTo(to int64, extend bool) {
	if h.size == 0 {
		return
	}
	to = max(0, min(to, h.size-1))
	moved := to != h.caret
	h.caret = to
	if moved && h.OnSelect != nil {
		h.OnSelect(to) // before the range, which is selected in the end
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
	if from == h.from && to == h.to {
		return
	}
	had := h.to > h.from
	h.from, h.to = from, to
	if h.OnRange != nil && (had || to > from) {
		h.OnRange(from, max(0, to-from))
	}
}

func (h *Hex) press(p rows.Pointer) rows.Claim {
	offset, text := h.at(p)
	if offset < 0 || h.size == 0 {
		return rows.Handled
	}
	h.inText = text
	switch {
	case p.Button == desktop.MouseButtonSecondary && (offset < h.from || offset >= h.to): // the range keeps its menu
		h.moveCaret(offset)
		return rows.Handled
	case p.Button != desktop.MouseButtonPrimary:
		return rows.Handled
	case p.Modifier&fyne.KeyModifierShift != 0:
		h.moveTo(offset, true)
	default:
		h.moveCaret(offset)
	}
	h.pulling = true
	return rows.Pull
}

// moveCaret puts the caret where the user clicked, which is in view already. A click on the caret's byte selects it
// again: the owner may show something else by now.
func (h *Hex) moveCaret(offset int64) {
	h.anchor, h.caret = offset, offset
	h.setRange(0, 0)
	h.rows.Refresh()
	if h.OnSelect != nil {
		h.OnSelect(offset)
	}
}

func (h *Hex) pull(p rows.Pointer) {
	if !h.pulling || h.size == 0 {
		return
	}
	offset := h.nearest(p)
	h.caret = offset
	if offset == h.anchor && h.to <= h.from {
		return
	}
	h.setRange(min(h.anchor, offset), max(h.anchor, offset)+1)
	h.rows.Refresh()
}

func (h *Hex) release() { h.pulling = false }

func (h *Hex) activate() {
	if h.OnActivate != nil && h.size > 0 {
		h.OnActivate(h.caret)
	}
}

func (h *Hex) menu(_ int64, at fyne.Position) {
	if h.OnMenu != nil && h.size > 0 {
		h.OnMenu(h.caret, at)
	}
}

func (h *Hex) menuKey() {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(h.rows)
	h.ScrollTo(h.caret)
	h.menu(0, at.Add(h.rows.RowPosition(h.caret/int64(h.columns))))
}

func (h *Hex) move(p rows.Pointer) {
	offset, _ := h.at(p)
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
