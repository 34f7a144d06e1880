package three

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model/compare/merge"
	"assay/ui/control"
)

// mergedEditor is the editor of the merged text that the current hunk is in.
type mergedEditor struct {
	t         *Versions
	entry     *control.Field
	piece     int // a hunk of the displayed text, or -1
	isSetting bool
	content   fyne.CanvasObject
}

func newMergedEditor(t *Versions) *mergedEditor {
	m := &mergedEditor{t: t, entry: control.NewField(t, ""), piece: -1}
	m.entry.MultiLine, m.entry.TextStyle.Monospace, m.entry.Scroll = true, true, fyne.ScrollBoth
	m.entry.OnKey = func(k *fyne.KeyEvent, _ bool) bool {
		if k.Name == fyne.KeyEscape {
			t.Focus()
		}
		return k.Name == fyne.KeyEscape
	}
	m.entry.OnChanged = m.changed
	title := widget.NewLabelWithStyle("Merged", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	m.content = container.NewBorder(title, nil, nil, nil, m.entry)
	return m
}

// show displays the merged text of a row and scrolls to its hunk. It reports whether the row has a text.
func (m *mergedEditor) show(row *merge.Row) bool {
	m.piece = -1
	if row == nil || m.t.merging.WholeReason != "" {
		return false
	}
	text, line, ok := m.t.merging.Text(row.Piece)
	if !ok {
		return false
	}
	m.piece = row.Piece
	m.isSetting = true
	if text != m.entry.Text {
		m.entry.SetText(text)
	}
	// The end of the text first, then the hunk: it is the first visible line.
	for _, line := range []int{strings.Count(text, "\n"), line} {
		m.entry.CursorRow, m.entry.CursorColumn = line, 0
		m.entry.Refresh()
	}
	m.isSetting = false
	return true
}

// changed stores the edited text.
func (m *mergedEditor) changed(text string) {
	if m.isSetting || m.piece < 0 {
		return
	}
	t := m.t
	undo := t.merging.Edit(m.piece, text)
	if last := len(t.undos) - 1; last < 0 || !t.undos[last].isText {
		t.remember(undo, true) // one undo step for all text typed without a choice in between
	}
	t.savedAt = -1
	t.rows.Refresh()
	t.showUnresolved()
}
