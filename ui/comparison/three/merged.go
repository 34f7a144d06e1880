package three

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model/compare/merge"
	"assay/ui/control"
	"assay/ui/paint"
)

// merged is the editor for the merged lines of the current hunk.
type merged struct {
	t       *Versions
	entry   *control.Field
	piece   int // the displayed one
	setting bool
	content fyne.CanvasObject
}

// mergedRows is the number of lines that are visible without scrolling.
const mergedRows = 5

func newMerged(t *Versions) *merged {
	m := &merged{t: t, entry: control.NewField(t, "Choose a version, or write the merged lines"), piece: -1}
	m.entry.MultiLine, m.entry.TextStyle.Monospace, m.entry.Scroll = true, true, fyne.ScrollBoth
	m.entry.SetMinRowsVisible(mergedRows)
	m.entry.OnKey = func(k *fyne.KeyEvent, _ bool) bool {
		if k.Name == fyne.KeyEscape {
			t.Focus()
		}
		return k.Name == fyne.KeyEscape
	}
	m.entry.OnChanged = m.changed
	title := widget.NewLabelWithStyle("Merged", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	m.content = container.NewBorder(title, nil, nil, nil, m.entry)
	paint.Show(m.content, false)
	return m
}

// show displays the merged lines of a row.
func (m *merged) show(row *merge.Row) {
	text, ok := "", false
	if m.piece = -1; row != nil && m.t.merging.Whole == "" {
		m.piece = row.Piece
		text, ok = m.t.merging.Merged(row.Piece)
	}
	paint.Show(m.content, ok)
	if ok && text != m.entry.Text {
		m.setting = true
		m.entry.SetText(text)
		m.setting = false
	}
}

// changed stores the lines that the user wrote.
func (m *merged) changed(text string) {
	if m.setting || m.piece < 0 {
		return
	}
	t := m.t
	p := &t.merging.Pieces[m.piece]
	if p.Take != merge.TakeEdited || len(t.undos) == 0 || t.undos[len(t.undos)-1].piece != p {
		t.remember(p) // once for all that is written in a hunk
	}
	t.savedAt = -1
	t.merging.Edit(m.piece, text)
	t.rows.Refresh()
	t.showUnresolved()
}
