package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/ui/command"
	"assay/ui/paint"
	"assay/ui/rows"
)

// span is a range [from, to) of byte indexes of the text.
type span struct{ from, to int }

// selected returns the selected range.
func (v *View) selected() span { return span{min(v.anchor, v.head), max(v.anchor, v.head)} }

// press moves the caret to the pointer, or extends the selection to it.
func (v *View) press(on rows.Pointer) rows.PressResult {
	switch on.Button {
	case desktop.MouseButtonPrimary:
	case desktop.MouseButtonSecondary:
		return rows.Handled
	default:
		return rows.Pass
	}
	v.moveTo(v.indexAt(on), on.Modifier&fyne.KeyModifierShift != 0)
	return rows.Pull
}

// pull extends the selection to the pointer.
func (v *View) pull(on rows.Pointer) { v.moveTo(v.indexAt(on), true) }

// indexAt returns the caret position nearest to the pointer, as a byte index of the text.
func (v *View) indexAt(on rows.Pointer) int {
	c := v.style.NewCanvas(nil, on.Scale, paint.Colors{})
	return v.page.offsetAt(on.Row, (on.X-v.page.gutter(c)+c.CellWidth()/2)/c.CellWidth())
}

// moveTo moves the caret; extend extends the selection up to it.
func (v *View) moveTo(index int, extend bool) {
	if v.head = index; !extend {
		v.anchor = index
	}
	v.rows.Refresh()
}

// reportSelection reports the selection to OnSelect.
func (v *View) reportSelection() {
	if v.OnSelect != nil && v.text != nil && !v.indent.Checked {
		s := v.selected()
		from := v.text.Offset(s.from)
		v.OnSelect(from, v.text.Offset(s.to)-from)
	}
}

// selectWord selects the word at the caret.
func (v *View) selectWord() {
	s := v.page.text
	inWord := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	v.anchor = len(strings.TrimRightFunc(s[:v.head], inWord))
	v.head = len(s) - len(strings.TrimLeftFunc(s[v.head:], inWord))
	v.rows.Refresh()
	v.reportSelection()
}

// key moves the caret.
func (v *View) key(ev *fyne.KeyEvent, shift bool) bool {
	return v.move(v.host.Keys().At(command.List, command.KeyOf(ev, shift)), shift)
}

// shortcut moves the caret, copies, or selects all.
func (v *View) shortcut(s fyne.Shortcut) bool {
	if _, ok := s.(*fyne.ShortcutCopy); ok {
		if sel := v.selected(); sel.from < sel.to {
			v.host.Copy(v.page.text[sel.from:sel.to])
		}
		return true
	}
	key := command.KeyOfShortcut(s)
	id := v.host.Keys().At(command.List, key)
	if id == "list.select-all" {
		v.anchor, v.head = 0, len(v.page.text)
		v.rows.Refresh()
		v.reportSelection()
		return true
	}
	return v.move(id, key.Modifier&fyne.KeyModifierShift != 0)
}

// move runs a command that moves the caret. It returns false if id is another command or there is no text.
func (v *View) move(id command.ID, extend bool) bool {
	page, index, rowsInView := v.page, v.head, v.rows.Page()
	if page.count() == 0 {
		return false
	}
	row := page.rowOf(index)
	line := page.lineAt(index)
	beside := func(step int64) int {
		_, part := page.lineOf(row)
		from, _ := page.columnsOfPart(line, part)
		return page.offsetAt(row+step, page.column(line, index)-from)
	}
	switch id {
	case "list.to-next":
		index = beside(1)
	case "list.to-previous":
		index = beside(-1)
	case "list.to-next-page":
		index = beside(rowsInView)
	case "list.to-previous-page":
		index = beside(-rowsInView)
	case "list.to-left":
		_, n := utf8.DecodeLastRuneInString(page.text[:index])
		index -= n
	case "list.to-right":
		_, n := utf8.DecodeRuneInString(page.text[index:])
		index += n
	case "list.to-home":
		index = page.starts[line]
	case "list.to-end":
		index = page.starts[line] + len(page.line(line))
	case "list.to-first":
		index = 0
	case "list.to-last":
		index = len(page.text)
	default:
		return false
	}
	v.moveTo(index, extend)
	v.rows.ScrollTo(page.rowOf(index))
	v.reportSelection()
	return true
}

// hover shows the problem or note of a line as a hint.
func (v *View) hover(row int64) {
	message := ""
	if row >= 0 && row < v.page.Len() {
		line, _ := v.page.lineOf(row)
		message = v.page.marks[line].message
	}
	if message != "" || v.showsHint {
		v.showsHint = message != ""
		v.host.ShowHint(message)
	}
}

// menu opens the context menu.
func (v *View) menu(_ int64, pos fyne.Position) {
	m := fyne.NewMenu("")
	if sel := v.selected(); sel.from < sel.to {
		m.Items = append(m.Items, fyne.NewMenuItem("Copy", func() { v.host.Copy(v.page.text[sel.from:sel.to]) }))
	}
	m.Items = append(m.Items, fyne.NewMenuItem("Copy All", func() { v.host.Copy(v.page.text) }))
	v.host.Menu(m, pos)
}
